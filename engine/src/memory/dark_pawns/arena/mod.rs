//! Dark Pawns on the market: the memory of a golem.
//!
//! | game | market |
//! |---|---|
//! | a fight | a trade; how it feels goes by its result in R, as fights go by the opponent's level |
//! | wounds | equity at or below a quarter of its highest while a trade is open: near-death, by the original's bands |
//! | a room | the regime, as the golem read it |
//! | an opponent | a strategy, a strategy in a regime, an asset |
//! | another player | one of the dead, or a sibling: a scar is help (+1), a lesson a gift (+2) |
//! | walking | staying out (left out by default), and regimes that follow each other |
//! | the dream after a session | `dream_interval_ticks` after the last one or later, when nothing is held; its ticks are slept through |
//! | the message at login | a `MemorySummary` on waking from a dream and once something was inherited, if its reading can be paid |
//!
//! Fleeing has no counterpart: exits follow stops and targets that were set beforehand. Ties are `occurred_in` (event and regime),
//! `fought` (event and pairing), `involved` (event and strategy, or an asset on which money was lost), `took_from` (an asset on which
//! money was made), `killed` (a scar and the pairing that made it), `social` (bloodstain and kin), `transitioned_to` (regimes) and
//! `similar_to` (an event and the one before it of the same pairing and the same sign).
//!
//! Advice: prior + `valence_r` · Σ weight · salience · n/(n + `familiar_after`) · feeling over the pairing, the strategy and the asset of a
//! candidate, n encounters; ours, because the original has a model decide by reading. As in the original, a model also reads each summary
//! (not where `valence` is off or `reading_weight` 0): its stances (−1 to 1) speak in the same sum as voices of the nodes that they are
//! about, with a feeling of 3 · stance and `reading_weight`. A stance on a node that isn't in memory has no voice. The sum is divided by
//! the weights where they exceed 1. A strategy felt as dangerous in a regime is vetoed there.
//!
//! Salience runs from 0 to 1, valence from −3 to 3, results are in R. It is a knowledge graph with emotional weights and linear fading
//! (associative memory).

mod architecture;
mod config;
mod id;
mod inherit;
mod live;
mod sleep;
#[cfg(test)]
mod tests;
mod voices;

pub use config::DarkPawnsConfig;
pub use id::MarketNode;

use crate::episode::{Episode, Provenance};
use crate::llm::Stance;
use crate::market::Regime;
use crate::memory::{Inheritance, MemoryAccount, VoiceSource};
use morta_base::{EpisodeId, GolemId, Tick, Usdc};
use morta_memories::dark_pawns::{Graph, NodeVisit, Stamp, Valence};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The `dark-pawns` memory of one golem: an associative memory graph with valence (emotional salience).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DarkPawns {
    config: DarkPawnsConfig,
    golem: GolemId,
    graph: Graph<MarketNode>,
    /// Traces of entities.
    traces: BTreeMap<MarketNode, Trace>,
    /// Own remembered trades that lost money: candidates for scars.
    wounds: BTreeMap<EpisodeId, Episode>,
    account: MemoryAccount,
    /// Number of the next entity, the source of its voice.
    next_number: u32,
    /// Number of the next sibling's lesson.
    #[serde(rename = "next_told")]
    next_lesson: u32,
    /// The last waking tick and its simulated time; none before the first.
    clock: Option<Clock>,
    /// First tick at which the next dream is due; it waits until nothing is held.
    next_dream: Option<Tick>,
    /// Highest equity of the life: a near-death is a quarter of it or less by default.
    peak: Usdc,
    /// Least equity since the last close while a trade was open.
    lowest: Option<Usdc>,
    /// The regime of the last event, from which a change of regime is noted.
    last_regime: Option<Regime>,
    /// Whether there is a summary that wasn't read yet.
    unread: bool,
    /// Stances of the model that last read the summary.
    read: Vec<Stance>,
    /// What became of each bloodstain and each sibling's lesson.
    inheritance: Vec<Inheritance>,
}

/// The golem's records behind an entity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Trace {
    /// Its number as the source of a voice.
    number: u32,
    /// Provenance of the first encounter.
    source: Provenance,
    /// Encounters in its own life.
    own: u32,
    /// Encounters reported by others.
    #[serde(rename = "told")]
    reported: u32,
    /// Own trades with it that were felt as good, and as bad.
    good: u32,
    bad: u32,
    /// The latest episodes, oldest first.
    behind: Vec<(EpisodeId, Provenance)>,
}

/// A tick and its simulated time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Clock {
    tick: Tick,
    time_s: i64,
    tick_seconds: f64,
}

/// One event at its encounter.
struct Happening<'a> {
    node: MarketNode,
    label: &'a str,
    valence: Valence,
    at: Stamp,
    /// Its trust, 0 to 1: the first salience, and the share of the reinforcement bonus that it adds.
    trust: f64,
    provenance: Provenance,
    /// The episodes behind it.
    episodes: &'a [EpisodeId],
}

impl DarkPawns {
    /// The memory of a newborn: an empty graph.
    pub fn new(golem: GolemId, config: DarkPawnsConfig) -> Self {
        Self {
            config,
            golem,
            graph: Graph::default(),
            traces: BTreeMap::new(),
            wounds: BTreeMap::new(),
            account: MemoryAccount::default(),
            next_number: 0,
            next_lesson: 0,
            clock: None,
            next_dream: None,
            peak: Usdc::ZERO,
            lowest: None,
            last_regime: None,
            unread: false,
            read: Vec::new(),
            inheritance: Vec::new(),
        }
    }

    /// The knowledge graph of all memories, an associative network.
    pub fn graph(&self) -> &Graph<MarketNode> {
        &self.graph
    }

    fn stamp(&self, now: Tick) -> Stamp {
        let Some(Clock { tick, time_s, tick_seconds }) = self.clock else { return Stamp::default() };
        let elapsed = (now as f64 - tick as f64) * tick_seconds;
        Stamp::from_seconds(time_s.saturating_add(elapsed as i64))
    }

    fn visit<'a>(&self, happening: &Happening<'a>, label: &'a str) -> NodeVisit<'a> {
        NodeVisit {
            kind: happening.node.kind(),
            label,
            valence: happening.valence,
            at: happening.at,
            first_salience: happening.trust,
            bonus: self.config.reinforce_bonus * happening.trust,
        }
    }

    /// Meets the event itself.
    fn meet_event(&mut self, happening: &Happening<'_>) {
        let visit = self.visit(happening, happening.label);
        self.graph.meet(happening.node, &visit);
    }

    /// Meets an entity or a room in an event, with a feeling.
    fn meet(&mut self, node: MarketNode, valence: Valence, happening: &Happening<'_>) {
        let label = node.to_string();
        let visit = NodeVisit { kind: node.kind(), valence, ..self.visit(happening, &label) };
        self.graph.meet(node, &visit);
        if let MarketNode::Regime(_) = node {
            return;
        }
        let next = &mut self.next_number;
        let account = &mut self.account;
        let trace = self.traces.entry(node).or_insert_with(|| {
            *next += 1;
            account.store(VoiceSource::Node(*next - 1), false);
            Trace {
                number: *next - 1,
                source: happening.provenance,
                own: 0,
                reported: 0,
                good: 0,
                bad: 0,
                behind: Vec::new(),
            }
        });
        trace.note(valence, happening, self.config.episodes_behind as usize);
    }
}

impl Trace {
    fn note(&mut self, valence: Valence, happening: &Happening<'_>, most: usize) {
        if happening.provenance == Provenance::Own {
            self.own += 1;
            self.good += u32::from(valence > Valence::NEUTRAL);
            self.bad += u32::from(valence < Valence::NEUTRAL);
        } else {
            self.reported += 1;
        }
        for episode in happening.episodes {
            self.behind.retain(|(known, _)| known != episode);
            self.behind.push((*episode, happening.provenance));
        }
        let surplus = self.behind.len().saturating_sub(most);
        self.behind.drain(..surplus);
    }

    /// Provenance of its content: own, once own encounters are at least as many as reported ones.
    fn provenance(&self) -> Provenance {
        if self.own >= self.reported { Provenance::Own } else { self.source }
    }
}

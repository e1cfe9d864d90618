//! Additions to the graph in waking life: trades, near-deaths, abstentions and changes of regime become nodes and edges (episodic
//! encoding).
//!
//! Valence runs from −3 to 3, equity is in dollars, results are in R. Equity is followed because near-deaths are felt.

use super::{DarkPawns, Happening, MarketNode};
use crate::episode::{Episode, Provenance};
use crate::memory::{Voice, VoiceSource};
use morta_base::{Tick, Usdc};
use morta_memories::dark_pawns::valence::of_damage;
use morta_memories::dark_pawns::{DamageBands, EdgeKind, Valence};

impl DarkPawns {
    /// Takes in a trade: counts it for what was inherited, then as a near-death if it was one, then as a fight; a loss becomes a wound.
    pub(super) fn live_through(&mut self, episode: &Episode, why: &[Voice], now: Tick) {
        self.account.store(VoiceSource::Episode(episode.id), false);
        self.account.call_on_all(why);
        let margin = self.config.confirm_margin_r;
        self.inheritance.iter_mut().for_each(|inherited| {
            inherited.note_outcome(episode, why, |claim, r| claim.is_confirmed_by(r, margin), now)
        });
        let subjects = subjects(episode);
        for node in subjects {
            if let Some(trace) = self.traces.get(&node) {
                self.account.weigh(VoiceSource::Node(trace.number));
            }
        }
        let lowest = self.lowest.take();
        if let Some(equity) = lowest.filter(|equity| self.is_near_death(*equity)) {
            self.nearly_die(episode, equity, now);
        }
        self.fight(episode, now);
        if episode.realised_r < 0.0 {
            self.wounds.insert(episode.id, episode.clone());
        }
    }

    fn fight(&mut self, episode: &Episode, now: Tick) {
        let valence = self.config.felt(episode.realised_r);
        let label = result_of(episode);
        let happening = self.own(MarketNode::Lived(episode.id), &label, valence, episode, now);
        let [pairing, strategy, asset] = subjects(episode);
        self.note_likeness(&happening, pairing);
        self.meet_event(&happening);
        self.enter_regime(episode, &happening);
        let taken = if episode.realised_r > 0.0 { EdgeKind::TookFrom } else { EdgeKind::Involved };
        let ties = [(pairing, EdgeKind::Fought), (strategy, EdgeKind::Involved), (asset, taken)];
        for (node, tie) in ties {
            self.meet(node, valence, &happening);
            self.graph.tie(&happening.node, &node, tie, happening.at);
        }
    }

    /// A near-death is felt towards the strategy of the trade, and nothing else: the asset would be feared for what any strategy
    /// might have done on it.
    fn nearly_die(&mut self, episode: &Episode, equity: Usdc, now: Tick) {
        let health = Some((equity.0, self.peak.0));
        let valence = self.config.unless_numb(of_damage(health, DamageBands::Seed));
        let [pairing, strategy, _] = subjects(episode);
        let label = format!(
            "Down to {:.2} of {:.2} dollars in a trade by {strategy}",
            equity.dollars(),
            self.peak.dollars()
        );
        let happening = self.own(MarketNode::NearDeath(episode.id), &label, valence, episode, now);
        self.meet_event(&happening);
        for (node, tie) in [(pairing, EdgeKind::Fought), (strategy, EdgeKind::Involved)] {
            self.meet(node, valence, &happening);
            self.graph.tie(&happening.node, &node, tie, happening.at);
        }
    }

    /// Stores an abstention as an event without feeling, in its regime; off by default.
    pub(super) fn remember_abstention(&mut self, episode: &Episode, now: Tick) {
        self.account.store(VoiceSource::Episode(episode.id), false);
        let label = format!("Stayed out of {}", subjects(episode)[0]);
        let node = MarketNode::Lived(episode.id);
        let happening = self.own(node, &label, Valence::NEUTRAL, episode, now);
        self.meet_event(&happening);
        self.enter_regime(episode, &happening);
    }

    fn own<'a>(
        &self,
        node: MarketNode,
        label: &'a str,
        valence: Valence,
        episode: &'a Episode,
        now: Tick,
    ) -> Happening<'a> {
        Happening {
            node,
            label,
            valence,
            at: self.stamp(now),
            trust: 1.0,
            provenance: Provenance::Own,
            episodes: std::slice::from_ref(&episode.id),
        }
    }

    fn enter_regime(&mut self, episode: &Episode, happening: &Happening<'_>) {
        let regime = episode.context.regime;
        let room = MarketNode::Regime(regime);
        self.meet(room, Valence::NEUTRAL, happening);
        self.graph.tie(&happening.node, &room, EdgeKind::OccurredIn, happening.at);
        if let Some(before) = self.last_regime.replace(regime).filter(|before| *before != regime) {
            self.graph.tie(&MarketNode::Regime(before), &room, EdgeKind::TransitionedTo, happening.at);
        }
    }

    /// Ties an event to the latest one of its pairing, if both had the same sign of feeling.
    fn note_likeness(&mut self, happening: &Happening<'_>, pairing: MarketNode) {
        let trace = self.traces.get(&pairing);
        let Some((latest, _)) = trace.and_then(|trace| trace.behind.last()) else { return };
        let latest = MarketNode::Lived(*latest);
        let feeling = self.graph.node(&latest).map(|node| node.valence.get().signum());
        if feeling == Some(happening.valence.get().signum()) {
            self.graph.tie(&happening.node, &latest, EdgeKind::SimilarTo, happening.at);
        }
    }

    /// Whether equity is at or below the near-death share of its peak (a quarter by default).
    pub(super) fn is_near_death(&self, equity: Usdc) -> bool {
        self.peak.is_positive() && equity <= self.peak.scaled(self.config.near_death_share)
    }
}

/// The entities of a trade: the strategy in its regime, the strategy, the asset.
fn subjects(episode: &Episode) -> [MarketNode; 3] {
    let Episode { strategy, asset, context, .. } = *episode;
    [MarketNode::Pairing(strategy, context.regime), MarketNode::Strategy(strategy), MarketNode::Asset(asset)]
}

/// The result of a trade, in words: the label of an own fight, and part of that of a scar. `llm::reading` parses these words in the
/// summary.
pub(super) fn result_of(episode: &Episode) -> String {
    let verb = if episode.realised_r > 0.0 { "Made" } else { "Lost" };
    let [pairing, _, asset] = subjects(episode);
    format!("{verb} {:.2} R by {pairing}, on {asset}", episode.realised_r.abs())
}

//! Outcome-weighted memory on the market. How the architecture maps onto it:
//!
//! - A domain is a strategy on an asset; symbol is the asset. The context vector is the golem's own reading: regime as read,
//!   volatility quintile (1 low, 2 and 3 normal, 4 high, 5 extreme), session, slow and fast true range for those of day and hour,
//!   spread over true range, drawdown, price.
//! - A moment is a tick times the seconds of a tick times `time_scale`.
//! - Closed trades are episodes; decisions to stay out are episodes without an outcome, by default (`abstentions`). Confidence in
//!   a decision is the golem's confidence in itself; lots are dollars of stake.
//! - Expected R is the weighted mean outcome of the recalled episodes and of beliefs, shrunk towards the prior. Size is the Kelly
//!   fraction from memory over the usual risk, within bounds; with too few memories it is the usual size.
//! - A belief speaks as an insight, a plan as a plan: skipping a trade vetoes it, adjusting lots scales its size. Forced exits
//!   and alerts have no counterpart here.
//! - Plans come from beliefs that trades of a kind lose, and from a deep drawdown (digest section 2: prospective memories are
//!   made by reflection, by confident beliefs and by the affective state). A plan that was acted on is done; while its reason
//!   persists, it is made again.
//! - The dead leave the trades that cost most and their beliefs; heirs remember the former as another golem's episodes, and hold
//!   the latter as seeded beliefs, as far as they trust them.
//!
//! Results are in R, stakes in dollars, confidence from 0 to 1. Terms of the field: outcome-weighted recall, Beta beliefs, Kelly sizing,
//! prospective memory. `bardo+owm` holds one as well, for recall and sizes: there its beliefs and plans have no voice, and it takes in
//! scars alone.

mod architecture;
mod inherit;
pub mod mapping;
mod plans;
mod voices;

use super::config::{Abstentions, OwmConfig};
use crate::episode::{Episode, Provenance};
use crate::market::Strategy;
use crate::memory::{Inheritance, MemoryAccount, Upkeep, UpkeepKind, VoiceSource};
use morta_base::{EpisodeId, GolemId, RuleId, Tick};
use morta_memories::owm::episodic::{Domain, EpisodicMemory};
use morta_memories::owm::induction::Names;
use morta_memories::owm::mind::Mind;
use morta_memories::owm::recollect::Recollected;
use serde::{Deserialize, Serialize};

/// The world, as far as a golem's memory needs to know it: tick length, endowment and asset names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OwmSurroundings {
    /// Seconds in a tick, above 0.
    pub tick_seconds: f64,
    /// Money at birth, dollars.
    pub endowment: f64,
    /// Share of equity that is usually risked on a trade, above 0.
    pub usual_risk: f64,
    /// Names of the assets, by index.
    pub symbols: Vec<String>,
}

impl Names for OwmSurroundings {
    fn strategy(&self, number: u16) -> &str {
        Strategy::ALL.get(usize::from(number)).map_or("?", |strategy| strategy.name())
    }

    fn symbol(&self, number: u16) -> &str {
        self.symbols.get(usize::from(number)).map_or("?", String::as_str)
    }
}

/// The identity of an episode, and its origin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Origin {
    id: EpisodeId,
    provenance: Provenance,
}

/// A belief of another golem.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Adopted {
    /// Its number in the mind.
    belief: u32,
    /// The golem that first learned it.
    origin: GolemId,
    /// The bloodstain it came by.
    provenance: Provenance,
}

/// The outcome-weighted memory of one golem, in five parts: episodic, semantic, procedural, affective and prospective memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Owm {
    config: OwmConfig,
    around: OwmSurroundings,
    golem: GolemId,
    /// The library's five memories: episodes, beliefs, habits, affective state and plans.
    mind: Mind,
    /// Origins of every episode ever remembered, by number.
    origins: Vec<Origin>,
    /// The own trades that cost most, the worst first.
    scars: Vec<Episode>,
    /// Beliefs taken over from bloodstains.
    adopted: Vec<Adopted>,
    /// What became of each drawn bloodstain.
    inheritance: Vec<Inheritance>,
    /// Of episodes, beliefs and plans.
    account: MemoryAccount,
    /// Upkeep since it was last attended to.
    done: Vec<Upkeep>,
    /// Whether a trade has closed since then.
    closed: bool,
}

impl Owm {
    /// An empty memory (cold start): the library's mind with the golem's endowment as its first equity.
    pub fn new(golem: GolemId, config: OwmConfig, around: OwmSurroundings) -> Self {
        Self {
            mind: Mind::new(config.mind.clone(), around.endowment, 0.0),
            config,
            around,
            golem,
            origins: Vec::new(),
            scars: Vec::new(),
            adopted: Vec::new(),
            inheritance: Vec::new(),
            account: MemoryAccount::default(),
            done: Vec::new(),
            closed: false,
        }
    }

    /// The mind: the five memories of the library.
    pub const fn mind(&self) -> &Mind {
        &self.mind
    }

    /// A tick in seconds of memory.
    fn seconds(&self, tick: Tick) -> f64 {
        tick as f64 * self.around.tick_seconds * self.config.time_scale
    }

    /// A belief's source as a voice.
    const fn belief_voice(&self, belief: u32) -> VoiceSource {
        VoiceSource::Insight(RuleId { golem: self.golem, number: belief })
    }

    /// The number of a remembered episode.
    fn number_of(&self, id: EpisodeId) -> Option<u64> {
        self.origins.iter().rposition(|origin| origin.id == id).map(|place| place as u64)
    }

    fn store_origin(&mut self, id: EpisodeId, provenance: Provenance) -> u64 {
        self.account.store(VoiceSource::Episode(id), false);
        self.origins.push(Origin { id, provenance });
        self.origins.len() as u64 - 1
    }

    fn stay_out(&mut self, episode: &Episode) {
        let pnl_r = match self.config.abstentions {
            Abstentions::Ignored => return,
            Abstentions::Open => None,
            Abstentions::Counterfactual => Some(episode.realised_r),
        };
        let number = self.store_origin(episode.id, episode.provenance);
        let memory = self.memory_of(episode, number, pnl_r);
        self.mind.keep(memory);
    }

    fn memory_of(&self, episode: &Episode, id: u64, pnl_r: Option<f64>) -> EpisodicMemory {
        let confidence = self.mind.affect().confidence;
        let made_s = self.seconds(episode.closed);
        let hold_s = self.seconds(episode.closed.saturating_sub(episode.opened));
        mapping::memory(episode, id, pnl_r, (made_s, hold_s), confidence)
    }

    /// Holds every belief about such trades against the outcome.
    fn weigh_evidence(&mut self, memory: &EpisodicMemory) {
        let about =
            self.mind.beliefs().iter().filter(|belief| belief.scope.fits(memory.domain, &memory.context));
        let about: Vec<u32> = about.map(|belief| belief.id).collect();
        for belief in about {
            self.account.weigh(self.belief_voice(belief));
        }
    }

    fn report_belief(&mut self, belief: u32, domain: Domain) {
        let beliefs = self.mind.beliefs();
        let new = beliefs.iter().find(|known| known.id == belief).expect("it was just formed");
        let restated = beliefs.iter().any(|known| {
            known.id != belief && known.scope.regime == new.scope.regime && {
                let (a, b) = (&known.scope, &new.scope);
                (a.strategy, a.session) == (b.strategy, b.session)
                    && a.symbol.is_none_or(|s| Some(s) == b.symbol)
            }
        });
        let drawn_from = self.mind.shelf(domain).map_or(&[][..], |shelf| shelf.records());
        let drawn_from = drawn_from.iter().filter(|memory| new.scope.fits(domain, &memory.context));
        let sources: Vec<u64> = drawn_from.map(|memory| memory.id).collect();
        let seen = sources.len() as u32;
        for number in sources {
            self.account.call_on(VoiceSource::Episode(self.origins[number as usize].id));
        }
        self.account.store(self.belief_voice(belief), restated);
        self.done.push(Upkeep { made: 1, ..Upkeep::new(UpkeepKind::Induction, seen) });
    }

    fn keep_scar(&mut self, episode: &Episode) {
        if episode.realised_r >= 0.0 || episode.is_inherited() {
            return;
        }
        let place = self.scars.partition_point(|scar| scar.realised_r <= episode.realised_r);
        self.scars.insert(place, episode.clone());
        self.scars.truncate(self.config.scars as usize);
    }

    fn origin_of(&self, memory: &Recollected<'_>) -> Option<Origin> {
        match memory {
            Recollected::Episodic(memory) => Some(self.origins[memory.id as usize]),
            Recollected::Semantic(_) | Recollected::Prospective(_) => None,
        }
    }
}

//! The closed family of memories: one contract, whatever the architecture.

use crate::base::{GolemId, Tick};
use crate::dream::config::ConsolidationConfig;
use crate::episode::{Claim, Context, Episode, Lesson};
use crate::lethe::{Bequest, Drawn};
use crate::llm::Stance;
use crate::memory::bardo::Bardo;
use crate::memory::bardo_owm::BardoOwm;
use crate::memory::config::MemoryConfig;
use crate::memory::contract::{
    Advice, Attended, Attention, Candidate, CladeTrust, DecisionContext, MemoryCensus, Voice, VoiceSource,
};
use crate::memory::dark_pawns::DarkPawns;
use crate::memory::inheritance::Inheritance;
use crate::memory::legacy::{AffectLegacy, Growth, Heir, Legacy, Received, SuccessionConfig};
use crate::memory::openclaw::arena::OpenClaw;
use crate::memory::oracle::{Oracle, WorthTable};
use crate::memory::owm::Owm;
use serde::{Deserialize, Serialize};

/// The keys that memories hold, for those of a world whose keys have changed.
#[derive(Clone, Copy, Debug)]
pub struct MemoryKeys<'a> {
    /// The `[memory]` table.
    pub memory: &'a MemoryConfig,
    /// How conclusions of dreams are tested.
    pub consolidation: &'a ConsolidationConfig,
    /// What strategies are truly worth; none when nobody is to know.
    pub worth: Option<&'a WorthTable>,
}

/// A golem's memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Memory {
    /// Remembers nothing.
    None,
    /// Knows the true regime and what every strategy is worth in it: the upper bound.
    Oracle(Box<Oracle>),
    /// Grimoire, replay, dreams, playbook.
    Bardo(Box<Bardo>),
    /// Bardo's dreams with outcome-weighted recall and stakes.
    #[serde(rename = "bardo+owm")]
    BardoOwm(Box<BardoOwm>),
    /// Notes, recalls, and sleep that promotes what is recalled often.
    Openclaw(Box<OpenClaw>),
    /// Valenced autobiographical memory: a graph that fades, a summary to read.
    DarkPawns(Box<DarkPawns>),
    /// Outcome-weighted recall, beliefs, habits, state of mind, plans.
    Owm(Box<Owm>),
}

impl Memory {
    /// Goes on by other keys; what it holds stays, as far as there is room for it.
    pub fn rebind(&mut self, keys: MemoryKeys<'_>, now: Tick) {
        match self {
            Self::None => {}
            Self::Oracle(oracle) => {
                if let Some(worth) = keys.worth {
                    oracle.rebind(*worth);
                }
            }
            Self::Bardo(bardo) => bardo.rebind(keys.memory.bardo.clone(), keys.consolidation.clone(), now),
            Self::BardoOwm(both) => both.rebind(keys.memory, keys.consolidation, now),
            Self::Owm(owm) => owm.rebind(keys.memory.owm.clone()),
            Self::Openclaw(openclaw) => openclaw.rebind(keys.memory.openclaw.clone(), now),
            Self::DarkPawns(pawns) => pawns.rebind(keys.memory.dark_pawns.clone()),
        }
    }

    /// Takes the place of another memory of the same golem: what it names from now on has names that the other never gave.
    pub fn count_on_from(&mut self, other: &Self) {
        match (self, other) {
            (Self::Bardo(new), Self::Bardo(old)) => new.count_on_from(old),
            (Self::BardoOwm(new), Self::BardoOwm(old)) => new.count_on_from(old),
            (Self::Owm(new), Self::Owm(old)) => new.count_on_from(old),
            (Self::Openclaw(new), Self::Openclaw(old)) => new.count_on_from(old),
            (Self::DarkPawns(new), Self::DarkPawns(old)) => new.count_on_from(old),
            _ => {}
        }
    }

    /// Takes in an experience; what spoke before its decision, and which of these items tipped it.
    pub fn observe(&mut self, episode: &Episode, why: &[Voice], tipped: &[VoiceSource], now: Tick) {
        self.tipped_by(tipped);
        match self {
            Self::None | Self::Oracle(_) => {}
            Self::Bardo(bardo) => bardo.observe(episode, why, now),
            Self::BardoOwm(both) => both.observe(episode, why, now),
            Self::Openclaw(openclaw) => openclaw.observe(episode, why, now),
            Self::DarkPawns(pawns) => pawns.observe(episode, why, now),
            Self::Owm(owm) => owm.observe(episode, why, now),
        }
        self.tipped_by(&[]);
    }

    fn tipped_by(&mut self, items: &[VoiceSource]) {
        let account = match self {
            Self::None | Self::Oracle(_) => return,
            Self::Bardo(bardo) => bardo.account_mut(),
            Self::BardoOwm(both) => both.account_mut(),
            Self::Openclaw(openclaw) => openclaw.account_mut(),
            Self::DarkPawns(pawns) => pawns.account_mut(),
            Self::Owm(owm) => owm.account_mut(),
        };
        account.tipped_by(items);
    }

    /// What it would have said of a candidate had one of its items been silent, recombined from all that was heard; whom it names is
    /// left out.
    pub fn unheard(
        &self,
        context: &Context,
        candidate: &Candidate,
        advice: &Advice,
        silent: VoiceSource,
    ) -> Advice {
        match self {
            Self::None => Advice::prior(candidate),
            // The truth can't be silenced.
            Self::Oracle(_) => advice.clone(),
            Self::Bardo(bardo) => bardo.unheard(candidate, advice, silent),
            Self::BardoOwm(both) => both.unheard(candidate, advice, silent),
            Self::Openclaw(openclaw) => openclaw.unheard(candidate, advice, silent),
            Self::DarkPawns(pawns) => pawns.unheard(context.regime, candidate, silent),
            Self::Owm(owm) => owm.unheard(candidate, advice, silent),
        }
    }

    /// Speaks about each candidate, in their order.
    pub fn advise(&self, moment: &DecisionContext<'_>, candidates: &[Candidate], advice: &mut Vec<Advice>) {
        advice.clear();
        match self {
            Self::None => advice.extend(candidates.iter().map(Advice::prior)),
            Self::Oracle(oracle) => advice.extend(candidates.iter().map(|c| oracle.advise(moment, c))),
            Self::Bardo(bardo) => bardo.advise(moment, candidates, advice),
            Self::BardoOwm(both) => both.advise(moment, candidates, advice),
            Self::Openclaw(openclaw) => openclaw.advise(moment, candidates, advice),
            Self::DarkPawns(pawns) => pawns.advise(moment, candidates, advice),
            Self::Owm(owm) => owm.advise(moment, candidates, advice),
        }
    }

    /// Whether it does anything when it is attended to.
    pub fn wants_attention(&self) -> bool {
        match self {
            Self::None | Self::Oracle(_) | Self::Bardo(_) => false,
            Self::BardoOwm(_) | Self::Openclaw(_) | Self::DarkPawns(_) | Self::Owm(_) => true,
        }
    }

    /// Looks after itself, in a waking moment.
    pub fn attend(&mut self, attention: &Attention<'_>) -> Attended {
        match self {
            Self::None | Self::Oracle(_) | Self::Bardo(_) => Attended::default(),
            Self::BardoOwm(both) => both.attend(attention),
            Self::Openclaw(openclaw) => openclaw.attend(attention),
            Self::DarkPawns(pawns) => pawns.attend(attention),
            Self::Owm(owm) => owm.attend(attention),
        }
    }

    /// Hears how a model that has read its summary stands to the strategies.
    pub fn hear_stances(&mut self, stances: Vec<Stance>) {
        if let Self::DarkPawns(pawns) = self {
            pawns.hear_stances(stances);
        }
    }

    /// What it was good for so far.
    pub fn census(&self) -> MemoryCensus {
        match self {
            Self::None | Self::Oracle(_) => MemoryCensus::default(),
            Self::Bardo(bardo) => bardo.census(),
            Self::BardoOwm(both) => both.bardo().census(),
            Self::Openclaw(openclaw) => openclaw.census(),
            Self::DarkPawns(pawns) => pawns.census(),
            Self::Owm(owm) => owm.census(),
        }
    }

    /// What it leaves to others, the most telling first.
    pub fn bequeath(&self) -> Vec<Bequest> {
        match self {
            Self::None | Self::Oracle(_) => Vec::new(),
            Self::Bardo(bardo) => bardo.bequeath(),
            Self::BardoOwm(both) => both.bequeath(),
            Self::Openclaw(openclaw) => openclaw.bequeath(),
            Self::DarkPawns(pawns) => pawns.bequeath(),
            Self::Owm(owm) => owm.bequeath(),
        }
    }

    /// Whether it has any use for bloodstains.
    pub fn inherits(&self) -> bool {
        !matches!(self, Self::None | Self::Oracle(_))
    }

    /// Whether it has lessons to tell siblings, and any use for theirs.
    pub fn shares(&self) -> bool {
        matches!(self, Self::Bardo(_) | Self::BardoOwm(_) | Self::DarkPawns(_))
    }

    /// Takes in what was drawn from the Lethe.
    pub fn inherit(&mut self, drawn: Vec<Drawn>, now: Tick) -> Received {
        match self {
            Self::None | Self::Oracle(_) => Received::default(),
            Self::Bardo(bardo) => bardo.inherit(drawn, now),
            Self::BardoOwm(both) => both.inherit(drawn, now),
            Self::Openclaw(openclaw) => openclaw.inherit(drawn, now),
            Self::DarkPawns(pawns) => pawns.inherit(drawn, now),
            Self::Owm(owm) => owm.inherit(drawn, now),
        }
    }

    /// All that is handed over to the successor of its golem, with what affect adds; of what it knows, what was known by then.
    pub fn legacy(
        &self,
        affect: Option<AffectLegacy>,
        known_by: Option<Tick>,
        config: &SuccessionConfig,
    ) -> Option<Legacy> {
        self.dreamer().map(|bardo| bardo.legacy(affect, known_by, config))
    }

    /// Takes over a predecessor's legacy.
    pub fn receive_legacy(&mut self, legacy: Legacy, heir: &Heir, config: &SuccessionConfig) -> Received {
        self.dreamer_mut().map_or_else(Received::default, |bardo| bardo.receive_legacy(legacy, heir, config))
    }

    /// What a life has added to what it inherited so far; `None` if it inherited nothing.
    pub fn growth(&self) -> Option<Growth> {
        self.dreamer()?.growth()
    }

    /// What it could tell its siblings. Rules count when they have been in force for this many ticks.
    pub fn lessons(&self, now: Tick, heuristic_age: Tick) -> Vec<Lesson> {
        match self {
            Self::None | Self::Oracle(_) | Self::Openclaw(_) | Self::Owm(_) => Vec::new(),
            Self::Bardo(bardo) => bardo.lessons(now, heuristic_age),
            Self::BardoOwm(both) => both.bardo().lessons(now, heuristic_age),
            Self::DarkPawns(pawns) => pawns.lessons(),
        }
    }

    /// Hears what siblings tell, and says of each lesson whether it was put to the test.
    pub fn hear_lessons(
        &mut self,
        told: Vec<(GolemId, Lesson)>,
        trust: CladeTrust,
        now: Tick,
    ) -> (Vec<bool>, Received) {
        match self {
            Self::None | Self::Oracle(_) | Self::Openclaw(_) | Self::Owm(_) => {
                (vec![false; told.len()], Received::default())
            }
            Self::Bardo(bardo) => bardo.hear_lessons(told, trust, now),
            Self::BardoOwm(both) => both.bardo_mut().hear_lessons(told, trust, now),
            Self::DarkPawns(pawns) => pawns.hear_lessons(told, trust, now),
        }
    }

    /// What siblings told it and life has borne out since the last call, with who told it.
    pub fn take_borne_out(&mut self) -> Vec<(GolemId, Claim)> {
        self.dreamer_mut().map_or_else(Vec::new, Bardo::take_borne_out)
    }

    /// A sibling has borne out what this one told it.
    pub fn hear_borne_out(&mut self, claim: &Claim, now: Tick) {
        if let Some(bardo) = self.dreamer_mut() {
            bardo.hear_borne_out(claim, now);
        }
    }

    /// What became of everything it inherited.
    pub fn inheritance(&self) -> &[Inheritance] {
        match self {
            Self::None | Self::Oracle(_) => &[],
            Self::Bardo(bardo) => bardo.inheritance(),
            Self::BardoOwm(both) => both.bardo().inheritance(),
            Self::Openclaw(openclaw) => openclaw.inheritance(),
            Self::DarkPawns(pawns) => pawns.inheritance(),
            Self::Owm(owm) => owm.inheritance(),
        }
    }

    /// The memory that dreams, if this one does.
    pub fn dreamer(&self) -> Option<&Bardo> {
        match self {
            Self::None | Self::Oracle(_) | Self::Openclaw(_) | Self::DarkPawns(_) | Self::Owm(_) => None,
            Self::Bardo(bardo) => Some(bardo),
            Self::BardoOwm(both) => Some(both.bardo()),
        }
    }

    /// The same, to be changed.
    pub fn dreamer_mut(&mut self) -> Option<&mut Bardo> {
        match self {
            Self::None | Self::Oracle(_) | Self::Openclaw(_) | Self::DarkPawns(_) | Self::Owm(_) => None,
            Self::Bardo(bardo) => Some(bardo),
            Self::BardoOwm(both) => Some(both.bardo_mut()),
        }
    }
}

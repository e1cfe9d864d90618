//! The contract.

use super::{
    Advice, Attended, Attention, Candidate, CladeTrust, DecisionContext, Dreams, Experience, HeardLessons,
    Holding, HoldingAdvice, MemoryAccount, MemoryCensus, MemoryEvent, MemoryKeys, VoiceSource,
};
use crate::episode::{Claim, Context, Course, Lesson};
use crate::lethe::{Bequest, Drawn};
use crate::llm::Stance;
use crate::memory::Inheritance;
use crate::memory::legacy::{AffectLegacy, Growth, Heir, Legacy, Received, SuccessionConfig};
use crate::replay::causal::CausalStore;
use morta_base::{GolemId, Tick};
use std::any::Any;
use std::fmt::Debug;

/// A memory architecture: what a golem asks of its memory in the course of a life.
///
/// Two methods make a memory: it [`advise`](Self::advise)s before a decision and [`observe`](Self::observe)s what came of it. Every other
/// method has a body for architectures that have nothing to say; each says what the golem then does without.
///
/// A memory is a function of what it was told: no clock, no randomness but that of the world's seed ([`MemoryBirth::seed`]), no iteration
/// over a `HashMap`. Otherwise a run can't be repeated.
///
/// [`MemoryBirth::seed`]: super::MemoryBirth::seed
///
/// ```
/// use morta_engine::memory::{Advice, Candidate, DecisionContext, Experience, MemoryArchitecture};
///
/// /// Expects of every trade what its last one made.
/// #[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
/// struct LastResult(Option<f64>);
///
/// impl MemoryArchitecture for LastResult {
///     fn advise(&self, _: &DecisionContext<'_>, candidates: &[Candidate], advice: &mut Vec<Advice>) {
///         advice.extend(candidates.iter().map(|candidate| {
///             let prior = Advice::prior(candidate);
///             Advice { expected_r: self.0.unwrap_or(prior.expected_r), ..prior }
///         }));
///     }
///
///     fn observe(&mut self, experience: &Experience<'_>) {
///         self.0 = Some(experience.episode.realised_r);
///     }
/// }
/// ```
pub trait MemoryArchitecture: Any + Debug + Send + Sync {
    // Deciding.

    /// Speaks about each candidate, in their order: adds one piece of advice for each to an empty list.
    fn advise(&self, moment: &DecisionContext<'_>, candidates: &[Candidate], advice: &mut Vec<Advice>);

    /// What it would have said of a candidate had one of its items been silent, recombined from all that was heard; whom it names is
    /// left out. Asked only of items that had a say and are held against outcomes ([`VoiceSource::is_tested`]). Left to this body,
    /// no item ever tips a decision, so none of the evidence counts as self-fed.
    fn unheard(
        &self,
        _context: &Context,
        _candidate: &Candidate,
        advice: &Advice,
        _silent: VoiceSource,
    ) -> Advice {
        advice.clone()
    }

    /// Whether its golem tries things out now and then, in the hope of learning something. Bounds have nothing to learn, and would be no bounds if
    /// they paid for trying.
    fn explores(&self) -> bool {
        true
    }

    /// What it has to say of staying in a position that is held. `moment` has the position's state in its context
    /// ([`Context::held`]). `None`: nothing, so the position is held to its stop or the end of its horizon.
    fn advise_holding(&self, _moment: &DecisionContext<'_>, _holding: &Holding<'_>) -> Option<HoldingAdvice> {
        None
    }

    /// Takes in how a position went, once it is known to its end; told only where golems think positions over
    /// (`golem.holding.review_ticks`).
    fn observe_course(&mut self, _course: &Course, _now: Tick) {}

    /// Takes in an outcome. The account knows what tipped the decision already ([`MemoryAccount::influenced_by`]).
    fn observe(&mut self, experience: &Experience<'_>);

    // Its own upkeep.

    /// Whether it does anything when it is attended to. Golems of memories that don't are spared the asking.
    fn wants_attention(&self) -> bool {
        false
    }

    /// Looks after itself, in a waking moment; what it did is paid for by its golem.
    fn attend(&mut self, _attention: &Attention<'_>) -> Attended {
        Attended::default()
    }

    /// Hears how a model that has read its summary ([`Attended::summary`]) stands to the strategies.
    fn hear_stances(&mut self, _stances: Vec<Stance>) {}

    /// Hears what a model makes of what keeps coming up ([`Attended::reflects`]): places of themes, from 0, and what trades of their kind are
    /// worth, in R.
    fn hear_reflections(&mut self, _worth: Vec<(u32, f64)>) {}

    /// What has happened inside since the last call. A golem asks after every trade, and, where its memory dreams, after
    /// housekeeping, the Curator's visits, dreams, and taking over a legacy.
    fn drain_events(&mut self) -> Vec<MemoryEvent> {
        Vec::new()
    }

    /// What it keeps to account for its items; without one its columns in the lives table are 0.
    fn account(&self) -> Option<&MemoryAccount> {
        None
    }

    /// Its account, to be added to.
    fn account_mut(&mut self) -> Option<&mut MemoryAccount> {
        None
    }

    /// What it was good for so far.
    fn census(&self) -> MemoryCensus {
        self.account().map_or_else(MemoryCensus::default, MemoryAccount::census)
    }

    /// What follows what, as far as it keeps that.
    fn causal(&self) -> Option<&CausalStore> {
        None
    }

    // The dead.

    /// Whether it has any use for bloodstains, its own and others': if not, its golem neither pays for drawing any nor fears for what
    /// it knows.
    fn inherits(&self) -> bool {
        false
    }

    /// What it leaves to others, the most telling first.
    fn bequeath(&self) -> Vec<Bequest> {
        Vec::new()
    }

    /// Takes in what was drawn from the Lethe.
    fn inherit(&mut self, _drawn: Vec<Drawn>, _now: Tick) -> Received {
        Received::default()
    }

    /// What became of everything it inherited; golems vote on bloodstains by it.
    fn inheritance(&self) -> &[Inheritance] {
        &[]
    }

    /// All that is handed over to the successor of its golem, with what affect adds; of what it knows, what was known by then.
    /// `None` hands over nothing but traits.
    fn legacy(
        &self,
        _affect: Option<AffectLegacy>,
        _known_by: Option<Tick>,
        _config: &SuccessionConfig,
    ) -> Option<Legacy> {
        None
    }

    /// Takes over a predecessor's legacy.
    fn receive_legacy(&mut self, _legacy: Legacy, _heir: &Heir, _config: &SuccessionConfig) -> Received {
        Received::default()
    }

    /// What a life has added to what it inherited so far; `None` if it inherited nothing.
    fn growth(&self) -> Option<Growth> {
        None
    }

    // The living.

    /// Whether it has lessons to tell siblings, and any use for theirs.
    fn shares(&self) -> bool {
        false
    }

    /// What it could tell its siblings. Rules count when they have been in force for this many ticks.
    fn lessons(&self, _now: Tick, _heuristic_age: Tick) -> Vec<Lesson> {
        Vec::new()
    }

    /// Hears what siblings tell.
    fn hear_lessons(&mut self, told: Vec<(GolemId, Lesson)>, _trust: CladeTrust, _now: Tick) -> HeardLessons {
        HeardLessons::ignored(told.len())
    }

    /// A sibling has borne out what this one told it.
    fn hear_borne_out(&mut self, _claim: &Claim, _now: Tick) {}

    // Dreams.

    /// What it answers as a dreamer, if it dreams.
    fn dreams(&self) -> Option<&dyn Dreams> {
        None
    }

    /// What it answers as a dreamer, to be changed. It must be there whenever [`dreams`](Self::dreams) is.
    fn dreams_mut(&mut self) -> Option<&mut dyn Dreams> {
        None
    }

    // Changes to a life under way.

    /// Goes on by other keys; what it holds stays, as far as there is room for it.
    fn rebind(&mut self, _keys: MemoryKeys<'_>, _now: Tick) {}

    /// Takes the place of another memory of the same golem: what it names from now on has names that the other never gave. Of
    /// interest to architectures that number their items, when the other is of their own kind (it can be downcast to `Self`).
    fn count_on_from(&mut self, _other: &dyn MemoryArchitecture) {}
}

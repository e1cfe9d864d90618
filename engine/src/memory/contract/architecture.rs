//! The contract.

use super::{
    Advice, Attended, Attention, Bequeaths, Candidate, DecisionContext, Dreams, Experience, HandsOn, Holds,
    MemoryAccount, MemoryCensus, MemoryEvent, OwnTable, Reads, Teaches, VoiceSource,
};
use crate::episode::Context;
use crate::replay::causal::CausalStore;
use morta_base::Tick;
use std::any::Any;
use std::fmt::Debug;

/// A memory architecture: what a golem asks of its memory in the course of a life.
///
/// Two methods make a memory: it [`advise`](Self::advise)s before a decision and [`observe`](Self::observe)s what came of it. Every other
/// method has a body for architectures that have nothing to say; each says what the golem then does without.
///
/// What only some memories can do is a trait of its own: a capability. A memory implements the trait and says so here, with
/// [`capable_of!`](crate::capable_of): it [`Holds`], [`Bequeaths`], [`HandsOn`], [`Teaches`], [`Dreams`] or [`Reads`].
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

    // Capabilities. What changes a memory (`_mut`) must be there whenever the other of its name is.

    /// What it says of positions that are held; without, they are held to their stop or the end of their horizon.
    fn holds(&self) -> Option<&dyn Holds> {
        None
    }

    /// The same, to be told how positions went.
    fn holds_mut(&mut self) -> Option<&mut dyn Holds> {
        None
    }

    /// What passes between it and the Lethe; without, its golem leaves no bloodstains and draws none.
    fn bequeaths(&self) -> Option<&dyn Bequeaths> {
        None
    }

    /// The same, to take in what was drawn.
    fn bequeaths_mut(&mut self) -> Option<&mut dyn Bequeaths> {
        None
    }

    /// What it hands on to its golem's successor; without, a successor gets nothing but traits.
    fn hands_on(&self) -> Option<&dyn HandsOn> {
        None
    }

    /// The same, to take over a legacy.
    fn hands_on_mut(&mut self) -> Option<&mut dyn HandsOn> {
        None
    }

    /// What passes between it and living siblings; without, its golem neither tells nor is told anything.
    fn teaches(&self) -> Option<&dyn Teaches> {
        None
    }

    /// The same, to be taught.
    fn teaches_mut(&mut self) -> Option<&mut dyn Teaches> {
        None
    }

    /// What it answers as a dreamer; without, its golem sleeps without dreaming.
    fn dreams(&self) -> Option<&dyn Dreams> {
        None
    }

    /// The same, to be changed by what was dreamt.
    fn dreams_mut(&mut self) -> Option<&mut dyn Dreams> {
        None
    }

    /// What hears the answers of models that it has asked ([`Attended::reads`], [`Attended::reflects`]); without, they go unheard.
    fn reads_mut(&mut self) -> Option<&mut dyn Reads> {
        None
    }

    // Changes to a life under way.

    /// Goes on by another table of its own; what it holds stays, as far as there is room for it.
    fn rebind(&mut self, _own: OwnTable<'_>, _now: Tick) {}

    /// Takes the place of another memory of the same golem and the same architecture: what it names from now on has names that the
    /// other never gave. Of interest to architectures that number their items.
    fn count_on_from(&mut self, _other: &Self)
    where
        Self: Sized,
    {
    }
}

/// Says in a memory's `impl MemoryArchitecture` which capabilities it has: those whose traits it implements itself, by the names of the
/// methods that ask for them, as in `capable_of!(bequeaths, teaches);`. `account` is for a memory that keeps a
/// [`MemoryAccount`](crate::memory::MemoryAccount) in its field of that name. With `capable_of!(by part: teaches);` the field `part` has them.
#[macro_export]
macro_rules! capable_of {
    (@ $trait:ident, $get:ident $get_mut:ident) => {
        fn $get(&self) -> Option<&dyn $crate::memory::$trait> {
            Some(self)
        }

        fn $get_mut(&mut self) -> Option<&mut dyn $crate::memory::$trait> {
            Some(self)
        }
    };
    (@ $trait:ident, $get:ident $get_mut:ident $part:ident) => {
        fn $get(&self) -> Option<&dyn $crate::memory::$trait> {
            self.$part.$get()
        }

        fn $get_mut(&mut self) -> Option<&mut dyn $crate::memory::$trait> {
            self.$part.$get_mut()
        }
    };
    (@ account) => {
        fn account(&self) -> Option<&$crate::memory::MemoryAccount> {
            Some(&self.account)
        }

        fn account_mut(&mut self) -> Option<&mut $crate::memory::MemoryAccount> {
            Some(&mut self.account)
        }
    };
    (@ account $part:ident) => {
        fn account(&self) -> Option<&$crate::memory::MemoryAccount> {
            self.$part.account()
        }

        fn account_mut(&mut self) -> Option<&mut $crate::memory::MemoryAccount> {
            self.$part.account_mut()
        }
    };
    (@ holds $($part:ident)?) => { $crate::capable_of!(@ Holds, holds holds_mut $($part)?); };
    (@ bequeaths $($part:ident)?) => { $crate::capable_of!(@ Bequeaths, bequeaths bequeaths_mut $($part)?); };
    (@ hands_on $($part:ident)?) => { $crate::capable_of!(@ HandsOn, hands_on hands_on_mut $($part)?); };
    (@ teaches $($part:ident)?) => { $crate::capable_of!(@ Teaches, teaches teaches_mut $($part)?); };
    (@ dreams $($part:ident)?) => { $crate::capable_of!(@ Dreams, dreams dreams_mut $($part)?); };
    (@ reads) => {
        fn reads_mut(&mut self) -> Option<&mut dyn $crate::memory::Reads> {
            Some(self)
        }
    };
    ($($capability:ident),+) => { $($crate::capable_of!(@ $capability);)+ };
    (by $part:ident: $($capability:ident),+) => { $($crate::capable_of!(@ $capability $part);)+ };
}

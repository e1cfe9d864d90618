//! The core of the memory contract: the trait that every architecture implements (plug-in interface, strategy pattern).
//!
//! Units are those of the types that pass: results in R, confidence from 0 to 1, ticks. Capabilities are optional traits that are found
//! through methods of this one, so that a golem asks what a memory can do and never which memory it is.

use super::{
    Advice, Attended, Attention, Bequeaths, Candidate, DecisionContext, Dreams, Experience, HandsOn, Holds,
    MemoryAccount, MemoryCensus, MemoryEvent, OwnTable, Reads, Teaches, VoiceSource,
};
use crate::episode::Context;
use crate::replay::causal::CausalStore;
use morta_base::Tick;
use std::any::Any;
use std::fmt::Debug;

/// A memory architecture, as an object-safe interface: the questions that a golem asks of its memory in the course of a life.
///
/// Two methods make a memory: [`advise`](Self::advise) before a decision, and [`observe`](Self::observe) with its outcome. Every
/// other method has a default body for architectures without that ability; its documentation says what the golem then does
/// without.
///
/// Each further ability is a capability, a trait of its own. A memory implements the trait and declares it here with
/// [`capable_of!`](crate::capable_of): [`Holds`], [`Bequeaths`], [`HandsOn`], [`Teaches`], [`Dreams`] or [`Reads`].
///
/// A memory is a function of its inputs: no clock, no randomness but that of the world's seed ([`MemoryBirth::seed`]), no
/// iteration over a `HashMap`. Otherwise a run can't be repeated. The trait is the plug-in interface (extension trait) of agent memory.
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

    /// Advises on each candidate, in their order: adds one piece of advice for each to an empty list. A missing or swapped one
    /// would be taken for another candidate's.
    fn advise(&self, moment: &DecisionContext<'_>, candidates: &[Candidate], advice: &mut Vec<Advice>);

    /// The advice on a candidate had one of the items been silent, recombined from all voices; it need name none. The golem asks
    /// only about items that had a voice and are held against outcomes ([`VoiceSource::is_tested`]). By this default no item ever
    /// tips a decision, so none of the evidence counts as self-fed.
    fn advise_without(
        &self,
        _context: &Context,
        _candidate: &Candidate,
        advice: &Advice,
        _silent: VoiceSource,
    ) -> Advice {
        advice.clone()
    }

    /// Whether its golem explores. Bounds have nothing to learn, and would be no bounds if they paid for exploring.
    fn explores(&self) -> bool {
        true
    }

    /// Takes in an outcome (online learning) of a trade, or of an abstention that is to be remembered, never within a dream. The account
    /// already knows which items tipped the decision ([`MemoryAccount::influenced_by`]).
    fn observe(&mut self, experience: &Experience<'_>);

    // Its own upkeep.

    /// Whether [`attend`](Self::attend) does anything. If not, its golem doesn't call it, which saves a call a tick.
    fn wants_attention(&self) -> bool {
        false
    }

    /// Does its own upkeep in a waking moment; its golem pays for it.
    fn attend(&mut self, _attention: &Attention<'_>) -> Attended {
        Attended::default()
    }

    /// Events inside the memory since the last call. A golem calls it after every trade and, if its memory dreams, after
    /// housekeeping, the Curator's visits, dreams, and receiving a legacy.
    fn drain_events(&mut self) -> Vec<MemoryEvent> {
        Vec::new()
    }

    /// The account of its items; without one its columns in the lives table are 0.
    fn account(&self) -> Option<&MemoryAccount> {
        None
    }

    /// The account, to be added to.
    fn account_mut(&mut self) -> Option<&mut MemoryAccount> {
        None
    }

    /// Summary of the account.
    fn census(&self) -> MemoryCensus {
        self.account().map_or_else(MemoryCensus::default, MemoryAccount::census)
    }

    /// Its causal knowledge, if it keeps any.
    fn causal(&self) -> Option<&CausalStore> {
        None
    }

    // Capabilities. A `_mut` method must return `Some` whenever its namesake does.

    /// Advice on positions that are held; without, they are held to their stop or the end of their horizon.
    fn holds(&self) -> Option<&dyn Holds> {
        None
    }

    /// The same, to take in the courses of positions.
    fn holds_mut(&mut self) -> Option<&mut dyn Holds> {
        None
    }

    /// Exchange with the Lethe; without, its golem leaves no bloodstains and draws none.
    fn bequeaths(&self) -> Option<&dyn Bequeaths> {
        None
    }

    /// The same, to take in bloodstains.
    fn bequeaths_mut(&mut self) -> Option<&mut dyn Bequeaths> {
        None
    }

    /// Legacy for its golem's successor; without, a successor gets nothing but traits.
    fn hands_on(&self) -> Option<&dyn HandsOn> {
        None
    }

    /// The same, to receive a legacy.
    fn hands_on_mut(&mut self) -> Option<&mut dyn HandsOn> {
        None
    }

    /// Exchange with living siblings; without, its golem neither sends nor receives lessons.
    fn teaches(&self) -> Option<&dyn Teaches> {
        None
    }

    /// The same, to receive lessons.
    fn teaches_mut(&mut self) -> Option<&mut dyn Teaches> {
        None
    }

    /// Dreams; without, its golem neither dreams nor keeps sleep windows, and its memory isn't curated.
    fn dreams(&self) -> Option<&dyn Dreams> {
        None
    }

    /// The same, to integrate a dream.
    fn dreams_mut(&mut self) -> Option<&mut dyn Dreams> {
        None
    }

    /// Receiver of the answers of models that it has asked ([`Attended::reads`], [`Attended::reflects`]); without, they are
    /// dropped.
    fn reads_mut(&mut self) -> Option<&mut dyn Reads> {
        None
    }

    // Changes to a life under way.

    /// Takes over another table of its own; its content stays, as far as there is room for it.
    fn rebind(&mut self, _own: OwnTable<'_>, _now: Tick) {}

    /// Replaces another memory of the same golem and architecture: from now on its items get numbers that the other never gave.
    /// For architectures that number their items.
    fn count_on_from(&mut self, _other: &Self)
    where
        Self: Sized,
    {
    }
}

/// Declares the capabilities of a memory in its `impl MemoryArchitecture`: those whose traits it implements, by the names of the
/// methods that return them, as in `capable_of!(bequeaths, teaches);`. `account` is for a memory that keeps a
/// [`MemoryAccount`](crate::memory::MemoryAccount) in its field of that name. With `capable_of!(by part: teaches);` the field
/// `part` has them.
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

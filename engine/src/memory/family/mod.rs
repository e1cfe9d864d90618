//! The family of memories: shipped architectures, and those that a program registers besides.
//!
//! The shipped ones are an enum, so that the two calls of every decision are direct and a world is plain data; trait objects
//! would need both a virtual call and their own way of being written down. The price of an enum, one arm for each member in each
//! method, is paid once: `family!` makes the enum, its dispatch and its entries in the registry from one line for each member. It is a
//! closed sum type with static dispatch, plus one arm for plug-ins (dynamic dispatch).

mod keys;
mod name;
mod own;
mod registry;

pub use keys::MemoryKeys;
pub(crate) use keys::SharedKeys;
pub use name::MemoryName;
pub use own::{Own, OwnMemory, ReviveError};
pub use registry::{EmptyError, MemoryRegistry, RegisterError, Shipped, UnknownMemory};

use crate::memory::as_read::OracleAsRead;
use crate::memory::bardo::Bardo;
use crate::memory::bardo_owm::BardoOwm;
use crate::memory::baseline::{GenerativeAgents, Rag, WindowMemory};
use crate::memory::constant::Constant;
use crate::memory::contract::{
    Advice, Attended, Attention, Candidate, DecisionContext, Dreams, Experience, MemoryArchitecture,
    MemoryBirth,
};
use crate::memory::dark_pawns::DarkPawns;
use crate::memory::none::NoMemory;
use crate::memory::openclaw::arena::OpenClaw;
use crate::memory::oracle::OracleMemory;
use crate::memory::owm::Owm;
use crate::memory::random::RandomChoice;
use morta_base::Tick;
use serde::{Deserialize, Serialize};
use std::ops::{Deref, DerefMut};

/// The privileged information of oracle baselines: knowledge that bounding members have from the start, and that a plan works out for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Foreknowledge {
    /// None.
    #[default]
    Nothing,
    /// True results of strategies.
    Truth,
    /// Results by what can be observed.
    AsRead,
}

/// The factory trait of the shipped family: besides the contract, a member is made from the scenario's keys (configuration).
pub trait FamilyMember: MemoryArchitecture + Sized {
    /// The knowledge that it is made with; the plan works it out.
    const FOREKNOWLEDGE: Foreknowledge = Foreknowledge::Nothing;

    /// The memory of a newborn.
    fn empty(birth: &MemoryBirth<'_>, keys: &MemoryKeys<'_>) -> Self;

    /// Takes over other keys (a hot reload); its content stays, as far as there is room for it.
    fn rebind(&mut self, _keys: &MemoryKeys<'_>, _now: Tick) {}
}

/// Makes the family. Each member has a line of documentation, which the schema and the reference of scenarios show too, and a
/// line with its names in the enum, its type and in scenarios. The `$` stands for itself in the macro that is made.
macro_rules! family {
    (($d:tt) $($(#[doc = $doc:literal])+ $member:ident($memory:ty) = $name:literal,)+) => {
        /// A golem's memory: an enum dispatch over the shipped architectures, with one variant for plug-ins. What isn't asked in every tick
        /// goes through the contract, to which it dereferences.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub enum Memory {
            $($(#[doc = $doc])+ #[serde(rename = $name)] $member(Box<$memory>),)+
            /// An architecture that was defined outside the engine.
            #[serde(rename = "own")]
            Own(Box<Own>),
        }

        /// The shipped family, in the order in which it is documented.
        pub const SHIPPED: &[Shipped] = &[$(Shipped {
            name: $name,
            description: concat!($($doc,)+).trim_ascii(),
            foreknowledge: <$memory as FamilyMember>::FOREKNOWLEDGE,
            empty: |birth, keys| Memory::$member(Box::new(FamilyMember::empty(birth, keys))),
        },)+];

        impl Memory {
            /// Goes on by other keys, those of its own architecture, where a plan changes (a hot reload).
            pub fn rebind(&mut self, keys: &MemoryKeys<'_>, now: Tick) {
                match self {
                    $(Self::$member(memory) => FamilyMember::rebind(memory.as_mut(), keys, now),)+
                    Self::Own(own) => {
                        let table = keys.own(own.name());
                        own.memory_mut().rebind(table, now);
                    }
                }
            }

            /// Continues the sequence numbers of another memory: it takes the place of that memory of the same golem, and what it names
            /// from now on has names that the other never gave. Of another architecture nothing is taken over.
            pub fn count_on_from(&mut self, other: &Self) {
                match (self, other) {
                    $((Self::$member(new), Self::$member(old)) => new.count_on_from(old),)+
                    (Self::Own(new), Self::Own(old)) => new.memory_mut().count_on_from_own(old.memory()),
                    _ => {}
                }
            }
        }

        /// The dispatch: an expression on the memory itself, whichever it is.
        macro_rules! dispatch {
            ($d whole:expr, $d inner:ident => $d call:expr) => {
                match $d whole {
                    $(Memory::$member($d inner) => { let $d inner = $d inner.as_ref(); $d call })+
                    Memory::Own($d inner) => { let $d inner = $d inner.memory(); $d call }
                }
            };
            (mut $d whole:expr, $d inner:ident => $d call:expr) => {
                match $d whole {
                    $(Memory::$member($d inner) => { let $d inner = $d inner.as_mut(); $d call })+
                    Memory::Own($d inner) => { let $d inner = $d inner.memory_mut(); $d call }
                }
            };
        }
    };
}

family! { ($)
    /// Remembers nothing.
    None(NoMemory) = "none",
    /// Grimoire, replay, dreams and playbook.
    Bardo(Bardo) = "bardo",
    /// Bardo's dreams with outcome-weighted recall and stakes.
    BardoOwm(BardoOwm) = "bardo+owm",
    /// Trades by one fixed policy, the best of its market: the lower bound of what depends on circumstances.
    Constant(Constant) = "constant",
    /// Valenced autobiographical memory, in a graph that fades.
    DarkPawns(DarkPawns) = "dark-pawns",
    /// A stream of records retrieved by recency, importance and relevance, with reflections (Park et al. 2023).
    GenerativeAgents(GenerativeAgents) = "generative-agents",
    /// Outcome-weighted recall, beliefs, habits, state of mind and plans.
    Owm(Owm) = "owm",
    /// Knows the market's true regime, what is planned, and what each strategy is worth in it: the upper bound.
    Oracle(OracleMemory) = "oracle",
    /// Stays out by the truth, and does all else as if it remembered nothing: what abstaining is worth.
    OracleAbstains(OracleMemory) = "oracle-abstains",
    /// Knows what pays by what golems can see: the bound for every memory.
    OracleAsRead(OracleAsRead) = "oracle-as-read",
    /// Chooses by the truth, and does all else as if it remembered nothing: what choosing is worth.
    OracleChooses(OracleMemory) = "oracle-chooses",
    /// Stakes by the truth, and does all else as if it remembered nothing: what sizing is worth.
    OracleSizes(OracleMemory) = "oracle-sizes",
    /// Leaves positions by the truth, and does all else as if it remembered nothing: what timing is worth.
    OracleTimes(OracleMemory) = "oracle-times",
    /// Notes, recalls, and sleep that promotes what is recalled often (OpenClaw dreaming).
    Openclaw(OpenClaw) = "openclaw",
    /// Takes any candidate at random and never stays out: a lower bound.
    Random(RandomChoice) = "random",
    /// Plain retrieval: expects what the trades in the likest markets made.
    Rag(Rag) = "rag",
    /// Expects what the last trades made, whatever the market was like.
    Window(WindowMemory) = "window",
}

/// Calls of every tick or decision are dispatched by the enum, without a virtual table.
impl Memory {
    /// Advises on each candidate, in their order, with an action-value estimate.
    ///
    /// # Panics
    /// When the memory gives another number of pieces of advice than there are candidates.
    pub fn advise(&self, moment: &DecisionContext<'_>, candidates: &[Candidate], advice: &mut Vec<Advice>) {
        advice.clear();
        dispatch!(self, memory => MemoryArchitecture::advise(memory, moment, candidates, advice));
        // Advice is matched to candidates by its place, so a missing piece would shift all others.
        assert_eq!(advice.len(), candidates.len(), "a memory speaks about each candidate");
    }

    /// Takes in an outcome; meanwhile its account knows which items had tipped the decision.
    pub fn observe(&mut self, experience: &Experience<'_>) {
        dispatch!(mut self, memory => {
            if let Some(account) = MemoryArchitecture::account_mut(memory) {
                account.influenced_by(experience.influential);
            }
            MemoryArchitecture::observe(memory, experience);
            if let Some(account) = MemoryArchitecture::account_mut(memory) {
                account.influenced_by(&[]);
            }
        });
    }

    /// Whether [`attend`](Self::attend) does anything: a capability test that saves calls.
    pub fn wants_attention(&self) -> bool {
        dispatch!(self, memory => MemoryArchitecture::wants_attention(memory))
    }

    /// Does its own upkeep (background maintenance) in a waking moment.
    pub fn attend(&mut self, attention: &Attention<'_>) -> Attended {
        dispatch!(mut self, memory => MemoryArchitecture::attend(memory, attention))
    }

    /// Its dreams, if it dreams: an optional capability.
    pub fn dreams(&self) -> Option<&dyn Dreams> {
        dispatch!(self, memory => MemoryArchitecture::dreams(memory))
    }

    /// Capability discovery for writing: the same, to integrate a dream.
    pub(crate) fn dreams_mut(&mut self) -> Option<&mut dyn Dreams> {
        dispatch!(mut self, memory => MemoryArchitecture::dreams_mut(memory))
    }

    /// Revives (deserialises) a plug-in from a checkpoint, a memory from outside the engine after it was read; the shipped ones need no
    /// reviving.
    ///
    /// # Errors
    /// When the registry doesn't know its architecture, or its architecture can't read its bytes.
    pub fn revive(&mut self, registry: &MemoryRegistry) -> Result<(), ReviveError> {
        if let Self::Own(own) = self { own.revive(registry) } else { Ok(()) }
    }
}

impl Deref for Memory {
    type Target = dyn MemoryArchitecture;

    fn deref(&self) -> &Self::Target {
        dispatch!(self, memory => memory)
    }
}

impl DerefMut for Memory {
    fn deref_mut(&mut self) -> &mut Self::Target {
        dispatch!(mut self, memory => memory)
    }
}

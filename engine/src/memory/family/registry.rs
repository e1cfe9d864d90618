//! The registry of architectures: the shipped ones, and those that a program has registered. It is a plug-in registry with factories by
//! name. Architectures have names so that a scenario can ask for one that a program brings along.
//!
//! A name is 1 to 64 letters, digits, '_', '-', '+' or '.'; a plan with an unknown one is refused with a list of those that exist. Programs
//! register theirs here, among them the laboratory and the Python package for memories in other languages.

use super::own::{Own, OwnMemory, ReviveError};
use super::{Foreknowledge, Memory, MemoryKeys, MemoryName, SHIPPED};
use crate::memory::contract::{MemoryArchitecture, MemoryBirth};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A built-in registry entry: an architecture of the shipped family.
#[derive(Clone, Copy, Debug)]
pub struct Shipped {
    /// Its name in scenarios and tables.
    pub name: &'static str,
    /// Its description, in a sentence.
    pub description: &'static str,
    /// Knowledge that takes seconds to work out beforehand.
    pub foreknowledge: Foreknowledge,
    pub(super) empty: fn(&MemoryBirth<'_>, &MemoryKeys<'_>) -> Memory,
}

/// Factory of an architecture from outside the engine.
type Empty = dyn Fn(&MemoryBirth<'_>) -> Result<Box<dyn OwnMemory>, String> + Send + Sync;
/// Loader of its memories from bytes.
type Load = dyn Fn(&[u8]) -> Result<Box<dyn OwnMemory>, String> + Send + Sync;

/// An architecture that a program has registered.
#[derive(Clone)]
struct Registered {
    description: String,
    empty: Arc<Empty>,
    load: Arc<Load>,
}

/// The architectures a plan may name: a plug-in (plugin) registry, with a factory for each name. [`MemoryRegistry::default`] has the
/// shipped ones; a program adds its own with [`register`](Self::register) and hands the registry to [`crate::world::Plan::with_memories`].
#[derive(Clone, Default)]
pub struct MemoryRegistry {
    own: BTreeMap<MemoryName, Registered>,
}

/// A registration error, a duplicate or invalid name: why an architecture can't be registered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegisterError {
    /// Its name is taken.
    #[error("another memory architecture is registered as `{0}` already")]
    Taken(String),
    /// No scenario could write its name.
    #[error(
        "`{0}` can't be the name of a memory architecture: use 1 to 64 letters (A to Z, a to z), digits, '_', '-', '+' or '.'"
    )]
    Malformed(String),
}

/// The error of a name that no architecture has (not found), with suggestions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no memory architecture `{name}`: it must be one of {known}")]
pub struct UnknownMemory {
    /// The name.
    pub name: MemoryName,
    /// The names that exist, in quotes and with commas.
    pub known: String,
}

impl MemoryRegistry {
    /// Registers an architecture by its factory. `empty` makes the memory of a newborn. It is called once more when a plan is made, so that
    /// its objections, such as to a parameter in `[memory.own.NAME]`, are reported before any golem lives.
    ///
    /// Memories are written in postcard's format, which is compact and doesn't describe itself: their `Serialize` and
    /// `Deserialize` must work without (no `flatten`, `untagged`, `skip_serializing_if` or `serde_json::Value`).
    ///
    /// # Errors
    /// When the name is taken or isn't one.
    pub fn register<M>(
        &mut self,
        name: &str,
        description: &str,
        empty: impl Fn(&MemoryBirth<'_>) -> Result<M, String> + Send + Sync + 'static,
    ) -> Result<(), RegisterError>
    where
        M: MemoryArchitecture + Clone + PartialEq + Serialize + DeserializeOwned,
    {
        self.register_loading(name, description, empty, |bytes| {
            postcard::from_bytes(bytes).map_err(|error| error.to_string())
        })
    }

    /// Registers a factory and a deserialiser, for memories that need more than their bytes to be read back, such as a process that holds
    /// their content: `load` makes one from what [`OwnMemory::save`] wrote.
    ///
    /// # Errors
    /// When the name is taken or isn't one.
    pub fn register_loading<M: OwnMemory>(
        &mut self,
        name: &str,
        description: &str,
        empty: impl Fn(&MemoryBirth<'_>) -> Result<M, String> + Send + Sync + 'static,
        load: impl Fn(&[u8]) -> Result<M, String> + Send + Sync + 'static,
    ) -> Result<(), RegisterError> {
        let good = |c: char| c.is_ascii_alphanumeric() || "_-+.".contains(c);
        if !(1..=64).contains(&name.len()) || !name.chars().all(good) {
            return Err(RegisterError::Malformed(name.to_owned()));
        }
        let name = MemoryName::from(name);
        if self.knows(&name) {
            return Err(RegisterError::Taken(name.to_string()));
        }
        let empty: Arc<Empty> = Arc::new(move |birth| Ok(Box::new(empty(birth)?)));
        let load: Arc<Load> = Arc::new(move |bytes| Ok(Box::new(load(bytes)?)));
        self.own.insert(name, Registered { description: description.to_owned(), empty, load });
        Ok(())
    }

    /// Iterates over the registry's entries, each a name and a description: the shipped ones, then the registered ones by name.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        let shipped = SHIPPED.iter().map(|shipped| (shipped.name, shipped.description));
        let own = self.own.iter().map(|(name, own)| (name.as_str(), own.description.as_str()));
        shipped.chain(own)
    }

    /// Iterates over the name of every architecture, plug-ins among them, in the order of [`entries`](Self::entries).
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries().map(|(name, _)| name)
    }

    /// Whether there is an architecture of that name in the registry.
    pub fn knows(&self, name: &MemoryName) -> bool {
        shipped(name).is_some() || self.is_own(name)
    }

    /// True for a plug-in (user-defined): a program has registered an architecture of that name besides the shipped ones.
    pub(crate) fn is_own(&self, name: &MemoryName) -> bool {
        self.own.contains_key(name)
    }

    /// Looks up the knowledge (privileged information) that memories of that architecture are made with; none for a plug-in.
    pub fn foreknowledge(&self, name: &MemoryName) -> Foreknowledge {
        shipped(name).map_or(Foreknowledge::Nothing, |shipped| shipped.foreknowledge)
    }

    /// Checks that a name is registered; the error lists the names that exist.
    ///
    /// # Errors
    /// When there is no architecture of that name.
    pub fn demand(&self, name: &MemoryName) -> Result<(), UnknownMemory> {
        if self.knows(name) { Ok(()) } else { Err(self.unknown(name)) }
    }

    fn unknown(&self, name: &MemoryName) -> UnknownMemory {
        let known: Vec<String> = self.names().map(|name| format!("\"{name}\"")).collect();
        UnknownMemory { name: name.clone(), known: known.join(", ") }
    }

    /// Makes an empty memory (factory method) of the architecture that a birth names; a shipped one is made from the keys besides.
    ///
    /// # Errors
    /// When no architecture has the name, or it can't be made from the scenario's keys.
    pub fn empty(&self, birth: &MemoryBirth<'_>, keys: &MemoryKeys<'_>) -> Result<Memory, EmptyError> {
        let name = MemoryName::from(birth.name);
        if let Some(shipped) = shipped(&name) {
            return Ok((shipped.empty)(birth, keys));
        }
        let own = self.own.get(&name).ok_or_else(|| self.unknown(&name))?;
        match (own.empty)(birth) {
            Ok(memory) => Ok(Memory::Own(Box::new(Own::new(name, memory)))),
            Err(why) => Err(EmptyError::Refused { name, why }),
        }
    }

    /// Deserialises the memory that was written in these bytes.
    pub(super) fn load(&self, name: &MemoryName, bytes: &[u8]) -> Result<Box<dyn OwnMemory>, ReviveError> {
        let own = self.own.get(name).ok_or_else(|| self.unknown(name))?;
        (own.load)(bytes).map_err(|why| ReviveError::Unreadable { name: name.clone(), why })
    }
}

/// The reason why an empty memory can't be made: an unknown name or a rejected configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EmptyError {
    /// No architecture has the name.
    #[error(transparent)]
    Unknown(#[from] UnknownMemory),
    /// The architecture refuses the scenario's keys.
    #[error("no memory of architecture `{name}` can be made: {why}")]
    Refused {
        /// The architecture.
        name: MemoryName,
        /// Its objection.
        why: String,
    },
}

fn shipped(name: &MemoryName) -> Option<&'static Shipped> {
    SHIPPED.iter().find(|shipped| *name == shipped.name)
}

/// Two registries are the same when they know the same names: factories can't be compared.
impl PartialEq for MemoryRegistry {
    fn eq(&self, other: &Self) -> bool {
        self.own.keys().eq(other.own.keys())
    }
}

impl fmt::Debug for MemoryRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

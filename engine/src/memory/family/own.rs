//! A memory whose architecture was defined outside the engine: a plug-in behind a trait object, with clone, equality and serialisation made
//! available through it (type erasure).
//!
//! In a checkpoint it is its name and its bytes; a registry revives it. Plug-ins are boxed, because the shipped family is a closed enum
//! that can't list types of other crates.

use super::{MemoryName, MemoryRegistry, UnknownMemory};
use crate::memory::contract::MemoryArchitecture;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::any::Any;

/// A dyn-compatible supertrait for plug-ins (type erasure): requirements on an architecture from outside the engine besides the contract,
/// because a world that holds it is copied, compared and written. Every type with `Clone`, `PartialEq` and `Serialize` meets them. A
/// blanket impl gives it to every such type.
pub trait OwnMemory: MemoryArchitecture {
    /// A copy (clone) behind a new box.
    fn copied(&self) -> Box<dyn OwnMemory>;

    /// Whether both are of one architecture and have the same content.
    fn holds_the_same(&self, other: &dyn OwnMemory) -> bool;

    /// Replaces another memory ([`MemoryArchitecture::count_on_from`]), if that is of the same architecture.
    fn count_on_from_own(&mut self, other: &dyn OwnMemory);

    /// Its whole content, in bytes.
    ///
    /// # Errors
    /// When some of its content can't be written; the line says why.
    fn save(&self) -> Result<Vec<u8>, String>;
}

impl<M: MemoryArchitecture + Clone + PartialEq + Serialize> OwnMemory for M {
    fn copied(&self) -> Box<dyn OwnMemory> {
        Box::new(self.clone())
    }

    fn holds_the_same(&self, other: &dyn OwnMemory) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref::<M>() == Some(self)
    }

    fn count_on_from_own(&mut self, other: &dyn OwnMemory) {
        let other: &dyn Any = other;
        if let Some(other) = other.downcast_ref::<M>() {
            self.count_on_from(other);
        }
    }

    fn save(&self) -> Result<Vec<u8>, String> {
        postcard::to_allocvec(self).map_err(|error| error.to_string())
    }
}

/// A boxed plug-in memory (trait object) of a registered architecture, either live or serialised. It is written as its name and its bytes.
/// Read back, it is only these until the registry that has the name revives it: reading has no access to a registry.
#[derive(Debug)]
pub struct Own {
    name: MemoryName,
    state: State,
}

#[derive(Debug)]
enum State {
    Live(Box<dyn OwnMemory>),
    /// As read, before it is revived.
    Saved(Vec<u8>),
}

/// A restore error (deserialisation error): the reason why a written memory can't be revived.
#[derive(Debug, thiserror::Error)]
pub enum ReviveError {
    /// Its architecture isn't registered.
    #[error(transparent)]
    Unknown(#[from] UnknownMemory),
    /// Its architecture can't read the bytes.
    #[error("a memory of architecture `{name}` can't be read: {why}")]
    Unreadable {
        /// The architecture.
        name: MemoryName,
        /// The error in the bytes.
        why: String,
    },
}

impl Own {
    /// Makes a live plug-in: a memory of the architecture registered under a name.
    pub fn new(name: MemoryName, memory: Box<dyn OwnMemory>) -> Self {
        Self { name, state: State::Live(memory) }
    }

    /// The name that its architecture is registered under.
    pub fn name(&self) -> &MemoryName {
        &self.name
    }

    /// The memory behind the box, as a trait object.
    ///
    /// # Panics
    /// When it was read and not revived: [`crate::world::World::resume`] revives all memories of a world.
    pub fn memory(&self) -> &dyn OwnMemory {
        match &self.state {
            State::Live(memory) => memory.as_ref(),
            State::Saved(_) => panic!("the memory `{}` was read, but not revived", self.name),
        }
    }

    /// Mutable access to the trait object.
    ///
    /// # Panics
    /// As [`memory`](Self::memory) does.
    pub(crate) fn memory_mut(&mut self) -> &mut dyn OwnMemory {
        match &mut self.state {
            State::Live(memory) => memory.as_mut(),
            State::Saved(_) => panic!("the memory `{}` was read, but not revived", self.name),
        }
    }

    /// Deserialises a read memory by its architecture; a living one is left alone.
    pub(super) fn revive(&mut self, registry: &MemoryRegistry) -> Result<(), ReviveError> {
        if let State::Saved(bytes) = &self.state {
            let loaded = registry.load(&self.name, bytes)?;
            self.state = State::Live(loaded);
        }
        Ok(())
    }
}

impl Clone for Own {
    fn clone(&self) -> Self {
        let state = match &self.state {
            State::Live(memory) => State::Live(memory.copied()),
            State::Saved(bytes) => State::Saved(bytes.clone()),
        };
        Self { name: self.name.clone(), state }
    }
}

impl PartialEq for Own {
    fn eq(&self, other: &Self) -> bool {
        let same = match (&self.state, &other.state) {
            (State::Live(a), State::Live(b)) => a.holds_the_same(b.as_ref()),
            (State::Saved(a), State::Saved(b)) => a == b,
            (State::Live(_), State::Saved(_)) | (State::Saved(_), State::Live(_)) => false,
        };
        self.name == other.name && same
    }
}

/// The written form.
#[derive(Serialize, Deserialize)]
struct Saved {
    name: MemoryName,
    bytes: Vec<u8>,
}

impl Serialize for Own {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes = match &self.state {
            State::Live(memory) => memory.save().map_err(serde::ser::Error::custom)?,
            State::Saved(bytes) => bytes.clone(),
        };
        Saved { name: self.name.clone(), bytes }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Own {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Saved { name, bytes } = Saved::deserialize(deserializer)?;
        Ok(Self { name, state: State::Saved(bytes) })
    }
}

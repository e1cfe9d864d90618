//! A laboratory: memories, processes and limits that a program hands to everything that reads or lives. They are an argument and no
//! statics, so that two callers in one process can't change each other's results. This is dependency injection: a registry of plug-ins and
//! resource limits as a value.

use crate::io::error::Result;
use crate::io::limits::Limits;
use crate::run::foreign_memory::MemoryProcesses;
use morta_engine::memory::MemoryRegistry;
use std::sync::Arc;

/// The memory architectures that golems may have, the processes that bring some of them, and the limits of files (plug-in registry).
/// [`Laboratory::default`] has the shipped architectures alone, and the usual limits.
///
/// Invariant: no static decides what is lived or refused. Two values with different registries work side by side in one process, and no
/// thread knows more than the value that it is handed.
#[derive(Clone, Debug, Default)]
pub struct Laboratory {
    /// Those that the program has registered itself.
    own: Arc<MemoryRegistry>,
    /// Those that processes bring, by name.
    processes: MemoryProcesses,
    /// Both together: what scenarios may name.
    memories: Arc<MemoryRegistry>,
    limits: Limits,
}

impl Laboratory {
    /// Makes a laboratory whose golems may have any architecture of a memory registry.
    pub fn with_memories(own: impl Into<Arc<MemoryRegistry>>) -> Self {
        let own = own.into();
        Self { memories: Arc::clone(&own), own, ..Self::default() }
    }

    /// Adds architectures that processes bring, in place of those that other processes brought (plug-in registration).
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::Error::Invalid) when a name is taken, or none.
    pub fn with_processes(&self, processes: MemoryProcesses) -> Result<Self> {
        let (own, limits) = (Arc::clone(&self.own), self.limits.clone());
        Ok(Self { memories: processes.added_to(&own)?, own, processes, limits })
    }

    /// Sets other limits of the files that are read (resource limits).
    pub fn within(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Makes the same for another world at the same time, whose golems share no process with those of this one (process isolation).
    pub fn afresh(&self) -> Self {
        self.with_processes(self.processes.afresh()).expect("names that were free are free again")
    }

    /// All memory architectures that golems may have (memory registry).
    pub fn memories(&self) -> &Arc<MemoryRegistry> {
        &self.memories
    }

    /// The resource limits: how much of a file is read before it is refused.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The processes that bring some of them (plug-in processes).
    pub fn processes(&self) -> &MemoryProcesses {
        &self.processes
    }
}

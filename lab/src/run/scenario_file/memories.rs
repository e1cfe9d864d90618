//! Folders name the memory architectures of their golems; a program that lives through one again, resumes it, branches it or restores a
//! sweep (to analyse it, say) must have them registered. It is a check of the plug-in registry before anything is run. It is checked first,
//! because a run would otherwise fail at the first birth.

use crate::io::error::{Error, Result};
use crate::run::foreign_memory::PROCESS_FLAG;
use morta_engine::memory::{MemoryName, MemoryRegistry};
use std::collections::BTreeSet;
use std::path::Path;

/// Holds the architectures that a folder names against a registry (plug-in check).
///
/// A scenario file with an unknown name is most likely misspelt, so its error lists the names there are. A folder was written by a program
/// that knew the name, so here the remedy is another: to register it.
///
/// # Errors
/// [`Error::Invalid`], with a line for each architecture that the registry lacks.
pub(crate) fn demand_memories<'a>(
    dir: &Path,
    named: impl IntoIterator<Item = &'a MemoryName>,
    registry: &MemoryRegistry,
) -> Result<()> {
    let missing: BTreeSet<&MemoryName> = named.into_iter().filter(|name| !registry.knows(name)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let line = |name: &&MemoryName| {
        format!(
            "{}: its golems remember with `{name}`, a memory architecture that this program doesn't know: register it \
             (`MemoryRegistry::register`) and hand the registry over, or bring it with {PROCESS_FLAG} where that is taken",
            dir.display()
        )
    };
    Err(Error::all(missing.iter().map(line)))
}

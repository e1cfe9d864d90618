//! The flag `--memory-process NAME=COMMAND`: memories written in any language, as plug-ins in subprocesses. The commands run, sweep, watch,
//! reproduce, validate and conformance share it; fit, loadtest and sensitivity know only the memories built in. A finished run keeps what
//! the process answered, so that verify and reproduce need none for it (for a sweep reproduce does); branch refuses such a run. The command
//! is started without a shell; an answer that takes longer than 30 seconds ends the run. They can only be named on the command line,
//! because a scenario from somebody else must not start programs. `MemoryProcessArgs` has the CLI arguments for a child process.

use morta_console::terminal::stop_on_interrupt;
use morta_lab::Laboratory;
use morta_lab::foreign_memory::{MemoryProcesses, PATIENCE};

/// The flag that brings memories in processes of their own. It is on the command line alone: a scenario from somebody else must not start
/// programs.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct MemoryProcessArgs {
    /// Bring a memory architecture that cohorts may name: COMMAND is started, without a shell, and asked line by line, as in
    /// --memory-process ledger='python3 lab/examples/ledger.py'; may be repeated.
    #[arg(long, value_name = "NAME=COMMAND")]
    memory_process: Vec<String>,
}

impl MemoryProcessArgs {
    /// Gives the flags as typed, to be forwarded to another process.
    pub(crate) fn typed(&self) -> Vec<String> {
        self.memory_process.iter().flat_map(|one| ["--memory-process".to_owned(), one.clone()]).collect()
    }

    /// Whether no memory was added.
    pub(crate) fn is_empty(&self) -> bool {
        self.memory_process.is_empty()
    }

    /// Makes a laboratory with the added memories (plug-ins).
    ///
    /// # Errors
    /// When a command can't be parsed, or Ctrl-C can't be handled: it must reach the process that waits for an answer.
    pub(crate) fn added_to(&self, laboratory: &Laboratory) -> anyhow::Result<Laboratory> {
        if self.memory_process.is_empty() {
            return Ok(laboratory.clone());
        }
        let processes = MemoryProcesses::of_flags(&self.memory_process, PATIENCE)?;
        Ok(laboratory.with_processes(processes.stopped_by(&stop_on_interrupt()?))?)
    }
}

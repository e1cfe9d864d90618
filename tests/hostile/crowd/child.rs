//! One process: begun, waited for within bounds of time and memory, and judged by how it ended and what it said.

use crate::watch::{MEMORY_MAX, TIME_MAX, most_memory};
use assert_cmd::cargo::cargo_bin;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How often somebody looks whether it has ended.
const LOOK: Duration = Duration::from_millis(2);

/// Which end of the world a process meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It may end by itself.
    Own,
    /// A signal, by name.
    Signal(&'static str),
    /// Nobody reads what it prints, and it is told so by a closed pipe.
    NoReader,
}

/// A process under way.
pub struct Process {
    child: Child,
    begun: Instant,
}

/// How a process ended.
#[derive(Debug)]
pub struct Ended {
    status: ExitStatus,
    pub told: String,
    pub said: String,
}

impl Process {
    pub fn begin(room: &Path, arguments: &[String], ending: Ending) -> Self {
        let mut command = Command::new(cargo_bin("morta"));
        command.current_dir(room).args(arguments).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        if ending == Ending::NoReader {
            drop((child.stdout.take(), child.stderr.take()));
        }
        Self { child, begun: Instant::now() }
    }

    /// Sends a signal; whoever has ended gets none.
    pub fn signal(&mut self, name: &str) {
        if self.child.try_wait().expect("it is ours").is_none() {
            let number = self.child.id().to_string();
            let sent = Command::new("kill").args(["-s", name, &number]).stderr(Stdio::null()).status();
            drop(sent);
        }
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// When it takes too long, or too much memory.
    pub fn end(mut self) -> Result<Ended, String> {
        // What it says fits into a pipe, so that nobody need read meanwhile.
        while self.child.try_wait().expect("it is ours").is_none() {
            let (took, memory) = (self.begun.elapsed(), most_memory(self.child.id()));
            if took > TIME_MAX || memory > MEMORY_MAX {
                let _ = self.child.kill();
                let _ = self.child.wait();
                return Err(format!("it took {} s and {} MB", took.as_secs(), memory >> 20));
            }
            std::thread::sleep(LOOK);
        }
        let output = self.child.wait_with_output().expect("it is ours");
        let [told, said] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        Ok(Ended { status: output.status, told, said })
    }
}

impl Ended {
    pub fn code(&self) -> Option<i32> {
        self.status.code()
    }

    pub fn is_done(&self) -> bool {
        self.status.success()
    }

    /// An answer, one clear line, or the end that it met; never a panic or an abort.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn judged(&self, ending: Ending) -> Result<(), String> {
        let how = || {
            format!("{:?}, signal {:?}: {:?} {:?}", self.code(), self.status.signal(), self.told, self.said)
        };
        if self.said.contains("panicked") || self.status.core_dumped() {
            return Err(format!("a panic: {}", how()));
        }
        if self.told.contains("NOT identical") {
            return Err(format!("a verdict on what was cut off: {}", how()));
        }
        match (self.code(), ending) {
            (Some(0), _) | (None, Ending::Signal(_)) => Ok(()),
            (Some(130), Ending::Signal(_)) | (Some(1 | 2), _) => match self.said.lines().count() {
                1 => Ok(()),
                0 if ending == Ending::NoReader => Ok(()),
                // What it has come to so far is an answer.
                0 if self.code() == Some(130) && !self.told.is_empty() => Ok(()),
                lines => Err(format!("{lines} lines instead of one: {}", how())),
            },
            _ => Err(format!("it ended in a way that it must not: {}", how())),
        }
    }
}

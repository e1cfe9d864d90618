//! Making bloodstains safe beside the run that leaves them: whoever left them doesn't wait for the disk, and what is left while the
//! disk is at work goes there together.

use super::record::{RunId, failed};
use crossbeam_channel::{Receiver, Sender, bounded};
use morta_base::{BloodstainId, Tick};
use morta_engine::lethe::StoreError;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::sync::Mutex;
use std::thread::JoinHandle;

/// Ticks with bloodstains that may wait for the disk before the run waits with them.
const TICKS_WAITING: usize = 64;

/// What was left in a tick, once the databases hold it.
pub(super) struct Left {
    pub tick: Tick,
    pub bloodstains: Vec<BloodstainId>,
}

type Work = (Sender<Left>, JoinHandle<Result<(), StoreError>>);

/// A thread that flushes databases, and acknowledges what was left before the flush only after it.
#[derive(Debug)]
pub(super) struct Flusher(Mutex<Option<Work>>);

impl Flusher {
    /// Starts the thread; the log gets a line for each bloodstain once it is safe.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn start(databases: Vec<sled::Db>, run: RunId, log: Option<File>) -> std::io::Result<Self> {
        let (sender, left) = bounded(TICKS_WAITING);
        let work = move || keep_safe(&databases, run, log, &left);
        let thread = std::thread::Builder::new().name("morta-lethe".to_owned()).spawn(work)?;
        Ok(Self(Mutex::new(Some((sender, thread)))))
    }

    /// Asks for a flush of what the databases hold by now.
    ///
    /// # Errors
    /// When an earlier flush has failed.
    pub fn ask(&self, left: Left) -> Result<(), StoreError> {
        let mut work = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match &*work {
            None => Err(StoreError("it is closed".to_owned())),
            Some((sender, _)) if sender.send(left).is_ok() => Ok(()),
            Some(_) => end(work.take()).and(Err(StoreError("it has stopped".to_owned()))),
        }
    }

    /// Waits until all that was asked for is done, and ends the thread.
    ///
    /// # Errors
    /// When a flush has failed that nobody has been told of.
    pub fn finish(&self) -> Result<(), StoreError> {
        end(self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take())
    }
}

fn end(work: Option<Work>) -> Result<(), StoreError> {
    let Some((sender, thread)) = work else { return Ok(()) };
    drop(sender);
    thread.join().map_err(|panic| StoreError(morta_base::panic_message(panic.as_ref())))?
}

/// A run that fails leaves its bloodstains safe as well.
impl Drop for Flusher {
    fn drop(&mut self) {
        if let Err(error) = self.finish() {
            tracing::warn!(%error, "bloodstains may not be safe");
        }
    }
}

fn keep_safe(
    databases: &[sled::Db],
    run: RunId,
    mut log: Option<File>,
    left: &Receiver<Left>,
) -> Result<(), StoreError> {
    for first in left {
        let together: Vec<Left> = std::iter::once(first).chain(left.try_iter()).collect();
        for database in databases {
            database.flush().map_err(failed)?;
        }
        if let Some(log) = &mut log {
            acknowledge(log, run, &together).map_err(failed)?;
        }
    }
    Ok(())
}

fn acknowledge(log: &mut File, run: RunId, ticks: &[Left]) -> std::io::Result<()> {
    let mut lines = String::new();
    for Left { tick, bloodstains } in ticks {
        for id in bloodstains {
            let line = writeln!(lines, "{{\"run\":\"{run}\",\"tick\":{tick},\"bloodstain\":\"{id}\"}}");
            line.expect("strings take what they are given");
        }
    }
    log.write_all(lines.as_bytes())?;
    log.sync_data()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn left(tick: Tick) -> Left {
        let mut golem = morta_base::GolemId::founder(3);
        golem.generation = tick as u32;
        Left { tick, bloodstains: vec![BloodstainId { golem, number: 0 }] }
    }

    fn database() -> sled::Db {
        sled::Config::new().temporary(true).open().expect("there is room for a database")
    }

    #[test]
    fn all_that_was_asked_for_is_acknowledged_in_order_when_it_is_over() {
        let room = tempfile::tempdir().expect("there is room");
        let path = room.path().join("log");
        let log = File::create(&path).expect("a file can be made");
        let flusher =
            Flusher::start(vec![database()], RunId::default(), Some(log)).expect("a thread can be started");
        for tick in 0..200 {
            flusher.ask(left(tick)).expect("the disk has room");
        }
        flusher.finish().expect("the disk has room");
        let text = fs::read_to_string(&path).expect("the log is there");
        let told: Vec<bool> = text
            .lines()
            .zip(0..)
            .map(|(line, tick)| line.contains(&format!("\"tick\":{tick},\"bloodstain\":\"L3.G{tick}.")))
            .collect();
        assert_eq!(told, [true; 200], "{text}");
        assert!(flusher.ask(left(200)).is_err(), "nothing can be asked for when it is over");
    }

    #[test]
    fn a_flush_that_fails_is_told_to_whoever_asks_next() {
        let room = tempfile::tempdir().expect("there is room");
        let path = room.path().join("log");
        fs::write(&path, "").expect("a file can be made");
        let only_read = File::open(&path).expect("it is there");
        let flusher = Flusher::start(vec![database()], RunId::default(), Some(only_read))
            .expect("a thread can be started");
        let error = (0..100_000).find_map(|tick| flusher.ask(left(tick)).err());
        let said = error.expect("it is noticed sooner or later").to_string();
        assert!(said.contains("Bad file descriptor") || said.contains("denied"), "{said}");
    }
}

//! Flushes bloodstains to disk on a thread of its own, so that the run doesn't wait for the disk. It is group commit (fsync in a
//! background thread): ticks that arrive during a flush are flushed together; the run blocks when 64 wait. The databases hold the records
//! already when a flush is requested; the log's line, a JSON object for each bloodstain, is the acknowledgement that a crash can't lose
//! it. A failed flush is returned by the next request or by the end of the run, and ends the run.

use super::record::{RunId, failed};
use crossbeam_channel::{Receiver, Sender, bounded};
use morta_base::{BloodstainId, Tick};
use morta_engine::lethe::StoreError;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::sync::Mutex;
use std::thread::JoinHandle;

/// Ticks with bloodstains that may wait for a flush. The run blocks at the next one, so that a crash loses a bounded number of ticks.
const TICKS_WAITING: usize = 64;

/// The bloodstains of a tick that the databases hold and the disk may not yet.
pub(super) struct TickBloodstains {
    pub tick: Tick,
    pub bloodstains: Vec<BloodstainId>,
}

type Work = (Sender<TickBloodstains>, JoinHandle<Result<(), StoreError>>);

/// A thread that flushes databases and acknowledges bloodstains after the flush.
#[derive(Debug)]
pub(super) struct Flusher(Mutex<Option<Work>>);

impl Flusher {
    /// Starts the thread; the log gets a line for each bloodstain once it is on disk (background fsync thread).
    ///
    /// # Errors
    /// When no thread can be started.
    pub(super) fn start(databases: Vec<sled::Db>, run: RunId, log: Option<File>) -> std::io::Result<Self> {
        let (sender, left) = bounded(TICKS_WAITING);
        let work = move || keep_safe(&databases, run, log, &left);
        let thread = std::thread::Builder::new().name("morta-lethe".to_owned()).spawn(work)?;
        Ok(Self(Mutex::new(Some((sender, thread)))))
    }

    /// Requests a flush of the databases as they are now (asynchronous fsync).
    ///
    /// # Errors
    /// When an earlier flush has failed, or the flusher is closed.
    pub(super) fn request(&self, left: TickBloodstains) -> Result<(), StoreError> {
        let mut work = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match &*work {
            None => Err(StoreError("it is closed".to_owned())),
            Some((sender, _)) if sender.send(left).is_ok() => Ok(()),
            Some(_) => end(work.take()).and(Err(StoreError("it has stopped".to_owned()))),
        }
    }

    /// Waits until all requested flushes are done, and ends the thread (final fsync).
    ///
    /// # Errors
    /// When a flush has failed and [`Flusher::request`] hasn't returned the error yet.
    pub(super) fn finish(&self) -> Result<(), StoreError> {
        end(self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take())
    }
}

fn end(work: Option<Work>) -> Result<(), StoreError> {
    let Some((sender, thread)) = work else { return Ok(()) };
    drop(sender);
    thread.join().map_err(|panic| StoreError(morta_base::panic_message(panic.as_ref())))?
}

/// Flushes at the end of a failed run too: its bloodstains are kept.
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
    left: &Receiver<TickBloodstains>,
) -> Result<(), StoreError> {
    for first in left {
        let together: Vec<TickBloodstains> = std::iter::once(first).chain(left.try_iter()).collect();
        for database in databases {
            database.flush().map_err(failed)?;
        }
        if let Some(log) = &mut log {
            acknowledge(log, run, &together).map_err(failed)?;
        }
    }
    Ok(())
}

fn acknowledge(log: &mut File, run: RunId, ticks: &[TickBloodstains]) -> std::io::Result<()> {
    let mut lines = String::new();
    for TickBloodstains { tick, bloodstains } in ticks {
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

    fn left(tick: Tick) -> TickBloodstains {
        let mut golem = morta_base::GolemId::founder(3);
        golem.generation = tick as u32;
        TickBloodstains { tick, bloodstains: vec![BloodstainId { golem, number: 0 }] }
    }

    fn database() -> sled::Db {
        sled::Config::new().temporary(true).open().expect("there is room for a database")
    }

    #[test]
    fn all_requests_are_acknowledged_in_order_by_the_end() {
        let room = tempfile::tempdir().expect("there is room");
        let path = room.path().join("log");
        let log = File::create(&path).expect("a file can be made");
        let flusher =
            Flusher::start(vec![database()], RunId::default(), Some(log)).expect("a thread can be started");
        for tick in 0..200 {
            flusher.request(left(tick)).expect("the disk has room");
        }
        flusher.finish().expect("the disk has room");
        let text = fs::read_to_string(&path).expect("the log is there");
        let matches: Vec<bool> = text
            .lines()
            .zip(0..)
            .map(|(line, tick)| line.contains(&format!("\"tick\":{tick},\"bloodstain\":\"L3.G{tick}.")))
            .collect();
        assert_eq!(matches, [true; 200], "{text}");
        assert!(flusher.request(left(200)).is_err(), "a closed flusher refuses requests");
    }

    #[test]
    fn a_failed_flush_is_returned_by_a_later_request() {
        let room = tempfile::tempdir().expect("there is room");
        let path = room.path().join("log");
        fs::write(&path, "").expect("a file can be made");
        let only_read = File::open(&path).expect("it is there");
        let flusher = Flusher::start(vec![database()], RunId::default(), Some(only_read))
            .expect("a thread can be started");
        let error = (0..100_000).find_map(|tick| flusher.request(left(tick)).err());
        let said = error.expect("it is noticed sooner or later").to_string();
        assert!(said.contains("Bad file descriptor") || said.contains("denied"), "{said}");
    }
}

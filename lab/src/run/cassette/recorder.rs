//! A cassette while it is being recorded (record/replay). The live model asks it before every call and makes only those that it lacks. One
//! recorder serves a run, a branch, or together all cells of a sweep whose arms record. Replies go to the journal first, so that an
//! interrupted recording resumes without paying twice; the cassette itself is written at the end (`finish`).

use super::journal::CassetteJournal;
use super::{AskerNames, Cassette, CassetteEntry};
use crate::io::error::{Context as _, Error, Result};
use morta_engine::llm::outside::{Asker, Call, CallKey, CallReply};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A recording client, as in record and replay by VCR: the recording so far, with its journal.
///
/// Replies are in the journal from the start, so a recording that is dropped unfinished loses nothing.
#[derive(Debug)]
pub struct Recorder {
    path: PathBuf,
    /// Every call known so far: of this file, of `begin_with`, of the journal and of this process.
    pub(super) cassette: Cassette,
    /// Calls that no other cassette had: they came by way of the journal.
    own: BTreeSet<CallKey>,
    journal: CassetteJournal,
}

impl Recorder {
    /// Goes on with the cassette of this name, if there is one, and with what its journal has; `begin_with` is added to it, for what
    /// another cassette has already.
    ///
    /// # Errors
    /// [`Error::Invalid`] when a file is no cassette, or another process records into this one.
    pub fn open(path: &Path, begin_with: Option<Cassette>) -> Result<Self> {
        let (journal, left) = CassetteJournal::open(path)?;
        let mut cassette = if path.exists() { Cassette::read(path)? } else { Cassette::default() };
        cassette.extend(begin_with.unwrap_or_default());
        let keys = left.entries().map(|entry| &entry.key);
        let own = keys.filter(|key| cassette.reply(key).is_none()).cloned().collect();
        cassette.extend(left);
        Ok(Self { path: path.to_owned(), cassette, own, journal })
    }

    /// Looks up the reply to a call, if it is there already (cache).
    pub fn find(&mut self, asker: Asker, key: &CallKey) -> Option<CallReply> {
        let reply = self.cassette.reply(key)?.clone();
        self.cassette.asked_by(key, AskerNames::from(asker));
        Some(reply)
    }

    /// Records a reply, in the append-only journal first.
    ///
    /// # Errors
    /// When it can't be written, or another reply to the call is there already.
    pub fn keep(&mut self, asker: Asker, call: &Call, reply: &CallReply) -> Result<()> {
        let entry = CassetteEntry::new(asker, call.clone(), reply.clone());
        self.journal.add(&entry)?;
        if self.cassette.reply(&entry.key).is_none() {
            self.own.insert(entry.key.clone());
        }
        self.cassette.insert(entry).map_err(Error::failed)
    }

    /// Leaves out calls whose replies were never read, as far as no other cassette had them: a run ends with calls under way, and which of
    /// them are answered by then is the clock's doing.
    pub fn leave_out(&mut self, unheard: &BTreeSet<CallKey>) {
        self.cassette.remove(unheard.intersection(&self.own));
    }

    /// Finalises the recording: writes the cassette and takes the journal away.
    ///
    /// # Errors
    /// When it can't be written; the journal then still has it all.
    pub fn finish(self) -> Result<Cassette> {
        self.cassette.write(&self.path).context("the cassette is still in its journal")?;
        self.journal.remove()?;
        Ok(self.cassette)
    }
}

//! A place that processes write to, and what they are asked.

use super::child::{Ending, Process};
use crate::common::copy;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// What lies in a place, by name, as far as it is the same however it came about. What isn't finished doesn't count.
pub type Content = BTreeMap<String, Vec<u8>>;

/// Who of those who meet does what was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// One of them; the others are told why not, with code 2.
    One,
    /// All, one after the other.
    All,
    /// At least one; whoever was told to come back comes back.
    Some,
}

type Asked = dyn Fn(usize) -> Vec<String>;
type Again = dyn Fn(&Path, usize) -> Vec<Vec<String>>;

/// What becomes of a place when the first comes alone.
#[derive(Clone, Debug)]
pub struct Alone {
    pub takes: Duration,
    pub content: Rc<Content>,
}

/// A folder or store, and who writes to it.
pub struct Place {
    pub name: &'static str,
    /// What is there before anybody comes.
    sample: TempDir,
    /// What the n-th of several is asked.
    pub asked: Box<Asked>,
    pub done: Done,
    /// What a refused process may say, besides nothing.
    pub refusals: &'static [&'static str],
    /// What is to be asked when the first few have been cut off or told to come back, until all they had to do is done. It may take away what
    /// a person would be told to take away.
    pub again: Box<Again>,
    /// What is there.
    pub content: fn(&Path) -> Content,
    /// Whether a part of what was to come may stay where somebody was cut off; what else is there then is nothing, or all of it.
    pub is_sound_in_part: fn(&Content) -> bool,
    /// What becomes of it when so many come one after the other, once that is known.
    after: RefCell<BTreeMap<usize, Rc<Content>>>,
    /// What the first takes when it is alone, and what it leaves, once that is known.
    alone: RefCell<Option<Alone>>,
}

impl Place {
    pub fn new(
        name: &'static str,
        sample: TempDir,
        asked: impl Fn(usize) -> Vec<String> + 'static,
        content: fn(&Path) -> Content,
    ) -> Self {
        let again = |_: &Path, _: usize| Vec::new();
        Self {
            name,
            sample,
            asked: Box::new(asked),
            done: Done::All,
            refusals: &[],
            again: Box::new(again),
            content,
            is_sound_in_part: |_| false,
            after: RefCell::default(),
            alone: RefCell::default(),
        }
    }

    pub fn done_by(mut self, done: Done, refusals: &'static [&'static str]) -> Self {
        (self.done, self.refusals) = (done, refusals);
        self
    }

    pub fn again(mut self, again: impl Fn(&Path, usize) -> Vec<Vec<String>> + 'static) -> Self {
        self.again = Box::new(again);
        self
    }

    pub fn in_parts(mut self, is_sound: fn(&Content) -> bool) -> Self {
        self.is_sound_in_part = is_sound;
        self
    }

    /// A room with the sample in it.
    pub fn room(&self) -> TempDir {
        let room = tempfile::tempdir().expect("there is room");
        copy(self.sample.path(), room.path());
        room
    }

    /// What becomes of it when so many come one after the other.
    pub fn after(&self, many: usize) -> Rc<Content> {
        if let Some(known) = self.after.borrow().get(&many) {
            return Rc::clone(known);
        }
        let content = Rc::new(self.unhurried(many));
        self.after.borrow_mut().insert(many, Rc::clone(&content));
        content
    }

    fn unhurried(&self, many: usize) -> Content {
        let room = self.room();
        for n in 0..many {
            let ended = Process::begin(room.path(), &(self.asked)(n), Ending::Own).end();
            let ended = ended.unwrap_or_else(|why| panic!("{}: {why}", self.name));
            assert!(ended.is_done() || self.done != Done::All, "{}: {ended:?}", self.name);
        }
        if many > 0 {
            self.come_back(room.path(), many).unwrap_or_else(|why| panic!("{}, unhurried: {why}", self.name));
        }
        let content = (self.content)(room.path());
        assert!(many == 0 || !content.is_empty(), "{}: nothing comes of it", self.name);
        content
    }

    /// What the first takes when it is alone, and what it leaves.
    ///
    /// # Errors
    /// When it takes too much.
    pub fn alone(&self) -> Result<Alone, String> {
        if let Some(known) = &*self.alone.borrow() {
            return Ok(known.clone());
        }
        let (room, begun) = (self.room(), Instant::now());
        Process::begin(room.path(), &(self.asked)(0), Ending::Own).end()?;
        let takes = begun.elapsed();
        let alone = Alone { takes, content: Rc::new((self.content)(room.path())) };
        *self.alone.borrow_mut() = Some(alone.clone());
        Ok(alone)
    }

    /// What was left undone is done.
    ///
    /// # Errors
    /// When it can't be.
    pub fn come_back(&self, room: &Path, many: usize) -> Result<(), String> {
        for arguments in (self.again)(room, many) {
            let ended = Process::begin(room, &arguments, Ending::Own).end()?;
            if !ended.is_done() {
                return Err(format!("afterwards {arguments:?} fails: {ended:?}"));
            }
        }
        Ok(())
    }
}

/// Arguments of a line, by its blanks.
pub fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

/// Differences of two contents, in words; none when they are the same.
pub fn difference(found: &Content, expected: &Content) -> Option<String> {
    let mut names = found.keys().chain(expected.keys());
    let differing = names.find(|name| found.get(*name) != expected.get(*name))?;
    let shown = |content: &Content| {
        content
            .get(differing)
            .map(|bytes| String::from_utf8_lossy(&bytes[..bytes.len().min(80)]).into_owned())
    };
    Some(format!("{differing}: {:?} in place of {:?}", shown(found), shown(expected)))
}

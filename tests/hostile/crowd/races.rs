//! Two to six processes that come to a place at about the same time.

use super::child::{Ended, Ending, Process};
use super::place::{Done, Place, difference};
use crate::luck::Luck;
use std::time::Duration;

/// Longest that somebody comes after the one before, microseconds: about what a process takes.
const LATER_MAX_US: usize = 60_000;

/// One race.
///
/// # Errors
/// What went wrong.
pub fn race(place: &Place, luck: &mut Luck) -> Result<(), String> {
    let many = 2 + luck.below(5);
    let room = place.room();
    let mut processes = Vec::new();
    for n in 0..many {
        processes.push(Process::begin(room.path(), &(place.asked)(n), Ending::Own));
        // Half of them come together.
        if luck.one_in(2) {
            std::thread::sleep(Duration::from_micros(luck.below(LATER_MAX_US) as u64));
        }
    }
    let ended: Result<Vec<Ended>, String> = processes.into_iter().map(Process::end).collect();
    let ended = ended?;
    ended.iter().try_for_each(|ended| judged(place, ended))?;
    let done = ended.iter().filter(|ended| ended.is_done()).count();
    let as_it_must = match place.done {
        Done::One => done == 1,
        Done::All => done == many,
        Done::Some => done >= 1,
    };
    if !as_it_must {
        return Err(format!("of {many}, {done} did it: {ended:?}"));
    }
    if place.done == Done::Some {
        place.come_back(room.path(), many)?;
    }
    match difference(&(place.content)(room.path()), &place.after(many)) {
        Some(difference) => Err(format!("after {many}: {difference}; {ended:?}")),
        None => Ok(()),
    }
}

fn judged(place: &Place, ended: &Ended) -> Result<(), String> {
    ended.judged(Ending::Own)?;
    let is_plain =
        ended.code() == Some(2) && place.refusals.iter().any(|refusal| ended.said.contains(refusal));
    if ended.is_done() || is_plain { Ok(()) } else { Err(format!("it may not say so: {ended:?}")) }
}

//! Processes that are cut off at any moment: what is there afterwards is what was there before or what was to come, and the next one brings
//! it to its end.

use super::child::{Ended, Ending, Process};
use super::place::{Content, Done, Place, difference};
use crate::luck::Luck;
use std::path::Path;
use std::time::Duration;

/// Half of them by what nobody can prepare for.
const ENDINGS: [Ending; 8] = [
    Ending::Signal("KILL"),
    Ending::Signal("KILL"),
    Ending::Signal("KILL"),
    Ending::Signal("KILL"),
    Ending::Signal("INT"),
    Ending::Signal("TERM"),
    Ending::Signal("PIPE"),
    Ending::NoReader,
];

/// One kill.
///
/// # Errors
/// What went wrong.
pub fn kill(place: &Place, luck: &mut Luck) -> Result<(), String> {
    let (before, done, once) = (place.after(0), place.alone()?.content, place.after(1));
    let room = place.room();
    let ending = ENDINGS[luck.below(ENDINGS.len())];
    let ended = cut_off(place, room.path(), ending, luck)?;
    ended.judged(ending)?;
    let how = |what: String| format!("{ending:?}: {what}; {ended:?}");
    let left = there(place, room.path());
    if ended.is_done() {
        if let Some(difference) = difference(&left, &done) {
            return Err(how(format!("it says that it is done: {difference}")));
        }
    } else if left != *before && left != *done && !(place.is_sound_in_part)(&left) {
        return Err(how(difference(&left, &before).unwrap_or_default()));
    }
    place.come_back(room.path(), 1).map_err(&how)?;
    if place.done == Done::All && left == *before {
        let again = Process::begin(room.path(), &(place.asked)(0), Ending::Own).end()?;
        if !again.is_done() {
            return Err(how(format!("afterwards nobody can: {again:?}")));
        }
    }
    difference(&there(place, room.path()), &once).map_or(Ok(()), |what| Err(how(what)))
}

/// What is there, but for the file of a lock: whoever is killed leaves it, and it locks nothing.
fn there(place: &Place, room: &Path) -> Content {
    let mut content = (place.content)(room);
    content.remove("lock");
    content
}

/// Begins what is asked first, and ends it after a part of what it takes, or somewhat more.
fn cut_off(place: &Place, room: &Path, ending: Ending, luck: &mut Luck) -> Result<Ended, String> {
    let most = place.alone()?.takes.as_micros() as usize * 5 / 4;
    let mut process = Process::begin(room, &(place.asked)(0), ending);
    if let Ending::Signal(name) = ending {
        std::thread::sleep(Duration::from_micros(luck.below(most) as u64));
        process.signal(name);
    }
    process.end()
}

//! Work on several threads whose results stand in the order of its parts, however many threads there are. It is a parallel map (fork-join)
//! that keeps the order: threads take parts by a shared counter, results are put at the place of their part. Results must not depend on
//! which thread was faster, because reports and analyses promise the same bytes. The parts are whole runs: the cells of a reproduction, the
//! worlds of a fit of constants, the seeds of a replication.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;

/// Does each of so many parts once, on so many threads (at least one) of this name, and returns their results in order (parallel map). The
/// error is the number of parts done, where `stop` was set before all were; results are lost then. The last part is begun first: callers
/// name the longest part last, and begun last it would leave all other threads idle at the end.
///
/// # Panics
/// When a part does, or no thread can be started.
pub(crate) fn in_order<T: Send>(
    parts: usize,
    (threads, name): (usize, &str),
    stop: &AtomicBool,
    part: impl Fn(usize) -> T + Sync,
) -> Result<Vec<T>, usize> {
    let begun = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while !stop.load(Ordering::Relaxed) {
            let Some(place) = parts.checked_sub(begun.fetch_add(1, Ordering::Relaxed) + 1) else { break };
            done.push((place, part(place)));
        }
        done
    };
    let join = |thread: ScopedJoinHandle<'_, _>| thread.join().unwrap_or_else(|panic| resume_unwind(panic));
    let mut done: Vec<(usize, T)> = std::thread::scope(|scope| {
        let thread = |number| std::thread::Builder::new().name(format!("{name}{number}"));
        let spawn = |number| thread(number).spawn_scoped(scope, work).expect("a thread can't be started");
        let threads: Vec<_> = (0..threads.max(1)).map(spawn).collect();
        threads.into_iter().flat_map(join).collect()
    });
    if done.len() < parts {
        return Err(done.len());
    }
    done.sort_unstable_by_key(|(place, _)| *place);
    Ok(done.into_iter().map(|(_, made)| made).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_stand_in_the_order_of_the_parts() {
        for threads in [0, 1, 3, 8] {
            let going_on = AtomicBool::new(false);
            assert_eq!(
                in_order(5, (threads, "ten-"), &going_on, |place| place * 10),
                Ok(vec![0, 10, 20, 30, 40])
            );
            assert_eq!(in_order(0, (threads, "ten-"), &going_on, |place| place), Ok(Vec::new()));
        }
        let stop = AtomicBool::new(false);
        let until_two = |place| stop.store(place == 3, Ordering::Relaxed);
        assert_eq!(in_order(5, (1, "one-"), &stop, until_two), Err(2));
    }
}

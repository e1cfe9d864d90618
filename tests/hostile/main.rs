//! Files that others have spoilt, processes that meet, and processes that are killed: nothing panics, hangs or eats the machine, what can't be
//! used is refused in a line, and what looks whole is whole.
//!
//! Short by default. `tests/hostile/long.sh` asks for a night's round; a failing case is done again by what its message says, as in
//! `HOSTILE_SEED=1 HOSTILE_KIND=owm HOSTILE_FROM=77 HOSTILE_CASES=1 cargo test --workspace --test hostile`.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]
#![allow(clippy::print_stdout, reason = "the counts of a round are what a long one is run for")]

mod bombs;
mod columns;
#[path = "../common/mod.rs"]
mod common;
mod crowd;
mod data;
mod effort;
mod folders;
mod kind;
mod limits;
mod luck;
mod memories;
mod mutate;
mod round;
mod tally;
mod texts;
mod watch;
mod written;

use round::rounds;

#[test]
fn texts_that_are_written_by_hand() {
    rounds(texts::kinds());
}

#[test]
fn tables_of_anybody() {
    rounds(data::kinds());
}

#[test]
fn what_runs_and_sweeps_leave() {
    rounds(folders::kinds());
}

#[test]
fn memories_of_users() {
    rounds(memories::kinds());
}

/// A long round tries a million, and leaves no kind out.
#[test]
fn the_plan_of_a_long_round_names_every_kind() {
    let plan = effort::plan(&common::root().join("tests/hostile/cases.txt"));
    let kinds = [texts::kinds(), data::kinds(), folders::kinds(), memories::kinds()];
    let names: std::collections::BTreeSet<String> =
        kinds.iter().flatten().map(|kind| kind.name.to_owned()).collect();
    assert_eq!(plan.keys().cloned().collect::<std::collections::BTreeSet<_>>(), names);
    assert!(
        plan.values().sum::<u64>() >= 1_000_000 && plan.values().all(|cases| *cases >= 10_000),
        "{plan:?}"
    );
}

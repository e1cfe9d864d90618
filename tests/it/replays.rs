//! `replays.parquet` against the other tables of shipped worlds: as many rows as episodes chosen, utilities that follow from their own terms,
//! and claims that rest on the rows that name them.

use crate::common::{self, root};
use morta_engine::replay::ReplayConfig;
use morta_lab::run_folder::{Dream, ReplayRow, RuleStep};
use morta_lab::{FinishedRun, RunFolder};
use std::collections::{BTreeMap, BTreeSet};

struct World {
    run: FinishedRun,
    replays: Vec<ReplayRow>,
    dreams: Vec<Dream>,
    staged: Vec<RuleStep>,
}

impl World {
    fn lived(scenario: &str, room: &tempfile::TempDir) -> Self {
        let out = room.path().join(scenario);
        common::run(&root().join("scenarios").join(scenario), &out, &[]);
        let run = RunFolder::open(&out).unwrap();
        let replays = run.replays().unwrap().all().unwrap();
        let dreams = run.dreams().unwrap().all().unwrap();
        let staged = run.rules().unwrap().keep(|rule| rule.step == "staged").unwrap();
        Self { run, replays, dreams, staged }
    }

    fn count(&self, is: impl Fn(&ReplayRow) -> bool) -> usize {
        self.replays.iter().filter(|row| is(row)).count()
    }
}

/// Utility from the terms of a row, by the formula of the replay spec.
fn utility(row: &ReplayRow, config: &ReplayConfig) -> f64 {
    let (gain, need) = (&config.gain_weights, &config.need_weights);
    let base = gain.surprise * row.surprise + gain.significance * row.significance + gain.regret * row.regret;
    let decay: f64 = (0..row.replays_before).map(|_| config.replay_decay).product();
    let need = need.similarity * row.likeness + need.regime * row.regime_match + need.recency * row.recency;
    let boosts = row.bloodstain_boost * row.curator_boost * row.mood_boost * row.legacy_boost;
    base.min(1.0) * decay * need.min(1.0) * (1.0 - config.spacing_weight * row.spacing) * boosts
}

fn utilities_follow_from_their_terms(world: &World) {
    let config = &world.run.manifest.scenario.dream.replay;
    for row in &world.replays {
        let expected = utility(row, config);
        assert!((row.utility - expected).abs() < 1e-4, "{expected} by hand: {row:?}");
        assert_eq!(row.reading_weight == 0.0, row.provenance != "own", "scars alone weigh nothing: {row:?}");
        assert_eq!(row.from_golem.is_none(), row.provenance == "own", "{row:?}");
    }
}

fn rows_are_what_dreams_count(world: &World) {
    let mut of_dream: BTreeMap<&str, Vec<&ReplayRow>> = BTreeMap::new();
    for row in &world.replays {
        of_dream.entry(&row.dream).or_default().push(row);
    }
    for dream in &world.dreams {
        let rows = of_dream.remove(dream.dream.as_str()).unwrap_or_default();
        assert_eq!(rows.len(), dream.episodes_chosen as usize, "{dream:?}");
        let places: Vec<u64> = rows.iter().map(|row| row.place).collect();
        assert!(places.iter().copied().eq(1..=rows.len() as u64), "{places:?}");
        let count = |is: fn(&ReplayRow) -> bool| Some(rows.iter().filter(|row| is(row)).count() as u32);
        if dream.outcome == "completed" {
            assert_eq!(count(|row| row.asked == Some(true)), dream.episodes_replayed, "{dream:?}");
            assert_eq!(count(|row| row.forecast_error_r.is_some()), dream.reverse_replays, "{dream:?}");
            // An episode whose course says nothing of a perturbation may still have been measured.
            let tried = |row: &ReplayRow| {
                row.perturbation.is_some()
                    || row.supposed_slippage_bps.is_some()
                    || row.supposed_gas_ratio.is_some()
            };
            assert_eq!(count(tried), dream.perturbed_replays, "{dream:?}");
            let batches: BTreeSet<_> =
                rows.iter().filter(|r| r.asked == Some(true)).map(|r| r.batch).collect();
            assert_eq!(Some(batches.len() as u32), dream.batches_processed, "{dream:?}");
        }
        for row in rows {
            assert_eq!(row.asked.is_none(), dream.outcome == "unfinished", "{row:?}");
            assert!(row.read != Some(true) || row.asked == Some(true), "read, and nothing asked: {row:?}");
            assert!(row.asked == Some(true) || row.perturbation.is_none(), "tried, and not asked: {row:?}");
            assert_eq!((row.began_tick, row.ended_tick), (dream.began_tick, dream.ended_tick));
        }
    }
    assert!(of_dream.is_empty(), "rows of dreams that nobody had: {of_dream:?}");
}

/// A row names the claims that were learned from it, and no others; a claim that a dream drew from an episode it had chosen is named by its row.
fn claims_rest_on_the_rows_that_name_them(world: &World) {
    let mut by_rule = BTreeSet::new();
    for step in &world.staged {
        let from = step.learned_from.iter().flat_map(|ids| ids.split_whitespace());
        by_rule.extend(from.filter_map(|id| Some((step.dream.as_deref()?, step.rule.as_str(), id))));
    }
    let chosen: BTreeSet<(&str, &str)> =
        world.replays.iter().map(|row| (row.dream.as_str(), row.episode.as_str())).collect();
    by_rule.retain(|(dream, _, episode)| chosen.contains(&(dream, episode)));
    let mut by_row = BTreeSet::new();
    for row in &world.replays {
        let rules: Vec<&str> = row.claim_rules.split_whitespace().collect();
        assert_eq!(rules.len() as u64, row.claims, "{row:?}");
        by_row.extend(rules.into_iter().map(|rule| (row.dream.as_str(), rule, row.episode.as_str())));
    }
    assert!(by_rule.len() > 100, "a world in which little is learned shows little: {}", by_rule.len());
    assert_eq!(by_rule, by_row);
}

fn check(scenario: &str) -> World {
    let room = tempfile::tempdir().unwrap();
    let world = World::lived(scenario, &room);
    rows_are_what_dreams_count(&world);
    utilities_follow_from_their_terms(&world);
    claims_rest_on_the_rows_that_name_them(&world);
    world
}

/// Nothing is chosen that can't be paid for, so that what diversity adds is read as the rest is, and is a share of what is read.
#[test]
fn picks_for_diversity_are_read_as_others_are() {
    let world = check("quickstart.toml");
    let is_diverse = |row: &ReplayRow| row.reason.ends_with("_diversity");
    let read = |row: &ReplayRow| row.read == Some(true);
    let (chosen, all_read) = (world.count(|_| true), world.count(read));
    assert!(chosen > 500 && all_read as f64 > 0.98 * chosen as f64, "{all_read} of {chosen} read");
    let diverse = world.count(|row| is_diverse(row) && read(row));
    assert!(diverse as f64 > 0.08 * all_read as f64, "{diverse} of {all_read} read are for diversity");
}

/// Interrupted dreams, and dreams with more room to read.
#[test]
fn a_night_of_dreams_is_told_by_episode() {
    let world = check("nightly.toml");
    assert!(world.dreams.iter().any(|dream| dream.outcome == "interrupted"));
    assert!(
        world.count(|row| row.asked == Some(true) && row.read == Some(false)) > 0,
        "no answer came too late"
    );
    assert!(world.count(|row| row.provenance != "own") > 0);
}

/// Golems whose predictions fail replay what surprised them.
#[test]
fn confused_dreams_are_told_by_episode() {
    let world = check("hard-times.toml");
    let confused = |row: &ReplayRow| row.replay_mode == "confused";
    assert!(world.count(confused) > 0);
    let by_surprise = |row: &ReplayRow| row.reason == "most_surprising" || row.reason.ends_with("_diversity");
    assert!(world.replays.iter().filter(|row| confused(row)).all(by_surprise));
}

//! Looks before the end: a sweep stops by itself at the first that settles what was registered, and says what was spent.

use super::room::{SWEEP, analysis, assert_same_tables, command, done, refused, results, room, swept};
use crate::common::{Program as _, morta};
use std::collections::BTreeSet;

/// Two arms that differ in what they pay for a tick, in every world the same way.
fn registered(looks: &str, count: u32, other: &str) -> String {
    let arms = SWEEP.find("[[arms]]").unwrap();
    let registration = SWEEP.find("[preregistration]").unwrap();
    let (head, tail) = (&SWEEP[..arms], &SWEEP[registration..]);
    let head = head.replace("design = \"grid\"\n", "").replace("count = 3", &format!("count = {count}"));
    let head = head.replace("[seeds]", "set = { ticks = 60 }\n\n[seeds]");
    let tail = tail[..tail.find("[profiles").unwrap()].replace("utility/risk=0.01", "dear");
    let tail =
        tail.replace("pnl_usdc", "compute_usdc").replace("survival = { horizon_ticks = 100 }\n", looks);
    format!("{head}[[arms]]\nname = \"dear\"\n\n[[arms]]\nname = \"other\"\nset = {{ {other} }}\n\n{tail}")
}

fn cheap(looks: &str) -> String {
    registered(looks, 40, "golem.compute_usdc_per_tick = 0.1")
}

const POCOCK: &str = "looks = [8, 20]\nspending = \"pocock\"\n";

#[test]
fn a_sweep_stops_at_the_first_look_that_settles_it() {
    let (here, out, told) = swept(&cheap(POCOCK), &["--jobs", "1"]);
    done(here.path(), &["--out", "four", "--jobs", "4"]);
    let how = "looks don't depend on how many cells are lived at once";
    assert_same_tables(&out, &here.path().join("four"), how);
    assert_eq!(told["cells"], 16, "{told}");
    let worlds: BTreeSet<String> = results(&out).iter().map(|row| row["seed"].clone()).collect();
    assert_eq!(worlds.len(), 8, "{worlds:?}");
    let analysis = analysis(&out);
    assert_eq!(analysis["standing"]["decides"], true);
    let looks = analysis["looks"].as_array().unwrap();
    assert_eq!(looks.len(), 1);
    // α·ln(1 + (e − 1)·.2) of .05; the one look's bound is all that is spent.
    let spent = 0.05 * (1.0 + (std::f64::consts::E - 1.0) * 0.2_f64).ln();
    for figure in ["spent", "bound_p"] {
        assert!((looks[0][figure].as_f64().unwrap() - spent).abs() < 1e-9, "{figure}: {looks:?}");
    }
    // All eight differences have one sign, so p is 2/256; beside all of alpha it counts as more.
    let found = &analysis["primary"]["arms"][1]["difference"];
    assert!((found["p"].as_f64().unwrap() - 2.0 / 256.0).abs() < 1e-12, "{found}");
    let corrected = found["corrected_p"].as_f64().unwrap();
    // At one look p equals what may be spent: alpha = p / ln(1 + (e − 1)·.2).
    assert!((corrected - 2.0 / 256.0 * 0.05 / spent).abs() < 1e-6, "{corrected}");
    assert!((found["error_rate"].as_f64().unwrap() - spent).abs() < 1e-9);
    // Whoever goes on finds nothing to do, and a page says why.
    let again = done(here.path(), &["--out", "out", "--resume"]);
    assert_eq!((&again["ran_now"], &again["status"]), (&0.into(), &"complete".into()), "{again}");
    morta().current_dir(here.path()).args(["report", "out", "--markdown"]).printed_with(&[
        "stopped by a registered look after 8 of 40 worlds; 0.01477 of the error rate",
        "8 worlds of 40 that were planned, seeds 5 to 12; 16 cells",
    ]);
}

/// Arms that differ in nothing but luck go on to the end, through every look.
#[test]
fn what_settles_nothing_goes_on_to_the_end() {
    let looks = "looks = [8, 14]\nspending = \"pocock\"\n";
    let text = registered(looks, 20, "dream.replay.prioritization = \"uniform\"");
    let text = text.replace("ticks = 60", "ticks = 400").replace("compute_usdc", "pnl_usdc");
    let tiny = text.replace("effect_of_interest = 0.1", "effect_of_interest = 1e-9");
    let (_here, out, told) = swept(&tiny, &[]);
    assert_eq!(told["cells"], 40, "{told}");
    let analysis = analysis(&out);
    let worlds: Vec<u64> =
        analysis["looks"].as_array().unwrap().iter().map(|look| look["worlds"].as_u64().unwrap()).collect();
    assert_eq!(worlds, [8, 14, 20], "{}", analysis["looks"]);
    let found = &analysis["primary"]["arms"][1]["difference"];
    let (p, corrected) = (found["p"].as_f64().unwrap(), found["corrected_p"].as_f64().unwrap());
    assert!(corrected > p, "the last look pays for those before it: {p} {corrected}");
}

/// Cells that several machines have lived are looked at in the same order.
#[test]
fn units_that_are_collected_are_looked_at_too() {
    let (here, whole, _) = swept(&cheap(POCOCK), &[]);
    command(here.path(), &["--out", "units", "--cells", "0..40", "--json"]).printed();
    done(here.path(), &["--out", "units", "--collect"]);
    let how = "worlds beyond the look don't count";
    assert_same_tables(&whole, &here.path().join("units"), how);
}

#[test]
fn looks_that_decide_nothing_are_refused() {
    for (looks, expected) in [
        ("looks = [5, 20]", "looks.0 = 5: look 1, at 5 pairs: its bound is p = "),
        ("looks = [20, 10]", "looks.1 = 10: must be more than the 20 before it"),
        ("spending = \"pocock\"", "spending = pocock: only looks spend: name them, or leave this out"),
    ] {
        refused(&cheap("LOOKS\n"), "LOOKS", looks, &format!("preregistration.{expected}"));
    }
    let here = room(&cheap("looks = [14, 60]\n"));
    let told = done(here.path(), &["--dry-run"]);
    let notes = told["notes"].to_string();
    assert!(notes.contains("nobody looks after 60 worlds, for seeds.count = 40"), "{told}");
    assert_eq!(told["looks"].as_array().unwrap().len(), 2);
}

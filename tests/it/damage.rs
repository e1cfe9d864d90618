//! Files that have come to harm since they were written, and files that others wrote: what they hold is shown as it is or not at all.

use crate::common::{Program as _, compare, lived, morta, root, text, written};
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

fn told(arguments: &[&str]) -> (i32, String, String) {
    morta().args(arguments).timeout(Duration::from_secs(60)).ended()
}

/// One line on standard error, and code 2.
fn refused(arguments: &[&str], expected: &str) {
    morta().args(arguments).timeout(Duration::from_secs(60)).refused_in_a_line(&[expected]);
}

#[test]
fn tables_whose_bytes_are_not_those_of_the_manifest_are_not_shown() {
    let (room, dir) = lived("scenarios/synthetic.toml", &["--set", "ticks=60"]);
    let (lives, page) = (dir.join("lives.parquet"), room.path().join("page.html"));
    let inspect = ["inspect", text(&dir), "lives"];
    let report = ["report", text(&dir), "--out", text(&page)];
    assert_eq!((told(&inspect).0, told(&report).0), (0, 0));
    fs::remove_file(&page).unwrap();
    let sound = fs::read(&lives).unwrap();
    for part in 1..20 {
        let mut bytes = sound.clone();
        bytes[sound.len() * part / 20] ^= 1 << (part % 8);
        fs::write(&lives, &bytes).unwrap();
        for command in [&inspect[..], &report[..]] {
            let (code, _, said) = told(command);
            assert!(code == 1 && said.contains("lives.parquet is damaged"), "{part}, {command:?}: {said}");
        }
    }
    assert!(!page.exists());
}

/// The manifest has no hash of itself: what it claims is drawn or refused, however large.
#[test]
fn a_manifest_that_claims_ages_is_reported_or_refused() {
    let (room, dir) = lived("scenarios/synthetic.toml", &["--set", "ticks=60"]);
    let page = room.path().join("page.html");
    let sound = fs::read_to_string(dir.join("manifest.json")).unwrap();
    for ticks in ["0", "18446744073709551615", "9223372036854775807"] {
        let told_ticks = format!("\n  \"ticks\": {ticks},");
        let claims = sound.replacen("\n  \"ticks\": 60,", &told_ticks, 1);
        assert_ne!(claims, sound);
        fs::write(dir.join("manifest.json"), claims).unwrap();
        let (code, _, said) = told(&["report", text(&dir), "--out", text(&page)]);
        assert!(matches!(code, 0..=2) && !said.contains("panicked"), "{ticks}: {code:?} {said:.300}");
    }
}

/// What terminals obey is told by its number, and JSON still says what the file says.
#[test]
fn nothing_from_files_is_obeyed_by_a_terminal() {
    let arm = "\u{1b}[31mred\u{202e}der\u{9b}";
    let rows: String =
        (0..6).map(|world| format!("{world},a,{world}\n{world},{arm},{}\n", world * 2 + 1)).collect();
    let (room, table) = written("t.csv", format!("w,arm,x\n{rows}"));
    let compare = compare(&table);
    let obeyed = |text: &str| text.contains(['\u{1b}', '\u{202e}', '\u{9b}']);
    let (code, shown, said) = told(&compare);
    assert!(code == 0 && shown.contains(r"\u001b[31mred\u202eder\u009b"), "{shown}{said}");
    assert!(!obeyed(&shown) && !obeyed(&said));
    let (_, json, _) = told(&[&compare[..], &["--json"]].concat());
    assert!(!obeyed(&json));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let arms: Vec<&str> =
        json["arms"].as_array().unwrap().iter().map(|one| one["arm"].as_str().unwrap()).collect();
    assert!(arms.contains(&arm), "{arms:?}");
    let missing = room.path().join(format!("{arm}.csv"));
    let (code, _, said) = told(&["stats", "survival", text(&missing), "--duration", "t", "--event", "e"]);
    assert!(code == 2 && !obeyed(&said), "{said}");
}

#[test]
fn figures_and_labels_out_of_all_proportion_are_refused() {
    let room = tempfile::tempdir().unwrap();
    let table = room.path().join("t.csv");
    let check = |rows: &str, expected: &str| {
        fs::write(&table, format!("w,arm,x\n{rows}")).unwrap();
        refused(&compare(&table), expected);
    };
    let good = "1,a,2\n1,b,3\n2,a,2\n2,b,4\n3,a,1\n3,b,4\n";
    // World 4 is no shared one.
    check(&format!("{good}4,b,1e91\n"), "1e91 is too large, the most is 1e90");
    check(&good.replace('b', &"b".repeat(70_000)), "has a text of 70000 bytes");
    let long = good.replace("1,a,2", &format!("1,a,{}", "x".repeat(9_000)));
    check(&long, "bytes more): must be a finite number");
    for (flag, value) in [("--target", "nan"), ("--target", "inf"), ("--level", "0.9999999999999999")] {
        morta().args(compare(&table)).args([flag, value]).refused_with(&[flag]);
    }
}

/// Nobody writes to the pipe: to open it would never end.
#[test]
fn a_pipe_is_no_file_of_prices() {
    let room = tempfile::tempdir().unwrap();
    let pipe = room.path().join("prices.csv");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let scenario = room.path().join("s.toml");
    let quickstart = fs::read_to_string(root().join("scenarios/quickstart.toml")).unwrap();
    fs::write(&scenario, quickstart.replace("../sim-data/xauusd_hour.csv.gz", "prices.csv")).unwrap();
    let begun = Instant::now();
    refused(&["validate", text(&scenario)], "it is not a file");
    assert!(begun.elapsed() < Duration::from_secs(20));
}

/// What the system doesn't allow, to whomever, is told as that, and not as damage.
#[test]
fn what_may_not_be_written_is_told_as_such() {
    let room = tempfile::tempdir().unwrap();
    let (out, scenario) = (room.path().join("run"), root().join("scenarios/quickstart.toml"));
    let run = ["run", text(&scenario), "--ticks", "5"];
    // Nobody makes a folder there.
    let never = "/sys/morta";
    let log = room.path().join("log.jsonl");
    fs::write(&log, "{}\n").unwrap();
    for asked in [
        [&run[..], &["--out", never]].concat(),
        [&run[..], &["--out", text(&out), "--lethe", never]].concat(),
        vec!["memory", "owm", "remember", never, text(&log)],
    ] {
        let (code, _, said) = told(&asked);
        assert!(matches!(code, 1 | 2) && said.lines().count() == 1, "{asked:?}: {code:?} {said}");
        let is_plain =
            said.contains("not permitted") || said.contains("denied") || said.contains("Read-only");
        assert!(is_plain && said.contains("/sys/") && !said.contains("damaged"), "{asked:?}: {said}");
    }
}

/// Nobody is taken by surprise by a machine that stands still.
#[test]
fn more_golems_than_there_is_memory_for_are_not_begun() {
    let set = "cohorts=[{name=\"a\",golems=10000000,memory=\"none\"}]";
    let scenario = root().join("scenarios/synthetic.toml");
    let run = ["run", text(&scenario), "--no-record", "--ticks", "1", "--set", set];
    let available = fs::read_to_string("/proc/meminfo").unwrap();
    let free_kb: u64 = available
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:")?.trim().strip_suffix("kB")?.trim().parse().ok())
        .unwrap();
    // Where there is room for ten millions, there is nothing to refuse.
    if free_kb < 97_000_000 {
        refused(&run, "10000000 golems take 100.0 GB of memory at birth");
    }
}

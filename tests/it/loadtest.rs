//! `morta loadtest` as its users call it. Nothing here depends on how fast the machine is.

use crate::common::{Program as _, json_of, morta};
use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};
use serde_json::Value;
use std::fs;

fn loadtest(flags: &[&str]) -> (i32, String, String) {
    morta().arg("loadtest").args(flags).ended()
}

fn json(flags: &[&str]) -> Value {
    let (code, out, err) = loadtest(&[flags, &["--json"]].concat());
    assert_eq!((code, err.as_str()), (0, ""), "{flags:?}");
    serde_json::from_str(&out).unwrap()
}

/// Every request is in one place, in the counts, in the histograms and in the intervals.
fn conserved(measured: &Value) {
    let count = |of: &Value, name: &str| of[name].as_u64().unwrap();
    let counts = &measured["counts"];
    let of = |name| count(counts, name);
    assert_eq!(of("offered"), of("answered") + of("dropped") + of("unanswered"), "{counts}");
    for durations in ["latency", "service", "waiting"] {
        let recorded = measured[durations]["count"].as_u64().unwrap_or(0);
        assert_eq!(recorded, of("answered"), "{durations}");
    }
    assert_eq!(count(&measured["lag"], "count"), of("offered"));
    let intervals = measured["intervals"].as_array().unwrap();
    let sum = |name: &str| intervals.iter().map(|interval| count(interval, name)).sum::<u64>();
    assert_eq!((sum("offered"), sum("dropped")), (of("offered"), of("dropped")));
    assert!(of("finished_in_time") <= sum("finished"));
    let latency = &measured["latency"];
    let percentiles = ["p50_ns", "p90_ns", "p99_ns", "p99_9_ns", "p99_99_ns", "max_ns"];
    let values: Vec<u64> = percentiles.iter().map(|name| count(latency, name)).collect();
    assert!(values.is_sorted() && values[5] > 0, "{latency}");
    let at_most = |durations: &str| count(&measured[durations], "max_ns") <= values[5];
    assert!(at_most("service") && at_most("waiting"), "latency holds all that happened to a request");
}

#[test]
fn made_grimoires_under_an_open_load() {
    let test = json(&[
        "--episodes", "200", "--dim", "8", "--buffers", "3", "--rate", "200", "--duration", "0.6",
        "--warmup", "0.2", "--interval", "0.25", "--scorers", "2", "--seed", "7",
    ]);
    assert_eq!((test["format"].as_u64(), test["interrupted"].as_bool()), (Some(1), Some(false)));
    assert_eq!(test["subject"]["kind"], "made");
    assert_eq!(test["subject"]["places"], 64);
    assert!(test["knee"].is_null() && test["started_at"].is_string());
    let measured = &test["steps"][0]["measured"];
    assert_eq!(measured["latency_from"], "due");
    conserved(measured);
    assert_eq!(measured["counts"]["unanswered"], 0);
    assert_eq!(measured["measured_s"], 0.6);
    // The plan is that of the seed, whoever is in the way: 200/s for 0.6 s.
    let offered = measured["counts"]["offered"].as_u64().unwrap();
    assert!((70..170).contains(&offered), "{offered}");
    let simulated = json(&[
        "--buffers", "3", "--rate", "200", "--duration", "0.6", "--warmup", "0.2", "--seed", "7",
        "--scorers", "2", "--simulate-service", "constant:1us",
    ]);
    assert_eq!(simulated["steps"][0]["measured"]["counts"]["offered"], offered, "a plan can be repeated");
}

#[test]
fn a_queue_that_is_full_drops_and_counts() {
    // Large Grimoires, one place, and far more requests than a scorer can answer on any machine.
    let test = json(&[
        "--episodes", "20000", "--dim", "16", "--buffers", "1", "--rate", "100000", "--duration", "0.3",
        "--warmup", "0", "--scorers", "1", "--queue", "1",
    ]);
    let measured = &test["steps"][0]["measured"];
    conserved(measured);
    assert!(measured["counts"]["dropped"].as_u64() > Some(0) && measured["depth"]["max"] == 1, "{measured}");
}

#[test]
fn closed_clients_wait_and_say_what_they_omit() {
    let flags = [
        "--mode", "closed", "--episodes", "100", "--buffers", "2", "--duration", "0.3", "--warmup", "0.1",
        "--scorers", "1",
    ];
    let test = json(&flags);
    let measured = &test["steps"][0]["measured"];
    conserved(measured);
    assert_eq!((&measured["latency_from"], &measured["counts"]["dropped"]), (&"sent".into(), &0.into()));
    assert!(measured["depth"]["max"].as_u64().unwrap() <= 2, "one request a client");
    assert!(test["warnings"][0].as_str().unwrap().contains("omits"));
    let (_, text, _) = loadtest(&flags);
    assert!(text.contains("closed loop") && text.contains("from sending (omits)"), "{text}");
}

/// Tene's example from the outside: 25.0 s and 98 s, where a waiting client finds 11 ms.
#[test]
fn a_researcher_can_check_the_generator() {
    let stall = [
        "--rate", "100", "--arrivals", "constant", "--duration", "200", "--warmup", "0",
        "--simulate-service", "constant:1ms", "--simulate-stall", "100..200",
    ];
    let open = [&stall[..], &["--buffers", "10000", "--scorers", "10000"]].concat();
    let latency = &json(&open)["steps"][0]["measured"]["latency"].clone();
    let near = |value: &Value, expected: f64| (value.as_f64().unwrap() / expected - 1.0).abs() < 1e-3;
    assert!(near(&latency["mean_ns"], 25.0035e9) && near(&latency["p99_ns"], 98.001e9), "{latency}");
    let closed = [&stall[..], &["--buffers", "1", "--mode", "closed"]].concat();
    let latency = &json(&closed)["steps"][0]["measured"]["latency"].clone();
    assert!(near(&latency["mean_ns"], 10.999e6) && latency["count"] == 10_001, "{latency}");
    let text = |flags: &[&str]| loadtest(flags).1;
    assert_eq!(text(&open), text(&open), "virtual time tells the same every time");
}

#[test]
fn a_sweep_finds_the_knee_and_leaves_a_page_and_a_log() {
    let room = tempfile::tempdir().unwrap();
    let (folder, log) = (room.path().join("load"), room.path().join("sweep.hlog"));
    let (out, hdr) = (folder.to_str().unwrap(), log.to_str().unwrap());
    let test = json(&[
        "--sweep", "100..1200", "--steps", "12", "--duration", "60", "--warmup", "5", "--simulate-service",
        "exponential:1ms", "--queue", "1000", "--out", out, "--hdr", hdr,
    ]);
    let steps = test["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 12);
    steps.iter().for_each(|step| conserved(&step["measured"]));
    let knee = &test["knee"];
    let (sustained, overloaded) =
        (knee["sustained_per_s"].as_f64().unwrap(), knee["overloaded_per_s"].as_f64().unwrap());
    assert!(sustained >= 600.0 && overloaded <= 1000.0 && sustained < overloaded, "{knee}");

    let page = fs::read_to_string(folder.join("report.html")).unwrap();
    assert!(page.contains("Saturation begins between") && page.contains("<svg"));
    assert_eq!(page.matches("<script").count(), 1, "its own script, which answers the pointer");
    assert!(
        !page.contains("http://")
            || page.matches("http://").count() == page.matches("http://www.w3.org").count()
    );
    for plot in ["latency-against-rate.svg", "throughput.svg"] {
        assert!(fs::read_to_string(folder.join(plot)).unwrap().contains("<path"), "{plot}");
    }
    let kept = json_of(&folder.join("loadtest.json"));
    assert_eq!(kept, test);
    // The page is a function of the folder.
    morta().arg("report").arg(&folder).arg("--out").arg(room.path().join("again.html")).assert().success();
    assert_eq!(fs::read_to_string(room.path().join("again.html")).unwrap(), page);

    let bytes = fs::read(&log).unwrap();
    assert_eq!(bytes, fs::read(folder.join("latency.hlog")).unwrap());
    let entries: Vec<LogEntry<'_>> = IntervalLogIterator::new(&bytes).collect::<Result<_, _>>().unwrap();
    let tags: std::collections::BTreeSet<&str> = entries
        .iter()
        .filter_map(|entry| match entry {
            LogEntry::Interval(interval) => interval.tag().map(|tag| tag.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(tags.len(), 12, "{tags:?}");
}

#[test]
fn golems_of_a_scenario_under_load() {
    let load = ["--ticks", "400", "--rate", "100", "--duration", "0.3", "--warmup", "0", "--scorers", "1"];
    let test = json(&[&["scenarios/controls/learnable.toml"], &load[..]].concat());
    let subject = &test["subject"];
    assert_eq!((&subject["kind"], &subject["ticks"]), (&"lived".into(), &400.into()));
    assert!(["buffers", "episodes_max"].iter().all(|count| subject[count].as_u64() > Some(0)), "{subject}");
    conserved(&test["steps"][0]["measured"]);
    let few = ["loadtest", "scenarios/controls/learnable.toml", "--ticks", "1", "--rate", "10"];
    let err = morta().args(few).refusal();
    assert!(err.contains("there is nothing to score"), "{err}");
}

#[test]
fn a_sweep_finds_its_rates_when_none_are_given() {
    let load = ["--ticks", "400", "--steps", "3", "--duration", "0.2", "--warmup", "0", "--scorers", "1"];
    let test = json(&[&["scenarios/load/scoring.toml"], &load[..]].concat());
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    let (at_once, rates) = (number(&test["asked"]["at_once_per_s"]), &test["asked"]["rates"]);
    assert_eq!(rates.as_array().unwrap().len(), 3);
    for (rate, share) in [(&rates[0], 0.1), (&rates[2], 1.2)] {
        assert!((number(rate) / (share * at_once) - 1.0).abs() < 0.06, "{at_once}: {rates}");
    }
    test["steps"].as_array().unwrap().iter().for_each(|step| conserved(&step["measured"]));
    assert!(test["knee"].is_object(), "{test}");
}

#[test]
fn the_impossible_is_refused_with_its_arithmetic() {
    for (flags, expected) in [
        (&["--rate", "0"][..], "--rate 0: must be a number of requests a second above 0"),
        (&["--rate", "-5"], "--rate -5: must be a number of requests a second above 0"),
        (&["--rate", "NaN"], "--rate NaN: must be a number of requests a second above 0"),
        (&["--rate", "inf"], "--rate inf: must be a number of requests a second above 0"),
        (&["--rate", "1e8"], "1 s / 100000000 = 10.0 ns between requests"),
        (
            &["--rate", "1e6", "--duration", "2000", "--warmup", "0"],
            "1000000/s × (0 s + 2000 s) = 2.000e9 requests",
        ),
        (&["--rate", "0.1", "--duration", "2"], "0.1/s × 2 s = 0.2 requests"),
        (&["--rate", "5", "--buffers", "0"], "--buffers 0: use 1 to 1048576"),
        (&["--rate", "5", "--buffers", "-1"], "--buffers -1: use 1 to 1048576"),
        (
            &["--rate", "5", "--episodes", "1000001"],
            "--episodes 1000001: use 1 to 1000000 (what a Grimoire holds)",
        ),
        (&["--rate", "5", "--episodes", "0"], "--episodes 0: use 1 to 1000000"),
        (&["--rate", "5", "--duration", "0"], "--duration 0: must be above 0"),
        (&["--rate", "5", "--duration", "-3"], "--duration -3: must be above 0"),
        (&["--rate", "5", "--duration", "soon"], "--duration soon: use a time such as"),
        (&["--rate", "5", "--warmup", "-1"], "--warmup -1: must be at least 0"),
        (&["--rate", "5", "--scorers", "0"], "--scorers 0: use 1 to 512"),
        (&["--rate", "5", "--scorers", "512", "--queue", "9000"], "--scorers 512 × --queue 9000 = 4608000"),
        (&["--rate", "5", "--duration", "200000", "--interval", "1"], "= 200000 intervals: at most 100000"),
        (
            &["--rate", "5", "--buffers", "100000", "--episodes", "1000000", "--dim", "64"],
            "--buffers 100000 × --episodes 1000000 ×",
        ),
        (&["--sweep", "10..5"], "10 is not below 5"),
        (&["--sweep", "fast"], "use two rates, the lower first"),
        (&["--sweep", "0..5"], "--sweep 0: must be a number"),
        (&["--sweep", "10..50", "--mode", "closed"], "sweep in an open loop"),
        (&["--duration", "1ms"], "rates are found from 0.01 s on"),
        (
            &["--duration", "1", "--simulate-service", "constant:1ms"],
            "an open loop of simulated scorers needs --rate R",
        ),
        (&["--rate", "5", "--simulate-service", "gamma:1ms"], "use exponential:TIME or constant:TIME"),
        (
            &["--rate", "5", "--simulate-service", "constant:1ms", "--simulate-stall", "5..2"],
            "the earlier first",
        ),
        (&["--rate", "5", "--hdr", "no-such-folder/x.hlog"], "there is no folder no-such-folder"),
    ] {
        let (code, out, err) = loadtest(flags);
        assert_eq!((code, out.as_str()), (2, ""), "{flags:?}");
        assert!(err.starts_with("error: ") && err.contains(expected), "{flags:?}: {err}");
    }
}

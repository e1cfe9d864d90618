//! `morta report`: one page for a run or a sweep, with the numbers that `morta stats` gives.

use crate::common::{
    Program as _, Text as _, edit_json, json_of, lived, manifest, morta, replace_in, room_with,
};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const SCENARIO: &str = r#"name = "small"
seed = 99
ticks = 300

[[cohorts]]
name = "bardo"
golems = 5
memory = "bardo"

[market]
warmup_ticks = 64

[[market.assets]]
symbol = "SYN"
source = { kind = "synthetic", volatility = 0.006, half_spread_bps = 0.1 }

[golem]
compute_usdc_per_tick = 0.2

[mortality]
hazard_scale = 3000.0
"#;

const SWEEP: &str = r#"name = "try"
description = "<script>alert('a')</script> & more"
scenario = "small.toml"

[seeds]
first = 5
count = 3

[[arms]]
name = "plain"

[[arms]]
name = "bold"
set = { golem.risk_per_trade = 0.05 }

[[arms]]
name = "immortal"
set = { population.policy = "immortal" }
"#;

const REGISTERED: &str = r#"
[preregistration]
hypothesis = "Boldness costs."
primary = { measure = "pnl_usdc", direction = "more" }
baseline = "plain"
analysis = "Over worlds."
effect_of_interest = 0.1
secondary = ["trades"]
"#;

fn json(args: &[&str], paths: &[&Path]) -> Value {
    morta().args(args).args(paths).arg("--json").json()
}

fn refused(dir: &Path, expected: &str) {
    morta().arg("report").arg(dir).refused_in_a_line(&[expected]);
}

fn page(dir: &Path) -> String {
    json(&["report"], &[dir]);
    fs::read_to_string(dir.join("report.html")).unwrap()
}

/// Nothing comes from elsewhere, and nothing runs but the page's own script.
fn stands_alone(html: &str) {
    let html = &html.replacen(&format!("<script>{}</script>", morta_lab::POINTER), "", 1);
    assert_eq!(html.matches("http").count(), html.matches("\"http://www.w3.org/2000/svg\"").count());
    for forbidden in ["<script", "<link", "<img", "src=", "@import", "url(", "NaN", "inf "] {
        assert!(!html.contains(forbidden), "{forbidden}");
    }
    assert_eq!(html.matches("<svg").count(), html.matches("</desc>").count());
}

/// A sweep's room, and the folder in it that was lived.
fn sweep(text: &str) -> (TempDir, PathBuf) {
    let room = room_with([("small.toml", SCENARIO), ("try.toml", text)]);
    let out = room.path().join("out");
    morta().arg("sweep").arg(room.path().join("try.toml")).arg("--out").arg(&out).printed();
    (room, out)
}

/// A number with four significant digits, as pages have it.
fn figure(value: f64) -> String {
    let decimals = (3 - value.abs().log10().floor() as i32).clamp(0, 7) as usize;
    format!("{value:.decimals$}")
}

#[test]
fn a_run_tells_what_stats_tell() {
    let (room, out) = lived("scenarios/synthetic.toml", &["--ticks", "300"]);
    let html = page(&out);
    stands_alone(&html);
    assert!(html.contains(manifest(&out)["digest"].as_str().unwrap()), "the digest is on the page");
    let lives = out.join("lives.parquet");
    let flags =
        ["stats", "survival", "--duration", "lifespan_ticks", "--event", "!censored", "--group", "cohort"];
    let stats = json(&flags, &[&lives]);
    for group in stats["groups"].as_array().unwrap() {
        let (name, curve) = (group["group"].as_str().unwrap(), &group["curve"]);
        let start = format!(
            "<th scope=\"row\">{name}</th><td class=\"n\">{}</td><td class=\"n\">{}</td>",
            curve["lives"], curve["events"]
        );
        assert!(html.contains(&start), "{start}");
    }
    assert_eq!(html, page(&out), "the same tables give the same page");
    assert!(!out.join("report.html.partial").exists());

    let (plots, elsewhere) = (room.path().join("plots"), room.path().join("other.html"));
    let plots_flag = plots.to_str().unwrap();
    let told = json(&["report", "--svg", plots_flag, "--out", elsewhere.to_str().unwrap()], &[&out]);
    assert_eq!(fs::read_to_string(&elsewhere).unwrap(), html);
    let figures = told["figures"].as_array().unwrap();
    assert!(figures.len() >= 5, "{told}");
    for name in figures {
        let file = fs::read_to_string(plots.join(format!("{}.svg", name.as_str().unwrap()))).unwrap();
        assert!(file.starts_with("<?xml") && file.contains("<style>") && file.ends_with("</svg>\n"));
        let data = csv::Reader::from_path(plots.join(format!("{}.csv", name.as_str().unwrap())));
        assert!(data.unwrap().records().all(|row| row.is_ok()), "{name}: every row has the header's columns");
    }

    fs::remove_file(out.join("trades.parquet")).unwrap();
    refused(&out, "trades.parquet: this table is missing");
}

#[test]
fn a_sweep_tells_what_stats_tell() {
    let (_room, out) = sweep(&format!("{SWEEP}{REGISTERED}"));
    let html = page(&out);
    stands_alone(&html);
    assert!(html.contains("&lt;script&gt;alert(&#39;a&#39;)&lt;/script&gt; &amp; more"));
    assert!(html.contains("Nobody of immortal was seen to die"), "an arm without a death is told of");

    let mut results = csv::Reader::from_path(out.join("results.csv")).unwrap();
    let header = results.headers().unwrap().clone();
    let flags = "stats compare --score pnl_usdc --arm arm --pair seed --baseline plain --only cohort=all";
    let stats = json(&flags.split(' ').collect::<Vec<_>>(), &[&out.join("results.csv")]);
    let comparisons = stats["comparisons"].as_array().unwrap();
    assert_eq!(comparisons.len(), 2);
    for compared in comparisons {
        let interval = &compared["interval"];
        let (low, high) = (interval["low"].as_f64().unwrap(), interval["high"].as_f64().unwrap());
        let cell = format!(" [{}, {}]</td>", figure(low), figure(high));
        assert!(html.contains(&cell), "{}: {cell}", compared["name"]);
        let (p, holm) =
            (compared["sign_flip"]["p"].as_f64().unwrap(), compared["sign_flip_holm_p"].as_f64().unwrap());
        let cell = if p == holm { format!("{p:.3}</td>") } else { format!("{p:.3} ({holm:.3})</td>") };
        assert!(html.contains(&cell), "{}: {cell}", compared["arm"]);
    }
    assert!(html.contains("no result could have decided"), "three worlds decide nothing");
    let analysis = json_of(&out.join("analysis.json"));
    for said in analysis["sentences"].as_array().unwrap() {
        let words = morta_lab::measure::with_labels(said.as_str().unwrap());
        assert!(words.contains("in profit of all"), "{words}");
        assert!(html.contains(&words.replace('\'', "&#39;")), "{words}");
    }
    assert!(html.contains("Profit: differences from plain"), "titles are in words");
    assert_eq!(html, page(&out));

    let manifest = out.join("sweep.json");
    fs::remove_file(out.join("lives.parquet")).unwrap();
    refused(&out, "lives.parquet: this table is missing");
    edit_json(&manifest, |cut| {
        cut["status"] = "running".into();
        cut["files"] = Value::Array(Vec::new());
    });
    let results = fs::read_to_string(out.join("results.csv")).unwrap();
    let others = results.lines().filter(|line| !line.starts_with("plain,7,"));
    let mut results: String = others.map(|line| format!("{line}\n")).collect();
    let rest = ",".repeat(header.len() - 6);
    results.push_str(&format!("plain,7,all,,failed,<b>boom</b>{rest}\n"));
    fs::write(out.join("results.csv"), results).unwrap();
    page(&out).must_have(&[
        "<td>&lt;b&gt;boom&lt;/b&gt;</td><td class=\"n\">7</td>",
        "This sweep is not finished: 9 of 9 cells have ended",
        "There are no survival curves",
    ]);
    fs::write(&manifest, "{").unwrap();
    refused(&out, "sweep.json is damaged");
}

/// An analysis of another build's format is made anew from the cells; where that fails, page, list and statistics have the reason.
#[test]
fn an_analysis_of_another_format_is_named() {
    let (room, out) = sweep(&format!("{SWEEP}{REGISTERED}"));
    let (whole, file) = (page(&out), out.join("analysis.json"));
    replace_in(&file, "\"format\": 2", "\"format\": 1");
    assert_eq!(page(&out), whole);
    morta().arg("list").arg(room.path()).printed_with(&["its analysis is of another build"]);
    let other = "analysis.json has format 1 of another build";
    morta().args(["stats", "across"]).arg(room.path()).refused_with(&[other]);
    let cells = fs::read_dir(out.join("cells")).unwrap();
    for cell in cells {
        fs::write(cell.unwrap().path().join("cell.json"), "{").unwrap();
    }
    let why = format!("There is no verdict: {other}");
    page(&out).must_have(&[&why, "can&#39;t be made anew from the cells"]);
}

/// The page asks what the sweep asked.
#[test]
fn a_question_is_the_pages_question() {
    let asked = "[question]\nmeasure = \"trades\"\ncohort = \"bardo\"\n";
    let (_room, out) = sweep(&format!("{SWEEP}{asked}"));
    page(&out).must_have(&["of bardo (trades)</", "Lives of bardo."]);
}

#[test]
fn one_world_is_described_and_not_judged() {
    let (_room, out) = sweep(&SWEEP.replace("count = 3", "count = 1"));
    let html = page(&out);
    stands_alone(&html);
    html.must_have(&[
        "nothing was registered, so figures describe and nothing is tested",
        "[no interval, because paired differences: 1 of them, and at least 2 are needed",
        "1 world, untested",
    ]);
}

#[test]
fn what_is_no_run_and_no_sweep_is_refused() {
    let room = tempfile::tempdir().unwrap();
    refused(room.path(), "this is neither a run nor a sweep");
    refused(&room.path().join("nowhere"), "there is no such folder");
    let file = room.path().join("file");
    fs::write(&file, "").unwrap();
    refused(&file, "this is a file");
}

//! Every mistake of a scenario file or its data is one clear line, and exit code 2.

use crate::common::{Program as _, Text as _, morta, room_with};
use std::path::Path;
use tempfile::TempDir;

const SCENARIO: &str = r#"name = "small"
seed = 1
ticks = 3

[[cohorts]]
name = "bardo"
golems = 2
memory = "bardo"

[market]
warmup_ticks = 2

[market.pool]
fee_bps = 5

[[market.assets]]
symbol = "XAU"
source = { kind = "replay", file = "gold.csv" }

[dream]
enabled = false
"#;

const BARS: &str = "time_utc,bid_open,bid_high,bid_low,bid_close,ask_open,ask_high,ask_low,ask_close
2020-01-01T00:00:00Z,10,12,9,11,10.5,12.5,9.5,11.5
2020-01-01T01:00:00Z,11,12,9,11,11.5,12.5,9.5,11.5
2020-01-01T02:00:00Z,11,12,9,11,11.5,12.5,9.5,11.5
2020-01-01T03:00:00Z,11,12,9,11,11.5,12.5,9.5,11.5
2020-01-01T04:00:00Z,11,12,9,11,11.5,12.5,9.5,11.5
";

/// A folder with `x.toml` and `gold.csv`.
fn folder(scenario: impl AsRef<[u8]>, bars: &str) -> TempDir {
    room_with([("x.toml", scenario.as_ref()), ("gold.csv", bars.as_bytes())])
}

fn validate(folder: &Path, flags: &[&str]) -> (i32, String, String) {
    morta().current_dir(folder).arg("validate").args(flags).ended()
}

fn refusal(folder: &Path, flags: &[&str]) -> String {
    morta().current_dir(folder).arg("validate").args(flags).refusal()
}

/// Expects exactly these lines.
fn refused(folder: &Path, flags: &[&str], expected: &[&str]) {
    let (code, out, err) = validate(folder, flags);
    let expected: String = expected.iter().map(|line| format!("error: {line}\n")).collect();
    assert_eq!((code, out.as_str(), err), (2, "", expected), "{flags:?}");
}

/// Replaces a part of the scenario and expects these lines.
fn check(from: &str, to: &str, place: &str, why: &str) {
    assert!(SCENARIO.contains(from), "{from}");
    let line = format!("x.toml:{place}: {why}");
    refused(folder(SCENARIO.replacen(from, to, 1), BARS).path(), &["x.toml"], &[&line]);
}

/// Replaces a part of the bars and expects this line.
fn check_bars(from: &str, to: &str, expected: &str) {
    assert!(BARS.contains(from), "{from}");
    refused(folder(SCENARIO, &BARS.replacen(from, to, 1)).path(), &["x.toml"], &[expected]);
}

/// Sets a key and expects this line.
fn check_set(setting: &str, why: &str) {
    let line = format!("--set {setting}: {why}");
    refused(folder(SCENARIO, BARS).path(), &["x.toml", "--set", setting], &[&line]);
}

const SEED: &str = "must be a whole number from 0 to 9223372036854775807 (seed)";
const TICKS: &str = "must be a whole number from 1 to 1000000000 (ticks)";
const GOLEMS: &str = "must be a whole number from 1 to 10000000 (golems)";
const FEE: &str = "must be a number from 0 to 1000 (bps)";

#[test]
fn a_good_file_is_ok() {
    let folder = folder(SCENARIO, BARS);
    let ok = "x.toml: ok (2 golems, 1 cohort, 3 ticks, 1 asset, 5 bars from gold.csv)\n";
    assert_eq!(validate(folder.path(), &["x.toml"]), (0, ok.to_owned(), String::new()));
}

#[test]
fn one_bad_file_among_good_ones_is_told() {
    let folder = folder(SCENARIO, BARS);
    std::fs::write(folder.path().join("y.toml"), SCENARIO.replace("fee_bps = 5", "fee_bps = -5")).unwrap();
    let (code, out, err) = validate(folder.path(), &["y.toml", "x.toml"]);
    assert_eq!(code, 2);
    assert!(out.starts_with("x.toml: ok ("), "{out}");
    assert_eq!(err, "error: y.toml:14: market.pool.fee_bps = -5: must be a number from 0 to 1000 (bps)\n");
}

#[test]
fn as_json_a_mistake_is_data() {
    let folder = folder(SCENARIO.replace("golems = 2", "golems = 0"), BARS);
    let (code, out, err) = validate(folder.path(), &["x.toml", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&out).unwrap();
    let line = "x.toml:7: cohorts.0.golems = 0: must be a whole number from 1 to 10000000 (golems)";
    assert_eq!((code, err.as_str()), (2, ""));
    assert_eq!(found, serde_json::json!([{"file": "x.toml", "ok": false, "mistakes": [line]}]));
}

#[test]
fn files_that_cannot_be_read() {
    let here = folder(SCENARIO, BARS);
    let missing = "none.toml: can't read the scenario: No such file or directory (os error 2)";
    refused(here.path(), &["none.toml"], &[missing]);
    refused(here.path(), &["."], &[".: can't read the scenario: Is a directory (os error 21)"]);
    let latin = [b"name = \"small\"\ndescription = \"\xe9\"\n".as_slice()].concat();
    refused(folder(latin, BARS).path(), &["x.toml"], &["x.toml:2: not TOML: the text is not UTF-8"]);
}

/// Of files of another kind one line says what they are, and which command takes them.
#[test]
fn files_of_another_kind() {
    let sweep = "name = \"q\"\nscenario = \"x.toml\"\nseeds = { count = 2 }\n";
    let told = "x.toml:2: scenario = \"x.toml\": this is a sweep file, not a scenario: check it with `morta sweep FILE --dry-run`";
    refused(folder(sweep, BARS).path(), &["x.toml"], &[told]);
    let plan = "name = \"v\"\n[account]\nowner = \"joint\"\n";
    let told = "x.toml:2: account = {…}: this is a plan of OWM's validation, not a scenario: check it with `morta-memory owm \
        validate FILE`";
    refused(folder(plan, BARS).path(), &["x.toml"], &[told]);
    // A scenario with such a key by mistake is told of all that is wrong with it.
    check(
        "ticks = 3",
        "ticks = 3\nscenario = \"y\"",
        "4: scenario = \"y\"",
        "no such key: use name, description, seed, ticks, cohorts, market, golem, memory, mortality, population, succession, \
             daimon, curator, dream, llm, lethe, clade, pheromones, faults, record",
    );
}

#[test]
fn mistakes_of_syntax_and_numbers_too_large_for_toml() {
    for seed in ["= 1", "99999999999999999999"] {
        let here = folder(SCENARIO.replace("seed = 1", &format!("seed = {seed}")), BARS);
        let err = refusal(here.path(), &["x.toml"]);
        assert!(err.starts_with("error: x.toml:2: not TOML: ") && err.lines().count() == 1, "{err}");
    }
}

#[test]
fn unknown_keys() {
    let meant = "no such key: did you mean fee_bps?";
    check("fee_bps = 5", "fee_bsp = 5", "14: market.pool.fee_bsp = 5", meant);
    check(
        "[market.pool]",
        "[market.swimming]",
        "13: market.swimming = {…}",
        "no such key: use impact, embedding_dimensions, start_time_s, tick_seconds, warmup_ticks, start_within_bars, \
             start_every_bars, assets, pool, gas, oracle, shocks, drift",
    );
}

/// The specs write `feeBps`: it is read, and `--fix` rewrites it and nothing else.
#[test]
fn camel_case_keys_are_rewritten_by_fix() {
    let written = SCENARIO.replace("fee_bps = 5", "feeBps = 5 # feeBps, not warmupTicks");
    let written = written.replace("warmup_ticks", "\"warmupTicks\"");
    let here = folder(&written, BARS);
    let ok = |rewritten| {
        (
            0,
            format!("x.toml: ok (2 golems, 1 cohort, 3 ticks, 1 asset, 5 bars from gold.csv{rewritten})\n"),
            String::new(),
        )
    };
    assert_eq!(validate(here.path(), &["x.toml"]), ok(""));
    assert_eq!(text_of(here.path()), written, "nothing is rewritten unasked");
    assert_eq!(validate(here.path(), &["x.toml", "--fix"]), ok(", 2 keys rewritten"));
    let expected = SCENARIO.replace("fee_bps = 5", "fee_bps = 5 # feeBps, not warmupTicks");
    assert_eq!(text_of(here.path()), expected.replace("warmup_ticks", "\"warmup_ticks\""));
    assert_eq!(validate(here.path(), &["x.toml", "--fix"]), ok(""), "there is nothing left to do");
}

fn text_of(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("x.toml")).unwrap()
}

/// Neither is the one that counts, so neither may be left to chance.
#[test]
fn both_spellings_of_a_key() {
    let twice = SCENARIO.replace("fee_bps = 5", "fee_bps = 5\nfeeBps = 7");
    let here = folder(&twice, BARS);
    let line = "x.toml:15: market.pool.feeBps = 7: is the same key as fee_bps: leave one of them out";
    refused(here.path(), &["x.toml"], &[line]);
    refused(here.path(), &["x.toml", "--fix"], &[line]);
    assert_eq!(text_of(here.path()), twice, "a file with a mistake is left as it is");
    let tables = SCENARIO
        .replace("[[market.assets]]", "[dream.wakeInterrupts]\n[dream.wake_interrupts]\n[[market.assets]]");
    let line =
        "x.toml:17: dream.wake_interrupts = {…}: is the same key as wakeInterrupts: leave one of them out";
    refused(folder(tables, BARS).path(), &["x.toml"], &[line]);
}

/// The command line wins over the file in either spelling, so there it is no mistake.
#[test]
fn a_flag_may_spell_a_key_otherwise_than_the_file() {
    let here = folder(SCENARIO, BARS);
    let (code, out, err) = validate(here.path(), &["x.toml", "--set", "market.pool.feeBps=7"]);
    assert!(code == 0 && out.starts_with("x.toml: ok (") && err.is_empty(), "{code} {out}{err}");
    check_set("market.pool.feeBps=-7", FEE);
}

#[test]
fn wrong_types() {
    check("fee_bps = 5", "fee_bps = \"5\"", "14: market.pool.fee_bps = \"5\"", FEE);
    check(
        "memory = \"bardo\"",
        "memory = \"brado\"",
        "8: cohorts.0.memory = \"brado\"",
        "must be one of \"none\", \"bardo\", \"bardo+owm\", \"constant\", \"dark-pawns\", \"generative-agents\", \"owm\", \"oracle\", \
             \"oracle-abstains\", \"oracle-as-read\", \"oracle-chooses\", \"oracle-sizes\", \"oracle-times\", \"openclaw\", \"random\", \"rag\", \
             \"window\", or be brought by --memory-process NAME=COMMAND",
    );
    check("seed = 1", "seed = 1.5", "2: seed = 1.5", SEED);
    check("seed = 1", "seed = -1", "2: seed = -1", SEED);
    check("golems = 2", "golems = 5000000000", "7: cohorts.0.golems = 5000000000", GOLEMS);
    check("ticks = 3", "ticks = 2020-01-01", "3: ticks = 2020-01-01", TICKS);
}

#[test]
fn missing_keys() {
    check("seed = 1\n", "", " seed: is missing", SEED);
    check("golems = 2\n", "", "5: cohorts.0.golems: is missing", GOLEMS);
    let kinds = "must be one of \"replay\", \"synthetic\"";
    check("kind = \"replay\", ", "", "18: market.assets.0.source.kind: is missing", kinds);
}

#[test]
fn values_out_of_range() {
    check("fee_bps = 5", "fee_bps = 20000", "14: market.pool.fee_bps = 20000", FEE);
    check("fee_bps = 5", "fee_bps = nan", "14: market.pool.fee_bps = NaN", FEE);
    check("golems = 2", "golems = 0", "7: cohorts.0.golems = 0", GOLEMS);
}

#[test]
fn several_mistakes_are_several_lines() {
    let here = folder(SCENARIO.replace("seed = 1\nticks = 3", "seed = true\nticks = \"3\""), BARS);
    let lines = [format!("x.toml:2: seed = true: {SEED}"), format!("x.toml:3: ticks = \"3\": {TICKS}")];
    refused(here.path(), &["x.toml"], &[&lines[0], &lines[1]]);
}

#[test]
fn mistakes_of_flags_name_the_flag() {
    check_set("market.pool.fee_bps=20000", FEE);
    check_set("market.pool.fee_bsp=2", "no such key: did you mean fee_bps?");
    check_set("market.pool={fee_bps=-1}", &format!("market.pool.fee_bps = -1: {FEE}"));
    check_set("cohorts.bardo.golems=0", GOLEMS);
    check_set("cohorts.owm.golems=1", "cohorts has no entry owm; it has 0 (bardo)");
    check_set("seed", "must be key.path=value");
}

#[test]
fn data_files_that_are_missing_or_hold_too_little() {
    let gone = "can't read silver.csv: No such file or directory (os error 2)";
    check("gold.csv", "silver.csv", "18: market.assets.0.source.file = \"silver.csv\"", gone);
    let short = "the replayed bars last for 3 ticks: ask for no more";
    check("ticks = 3", "ticks = 4", "3: ticks = 4", short);
    for (start, place, why) in [
        ("2021-01-01", "file = \"gold.csv\"", "has no bars in this period: change start or end"),
        ("1 May 2020", "start = \"1 May 2020\"", "must be a day like 2018-01-31"),
    ] {
        let from_then = format!("\"gold.csv\", start = \"{start}\"");
        check("\"gold.csv\"", &from_then, &format!("18: market.assets.0.source.{place}"), why);
    }
}

#[test]
fn bars_that_are_not() {
    check_bars(
        "2020-01-01T03:00:00Z",
        "2020-01-01T01:30:00Z",
        "gold.csv:5: time_utc 2020-01-01T01:30:00Z is not after the row before it (2020-01-01T02:00:00Z): \
            sort the rows, each time once",
    );
    check_bars("10,12,9,11,", "NaN,12,9,11,", "gold.csv:2: open is NaN, which is not a price above 0");
    check_bars("10,12,9,11,", "10,12,9,,", "gold.csv:2: close = \"\": must be a number");
    let crossed = "gold.csv:2: the bid's open 10 is above the ask's 9.75";
    check_bars("10.5,12.5,9.5,11.5", "9.75,12.5,9.5,11.5", crossed);
    check_bars(
        "time_utc",
        "hour",
        "gold.csv:1: has no column time_utc: name the columns time_utc and open, high, low, close, or bid_open … \
         ask_close",
    );
}

#[test]
fn a_parquet_file_that_is_none() {
    let here = folder(SCENARIO.replace("gold.csv", "gold.parquet"), BARS);
    std::fs::write(here.path().join("gold.parquet"), BARS).unwrap();
    let err = refusal(here.path(), &["x.toml"]);
    let told = "error: gold.parquet: can't be read as Parquet (";
    assert!(err.starts_with(told) && err.lines().count() == 1, "{err}");
}

#[test]
fn deaths_that_can_not_be_ordained() {
    for (setting, why) in [
        ("kills=[{tick=1}]", "mortality.kills.0.lineage = nothing: name a lineage slot or a cohort"),
        ("kills=[{tick=1,cohort=\"none\"}]", "mortality.kills.0.cohort = none: name one of bardo"),
        ("economic.death=poverty", "must be one of \"reserve\", \"spendable\", \"share\""),
        ("thanatopsis.rich_usdc=0.05", "must be at least mortality.thanatopsis.standard_usdc (0.1)"),
        ("epistemic.recovery_threshold=0.2", "must be at least mortality.senescence_threshold (0.35)"),
    ] {
        check_set(&format!("mortality.{setting}"), why);
    }
}

/// A key of another table, something that another key does, a file nearby: what is nearest to what was meant is said.
#[test]
fn what_was_meant_is_suggested() {
    let here = folder(SCENARIO, BARS);
    let immortal = "no such key: write population.policy = \"immortal\"";
    for (flags, part) in [
        (&["x.toml", "--set", "batch_size=5"][..], "no such key here: did you mean dream.replay.batch_size?"),
        (&["x.toml", "--set", "mortality.enabled=false"], immortal),
        (&["y.toml"], "there is no such file: did you mean x.toml?"),
    ] {
        refusal(here.path(), flags).must_have(&[part]);
    }
}

/// A key of an earlier build that is a constant now: its value is said, in either spelling, and of a table that it is gone.
#[test]
fn keys_that_are_constants_now_say_so() {
    let here = folder(format!("{SCENARIO}\n[lethe]\nvoteAfterUses = 4\n"), BARS);
    let line = SCENARIO.lines().count() + 3;
    let always =
        format!("x.toml:{line}: lethe.voteAfterUses = 4: is no key any more, but always 3: leave it out");
    let gone = "dream.replay.primitives = {…}: is no key any more: leave it out".to_owned();
    let set = ["x.toml", "--set", "dream.replay.primitives.neighbour_ticks=9"];
    for (flags, line) in [(&set[..1], always), (&set[..], gone)] {
        let err = refusal(here.path(), flags);
        assert!(err.lines().any(|said| said.ends_with(&line)), "{line}: {err}");
    }
}

/// A key that isn't one hides neither a memory that nobody brings nor a recording that isn't there.
#[test]
fn mistakes_of_every_kind_are_said_at_once() {
    let text = SCENARIO
        .replace("fee_bps", "fee_bsp")
        .replace("memory = \"bardo\"", "memory = \"brado\"")
        .replace("gold.csv", "gone.csv");
    refusal(folder(text, BARS).path(), &["x.toml"]).must_have(&[
        "did you mean fee_bps?",
        "cohorts.0.memory = \"brado\"",
        "such as \"bardo\"",
        "\"gone.csv\": there is no such file",
    ]);
}

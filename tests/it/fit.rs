//! `morta fit constant`: a policy that decides trades, for the market it was fitted to alone.

use crate::common::{Program as _, Text as _, morta, replace_in, run, written};
use morta_lab::RunFolder;
use std::collections::BTreeSet;
use std::path::Path;

const WORLD: &str = r#"
# A comment that stays.
name = "small"
seed = 1
ticks = 900
market.impact = "price_taker"
cohorts = [{ name = "golems", golems = 3, memory = "constant" }]
population.policy = "immortal"

[[market.assets]]
symbol = "A"
source = { kind = "synthetic", volatility = 0.004 }

[[market.assets]]
symbol = "B"
source = { kind = "synthetic", volatility = 0.006, correlation = 0.0 }
"#;

fn fit(file: &Path, more: &[&str]) -> String {
    let mut fit = morta();
    let (code, out, err) =
        fit.args(["fit", "constant"]).arg(file).args(["--worlds", "101..104"]).args(more).ended();
    assert_eq!((code, err.as_str()), (0, ""), "{more:?}: nothing is drawn in a pipe");
    out
}

/// What is said to a user who is refused, in one line.
fn refused(args: &[&str], file: &Path) -> String {
    morta().args(args).arg(file).refused_in_a_line(&[])
}

/// Assets and strategies that golems traded.
fn traded(file: &Path, out: &Path) -> BTreeSet<(String, String)> {
    run(file, out, &[]);
    let trades = RunFolder::open(out).unwrap().trades().unwrap().all().unwrap();
    trades.into_iter().map(|trade| (trade.asset.to_string(), trade.strategy.to_string())).collect()
}

#[test]
fn golems_trade_what_the_table_takes_and_nothing_else() {
    let (room, file) = written("small.toml", WORLD);
    fit(&file, &["--write"]);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.starts_with(WORLD.trim_end_matches('\n')), "the rest of the file stays: {text}");
    let taken = |text: &str| -> BTreeSet<(String, String)> {
        let table: toml::Table = text.parse().unwrap();
        let cells = table["memory"]["constant"]["cells"].as_array().unwrap();
        let word = |cell: &toml::Value, key: &str| cell[key].as_str().unwrap().to_owned();
        let takes = cells.iter().filter(|cell| cell["takes"].as_bool().unwrap());
        takes.map(|cell| (word(cell, "asset"), word(cell, "strategy"))).collect()
    };
    let first = traded(&file, &room.path().join("fitted"));
    assert!(!first.is_empty() && first.is_subset(&taken(&text)), "{first:?} of {text}");
    // The other way round: what was taken isn't any more, and the rest is.
    let turned = text
        .replace("takes = true", "takes = maybe")
        .replace("takes = false", "takes = true")
        .replace("takes = maybe", "takes = false");
    std::fs::write(&file, &turned).unwrap();
    let second = traded(&file, &room.path().join("turned"));
    assert!(!second.is_empty() && second.is_subset(&taken(&turned)), "{second:?} of {turned}");
    assert!(first.is_disjoint(&second));
}

#[test]
fn a_policy_for_another_market_is_refused_with_the_command_that_fits_one() {
    let (_room, file) = written("small.toml", WORLD);
    let without = refused(&["validate"], &file);
    fit(&file, &["--write"]);
    morta().arg("validate").arg(&file).assert().success();
    // The clock of a market bears on no trade.
    morta().args(["validate", "--set", "market.tick_seconds=3600"]).arg(&file).assert().success();
    let other = refused(&["validate", "--set", "market.pool.fee_bps=7"], &file);
    for (said, why) in [(without, "there is no such table"), (other, "the market is another one now")] {
        said.must_have(&["small.toml", "memory.constant.market", why, "morta fit constant"]);
    }
    // Nobody who lives there asks for it.
    let nobody = "cohorts=[{ name = \"golems\", golems = 3, memory = \"none\" }]";
    let set = ["validate", "--set", nobody, "--set", "market.pool.fee_bps=7"];
    morta().args(set).arg(&file).assert().success();
    // It is fitted anew over the old one.
    replace_in(&file, "volatility = 0.006", "volatility = 0.005");
    refused(&["validate"], &file);
    fit(&file, &["--write"]);
    morta().arg("validate").arg(&file).assert().success();
}

#[test]
fn threads_change_no_byte_of_a_fit() {
    let (_room, file) = written("small.toml", WORLD);
    let one = fit(&file, &["--json", "--threads", "1"]);
    assert_eq!(one, fit(&file, &["--json", "--threads", "2"]));
    let told: serde_json::Value = serde_json::from_str(&one).unwrap();
    let policies = told["policies"].as_array().unwrap();
    let rate = |policy: &serde_json::Value| policy["r_per_golem_tick"].as_f64().unwrap();
    assert_eq!((rate(&policies[0]), policies[0]["takes"].as_array().unwrap().len()), (0.0, 0), "{told}");
    assert!(policies.iter().all(|policy| rate(policy) <= rate(&told)), "{told}");
    let pasted = fit(&file, &[]);
    assert!(pasted.ends_with(told["toml"].as_str().unwrap()), "{pasted}");
}

#[test]
fn wrong_worlds_are_refused() {
    let (_room, file) = written("small.toml", WORLD);
    for (worlds, why) in
        [("7", "must be two whole numbers"), ("9..3", "the smaller first"), ("5..5", "2 to 1000 seeds")]
    {
        let said = morta().args(["fit", "constant"]).arg(&file).args(["--worlds", worlds]).refusal();
        assert!(said.lines().next().unwrap().contains(why), "{worlds}: {said}");
    }
}

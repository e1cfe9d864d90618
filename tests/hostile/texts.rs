//! Scenarios, sweeps, settings, plans of validation: what people write by hand.

use super::kind::Kind;
use super::mutate::Shape;
use morta_lab::Laboratory;
use morta_lab::limits::Limits;
use morta_lab::scenario_file::{self, Overrides};
use morta_lab::scoring::{self, Episodes, ScoringState};
use morta_lab::{Scenario, Sweep};
use morta_tools::owm::validation;
use std::fmt::Write as _;
use std::fs;

/// Two kinds of markets, and a key of each sort of value; the laboratory mutates it too, by rules of TOML.
pub const SCENARIO: &str = include_str!("../../lab/src/run/scenario_file/mutant.toml");

const SWEEP: &str = r#"name = "mutant"
scenario = "scenario.toml"
design = "grid"
seeds = { first = 1, count = 4 }

[profiles.smoke]
seeds = 2

[set]
ticks = 40

[[axes]]
key = "golem.risk_per_trade"
name = "risk"
values = [0.01, 0.02]

[[axes]]
key = "market.pool.fee_bps"
name = "fee"
values = [1, 5]

[[arms]]
name = "a"

[[arms]]
name = "b"
set = { golem.compute_usdc_per_tick = 0.3 }

[[contrasts]]
treated = "b"
control = "a"

[preregistration]
hypothesis = "It costs."
primary = { measure = "compute_usdc", direction = "less" }
baseline = "a/risk=0.01/fee=1"
analysis = "By world."
effect_of_interest = 0.1
test = "t"
looks = [2, 3]
spending = "pocock"
"#;

const PLAN: &str = r#"name = "mutant"
description = "Do trades of two strategies pay?"
arms = ["fixed", "simple_kelly", "owm"]

[data]
file = "gold.csv"
start = "2020-01-01"

[split]
train = "2020-01-02"
validation = "2020-01-03"
end = "2020-01-05"

[owm.kelly]
cap = 0.02

[account]
owner = "each_variant"
start_equity = 10000
fixed_lot = 0.1
lot_units = 100

[regime]
days = 1

[[variants]]
strategy = "trend_following"
strength = [0.6, 0.7]
stop = [0.75, 1.0]
hold = [2.0]
"#;

const SETTINGS: &str = "seed=9\nmarket.pool.fee_bps=3\ncohorts.a.golems=4\ngolem.purse.trading_share=0.25\n\
    dream.replay.batchSize=7\ncohorts=[{name=\"a\",golems=3,memory=\"none\"}]\nmarket.shocks.rates={gas_spike=0.1}\nname=\"x\"\n";

const STATE: &str = r#"{"tick": 900, "embedding": [0.1, -0.2, 0.3], "regime": "trending_up",
 "pad": {"pleasure": 0.2, "arousal": -0.4, "dominance": 0.0}, "prediction_accuracy": 0.6, "hayflick_ratio": 0.3, "seed": 4}"#;

/// A hundred hours.
pub fn bars() -> String {
    let mut text = "time_utc,open,high,low,close,volume\n".to_owned();
    for hour in 0..100 {
        let base = 1500 + hour * 7 % 40;
        let (day, of_day) = (1 + hour / 24, hour % 24);
        writeln!(
            text,
            "2020-01-{day:02}T{of_day:02}:00:00Z,{base},{},{},{},{}",
            base + 9,
            base - 8,
            base + 3,
            hour * 10
        )
        .unwrap();
    }
    text
}

pub fn kinds() -> Vec<Kind> {
    vec![
        Kind::new("scenario", |room| Scenario::read(&room.join("scenario.toml"))?.plan().map(drop))
            .sound("gold.csv", bars())
            .hostile("scenario.toml", Shape::Text, SCENARIO),
        Kind::new("sweep", |room| {
            let sweep = Sweep::read(&room.join("sweep.toml"))?;
            // A sweep of a trillion worlds is a sweep; nobody lists its cells unless they are to be lived.
            assert!(!sweep.arms.is_empty());
            Ok(())
        })
        .sound("gold.csv", bars())
        .hostile("scenario.toml", Shape::Text, SCENARIO)
        .hostile("sweep.toml", Shape::Text, SWEEP),
        Kind::new("settings", |room| {
            let text = fs::read(room.join("settings")).unwrap();
            let text = String::from_utf8_lossy(&text);
            let set = text.lines().map(str::to_owned).collect();
            let overrides = Overrides { set, ..Overrides::default() };
            scenario_file::load(&room.join("scenario.toml"), &overrides, &Laboratory::default())?
                .plan()
                .map(drop)
        })
        .sound("gold.csv", bars())
        .sound("scenario.toml", SCENARIO)
        .hostile("settings", Shape::Text, SETTINGS),
        Kind::new("validation", |room| validation::load(&room.join("plan.toml"), &mut |_| {}).map(drop))
            .sound("gold.csv", bars())
            .hostile("plan.toml", Shape::Text, PLAN),
        Kind::new("episodes", |room| {
            let state = ScoringState::read(&room.join("state.json"), &Limits::default())?;
            let episodes = Episodes::read(&room.join("episodes.jsonl"), &state)?;
            let keys = scoring::read_replay_keys(&room.join("replay.toml"))?;
            scoring::score(&state, &episodes, &keys, 2);
            Ok(())
        })
        .hostile("state.json", Shape::Text, STATE)
        .hostile("episodes.jsonl", Shape::Text, episodes())
        .hostile("replay.toml", Shape::Text, "batch_size = 5\nprioritization = \"utility\"\n"),
    ]
}

fn episodes() -> String {
    let episode = |n: u32| {
        format!(
            "{{\"episode_id\": \"E{n}\", \"tick\": {}, \"market_state_embedding\": [0.{n}, 0.2, -0.1], \"regime\": \"trending_up\", \
             \"expected_outcome\": 1.0, \"actual_outcome\": {}, \"pnl\": -5.0, \"position_size\": 100.0, \"counterfactual_regret\": 3.0, \
             \"last_replayed\": 140, \"replay_count\": {n}, \"emotional_tag\": {{\"arousal\": 0.{n}}}}}\n",
            100 + n,
            i64::from(n) - 3
        )
    };
    (1..6).map(episode).collect()
}

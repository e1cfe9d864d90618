//! Does dreaming learn anything? Runs the positive control in many worlds and compares the rules that dreams admit to playbooks with what
//! is true of the market, against dreams that see shuffled outcomes (`dream.shuffle_outcomes`). The file is
//! `scenarios/controls/learnable-v1.toml` without its cohort `none`; only its cohort `bardo` dreams, so all rules counted are that
//! cohort's, and of these the ones that name a regime. The truth is the mean R of a strategy by regime in long simulations of the same
//! market, once by the regime as a golem of middling thresholds reads it, once by the true one. The tier `hardened` gives golems 500
//! dollars at birth. Intervals are over worlds; the differences are paired by seed. It is a report to read
//! (`docs/src/results/learning.md`); nothing fails.
//!
//! `cargo run --release -p morta-engine --example learning -- [WORLDS] [core|hardened] [FIRST_SEED]`

#![allow(clippy::print_stdout, reason = "it is a report")]

use morta_base::{Usdc, WorldSeed};
use morta_engine::dream::DreamTier;
use morta_engine::event::EventKind;
use morta_engine::market::truth::TRUTH_TICKS;
use morta_engine::market::{RegimeThresholds, TruthTable};
use morta_engine::world::{Plan, Scenario, World};

#[derive(Clone, Debug, Default)]
struct Count {
    /// Claimed and true R of the rules admitted.
    sizes: Vec<(f64, f64)>,
    /// Rules whose sign is right by the regime as read.
    agree: u32,
    /// Rules whose sign is right by the true regime.
    agree_true: u32,
    /// Favouring rules whose strategy is the best of their regime, as read.
    favour_best: u32,
    /// Rules admitted that name a regime.
    all: u32,
    /// Claims put to the test whose sign is right, as read.
    staged_agree: u32,
    /// Claims put to the test that name a regime.
    staged: u32,
    /// Claims that the admission gate turned away.
    rejected: u32,
    /// Rules that expect a gain.
    favour: u32,
    dreams: u32,
    /// Sum over the lives of the cohort, in R.
    total_r: f64,
    trades: u32,
}

impl Count {
    fn rate(&self) -> f64 {
        f64::from(self.agree) / f64::from(self.all.max(1))
    }

    fn true_rate(&self) -> f64 {
        f64::from(self.agree_true) / f64::from(self.all.max(1))
    }

    fn best_rate(&self) -> f64 {
        f64::from(self.favour_best) / f64::from(self.favour.max(1))
    }

    /// Correlation of what rules claim with what is true.
    fn correlation(&self) -> f64 {
        let n = self.sizes.len().max(1) as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| self.sizes.iter().map(of).sum::<f64>() / n;
        let (a, b) = (mean(|size| size.0), mean(|size| size.1));
        let (mut ab, mut aa, mut bb) = (0.0, 0.0, 0.0);
        for (x, y) in &self.sizes {
            ab += (x - a) * (y - b);
            aa += (x - a) * (x - a);
            bb += (y - b) * (y - b);
        }
        if aa * bb > 0.0 { ab / (aa * bb).sqrt() } else { 0.0 }
    }

    fn staged_rate(&self) -> f64 {
        f64::from(self.staged_agree) / f64::from(self.staged.max(1))
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let worlds: u64 = arguments.next().map_or(20, |text| text.parse().expect("a number of worlds"));
    let tier = match arguments.next().as_deref() {
        None | Some("core") => DreamTier::Core,
        Some("hardened") => DreamTier::Hardened,
        Some(other) => panic!("`{other}` is not a tier: use core or hardened"),
    };
    let first: u64 = arguments.next().map_or(1, |text| text.parse().expect("a seed"));
    let text = include_str!("../../scenarios/controls/learnable-v1.toml");
    // By way of JSON, which the engine has compiled already.
    let keys: serde_json::Value = toml::from_str(text).expect("the positive control is TOML");
    let scenario = Scenario::from_value(keys).expect("the positive control is valid");
    let (mut real, mut shuffled) = (Vec::new(), Vec::new());
    for seed in first..first + worlds {
        real.push(run(&scenario, seed, tier, false));
        shuffled.push(run(&scenario, seed, tier, true));
    }
    report("real outcomes", &real);
    report("shuffled outcomes", &shuffled);
    for (name, rate) in [
        ("sign as read", Count::rate as fn(&Count) -> f64),
        ("sign by true regime", Count::true_rate),
        ("best as read", Count::best_rate),
        ("correlation", Count::correlation),
    ] {
        let pairs = real.iter().zip(&shuffled);
        say(&format!("difference, {name}"), &pairs.map(|(a, b)| rate(a) - rate(b)).collect::<Vec<_>>());
    }
}

fn run(scenario: &Scenario, seed: u64, tier: DreamTier, shuffle: bool) -> Count {
    let mut scenario = scenario.clone();
    scenario.seed = seed;
    scenario.cohorts.retain(|cohort| cohort.name != "none");
    // One oracle is enough for the truth to be worked out.
    scenario.cohorts.iter_mut().filter(|cohort| cohort.name == "oracle").for_each(|cohort| cohort.golems = 1);
    scenario.dream.shuffle_outcomes = shuffle;
    scenario.dream.tier = tier;
    if tier == DreamTier::Hardened {
        scenario.golem.endowment_usdc = 500.0;
    }
    let stake = Usdc::from_dollars(scenario.golem.endowment_usdc).scaled(scenario.golem.max_position_share);
    let middle = RegimeThresholds { trend: 1.5, volatility: 1.6 };
    let (market, luck) = (scenario.market.clone(), WorldSeed(seed));
    let as_read = TruthTable::estimate(&market, luck, vec![Vec::new()], stake, TRUTH_TICKS, Some(middle))
        .expect("the market is valid");
    let bars = vec![Vec::new(); scenario.market.assets.len()];
    let plan = Plan::new(scenario, &bars).expect("the positive control is valid");
    let truth = plan.knowledge().truth.clone().expect("an oracle is there");
    let truth = truth[0].at(0, 0).clone();
    let sixteen = plan.cohort_of(0);
    let mut count = Count::default();
    let mut world = World::new(plan, bars);
    let mut live = |kind: &EventKind| match kind {
        EventKind::RuleAdmitted { claim, .. } => {
            let Some(regime) = claim.pattern.regime else { return };
            let favours = claim.expected_r > 0.0;
            count.all += 1;
            count.sizes.push((claim.expected_r, as_read.entry(regime, claim.strategy).mean_r));
            count.favour += u32::from(favours);
            count.favour_best += u32::from(favours && as_read.best(regime) == Some(claim.strategy));
            count.agree += u32::from((as_read.entry(regime, claim.strategy).mean_r > 0.0) == favours);
            count.agree_true += u32::from((truth.entry(regime, claim.strategy).mean_r > 0.0) == favours);
        }
        EventKind::ClaimStaged { claim, .. } => {
            let Some(regime) = claim.pattern.regime else { return };
            count.staged += 1;
            let is_worth = as_read.entry(regime, claim.strategy).mean_r > 0.0;
            count.staged_agree += u32::from(is_worth == (claim.expected_r > 0.0));
        }
        EventKind::RuleRejected { .. } => count.rejected += 1,
        EventKind::DreamCompleted { .. } => count.dreams += 1,
        EventKind::LifeEnded(life) if life.cohort == sixteen => {
            count.total_r += life.total_r;
            count.trades += life.trades;
        }
        _ => {}
    };
    let lived =
        world.live_until(u64::MAX, |_, lived| lived.events.iter().for_each(|event| live(&event.kind)));
    lived.expect("no faults");
    world.finish().iter().for_each(|event| live(&event.kind));
    count
}

fn report(name: &str, worlds: &[Count]) {
    let sum = |of: fn(&Count) -> u32| worlds.iter().map(of).sum::<u32>();
    let (agree, all) = (sum(|c| c.agree), sum(|c| c.all));
    println!(
        "{name}: {agree} of {all} rules agree with the truth; {} favour, {} rejected, {} staged, {} dreams; {:+.4} R a trade",
        sum(|c| c.favour),
        sum(|c| c.rejected),
        sum(|c| c.staged),
        sum(|c| c.dreams),
        worlds.iter().map(|c| c.total_r).sum::<f64>() / f64::from(sum(|c| c.trades).max(1))
    );
    say("  sign as read", &worlds.iter().map(|count| count.rate()).collect::<Vec<_>>());
    say("  sign by true regime", &worlds.iter().map(|count| count.true_rate()).collect::<Vec<_>>());
    say("  favours the best as read", &worlds.iter().map(|count| count.best_rate()).collect::<Vec<_>>());
    say("  correlation with truth", &worlds.iter().map(|count| count.correlation()).collect::<Vec<_>>());
    say("  staged claims, by world", &worlds.iter().map(|count| count.staged_rate()).collect::<Vec<_>>());
}

/// Mean and 95 % interval over worlds (normal, from the standard error of the mean).
fn say(name: &str, values: &[f64]) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (n - 1.0);
    let half = 1.96 * (variance / n).sqrt();
    println!("{name}: {mean:.3} [{:.3}, {:.3}]", mean - half, mean + half);
}

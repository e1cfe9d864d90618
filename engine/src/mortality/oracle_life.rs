//! The oracle life of the digest (section 11, M04): a golem of $50 that lives 39,060 ticks (18 days), earns 4.26 and spends
//! 48.87, re-enacted with the purse, the ladder, the reserve and the vitality that golems live by.
//!
//! The digest gives the totals and what a day costs in each regime (1.32 calm, 3.24 bear and volatile, 1.80 recovery, .41 in
//! conservation, .10 declining). It does not say how long each regime lasted, when the money was earned, how fit the golem
//! was or what ended its life. The lengths below are ours, chosen so that the days add up to the ticks and the costs to the
//! cent; the earnings come in on day 9; fitness stays at the cold start. It is a test: no golem lives by this script.

use crate::mortality::economic::{Livelihood, Means};
use crate::mortality::epistemic::COLD_START_FITNESS;
use crate::mortality::purse::PurseConfig;
use crate::mortality::{Compartment, MortalityConfig, Phase, Purse, Rung, vitality};
use morta_base::Usdc;

const DAY: u64 = 2_160;
/// Ticks, and dollars a day.
const SCRIPT: [(u64, f64); 5] = [(2 * DAY, 1.32), (28_218, 3.24), (4_182, 1.80), (DAY, 0.41), (180, 0.10)];
const EARNED_ON: u64 = 9 * DAY;

/// Dollars of a day as exact micro-dollars of its ticks: what is due by the end of a tick less what was due before.
fn bill(per_day: f64, tick: u64) -> Usdc {
    let due = |ticks: u64| Usdc::from_dollars(per_day * ticks as f64 / DAY as f64);
    due(tick + 1) - due(tick)
}

#[test]
fn the_oracle_life_adds_up() {
    let (config, purse_config) = (MortalityConfig::default(), PurseConfig::default());
    let (endowment, earned) = (Usdc::from_dollars(50.0), Usdc::from_dollars(4.26));
    let reserve = config.economic.reserve(config.least_reserve(endowment), 0);
    assert_eq!(reserve, Usdc::from_dollars(1.0));
    let mut purse = Purse::new(endowment, &purse_config);
    let (mut tick, mut spent, mut rung, mut phase) = (0, Usdc::ZERO, Rung::Sound, Phase::Stable);
    let (mut whole_life, mut rungs) = (Livelihood::default(), Vec::new());
    for (ticks, per_day) in SCRIPT {
        for of_regime in 0..ticks {
            let due = bill(per_day, of_regime);
            purse.pay(Compartment::Llm, due);
            spent += due;
            let income = if tick == EARNED_ON { earned } else { Usdc::ZERO };
            purse.receive(income);
            // Over the whole life, each tick counts the same.
            whole_life.note(income.dollars(), due.dollars(), 1.0 / (tick + 1) as f64);
            let share = purse.total().dollars() / endowment.dollars();
            let next = config.economic.ladder.next(rung, share);
            if next != rung {
                rungs.push(next);
                rung = next;
            }
            phase = phase.next(vitality(share.min(1.0), COLD_START_FITNESS, tick, &config), 0.05);
            let legacy = purse.amount(Compartment::Legacy);
            let means = Means { balance: purse.total(), reserve, legacy, endowment };
            assert!(!config.economic.kills(&means), "money did not kill by tick {tick}");
            purse.end_tick(tick, &purse_config);
            tick += 1;
        }
    }
    let cents = |amount: Usdc| (amount.dollars() * 100.0).round() / 100.0;
    assert_eq!(tick, 39_060);
    assert_eq!((cents(spent), cents(earned)), (48.87, 4.26));
    assert_eq!(cents(purse.total()), 5.39, "50 + 4.26 − 48.87");
    assert_eq!(purse.total(), endowment + earned - spent, "to the micro-dollar");
    // 10.8 % of what it began with: past frugality, snapshots and watching, turned to its legacy.
    assert_eq!(rungs, [Rung::Frugal, Rung::Snapshots, Rung::Monitor, Rung::Legacy]);
    assert_eq!(phase, Phase::Terminal);
    let sustainability = whole_life.sustainability().unwrap();
    assert!((sustainability - 4.26 / 48.87).abs() < 1e-4, "{sustainability}");
    // Once terminal, half of the credit is kept for others.
    let credit = purse.total() - purse.amount(Compartment::Trading);
    purse.put_legacy_aside(&config.economic);
    let kept = purse.amount(Compartment::Legacy).dollars() / credit.dollars();
    assert!((kept - 0.5).abs() < 1e-5, "{kept}");
}

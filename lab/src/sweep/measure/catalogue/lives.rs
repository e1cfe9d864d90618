//! How long golems live, and what they die of. They are mortality measures: plain, median and restricted mean survival time in ticks,
//! deaths by cause, shares. Sweeps compare survival by the restricted mean, because a plain mean counts a life that the run cut off as if
//! it had ended. Its horizon in ticks is the registered one; without one, and for `morta compare`, the run less a tick.

use super::Better::{Less, More, Neither};
use super::{Measure, count, died_of, measure, money, per_1000_golem_ticks, ratio};
use crate::sweep::measure::survival::{median_ticks, restricted_mean_ticks};
use morta_engine::mortality::Clock;

/// In the order of their columns.
pub(super) const ALL: &[Measure] = &[
    measure("births", "births", "golems", Neither, "golems born", |t, _| count(t.born)),
    measure("deaths", "deaths", "golems", Less, "golems that died", |t, _| count(t.deaths.values().sum())),
    measure("deaths_economic", "deaths of poverty", "golems", Less, "of these, of poverty", |t, _| {
        died_of(t, "economic")
    }),
    measure(
        "deaths_epistemic",
        "deaths of failing knowledge",
        "golems",
        Less,
        "of these, of failing knowledge",
        |t, _| died_of(t, "epistemic_senescence"),
    ),
    measure(
        "deaths_model_staleness",
        "deaths of knowledge worse than guessing",
        "golems",
        Less,
        "of these, of knowledge worse than guessing",
        |t, _| died_of(t, "model_staleness"),
    ),
    measure(
        "epistemic_death_share",
        "share of deaths of failing knowledge",
        "share",
        Neither,
        "deaths of failing knowledge, or of knowledge worse than guessing, over deaths",
        |t, _| ratio(t.died_of_clock(Clock::Epistemic) as f64, t.deaths.values().sum()),
    ),
    measure("deaths_stochastic", "deaths by chance", "golems", Less, "of these, by chance", |t, _| {
        died_of(t, "stochastic")
    }),
    measure(
        "deaths_owner_kill",
        "deaths by owner",
        "golems",
        Neither,
        "of these, ended by their owners",
        |t, _| died_of(t, "owner_kill"),
    ),
    measure(
        "deaths_kill_switch",
        "deaths by kill switch",
        "golems",
        Neither,
        "of these, shut down with their cohort",
        |t, _| died_of(t, "kill_switch"),
    ),
    measure(
        "deaths_fault",
        "deaths by fault",
        "golems",
        Less,
        "of these, by a failure of their own step",
        |t, _| died_of(t, "fault"),
    ),
    measure("survivors", "survivors", "golems", More, "golems that outlived the run", |t, _| {
        count(t.survivors())
    }),
    measure("survivor_share", "share of survivors", "share", More, "survivors over births", |t, _| {
        ratio(t.survivors() as f64, t.born)
    }),
    measure(
        "would_have_died_share",
        "share of immortals that would have died",
        "share",
        Less,
        "immortals that would have died, over all lives",
        |t, _| ratio(t.would_have_died as f64, t.lives.len() as u64),
    ),
    measure(
        "lifespan_mean_ticks",
        "mean lifetime",
        "ticks",
        More,
        "mean of lifetimes as far as they were watched",
        |t, _| ratio(t.lives.iter().map(|life| life.age_ticks).sum::<u64>() as f64, t.lives.len() as u64),
    ),
    measure(
        "lifespan_median_ticks",
        "median lifetime",
        "ticks",
        More,
        "median lifetime by Kaplan and Meier; none while more than half live",
        |t, _| median_ticks(&t.lives),
    ),
    measure(
        "restricted_mean_ticks",
        "restricted mean lifetime",
        "ticks",
        More,
        "mean lifetime up to the horizon, the area under the survival curve",
        |t, horizon| restricted_mean_ticks(&t.lives, horizon),
    ),
    measure(
        "max_generation",
        "highest generation",
        "generations",
        Neither,
        "highest generation, founders being 0",
        |t, _| count(u64::from(t.max_generation)),
    ),
    measure(
        "same_cause_share",
        "share of successors dead of the same cause",
        "share",
        Less,
        "dead successors that died of what their predecessor had died of, over dead successors",
        |t, _| ratio(t.succession.same_cause as f64, t.succession.dead),
    ),
    measure(
        "liquidations_a_life",
        "liquidations per life",
        "liquidations",
        Less,
        "positions that lenders took because they no longer covered their loans, over lives",
        |t, _| ratio(t.liquidations as f64, t.lives.len() as u64),
    ),
    measure(
        "trade_death_share",
        "share of deaths by a losing trade",
        "share",
        Less,
        "deaths of money that began as a loss was closed, or with one open, over deaths",
        |t, _| ratio(t.killed_by_trades as f64, t.deaths.values().sum()),
    ),
    measure(
        "liquidation_death_share",
        "share of deaths by liquidation",
        "share",
        Less,
        "of deaths, those of a position that was liquidated",
        |t, _| ratio(t.killed_by_liquidations as f64, t.deaths.values().sum()),
    ),
    measure(
        "liquidation_deaths_per_1000_golem_ticks",
        "deaths by liquidation per 1,000 golem-ticks",
        "golems",
        Less,
        "deaths of a position that was liquidated, for every 1,000 ticks that golems lived",
        |t, _| per_1000_golem_ticks(t.killed_by_liquidations, t),
    ),
    measure(
        "testaments",
        "testaments",
        "testaments",
        Neither,
        "deaths that left a testament, whatever there was to write it on",
        |t, _| count(t.testaments),
    ),
    measure(
        "stranded_usdc",
        "stranded value",
        "USDC",
        Less,
        "what the market would not take back from the dying",
        |t, _| money(t.stranded),
    ),
];

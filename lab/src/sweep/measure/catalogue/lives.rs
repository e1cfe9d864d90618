//! How long golems live, and what they die of. They are mortality measures: plain, median and restricted mean survival time in ticks,
//! deaths by cause, shares. Sweeps compare survival by the restricted mean, because a plain mean counts a life that the run cut off as if
//! it had ended. Its horizon in ticks is the registered one; without one, and for `morta compare`, the run less a tick.

use super::{count, died_of, measures, money, per_1000_golem_ticks, ratio};
use crate::sweep::measure::survival::{median_ticks, restricted_mean_ticks};
use morta_engine::mortality::Clock;

measures! {
    tally;

    births: "births", "golems", Neither, "golems born" = count(tally.born);
    deaths: "deaths", "golems", Less, "golems that died" = count(tally.deaths.values().sum());
    deaths_economic: "deaths of poverty", "golems", Less, "of these, of poverty" = died_of(tally, "economic");
    deaths_epistemic: "deaths of failing knowledge", "golems", Less,
        "of these, of failing knowledge" = died_of(tally, "epistemic_senescence");
    deaths_model_staleness: "deaths of knowledge worse than guessing", "golems", Less,
        "of these, of knowledge worse than guessing" = died_of(tally, "model_staleness");
    epistemic_death_share: "share of deaths of failing knowledge", "share", Neither,
        "deaths of failing knowledge, or of knowledge worse than guessing, over deaths"
            = ratio(tally.died_of_clock(Clock::Epistemic) as f64, tally.deaths.values().sum());
    deaths_stochastic: "deaths by chance", "golems", Less,
        "of these, by chance" = died_of(tally, "stochastic");
    deaths_owner_kill: "deaths by owner", "golems", Neither,
        "of these, ended by their owners" = died_of(tally, "owner_kill");
    deaths_kill_switch: "deaths by kill switch", "golems", Neither,
        "of these, shut down with their cohort" = died_of(tally, "kill_switch");
    deaths_fault: "deaths by fault", "golems", Less,
        "of these, by a failure of their own step" = died_of(tally, "fault");
    survivors: "survivors", "golems", More, "golems that outlived the run" = count(tally.survivors());
    survivor_share: "share of survivors", "share", More,
        "survivors over births" = ratio(tally.survivors() as f64, tally.born);
    would_have_died_share: "share of immortals that would have died", "share", Less,
        "immortals that would have died, over all lives"
            = ratio(tally.would_have_died as f64, tally.lives.len() as u64);
    lifespan_mean_ticks: "mean lifetime", "ticks", More,
        "mean of lifetimes as far as they were watched"
            = ratio(tally.lives.iter().map(|life| life.age_ticks).sum::<u64>() as f64, tally.lives.len() as u64);
    lifespan_median_ticks: "median lifetime", "ticks", More,
        "median lifetime by Kaplan and Meier; none while more than half live" = median_ticks(&tally.lives);
    restricted_mean_ticks: "restricted mean lifetime", "ticks", More,
        "mean lifetime up to the horizon, the area under the survival curve"
            = restricted_mean_ticks(&tally.lives, tally.horizon_ticks);
    max_generation: "highest generation", "generations", Neither,
        "highest generation, founders being 0" = count(u64::from(tally.max_generation));
    same_cause_share: "share of successors dead of the same cause", "share", Less,
        "dead successors that died of what their predecessor had died of, over dead successors"
            = ratio(tally.succession.same_cause as f64, tally.succession.dead);
    liquidations_a_life: "liquidations per life", "liquidations", Less,
        "positions that lenders took because they no longer covered their loans, over lives"
            = ratio(tally.liquidations as f64, tally.lives.len() as u64);
    trade_death_share: "share of deaths by a losing trade", "share", Less,
        "deaths of money that began as a loss was closed, or with one open, over deaths"
            = ratio(tally.killed_by_trades as f64, tally.deaths.values().sum());
    liquidation_death_share: "share of deaths by liquidation", "share", Less,
        "of deaths, those of a position that was liquidated"
            = ratio(tally.killed_by_liquidations as f64, tally.deaths.values().sum());
    liquidation_deaths_per_1000_golem_ticks: "deaths by liquidation per 1,000 golem-ticks", "golems", Less,
        "deaths of a position that was liquidated, for every 1,000 ticks that golems lived"
            = per_1000_golem_ticks(tally.killed_by_liquidations, tally);
    testaments: "testaments", "testaments", Neither,
        "deaths that left a testament, whatever there was to write it on" = count(tally.testaments);
    stranded_usdc: "stranded value", "USDC", Less,
        "what the market would not take back from the dying" = money(tally.stranded);
}

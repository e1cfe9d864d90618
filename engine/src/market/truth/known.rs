//! The truth of a run: a table for each situation that its epochs and its calendar bring about, and each asset. It is the ground truth of
//! expected returns, by Monte Carlo simulation under each situation.
//!
//! Results are in R net of costs, ticks are those of the run. A plan works it out only where a cohort has a memory that reads it (`oracle`
//! and its four single skills, not `oracle-as-read`) or a branch gives one to a golem: once for each law, over 20,000 ticks, for a stake of
//! the endowment times `golem.max_position_share`, from the scenario's seed. A shocked situation that the walk never met has the table
//! without shocks; one of few trades is drawn towards it.

use super::timeline::{FeltShocks, Timeline, over_at, shocks_come_round};
use super::walk::WalkOutcome;
use super::{Entered, TruthTable, Walked};
use crate::market::{AssetIndex, Bar, MarketConfig, MarketError, Regime, Strategy};
use morta_base::{Tick, Usdc, WorldSeed};
use serde::{Deserialize, Serialize};

/// A ground truth table (Monte Carlo estimate) by situation: the expected results of each strategy, by asset and true regime.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Truth {
    timeline: Timeline,
    /// By situation, then by asset.
    tables: Vec<Vec<TruthTable>>,
}

/// Trades that the table without shocks counts as, beside those that were seen of a situation: a rare one has few, and they overlap. Our
/// choice: fewer than [`super::ENTRY_TRADES`], because a shock changes more than a signal's strength does.
const QUIET_TRADES: f64 = 50.0;

impl Truth {
    /// Estimates the tables of a run by Monte Carlo, with empirical Bayes shrinkage for rare situations. Each epoch's law is walked for
    /// `ticks` without planned shocks, and, where it plans some, for as many again with them coming round; recorded bars are walked from
    /// end to end each time instead, because the plan sets their start offset to 0. Planned crises are left out.
    ///
    /// # Errors
    /// When a market can't be made.
    pub fn estimate(
        config: &MarketConfig,
        seed: WorldSeed,
        bars: &[Vec<Bar>],
        stake: Usdc,
        ticks: u64,
    ) -> Result<Self, MarketError> {
        let timeline = Timeline::new(&config.shocks.scheduled);
        let walked = Walked { config, seed, bars: bars.to_vec(), stake, ticks, thresholds: None };
        let outcomes = walked.clone().outcomes(&[])?;
        let quiet: Vec<TruthTable> = outcomes.chunks(1).map(TruthTable::of_outcomes).collect();
        let shocked = shocked_tables(walked, &timeline.situations()[1..], &quiet)?;
        let tables = std::iter::once(quiet).chain(shocked).collect();
        Ok(Self { timeline, tables })
    }

    /// Looks up the ground truth: the table of an asset at a tick, by the situation of that tick.
    pub fn at(&self, tick: Tick, asset: AssetIndex) -> &TruthTable {
        &self.tables[self.timeline.at(tick)][usize::from(asset)]
    }

    /// The truth of a run of one law and one asset, whose table is known.
    #[cfg(test)]
    pub(crate) fn standing(table: TruthTable) -> Self {
        Self { timeline: Timeline::new(&[]), tables: vec![vec![table]] }
    }
}

/// The tables, by asset, of situations in which planned shocks are at work.
fn shocked_tables(
    walked: Walked<'_>,
    situations: &[FeltShocks],
    quiet: &[TruthTable],
) -> Result<Vec<Vec<TruthTable>>, MarketError> {
    if situations.is_empty() {
        return Ok(Vec::new());
    }
    let kinds = &walked.config.shocks.scheduled;
    let calendar = shocks_come_round(kinds, walked.ticks);
    let ticks = walked.ticks.max(over_at(&calendar));
    let outcomes = Walked { ticks, ..walked }.outcomes(&calendar)?;
    let rounds = Timeline::numbered_by(kinds, &calendar);
    let by_place: Vec<Vec<Vec<WalkOutcome<Entered>>>> =
        outcomes.iter().map(|own| divided(own, &rounds)).collect();
    let tables = |felt: &FeltShocks| {
        let place = rounds.situations().iter().position(|there| there == felt);
        let of_asset = |(divided, quiet): (&Vec<Vec<WalkOutcome<Entered>>>, &TruthTable)| match place {
            Some(place) => towards(&TruthTable::of_outcomes(&divided[place..=place]), quiet),
            // Never walked through: the calendar on paper was too short for it.
            None => quiet.clone(),
        };
        by_place.iter().zip(quiet).map(of_asset).collect()
    };
    Ok(situations.iter().map(tables).collect())
}

/// Outcomes by the situation at their entry.
fn divided(outcomes: &[WalkOutcome<Entered>], timeline: &Timeline) -> Vec<Vec<WalkOutcome<Entered>>> {
    let mut parts = vec![Vec::new(); timeline.situations().len()];
    for outcome in outcomes {
        parts[timeline.at(outcome.tick)].push(*outcome);
    }
    parts
}

/// A table of few trades, drawn to that of a world without shocks.
fn towards(seen: &TruthTable, quiet: &TruthTable) -> TruthTable {
    let mut table = seen.clone();
    for regime in Regime::ALL {
        for strategy in Strategy::ALL {
            let own = &mut table.entries[regime.index()][strategy.index()];
            *own = own.towards(quiet.entry(regime, strategy), QUIET_TRADES);
        }
    }
    for (own, quiet) in table.by_signal.iter_mut().zip(&quiet.by_signal) {
        *own = own.towards(quiet, QUIET_TRADES);
    }
    table
}

//! Trades in the form that all arms size: what is known at the decision, and the outcome. They come from strategies on bars, or are a
//! user's own.
//!
//! Moments are Unix epoch seconds; the risk of a lot is `stop` · `lot_units` in the account's currency (a user's own trades have the
//! lot's risk as `stop`, and one unit); the outcome is in R. A trade across the split is in neither part, because its outcome would leak.
//! A user's own trades that were entered before the training are dropped, strategies on bars decide none before it.

use super::days::Days;
use super::plan::{Plan, Split};
use super::trades::{Part, Seen, Trade};
use morta_engine::market::{Bar, Regime, Strategy};
use morta_memories::owm::context::{self, ContextVector};
use morta_memories::owm::episodic::{Direction, Domain};
use morta_memories::owm::induction::Names;

/// A trade before the position sizing of an arm: what is known at the decision, and the outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct Deal {
    /// Its number in the book.
    pub id: u64,
    /// The account, where every variant has its own.
    pub variant: u32,
    /// Strategy and symbol, by their index in the book.
    pub domain: Domain,
    /// Its side.
    pub direction: Direction,
    /// Outcomes up to this moment are known to the decision, in seconds since 1970.
    pub known_s: f64,
    /// The moment of the decision, from which the age of memories counts, in seconds since 1970.
    pub now_s: f64,
    /// The moment of the exit, in seconds since 1970.
    pub exited_s: f64,
    /// Price at the entry.
    pub entry_price: f64,
    /// Price at the exit, if it is known.
    pub exit_price: Option<f64>,
    /// Distance of the stop from the entry, in dollars a unit.
    pub stop: f64,
    /// Units in a lot; a lot loses `stop` · `lot_units` dollars at its stop.
    pub lot_units: f64,
    /// Outcome in R.
    pub r: f64,
    /// Holding time in seconds, if it is known.
    pub held_s: Option<f64>,
    /// The market context. Its drawdown is set from the account.
    pub context: ContextVector,
    /// The regime, by its index in the book.
    pub regime: usize,
}

impl Deal {
    /// The part of the plan to which the trade belongs (train/test split). A trade across the split or the end is left out.
    pub fn part(&self, split: &Split) -> Part {
        let [validation_s, end_s] = [split.validation_s, split.end_s].map(|moment| moment as f64);
        if self.exited_s < validation_s {
            Part::Training
        } else if self.known_s >= validation_s && self.exited_s < end_s {
            Part::Validation
        } else {
            Part::LeftOut
        }
    }
}

/// The data set of a backtest: trades in the order of their decisions, and the names in them.
#[derive(Clone, Debug)]
pub struct Book {
    /// The trades.
    pub deals: Vec<Deal>,
    /// Number of variants.
    pub variants: usize,
    /// Names of strategies.
    pub strategies: Vec<String>,
    /// Names of symbols.
    pub symbols: Vec<String>,
    /// Names of regimes.
    pub regimes: Vec<String>,
    pub(super) days: Days,
}

/// A closed trade of a user's imported trade history, in the form that the arms size.
#[derive(Clone, Debug)]
pub struct OwnTrade {
    /// Strategy.
    pub strategy: String,
    /// Symbol.
    pub symbol: String,
    /// Its side.
    pub direction: Direction,
    /// The moment of the entry, in seconds since 1970.
    pub entered_s: f64,
    /// The moment of the exit, in seconds since 1970.
    pub exited_s: f64,
    /// Price at the entry.
    pub entry_price: f64,
    /// Price at the exit, if it is known.
    pub exit_price: Option<f64>,
    /// Loss of a lot at the stop, in dollars.
    pub lot_risk: f64,
    /// Outcome in R.
    pub r: f64,
    /// The market context.
    pub context: ContextVector,
}

const OWN_REGIMES: [context::Regime; 4] = [
    context::Regime::TrendingUp,
    context::Regime::TrendingDown,
    context::Regime::Ranging,
    context::Regime::Volatile,
];

impl Book {
    /// The trades of strategies' variants on recorded bars.
    pub(super) fn of_bars(
        bars: &[Bar],
        seen: &[Seen],
        trades: &[Trade],
        (plan, split): (&Plan, &Split),
    ) -> Self {
        let steps = bars.windows(2).map(|pair| pair[1].open_time_s - pair[0].open_time_s);
        let bar_s = steps.min().unwrap_or(1) as f64;
        let opens = |bar: u32| bars[bar as usize].open_time_s as f64;
        let deal = |trade: &Trade| {
            let seen = &seen[trade.decided as usize];
            Deal {
                id: (u64::from(trade.variant) << 32) | u64::from(trade.decided),
                variant: trade.variant,
                domain: Domain { strategy: trade.strategy.index() as u16, symbol: 0 },
                direction: trade.direction,
                // Trades that close within the bar, or at its open, are known to a decision at its close.
                known_s: opens(trade.decided),
                // Moments are those of bars. A decision at a close counts as made at the next open, which is the latest moment it can have.
                now_s: opens(trade.decided + 1),
                exited_s: opens(trade.exited),
                entry_price: trade.entry_price,
                exit_price: Some(trade.exit_price),
                stop: trade.stop,
                lot_units: plan.account.lot_units,
                r: trade.r,
                held_s: Some(f64::from(trade.held_bars) * bar_s),
                context: seen.context,
                regime: seen.regime.index(),
            }
        };
        Self {
            deals: trades.iter().map(deal).collect(),
            variants: plan.variants().len(),
            strategies: Strategy::ALL.map(|strategy| strategy.name().to_owned()).into(),
            // Recorded bars have one symbol.
            symbols: vec!["asset".to_owned()],
            regimes: Regime::ALL.map(|regime| regime.name().to_owned()).into(),
            days: Days::of_bars(bars, seen, split, plan.regime.days),
        }
    }

    /// Makes the data set of a user's trade history, in any order. Every pair of strategy and symbol is a variant; an unknown regime is a
    /// regime of its own.
    pub(crate) fn of_trades(mut trades: Vec<OwnTrade>, plan: &Plan, split: &Split) -> Self {
        trades.retain(|trade| trade.entered_s >= split.train_s as f64);
        trades.sort_by(|a, b| a.entered_s.total_cmp(&b.entered_s).then(a.exited_s.total_cmp(&b.exited_s)));
        let (mut strategies, mut symbols, mut variants) = (Vec::new(), Vec::new(), Vec::new());
        let mut deals = Vec::with_capacity(trades.len());
        for (id, trade) in (0..).zip(trades) {
            let domain = Domain {
                strategy: place_of(&mut strategies, trade.strategy) as u16,
                symbol: place_of(&mut symbols, trade.symbol) as u16,
            };
            let known = trade.context.regime;
            let regime = OWN_REGIMES.iter().position(|regime| Some(*regime) == known);
            deals.push(Deal {
                id,
                variant: place_of(&mut variants, (domain.strategy, domain.symbol)) as u32,
                domain,
                direction: trade.direction,
                known_s: trade.entered_s,
                now_s: trade.entered_s,
                exited_s: trade.exited_s,
                entry_price: trade.entry_price,
                exit_price: trade.exit_price,
                stop: trade.lot_risk,
                lot_units: 1.0,
                r: trade.r,
                held_s: (trade.exited_s > trade.entered_s).then_some(trade.exited_s - trade.entered_s),
                context: trade.context,
                regime: regime.unwrap_or(OWN_REGIMES.len()),
            });
        }
        let mut regimes: Vec<String> = OWN_REGIMES.map(|regime| regime.name().to_owned()).into();
        regimes.push("unknown".to_owned());
        let days = Days::of_deals(&deals, split, plan.regime.days, regimes.len());
        Self { deals, variants: variants.len(), strategies, symbols, regimes, days }
    }

    /// The trades of a part of the plan.
    pub(super) fn of_part(&self, part: Part, split: &Split) -> Vec<Deal> {
        self.deals.iter().filter(|deal| deal.part(split) == part).cloned().collect()
    }
}

/// The index of a name, which is added if it is new.
fn place_of<T: PartialEq>(names: &mut Vec<T>, name: T) -> usize {
    names.iter().position(|known| *known == name).unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    })
}

impl Names for Book {
    fn strategy(&self, number: u16) -> &str {
        self.strategies.get(usize::from(number)).map_or("?", String::as_str)
    }

    fn symbol(&self, number: u16) -> &str {
        self.symbols.get(usize::from(number)).map_or("?", String::as_str)
    }
}

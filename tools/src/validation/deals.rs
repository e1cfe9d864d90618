//! Trades as arms size them, wherever they come from: what is known when one is decided, and what came of it.

use super::days::Days;
use super::plan::{Plan, Split};
use super::trades::{Part, Seen, Trade};
use morta_engine::market::{Bar, Regime, Strategy};
use morta_memories::owm::context::{self, ContextVector};
use morta_memories::owm::episodic::{Direction, Domain};
use morta_memories::owm::induction::Names;

/// A trade without its size.
#[derive(Clone, Debug, PartialEq)]
pub struct Deal {
    /// Its number among all.
    pub id: u64,
    /// Whose account it is traded on, where every variant has its own.
    pub variant: u32,
    /// Strategy and symbol, by their places in the book.
    pub domain: Domain,
    /// Its side.
    pub direction: Direction,
    /// What had ended by then is known to the decision, seconds since 1970.
    pub known_s: f64,
    /// The moment of the decision, from which the age of memories is counted, seconds since 1970.
    pub now_s: f64,
    /// When it ended, seconds since 1970.
    pub exited_s: f64,
    /// Price at the entry.
    pub entry_price: f64,
    /// Price at the exit, where it is known.
    pub exit_price: Option<f64>,
    /// Distance of the stop, dollars a unit.
    pub stop: f64,
    /// Units in a lot: at its stop a lot loses `stop` · `lot_units` dollars.
    pub lot_units: f64,
    /// Outcome in R.
    pub r: f64,
    /// Seconds it was held, where that is known.
    pub held_s: Option<f64>,
    /// The circumstances; the drawdown is that of the account it is traded on.
    pub context: ContextVector,
    /// The regime, by its place in the book.
    pub regime: usize,
}

impl Deal {
    /// Which part of a plan it belongs to.
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

/// Trades in the order of their decisions, and the names that they are told by.
#[derive(Clone, Debug)]
pub struct Book {
    /// The trades.
    pub deals: Vec<Deal>,
    /// How many variants there are.
    pub variants: usize,
    /// Names of strategies.
    pub strategies: Vec<String>,
    /// Names of symbols.
    pub symbols: Vec<String>,
    /// Names of regimes.
    pub regimes: Vec<String>,
    pub(super) days: Days,
}

/// What a trade of somebody's own says of itself.
#[derive(Clone, Debug)]
pub struct OwnTrade {
    /// Strategy.
    pub strategy: String,
    /// Symbol.
    pub symbol: String,
    /// Its side.
    pub direction: Direction,
    /// When it was entered, seconds since 1970.
    pub entered_s: f64,
    /// When it ended, seconds since 1970.
    pub exited_s: f64,
    /// Price at the entry.
    pub entry_price: f64,
    /// Price at the exit, where it is known.
    pub exit_price: Option<f64>,
    /// What a lot loses at the stop, dollars.
    pub lot_risk: f64,
    /// Outcome in R.
    pub r: f64,
    /// The circumstances.
    pub context: ContextVector,
}

const OWN_REGIMES: [context::Regime; 4] = [
    context::Regime::TrendingUp,
    context::Regime::TrendingDown,
    context::Regime::Ranging,
    context::Regime::Volatile,
];

impl Book {
    /// What the variants of strategies traded on recorded bars.
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
                // What closes within a bar, or at its open, is known to decisions at its close.
                known_s: opens(trade.decided),
                // Moments are those of bars; what is decided at a close is as old as the next open at most.
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
            // The only symbol is the recorded asset.
            symbols: vec!["asset".to_owned()],
            regimes: Regime::ALL.map(|regime| regime.name().to_owned()).into(),
            days: Days::of_bars(bars, seen, split, plan.regime.days),
        }
    }

    /// What somebody traded, in any order. Every pair of a strategy and a symbol is a variant; a regime that nobody wrote down is one of its own.
    /// Days are those from Monday to Friday, and others on which something was traded.
    pub fn of_trades(mut trades: Vec<OwnTrade>, plan: &Plan, split: &Split) -> Self {
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

    /// The trades of a part.
    pub(super) fn of_part(&self, part: Part, split: &Split) -> Vec<Deal> {
        self.deals.iter().filter(|deal| deal.part(split) == part).cloned().collect()
    }
}

/// The place of a name, which is added if it is new.
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

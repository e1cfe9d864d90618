//! One arm's way through the trades: what it knows at each decision, the lots it puts on, and what closes teach it.

use super::ledger::{Ledger, Row};
use super::measures::precision;
use super::plan::{Accounts, ArmKind, Plan};
use super::trades::{Seen, Trade};
use crate::market::{Bar, Strategy};
use morta_memories::owm::affective::AffectiveState;
use morta_memories::owm::context::ContextVector;
use morta_memories::owm::episodic::{Domain, EpisodicMemory};
use morta_memories::owm::induction::Names;
use morta_memories::owm::kelly::{self, Recollection, from_memory};
use morta_memories::owm::mind::Mind;
use morta_memories::owm::recall::Query;
use morta_memories::owm::recollect::{RankedMemory, Recollected};
use morta_memories::owm::semantic::BeliefError;

/// What all arms share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Floor<'a> {
    pub plan: &'a Plan,
    pub bars: &'a [Bar],
    pub seen: &'a [Seen],
    /// Seconds of a bar.
    pub bar_s: f64,
    pub variants: usize,
}

/// The only symbol is the recorded asset.
struct Recorded;

impl Names for Recorded {
    fn strategy(&self, number: u16) -> &str {
        Strategy::ALL.get(usize::from(number)).map_or("?", |strategy| strategy.name())
    }

    fn symbol(&self, _: u16) -> &str {
        "asset"
    }
}

const fn domain(strategy: Strategy) -> Domain {
    Domain { strategy: strategy.index() as u16, symbol: 0 }
}

/// Memory to begin with; by likeness, outcomes don't bear on what is recalled, nor on what it weighs.
fn mind(plan: &Plan, likeness: bool) -> Box<Mind> {
    let mut config = plan.owm.clone();
    if likeness {
        config.score.sensitivity = 0.0;
    }
    Box::new(Mind::new(config, plan.account.start_equity, 0.0))
}

/// How an arm comes to a stake.
enum Sizer {
    Fixed,
    /// A share of equity for each strategy.
    Constant([f64; Strategy::COUNT]),
    /// The outcomes of each strategy, oldest first.
    Recent(Box<[Vec<f64>; Strategy::COUNT]>),
    Remembers(Box<Mind>),
}

/// What an arm makes of a decision.
#[derive(Clone, Copy, Debug, Default)]
struct Stake {
    /// Share of equity; `None` when the arm knows none.
    fraction: Option<f64>,
    precision: Option<f64>,
}

/// The accounts, each with its owner's state of mind.
struct Desk<'a> {
    floor: Floor<'a>,
    owners: Vec<AffectiveState>,
    sizer: Sizer,
}

/// The Kelly fraction of each strategy's training trades, each counting the same.
pub(super) fn training_kelly(training: &[Trade], plan: &Plan) -> [f64; Strategy::COUNT] {
    Strategy::ALL.map(|strategy| {
        let of_strategy = training.iter().filter(|trade| trade.strategy == strategy);
        equal_kelly(&of_strategy.map(|trade| trade.r).collect::<Vec<f64>>(), plan)
    })
}

fn equal_kelly(outcomes: &[f64], plan: &Plan) -> f64 {
    let equally = |r: &f64| Recollection { score: 1.0, pnl_r: Some(*r) };
    from_memory(&outcomes.iter().map(equally).collect::<Vec<_>>(), 1.0, &plan.owm.kelly)
}

/// Lives through the training and sizes the trades of the validation.
///
/// # Errors
/// Never in practice: every pattern names its strategy, so its belief has a condition.
pub(super) fn live(
    kind: ArmKind,
    floor: Floor<'_>,
    training: &[Trade],
    validation: &[Trade],
) -> Result<Ledger, BeliefError> {
    let mut desk = Desk::new(kind, floor, training);
    // The training is lived with the fixed lot, so that its episodes have a drawdown.
    desk.walk(training, true)?;
    desk.open_accounts();
    desk.walk(validation, false)
}

impl<'a> Desk<'a> {
    fn new(kind: ArmKind, floor: Floor<'a>, training: &[Trade]) -> Self {
        let sizer = match kind {
            ArmKind::Fixed => Sizer::Fixed,
            ArmKind::SimpleKelly => Sizer::Constant(training_kelly(training, floor.plan)),
            ArmKind::RecencyKelly => Sizer::Recent(Box::default()),
            ArmKind::Owm => Sizer::Remembers(mind(floor.plan, false)),
            ArmKind::OwmLikeness => Sizer::Remembers(mind(floor.plan, true)),
        };
        let mut desk = Self { floor, owners: Vec::new(), sizer };
        desk.open_accounts();
        desk
    }

    /// Fresh accounts, owned by people of no particular mood.
    fn open_accounts(&mut self) {
        let account = &self.floor.plan.account;
        let count = match account.owner {
            Accounts::Joint => 1,
            Accounts::EachVariant => self.floor.variants,
        };
        self.owners = vec![AffectiveState::new(account.start_equity, 0.0); count];
    }

    fn owner_of(&self, trade: &Trade) -> usize {
        match self.floor.plan.account.owner {
            Accounts::Joint => 0,
            Accounts::EachVariant => trade.variant as usize,
        }
    }

    fn seconds(&self, bar: u32) -> f64 {
        self.floor.bars[bar as usize].open_time_s as f64
    }

    /// Decisions and closes in the order of time. What closes within a bar, or at its open, is known to decisions at its close.
    fn walk(&mut self, trades: &[Trade], training: bool) -> Result<Ledger, BeliefError> {
        let mut closes: Vec<usize> = (0..trades.len()).collect();
        closes.sort_by_key(|place| (trades[*place].exited, trades[*place].variant));
        let mut closes = closes.into_iter().peekable();
        let mut rows: Vec<Row> = Vec::with_capacity(trades.len());
        let mut closed = Vec::with_capacity(trades.len());
        for (place, trade) in trades.iter().enumerate() {
            while let Some(done) = closes.next_if(|done| trades[*done].exited <= trade.decided) {
                self.close(&trades[done], &mut rows[done], training)?;
                closed.push(done);
            }
            debug_assert_eq!(place, rows.len());
            rows.push(self.open(trade, training));
        }
        for done in closes {
            self.close(&trades[done], &mut rows[done], training)?;
            closed.push(done);
        }
        Ok(Ledger { rows, closed })
    }

    fn open(&mut self, trade: &Trade, training: bool) -> Row {
        let plan = self.floor.plan;
        let owner = &self.owners[self.owner_of(trade)];
        let seen = &self.floor.seen[trade.decided as usize];
        let context = ContextVector { drawdown_pct: Some(owner.drawdown().min(1.0)), ..seen.context };
        let equity = owner.current_equity;
        let stake = if training { Stake::default() } else { self.stake(trade, owner, context) };
        let lots = match stake.fraction {
            _ if equity <= 0.0 => 0.0,
            None => plan.account.fixed_lot,
            Some(fraction) => kelly::lots(fraction, equity, trade.stop, plan.account.lot_units),
        };
        let Stake { fraction, precision } = stake;
        Row { context, regime: seen.regime, fraction, precision, lots, pnl: 0.0 }
    }

    fn stake(&self, trade: &Trade, owner: &AffectiveState, context: ContextVector) -> Stake {
        let plan = self.floor.plan;
        match &self.sizer {
            Sizer::Fixed => Stake::default(),
            Sizer::Constant(fractions) => {
                Stake { fraction: Some(fractions[trade.strategy.index()]), precision: None }
            }
            Sizer::Recent(outcomes) => {
                let all = &outcomes[trade.strategy.index()];
                let newest = &all[all.len().saturating_sub(plan.owm.kelly.memories as usize)..];
                let first: Vec<f64> = newest.iter().rev().copied().collect();
                Stake { fraction: Some(equal_kelly(newest, plan)), precision: precision(&first, trade.r) }
            }
            Sizer::Remembers(mind) => {
                // Moments are those of bars; what is decided at a close is as old as the next open at most.
                let now_s = self.seconds(trade.decided + 1);
                let recalled =
                    mind.recall_domain(domain(trade.strategy), &Query { now_s, context, mood: owner.mood() });
                let recollections: Vec<Recollection> = recalled.iter().filter_map(recollection).collect();
                let outcomes: Vec<f64> = recollections.iter().filter_map(|memory| memory.pnl_r).collect();
                let fraction = from_memory(&recollections, owner.risk_appetite, &plan.owm.kelly);
                Stake { fraction: Some(fraction), precision: precision(&outcomes, trade.r) }
            }
        }
    }

    fn close(&mut self, trade: &Trade, row: &mut Row, training: bool) -> Result<(), BeliefError> {
        let plan = self.floor.plan;
        let now_s = self.seconds(trade.exited);
        row.pnl = trade.r * row.lots * trade.stop * plan.account.lot_units;
        let place = self.owner_of(trade);
        let owner = &mut self.owners[place];
        owner.on_outcome(Some(trade.r), None, &plan.owm.affect);
        owner.on_equity(owner.current_equity + row.pnl, now_s, &plan.owm.affect);
        if !training && plan.train_only {
            return Ok(());
        }
        match &mut self.sizer {
            Sizer::Fixed | Sizer::Constant(_) => {}
            Sizer::Recent(outcomes) => outcomes[trade.strategy.index()].push(trade.r),
            Sizer::Remembers(mind) => {
                let episode = episode(trade, row, (now_s, self.floor.bar_s), plan.confidence);
                mind.remember(episode, &Recorded, now_s)?;
            }
        }
        Ok(())
    }
}

fn recollection(ranked: &RankedMemory<'_>) -> Option<Recollection> {
    let Recollected::Episodic(memory) = ranked.memory else { return None };
    Some(Recollection { score: ranked.score, pnl_r: memory.pnl_r })
}

fn episode(trade: &Trade, row: &Row, (now_s, bar_s): (f64, f64), confidence: f64) -> EpisodicMemory {
    let id = (u64::from(trade.variant) << 32) | u64::from(trade.decided);
    EpisodicMemory {
        made_s: Some(now_s),
        context: row.context,
        exit_price: Some(trade.exit_price),
        lots: Some(row.lots),
        pnl: Some(row.pnl),
        pnl_r: Some(trade.r),
        hold_s: Some(f64::from(trade.held_bars) * bar_s),
        confidence: Some(confidence),
        ..EpisodicMemory::decided(id, domain(trade.strategy), trade.direction, trade.entry_price)
    }
}

//! An arm of a validation is a sizing rule with its own account: its knowledge at each decision, its lots, and its learning from closes
//! (backtest engine, position sizing). Equity is in the account's currency, results are R, lots are counts. With
//! `account.owner = each_variant` every variant has an account of its own within the arm.
//!
//! The training is run with the fixed lot by every arm, so that all learn from the same trades; equity and states of mind are then reset.
//! No arm sees an outcome before its trade has closed. A trade of 0 lots is still followed and remembered. An account without equity
//! trades no more. With `train_only` memories learn nothing after the training, while equity and the state of mind go on changing.

use super::deals::{Book, Deal};
use super::layers::Layers;
use super::ledger::{Ledger, LedgerRow};
use super::measures::precision;
use super::plan::{Accounts, ArmKind, Plan};
use morta_memories::owm::affective::AffectiveState;
use morta_memories::owm::context::ContextVector;
use morta_memories::owm::episodic::EpisodicMemory;
use morta_memories::owm::kelly::{self, Recollection, from_memory};
use morta_memories::owm::mind::Mind;
use morta_memories::owm::recall::Query;
use morta_memories::owm::recollect::RankedMemory;
use morta_memories::owm::semantic::BeliefError;

/// The plan and the trades, which all arms share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Floor<'a> {
    pub plan: &'a Plan,
    pub book: &'a Book,
}

/// An empty memory. With `likeness` the sensitivity is 0: outcomes don't affect which memories are recalled, or their weights.
fn mind(plan: &Plan, likeness: bool) -> Box<Mind> {
    let mut config = plan.owm.clone();
    if likeness {
        config.score.sensitivity = 0.0;
    }
    Box::new(Mind::new(config, plan.account.start_equity, 0.0))
}

/// The sizing rule of an arm.
enum Sizer {
    Fixed,
    /// A fixed fraction of equity for each strategy.
    Constant(Vec<f64>),
    /// The outcomes of each strategy, oldest first.
    Recent(Vec<Vec<f64>>),
    Remembers(Box<Mind>),
    Layered(Layers),
}

/// An arm's decision about one trade.
#[derive(Clone, Copy, Debug, Default)]
struct Stake {
    /// Fraction of equity; `None` if the arm computes none.
    fraction: Option<f64>,
    /// Multiple of the fixed lot, of an arm that computes no fraction of equity but still distinguishes trades.
    lots: Option<f64>,
    /// Share of the first five recalled outcomes that have the trade's sign; `None` if the arm recalls none.
    precision: Option<f64>,
}

/// The accounts with their owners' affective states.
struct Desk<'a> {
    floor: Floor<'a>,
    owners: Vec<AffectiveState>,
    sizer: Sizer,
}

/// The Kelly fraction of each strategy's training trades, equally weighted: what the arm `simple_kelly` stakes, and for all arms the
/// reference of the measure `sizing_consistency` and a column of the report.
pub(super) fn training_kelly(training: &[Deal], floor: Floor<'_>) -> Vec<f64> {
    let of = |strategy: usize| {
        let of_strategy = training.iter().filter(|deal| usize::from(deal.domain.strategy) == strategy);
        equal_kelly(&of_strategy.map(|deal| deal.r).collect::<Vec<f64>>(), floor.plan)
    };
    (0..floor.book.strategies.len()).map(of).collect()
}

fn equal_kelly(outcomes: &[f64], plan: &Plan) -> f64 {
    let equally = |r: &f64| Recollection { score: 1.0, pnl_r: Some(*r) };
    from_memory(&outcomes.iter().map(equally).collect::<Vec<_>>(), 1.0, &plan.owm.kelly)
}

/// Runs through the training, then sizes the trades of the validation.
///
/// # Errors
/// Doesn't occur: every pattern names its strategy, so its belief has a condition.
pub(super) fn live(
    kind: ArmKind,
    floor: Floor<'_>,
    training: &[Deal],
    validation: &[Deal],
) -> Result<Ledger, BeliefError> {
    let mut desk = Desk::new(kind, floor, training);
    // The training is run with the fixed lot, otherwise its episodes would have no drawdown.
    desk.walk(training, true)?;
    desk.open_accounts();
    desk.walk(validation, false)
}

impl<'a> Desk<'a> {
    fn new(kind: ArmKind, floor: Floor<'a>, training: &[Deal]) -> Self {
        let sizer = match kind {
            ArmKind::Fixed => Sizer::Fixed,
            ArmKind::SimpleKelly => Sizer::Constant(training_kelly(training, floor)),
            ArmKind::RecencyKelly => Sizer::Recent(vec![Vec::new(); floor.book.strategies.len()]),
            ArmKind::Owm => Sizer::Remembers(mind(floor.plan, false)),
            ArmKind::OwmLikeness => Sizer::Remembers(mind(floor.plan, true)),
            ArmKind::Layers => Sizer::Layered(Layers::new(floor.plan.layers.clone())),
        };
        let mut desk = Self { floor, owners: Vec::new(), sizer };
        desk.open_accounts();
        desk
    }

    /// Resets the accounts and the affective states, so that the validation begins neutral.
    fn open_accounts(&mut self) {
        let account = &self.floor.plan.account;
        let count = match account.owner {
            Accounts::Joint => 1,
            Accounts::EachVariant => self.floor.book.variants,
        };
        self.owners = vec![AffectiveState::new(account.start_equity, 0.0); count];
    }

    fn owner_of(&self, deal: &Deal) -> usize {
        match self.floor.plan.account.owner {
            Accounts::Joint => 0,
            Accounts::EachVariant => deal.variant as usize,
        }
    }

    /// Processes decisions and closes in the order of time. A decision sees only closes up to its `known_s`.
    fn walk(&mut self, deals: &[Deal], training: bool) -> Result<Ledger, BeliefError> {
        let mut closes: Vec<usize> = (0..deals.len()).collect();
        closes.sort_by(|a, b| {
            let (a, b) = (&deals[*a], &deals[*b]);
            a.exited_s.total_cmp(&b.exited_s).then(a.variant.cmp(&b.variant))
        });
        let mut closes = closes.into_iter().peekable();
        let mut rows: Vec<LedgerRow> = Vec::with_capacity(deals.len());
        let mut closed = Vec::with_capacity(deals.len());
        for (place, deal) in deals.iter().enumerate() {
            while let Some(done) =
                closes.next_if(|done| *done < place && deals[*done].exited_s <= deal.known_s)
            {
                self.close(&deals[done], &mut rows[done], training)?;
                closed.push(done);
            }
            rows.push(self.open(deal, training));
        }
        for done in closes {
            self.close(&deals[done], &mut rows[done], training)?;
            closed.push(done);
        }
        Ok(Ledger { rows, closed })
    }

    fn open(&mut self, deal: &Deal, training: bool) -> LedgerRow {
        let plan = self.floor.plan;
        let place = self.owner_of(deal);
        let drawdown = self.owners[place].drawdown().min(1.0);
        let context = ContextVector { drawdown_pct: Some(drawdown), ..deal.context };
        let equity = self.owners[place].current_equity;
        // No arm sizes the training, so that all of them learn from the same trades and equity.
        let stake = if training { Stake::default() } else { self.stake(deal, place, context) };
        let lots = match (stake.fraction, stake.lots) {
            // An account without equity trades no more, otherwise its lots would be negative.
            _ if equity <= 0.0 => 0.0,
            (None, usual) => plan.account.fixed_lot * usual.unwrap_or(1.0),
            (Some(fraction), _) => kelly::lots(fraction, equity, deal.stop, deal.lot_units),
        };
        let Stake { fraction, lots: usual, precision } = stake;
        LedgerRow { context, regime: deal.regime, fraction, usual, precision, lots, pnl: 0.0 }
    }

    fn stake(&mut self, deal: &Deal, owner: usize, context: ContextVector) -> Stake {
        let plan = self.floor.plan;
        let owner = &self.owners[owner];
        let strategy = usize::from(deal.domain.strategy);
        match &mut self.sizer {
            Sizer::Fixed => Stake::default(),
            Sizer::Constant(fractions) => Stake { fraction: Some(fractions[strategy]), ..Stake::default() },
            Sizer::Recent(outcomes) => {
                let all = &outcomes[strategy];
                let newest = &all[all.len().saturating_sub(plan.owm.kelly.memories as usize)..];
                let first: Vec<f64> = newest.iter().rev().copied().collect();
                let fraction = Some(equal_kelly(newest, plan));
                Stake { fraction, precision: precision(&first, deal.r), ..Stake::default() }
            }
            Sizer::Remembers(mind) => {
                let query = Query { now_s: deal.now_s, context, mood: owner.mood() };
                let recalled = mind.recall_domain(deal.domain, &query);
                let recollections: Vec<Recollection> =
                    recalled.iter().filter_map(RankedMemory::recollection).collect();
                let outcomes: Vec<f64> = recollections.iter().filter_map(|memory| memory.pnl_r).collect();
                let fraction = Some(from_memory(&recollections, owner.risk_appetite, &plan.owm.kelly));
                Stake { fraction, precision: precision(&outcomes, deal.r), ..Stake::default() }
            }
            Sizer::Layered(layers) => Stake { lots: Some(layers.lots(deal)), ..Stake::default() },
        }
    }

    fn close(&mut self, deal: &Deal, row: &mut LedgerRow, training: bool) -> Result<(), BeliefError> {
        let plan = self.floor.plan;
        row.pnl = deal.r * row.lots * deal.stop * deal.lot_units;
        let place = self.owner_of(deal);
        let owner = &mut self.owners[place];
        owner.on_outcome(Some(deal.r), None, &plan.owm.affect);
        owner.on_equity(owner.current_equity + row.pnl, deal.exited_s, &plan.owm.affect);
        if !training && plan.train_only {
            return Ok(());
        }
        match &mut self.sizer {
            Sizer::Fixed | Sizer::Constant(_) => {}
            Sizer::Recent(outcomes) => outcomes[usize::from(deal.domain.strategy)].push(deal.r),
            Sizer::Remembers(mind) => {
                mind.remember(episode(deal, row, plan.confidence), self.floor.book, deal.exited_s)?;
            }
            Sizer::Layered(layers) => layers.keep(deal),
        }
        Ok(())
    }
}

fn episode(deal: &Deal, row: &LedgerRow, confidence: f64) -> EpisodicMemory {
    EpisodicMemory {
        made_s: Some(deal.exited_s),
        context: row.context,
        exit_price: deal.exit_price,
        lots: Some(row.lots),
        pnl: Some(row.pnl),
        pnl_r: Some(deal.r),
        hold_s: deal.held_s,
        confidence: Some(confidence),
        ..EpisodicMemory::decided(deal.id, deal.domain, deal.direction, deal.entry_price)
    }
}

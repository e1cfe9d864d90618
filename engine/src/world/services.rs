//! The shared services as the barrier sees them: letters in, answers and events out. An actor's handler, and the plain
//! loop, call exactly these.

use crate::base::phase::phase;
use crate::base::{BloodstainId, GolemId, LetterId, Tick, Usdc, WorldSeed};
use crate::curator::{CuratorConfig, CuratorRequest, curate};
use crate::event::{Event, EventKind};
use crate::golem::Answer;
use crate::lethe::{
    BloodstainStore, CladeBoard, CladeLetter, CladeMap, EarlierBloodstains, Lethe, PheromoneConfig,
    PheromoneField, StoreError,
};
use crate::market::{Bar, MarketConfig, MarketLedger, MarketState, MarketView, Order, Regime};
use crate::mortality::Observed;
use crate::mortality::epistemic::Observer;
use crate::world::{LetheMail, Plan};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub use crate::llm::Broker;

/// What every golem is told of a tick.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TickContext {
    /// What can be seen of the market.
    pub view: MarketView,
    /// What came true in the five domains of prediction.
    pub observed: Observed,
    /// True regimes by asset; only the oracle looks.
    pub true_regimes: Vec<Regime>,
    /// What can be smelled; shared, because it seldom changes.
    #[serde(with = "crate::base::shared")]
    pub pheromones: Arc<PheromoneField>,
}

/// What the market hands back at the barrier.
#[derive(Clone, Debug, PartialEq)]
pub struct MarketReport {
    /// Fills and refusals, in letter order.
    pub answers: Vec<(LetterId, Answer)>,
    /// Shocks that began.
    pub events: Vec<Event>,
    /// Where the market's money is now.
    pub ledger: MarketLedger,
    /// The next tick, its air still clean.
    pub next: TickContext,
}

/// The market with what is read off it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MarketDesk {
    state: MarketState,
    observer: Observer,
}

impl MarketDesk {
    /// Opens the market at tick 0.
    pub fn open(state: MarketState) -> (Self, TickContext, MarketLedger) {
        let mut desk = Self { state, observer: Observer::default() };
        let context = desk.context();
        let ledger = desk.state.ledger();
        (desk, context, ledger)
    }

    /// The seed of its world.
    pub fn seed(&self) -> WorldSeed {
        self.state.seed()
    }

    /// Gives a market that was loaded its bars back; false when they aren't the same.
    pub fn rebind(&mut self, bars: Vec<Vec<Bar>>) -> bool {
        self.state.rebind_bars(bars).is_ok()
    }

    /// Gives a market under way other keys, and says what can be seen of the current tick by them.
    pub fn rebind_keys(&mut self, config: &MarketConfig) -> MarketView {
        self.state.rebind_keys(config);
        self.state.view().clone()
    }

    fn context(&mut self) -> TickContext {
        let view = self.state.view().clone();
        let regime = |asset| self.state.true_regime(asset).expect("every asset of the view is known");
        let true_regimes = (0..view.assets.len() as u8).map(regime).collect();
        let pheromones = Arc::default();
        TickContext { observed: self.observer.observe(&view), true_regimes, pheromones, view }
    }

    /// Executes a tick's orders and moves to the next tick.
    pub fn step(&mut self, now: Tick, orders: &[(LetterId, Order)]) -> MarketReport {
        phase!("market");
        let step = self.state.step(orders);
        let filled = step.fills.into_iter().map(|(letter, fill)| (letter, Answer::Filled(fill)));
        let refused = step.refusals.into_iter().map(|(letter, reason)| {
            let index = orders.binary_search_by_key(&letter, |(id, _)| *id).expect("it answers an order");
            (letter, Answer::OrderRefused { order: orders[index].1, reason })
        });
        let mut answers: Vec<(LetterId, Answer)> = filled.chain(refused).collect();
        answers.sort_by_key(|(letter, _)| *letter);
        let event = |shock| Event { tick: now, golem: None, kind: EventKind::ShockStarted(shock) };
        let events = step.shocks_started.into_iter().map(event).collect();
        MarketReport { answers, events, ledger: self.state.ledger(), next: self.context() }
    }
}

/// What any other service hands back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ServiceReport {
    /// Answers, in letter order.
    pub answers: Vec<(LetterId, Answer)>,
}

/// The Curator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CuratorDesk {
    config: CuratorConfig,
}

impl CuratorDesk {
    /// A Curator that works by these keys.
    pub fn new(config: CuratorConfig) -> Self {
        Self { config }
    }

    /// Goes through what was handed in.
    pub fn step(&self, requests: &[(LetterId, CuratorRequest)]) -> ServiceReport {
        phase!("curator");
        let answer =
            |(letter, request): &(LetterId, _)| (*letter, Answer::Curated(curate(request, &self.config)));
        ServiceReport { answers: requests.iter().map(answer).collect() }
    }
}

/// What the Lethe hands back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LetheReport {
    /// What newborns drew, in letter order.
    pub answers: Vec<(LetterId, Answer)>,
    /// News of clades, in the order of the letters that caused them.
    pub news: Vec<(GolemId, Answer)>,
    /// What can be smelled from the next tick on, if that has changed.
    pub pheromones: Option<Arc<PheromoneField>>,
}

/// The Lethe over a store, the boards of the clades, and the pheromones.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LetheDesk<S> {
    lethe: Lethe,
    board: CladeBoard,
    clades: CladeMap,
    pheromones: PheromoneConfig,
    field: PheromoneField,
    ticks_per_hour: f64,
    store: S,
}

impl<S: BloodstainStore> LetheDesk<S> {
    /// The Lethe of a plan, over a store that holds what earlier runs left and nothing else.
    pub fn open(plan: &Plan, earlier_bloodstains: &EarlierBloodstains, store: S) -> Self {
        let scenario = plan.scenario();
        let tick_seconds = f64::from(scenario.market.tick_seconds);
        let clades = plan.clades().clone();
        let mut lethe = Lethe::new(scenario.lethe.clone(), plan.seed(), tick_seconds, clades.clone());
        lethe.remember(earlier_bloodstains);
        let (clade, keys) = (scenario.clade.clone(), scenario.lethe.clone());
        Self {
            lethe,
            board: CladeBoard::new(clade, keys, clades.clone(), tick_seconds),
            clades,
            pheromones: scenario.pheromones.clone(),
            field: PheromoneField::default(),
            ticks_per_hour: 3_600.0 / tick_seconds,
            store,
        }
    }

    /// How many bloodstains it holds.
    pub fn len(&self) -> u32 {
        self.lethe.len() as u32
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.lethe.is_empty()
    }

    /// Goes on by the keys of another plan for the same world.
    ///
    /// # Errors
    /// When the store fails.
    pub fn rebind(&mut self, plan: &Plan) -> Result<(), StoreError> {
        let scenario = plan.scenario();
        let (keys, clades) = (scenario.lethe.clone(), plan.clades().clone());
        self.lethe.rebind(keys.clone(), clades.clone(), &mut self.store)?;
        self.board.rebind(scenario.clade.clone(), keys, clades.clone());
        (self.clades, self.pheromones) = (clades, scenario.pheromones.clone());
        Ok(())
    }

    /// The bloodstains it holds, in the order of identities.
    pub fn bloodstains(&self) -> impl Iterator<Item = BloodstainId> + '_ {
        self.lethe.ids()
    }

    /// Takes a bloodstain away; false when it isn't there.
    ///
    /// # Errors
    /// When the store fails.
    pub fn remove(&mut self, id: BloodstainId) -> Result<bool, StoreError> {
        self.lethe.remove(id, &mut self.store)
    }

    /// Answers the newborn first, then takes in what the dead left: nobody draws a bloodstain in the tick it is left. What siblings
    /// write comes last. Everything left is safe when this returns.
    ///
    /// # Errors
    /// When the store fails.
    pub fn step(&mut self, now: Tick, mail: LetheMail) -> Result<LetheReport, StoreError> {
        phase!("lethe");
        let mut report = LetheReport::default();
        for (letter, query) in &mail.draws {
            let drawn = self.lethe.draw(now, query, &self.store)?;
            report.answers.push((*letter, Answer::Drawn(drawn)));
        }
        let left = !mail.deposits.is_empty();
        for (_, deposit) in mail.deposits {
            self.lethe.deposit(now, deposit, &mut self.store)?;
        }
        if left {
            self.store.flush(now)?;
        }
        self.carry(now, mail.clade, &mut report);
        Ok(report)
    }

    fn carry(&mut self, now: Tick, letters: Vec<(LetterId, CladeLetter)>, report: &mut LetheReport) {
        let mut news = Vec::new();
        let mut smells_new = false;
        for (letter, content) in letters {
            match content {
                CladeLetter::Votes(votes) => self.lethe.count(&votes),
                CladeLetter::Pheromone(pheromone) => {
                    let Some(clade) = self.clades.clade_of(letter.golem.lineage) else { continue };
                    let (per_hour, config) = (self.ticks_per_hour, &self.pheromones);
                    self.field.leave(now, (clade, letter.golem), &pheromone, per_hour, config);
                    smells_new = true;
                }
                other => self.board.take(now, letter, other, &mut news),
            }
        }
        report.news = news.into_iter().map(|(golem, news)| (golem, Answer::Clade(news))).collect();
        if smells_new {
            self.field.air(now, self.ticks_per_hour, &self.pheromones);
            report.pheromones = Some(Arc::new(self.field.clone()));
        }
    }
}

/// Money that answers carry to golems.
pub fn in_flight(answers: &[(LetterId, Answer)]) -> Usdc {
    answers.iter().map(|(_, answer)| answer.money_in_flight()).sum()
}

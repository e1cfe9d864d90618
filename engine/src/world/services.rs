//! All shared services of a world, which a driver on one thread (the plain loop) calls one after the other (service container). They are
//! opened with the world whatever drives it. Actors hold the same services on threads of their own. The result is the same with both,
//! because no service reads another's state.

use crate::dream::DreamScheduler;
use crate::lethe::{BloodstainStore, EarlierBloodstains, MemoryStore, StoreError};
use crate::llm::Broker;
use crate::market::{Bar, MarketState};
use crate::world::service::{
    CuratorService, LetheService, MarketService, Reports, Served, Service, ServiceError, ServiceKind,
    serve_guarded,
};
use crate::world::{Deliveries, Plan, TickContext};
use morta_base::Tick;
use serde::{Deserialize, Serialize};

/// The shared services of a world: a service container (composition root).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Services<S = MemoryStore> {
    /// Executes orders and moves prices on.
    pub market: MarketService,
    /// Goes through golems' recent episodes.
    pub curator: CuratorService,
    /// Says who may dream.
    pub dream_scheduler: DreamScheduler,
    /// Answers inference.
    pub llm_broker: Broker,
    /// Keeps bloodstains.
    pub styx_lethe: LetheService<S>,
}

impl<S: BloodstainStore> Services<S> {
    /// Initialises the services of a plan at tick 0, market, inference and shared memory among them, over the store given (dependency
    /// injection), and returns the context of that tick besides.
    ///
    /// # Panics
    /// When the bars aren't those the plan was made with.
    pub fn open(
        plan: &Plan,
        bars: Vec<Vec<Bar>>,
        earlier_bloodstains: &EarlierBloodstains,
        store: S,
    ) -> (Self, TickContext) {
        let scenario = plan.scenario();
        let state =
            MarketState::new(&scenario.market, plan.seed(), bars).expect("the plan has opened this market");
        let (market, now) = MarketService::open(state);
        let services = Self {
            market,
            curator: CuratorService::new(scenario.curator.clone()),
            dream_scheduler: DreamScheduler::new(scenario.dream.clone()),
            llm_broker: Broker::new(scenario.llm.clone(), plan.seed(), plan.outside().clone()),
            styx_lethe: LetheService::open(plan, earlier_bloodstains, store),
        };
        (services, now)
    }

    /// Lets every service that has a delivery serve it: sequential dispatch, one after the other. Actors serve at the same time instead;
    /// the result is the same because no service reads another's state.
    ///
    /// # Errors
    /// When one fails; those after it are not asked.
    pub fn serve(&mut self, now: Tick, deliveries: Deliveries, plan: &Plan) -> Result<Reports, ServiceError> {
        let Deliveries { market, curator, dream_scheduler, llm_broker, styx_lethe } = deliveries;
        let served = [
            serve_if_asked(&mut self.market, now, market, plan)?,
            serve_if_asked(&mut self.curator, now, curator, plan)?,
            serve_if_asked(&mut self.dream_scheduler, now, dream_scheduler, plan)?,
            serve_if_asked(&mut self.llm_broker, now, llm_broker, plan)?,
            serve_if_asked(&mut self.styx_lethe, now, styx_lethe, plan)?,
        ];
        let mut reports = Reports::default();
        served.into_iter().flatten().for_each(|served| reports.add(served));
        Ok(reports)
    }

    /// Services that have work due without a letter (background work): the market always, the broker while requests wait or replies are
    /// under way.
    pub fn at_work(&self) -> impl Iterator<Item = ServiceKind> {
        let Self { market, curator, dream_scheduler, llm_broker, styx_lethe } = self;
        [
            if_at_work(market),
            if_at_work(curator),
            if_at_work(dream_scheduler),
            if_at_work(llm_broker),
            if_at_work(styx_lethe),
        ]
        .into_iter()
        .flatten()
    }

    /// Goes on by the keys of another plan for the same world; the market's change the view of the current tick.
    ///
    /// # Errors
    /// When the Lethe's store fails; nothing has changed then.
    pub(super) fn rebind_keys(&mut self, plan: &Plan, now: &mut TickContext) -> Result<(), StoreError> {
        let scenario = plan.scenario();
        let Self { market, curator, dream_scheduler, llm_broker, styx_lethe } = self;
        // First the one that can fail, so that a failure leaves the others as they were.
        styx_lethe.rebind(plan)?;
        now.view = market.rebind_keys(&scenario.market);
        // The Curator keeps nothing but its keys, so a new one loses nothing.
        *curator = CuratorService::new(scenario.curator.clone());
        dream_scheduler.rebind(scenario.dream.clone());
        llm_broker.rebind(scenario.llm.clone(), plan.outside().clone());
        Ok(())
    }
}

fn serve_if_asked<S: Service>(
    service: &mut S,
    now: Tick,
    letters: Option<S::Letters>,
    plan: &Plan,
) -> Result<Option<Served>, ServiceError> {
    letters.map(|letters| serve_guarded(service, now, letters, plan)).transpose()
}

fn if_at_work<S: Service>(service: &S) -> Option<ServiceKind> {
    service.has_work().then_some(S::KIND)
}

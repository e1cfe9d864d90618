//! The shared actors: one for each service of the engine (market, Curator, dream scheduler, LLM broker, Lethe). It is a generic actor
//! wrapper around a state machine (adapter), so that each service has the same mailbox, panic guard and report. A service serves a tick
//! once, after all golems have stepped through it, and only if the barrier has a delivery for it. A panic or error of a service ends the
//! run.

use crate::message::{Deliver, Report};
use crate::outcome::RunError;
use actix::{Actor, Addr, Context, Handler, Recipient};
use actix_rt::Arbiter;
use morta_base::Tick;
use morta_engine::dream::DreamScheduler;
use morta_engine::lethe::BloodstainStore;
use morta_engine::llm::Broker;
use morta_engine::world::service::{CuratorService, ServiceError, ServiceFailure, serve_guarded};
use morta_engine::world::{
    Deliveries, LetheMail, LetheService, MarketService, Plan, Service, ServiceKind, Services,
};
use std::sync::Arc;

/// Messages that the mailbox holds. A service gets one message a tick, and the next only after it has reported. Two rather than one,
/// because a mailbox that one message fills would park its sender. Requests that wait longer than a tick (the broker's queue) wait in the
/// service, which bounds them.
const MAILBOX_CAPACITY: usize = 2;

/// The actor of one service of the engine: it serves a tick for each message and reports the result to the conductor.
pub(crate) struct ServiceActor<S> {
    pub service: S,
    pub plan: Arc<Plan>,
    pub conductor: Recipient<Report>,
}

/// Actor of the market: executes orders and moves prices to the next tick.
pub(crate) type MarketActor = ServiceActor<MarketService>;
/// Actor of the Curator: reviews golems' recent episodes.
pub(crate) type CuratorActor = ServiceActor<CuratorService>;
/// Actor of the dream scheduler: admits golems to dreams.
pub(crate) type DreamSchedulerActor = ServiceActor<DreamScheduler>;
/// Actor of the LLM broker: queues, prices and answers inference.
pub(crate) type LlmBrokerActor = ServiceActor<Broker>;
/// Actor of the Styx Lethe: stores and retrieves bloodstains, and delivers letters between siblings.
pub(crate) type StyxLetheActor<S> = ServiceActor<LetheService<S>>;

impl<S: Unpin + 'static> Actor for ServiceActor<S> {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(MAILBOX_CAPACITY);
    }
}

impl<S: Service + Unpin + 'static> Handler<Deliver<S::Letters>> for ServiceActor<S>
where
    S::Letters: 'static,
{
    type Result = ();

    fn handle(&mut self, Deliver { tick, letters }: Deliver<S::Letters>, _: &mut Self::Context) {
        let report = match serve_guarded(&mut self.service, tick, letters, &self.plan) {
            Ok(served) => Report::Served(Box::new(served)),
            Err(ServiceError { cause: ServiceFailure::Outside(error), .. }) => Report::Unanswered(error),
            Err(error) => Report::Failed { actor: S::KIND.name(), reason: error.cause.to_string() },
        };
        report.send(S::KIND.name(), &self.conductor);
    }
}

/// Address of a shared actor, by the letters it takes.
type To<L> = Recipient<Deliver<L>>;

/// Addresses of the five shared actors of a run (actor addresses, recipients).
pub(crate) struct ServiceActors {
    market: To<<MarketService as Service>::Letters>,
    curator: To<<CuratorService as Service>::Letters>,
    dream_scheduler: To<<DreamScheduler as Service>::Letters>,
    llm_broker: To<<Broker as Service>::Letters>,
    styx_lethe: To<LetheMail>,
}

impl ServiceActors {
    /// Starts all of them (actor placement). It is called on the first arbiter; `second` is another arbiter, or `None` where there is one
    /// only.
    ///
    /// The broker and the Lethe run on the second arbiter and the others on the first, because all golems wait for the shared actors: side by
    /// side they take less time than in a row.
    pub(crate) fn start<L: BloodstainStore + Unpin + Send + 'static>(
        services: Services<L>,
        plan: &Arc<Plan>,
        conductor: &Recipient<Report>,
        second: Option<&Arbiter>,
    ) -> Self {
        let Services { market, curator, dream_scheduler, llm_broker, styx_lethe } = services;
        let (plan, conductor) = (|| Arc::clone(plan), || conductor.clone());
        let market = MarketActor { service: market, plan: plan(), conductor: conductor() };
        let curator = CuratorActor { service: curator, plan: plan(), conductor: conductor() };
        let dream_scheduler =
            DreamSchedulerActor { service: dream_scheduler, plan: plan(), conductor: conductor() };
        let llm_broker = LlmBrokerActor { service: llm_broker, plan: plan(), conductor: conductor() };
        let styx_lethe = StyxLetheActor { service: styx_lethe, plan: plan(), conductor: conductor() };
        Self {
            market: market.start().recipient(),
            curator: curator.start().recipient(),
            dream_scheduler: dream_scheduler.start().recipient(),
            llm_broker: start_on(second, llm_broker).recipient(),
            styx_lethe: start_on(second, styx_lethe).recipient(),
        }
    }

    /// Sends every shared actor its letters of a tick, if it has any (message delivery). Returns the number of reports to await.
    ///
    /// # Errors
    /// When one can't be reached.
    pub(crate) fn deliver(&self, tick: Tick, deliveries: Deliveries) -> Result<usize, RunError> {
        let Deliveries { market, curator, dream_scheduler, llm_broker, styx_lethe } = deliveries;
        let sent = [
            send_if_any(ServiceKind::Market, &self.market, tick, market)?,
            send_if_any(ServiceKind::Curator, &self.curator, tick, curator)?,
            send_if_any(ServiceKind::DreamScheduler, &self.dream_scheduler, tick, dream_scheduler)?,
            send_if_any(ServiceKind::LlmBroker, &self.llm_broker, tick, llm_broker)?,
            send_if_any(ServiceKind::StyxLethe, &self.styx_lethe, tick, styx_lethe)?,
        ];
        Ok(sent.into_iter().filter(|sent| *sent).count())
    }
}

fn start_on<A: Actor<Context = Context<A>> + Send>(arbiter: Option<&Arbiter>, actor: A) -> Addr<A> {
    match arbiter {
        Some(arbiter) => A::start_in_arbiter(&arbiter.handle(), |_| actor),
        None => actor.start(),
    }
}

/// Sends letters to a service; false when there are none.
fn send_if_any<L: Send>(
    service: ServiceKind,
    to: &To<L>,
    tick: Tick,
    letters: Option<L>,
) -> Result<bool, RunError> {
    let Some(letters) = letters else { return Ok(false) };
    let sent = to.try_send(Deliver { tick, letters });
    sent.map_err(|error| RunError::Unreachable { actor: service.name(), reason: error.to_string() })?;
    Ok(true)
}

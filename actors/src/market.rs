//! The market actor.

use crate::guard;
use crate::message::{Deliver, Report};
use actix::{Actor, Context, Handler, Recipient};
use morta_engine::base::LetterId;
use morta_engine::market::Order;
use morta_engine::world::{FaultTarget, MarketDesk, Plan};
use std::sync::Arc;

/// One barrier's orders at a time.
pub const MAILBOX_CAPACITY: usize = 2;

/// Executes orders and moves the market to its next tick.
pub struct Market {
    pub desk: MarketDesk,
    pub plan: Arc<Plan>,
    pub conductor: Recipient<Report>,
}

impl Actor for Market {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(MAILBOX_CAPACITY);
    }
}

impl Handler<Deliver<Vec<(LetterId, Order)>>> for Market {
    type Result = ();

    fn handle(&mut self, Deliver { tick, letters }: Deliver<Vec<(LetterId, Order)>>, _: &mut Self::Context) {
        let (desk, plan) = (&mut self.desk, &self.plan);
        guard::report("the market", &self.conductor, || {
            guard::strike(plan, FaultTarget::Market, tick);
            Ok(Report::Market(Box::new(desk.step(tick, &letters))))
        });
    }
}

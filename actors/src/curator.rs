//! The Curator actor.

use crate::guard;
use crate::message::{Deliver, Report};
use actix::{Actor, Context, Handler, Recipient};
use morta_engine::base::LetterId;
use morta_engine::curator::CuratorRequest;
use morta_engine::world::{CuratorDesk, FaultTarget, Plan};
use std::sync::Arc;

/// One barrier's requests at a time.
const MAILBOX_CAPACITY: usize = 2;

/// Goes through golems' recent episodes.
pub struct Curator {
    pub desk: CuratorDesk,
    pub plan: Arc<Plan>,
    pub conductor: Recipient<Report>,
}

impl Actor for Curator {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(MAILBOX_CAPACITY);
    }
}

impl Handler<Deliver<Vec<(LetterId, CuratorRequest)>>> for Curator {
    type Result = ();

    fn handle(
        &mut self,
        Deliver { tick, letters }: Deliver<Vec<(LetterId, CuratorRequest)>>,
        _: &mut Self::Context,
    ) {
        let (desk, plan) = (&self.desk, &self.plan);
        guard::report("the Curator", &self.conductor, || {
            guard::strike(plan, FaultTarget::Curator, tick);
            Ok(Report::Curator(desk.step(&letters).answers))
        });
    }
}

//! The Styx Lethe actor.

use crate::guard;
use crate::message::{Deliver, Report};
use actix::{Actor, Context, Handler, Recipient};
use morta_engine::lethe::BloodstainStore;
use morta_engine::world::{FaultTarget, LetheDesk, LetheMail, Plan};
use std::sync::Arc;

/// One barrier's letters at a time.
const MAILBOX_CAPACITY: usize = 2;

/// Keeps bloodstains and finds them again; carries what siblings write.
pub struct StyxLethe<S> {
    pub desk: LetheDesk<S>,
    pub plan: Arc<Plan>,
    pub conductor: Recipient<Report>,
}

impl<S: Unpin + 'static> Actor for StyxLethe<S> {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(MAILBOX_CAPACITY);
    }
}

impl<S: BloodstainStore + Unpin + 'static> Handler<Deliver<LetheMail>> for StyxLethe<S> {
    type Result = ();

    fn handle(&mut self, Deliver { tick, letters }: Deliver<LetheMail>, _: &mut Self::Context) {
        let (desk, plan) = (&mut self.desk, &self.plan);
        guard::report("the Styx Lethe", &self.conductor, || {
            guard::strike(plan, FaultTarget::StyxLethe, tick);
            let report = desk.step(tick, letters).map_err(|error| error.to_string())?;
            Ok(Report::StyxLethe { report: Box::new(report), bloodstains: desk.len() })
        });
    }
}

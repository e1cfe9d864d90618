//! One dispatcher for each arbiter: the only golem-side actor that messages cross threads to. It fans a tick out to its
//! golems, chunk by chunk, and hands their outboxes back in the order of ids. It also supervises them: the dead are
//! dropped, the newborn started.

use crate::golem::{Arbiter, GolemActor, Slot};
use crate::message::{ChunkDone, EndLives, LiveTick, Report, Step};
use crate::open_ticks::OpenTicks;
use crate::vigil::Vigil;
use actix::{Actor, Addr, AsyncContext, Context, Handler, Recipient};
use morta_engine::base::{GolemId, Lineage, Tick};
use morta_engine::golem::{Answer, Golem, Outbox};
use morta_engine::world::{Inboxes, Plan};
use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// One tick is under way at a time, and one chunk of it.
const MAILBOX_CAPACITY: usize = 4;
/// Golems that are stepped between two looks at the queue: enough to hide the cost of a message, few enough that their
/// outboxes stay in cache.
const CHUNK: usize = 128;

/// Where the golem of a lineage lives.
struct Place {
    id: GolemId,
    golem: Addr<GolemActor>,
    /// The next tick it has to be stepped at: the conductor's, or a later one when it has lived ahead.
    due: Tick,
}

/// Every how-manieth lineage a dispatcher has, and from which on.
#[derive(Clone, Copy, Debug)]
pub struct Hand {
    /// The dispatcher's number.
    pub index: usize,
    /// How many there are.
    pub of: usize,
}

impl Hand {
    fn place(self, lineage: Lineage) -> usize {
        lineage as usize / self.of
    }
}

/// Fans ticks out to the golems of one arbiter.
pub struct Dispatcher {
    hand: Hand,
    conductor: Recipient<Report>,
    arbiter: Rc<Arbiter>,
    places: Vec<Option<Place>>,
    /// Places walked past in this tick.
    next: usize,
    /// Golems in the chunk under way.
    chunk: usize,
    inboxes: Mailbag,
    births: Outbox,
    vigil: Vigil,
}

impl Dispatcher {
    /// A dispatcher of those who live already; to be called on its arbiter.
    pub fn new(
        hand: Hand,
        plan: Arc<Plan>,
        living: BTreeMap<Lineage, Box<Golem>>,
        conductor: Recipient<Report>,
        writer_at_work: Arc<AtomicBool>,
        context: &mut Context<Self>,
    ) -> Self {
        context.set_mailbox_capacity(MAILBOX_CAPACITY);
        let mut places = Vec::new();
        places.resize_with(hand.place(plan.lineages()) + 1, || None);
        let arbiter = Arbiter {
            plan,
            open: RefCell::default(),
            slots: RefCell::new((0..CHUNK).map(|_| Slot::default()).collect()),
            outstanding: Cell::new(0),
            ending: Cell::new(false),
            failure: RefCell::new(None),
            dispatcher: context.address(),
        };
        let inboxes = Mailbag::of(Inboxes::default(), true);
        let births = Outbox::default();
        let arbiter = Rc::new(arbiter);
        let vigil = Vigil::of(hand.of, writer_at_work);
        let mut dispatcher =
            Self { hand, conductor, places, arbiter, next: 0, chunk: 0, inboxes, births, vigil };
        living.into_values().for_each(|golem| dispatcher.settle(golem, 0));
        dispatcher
    }

    /// Gives a golem its place.
    fn settle(&mut self, golem: Box<Golem>, due: Tick) {
        let id = golem.id();
        let golem = GolemActor::launch(golem, Rc::clone(&self.arbiter));
        self.places[self.hand.place(id.lineage)] = Some(Place { id, golem, due });
    }

    fn next_chunk(&mut self) {
        match self.send_chunk() {
            Err(reason) => self.fail(reason),
            Ok(0) => self.hand_back(),
            Ok(sent) => self.chunk = sent,
        }
    }

    /// Lets the next golems that are due step; says how many.
    fn send_chunk(&mut self) -> Result<usize, String> {
        let mut slots = self.arbiter.slots.borrow_mut();
        let (now, ending) = (self.arbiter.open.borrow().first(), self.arbiter.ending.get());
        let mut sent = 0;
        while sent < slots.len() && self.next < self.places.len() {
            let nth = if self.inboxes.backward { self.places.len() - 1 - self.next } else { self.next };
            self.next += 1;
            let Some(Place { id, golem, due }) = &self.places[nth] else { continue };
            let inbox = self.inboxes.take(*id);
            if *due > now && !ending {
                if inbox.is_some() {
                    return Err(format!("golem {id} has lived past an answer of tick {now}"));
                }
                continue;
            }
            slots[sent] = Slot { lineage: id.lineage, inbox: inbox.unwrap_or_default(), due: None };
            let step = golem.try_send(Step { slot: sent });
            step.map_err(|error| format!("golem {id} could not be reached: {error}"))?;
            sent += 1;
        }
        self.arbiter.outstanding.set(sent);
        Ok(sent)
    }

    fn gather_chunk(&mut self) {
        for slot in self.arbiter.slots.borrow().iter().take(self.chunk) {
            let place = &mut self.places[self.hand.place(slot.lineage)];
            match (slot.due, place.as_mut()) {
                (Some(due), Some(place)) => place.due = due,
                _ => *place = None,
            }
        }
    }

    fn hand_back(&mut self) {
        let report = Report::Golems {
            dispatcher: self.hand.index,
            births: Box::new(std::mem::take(&mut self.births)),
            steps: Box::new(self.arbiter.open.borrow_mut().close()),
        };
        if let Err(error) = self.conductor.try_send(report) {
            tracing::error!(%error, "the conductor could not be told of a tick");
        }
        self.vigil.begin();
    }

    fn fail(&self, reason: String) {
        let report = Report::Failed { actor: "a dispatcher", reason };
        if let Err(error) = self.conductor.try_send(report) {
            tracing::error!(%error, "the conductor could not be told of a failure");
        }
    }
}

/// The answers of a tick, in the order in which golems are walked past.
struct Mailbag {
    /// Whether that is from the last to the first. Every other tick it is, so that a walk begins with the golems that are still in the
    /// cache, and not with those that the others have driven out.
    backward: bool,
    next: Option<(GolemId, Vec<Answer>)>,
    rest: <Inboxes as IntoIterator>::IntoIter,
}

impl Mailbag {
    fn of(inboxes: Inboxes, backward: bool) -> Self {
        let mut bag = Self { backward, next: None, rest: inboxes.into_iter() };
        bag.advance();
        bag
    }

    fn advance(&mut self) -> Option<(GolemId, Vec<Answer>)> {
        let next = if self.backward { self.rest.next_back() } else { self.rest.next() };
        std::mem::replace(&mut self.next, next)
    }

    /// The answers for a golem. Those for others that would have come before it are for golems that are gone.
    fn take(&mut self, golem: GolemId) -> Option<Vec<Answer>> {
        while let Some((id, _)) = &self.next {
            match if self.backward { golem.cmp(id) } else { id.cmp(&golem) } {
                Ordering::Less => drop(self.advance()),
                Ordering::Equal => return self.advance().map(|(_, answers)| answers),
                Ordering::Greater => break,
            }
        }
        None
    }
}

impl Actor for Dispatcher {
    type Context = Context<Self>;
}

impl Handler<LiveTick> for Dispatcher {
    type Result = ();

    fn handle(&mut self, message: LiveTick, _: &mut Self::Context) {
        self.vigil.end();
        let LiveTick { tick, contexts, births, inboxes } = message;
        self.arbiter.open.borrow_mut().open(tick, contexts);
        self.inboxes = Mailbag::of(inboxes, !self.inboxes.backward);
        for birth in births {
            let golem = self.arbiter.plan.born(birth, &mut self.births);
            self.settle(Box::new(golem), tick);
        }
        self.next = 0;
        self.next_chunk();
    }
}

impl Handler<EndLives> for Dispatcher {
    type Result = ();

    fn handle(&mut self, EndLives { last, context }: EndLives, _: &mut Self::Context) {
        let mut open = OpenTicks::default();
        open.open(last, vec![*context]);
        *self.arbiter.open.borrow_mut() = open;
        self.arbiter.ending.set(true);
        self.next = 0;
        self.next_chunk();
    }
}

impl Handler<ChunkDone> for Dispatcher {
    type Result = ();

    fn handle(&mut self, _: ChunkDone, _: &mut Self::Context) {
        if let Some(reason) = self.arbiter.failure.borrow_mut().take() {
            return self.fail(reason);
        }
        self.gather_chunk();
        self.next_chunk();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morta_engine::base::LetterId;

    /// Whichever way golems are walked past, each gets what it is answered, and answers to those that are gone are in nobody's way.
    #[test]
    fn answers_reach_golems_both_ways() {
        let letter = |lineage| LetterId { golem: GolemId::founder(lineage), number: 0 };
        for backward in [false, true] {
            let mut inboxes = Inboxes::default();
            inboxes.add([1, 2, 4, 7].map(|lineage| (letter(lineage), Answer::Drawn(Vec::new()))).to_vec());
            let mut bag = Mailbag::of(inboxes, backward);
            let mut walk: Vec<Lineage> = vec![0, 1, 4, 5, 6, 7, 9];
            if backward {
                walk.reverse();
            }
            let answered: Vec<Lineage> =
                walk.into_iter().filter(|lineage| bag.take(GolemId::founder(*lineage)).is_some()).collect();
            assert_eq!(answered, if backward { [7, 4, 1] } else { [1, 4, 7] });
        }
    }
}

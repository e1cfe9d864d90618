//! The dispatcher: one for each arbiter. It fans a tick out to its golems, chunk by chunk, and hands their outboxes back in the order of
//! ids. It also starts the actors of the newborn and drops those of the dead. A golem that has lived ahead gets no message until its
//! next tick is due or the run ends. It is the only golem-side actor that receives messages from other threads, because waking a thread
//! for each golem would cost more than the golem's step. It is the scheduler of one worker thread (sharding, batching).

use crate::golem::{ArbiterState, GolemActor, Slot};
use crate::idle_spin::IdleSpin;
use crate::message::{ChunkDone, EndLives, LiveTick, Report, Step};
use crate::open_ticks::OpenTicks;
use actix::{Actor, Addr, AsyncContext, Context, Handler, Recipient};
use morta_base::{GolemId, Lineage, Tick};
use morta_engine::golem::{Answer, Golem, Outbox};
use morta_engine::world::{Inboxes, Plan};
use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The actor's name in errors and logs.
const NAME: &str = "a dispatcher";

/// Messages that the mailbox holds. One tick is under way at a time, and one chunk of it: two messages at most. The room to spare is there
/// because a full mailbox parks its sender.
const MAILBOX_CAPACITY: usize = 4;
/// Golems that are stepped between two looks at the mailbox. Our choice: enough to spread the cost of a message over many steps, few
/// enough that their outboxes stay in the cache.
const CHUNK: usize = 128;

/// A dispatcher's entry for the living golem of a lineage.
struct Resident {
    id: GolemId,
    golem: Addr<GolemActor>,
    /// The next tick it has to be stepped at: the conductor's, or a later one if it has lived ahead.
    due: Tick,
}

/// The lineages of a dispatcher: every `count`-th one, from `index` on (shard, round robin). They are dealt out in turn rather than in
/// blocks, because deaths come by cohort, and cohorts are blocks of lineages: so all dispatchers keep about as many golems.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shard {
    /// The dispatcher's number, from 0.
    pub index: usize,
    /// The number of dispatchers, at least 1.
    pub count: usize,
}

impl Shard {
    /// The index of a lineage among the lineages of the shard, from 0.
    fn nth(self, lineage: Lineage) -> usize {
        lineage as usize / self.count
    }
}

/// Fans ticks out to the golems of one arbiter, 128 at a time (batching dispatcher, fan-out).
pub(crate) struct Dispatcher {
    shard: Shard,
    conductor: Recipient<Report>,
    arbiter: Rc<ArbiterState>,
    /// The living golems, by [`Shard::nth`]; `None` where a lineage has no living golem.
    residents: Vec<Option<Resident>>,
    /// Residents visited in this tick.
    next: usize,
    /// Golems in the chunk under way.
    chunk: usize,
    inboxes: InboxCursor,
    /// Events and letters of this tick's births, apart from those of steps, which follow them in the log.
    births: Outbox,
    idle_spin: IdleSpin,
}

impl Dispatcher {
    /// Makes the dispatcher of the golems that live at the beginning. It is called on the dispatcher's own arbiter, because a golem's actor
    /// starts on the arbiter that creates it.
    pub(crate) fn new(
        shard: Shard,
        plan: Arc<Plan>,
        living: BTreeMap<Lineage, Box<Golem>>,
        conductor: Recipient<Report>,
        writer_at_work: Arc<AtomicBool>,
        context: &mut Context<Self>,
    ) -> Self {
        context.set_mailbox_capacity(MAILBOX_CAPACITY);
        let mut residents = Vec::new();
        residents.resize_with(shard.nth(plan.lineages()) + 1, || None);
        let arbiter = ArbiterState {
            plan,
            open: RefCell::default(),
            slots: RefCell::new((0..CHUNK).map(|_| Slot::default()).collect()),
            outstanding: Cell::new(0),
            ending: Cell::new(false),
            failure: RefCell::new(None),
            dispatcher: context.address().recipient(),
        };
        let inboxes = InboxCursor::new(Inboxes::default(), true);
        let births = Outbox::default();
        let arbiter = Rc::new(arbiter);
        let idle_spin = IdleSpin::new(shard.count, writer_at_work);
        let mut dispatcher =
            Self { shard, conductor, residents, arbiter, next: 0, chunk: 0, inboxes, births, idle_spin };
        living.into_values().for_each(|golem| dispatcher.launch(golem, 0));
        dispatcher
    }

    /// Starts a golem's actor; its first step is at `due`.
    fn launch(&mut self, golem: Box<Golem>, due: Tick) {
        let id = golem.id();
        let golem = GolemActor::launch(golem, Rc::clone(&self.arbiter));
        self.residents[self.shard.nth(id.lineage)] = Some(Resident { id, golem, due });
    }

    fn next_chunk(&mut self) {
        match self.send_chunk() {
            Err(reason) => self.fail(reason),
            Ok(0) => self.hand_back(),
            Ok(sent) => self.chunk = sent,
        }
    }

    /// Sends a step to the next golems that are due, at most a chunk of them. Returns how many; 0 when all have been visited.
    fn send_chunk(&mut self) -> Result<usize, String> {
        let mut slots = self.arbiter.slots.borrow_mut();
        let (now, ending) = (self.arbiter.open.borrow().first(), self.arbiter.ending.get());
        let mut sent = 0;
        while sent < slots.len() && self.next < self.residents.len() {
            let nth = if self.inboxes.backward { self.residents.len() - 1 - self.next } else { self.next };
            self.next += 1;
            let Some(Resident { id, golem, due }) = &self.residents[nth] else { continue };
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

    /// Notes when each golem of the chunk is due again, and drops the departed.
    fn gather_chunk(&mut self) {
        for slot in self.arbiter.slots.borrow().iter().take(self.chunk) {
            let resident = &mut self.residents[self.shard.nth(slot.lineage)];
            match (slot.due, resident.as_mut()) {
                (Some(due), Some(resident)) => resident.due = due,
                (None, _) | (_, None) => *resident = None,
            }
        }
    }

    /// Reports the tick's outboxes to the conductor: all golems of the shard have lived through it.
    fn hand_back(&mut self) {
        let report = Report::Golems {
            dispatcher: self.shard.index,
            births: Box::new(std::mem::take(&mut self.births)),
            steps: Box::new(self.arbiter.open.borrow_mut().close()),
        };
        report.send(NAME, &self.conductor);
        self.idle_spin.begin();
    }

    fn fail(&self, reason: String) {
        Report::Failed { actor: NAME, reason }.send(NAME, &self.conductor);
    }
}

/// The answers of a tick, in the order in which golems are visited.
struct InboxCursor {
    /// Whether golems are visited from the last to the first. The direction alternates by tick, so that a pass begins with the golems that
    /// are still in the cache. A pass in one direction would always begin with those that the later ones have evicted.
    backward: bool,
    /// The next answers in the order of visits; `rest` has those after them.
    next: Option<(GolemId, Vec<Answer>)>,
    rest: <Inboxes as IntoIterator>::IntoIter,
}

impl InboxCursor {
    fn new(inboxes: Inboxes, backward: bool) -> Self {
        let mut cursor = Self { backward, next: None, rest: inboxes.into_iter() };
        cursor.advance();
        cursor
    }

    fn advance(&mut self) -> Option<(GolemId, Vec<Answer>)> {
        let next = if self.backward { self.rest.next_back() } else { self.rest.next() };
        std::mem::replace(&mut self.next, next)
    }

    /// The answers for a golem; `None` without any. Answers for golems earlier in the order are dropped: those golems are dead, because a
    /// living one would have been visited before.
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
        self.idle_spin.end();
        let LiveTick { tick, contexts, births, inboxes } = message;
        self.arbiter.open.borrow_mut().open(tick, contexts);
        self.inboxes = InboxCursor::new(inboxes, !self.inboxes.backward);
        for birth in births {
            let golem = self.arbiter.plan.born(birth, &mut self.births);
            self.launch(Box::new(golem), tick);
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
    use morta_base::LetterId;

    /// In both directions each golem gets its own answers, and answers for dead golems are skipped.
    #[test]
    fn answers_reach_golems_in_both_directions() {
        let letter = |lineage| LetterId { golem: GolemId::founder(lineage), number: 0 };
        for backward in [false, true] {
            let mut inboxes = Inboxes::default();
            inboxes.add([1, 2, 4, 7].map(|lineage| (letter(lineage), Answer::Drawn(Vec::new()))).to_vec());
            let mut cursor = InboxCursor::new(inboxes, backward);
            let mut walk: Vec<Lineage> = vec![0, 1, 4, 5, 6, 7, 9];
            if backward {
                walk.reverse();
            }
            let answered: Vec<Lineage> = walk
                .into_iter()
                .filter(|lineage| cursor.take(GolemId::founder(*lineage)).is_some())
                .collect();
            assert_eq!(answered, if backward { [7, 4, 1] } else { [1, 4, 7] });
        }
    }
}

//! Answers of the services to a golem's letters, in the order of its inbox (message dispatch, actor mailbox). Money is booked with each
//! answer, in whole micro-dollars; each kind of answer has a handler. The order matters, because answers change a golem one after the
//! other. What must wait while it sleeps has been held back before (`waiting`). A model's work is paid for even if the dream that asked has
//! been broken off, but not by the dying, whose money is divided among the last rites: they pay for the answer to their life review alone.

use crate::episode::{DecisionStep, StepKind};
use crate::event::EventKind;
use crate::golem::exposure::{Exposure, Sizing};
use crate::golem::position::{Decision, Position};
use crate::golem::settle::Settlement;
use crate::golem::state::{Activity, OrderOut};
use crate::golem::{Answer, Golem, Moment, Outbox};
use crate::lethe::Drawn;
use crate::llm::{BrokerAnswer, Reply};
use crate::market::{Fill, Order, OrderKind, OrderRefusal};
use crate::mortality::Compartment;
use morta_base::{DreamId, Usdc};

impl Golem {
    pub(super) fn hear(&mut self, answer: Answer, moment: &Moment<'_>, out: &mut Outbox) {
        match answer {
            Answer::Filled(fill) => self.hear_fill(fill, moment, out),
            Answer::OrderRefused { order, reason } => self.hear_refusal(order, reason, moment, out),
            Answer::Curated(report) => {
                self.note_experience();
                self.apply_curator_report(report, moment, out);
            }
            Answer::Dream(answer) => self.hear_scheduler(answer, moment, out),
            Answer::Inference(answer) => self.hear_model(answer, moment, out),
            Answer::Drawn(drawn) => self.hear_lethe(drawn, moment, out),
            Answer::Clade(news) => self.receive_clade_news(news, moment, out),
        }
    }

    fn hear_fill(&mut self, fill: Fill, moment: &Moment<'_>, out: &mut Outbox) {
        // Paid with the fill and not with the order, because a refused order owes no gas.
        self.purse.pay(Compartment::Gas, fill.gas);
        self.tally.gas += fill.gas;
        self.purse.receive(fill.cash_back);
        match self.order_out.take() {
            Some(OrderOut::Open(decision)) => {
                self.position = Some(Box::new(opened(*decision, &fill, moment)))
            }
            Some(OrderOut::Close(exit)) => {
                let position = self.position.take().expect("what is being closed is held");
                self.close_trade(*position, Settlement::from(&fill), exit, moment, out);
            }
            Some(OrderOut::Reduce(part)) => {
                self.position.as_mut().expect("what is being reduced is held").reduced(&part, &fill);
            }
            Some(OrderOut::Add { gain, .. }) => {
                self.position.as_mut().expect("what is being added to is held").enlarged(&fill, gain);
            }
            None => unreachable!("a fill answers an order that is out"),
        }
    }

    fn hear_refusal(&mut self, order: Order, reason: OrderRefusal, moment: &Moment<'_>, out: &mut Outbox) {
        self.tell(moment.tick, EventKind::OrderRefused { reason }, out);
        let refused = self.order_out.take();
        if let OrderKind::Open { stake, .. } = order.kind {
            self.purse.receive(stake);
        }
        // A refused close leaves the position open; its stop and its horizon are looked at again in the next tick.
        let closes = matches!(refused, Some(OrderOut::Close(_)));
        if closes && matches!(self.activity, Activity::Dying(_)) {
            // The market won't take it back, and the dying can't wait: it is stranded.
            self.strand(moment, out);
        }
    }

    fn hear_model(&mut self, answer: BrokerAnswer, moment: &Moment<'_>, out: &mut Outbox) {
        // A golem that began to die in the meantime has no more use for the answer of a dream and doesn't pay: its money is divided among the last rites.
        if self.is_dying() {
            self.hear_review(answer, moment, out);
            return;
        }
        let of = answer.dream();
        let heard = self.pay_for_answer(answer, moment, out);
        // The answer to a dream that has been broken off is paid for, because the model has done the work, and dropped.
        if self.dreams_of(of) {
            self.dream_on(moment, out, |cycle, view| match heard {
                Some((Some(reply), cost)) => cycle.take_answer(reply, cost, view),
                Some((None, cost)) => cycle.unreadable(cost),
                None => cycle.refused(),
            });
        } else {
            self.hear_asked(of, heard.and_then(|(reply, _)| reply), moment, out);
        }
    }

    /// Pays for an answer, and says what was charged. Returns the reply, if it could be read, and its cost; nothing after a refusal.
    pub(super) fn pay_for_answer(
        &mut self,
        answer: BrokerAnswer,
        moment: &Moment<'_>,
        out: &mut Outbox,
    ) -> Option<(Option<Reply>, Usdc)> {
        let (reply, task, tier, cost, input_tokens, output_tokens) = match answer {
            BrokerAnswer::Replied { tier, reply, cost, input_tokens, output_tokens, .. } => {
                let task = reply.name().to_owned();
                (Some(reply), task, tier, cost, input_tokens, output_tokens)
            }
            BrokerAnswer::Unreadable { task, tier, cost, input_tokens, output_tokens, .. } => {
                (None, task, tier, cost, input_tokens, output_tokens)
            }
            BrokerAnswer::Refused { .. } => return None,
        };
        self.pay_inference(cost, out);
        let kind = EventKind::InferenceCharged { task, tier, input_tokens, output_tokens, cost };
        self.tell(moment.tick, kind, out);
        Some((reply, cost))
    }

    pub(super) fn dreams_of(&self, dream: DreamId) -> bool {
        matches!(&self.activity, Activity::Dreaming(cycle) if cycle.id() == dream)
    }

    fn hear_lethe(&mut self, drawn: Vec<Drawn>, moment: &Moment<'_>, out: &mut Outbox) {
        self.tally.drawn += drawn.len() as u32;
        for found in &drawn {
            let kind = EventKind::BloodstainDrawn {
                id: found.bloodstain.id,
                rank: found.rank,
                score: found.score,
                is_scar: found.bloodstain.is_scar(),
                merged: found.merged,
                terms: Box::new(found.terms),
            };
            self.tell(moment.tick, kind, out);
        }
        if let Some(memory) = self.memory.bequeaths_mut() {
            let received = memory.inherit(drawn, moment.tick);
            self.report_received(received, moment, out);
        }
    }
}

fn opened(decision: Decision, fill: &Fill, moment: &Moment<'_>) -> Position {
    let analysis = DecisionStep { kind: StepKind::Analysis, tick: decision.tick, r: decision.expected_r };
    let entry = DecisionStep { kind: StepKind::Entry, tick: moment.tick, r: 0.0 };
    Position {
        exposure: Exposure::new(Sizing { stake: decision.stake, loan: decision.loan }),
        decision,
        opened: moment.tick,
        entry_price: fill.price,
        quantity: fill.quantity,
        proceeds: fill.proceeds,
        fee_growth: fill.fee_growth,
        entry_slippage_bps: fill.slippage_bps,
        gas: fill.gas,
        chain: vec![analysis, entry],
        reviews: Vec::new(),
        exit: None,
    }
}

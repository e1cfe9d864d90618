//! Upkeep of a memory by itself: its work is paid for and reported, it may send its golem to sleep, and it may hand it a summary to read.
//!
//! A contract for all architectures: whatever a memory does costs its golem what a model of that tier would, so that arms are compared at
//! equal money. Memories that want no attention (the default; plain Bardo and no memory among them) skip it. A sleep of the memory's own
//! keeps its golem from deciding, but it is no dream: its clocks, mood and news go on. Costs are in dollars and tokens, sleep is in ticks,
//! the current drawdown is a share of the peak from 0 to 1, which decisions read as one of their conditions.

use crate::dream::cycle::Question;
use crate::event::EventKind;
use crate::golem::asked::About;
use crate::golem::{Golem, Letter, Moment, Outbox};
use crate::llm::{InferenceRequest, Task};
use crate::market::PathPoint;
use crate::memory::{Attended, Attention, MemorySummary};
use crate::mortality::Compartment;
use morta_base::{DreamId, Tick, Usdc};
use serde::{Deserialize, Serialize};

/// A golem's state with regard to its memory's upkeep (background maintenance), with its running drawdown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct UpkeepState {
    /// Its highest equity.
    peak: Usdc,
    /// The equity below that at the last look, as a share of the peak, 0 to 1.
    pub drawdown: f64,
    /// The tick at which it wakes from a sleep of its memory's, which is no dream: no questions are asked in it.
    pub asleep_until: Tick,
    /// The summary that its memory gave it to read at birth or on waking.
    pub briefing: Option<Box<MemorySummary>>,
}

impl UpkeepState {
    pub(super) fn newborn(born: Tick, endowment: Usdc) -> Self {
        Self { peak: endowment, drawdown: 0.0, asleep_until: born, briefing: None }
    }
}

impl Golem {
    /// Lets the memory look after itself. Returns whether its golem is asleep.
    pub(super) fn attend_memory(&mut self, moment: &Moment<'_>, out: &mut Outbox) -> bool {
        if moment.tick < self.upkeep.asleep_until {
            return true;
        }
        if !self.memory.wants_attention() {
            return false;
        }
        let equity = self.balance(|asset| PathPoint::from(moment.view.asset(asset)));
        self.note_equity(equity);
        let attention = Attention {
            tick: moment.tick,
            age: moment.tick - self.born,
            time_s: moment.view.time_s,
            tick_seconds: moment.rules.tick_seconds,
            equity,
            inference_left: self.purse.amount(Compartment::Llm).max(Usdc::ZERO),
            llm: &moment.rules.llm,
            idle: self.position.is_none() && self.order_out.is_none(),
        };
        let Attended { upkeep, asleep_ticks, summary, reads, reflects } = self.memory.attend(&attention);
        for done in upkeep {
            let cost = done.cost(&moment.rules.llm);
            self.pay_inference(cost, out);
            self.tell(moment.tick, EventKind::MemoryKept { upkeep: done, cost }, out);
        }
        if let Some(summary) = summary {
            self.read_summary(summary, reads, moment, out);
        }
        if let Some((tier, themes)) = reflects {
            let temperature = moment.rules.dream.imagination.analytic_temperature;
            let question = Question { task: Task::Reflect { themes }, tier, temperature };
            self.ask_about(question, About::Reflection, out);
        }
        if asleep_ticks > 0 {
            self.upkeep.asleep_until = moment.tick + u64::from(asleep_ticks);
            self.tell(moment.tick, EventKind::MemorySlept { until: self.upkeep.asleep_until }, out);
        }
        asleep_ticks > 0
    }

    /// Reads a summary. Reading is paid for like any other input of a model: with the question about it, or, if none is asked, by
    /// itself. The summary stays in mind until the next one, and precedes everything that is asked of a model.
    fn read_summary(&mut self, summary: MemorySummary, reads: bool, moment: &Moment<'_>, out: &mut Outbox) {
        let tier = summary.tier;
        let alone = moment.rules.llm.tier(tier).price(summary.tokens, 0);
        let cost = if reads { Usdc::ZERO } else { alone };
        self.pay_inference(cost, out);
        let briefing = Box::new(summary);
        self.tell(moment.tick, EventKind::MemoryBriefed { summary: briefing.clone(), cost }, out);
        self.upkeep.briefing = Some(briefing);
        if reads {
            let temperature = moment.rules.dream.imagination.analytic_temperature;
            self.ask_about(Question { task: Task::Read, tier, temperature }, About::Reading, out);
        }
    }

    /// Asks a model, with the summary in mind before the question.
    pub(super) fn ask(&mut self, question: Question, dream: DreamId, out: &mut Outbox) {
        let Question { task, tier, temperature } = question;
        let briefing = self.upkeep.briefing.as_ref().map(|summary| summary.text.as_str().into());
        let max_output_tokens = task.max_output_tokens();
        let request = InferenceRequest { task, briefing, tier, temperature, max_output_tokens, dream };
        self.write(Letter::Inference(request), out);
    }

    /// Updates the highest equity and the drawdown from it.
    pub(super) fn note_equity(&mut self, equity: Usdc) {
        self.upkeep.peak = self.upkeep.peak.max(equity);
        // The smallest positive number in place of a peak of 0, whose drawdown would be 0/0 otherwise.
        let below = (self.upkeep.peak - equity).dollars() / self.upkeep.peak.dollars().max(f64::MIN_POSITIVE);
        self.upkeep.drawdown = below.clamp(0.0, 1.0);
    }
}

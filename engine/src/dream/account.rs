//! A cycle's money, phase by phase. A question is asked only when the phase can pay for the longest reply it may get, so
//! that no budget is ever exceeded by a micro-dollar.

use crate::llm::{LlmConfig, Task, Tier};
use morta_base::Usdc;
use serde::{Deserialize, Serialize};

/// A question with who is to answer it, and how freely.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// What is asked.
    pub task: Task,
    /// Who answers.
    pub tier: Tier,
    /// Sampling temperature.
    pub temperature: f64,
}

impl Question {
    /// The most it can cost: its prompt and a reply up to the limit.
    pub fn most(&self, llm: &LlmConfig) -> Usdc {
        let tier = llm.tier(self.tier);
        tier.price(
            tier.tokens_read(None, &self.task),
            llm.most_output(&self.task, self.task.max_output_tokens()),
        )
    }
}

/// What is left of a cycle's money and of the present phase's part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    allowance: Usdc,
    spent_in_phase: Usdc,
    reserved: Usdc,
    spent: Usdc,
}

impl Account {
    /// Begins a phase that may spend this much; what the last one left over is not carried on.
    pub fn begin_phase(&mut self, allowance: Usdc) {
        (self.allowance, self.spent_in_phase, self.reserved) = (allowance, Usdc::ZERO, Usdc::ZERO);
    }

    /// The phase's part.
    pub fn allowance(&self) -> Usdc {
        self.allowance
    }

    /// All that has been spent in the cycle.
    pub fn spent(&self) -> Usdc {
        self.spent
    }

    /// Sets aside what a question may cost, if the phase has that much left within `limit`. Whether it had.
    pub fn reserve(&mut self, most: Usdc, limit: Usdc) -> bool {
        let fits = self.spent_in_phase + self.reserved + most <= self.allowance.min(limit);
        if fits {
            self.reserved += most;
        }
        fits
    }

    /// Books what an answer cost.
    pub fn book(&mut self, cost: Usdc) {
        self.spent_in_phase += cost;
        self.spent += cost;
    }

    /// All answers are in: what was set aside for them beyond their cost is free again.
    pub fn release(&mut self) {
        self.reserved = Usdc::ZERO;
    }
}

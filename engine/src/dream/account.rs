//! A cycle's money, phase by phase. A question is asked only when the phase can pay for the longest reply it may get, so that no
//! budget is ever exceeded, not by a micro-dollar. Booking the mean reply instead would let more be asked and would break that
//! invariant on the first long answer. Amounts are in whole micro-dollars. `cycle` keeps one account for each dream; the golem pays its
//! purse when an answer comes, and the scheduler has granted the whole budget before. The field's terms: budget reservation (authorisation
//! hold), token budget, cost control of inference.

use crate::dream::tier::{DreamOperation, DreamTier};
use crate::llm::prompt::prompt_tokens_beside;
use crate::llm::{LlmConfig, Task, Tier};
use morta_base::Usdc;
use serde::{Deserialize, Serialize};

/// A question, with the model that is to answer it and its temperature: a model request, priced by its worst-case tokens. Golems put
/// questions outside dreams in the same form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// What is asked.
    pub task: Task,
    /// The model.
    pub tier: Tier,
    /// Sampling temperature.
    pub temperature: f64,
}

impl Question {
    /// Puts a question in a rich dream, to the model that it asks in such an operation.
    pub(crate) fn in_rich_dream(task: Task, operation: DreamOperation, temperature: f64) -> Self {
        Self { task, tier: DreamTier::Hardened.model(operation), temperature }
    }

    /// The most it can cost (worst case): its prompt and a reply up to the limit.
    pub fn most(&self, llm: &LlmConfig) -> Usdc {
        self.most_by_tier(llm)(self.tier)
    }

    /// The same of any tier. The prompt is counted once, because its length is the same at every price.
    pub(crate) fn most_by_tier<'a>(&self, llm: &'a LlmConfig) -> impl Fn(Tier) -> Usdc + use<'a> {
        self.most_beside(0, llm)
    }

    /// The same of a question that lacks its what-ifs, which take so many bytes of the prompt.
    pub(crate) fn most_beside<'a>(
        &self,
        what_if_bytes: usize,
        llm: &'a LlmConfig,
    ) -> impl Fn(Tier) -> Usdc + use<'a> {
        let asked = prompt_tokens_beside(&self.task, what_if_bytes);
        let most_output = llm.most_output(&self.task, self.task.max_output_tokens());
        move |tier| {
            let tier = llm.tier(tier);
            tier.price(tier.context_tokens + asked, most_output)
        }
    }
}

/// Assigns each question the dearest model that leaves money for all of them. While they can't all be paid, the last question of the
/// largest model goes to the next smaller one, down to `least`. So the number of branches, sessions and threats is that of the
/// dream architecture's table ("dream intensity modulation"), and only the grade gives way. Tried and lost: the grade first, by which very
/// unsure golems imagined a tenth of what the others did.
pub(crate) fn grade(questions: &mut [Question], means: Usdc, least: Tier, llm: &LlmConfig) {
    let by_tier: Vec<_> = questions.iter().map(|question| question.most_by_tier(llm)).collect();
    let mut most: Vec<Usdc> =
        questions.iter().zip(&by_tier).map(|(question, most)| most(question.tier)).collect();
    while most.iter().copied().sum::<Usdc>() > means {
        let Some(highest) = questions.iter().map(|question| question.tier).max() else { return };
        let Some(lower) = highest.below().filter(|lower| *lower >= least) else { return };
        let last =
            questions.iter().rposition(|question| question.tier == highest).expect("it is the tier of one");
        questions[last].tier = lower;
        most[last] = by_tier[last](lower);
    }
}

/// The money of a cycle and of its present phase: a budget ledger of reservations and costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// Most that the present phase may spend.
    allowance: Usdc,
    /// Cost of the answers of this phase.
    spent_in_phase: Usdc,
    /// Reserved for the questions of the stage, the longest answer each; freed when all answers are in.
    reserved: Usdc,
    /// Cost of the whole cycle so far.
    spent: Usdc,
}

impl Account {
    /// Begins a phase that may spend this much. The rest of the last phase is not carried on, because the shares are the spec's.
    pub fn begin_phase(&mut self, allowance: Usdc) {
        (self.allowance, self.spent_in_phase, self.reserved) = (allowance, Usdc::ZERO, Usdc::ZERO);
    }

    /// The phase's part of the budget, its spending limit.
    pub fn allowance(&self) -> Usdc {
        self.allowance
    }

    /// Money spent in the cycle so far.
    pub fn spent(&self) -> Usdc {
        self.spent
    }

    /// The remaining budget of the phase within `limit`.
    pub fn left(&self, limit: Usdc) -> Usdc {
        self.allowance.min(limit) - self.spent_in_phase - self.reserved
    }

    /// Reserves the most that a question may cost; false if the phase has less than that left within `limit`. The hold keeps the invariant
    /// of the budget.
    pub fn reserve(&mut self, most: Usdc, limit: Usdc) -> bool {
        let fits = most <= self.left(limit);
        if fits {
            self.reserved += most;
        }
        fits
    }

    /// Books the actual cost of an answer (a debit); the reservation stays until `release`.
    pub fn book(&mut self, cost: Usdc) {
        self.spent_in_phase += cost;
        self.spent += cost;
    }

    /// Releases reservations beyond their cost, when all answers are in (as authorisation holds are released).
    pub fn release(&mut self) {
        self.reserved = Usdc::ZERO;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::episodes::episode;
    use crate::llm::{Branch, EpisodeBrief};

    /// Three questions for the large model, and money for one of those beside two of the middling one: the last two give way. With less than
    /// three of the middling one cost, all stay with it, and what can't be paid isn't asked.
    #[test]
    fn the_grade_gives_way_before_the_number() {
        let llm = LlmConfig::default();
        let brief = EpisodeBrief::from(&episode(0, 10));
        let task = Task::Counterfactual { episode: brief, branch: Branch::StayingOut };
        let question = Question { task, tier: Tier::T2, temperature: 0.4 };
        let most = |tier| Question { tier, ..question.clone() }.most(&llm);
        let tiers = |means| {
            let mut questions = vec![question.clone(); 3];
            grade(&mut questions, means, Tier::T1, &llm);
            questions.into_iter().map(|question| question.tier).collect::<Vec<_>>()
        };
        let (large, middling) = (most(Tier::T2), most(Tier::T1));
        assert_eq!(tiers(large + large + large), [Tier::T2; 3]);
        assert_eq!(tiers(large + middling + middling), [Tier::T2, Tier::T1, Tier::T1]);
        assert_eq!(tiers(middling), [Tier::T1; 3]);
    }
}

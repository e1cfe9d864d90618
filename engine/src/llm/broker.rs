//! The broker: one queue for all golems, a rate limit, a budget, prices and virtual latency.

use crate::base::phase::phase;
use crate::base::{DreamId, LetterId, Purpose, Tick, Usdc, WorldSeed};
use crate::llm::{LlmConfig, Reply, Task, Tier, prompt, simulated};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A task to be answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InferenceRequest {
    /// The question.
    pub task: Task,
    /// What the asker's memory gave it to read: it comes before every question while it holds, and is paid for each time.
    pub briefing: Option<Box<str>>,
    /// The tier that is to answer.
    pub tier: Tier,
    /// Sampling temperature, 0 to 2.
    pub temperature: f64,
    /// Where the reply is cut off; that token and all after it are never written.
    pub max_output_tokens: u32,
    /// The dream it is asked in, so that answers to a dream that has ended are known as such.
    pub dream: DreamId,
}

/// What the broker answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BrokerAnswer {
    /// The model's reply.
    Replied {
        /// The dream it was asked in.
        dream: DreamId,
        /// The tier that answered.
        tier: Tier,
        /// The reply.
        reply: Reply,
        /// What it costs the asker.
        cost: Usdc,
        /// Tokens read.
        input_tokens: u32,
        /// Tokens written.
        output_tokens: u32,
    },
    /// The queue is full or the budget is spent.
    Refused {
        /// The dream it was asked in.
        dream: DreamId,
    },
}

/// A request on its way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Waiting {
    letter: LetterId,
    request: InferenceRequest,
}

/// A reply on its way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Due {
    at: Tick,
    letter: LetterId,
    answer: BrokerAnswer,
}

/// Queue, price, budget, latency; behind it the simulated model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Broker {
    /// Not part of a snapshot: the plan has it.
    #[serde(skip)]
    config: LlmConfig,
    seed: WorldSeed,
    queue: VecDeque<Waiting>,
    under_way: Vec<Due>,
    spent: Usdc,
    calls: u64,
}

impl Broker {
    /// Gives a broker that was loaded its keys back.
    pub fn rebind(&mut self, config: LlmConfig) {
        self.config = config;
    }

    /// An idle broker.
    pub fn new(config: LlmConfig, seed: WorldSeed) -> Self {
        Self { config, seed, queue: VecDeque::new(), under_way: Vec::new(), spent: Usdc::ZERO, calls: 0 }
    }

    /// What has been charged so far.
    pub fn spent(&self) -> Usdc {
        self.spent
    }

    /// Tasks answered so far.
    pub fn calls(&self) -> u64 {
        self.calls
    }

    /// Whether anything is waiting or under way.
    pub fn is_busy(&self) -> bool {
        !self.queue.is_empty() || !self.under_way.is_empty()
    }

    /// Takes in this tick's requests (in letter order), serves as many as the rate allows, and hands out the answers that
    /// are due, in letter order. Answers reach the golems at the next tick, so a latency of 1 means now.
    pub fn step(
        &mut self,
        now: Tick,
        requests: Vec<(LetterId, InferenceRequest)>,
    ) -> Vec<(LetterId, BrokerAnswer)> {
        phase!("llm broker");
        let mut answers = Vec::new();
        for (letter, request) in requests {
            if self.queue.len() >= self.config.queue_capacity as usize || self.budget_spent() {
                answers.push((letter, BrokerAnswer::Refused { dream: request.dream }));
            } else {
                self.queue.push_back(Waiting { letter, request });
            }
        }
        for _ in 0..self.config.requests_per_tick {
            let Some(waiting) = self.queue.pop_front() else { break };
            self.serve(now, waiting);
        }
        self.under_way.retain(|due| {
            let is_due = due.at <= now;
            if is_due {
                answers.push((due.letter, due.answer.clone()));
            }
            !is_due
        });
        answers.sort_by_key(|(letter, _)| *letter);
        answers
    }

    fn budget_spent(&self) -> bool {
        self.config.budget_usdc.is_some_and(|budget| self.spent >= Usdc::from_dollars(budget))
    }

    fn serve(&mut self, now: Tick, Waiting { letter, request }: Waiting) {
        let tier = self.config.tier(request.tier);
        // Keyed by the letter, not by the tick of service: a longer queue changes when a golem is answered, not what.
        let mut stream = self.seed.golem(letter.golem, Purpose::LlmReader, u64::from(letter.number));
        let reply = simulated::answer(
            &request.task,
            request.briefing.as_deref(),
            &tier,
            request.temperature,
            &mut stream,
        );
        let input_tokens = tier.tokens_read(request.briefing.as_deref(), &request.task);
        let (reply, output_tokens) = cut_off(reply, request.max_output_tokens);
        let cost = tier.price(input_tokens, output_tokens);
        self.spent += cost;
        self.calls += 1;
        self.under_way.push(Due {
            at: now + tier.latency_ticks - 1,
            letter,
            answer: BrokerAnswer::Replied {
                dream: request.dream,
                tier: request.tier,
                reply,
                cost,
                input_tokens,
                output_tokens,
            },
        });
    }
}

/// What of a reply is written before the limit: whole items only, for half an item can't be read. A reply that says
/// nothing any more is charged up to the limit.
fn cut_off(mut reply: Reply, limit: u32) -> (Reply, u32) {
    loop {
        let tokens = prompt::reply_tokens(&reply);
        if tokens <= limit || !reply.shorten() {
            return (reply, tokens.min(limit));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::GolemId;

    fn request() -> InferenceRequest {
        let task = Task::Consolidate { patterns: Vec::new() };
        let dream = DreamId { golem: GolemId::founder(0), number: 0 };
        InferenceRequest {
            task,
            briefing: None,
            tier: Tier::T0,
            temperature: 0.4,
            max_output_tokens: 100,
            dream,
        }
    }

    fn letter(lineage: u32) -> LetterId {
        LetterId { golem: GolemId::founder(lineage), number: 0 }
    }

    #[test]
    fn the_rate_limit_makes_requests_wait_in_order() {
        let config = LlmConfig { requests_per_tick: 1, ..LlmConfig::default() };
        let mut broker = Broker::new(config, WorldSeed(1));
        let first = broker.step(0, vec![(letter(0), request()), (letter(1), request())]);
        assert_eq!(first.iter().map(|(l, _)| l.golem.lineage).collect::<Vec<_>>(), [0]);
        let second = broker.step(1, vec![(letter(2), request())]);
        assert_eq!(second.iter().map(|(l, _)| l.golem.lineage).collect::<Vec<_>>(), [1]);
        assert_eq!(broker.calls(), 2);
    }

    /// What comes before a question is read with it, whatever the question.
    #[test]
    fn a_briefing_is_paid_for_with_every_question() {
        let read = |briefing: Option<&str>| {
            let request = InferenceRequest { briefing: briefing.map(Into::into), ..request() };
            let answers = Broker::new(LlmConfig::default(), WorldSeed(1)).step(0, vec![(letter(0), request)]);
            match &answers[0].1 {
                BrokerAnswer::Replied { input_tokens, cost, .. } => (*input_tokens, *cost),
                other => panic!("{other:?}"),
            }
        };
        let (without, cheap) = read(None);
        let (with, dear) = read(Some(&"x".repeat(4_000)));
        assert!((1_000..1_010).contains(&(with - without)), "{with} {without}");
        assert!(dear > cheap);
    }

    #[test]
    fn latency_delays_the_answer() {
        let mut config = LlmConfig::default();
        config.t0.latency_ticks = Some(3);
        let mut broker = Broker::new(config, WorldSeed(1));
        assert!(broker.step(10, vec![(letter(0), request())]).is_empty());
        assert!(broker.step(11, Vec::new()).is_empty());
        assert_eq!(broker.step(12, Vec::new()).len(), 1);
    }

    #[test]
    fn a_full_queue_and_a_spent_budget_refuse() {
        let config = LlmConfig { requests_per_tick: 1, queue_capacity: 1, ..LlmConfig::default() };
        let mut broker = Broker::new(config, WorldSeed(1));
        let answers = broker.step(0, vec![(letter(0), request()), (letter(1), request())]);
        assert!(answers.contains(&(letter(1), BrokerAnswer::Refused { dream: request().dream })));
        let config = LlmConfig { budget_usdc: Some(0.0), ..LlmConfig::default() };
        let answers = Broker::new(config, WorldSeed(1)).step(0, vec![(letter(0), request())]);
        assert_eq!(answers, [(letter(0), BrokerAnswer::Refused { dream: request().dream })]);
    }
}

//! The broker: one queue for all golems, with a rate limit, a budget, prices and virtual latency (an LLM gateway, or inference scheduler).
//!
//! Costs are in whole micro-dollars, latency and rate limits in ticks, budgets in dollars or tokens for all golems together. The queue is
//! first in, first out, and refuses when it is full (backpressure). Latency is virtual, so a slow endpoint delays the program and not the
//! world: with recorded replies a run is the same to the byte.
//!
//! Tokens are charged at the tier's own prices; a real model's endpoint only counts them. The golem pays when the answer reaches it, at the
//! next tick; one that is dead or dying doesn't pay, but for the review of its life, although the run's budget has been charged. Once the
//! budget is spent every new request is refused, and a refusal costs nothing; requests that already wait for the simulated model may still
//! exceed the budget. A real call is also refused when its longest possible reply could exceed the budget, less what calls under way may
//! still cost (a reservation). An unusable reply of a real model is asked for once more, a tick later at the earliest; both are paid for.

use crate::llm::outside::{self, Asker, Call, CallKey, CallReply, Outside, OutsideError, OutsideHandle};
use crate::llm::{LlmConfig, Reply, Task, Tier, TierConfig, prompt, simulated};
use crate::phase::phase;
use morta_base::{DreamId, LetterId, Purpose, Stream, Tick, Usdc, WorldSeed};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A task to be answered by an LLM: a completion request with prompt, model tier, temperature and the most tokens of its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InferenceRequest {
    /// The question.
    pub task: Task,
    /// The briefing by the asker's memory: it precedes every question while it holds, and is paid for each time.
    pub briefing: Option<Box<str>>,
    /// The tier that is to answer.
    pub tier: Tier,
    /// Sampling temperature, 0 to 2.
    pub temperature: f64,
    /// Where the reply is cut off; that token and all after it are never written.
    pub max_output_tokens: u32,
    /// The dream it is asked in, or a number of its own for a question outside dreams. Answers to a dream that has ended are known by it.
    pub dream: DreamId,
}

/// The broker's answer to one letter: an LLM's completion with its token usage and price, or a rejection.
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
        /// Its cost for the asker.
        cost: Usdc,
        /// Tokens read.
        input_tokens: u32,
        /// Tokens written.
        output_tokens: u32,
    },
    /// A model's reply couldn't be used, nor the one to the second attempt.
    Unreadable {
        /// The dream it was asked in.
        dream: DreamId,
        /// Kind of the task.
        task: String,
        /// The tier that answered.
        tier: Tier,
        /// Cost of both attempts for the asker.
        cost: Usdc,
        /// Tokens read in both.
        input_tokens: u32,
        /// Tokens written in both.
        output_tokens: u32,
    },
    /// The queue is full or the budget is spent.
    Refused {
        /// The dream it was asked in.
        dream: DreamId,
    },
}

impl BrokerAnswer {
    /// The dream it was asked in, a correlation id: the golem drops the reply to a dream that is over, but pays for it unless it is dying.
    pub const fn dream(&self) -> DreamId {
        match self {
            Self::Replied { dream, .. } | Self::Unreadable { dream, .. } | Self::Refused { dream } => *dream,
        }
    }
}

/// One call of a real model, as the event log has it: an audit log entry (telemetry) with token counts and attempt. Nothing in it depends
/// on the model's host or the hour. The simulated model makes none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelCall {
    /// The dream it was asked in.
    pub dream: DreamId,
    /// Kind of the task.
    pub task: String,
    /// The tier that answered.
    pub tier: Tier,
    /// The key in the cassette.
    pub call: CallKey,
    /// 1 for a question, 2 for its repetition.
    pub attempt: u8,
    /// Tokens read, as the endpoint counts them.
    pub input_tokens: u32,
    /// Tokens written, as the endpoint counts them.
    pub output_tokens: u32,
    /// The reason why the reply can't be used, if it can't: `cut_off`, `form` or `content`, and in words.
    pub unusable: Option<(String, String)>,
}

/// The output of one scheduling step (batch of answers): the replies due in a tick, and the calls of a real model that were answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BrokerStep {
    /// Answers, in letter order.
    pub answers: Vec<(LetterId, BrokerAnswer)>,
    /// Calls of a real model that were answered, in letter order.
    pub calls: Vec<(LetterId, ModelCall)>,
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
    coming: Coming,
}

/// The content of a reply on its way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Coming {
    /// An answer that is known already.
    Known(BrokerAnswer),
    /// The reply to a call.
    Called(Box<UnderWay>),
}

/// A call in progress. The call itself isn't stored: it is made from the request again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct UnderWay {
    request: InferenceRequest,
    asked: Tick,
    reserved: Bill,
    /// The first attempt, when this is the second: its cost and its error.
    before: Option<FirstAttempt>,
}

/// An attempt whose reply could not be used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct FirstAttempt {
    reply: CallReply,
    bill: Bill,
}

/// Tokens with their cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Bill {
    input_tokens: u64,
    output_tokens: u64,
    cost: Usdc,
}

impl Bill {
    /// From so many tokens at a tier's prices.
    fn from_tokens(tier: &TierConfig, input_tokens: u64, output_tokens: u32) -> Self {
        let input = u32::try_from(input_tokens).unwrap_or(u32::MAX);
        let cost = tier.price(input, output_tokens);
        Self { input_tokens, output_tokens: u64::from(output_tokens), cost }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            input_tokens: self.input_tokens + other.input_tokens,
            output_tokens: self.output_tokens + other.output_tokens,
            cost: self.cost + other.cost,
        }
    }

    fn tokens(self) -> u64 {
        self.input_tokens + self.output_tokens
    }
}

/// A request queue with price, budget and latency; behind it the simulated model, or the port to a real one. It is an LLM gateway that
/// holds calls to a token budget and retries an unusable reply once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Broker {
    /// Not part of a snapshot: the plan has it.
    #[serde(skip)]
    config: LlmConfig,
    #[serde(skip)]
    outside: OutsideHandle,
    seed: WorldSeed,
    /// Requests not served yet, first in, first out.
    queue: VecDeque<Waiting>,
    /// Requests served, whose latency isn't over.
    under_way: Vec<Due>,
    /// Tokens and money charged in the whole run, unusable replies included.
    spent: Bill,
    /// Answered questions.
    calls: u64,
}

impl Broker {
    /// Restores the keys of a broker that was loaded from a checkpoint, or gives one under way other keys, and asks its pending calls anew.
    /// Queue, bill and replies under way stay.
    pub fn rebind(&mut self, config: LlmConfig, outside: OutsideHandle) {
        (self.config, self.outside) = (config, outside);
        let Some(outside) = self.outside.get() else { return };
        for due in &self.under_way {
            if let Coming::Called(under_way) = &due.coming {
                let (asker, call) = self.call_of(due.letter, under_way);
                outside.ask(asker, &call);
            }
        }
    }

    /// An idle broker: an empty queue, nothing spent.
    pub fn new(config: LlmConfig, seed: WorldSeed, outside: OutsideHandle) -> Self {
        let (queue, under_way) = (VecDeque::new(), Vec::new());
        Self { config, outside, seed, queue, under_way, spent: Bill::default(), calls: 0 }
    }

    /// Money charged so far to all golems: the accumulated inference cost, against which `budget_usdc` is held.
    pub fn spent(&self) -> Usdc {
        self.spent.cost
    }

    /// Tasks answered so far (request count), by the simulated model or usably by a real one.
    pub fn calls(&self) -> u64 {
        self.calls
    }

    /// Whether a request is waiting or in-flight (pending work): the barrier then calls `step` at the next tick, even without new requests.
    pub(crate) fn is_busy(&self) -> bool {
        !self.queue.is_empty() || !self.under_way.is_empty()
    }

    /// Takes in this tick's requests (in letter order), serves as many as the rate allows, and returns the answers that are due, in letter
    /// order: a scheduling step with rate limiting. Answers reach the golems at the next tick, so a latency of 1 means now.
    ///
    /// # Errors
    /// When no model is connected, or a reply that is due won't come. The run can't go on then.
    pub fn step(
        &mut self,
        now: Tick,
        requests: Vec<(LetterId, InferenceRequest)>,
    ) -> Result<BrokerStep, OutsideError> {
        phase!("llm broker");
        let mut step = BrokerStep::default();
        for (letter, request) in requests {
            if self.queue.len() >= self.config.queue_capacity as usize || self.budget_spent() {
                step.answers.push((letter, BrokerAnswer::Refused { dream: request.dream }));
            } else {
                self.queue.push_back(Waiting { letter, request });
            }
        }
        for _ in 0..self.config.requests_per_tick {
            let Some(waiting) = self.queue.pop_front() else { break };
            if self.config.mode.is_outside() {
                let Waiting { letter, request } = waiting;
                let answer = self.call(now, now, (letter, request), None)?;
                step.answers.extend(answer.map(|answer| (letter, answer)));
            } else {
                self.serve(now, waiting);
            }
        }
        self.hand_out(now, &mut step)?;
        step.answers.sort_by_key(|(letter, _)| *letter);
        Ok(step)
    }

    fn hand_out(&mut self, now: Tick, step: &mut BrokerStep) -> Result<(), OutsideError> {
        let mut called = Vec::new();
        self.under_way.retain_mut(|due| match &due.coming {
            Coming::Known(answer) if due.at <= now => {
                step.answers.push((due.letter, answer.clone()));
                false
            }
            Coming::Called(_) if due.at <= now => {
                called.push(due.letter);
                true
            }
            _ => true,
        });
        // Replies are read in letter order, so that the log doesn't depend on the order of calls; what is reserved for the others
        // stays reserved until they are read.
        called.sort_unstable();
        for letter in called {
            self.read_reply(now, letter, step)?;
        }
        Ok(())
    }

    fn budget_spent(&self) -> bool {
        let has_spent = |budget: f64| self.spent.cost >= Usdc::from_dollars(budget);
        self.config.budget_usdc.is_some_and(has_spent)
            || self.config.budget_tokens.is_some_and(|budget| self.spent.tokens() >= budget)
    }

    fn serve(&mut self, now: Tick, Waiting { letter, request }: Waiting) {
        let tier = self.config.tier(request.tier);
        let mut stream = self.luck(letter);
        let reply = simulated::answer(
            &request.task,
            request.briefing.as_deref(),
            &tier,
            request.temperature,
            &mut stream,
        );
        let input_tokens = tier.tokens_read(request.briefing.as_deref(), &request.task);
        let (reply, output_tokens) = cut_off(reply, request.max_output_tokens);
        let bill = Bill::from_tokens(&tier, u64::from(input_tokens), output_tokens);
        self.spent = self.spent.plus(bill);
        self.calls += 1;
        let (dream, cost) = (request.dream, bill.cost);
        let answer =
            BrokerAnswer::Replied { dream, tier: request.tier, reply, cost, input_tokens, output_tokens };
        self.under_way.push(Due { at: now + tier.latency_ticks - 1, letter, coming: Coming::Known(answer) });
    }

    /// The stream of a reply, keyed by the letter and not by the tick of service: a longer queue changes when a golem is
    /// answered, not what.
    fn luck(&self, letter: LetterId) -> Stream {
        self.seed.golem(letter.golem, Purpose::LlmReader, u64::from(letter.number))
    }
}

/// The part of a broker that calls a real model.
impl Broker {
    /// The call of a request, the second time with the error of the first.
    fn call_of(&self, letter: LetterId, under_way: &UnderWay) -> (Asker, Call) {
        let UnderWay { request, asked, before, .. } = under_way;
        let asker = Asker { letter, dream: request.dream, tick: *asked };
        // 31 bits, because servers take no more.
        let seed = (self.luck(letter).word() >> 33) as u32;
        let call = outside::ask(request, &self.config, seed);
        let Some(FirstAttempt { reply, .. }) = before else { return (asker, call) };
        let tier = self.config.tier(request.tier);
        match outside::read(&request.task, &tier, reply) {
            Err(why) => (asker, outside::ask_again(&call, reply, &why)),
            // A branch may have changed which replies can be read.
            Ok(_) => (asker, call),
        }
    }

    /// Calls a model if the cost is within the budget, and refuses at once if not. A reply is due when the tier's latency is over, but not
    /// before `earliest`.
    fn call(
        &mut self,
        now: Tick,
        earliest: Tick,
        (letter, request): (LetterId, InferenceRequest),
        before: Option<FirstAttempt>,
    ) -> Result<Option<BrokerAnswer>, OutsideError> {
        let tier = self.config.tier(request.tier);
        let mut under_way = UnderWay { request, asked: now, reserved: Bill::default(), before };
        let (asker, call) = self.call_of(letter, &under_way);
        under_way.reserved = Bill::from_tokens(&tier, call.most_input_tokens(), call.max_tokens);
        if self.would_overspend(under_way.reserved) {
            return Ok(Some(under_way.without_reply()));
        }
        self.connected()?.ask(asker, &call);
        let at = (now + tier.latency_ticks - 1).max(earliest);
        self.under_way.push(Due { at, letter, coming: Coming::Called(Box::new(under_way)) });
        Ok(None)
    }

    fn connected(&self) -> Result<&dyn Outside, OutsideError> {
        let not_connected = OutsideError::NotConnected { mode: self.config.mode.name() };
        self.outside.get().ok_or(not_connected)
    }

    /// Whether a call of that cost could bring spent and reserved money together above the budget.
    fn would_overspend(&self, call: Bill) -> bool {
        let reserved = self.under_way.iter().filter_map(|due| match &due.coming {
            Coming::Called(under_way) => Some(under_way.reserved),
            Coming::Known(_) => None,
        });
        let most = reserved.fold(self.spent.plus(call), Bill::plus);
        self.config.budget_usdc.is_some_and(|budget| most.cost > Usdc::from_dollars(budget))
            || self.config.budget_tokens.is_some_and(|budget| most.tokens() > budget)
    }

    /// Waits for a reply that is due, and reads it. An unusable one is asked for once more: a second failure is unlikely to be
    /// bad luck.
    fn read_reply(&mut self, now: Tick, letter: LetterId, step: &mut BrokerStep) -> Result<(), OutsideError> {
        let is_its = |due: &Due| due.letter == letter && matches!(due.coming, Coming::Called(_));
        let place = self.under_way.iter().position(is_its).expect("it is under way");
        let Coming::Called(under_way) = self.under_way.remove(place).coming else {
            unreachable!("it was called")
        };
        let (asker, call) = self.call_of(letter, &under_way);
        let reply = self.connected()?.reply(asker, &call)?;
        let tier = self.config.tier(under_way.request.tier);
        let bill = Bill::from_tokens(&tier, u64::from(reply.input_tokens), reply.output_tokens);
        self.spent = self.spent.plus(bill);
        let read = outside::read(&under_way.request.task, &tier, &reply);
        let unusable = read.as_ref().err().map(|why| (why.name().to_owned(), why.to_string()));
        step.calls.push((letter, under_way.to_model_call(call.key(), &reply, unusable)));
        let total = under_way.before.as_ref().map_or(bill, |before| before.bill.plus(bill));
        let answer = match read {
            Ok(reply) => {
                self.calls += 1;
                Some(under_way.replied(reply, total))
            }
            Err(_) if under_way.before.is_none() => {
                let before = Some(FirstAttempt { reply, bill });
                self.call(now, now + 1, (letter, under_way.request), before)?
            }
            Err(_) => Some(under_way.unreadable(total)),
        };
        step.answers.extend(answer.map(|answer| (letter, answer)));
        Ok(())
    }
}

impl UnderWay {
    fn to_model_call(
        &self,
        call: CallKey,
        reply: &CallReply,
        unusable: Option<(String, String)>,
    ) -> ModelCall {
        ModelCall {
            dream: self.request.dream,
            task: self.request.task.name().to_owned(),
            tier: self.request.tier,
            call,
            attempt: 1 + u8::from(self.before.is_some()),
            input_tokens: reply.input_tokens,
            output_tokens: reply.output_tokens,
            unusable,
        }
    }

    fn replied(&self, reply: Reply, bill: Bill) -> BrokerAnswer {
        let (input_tokens, output_tokens) = (small(bill.input_tokens), small(bill.output_tokens));
        let (dream, tier) = (self.request.dream, self.request.tier);
        BrokerAnswer::Replied { dream, tier, reply, cost: bill.cost, input_tokens, output_tokens }
    }

    fn unreadable(&self, bill: Bill) -> BrokerAnswer {
        BrokerAnswer::Unreadable {
            dream: self.request.dream,
            task: self.request.task.name().to_owned(),
            tier: self.request.tier,
            cost: bill.cost,
            input_tokens: small(bill.input_tokens),
            output_tokens: small(bill.output_tokens),
        }
    }

    /// The answer when no call is made for want of money: the cost of a first attempt is owed.
    fn without_reply(&self) -> BrokerAnswer {
        match &self.before {
            None => BrokerAnswer::Refused { dream: self.request.dream },
            Some(FirstAttempt { bill, .. }) => self.unreadable(*bill),
        }
    }
}

fn small(tokens: u64) -> u32 {
    u32::try_from(tokens).unwrap_or(u32::MAX)
}

/// The part of a reply before the limit, in whole items: half an item can't be read. A reply without any item left is charged up
/// to the limit.
fn cut_off(mut reply: Reply, limit: u32) -> (Reply, u32) {
    loop {
        let tokens = prompt::reply_tokens(&reply);
        if tokens <= limit || !reply.shorten() {
            return (reply, tokens.min(limit));
        }
    }
}

//! The `[llm]` table: the tiers of inference, and the broker's limits: model routing, token pricing and budget, queue capacity and rate
//! limits.
//!
//! Prices are in dollars a million tokens, latencies in ticks, noise in R, rates of hallucination from 0 to 1. A tier is a price and
//! quality class of model, which the asker names with each question. The dream's grade, the manner of dying, and keys of memories and
//! feelings decide it; a dream or a life's review that is short of money asks a lower tier. A scenario's changes to a tier are overrides:
//! they win over the defaults of `TierConfig::for_tier`. A tier's price also charges what asks no model: the upkeep of memories and, behind
//! the gate of waking thought, what a decision reads. Noise and the rate of hallucination hold at a temperature of .4; the simulated
//! reader multiplies both by temperature / .4. Noise, hallucination and depth are the simulated model's alone; prices, latency and the most
//! patterns apply to a real model too. Context tokens are paid for with each question to the simulated model, and estimate what a real one
//! will read.
//!
//! Times of the endpoint's keys are in real seconds, and none of its keys makes a difference to a run from a cassette: retries with
//! exponential backoff and a circuit breaker are the laboratory's. Modes are live calls, record and replay (a cassette, as in VCR tests)
//! and a simulated model (mock). The form of a reply's schema is structured output (JSON mode or JSON schema). A mode other than
//! "simulated" is refused without a model's name. The mode chooses the LLM backend. All calls share a rate limit and an inference budget.

use crate::llm::{Task, prompt};
use morta_base::TableChecker;
use morta_base::Usdc;
use morta_base::keys;

morta_base::words! {
    /// A class of model. Higher tiers cost more, see subtler patterns and make up less.
    #[derive(Default)]
    pub enum Tier: Key {
        /// Small and cheap; lightweight dreams run on it.
        #[default]
        T0 = "t0",
        /// Middling.
        T1 = "t1",
        /// Large and dear.
        T2 = "t2",
    }

    /// Who answers.
    #[derive(Default)]
    pub enum LlmMode: Key {
        /// The simulated model.
        #[default]
        Simulated = "simulated",
        /// A real model, and nothing is kept of what it says: the run can't be had again.
        Live = "live",
        /// A real model, and every call is kept in a cassette; what the cassette has already is not asked again.
        Record = "record",
        /// A cassette alone; no connection is opened.
        Replay = "replay",
    }
}

impl Tier {
    /// The next cheaper tier, if there is one: the fallback of a dream whose questions its budget can't pay. Each caller has its own lowest
    /// tier.
    pub const fn below(self) -> Option<Self> {
        match self {
            Self::T0 => None,
            Self::T1 => Some(Self::T0),
            Self::T2 => Some(Self::T1),
        }
    }
}

impl LlmMode {
    /// Whether replies come from outside the simulation: a real language model, live, recorded or replayed; false for the mock model.
    pub const fn is_outside(self) -> bool {
        !matches!(self, Self::Simulated)
    }
}

morta_base::words! {
    /// How an endpoint is told which form a reply must have.
    #[derive(Default)]
    pub enum SchemaForm: Key {
        /// As a strict JSON Schema that constrains sampling (`response_format.type = "json_schema"`).
        #[default]
        Strict = "strict",
        /// That it is to be JSON (`json_object`); the form is in the prompt alone.
        Json = "json",
        /// Only in the prompt, for servers that know no `response_format`.
        Prompt = "prompt",
    }
}

keys! {
    /// The endpoint of a real model: any server of OpenAI's chat completions. None of it makes a difference to a run from a cassette.
    pub struct EndpointConfig {
        /// The address up to and with its version, such as "https://api.openai.com/v1".
        base_url: String = "http://127.0.0.1:8080/v1".to_owned();
        /// The environment variable that holds the key; left out: none is sent. The key itself is never in a file.
        api_key_env: Option<String> = None;
        /// How the form of a reply is demanded: "strict", "json" or "prompt".
        schema: SchemaForm = SchemaForm::default();
        /// Calls under way at once.
        concurrency: u32 = 4, in 1..=256, "calls";
        /// Most calls begun in a minute, retries included; left out: no limit.
        requests_per_minute: Option<u32> = None, in 1..=1_000_000, "calls";
        /// How long one attempt may take, from connecting to the last byte.
        timeout_seconds: f64 = 120.0, in 0.01..=3_600.0, "seconds";
        /// Attempts at one call before the endpoint counts as gone: after status 408, 429 and 5xx and broken connections.
        attempts: u32 = 8, in 1..=100, "attempts";
        /// The first pause before another attempt; each further one is twice as long, and all are jittered.
        // Ours: the seven pauses between eight attempts are at most .5 + 1 + 2 + 4 + 8 + 16 + 30 s, so an endpoint may be gone
        // for half a minute to a minute.
        backoff_seconds: f64 = 0.5, in 0.0..=600.0, "seconds";
        /// The longest pause, unless the endpoint asks for a longer one (`Retry-After`).
        backoff_max_seconds: f64 = 30.0, in 0.0..=3_600.0, "seconds";
        /// Failed attempts in a row, of whatever calls, after which the endpoint counts as gone.
        // Ours: as many as three calls have attempts.
        breaker_failures: u32 = 24, in 1..=10_000, "attempts";
    }
}

/// Price, speed and quality of one tier: a model card with token pricing and latency. A simulated tier's faults are what makes the choice
/// between tiers a trade-off of quality and cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TierConfig {
    /// Price of a million tokens read, dollars.
    pub input_usdc_per_mtok: f64,
    /// Price of a million tokens written, dollars.
    pub output_usdc_per_mtok: f64,
    /// Tokens read with every question besides it: the persona, the standing instructions, the form of the reply.
    pub context_tokens: u32,
    /// Ticks from being served to the reply.
    pub latency_ticks: u64,
    /// Standard deviation of the error in reading one episode's result, in R.
    pub reading_noise_r: f64,
    /// Probability that a reply contains something that isn't in the episodes.
    pub hallucination_rate: f64,
    /// Most circumstances it can hold together in one pattern.
    pub depth: u32,
    /// Most patterns in one reply.
    pub max_patterns: u32,
}

keys! {
    /// What a scenario changes in a tier; what is left out keeps the tier's own value.
    #[derive(Copy)]
    pub struct TierChanges {
        /// Price of a million tokens read, dollars. By tier: 0.25, 3, 15.
        #[serde(skip_serializing_if = "Option::is_none")]
        input_usdc_per_mtok: Option<f64> = None, in 0.0..=1e6, "dollars";
        /// Price of a million tokens written, dollars. By tier: 1.25, 15, 75.
        #[serde(skip_serializing_if = "Option::is_none")]
        output_usdc_per_mtok: Option<f64> = None, in 0.0..=1e6, "dollars";
        /// Tokens that are read with every question besides it, and paid for: who is asked, the standing instructions, the form of
        /// the reply. By tier: 400, 500, 500; dreams then cost what the specs say of them (lightweight ones $0.001 to 0.003, rich ones
        /// $0.20 to 0.45).
        #[serde(skip_serializing_if = "Option::is_none")]
        context_tokens: Option<u32> = None, in 0..=1_000_000, "tokens";
        /// Ticks from being served to the reply. By tier: 1, 1, 2.
        #[serde(skip_serializing_if = "Option::is_none")]
        latency_ticks: Option<u64> = None, in 1..=1_000, "ticks";
        /// Standard deviation of the error in reading one episode's result, in R; 0 for a perfect reader. By tier: 0.3,
        /// 0.15, 0.05.
        #[serde(skip_serializing_if = "Option::is_none")]
        reading_noise_r: Option<f64> = None, in 0.0..=100.0, "R";
        /// Probability that a reply contains something that isn't in the episodes. By tier: 0.1, 0.05, 0.02.
        #[serde(skip_serializing_if = "Option::is_none")]
        hallucination_rate: Option<f64> = None, in 0.0..=1.0, "probability";
        /// Most circumstances it can hold together in one pattern. By tier: 1, 2, 3.
        #[serde(skip_serializing_if = "Option::is_none")]
        depth: Option<u32> = None, in 1..=7, "circumstances";
        /// Most patterns in one reply. By tier: 3, 5, 8.
        #[serde(skip_serializing_if = "Option::is_none")]
        max_patterns: Option<u32> = None, in 1..=100, "patterns";
    }
}

keys! {
    /// Inference for all golems.
    pub struct LlmConfig {
        /// Requests served in one tick; the others wait in order.
        requests_per_tick: u32 = 64, in 1..=1_000_000, "requests";
        /// Most requests waiting; beyond that a request is refused.
        queue_capacity: u32 = 10_000, in 1..=10_000_000, "requests";
        /// What all golems together may spend on inference in a run, dollars; left out: no limit.
        budget_usdc: Option<f64> = None, in 0.0..=1e12, "dollars";
        /// What all golems together may have read and written by a model in a run; left out: no limit.
        budget_tokens: Option<u64> = None, in 0..=1_000_000_000_000_000, "tokens";
        /// Who answers: "simulated", a real model ("live", "record") or a cassette ("replay").
        mode: LlmMode = LlmMode::default();
        /// The model's name, as its endpoint knows it. It must be given where the mode isn't "simulated".
        model: String = String::new();
        /// The middling tier's model; left out: the same one.
        model_t1: Option<String> = None;
        /// The large tier's model; left out: the middling tier's.
        model_t2: Option<String> = None;
        /// How many times what a task's reply takes in plain words a real model may write: JSON takes more, and so does thinking aloud.
        output_factor: f64 = 4.0, in 0.1..=1_000.0, "factor";
        /// Whether a real model is asked, beside what it finds, what a dream otherwise works out by formula: which episodes to keep and
        /// which to forget, which contradict each other, what an outcome turned on, what to guard against.
        answer_questions: bool = true;
        /// The file of the cassette that is played, and that a recording begins with. Given relative to the scenario file.
        cassette: Option<String> = None;
        /// The endpoint of a real model.
        endpoint: EndpointConfig = EndpointConfig::default();
        /// The small tier.
        t0: TierChanges = TierChanges::default();
        /// The middling tier.
        t1: TierChanges = TierChanges::default();
        /// The large tier.
        t2: TierChanges = TierChanges::default();
    }
    also a_model_is_named;
}

impl LlmConfig {
    fn a_model_is_named(&self, table: &mut TableChecker<'_>) {
        let named = !self.mode.is_outside() || !self.model.trim().is_empty();
        table.demand(named, "model", &self.model, "name a model, or write mode = \"simulated\"");
        let url = &self.endpoint.base_url;
        let is_http = url.starts_with("http://") || url.starts_with("https://");
        let remedy = "must begin with http:// or https://";
        table.demand(!self.mode.is_outside() || is_http, "endpoint.base_url", url, remedy);
    }

    /// The model that answers for a tier (model routing): `model_t1` and `model_t2` fall back on the next smaller tier's model.
    pub fn model_of(&self, tier: Tier) -> &str {
        let t1 = self.model_t1.as_deref().unwrap_or(&self.model);
        match tier {
            Tier::T0 => &self.model,
            Tier::T1 => t1,
            Tier::T2 => self.model_t2.as_deref().unwrap_or(t1),
        }
    }

    /// The max tokens parameter of a completion (most output tokens), for a question whose reply in plain words takes `in_words`. The
    /// simulated model gets that number; a real one gets it and the side answers, times `output_factor` (4 by default), because JSON and
    /// thinking aloud take more. Fragments at the edge of sleep are cut off after eighty tokens whatever the model (dream architecture,
    /// "DaliInterrupt"): the limit is the point of the technique.
    pub(crate) fn most_output(&self, task: &Task, in_words: u32) -> u32 {
        if self.mode == LlmMode::Simulated || matches!(task, Task::Dissolve { .. }) {
            return in_words;
        }
        let answers = if self.answer_questions { task.answer_tokens() } else { 0 };
        (f64::from(in_words + answers) * self.output_factor).ceil() as u32
    }

    /// The effective configuration of a tier: its defaults, with the scenario's overrides applied.
    pub fn tier(&self, tier: Tier) -> TierConfig {
        let changes = match tier {
            Tier::T0 => &self.t0,
            Tier::T1 => &self.t1,
            Tier::T2 => &self.t2,
        };
        changes.apply(TierConfig::for_tier(tier))
    }
}

impl TierChanges {
    fn apply(&self, own: TierConfig) -> TierConfig {
        TierConfig {
            input_usdc_per_mtok: self.input_usdc_per_mtok.unwrap_or(own.input_usdc_per_mtok),
            output_usdc_per_mtok: self.output_usdc_per_mtok.unwrap_or(own.output_usdc_per_mtok),
            context_tokens: self.context_tokens.unwrap_or(own.context_tokens),
            latency_ticks: self.latency_ticks.unwrap_or(own.latency_ticks),
            reading_noise_r: self.reading_noise_r.unwrap_or(own.reading_noise_r),
            hallucination_rate: self.hallucination_rate.unwrap_or(own.hallucination_rate),
            depth: self.depth.unwrap_or(own.depth),
            max_patterns: self.max_patterns.unwrap_or(own.max_patterns),
        }
    }
}

impl TierConfig {
    /// The default token pricing and quality of a tier. Prices are those of small, middling and large hosted models; context tokens are set
    /// so that dreams cost what the specs say ($0.001 to 0.003 lightweight, $0.20 to 0.45 rich). Noise, hallucination, depth and patterns
    /// are our choice, in the order of quality.
    pub const fn for_tier(tier: Tier) -> Self {
        let place = tier as usize;
        Self {
            input_usdc_per_mtok: [0.25, 3.0, 15.0][place],
            output_usdc_per_mtok: [1.25, 15.0, 75.0][place],
            context_tokens: [400, 500, 500][place],
            latency_ticks: [1, 1, 2][place],
            reading_noise_r: [0.3, 0.15, 0.05][place],
            hallucination_rate: [0.10, 0.05, 0.02][place],
            depth: [1, 2, 3][place],
            max_patterns: [3, 5, 8][place],
        }
    }

    /// Counts the input tokens that are read for a question: the standing context, the briefing by the asker's memory, and the question.
    pub fn tokens_read(&self, briefing: Option<&str>, task: &Task) -> u32 {
        self.context_tokens + prompt::prompt_tokens(briefing, task)
    }

    /// The token budget, i.e. the input tokens that so much money reads; `None` where reading is free. A dream's phase only logs it; what
    /// is affordable is decided by the price of the longest reply.
    pub(crate) fn tokens_for(&self, money: Usdc) -> Option<u64> {
        let is_paid_for = self.input_usdc_per_mtok > 0.0;
        // A micro-dollar for a token is a dollar for a million.
        is_paid_for.then(|| (money.0 as f64 / self.input_usdc_per_mtok) as u64)
    }

    /// The inference cost of one API call (token pricing): reading and writing this many tokens, to the nearest micro-dollar.
    pub fn price(&self, input_tokens: u32, output_tokens: u32) -> Usdc {
        let micro_dollars = f64::from(input_tokens) * self.input_usdc_per_mtok
            + f64::from(output_tokens) * self.output_usdc_per_mtok;
        Usdc(micro_dollars.round() as i64)
    }
}

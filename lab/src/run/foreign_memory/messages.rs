//! Messages to a memory outside Rust, and its answers. Field names are the protocol: they change only with `PROTOCOL`.
//! They are a JSON wire format (serialization schema): results in R, shares and confidence 0 to 1, times in ticks (`time_s` and
//! `tick_seconds` in seconds), prices and money in USDC. The Python package hands several of them over without a process. Names are spelled
//! out, so that a program can be written without this code.

use super::words::{LessonMessage, finite, share, tier};
use crate::io::text::nearest;
use morta_base::{GolemId, Purpose, Stream, Tick, WorldSeed};
use morta_engine::episode::Context;
use morta_engine::llm::{LlmConfig, Tier};
use morta_engine::market::{GasClass, LiquidityClass, Session};
use morta_engine::memory::{
    Advice, Attended, Attention, Candidate, DecisionContext, Experience, MemoryBirth, Upkeep, UpkeepKind,
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::mem::discriminant;

/// Embeddings in double precision: their shortest decimals in single precision would be read back as other numbers.
fn widened(embedding: &[f32]) -> Vec<f64> {
    embedding.iter().copied().map(f64::from).collect()
}

/// What draws lots within a tick, each from a stream of its own, by golem, part and tick (random stream). A process gets a seed from it
/// with each call; memories of the Python package draw from the stream itself.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// Being made.
    Birth,
    /// Receiving an outcome.
    Observe,
    /// Looking after itself.
    Sleep,
    /// Taking in what was drawn.
    Inherit,
    /// Saying what it leaves.
    Bequeath,
    /// What the world doesn't ask for; nothing is drawn in it.
    Upkeep,
    /// Advising on the asset of this index.
    Advise(u8),
}

impl Part {
    /// Its lots at a tick: the random stream of one golem, one part and one tick, so that no call shifts another's draws (seed derivation).
    pub fn lots(self, seed: WorldSeed, golem: GolemId, tick: Tick) -> Stream {
        let number = match self {
            Self::Birth => 0,
            Self::Observe => 1,
            Self::Sleep => 2,
            Self::Inherit => 3,
            Self::Bequeath => 4,
            Self::Upkeep => 5,
            Self::Advise(asset) => 256 + u32::from(asset),
        };
        seed.golem_part(golem, Purpose::OwnMemory, number, tick)
    }
}

/// The message of a memory's birth: its golem, and the golem's world, with endowment, symbols and parameters.
#[derive(Clone, Debug, Serialize)]
pub struct BirthMessage<'a> {
    /// Its golem's number among the founders.
    pub lineage: u32,
    /// Successions since the founder.
    pub generation: u32,
    /// Seconds in a tick, above 0.
    pub tick_seconds: f64,
    /// Balance at birth, dollars.
    pub endowment_usdc: f64,
    /// Symbols of the assets, in the order of their numbers.
    pub symbols: &'a [String],
    /// Length of the market's embeddings.
    pub embedding_dimensions: u32,
    /// The scenario's table `[memory.own.NAME]`; empty without one.
    pub parameters: serde_json::Map<String, serde_json::Value>,
}

impl<'a> BirthMessage<'a> {
    /// Makes the message for the birth of a golem.
    ///
    /// # Errors
    /// When its table can't be read.
    pub fn from_birth(birth: &MemoryBirth<'a>) -> Result<Self, String> {
        // No table at all is read as null.
        let parameters: Option<_> = birth.parameters()?;
        Ok(Self {
            lineage: birth.golem.lineage,
            generation: birth.golem.generation,
            tick_seconds: birth.tick_seconds,
            endowment_usdc: birth.endowment_usdc,
            symbols: birth.symbols,
            embedding_dimensions: birth.embedding_dimensions,
            parameters: parameters.unwrap_or_default(),
        })
    }

    /// Adds the default of every key that the table leaves out. A key that the program doesn't declare is refused: misspelt, it would be
    /// lived without.
    ///
    /// # Errors
    /// When a key isn't declared, or its value isn't of the default's type.
    pub(crate) fn with_defaults(
        mut self,
        name: &str,
        declared: &serde_json::Map<String, serde_json::Value>,
    ) -> Result<Self, String> {
        let mut all = declared.clone();
        for (key, value) in self.parameters {
            let Some(default) = all.get(&key) else {
                let known = declared.keys().map(String::as_str);
                let guess =
                    nearest(&key, known).map_or(String::new(), |guess| format!("did you mean `{guess}`? "));
                let known: Vec<&String> = declared.keys().collect();
                return Err(format!(
                    "memory.own.{name} has no key `{key}`: {guess}the program declares {known:?}"
                ));
            };
            if !default.is_null() && discriminant(default) != discriminant(&value) {
                return Err(format!(
                    "memory.own.{name}.{key} is {value}: its default, {default}, is of another type"
                ));
            }
            all.insert(key, value);
        }
        self.parameters = all;
        Ok(self)
    }
}

/// The moment of a decision: the circumstances as the golem reads them (decision context message), with regime label, volatility quintile,
/// average true range and drawdown. The market's true regime isn't among them.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct MomentMessage {
    /// Now.
    pub tick: u64,
    /// Simulated time, seconds since 1970-01-01 UTC.
    pub time_s: i64,
    /// Number of the asset.
    pub asset: u8,
    /// Regime as the golem reads it.
    pub regime: &'static str,
    /// Fifth of the volatilities of the last days that the present one is in, 1 (calmest) to 5.
    pub volatility_quintile: u8,
    /// How deep the market is.
    pub liquidity: LiquidityClass,
    /// How dear transactions are.
    pub gas: GasClass,
    /// Time of day.
    pub session: Session,
    /// Whether a shock is under way.
    pub shock: bool,
    /// Price, dollars.
    pub price: f64,
    /// Average true range over the fast window, dollars.
    pub atr: f64,
    /// Bid-ask spread over the average true range, 0 or more.
    pub spread_over_atr: f64,
    /// How far the golem's equity is below its highest, 0 to 1.
    pub drawdown: f64,
    /// The market's embedding, for memories that ask for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embedding: Option<Vec<f64>>,
}

impl MomentMessage {
    /// Makes the message of a decision's context, with the embedding or without.
    pub(crate) fn from_context(moment: &DecisionContext<'_>, with_embedding: bool) -> Self {
        let Context { regime, volatility_quintile, liquidity, gas, session, asset, shock, .. } =
            moment.context;
        Self {
            tick: moment.tick,
            time_s: moment.time_s,
            asset,
            regime: regime.name(),
            volatility_quintile,
            liquidity,
            gas,
            session,
            shock,
            price: moment.conditions.price,
            atr: moment.conditions.atr_fast,
            spread_over_atr: moment.conditions.spread_over_atr,
            drawdown: moment.conditions.drawdown,
            embedding: with_embedding.then(|| widened(moment.embedding)),
        }
    }
}

/// What the golem could do now: a list for each attribute, all in one order (candidate actions).
#[derive(Clone, Debug, Default, Serialize)]
pub struct Candidates {
    /// Strategies that speak.
    pub strategy: Vec<&'static str>,
    /// Positions they want: "long", "short" or "liquidity".
    pub side: Vec<&'static str>,
    /// How strongly they speak, −1 to 1.
    pub strength: Vec<f64>,
    /// Distances of the protective stops, shares of the entry price above 0.
    pub stop_distance: Vec<f64>,
    /// How long they mean to hold, ticks.
    pub horizon_ticks: Vec<u32>,
    /// What to expect without any memory, R net of costs.
    pub prior_r: Vec<f64>,
    /// Cost of a round trip, R: fees, spread and gas. It is already taken off in `prior_r`, so a memory must not take it
    /// off again.
    pub cost_r: Vec<f64>,
}

impl Candidates {
    /// Makes columns of the candidate actions, all in one order (struct of arrays).
    pub(crate) fn from_candidates(candidates: &[Candidate]) -> Self {
        let mut described = Self::default();
        for Candidate { strategy, side, signal, prior_r, cost_r, .. } in candidates {
            described.strategy.push(strategy.name());
            described.side.push(side.name());
            described.strength.push(signal.strength);
            described.stop_distance.push(signal.stop_distance);
            described.horizon_ticks.push(signal.horizon_ticks);
            described.prior_r.push(*prior_r);
            described.cost_r.push(*cost_r);
        }
        described
    }
}

/// The message of an outcome: a trade that was closed, or an abstention that was seen through.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct OutcomeMessage {
    /// "trade", or "stayed_out" for the counterfactual result of a trade that wasn't made.
    pub kind: &'static str,
    /// The strategy that was followed.
    pub strategy: &'static str,
    /// The position it took.
    pub side: &'static str,
    /// Number of the asset.
    pub asset: u8,
    /// Regime as the golem read it when it decided.
    pub regime: &'static str,
    /// Fifth of the volatilities that the one then was in, 1 (calmest) to 5.
    pub volatility_quintile: u8,
    /// Tick at which it was opened.
    pub opened: u64,
    /// Tick at which it was closed.
    pub closed: u64,
    /// What was expected, R net of costs.
    pub expected_r: f64,
    /// What came of it, R net of costs.
    pub realised_r: f64,
    /// How far that is from what was expected, R, without a sign: at least 0.
    pub surprise: f64,
    /// How much it mattered: the size of the profit or loss over the golem's own money put in, at least 0; 0 of an abstention.
    pub significance: f64,
    /// Regret, R: the gain of the best other strategy beyond this trade's, at least 0. Memories may learn from it,
    /// because they never see that strategy's trade.
    pub regret: f64,
    /// Which that is.
    pub better_strategy: Option<&'static str>,
    /// Arousal when it was lived through, 0 to 1.
    pub arousal: f64,
    /// What was staked, dollars.
    pub stake_usdc: f64,
    /// What was gained, dollars; below 0 for a loss.
    pub pnl_usdc: f64,
    /// The market's embedding when it was decided, for memories that ask for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embedding: Option<Vec<f64>>,
    /// Now.
    pub now: u64,
}

impl OutcomeMessage {
    /// Makes the message of an outcome, with the embedding or without.
    pub(crate) fn from_experience(experience: &Experience<'_>, with_embedding: bool) -> Self {
        let Experience { episode, now, .. } = *experience;
        Self {
            kind: episode.kind.name(),
            strategy: episode.strategy.name(),
            side: episode.side.name(),
            asset: episode.asset,
            regime: episode.context.regime.name(),
            volatility_quintile: episode.context.volatility_quintile,
            opened: episode.opened,
            closed: episode.closed,
            expected_r: episode.expected_r,
            realised_r: episode.realised_r,
            surprise: episode.surprise,
            significance: episode.significance,
            regret: episode.regret,
            better_strategy: episode.better_strategy.map(|strategy| strategy.name()),
            arousal: episode.arousal,
            stake_usdc: episode.stake.dollars(),
            pnl_usdc: episode.pnl.dollars(),
            embedding: with_embedding.then(|| widened(&episode.embedding)),
            now,
        }
    }
}

/// The token price of a tier of models, dollars per million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TierPrice {
    /// Dollars for a million tokens read.
    pub input_usdc_per_mtok: f64,
    /// Dollars for a million tokens written.
    pub output_usdc_per_mtok: f64,
}

/// A waking moment in which a memory may do its maintenance, e.g. consolidation (idle callback).
#[derive(Clone, Debug, Serialize)]
pub struct Waking {
    /// Now.
    pub tick: u64,
    /// Ticks since birth.
    pub age: u64,
    /// Simulated time, seconds since 1970-01-01 UTC.
    pub time_s: i64,
    /// All the golem has, dollars.
    pub equity_usdc: f64,
    /// What is left for inference, dollars; nothing that costs more may be begun.
    pub inference_left_usdc: f64,
    /// Whether nothing is held and no order is out.
    pub idle: bool,
    /// Prices of inference, of tiers 0, 1 and 2.
    pub prices: [TierPrice; 3],
}

impl Waking {
    /// Makes the message of a waking moment. It has the token price of each tier.
    pub(crate) fn from_attention(attention: &Attention<'_>) -> Self {
        let price = |tier| price_of(attention.llm, tier);
        Self {
            tick: attention.tick,
            age: attention.age,
            time_s: attention.time_s,
            equity_usdc: attention.equity.dollars(),
            inference_left_usdc: attention.inference_left.dollars(),
            idle: attention.idle,
            prices: [Tier::T0, Tier::T1, Tier::T2].map(price),
        }
    }
}

fn price_of(llm: &LlmConfig, tier: Tier) -> TierPrice {
    let prices = llm.tier(tier);
    TierPrice {
        input_usdc_per_mtok: prices.input_usdc_per_mtok,
        output_usdc_per_mtok: prices.output_usdc_per_mtok,
    }
}

/// The advice of a memory on a candidate, as a number or an object: a number alone is the expected result.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum SaidAdvice {
    /// Expected result, R net of costs. The other fields of advice keep their defaults.
    Expected(f64),
    /// All that may be said.
    Full(FullAdvice),
}

/// The full advice on a candidate: expectation, confidence, a size multiplier, a veto, and ticks to hold.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FullAdvice {
    /// Expected result, R net of costs.
    pub expected_r: f64,
    /// How sure it is, 0 to 1.
    #[serde(default)]
    pub confidence: f64,
    /// How much larger or smaller than usual the position should be, 0 or more.
    #[serde(default = "usual")]
    pub size: f64,
    /// Whether it must not be done.
    #[serde(default)]
    pub veto: bool,
    /// Ticks a position is expected to be held, 0 or more; none leaves that to the golem's experience.
    pub held_ticks: Option<f64>,
}

const fn usual() -> f64 {
    1.0
}

impl SaidAdvice {
    /// Converts the message to advice on a candidate, and checks the range of each number.
    ///
    /// # Errors
    /// When a number is out of its range.
    pub fn on(self, candidate: &Candidate) -> Result<Advice, String> {
        let FullAdvice { expected_r, confidence, size, veto, held_ticks } = match self {
            Self::Full(said) => said,
            Self::Expected(expected_r) => {
                return Ok(Advice {
                    expected_r: finite("expected_r", expected_r)?,
                    ..Advice::prior(candidate)
                });
            }
        };
        Ok(Advice {
            expected_r: finite("expected_r", expected_r)?,
            confidence: share("confidence", confidence)?,
            size_multiplier: not_below_0("size", size)?,
            veto,
            held_ticks: held_ticks.map(|ticks| not_below_0("held_ticks", ticks)).transpose()?,
            ..Advice::prior(candidate)
        })
    }
}

fn not_below_0(key: &str, number: f64) -> Result<f64, String> {
    let is_good = number.is_finite() && number >= 0.0;
    if is_good { Ok(number) } else { Err(format!("{key} is {number}: it must be 0 or more")) }
}

/// The maintenance that a memory reports from a waking moment, e.g. a consolidation: its token usage, which the golem pays for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SaidUpkeep {
    /// Items looked at.
    pub seen: u32,
    /// Items made.
    pub made: u32,
    /// Items merged into others.
    pub merged: u32,
    /// Items that were given lasting weight.
    pub promoted: u32,
    /// Items let go.
    pub dropped: u32,
    /// The tier that was asked, 0 to 2.
    pub tier: u32,
    /// Tokens it read.
    pub tokens_read: u32,
    /// Tokens it wrote.
    pub tokens_written: u32,
    /// Ticks the golem doesn't decide from now on.
    pub asleep_ticks: u32,
}

impl SaidUpkeep {
    /// Converts the report to the engine's: one consolidation with its token usage. Without tokens no model was needed.
    ///
    /// # Errors
    /// When there is no such tier.
    pub fn attended(self) -> Result<Attended, String> {
        let Self { seen, made, merged, promoted, dropped, tokens_read, tokens_written, asleep_ticks, .. } =
            self;
        let used_model = tokens_read > 0 || tokens_written > 0;
        let tokens = if used_model { Some((tier(self.tier)?, tokens_read, tokens_written)) } else { None };
        let kind = UpkeepKind::Consolidation;
        let upkeep = vec![Upkeep { kind, seen, made, merged, promoted, dropped, tokens }];
        Ok(Attended { upkeep, asleep_ticks, ..Attended::default() })
    }
}

/// What a process says of itself first (handshake): the protocol version, its name, its optional calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Hello {
    /// [`PROTOCOL`].
    pub protocol: u32,
    /// Its name, for people.
    pub name: String,
    /// What it can beside `birth`, `advise` and `observe`: "sleep", "inherit", "bequeath", "save" (and load), "keep".
    #[serde(default)]
    pub methods: Vec<Method>,
    /// Whether it wants embeddings. They are left out otherwise, because they are most of the bytes of a message.
    #[serde(default)]
    pub embeddings: bool,
    /// The keys that `[memory.own.NAME]` may have, with their defaults; none: any, and the program reads them by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<serde_json::Map<String, serde_json::Value>>,
}

impl Hello {
    /// Whether its memories can be written down (checkpoint support).
    pub(crate) fn can_be_saved(&self) -> bool {
        self.methods.iter().any(|method| matches!(method, Method::Save | Method::Keep))
    }
}

/// The version of the protocol.
pub(crate) const PROTOCOL: u32 = 1;

/// A call that a memory may offer or not (optional capability).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Looks after itself in every waking tick.
    Sleep,
    /// Takes in lessons from the dead.
    Inherit,
    /// Leaves lessons to others.
    Bequeath,
    /// Writes itself down, and reads itself back: `save` and `load`.
    Save,
    /// Holds nothing: what it answers as `kept` comes with its next request. `save`, `load` and `forget` are never asked.
    Keep,
}

/// The response message of a process to a call. Each call reads its own field, and all may be an error: then the golem whose memory was
/// asked dies by fault.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Reply {
    /// What went wrong.
    pub error: Option<String>,
    /// To `advise`: one for each candidate, in their order.
    pub advice: Option<Vec<SaidAdvice>>,
    /// To `sleep`; none if nothing was done.
    pub upkeep: Option<SaidUpkeep>,
    /// To `bequeath`.
    pub lessons: Option<Vec<LessonMessage>>,
    /// To `save`: all that the memory holds, as `load` is given it.
    pub saved: Option<String>,
    /// To any call, of a program that keeps nothing itself: all that the memory holds from now on; left out, what it held.
    pub kept: Option<Box<RawValue>>,
}

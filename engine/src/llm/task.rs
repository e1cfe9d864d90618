//! Tasks for a model, and its replies. A task carries everything that the answer may be drawn from, so that a reply is a function of the
//! task, the tier and the temperature. They are typed requests and responses (a tagged union, or sum type), so that every kind of question
//! is handled in every place.
//!
//! Results are in R, money is in whole micro-dollars, times are in ticks, probabilities, scores and arousal run from 0 to 1. Most tasks are
//! a dream's; `Read` (Dark Pawns), `Reflect` (OpenClaw) and `Appraise` (feelings by `[daimon.chain]`) are asked outside dreams, and
//! `FindPatterns` also by the review of a dying golem. A simulated reply longer than its limit loses its last items (`shorten`).

use crate::daimon::{Appraisal, Pad};
use crate::episode::{
    Claim, Context, ContextPattern, DecisionStep, Episode, EpisodeKind, StepKind, ThreatKind,
};
use crate::llm::{Fragment, ReadingMethod};
use crate::market::{AssetIndex, Held, PositionSide, Regime, ShockKind, Strategy};
use morta_base::{EpisodeId, Tick, Usdc};
use serde::{Deserialize, Serialize};

/// An episode as a model sees it: a data transfer object for prompts, with an importance weight, its outcome and regret, and without the
/// embedding. The Curator, which asks no model, is sent episodes in this form too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpisodeBrief {
    /// The episode.
    pub id: EpisodeId,
    /// Whether it was a trade; false for an abstention, without a result.
    pub traded: bool,
    /// The strategy of the trade, or of the trade that wasn't made.
    pub strategy: Strategy,
    /// The circumstances.
    pub context: Context,
    /// Expected result, in R.
    pub expected_r: f64,
    /// Result, in R.
    pub realised_r: f64,
    /// Tick of the outcome.
    #[serde(default)]
    pub closed: Tick,
    /// Money made, all costs taken off.
    #[serde(default)]
    pub pnl: Usdc,
    /// Difference of result and expectation, in R, at least 0.
    #[serde(default)]
    pub surprise: f64,
    /// Arousal at encoding, 0 to 1; 0 where golems have no affect.
    #[serde(default)]
    pub arousal: f64,
    /// Result of the best other strategy beyond this one's, in R.
    pub regret: f64,
    /// That strategy.
    pub better_strategy: Option<Strategy>,
    /// Weight of its outcome in a mean, 0 or more. In a replay batch less where it was likelier than others to be chosen, and 0 for a scar
    /// (unless `scars_as_evidence`), which was handed over because of its outcome; 1 in other tasks.
    #[serde(default = "full_weight")]
    pub weight: f64,
}

/// The weight of an episode that wasn't selected by any rule.
const fn full_weight() -> f64 {
    1.0
}

impl<E> From<&Episode<E>> for EpisodeBrief {
    fn from(episode: &Episode<E>) -> Self {
        Self {
            id: episode.id,
            traded: episode.kind == EpisodeKind::Trade,
            strategy: episode.strategy,
            context: episode.context,
            expected_r: episode.expected_r,
            realised_r: episode.realised_r,
            closed: episode.closed,
            pnl: episode.pnl,
            surprise: episode.surprise,
            arousal: episode.arousal,
            regret: episode.regret,
            better_strategy: episode.better_strategy,
            weight: full_weight(),
        }
    }
}

/// Temporal credit assignment of one outcome: the decisions (steps) that led to it with their contributions, traced back from the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CreditBrief {
    /// The episode.
    pub episode: EpisodeId,
    /// The decisions, the most recent first.
    pub chain: Vec<DecisionStep>,
    /// The decision that moved the result most its way, and its share of all movement.
    pub pivotal: Option<(StepKind, f64)>,
    /// The entry's share of all movement, 0 to 1: how far the outcome is the entry's.
    pub entry_share: f64,
}

/// Mean result of a strategy in a regime over all remembered trades (scars aside), against which a few striking episodes are read. It is a
/// prior mean by stratum; a batch has them only where its level isn't the replayed ones' own.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BaseRate {
    /// The strategy.
    pub strategy: Strategy,
    /// The regime.
    pub regime: Regime,
    /// Trades remembered.
    pub trades: u32,
    /// Their mean result, in R.
    pub mean_r: f64,
}

/// A what-if: an episode with something made worse (a counterfactual perturbation, or stress test).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WhatIf {
    /// The episode.
    pub episode: EpisodeId,
    /// The change, in words, with its size.
    pub change: String,
    /// Result of the trade under it, in R.
    pub perturbed_r: f64,
    /// Share of the supposed cases that alone make it fail, 0 to 1.
    pub broken: f64,
}

/// Results of a strategy where one part of a situation was present: a main effect (conditional mean), in R.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartWorth {
    /// The part.
    pub part: ShockKind,
    /// The strategy.
    pub strategy: Strategy,
    /// Mean result of its trades there, in R.
    pub mean_r: f64,
    /// Number of these trades.
    pub trades: u32,
    /// The latest of them, by which a claim can be traced back.
    pub latest: Vec<EpisodeId>,
    /// Mean result of all its trades, in R.
    pub usual_r: f64,
    /// Number of all its trades.
    pub usual_trades: u32,
}

/// A combination of shocks that was never met, although each of its parts was: a zero-shot situation (compositional generalisation).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnmetSituation {
    /// Its parts, in words.
    pub parts: String,
    /// The signs by which it is recognised awake; `None` where a part isn't visible in one market: changes of regime and of
    /// correlation appear only beside other trades, a deviation of the oracle only in trades on it.
    pub pattern: Option<ContextPattern>,
    /// Results of strategies that were tried under every one of the parts, by strategy and part.
    pub known: Vec<PartWorth>,
}

impl UnmetSituation {
    /// Groups the results by strategy: the results of one strategy after another. They must be sorted by strategy.
    pub(crate) fn by_strategy(&self) -> impl Iterator<Item = (Strategy, &[PartWorth])> {
        self.known.chunk_by(|a, b| a.strategy == b.strategy).map(|known| (known[0].strategy, known))
    }
}

/// A possible course of the market with its best response: a market forecast for planning (scenario analysis), made by forward replay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prospect {
    /// The hypothesis, in words.
    pub hypothesis: String,
    /// The regime it ends in.
    pub regime: Regime,
    /// The strategy that has paid best there, with its mean result in R, if any was tried.
    pub best_response: Option<(Strategy, f64)>,
    /// The episodes behind that.
    pub known_from: Vec<EpisodeId>,
    /// Its probability, 0 to 1.
    pub confidence: f64,
    /// Number of open positions that break.
    pub breaking: u32,
}

/// The golem's situation at the morning's planning: a summary of market and portfolio for the prompt, with prices, open positions and
/// rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MorningSituation {
    /// The tick.
    pub tick: Tick,
    /// The first asset's circumstances.
    pub context: Context,
    /// Its price, dollars a unit.
    pub price: f64,
    /// Gas for one transaction.
    pub gas: Usdc,
    /// Open positions.
    pub positions: Vec<OpenPosition>,
    /// Rules in force that speak of these circumstances or of a strategy that is open.
    pub rules: Vec<Claim>,
    /// Trades that began in the most similar markets, the most similar first.
    pub alike: Vec<EpisodeBrief>,
}

/// A position that is open when the dream begins, as a model sees it and trajectories try it: a holding of the portfolio with its
/// unrealised result.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpenPosition {
    /// The asset.
    pub asset: AssetIndex,
    /// The strategy that opened it.
    pub strategy: Strategy,
    /// Its kind.
    pub side: PositionSide,
    /// Money in it.
    pub stake: Usdc,
    /// Its open result, in R.
    pub unrealised_r: f64,
}

/// A counterfactual action: an alternative to a decision (another strategy, staying out, early exit or late entry). Own actions come first,
/// then what one controls (Byrne; digest section 5).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Branch {
    /// Another strategy at the same moment.
    OtherStrategy {
        /// The other strategy.
        strategy: Strategy,
        /// Its result, in R.
        result_r: f64,
    },
    /// No trade at all.
    StayingOut,
    /// Exit at the best open result.
    LeavingEarlier {
        /// That result, in R.
        result_r: f64,
        /// The state of the position then, where it was reviewed: without it, nothing says when to leave the next one.
        #[serde(default)]
        held: Option<Held>,
    },
    /// Entry at the worst open result.
    EnteringLater {
        /// The result from there, in R.
        result_r: f64,
        /// The state of the position then.
        held: Held,
    },
}

morta_base::words! {
    /// A mode of creativity, how an imagination departs from experience: combinational, exploratory or transformational (Boden), or
    /// memories at random (Hobson and McCarley's random activation).
    pub enum CreativeMode {
        /// Joins what was apart.
        Combinational = "combinational",
        /// Pushes what is known to its limits.
        Exploratory = "exploratory",
        /// Turns a basic assumption around.
        Transformational = "transformational",
        /// Connects memories that came up at random.
        Stochastic = "stochastic",
    }
}

/// An event for a model to appraise: an emotion elicitor (stimulus) with its context, for emotional appraisal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AppraisalBrief {
    /// The event, in words.
    pub happening: String,
    /// The mood before it.
    pub mood: Pad,
    /// Vitality, 0 to 1.
    pub vitality: f64,
    /// Running mean result of its trades, in R.
    pub recent_r: f64,
    /// Epistemic fitness, 0 to 1.
    pub fitness: f64,
    /// The appraisal by the rule table. The simulated model uses it; a real one isn't shown it, or it would only repeat it.
    pub by_rule: Appraisal,
}

/// A recurrent theme of a memory, for a model to estimate: a topic cluster of tags with average results, for reflection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThemeBrief {
    /// The tags that make it.
    pub tags: Vec<String>,
    /// Memories that carry it.
    pub count: u32,
    /// Its strength, 0 to 1.
    pub strength: f64,
    /// Mean result of the trades that carry it, in R.
    pub mean_r: f64,
    /// Number of these trades.
    pub trades: u32,
}

/// A question to a model, with everything the answer may be drawn from: a typed prompt for an LLM, one variant for each kind of query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Task {
    /// At the edge of sleep: let these memories run into each other. Cut off after eighty tokens.
    Dissolve {
        /// The memories.
        memories: Vec<EpisodeBrief>,
        /// The keyword of the onset.
        keyword: Option<String>,
    },
    /// Which of these fragments are worth keeping?
    Observe {
        /// The fragments, each with its computed scores.
        fragments: Vec<Fragment>,
    },
    /// Which strategies pay in which circumstances, going by these episodes?
    FindPatterns {
        /// Which of a dream's batches it is, from 0; the reply says so too.
        batch: u32,
        /// The replay batch.
        episodes: Vec<EpisodeBrief>,
        /// Outcomes traced back.
        credits: Vec<CreditBrief>,
        /// What-ifs of the episodes.
        what_ifs: Vec<WhatIf>,
        /// Base rates of the strategies in the batch, where the method uses them.
        base_rates: Vec<BaseRate>,
        /// Rules in force about the same strategies.
        rules: Vec<Claim>,
        /// The method of reading.
        #[serde(default)]
        method: ReadingMethod,
        /// Whether more than findings is of use: in a dream, which sorts its episodes, and not in a life's review.
        #[serde(default)]
        is_dreamt: bool,
    },
    /// What may come, and what is the best answer to it?
    Anticipate {
        /// Possible courses.
        prospects: Vec<Prospect>,
        /// The golem's situation.
        standing: Box<MorningSituation>,
    },
    /// What if another decision had been made?
    Counterfactual {
        /// The decision in question.
        episode: EpisodeBrief,
        /// The way not taken.
        branch: Branch,
    },
    /// What strategy has nobody tried yet?
    Imagine {
        /// How to depart from experience.
        mode: CreativeMode,
        /// Episodes to begin with.
        seeds: Vec<EpisodeBrief>,
        /// A rule in force that life has tested little.
        rule: Option<Claim>,
        /// A situation of known parts that was never met.
        situation: Option<Box<UnmetSituation>>,
    },
    /// How does this strike, and what guards against it?
    Threaten {
        /// The threat.
        kind: ThreatKind,
        /// Episodes lived under its signs.
        episodes: Vec<EpisodeBrief>,
    },
    /// What happened, apart from how it felt?
    Reappraise {
        /// Episodes with high arousal.
        episodes: Vec<EpisodeBrief>,
    },
    /// Which of these conclusions belong together, and which are worth testing?
    Consolidate {
        /// Conclusions of one dream.
        patterns: Vec<SourcedClaim>,
    },
    /// On waking: what one thing is to be kept in mind?
    Recrystallise {
        /// What the dream concluded.
        patterns: Vec<SourcedClaim>,
    },
    /// How does the reader stand to the strategies, going by what its memory gave it to read?
    Read,
    /// How does this feel?
    Appraise(AppraisalBrief),
    /// What is to be made of what keeps coming up?
    Reflect {
        /// Themes, the strongest first.
        themes: Vec<ThemeBrief>,
    },
}

impl Task {
    /// Its name in logs and tables, in snake case.
    pub fn name(&self) -> &'static str {
        self.into()
    }

    /// The max tokens (output limit) of a reply: its budget before it is known, and where it is cut off. Eighty at the edge of sleep is the
    /// dream architecture's, for a real model too (`LlmConfig::most_output`). The others are our
    /// choice, ample for the content of a reply: a tighter limit would cut replies off, a wider one would leave fewer questions affordable.
    pub const fn max_output_tokens(&self) -> u32 {
        match self {
            Self::Dissolve { .. } | Self::Recrystallise { .. } => 80,
            Self::Counterfactual { .. } | Self::Threaten { .. } | Self::Read | Self::Appraise(_) => 100,
            Self::Observe { .. } | Self::Reappraise { .. } => 120,
            Self::FindPatterns { .. }
            | Self::Anticipate { .. }
            | Self::Imagine { .. }
            | Self::Reflect { .. } => 150,
            Self::Consolidate { .. } => 200,
        }
    }

    /// An output token estimate for the answers besides the findings, in plain words: names of about half of a batch, and one guard. Only a
    /// real model with `answer_questions` gets this allowance.
    pub(crate) const fn answer_tokens(&self) -> u32 {
        match self {
            Self::FindPatterns { is_dreamt: true, .. } => 60,
            Self::Anticipate { .. } => 30,
            _ => 0,
        }
    }
}

/// A conclusion with its sources: a claim that cites the episodes that support it (provenance, grounding).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SourcedClaim {
    /// The claim.
    pub claim: Claim,
    /// Episodes it was read from; none for a hallucination, and perhaps none for an answer to a prospect.
    pub learned_from: Vec<EpisodeId>,
}

/// A reader's stance on a strategy: an opinion score (sentiment), from avoid to seek.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stance {
    /// The strategy.
    pub strategy: Strategy,
    /// The regime; `None` for any.
    pub regime: Option<Regime>,
    /// From −1 (avoid) to 1 (seek).
    pub strength: f64,
}

/// A model's answers (feedback) about a batch besides its findings: retention, contradiction, credit and guards. They override the dream's
/// own formulas, but for the guards, which are added to its own; the simulated model leaves them empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BatchAnswers {
    /// Episodes to keep.
    pub keep: Vec<EpisodeId>,
    /// Episodes to forget.
    pub forget: Vec<EpisodeId>,
    /// Pairs of episodes that contradict each other; `None` where it wasn't asked.
    pub contradictory: Option<Vec<(EpisodeId, EpisodeId)>>,
    /// The decision that an outcome turned on, by episode.
    pub turned_on: Vec<(EpisodeId, StepKind)>,
    /// Guards against what makes the episodes fail.
    pub guards: Vec<SourcedClaim>,
}

/// A model's answer, parsed: a typed completion (structured output), one variant for each task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// To [`Task::Dissolve`]: the fragment, if there was one before the cut-off.
    Fragment(Option<Fragment>),
    /// To [`Task::Observe`]: the score of each fragment, in order.
    Observed(Vec<f64>),
    /// To [`Task::FindPatterns`].
    Patterns {
        /// The batch.
        batch: u32,
        /// The findings: the simulated model's that contradict a rule first, then by evidence; a real model's in its own order.
        patterns: Vec<SourcedClaim>,
        /// The other answers. The simulated model leaves them to formulas.
        answers: Box<BatchAnswers>,
    },
    /// To [`Task::Anticipate`].
    Anticipated {
        /// Responses to the prospects.
        responses: Vec<SourcedClaim>,
        /// Guards against the worst of them.
        guards: Vec<SourcedClaim>,
    },
    /// To [`Task::Counterfactual`].
    Lesson {
        /// The episode in question.
        episode: EpisodeId,
        /// The alternative.
        branch: Branch,
        /// Its result, in R.
        outcome_r: f64,
        /// The lesson, if there is one.
        lesson: Option<SourcedClaim>,
        /// The model's confidence, 0 to 1.
        confidence: f64,
    },
    /// To [`Task::Imagine`].
    Imagined {
        /// How it departed from experience.
        mode: CreativeMode,
        /// The ideas.
        ideas: Vec<SourcedClaim>,
    },
    /// To [`Task::Threaten`].
    Threat {
        /// The threat.
        kind: ThreatKind,
        /// Its cost, in R, if known.
        loss_r: Option<f64>,
        /// Rehearsed responses, the guard against the largest loss first: claims of loss are guards, claims of gain what to do instead.
        responses: Vec<SourcedClaim>,
    },
    /// To [`Task::Reappraise`]: the episodes in which facts and feeling were separated.
    Reappraised(Vec<EpisodeId>),
    /// To [`Task::Consolidate`]: one conclusion a subject, strongest first.
    Consolidated(Vec<SourcedClaim>),
    /// To [`Task::Recrystallise`].
    KeptInMind(Option<Claim>),
    /// To [`Task::Read`]: the surest first.
    Stances(Vec<Stance>),
    /// To [`Task::Appraise`].
    Appraised {
        /// The feeling.
        pad: Pad,
        /// Its intensity, 0 to 1.
        intensity: f64,
    },
    /// To [`Task::Reflect`]: the place of each theme that was estimated, from 0, and the worth of trades of its kind, in R.
    Reflected(Vec<(u32, f64)>),
}

impl Reply {
    /// The name of the task it answers.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Fragment(_) => "dissolve",
            Self::Observed(_) => "observe",
            Self::Patterns { .. } => "find_patterns",
            Self::Anticipated { .. } => "anticipate",
            Self::Lesson { .. } => "counterfactual",
            Self::Imagined { .. } => "imagine",
            Self::Threat { .. } => "threaten",
            Self::Reappraised(_) => "reappraise",
            Self::Consolidated(_) => "consolidate",
            Self::KeptInMind(_) => "recrystallise",
            Self::Stances(_) => "read",
            Self::Appraised { .. } => "appraise",
            Self::Reflected(_) => "reflect",
        }
    }

    /// Truncates the reply by its last item. Returns whether there was one.
    pub(super) fn shorten(&mut self) -> bool {
        match self {
            Self::Fragment(fragment) => fragment.take().is_some(),
            Self::Observed(scores) => scores.pop().is_some(),
            Self::Patterns { patterns, .. }
            | Self::Anticipated { responses: patterns, .. }
            | Self::Threat { responses: patterns, .. }
            | Self::Consolidated(patterns)
            | Self::Imagined { ideas: patterns, .. } => patterns.pop().is_some(),
            Self::Lesson { lesson, .. } => lesson.take().is_some(),
            Self::Reappraised(episodes) => episodes.pop().is_some(),
            Self::KeptInMind(claim) => claim.take().is_some(),
            Self::Stances(stances) => stances.pop().is_some(),
            Self::Appraised { .. } => false,
            Self::Reflected(themes) => themes.pop().is_some(),
        }
    }
}

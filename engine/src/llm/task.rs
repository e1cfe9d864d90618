//! What a golem asks of a model, and what it gets. A task carries everything the answer may be drawn from.

use crate::daimon::{Appraisal, Pad};
use crate::episode::{
    Claim, Context, ContextPattern, DecisionStep, Episode, EpisodeKind, StepKind, ThreatKind,
};
use crate::llm::{Fragment, ReadingMethod};
use crate::market::{AssetIndex, Held, PositionSide, Regime, ShockKind, Strategy};
use morta_base::{EpisodeId, Tick, Usdc};
use serde::{Deserialize, Serialize};

/// What a model is shown of an episode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpisodeBrief {
    /// The episode it is made from.
    pub id: EpisodeId,
    /// Whether it was a trade; otherwise a decision to stay out, which made nothing.
    pub traded: bool,
    /// The strategy that was followed, or that would have been.
    pub strategy: Strategy,
    /// The circumstances.
    pub context: Context,
    /// What was expected, in R.
    pub expected_r: f64,
    /// What came of it, in R.
    pub realised_r: f64,
    /// Tick of the outcome.
    #[serde(default)]
    pub closed: Tick,
    /// Money made, all costs taken off.
    #[serde(default)]
    pub pnl: Usdc,
    /// How far what came of it was from what was expected, in R, at least 0.
    #[serde(default)]
    pub surprise: f64,
    /// How strongly it was felt: arousal at encoding, 0 to 1; 0 where golems feel nothing.
    #[serde(default)]
    pub arousal: f64,
    /// What the best other strategy would have made beyond that, in R.
    pub regret: f64,
    /// That strategy.
    pub better_strategy: Option<Strategy>,
    /// What its outcome counts for in a mean, 0 or more: less where it was likelier than others to be chosen; 0 for what was handed
    /// over because of how it ended.
    #[serde(default = "full_weight")]
    pub weight: f64,
}

/// What an episode counts for that nobody picked out.
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

/// An outcome that was traced back to the decisions that made it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CreditBrief {
    /// The episode.
    pub episode: EpisodeId,
    /// The decisions, the most recent first.
    pub chain: Vec<DecisionStep>,
    /// The decision that moved the result most its way, and its share of all movement.
    pub pivotal: Option<(StepKind, f64)>,
    /// The entry's share of all movement, 0 to 1: how much the outcome says of having gone in.
    pub entry_share: f64,
}

/// What a strategy has made in a regime over all that is remembered: against what a few striking episodes are read.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BaseRate {
    /// The strategy.
    pub strategy: Strategy,
    /// The regime.
    pub regime: Regime,
    /// Trades remembered.
    pub trades: u32,
    /// What they made on average, in R.
    pub mean_r: f64,
}

/// An episode with something made worse.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WhatIf {
    /// The episode.
    pub episode: EpisodeId,
    /// What was made worse, and by how much, in words.
    pub change: String,
    /// What the trade would have made then, in R.
    pub perturbed_r: f64,
    /// Share of what was supposed that alone would have spoilt it, 0 to 1.
    pub broken: f64,
}

/// What a strategy has made where one part of a situation was there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartWorth {
    /// The part.
    pub part: ShockKind,
    /// The strategy.
    pub strategy: Strategy,
    /// Mean result of its trades there, in R.
    pub mean_r: f64,
    /// How many there are.
    pub trades: u32,
    /// The latest of them, by which a claim can be traced back.
    pub latest: Vec<EpisodeId>,
    /// Mean result of all its trades, in R.
    pub usual_r: f64,
    /// How many there are of these.
    pub usual_trades: u32,
}

/// A situation that was never met though each of its parts was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Situation {
    /// Its parts, in words.
    pub parts: String,
    /// How it is recognised awake; `None` where a part isn't seen in the market as it stands: changes of regime and of correlation are seen only
    /// beside other trades, a deviation of the oracle only by who trades on it.
    pub pattern: Option<ContextPattern>,
    /// What strategies that were tried under every one of the parts made there, by strategy and part.
    pub known: Vec<PartWorth>,
}

impl Situation {
    /// What is known of one strategy after another.
    pub fn by_strategy(&self) -> impl Iterator<Item = (Strategy, &[PartWorth])> {
        self.known.chunk_by(|a, b| a.strategy == b.strategy).map(|known| (known[0].strategy, known))
    }
}

/// A way things may go.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prospect {
    /// What is supposed, in words.
    pub hypothesis: String,
    /// The regime it ends in.
    pub regime: Regime,
    /// What has paid best there and how much a trade, in R, if anything is known.
    pub best_response: Option<(Strategy, f64)>,
    /// What that is known from.
    pub known_from: Vec<EpisodeId>,
    /// How likely it is, 0 to 1.
    pub confidence: f64,
    /// Positions that would break.
    pub breaking: u32,
}

/// Where a golem stands when it plays the morning through.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// The tick.
    pub tick: Tick,
    /// The first asset's circumstances.
    pub context: Context,
    /// Its price, dollars a unit.
    pub price: f64,
    /// Gas for one transaction.
    pub gas: Usdc,
    /// What is open.
    pub positions: Vec<PositionBrief>,
    /// Rules in force that speak of these circumstances or of a strategy that is open.
    pub rules: Vec<Claim>,
    /// Trades that began in markets most like this one, the likest first.
    pub alike: Vec<EpisodeBrief>,
}

/// What a model is shown of an open position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PositionBrief {
    /// The strategy that opened it.
    pub strategy: Strategy,
    /// The asset.
    pub asset: AssetIndex,
    /// Its kind.
    pub side: PositionSide,
    /// Money in it.
    pub stake: Usdc,
    /// What it has made so far, in R.
    pub unrealised_r: f64,
}

/// How a decision might have gone otherwise: one's own actions come first, then what one controls (Byrne).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Branch {
    /// Another strategy at the same moment.
    OtherStrategy {
        /// The other strategy.
        strategy: Strategy,
        /// What it would have made, in R.
        result_r: f64,
    },
    /// Not acting at all.
    StayingOut,
    /// Leaving when the open result was best.
    LeavingEarlier {
        /// What it was then, in R.
        result_r: f64,
        /// How the position stood then, where it was thought over: without that, nothing says when to leave the next one.
        #[serde(default)]
        held: Option<Held>,
    },
    /// Going in when the open result was worst.
    EnteringLater {
        /// What it would have made from there, in R.
        result_r: f64,
        /// How the position stood then.
        held: Held,
    },
}

morta_base::words! {
    /// How an imagination departs from experience (Boden's three kinds, and Hobson and McCarley's random activation).
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

/// Something that happened, as a model is asked how it feels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AppraisalBrief {
    /// What happened, in words.
    pub happening: String,
    /// The mood it happens to.
    pub mood: Pad,
    /// Vitality, 0 to 1.
    pub vitality: f64,
    /// Running mean result of its trades, in R.
    pub recent_r: f64,
    /// How well it understands the market, 0 to 1.
    pub fitness: f64,
    /// How it feels by the rule table. The simulated model goes by it; a real one isn't shown it.
    pub by_rule: Appraisal,
}

/// Something that keeps coming up in a memory, as a model is asked what to make of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThemeBrief {
    /// The tags that make it.
    pub tags: Vec<String>,
    /// Memories that carry it.
    pub count: u32,
    /// How strongly it comes up, 0 to 1.
    pub strength: f64,
    /// What trades that carry it made on average, in R.
    pub mean_r: f64,
    /// How many trades that is.
    pub trades: u32,
}

/// A question to a model, with everything the answer may be drawn from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Task {
    /// At the edge of sleep: let these memories run into each other. Cut off after eighty tokens.
    Dissolve {
        /// The memories.
        memories: Vec<EpisodeBrief>,
        /// What the drift circles around.
        keyword: Option<String>,
    },
    /// Which of these fragments are worth keeping?
    Observe {
        /// The fragments, with what can be measured about each.
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
        /// Episodes gone through with something made worse.
        what_ifs: Vec<WhatIf>,
        /// What the strategies in the batch have made in its regimes altogether, where the reading goes by it.
        base_rates: Vec<BaseRate>,
        /// Rules in force about the same strategies.
        rules: Vec<Claim>,
        /// How to read them.
        #[serde(default)]
        method: ReadingMethod,
        /// Whether more than findings is of use: in a dream, which sorts its episodes, and not in a life's review.
        #[serde(default)]
        is_dreamt: bool,
    },
    /// What may come, and what would be the best answer to it?
    Anticipate {
        /// Ways things may go.
        prospects: Vec<Prospect>,
        /// Where the golem stands now.
        standing: Box<Standing>,
    },
    /// What if it had been done otherwise?
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
        /// A rule that has long not been looked at.
        rule: Option<Claim>,
        /// A situation of known parts that was never met.
        situation: Option<Box<Situation>>,
    },
    /// How would this strike, and what guards against it?
    Threaten {
        /// The threat.
        kind: ThreatKind,
        /// Episodes lived under its signs.
        episodes: Vec<EpisodeBrief>,
    },
    /// What happened, apart from how it felt?
    Reappraise {
        /// Episodes that were felt strongly.
        episodes: Vec<EpisodeBrief>,
    },
    /// Which of these conclusions belong together, and which are worth testing?
    Consolidate {
        /// Conclusions of one dream.
        patterns: Vec<Pattern>,
    },
    /// On waking: what one thing is to be kept in mind?
    Recrystallise {
        /// What the dream concluded.
        patterns: Vec<Pattern>,
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
    /// Its name in logs and tables.
    pub fn name(&self) -> &'static str {
        self.into()
    }

    /// Most tokens of a reply: what is budgeted for it before it is known, and where it is cut off. Eighty at the edge of
    /// sleep is the dream architecture's, for a real model too ([`LlmConfig::most_output`](crate::llm::LlmConfig::most_output)); the others are
    /// our own, generous for what the reply has to say.
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

    /// Tokens that what is asked beside the findings takes in a reply, in plain words: names of about half of a batch, and one guard.
    pub const fn answer_tokens(&self) -> u32 {
        match self {
            Self::FindPatterns { is_dreamt: true, .. } => 60,
            Self::Anticipate { .. } => 30,
            _ => 0,
        }
    }
}

/// A conclusion and what it rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pattern {
    /// What is concluded.
    pub claim: Claim,
    /// Episodes it was read from; none for a hallucination.
    pub learned_from: Vec<EpisodeId>,
}

/// How a reader stands to a strategy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stance {
    /// The strategy.
    pub strategy: Strategy,
    /// In which regime; `None` for any.
    pub regime: Option<Regime>,
    /// From −1, to be left alone, to 1, to be sought.
    pub strength: f64,
}

/// What a model said of a batch beside its findings: what a dream otherwise works out by formula, or not at all.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BatchAnswers {
    /// Episodes to be kept as they are.
    pub keep: Vec<EpisodeId>,
    /// Episodes to be let go.
    pub forget: Vec<EpisodeId>,
    /// Pairs of episodes that contradict each other; `None` where it wasn't asked.
    pub contradictory: Option<Vec<(EpisodeId, EpisodeId)>>,
    /// The decision that an outcome turned on, by episode.
    pub turned_on: Vec<(EpisodeId, StepKind)>,
    /// What to guard against, going by what would have spoilt the episodes.
    pub guards: Vec<Pattern>,
}

/// A model's answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// To [`Task::Dissolve`]: the fragment, if it came to one before it was cut off.
    Fragment(Option<Fragment>),
    /// To [`Task::Observe`]: the score of each fragment, in order.
    Observed(Vec<f64>),
    /// To [`Task::FindPatterns`].
    Patterns {
        /// Which batch was read.
        batch: u32,
        /// What was found, strongest evidence first.
        patterns: Vec<Pattern>,
        /// What else it was asked. The simulated model leaves it to formulas.
        answers: Box<BatchAnswers>,
    },
    /// To [`Task::Anticipate`].
    Anticipated {
        /// What to do in what may come.
        responses: Vec<Pattern>,
        /// What to guard against in the worst that may.
        guards: Vec<Pattern>,
    },
    /// To [`Task::Counterfactual`].
    Lesson {
        /// The episode in question.
        episode: EpisodeId,
        /// The way not taken.
        branch: Branch,
        /// What it would have made, in R.
        outcome_r: f64,
        /// The lesson, if there is one.
        lesson: Option<Pattern>,
        /// How sure the model is, 0 to 1.
        confidence: f64,
    },
    /// To [`Task::Imagine`].
    Imagined {
        /// How it departed from experience.
        mode: CreativeMode,
        /// What might be tried.
        ideas: Vec<Pattern>,
    },
    /// To [`Task::Threaten`].
    Threat {
        /// The threat.
        kind: ThreatKind,
        /// What it would cost, in R, if that can be told.
        loss_r: Option<f64>,
        /// What guards against it, if anything was found.
        guard: Option<Pattern>,
    },
    /// To [`Task::Reappraise`]: the episodes in which fact and feeling could be told apart.
    Reappraised(Vec<EpisodeId>),
    /// To [`Task::Consolidate`]: one conclusion a subject, strongest first.
    Consolidated(Vec<Pattern>),
    /// To [`Task::Recrystallise`].
    KeptInMind(Option<Claim>),
    /// To [`Task::Read`]: the surest first.
    Stances(Vec<Stance>),
    /// To [`Task::Appraise`].
    Appraised {
        /// The feeling.
        pad: Pad,
        /// How strongly it is felt, 0 to 1.
        intensity: f64,
    },
    /// To [`Task::Reflect`]: the place of each theme that something was made of, and what trades of its kind are worth, in R.
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

    /// Takes the last thing out of the reply. Whether there was one.
    pub(super) fn shorten(&mut self) -> bool {
        match self {
            Self::Fragment(fragment) => fragment.take().is_some(),
            Self::Observed(scores) => scores.pop().is_some(),
            Self::Patterns { patterns, .. }
            | Self::Anticipated { responses: patterns, .. }
            | Self::Consolidated(patterns)
            | Self::Imagined { ideas: patterns, .. } => patterns.pop().is_some(),
            Self::Lesson { lesson, .. } => lesson.take().is_some(),
            Self::Threat { guard, .. } => guard.take().is_some(),
            Self::Reappraised(episodes) => episodes.pop().is_some(),
            Self::KeptInMind(claim) => claim.take().is_some(),
            Self::Stances(stances) => stances.pop().is_some(),
            Self::Appraised { .. } => false,
            Self::Reflected(themes) => themes.pop().is_some(),
        }
    }
}

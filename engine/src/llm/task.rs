//! What a golem asks of a model, and what it gets. A task carries everything the answer may be drawn from.

use crate::base::EpisodeId;
use crate::episode::{Claim, Context, Episode};
use crate::market::Strategy;
use serde::{Deserialize, Serialize};

/// What a model is shown of an episode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpisodeBrief {
    /// Which episode.
    pub id: EpisodeId,
    /// The strategy that was followed.
    pub strategy: Strategy,
    /// The circumstances.
    pub context: Context,
    /// What was expected, in R.
    pub expected_r: f64,
    /// What came of it, in R.
    pub realised_r: f64,
    /// What the best other strategy would have made beyond that, in R.
    pub regret: f64,
    /// That strategy.
    pub better_strategy: Option<Strategy>,
}

impl From<&Episode> for EpisodeBrief {
    fn from(episode: &Episode) -> Self {
        Self {
            id: episode.id,
            strategy: episode.strategy,
            context: episode.context,
            expected_r: episode.expected_r,
            realised_r: episode.realised_r,
            regret: episode.regret,
            better_strategy: episode.better_strategy,
        }
    }
}

/// A question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// Which strategies pay in which circumstances, going by these episodes?
    FindPatterns {
        /// The replay batch.
        episodes: Vec<EpisodeBrief>,
    },
    /// What should have been done instead?
    Counterfactual {
        /// The decision in question.
        episode: EpisodeBrief,
    },
    /// Which of these conclusions belong together, and which are worth testing?
    Consolidate {
        /// Conclusions of one dream.
        patterns: Vec<Pattern>,
    },
}

impl Task {
    /// Its name in logs and tables.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::FindPatterns { .. } => "find_patterns",
            Self::Counterfactual { .. } => "counterfactual",
            Self::Consolidate { .. } => "consolidate",
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

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// To [`Task::FindPatterns`]: strongest evidence first.
    Patterns(Vec<Pattern>),
    /// To [`Task::Counterfactual`]: the lesson, if there is one.
    Lesson(Option<Pattern>),
    /// To [`Task::Consolidate`]: one conclusion a subject, strongest first.
    Consolidated(Vec<Pattern>),
}

impl Reply {
    /// The name of the task it answers.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Patterns(_) => "find_patterns",
            Self::Lesson(_) => "counterfactual",
            Self::Consolidated(_) => "consolidate",
        }
    }
}

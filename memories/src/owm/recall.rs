//! Outcome-weighted recall (digest section 4): the score of every candidate with its factors, and the ranking. It is memory retrieval by a
//! product of factors (top-k ranking). Factors are multiplied, so that one that is near 0 can't be outweighed. `recall` scores any
//! candidates exactly, for callers with a list of their own; `recall_shelf` gives the same ranking for a shelf by its columns and is what
//! `Mind::recall` uses. Neither counts a recall: the caller does by `Mind::recalled`. Weights of good periods (`super::sharpe`, off by
//! default) are applied afterwards by `Mind::recall`.

use super::context::ContextVector;
use super::episodic::{EpisodicMemory, Shelf};
use super::score::{Mood, Outcomes, ScoreConfig, age_days, confidence_factor};
use serde::{Deserialize, Serialize};

/// A query of recall: the present to which memories are compared (retrieval query).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query {
    /// The present moment, in seconds.
    pub now_s: f64,
    /// The present context.
    pub context: ContextVector,
    /// The affective state.
    pub mood: Mood,
}

/// The factors of a recall score, Q, Sim, Rec, Conf and Aff, for an explanation of the ranking.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Components {
    /// Quality of the outcome, 0 to 1.
    #[serde(rename = "Q")]
    pub quality: f64,
    /// Similarity of the contexts, 0 to 1.
    #[serde(rename = "Sim")]
    pub similarity: f64,
    /// Recency, 0 to 1.
    #[serde(rename = "Rec")]
    pub recency: f64,
    /// Confidence factor, ½ to 1.
    #[serde(rename = "Conf")]
    pub confidence: f64,
    /// Affect factor; 0.94 to 1.15 by the default keys.
    #[serde(rename = "Aff")]
    pub affect: f64,
}

impl Components {
    /// The product Q · Sim · Rec · Conf · Aff (the retrieval score).
    pub fn score(&self) -> f64 {
        self.quality * self.similarity * self.recency * self.confidence * self.affect
    }

    /// The score without the similarity, as for equal contexts.
    pub fn without_likeness(&self) -> f64 {
        self.quality * self.recency * self.confidence * self.affect
    }
}

/// The source of a candidate's quality, by its type of memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Worth<'a> {
    /// An episode: its outcome in R, `None` if it is unknown.
    Episodic(Option<f64>),
    /// A belief: its confidence.
    Semantic,
    /// A plan: its priority, and the outcomes of the episodes that it follows from.
    Prospective {
        /// Priority of the plan, 0 to 1.
        priority: f64,
        /// Outcomes of its episodes in R, `None` where unknown.
        sources: &'a [Option<f64>],
    },
}

/// A candidate for retrieval, i.e. a memory that could be recalled: what scoring reads of an episode, a belief or a plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate<'a> {
    /// The source of its quality.
    pub worth: Worth<'a>,
    /// The moment at which it was made, in seconds; `None` if it is unknown.
    pub made_s: Option<f64>,
    /// Confidence in it, 0 to 1; `None` if it is unknown.
    pub confidence: Option<f64>,
    /// The context in which it was made, or which is typical of it.
    pub context: ContextVector,
}

impl<'a> From<&'a EpisodicMemory> for Candidate<'a> {
    fn from(memory: &'a EpisodicMemory) -> Self {
        Self {
            worth: Worth::Episodic(memory.pnl_r),
            made_s: memory.made_s,
            confidence: memory.confidence,
            context: memory.context,
        }
    }
}

impl Candidate<'_> {
    /// The outcome of an episode in R (R-multiple); `None` for other memories and unknown outcomes.
    pub const fn pnl_r(&self) -> Option<f64> {
        match self.worth {
            Worth::Episodic(pnl_r) => pnl_r,
            Worth::Semantic | Worth::Prospective { .. } => None,
        }
    }

    /// Computes the factors (components) of its score.
    pub fn components(&self, query: &Query, sigma_r: f64, config: &ScoreConfig) -> Components {
        let age = age_days(self.made_s, query.now_s);
        let (quality, recency) = match self.worth {
            Worth::Episodic(pnl_r) => (config.outcome_quality(pnl_r, sigma_r), config.episodic_recency(age)),
            Worth::Semantic => {
                (self.confidence.unwrap_or(super::score::USUAL_CONFIDENCE), config.semantic_recency(age))
            }
            Worth::Prospective { priority, sources } => {
                (config.plan_quality(priority, sources, sigma_r), config.semantic_recency(age))
            }
        };
        Components {
            quality,
            similarity: config.similarity.similarity(&self.context, &query.context),
            recency,
            confidence: confidence_factor(self.confidence),
            affect: config.affect_factor(self.pnl_r(), &query.mood),
        }
    }
}

/// A recalled candidate: its index, score and factors (a search hit).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recalled {
    /// Its index among the candidates.
    pub place: usize,
    /// Its score: 0 to 1.15 by the default keys. It may exceed 1, because the affect factor may.
    pub score: f64,
    /// The factors of the score.
    pub components: Components,
}

/// Scores every candidate and returns the best `limit`, best first; equal scores keep the candidates' order (top-k retrieval).
pub fn recall(
    candidates: &[Candidate<'_>],
    query: &Query,
    config: &ScoreConfig,
    limit: usize,
) -> Vec<Recalled> {
    let pnl_r: Vec<f64> = candidates.iter().map(|candidate| candidate.pnl_r().unwrap_or(0.0)).collect();
    let known: Vec<bool> = candidates.iter().map(|candidate| candidate.pnl_r().is_some()).collect();
    let sigma_r = config.spread.sigma_r(Outcomes { pnl_r: &pnl_r, known: &known });
    let score = |(place, candidate): (usize, &Candidate<'_>)| {
        let components = candidate.components(query, sigma_r, config);
        Recalled { place, score: components.score(), components }
    };
    let mut scored: Vec<Recalled> = candidates.iter().enumerate().map(score).collect();
    rank(&mut scored, limit);
    scored
}

/// Recalls the best `limit` of a shelf's `newest` newest memories, best first, by index on the shelf (top-k retrieval). The result is that
/// of [`recall`] on these memories with the same spread, but the columns leave most memories unscored. `sigma_r` is the spread of outcomes
/// in R, above 0; the caller computes it over all shelves that it asks.
pub fn recall_shelf(
    shelf: &Shelf,
    newest: usize,
    query: &Query,
    sigma_r: f64,
    config: &ScoreConfig,
    limit: usize,
) -> Vec<Recalled> {
    let from = shelf.records().len().saturating_sub(newest);
    let places = shelf.columns().contenders(from, query, sigma_r, limit, config);
    let score = |place: u32| {
        let place = place as usize;
        let components = Candidate::from(&shelf.records()[place]).components(query, sigma_r, config);
        Recalled { place, score: components.score(), components }
    };
    let mut scored: Vec<Recalled> = places.into_iter().map(score).collect();
    rank(&mut scored, limit);
    scored
}

/// Sorts by falling score, stably, and keeps the first `limit`.
pub(super) fn rank(scored: &mut Vec<Recalled>, limit: usize) {
    scored.sort_by(|a, b| b.score.total_cmp(&a.score));
    scored.truncate(limit);
}

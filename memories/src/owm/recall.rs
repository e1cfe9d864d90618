//! Outcome-weighted recall (digest section 4): every candidate's score with its factors, and the ranking.

use super::context::ContextVector;
use super::episodic::{EpisodicMemory, Shelf};
use super::score::{Mood, Outcomes, ScoreConfig, age_days, confidence_factor};
use serde::{Deserialize, Serialize};

/// What recall is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query {
    /// Now, in seconds.
    pub now_s: f64,
    /// The circumstances now.
    pub context: ContextVector,
    /// The state of mind.
    pub mood: Mood,
}

/// The factors of a score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Components {
    /// How good its outcome was, 0 to 1.
    #[serde(rename = "Q")]
    pub quality: f64,
    /// How alike the circumstances are, 0 to 1.
    #[serde(rename = "Sim")]
    pub similarity: f64,
    /// How fresh it is, 0 to 1.
    #[serde(rename = "Rec")]
    pub recency: f64,
    /// Trust in it, ½ to 1.
    #[serde(rename = "Conf")]
    pub confidence: f64,
    /// What the state of mind makes of it.
    #[serde(rename = "Aff")]
    pub affect: f64,
}

impl Components {
    /// Q · Sim · Rec · Conf · Aff.
    pub fn score(&self) -> f64 {
        self.quality * self.similarity * self.recency * self.confidence * self.affect
    }

    /// The score if the circumstances were the same.
    pub fn without_likeness(&self) -> f64 {
        self.quality * self.recency * self.confidence * self.affect
    }
}

/// What a candidate's quality follows from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Worth<'a> {
    /// An episode: its outcome in R, if known.
    Episodic(Option<f64>),
    /// A belief: its confidence.
    Semantic,
    /// A plan: its priority, and the outcomes of the episodes it comes from.
    Prospective {
        /// Its priority, 0 to 1.
        priority: f64,
        /// Outcomes of its sources in R, where known.
        sources: &'a [Option<f64>],
    },
}

/// Something that could be recalled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate<'a> {
    /// What its quality follows from.
    pub worth: Worth<'a>,
    /// When it was made, in seconds; `None` if that can't be told.
    pub made_s: Option<f64>,
    /// Trust in it, 0 to 1, if known.
    pub confidence: Option<f64>,
    /// The circumstances it was made in, or is typical for.
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
    /// Its outcome, if it is an episode that has one.
    pub const fn pnl_r(&self) -> Option<f64> {
        match self.worth {
            Worth::Episodic(pnl_r) => pnl_r,
            Worth::Semantic | Worth::Prospective { .. } => None,
        }
    }

    /// Every factor of its score.
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

/// A recalled candidate, by its place among those offered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recalled {
    /// Its place among those offered, from 0.
    pub place: usize,
    /// Its score: 0 to 1.15 by the usual keys; the affect factor may be above 1.
    pub score: f64,
    /// The factors that the score is the product of.
    pub components: Components,
}

/// Scores every candidate and returns the best, best first; equal scores keep the candidates' order.
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

/// The best of a shelf's newest so many, best first, by place on the shelf: the same as [`recall`] of them, found by the columns.
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

/// Sorts by falling score, equal ones as they were, and keeps the first.
pub(super) fn rank(scored: &mut Vec<Recalled>, limit: usize) {
    scored.sort_by(|a, b| b.score.total_cmp(&a.score));
    scored.truncate(limit);
}

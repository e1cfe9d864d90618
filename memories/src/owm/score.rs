//! The factors of a recall score (retrieval score) and its hyperparameters: Score = Q · Sim · Rec · Conf · Aff. Results are R, ages are
//! days, confidence is a share. Q of an episode is a sigmoid of k·r/σ with k the key `sensitivity` (2 by default) and σ the spread of the
//! candidates' outcomes (root mean square, or a rolling standard deviation; dispersion over a rolling window). Q of a belief is its
//! confidence, of a plan its priority times the mean Q of its sources. Recency is a power law; Aff is 1 + α·x with α the key `affect` (.3
//! by default), or a retrieval bias (mood-congruent recall). A large loss thus scores near 0: recall favours what paid. Each factor stands
//! alone, so that an ablation can leave it out. The validation in the tools does so with k = 0, where all outcomes have the quality ½.

use super::similarity::SimilarityConfig;
use morta_base::keys;
use morta_base::math;
use morta_base::moments::population_deviation;
use serde::{Deserialize, Serialize};

/// The spread σ of R-multiples when it is unknown (the document's default). The original always uses it.
pub const USUAL_SPREAD_R: f64 = 1.5;
/// The least spread (the document's). Without it, outcomes that hardly differ would give a small gain the highest quality.
pub const LEAST_SPREAD_R: f64 = 0.5;
/// Confidence in a memory whose confidence is unknown (the document's default).
pub const USUAL_CONFIDENCE: f64 = 0.5;
/// Seconds in a day.
pub const DAY_S: f64 = 86_400.0;

/// Losses beyond this are favoured in a drawdown by the retrieval bias (the document's §2.4).
pub(super) const GREATEST_LOSS_R: f64 = -2.0;
/// Losses beyond this are favoured in a deep drawdown by the affect factor, as warnings (the document's §3.2).
pub(super) const GREAT_LOSS_R: f64 = -1.5;
/// Gains beyond this are favoured in a deep drawdown by the affect factor (the document's §3.2).
pub(super) const GREAT_GAIN_R: f64 = 2.0;

morta_base::words! {
    /// What outcomes are measured against (ruling C-1).
    pub enum SpreadPolicy: Key {
        /// The root mean square of the candidates' outcomes, at least 0.5; 1.5 if they have none.
        RmsCandidates = "rms_candidates",
        /// Always the same: `sigma_r`.
        Fixed = "fixed",
        /// The standard deviation (population) of the newest `trades` candidates' outcomes, at least 0.5; 1.5 when there are fewer
        /// than two.
        RollingSd = "rolling_sd",
    }
}

keys! {
    /// The spread of R-multiples that outcomes are measured against.
    #[derive(Copy)]
    pub struct SpreadConfig {
        /// Where it comes from.
        policy: SpreadPolicy = SpreadPolicy::RmsCandidates;
        /// The fixed spread in R; 0 is read as 1.5.
        sigma_r: f64 = USUAL_SPREAD_R, in 0.0..=1e6, "R";
        /// How many of the newest outcomes a rolling one is taken from.
        trades: u32 = 50, in 2..=100_000, "outcomes";
    }
}

/// The candidates' outcomes, oldest first: a value for each, and whether it is known (a validity mask for missing values). Unknown ones
/// must be 0, because the sum of squares doesn't test them.
#[derive(Clone, Copy, Debug)]
pub struct Outcomes<'a> {
    /// Outcomes in R.
    pub pnl_r: &'a [f64],
    /// Whether they are known.
    pub known: &'a [bool],
}

impl Outcomes<'_> {
    /// The sum of squares, in lanes of a fixed order, so that it can be vector code with the same bits everywhere.
    fn squares(&self) -> f64 {
        let mut sums = [0.0; LANES];
        let chunks = self.pnl_r.chunks_exact(LANES);
        let rest: f64 = chunks.remainder().iter().map(|r| r * r).sum();
        for chunk in chunks {
            for lane in 0..LANES {
                sums[lane] += chunk[lane] * chunk[lane];
            }
        }
        sums.iter().sum::<f64>() + rest
    }

    fn newest(&self, count: usize) -> Vec<f64> {
        let known = self.pnl_r.iter().zip(self.known).rev().filter(|(_, known)| **known);
        known.map(|(r, _)| *r).take(count).collect()
    }
}

/// Number of partial sums: the doubles in a 512-bit vector. Another number would change the last bits of σ.
const LANES: usize = 8;

impl SpreadConfig {
    /// The spread σ of the candidates' outcomes, in R (standard deviation).
    pub fn sigma_r(&self, outcomes: Outcomes<'_>) -> f64 {
        match self.policy {
            SpreadPolicy::Fixed if self.sigma_r > 0.0 => self.sigma_r,
            SpreadPolicy::Fixed => USUAL_SPREAD_R,
            SpreadPolicy::RmsCandidates => {
                let count = outcomes.known.iter().filter(|known| **known).count();
                if count == 0 {
                    return USUAL_SPREAD_R;
                }
                (outcomes.squares() / count as f64).sqrt().max(LEAST_SPREAD_R)
            }
            SpreadPolicy::RollingSd => {
                let newest = outcomes.newest(self.trades as usize);
                if newest.len() < 2 {
                    USUAL_SPREAD_R
                } else {
                    population_deviation(&newest).max(LEAST_SPREAD_R)
                }
            }
        }
    }
}

morta_base::words! {
    /// How the state of mind bends recall (C-9).
    pub enum AffectForm: Key {
        /// By what is relevant to it: 1 + affect · x.
        Relevance = "relevance",
        /// By the bias of the seed's section on affect: gains × 1.3 in a deep drawdown, losses beyond 2 R × 1.5 in a drawdown state
        /// above 0.3.
        RetrievalBias = "retrieval_bias",
    }
}

keys! {
    /// How memories are scored.
    pub struct ScoreConfig {
        /// How steeply a better outcome makes for a better memory.
        sensitivity: f64 = 2.0, in 0.0..=100.0, "factor";
        /// What outcomes are measured against.
        spread: SpreadConfig = SpreadConfig::default();
        /// Days after which an episode has begun to fade.
        episodic_tau_days: f64 = 30.0, in 0.001..=1e6, "days";
        /// How fast it fades from then on: an exponent.
        episodic_decay: f64 = 0.5, in 0.0..=10.0, "exponent";
        /// The same days for beliefs and plans.
        semantic_tau_days: f64 = 180.0, in 0.001..=1e6, "days";
        /// The same exponent for beliefs and plans.
        semantic_decay: f64 = 0.3, in 0.0..=10.0, "exponent";
        /// How much the state of mind bends recall.
        affect: f64 = 0.3, in 0.0..=1.0, "share";
        /// In which form it does.
        affect_form: AffectForm = AffectForm::Relevance;
        /// Likeness of circumstances.
        similarity: SimilarityConfig = SimilarityConfig::default();
    }
}

impl ScoreConfig {
    /// Quality of an outcome, in (0, 1): sigmoid(k·r/σ); ½ for an unknown outcome (C-4). A spread that isn't positive is replaced by 1.5.
    pub fn outcome_quality(&self, pnl_r: Option<f64>, sigma_r: f64) -> f64 {
        let sigma_r = if sigma_r > 0.0 { sigma_r } else { USUAL_SPREAD_R };
        pnl_r.map_or(0.5, |r| sigmoid(self.sensitivity * r / sigma_r))
    }

    /// Quality of a plan: its priority times the mean quality of its sources' outcomes; the mean is ½ without sources (our choice, because
    /// the document has no rule).
    pub fn plan_quality(&self, priority: f64, source_outcomes: &[Option<f64>], sigma_r: f64) -> f64 {
        if source_outcomes.is_empty() {
            return priority * 0.5;
        }
        let sum: f64 = source_outcomes.iter().map(|r| self.outcome_quality(*r, sigma_r)).sum();
        priority * sum / source_outcomes.len() as f64
    }

    /// Recency of an episode, in (0, 1]: (1 + age/τ)^(−d); ½ for an unknown age (power-law decay).
    pub fn episodic_recency(&self, age_days: Option<f64>) -> f64 {
        recency(age_days, self.episodic_tau_days, self.episodic_decay)
    }

    /// Recency of a belief since its last update, or of a plan since its making (C-7; power-law decay).
    pub fn semantic_recency(&self, age_days: Option<f64>) -> f64 {
        recency(age_days, self.semantic_tau_days, self.semantic_decay)
    }

    /// The affect factor 1 + α·x (mood-congruent retrieval). In a deep drawdown x is 0.5 for great losses and 0.3 for great gains. Otherwise, in a
    /// losing streak, x is 0.3 for gains and −0.2 for all else, an outcome of 0 or none included (digest section 4; C-5).
    pub fn affect_factor(&self, pnl_r: Option<f64>, mood: &Mood) -> f64 {
        if self.affect_form == AffectForm::RetrievalBias {
            return retrieval_bias(pnl_r, mood.drawdown_state);
        }
        let relevance = if mood.in_drawdown() {
            match pnl_r {
                Some(r) if r < GREAT_LOSS_R => 0.5,
                Some(r) if r > GREAT_GAIN_R => 0.3,
                _ => 0.0,
            }
        } else if mood.in_streak() {
            if pnl_r.is_some_and(|r| r > 0.0) { 0.3 } else { -0.2 }
        } else {
            0.0
        };
        1.0 + self.affect * relevance
    }
}

/// The part of the affective state that recall uses: drawdown and losing streak (mood-congruent recall). The `owm` tools also read it from
/// the JSON of a question to recall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Mood {
    /// Drawdown as a share of the largest tolerated one, 0 to 1.
    pub drawdown_state: f64,
    /// Losses in a row.
    pub consecutive_losses: u32,
}

impl Mood {
    /// Whether the drawdown is deep: strictly above half of the tolerated one.
    pub fn in_drawdown(&self) -> bool {
        self.drawdown_state > 0.5
    }

    /// Whether there is a losing streak: three losses or more.
    pub const fn in_streak(&self) -> bool {
        self.consecutive_losses >= 3
    }
}

/// The confidence factor, ½ to 1: ½ + ½·confidence; an unknown confidence counts as ½.
pub fn confidence_factor(confidence: Option<f64>) -> f64 {
    0.5 + 0.5 * confidence.unwrap_or(USUAL_CONFIDENCE).clamp(0.0, 1.0)
}

/// The retrieval bias of the document's §2.4: 1.3 for gains in a deep drawdown, 1.5 for losses beyond 2 R in a drawdown state above 0.3, 1
/// otherwise. It competes with the affect factor, which is the default (C-9); kept as an ablation.
pub fn retrieval_bias(pnl_r: Option<f64>, drawdown_state: f64) -> f64 {
    match pnl_r {
        Some(r) if r > 0.0 && drawdown_state > 0.5 => 1.3,
        Some(r) if r < GREATEST_LOSS_R && drawdown_state > 0.3 => 1.5,
        _ => 1.0,
    }
}

/// The logistic function (sigmoid) 1/(1 + e^(−x)). It branches on the sign, so that e never has a large positive exponent and can't
/// overflow.
pub fn sigmoid(x: f64) -> f64 {
    if x < 0.0 {
        let power = math::exp(x);
        power / (1.0 + power)
    } else {
        1.0 / (1.0 + math::exp(-x))
    }
}

/// Age in days at a moment, with fractions and at least 0 (C-6); `None` for a memory without a moment (elapsed days).
pub fn age_days(made_s: Option<f64>, now_s: f64) -> Option<f64> {
    made_s.map(|made| ((now_s - made) / DAY_S).max(0.0))
}

fn recency(age_days: Option<f64>, tau_days: f64, decay: f64) -> f64 {
    age_days.map_or(0.5, |age| math::pow(1.0 + age.max(0.0) / tau_days, -decay))
}

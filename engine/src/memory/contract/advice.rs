//! Advice of a memory on a candidate: an action-value estimate with confidence, position sizing and attribution.
//!
//! Expected results are in R net of costs, confidence runs from 0 to 1, sizes are factors on the usual size, durations are in ticks. The
//! golem decides: it takes off the value of time, compares the rest with its gate, and draws among those that pass. A veto closes the gate,
//! but a golem that explores may still take any candidate. Confidence matters only to the gate's tier of thought and to the action score of
//! affect. A memory may keep every voice besides the sum (`heard`), so that a decision can be recomputed without one of them (leave-one-out
//! influence); oracles and other bounds keep none.

use super::{Candidate, Voice, VoiceSource};
use serde::{Deserialize, Serialize};

/// Memory's recommendation on a candidate: an action-value estimate (expected return and size) with its attribution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Advice {
    /// Expected result, in R net of costs.
    pub expected_r: f64,
    /// Confidence, 0 to 1.
    pub confidence: f64,
    /// Factor on the usual size of the position.
    pub size_multiplier: f64,
    /// Whether the candidate is forbidden. It fails the gate then; exploration still may take it.
    pub veto: bool,
    /// Ticks that the position is expected to be held, where memory knows; without it the golem's own experience holds.
    pub held_ticks: Option<f64>,
    /// Outlooks for the gate and the choice, where they differ from the expectation above: for memories of a single skill, which
    /// bound the worth of each.
    pub split: Option<Split>,
    /// The loudest voices, loudest first.
    pub why: Vec<Voice>,
    /// Every voice, in order. The advice without one of them follows from it.
    pub heard: Vec<Voice>,
    /// Tokens that were read for it, where memory has a budget of them; a golem that pays for thinking pays for them.
    #[serde(default)]
    pub read_tokens: u32,
}

/// A value estimate with its horizon: the expected return of a candidate, and its duration (holding time).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outlook {
    /// Expected result, in R net of costs.
    pub expected_r: f64,
    /// Ticks that it is expected to be held; the golem's own experience where there are none.
    pub held_ticks: Option<f64>,
}

impl Outlook {
    /// Beyond any gate that a scenario may set, and any value that time may have: for `random`, which never stays out, and for the
    /// candidates on the list of `constant`.
    pub(crate) const ALWAYS: Self = Self { expected_r: 1e9, held_ticks: Some(0.0) };
}

/// Separate estimates for the gate, which accepts or rejects, and for the choice, which ranks: they decouple acceptance from ranking.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Split {
    /// Decides whether the candidate is worth taking at all.
    pub gate: Outlook,
    /// Decides among those that are.
    pub choice: Outlook,
}

impl Advice {
    /// Most voices that are named. Our choice: they stand in every event of a decision.
    pub(crate) const MAX_VOICES: usize = 5;

    /// The outlook for the gate: the estimate that decides whether to trade at all (accept or reject).
    pub fn gate(&self) -> Outlook {
        self.split.map_or(self.outlook(), |split| split.gate)
    }

    /// The outlook for the choice: the action value by which candidates that pass the gate are ranked.
    pub fn choice(&self) -> Outlook {
        self.split.map_or(self.outlook(), |split| split.choice)
    }

    fn outlook(&self) -> Outlook {
        Outlook { expected_r: self.expected_r, held_ticks: self.held_ticks }
    }

    /// The recommendation without any memory (baseline): the candidate's prior, at confidence 0 and the usual size.
    pub fn prior(candidate: &Candidate) -> Self {
        Self {
            expected_r: candidate.prior_r,
            confidence: 0.0,
            size_multiplier: 1.0,
            veto: false,
            held_ticks: None,
            split: None,
            why: Vec::new(),
            heard: Vec::new(),
            read_tokens: 0,
        }
    }

    /// Takes the mean of the prior, counted as `prior_weight` outcomes (above 0), and of `count` outcomes of the sum `sum_r`, in R.
    /// Confidence is the share of real outcomes. It is a shrinkage estimator (Bayesian average with pseudo-counts), and leaves the size
    /// alone.
    pub fn mean(candidate: &Candidate, prior_weight: f64, (count, sum_r): (u32, f64)) -> Self {
        let weight = prior_weight + f64::from(count);
        let expected_r = (prior_weight * candidate.prior_r + sum_r) / weight;
        Self { expected_r, confidence: f64::from(count) / weight, ..Self::prior(candidate) }
    }

    /// Weights the prior and the voices to their mean, by their weights (a normalised weighted average). Confidence is the voices' share of
    /// all weight; nothing is vetoed and no voice is named. Voices about size expect nothing, and only scale the position.
    pub fn balanced<'a>(
        candidate: &Candidate,
        prior_weight: f64,
        voices: impl Iterator<Item = &'a Voice> + Clone,
    ) -> Self {
        let about_worth = voices.clone().filter(|voice| !voice.source.is_about_size());
        let voices_weight: f64 = about_worth.clone().map(|voice| voice.weight).sum();
        let weighted_r: f64 = about_worth.map(|voice| voice.weight * voice.expected_r).sum();
        let total = prior_weight + voices_weight;
        let share = |part: f64, of_none: f64| if total > 0.0 { part / total } else { of_none };
        let expected_r = share(prior_weight * candidate.prior_r + weighted_r, candidate.prior_r);
        Self::expecting(candidate, expected_r, share(voices_weight, 0.0), voices)
    }

    /// Makes advice from an expectation in R and a confidence, 0 to 1, wherever they are from. The position grows with the expectation:
    /// 0.75 + R, within 0.5 and 1.5, times the factor of voices about its size. (Our choice: .25 R, the least effect that a claim is
    /// confirmed by, is the usual size, and no memory can stake more than half as much again.) Nothing is vetoed and no voice is named.
    /// Position size is linear in the expected return, for memories without one of their own.
    pub fn expecting<'a>(
        candidate: &Candidate,
        expected_r: f64,
        confidence: f64,
        voices: impl Iterator<Item = &'a Voice> + Clone,
    ) -> Self {
        let size = Self::size_by_voices(voices);
        let size_multiplier = (0.75 + expected_r).clamp(0.5, 1.5) * size;
        Self { expected_r, confidence, size_multiplier, ..Self::prior(candidate) }
    }

    /// The product of the sizing factors of voices: the share that guards leave, times the multiples of stakes, bounded to a quarter and
    /// four times (so that several stakes don't multiply into ruin); 1 without any.
    pub(crate) fn size_by_voices<'a>(voices: impl Iterator<Item = &'a Voice> + Clone) -> f64 {
        let guards = voices.clone().filter(|voice| voice.source.is_guard());
        let left: f64 = guards.map(|guard| 1.0 - guard.weight.clamp(0.0, 1.0)).product();
        let stakes = voices.filter(|voice| matches!(voice.source, VoiceSource::Stake(_)));
        let asked: f64 = stakes.map(|stake| stake.weight).product();
        left * asked.clamp(0.25, 4.0)
    }

    /// Selects the voices to name (top-k attribution): the loudest voices, loudest first, as many as are named; then all voices about size,
    /// because their weight is of another kind.
    pub fn loudest(voices: impl IntoIterator<Item = Voice>) -> Vec<Voice> {
        let (about_size, mut loudest): (Vec<Voice>, Vec<Voice>) =
            voices.into_iter().partition(|voice| voice.source.is_about_size());
        loudest.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        loudest.truncate(Self::MAX_VOICES);
        loudest.extend(about_size);
        loudest
    }

    /// Gives the advice all its voices (attribution), in order.
    pub(crate) fn with_voices(self, voices: Vec<Voice>) -> Self {
        Self { heard: voices, ..self }
    }

    /// Leaves one item out (ablation): iterates over all voices but those of one item.
    pub fn others(&self, silent: VoiceSource) -> impl Iterator<Item = &Voice> + Clone {
        self.heard.iter().filter(move |voice| voice.source.item() != silent.item())
    }
}

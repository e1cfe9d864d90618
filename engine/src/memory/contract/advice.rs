//! What a memory says of something that could be done.

use super::{Candidate, Voice, VoiceSource};
use serde::{Deserialize, Serialize};

/// What memory says of a candidate, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Advice {
    /// Expected result, in R net of costs.
    pub expected_r: f64,
    /// How sure it is, 0 to 1.
    pub confidence: f64,
    /// How much larger or smaller than usual the position should be.
    pub size_multiplier: f64,
    /// Whether it must not be done.
    pub veto: bool,
    /// How many ticks a position is expected to be held, where memory knows; left to the golem's own experience where it doesn't.
    pub held_ticks: Option<f64>,
    /// What the gate and the choice go by, where that is something else than the expectation above: for memories of one skill only, which
    /// bound what each is worth.
    pub split: Option<Split>,
    /// The loudest voices, loudest first.
    pub why: Vec<Voice>,
    /// Every voice that had a say, in the order it was heard in: what the advice would have been without one of them follows from
    /// it.
    pub heard: Vec<Voice>,
    /// Tokens that were read for it, where memory has a budget of them; paid for by a golem that pays for thinking.
    #[serde(default)]
    pub read_tokens: u32,
}

/// What a candidate promises, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outlook {
    /// Expected result, in R net of costs.
    pub expected_r: f64,
    /// Ticks it is expected to be held; the golem's own experience where there are none.
    pub held_ticks: Option<f64>,
}

impl Outlook {
    /// Beyond any gate a scenario may set, and any value that time may have: for lower bounds, which never stay out of what they take.
    pub const ALWAYS: Self = Self { expected_r: 1e9, held_ticks: Some(0.0) };
}

/// Gate and choice that go by different outlooks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Split {
    /// By which it is decided whether a candidate is worth taking at all.
    pub gate: Outlook,
    /// By which it is chosen among those that are.
    pub choice: Outlook,
}

impl Advice {
    /// Most voices that are named.
    pub const MAX_VOICES: usize = 5;

    /// What the gate goes by.
    pub fn gate(&self) -> Outlook {
        self.split.map_or(self.outlook(), |split| split.gate)
    }

    /// What the choice goes by.
    pub fn choice(&self) -> Outlook {
        self.split.map_or(self.outlook(), |split| split.choice)
    }

    fn outlook(&self) -> Outlook {
        Outlook { expected_r: self.expected_r, held_ticks: self.held_ticks }
    }

    /// The advice of somebody who remembers nothing.
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

    /// The mean of the prior, as so many outcomes (above 0), and of `count` outcomes that came to `sum_r` together, in R: the more of them
    /// there are, the surer.
    pub fn mean(candidate: &Candidate, prior_weight: f64, (count, sum_r): (u32, f64)) -> Self {
        let weight = prior_weight + f64::from(count);
        let expected_r = (prior_weight * candidate.prior_r + sum_r) / weight;
        Self { expected_r, confidence: f64::from(count) / weight, ..Self::prior(candidate) }
    }

    /// The prior and what voices expect, each by its weight: the more of the weight is the voices', the surer; nothing is vetoed and
    /// nobody named. Guards and stakes expect nothing, and speak of the size.
    pub fn balanced<'a>(
        candidate: &Candidate,
        prior_weight: f64,
        voices: impl Iterator<Item = &'a Voice> + Clone,
    ) -> Self {
        let about_worth = voices.clone().filter(|voice| !voice.source.is_about_size());
        let heard: f64 = about_worth.clone().map(|voice| voice.weight).sum();
        let said: f64 = about_worth.map(|voice| voice.weight * voice.expected_r).sum();
        let total = prior_weight + heard;
        let share = |part: f64, of_none: f64| if total > 0.0 { part / total } else { of_none };
        let expected_r = share(prior_weight * candidate.prior_r + said, candidate.prior_r);
        Self::expecting(candidate, expected_r, share(heard, 0.0), voices)
    }

    /// An expectation in R and how sure it is, 0 to 1, wherever they come from: the larger the expectation, the larger the position, as far as
    /// voices about its size leave it. Nothing is vetoed and nobody named.
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

    /// What is left of the usual size by guards, times what rules about it ask for, between a quarter and four times; 1 without any.
    pub fn size_by_voices<'a>(voices: impl Iterator<Item = &'a Voice> + Clone) -> f64 {
        let guards = voices.clone().filter(|voice| voice.source.is_guard());
        let left: f64 = guards.map(|guard| 1.0 - guard.weight.clamp(0.0, 1.0)).product();
        let stakes = voices.filter(|voice| matches!(voice.source, VoiceSource::Stake(_)));
        let asked: f64 = stakes.map(|stake| stake.weight).product();
        left * asked.clamp(0.25, 4.0)
    }

    /// The loudest voices, loudest first, as many as are named; then those about the size, who are always named, because their weight is of
    /// another kind.
    pub fn loudest(voices: impl IntoIterator<Item = Voice>) -> Vec<Voice> {
        let (about_size, mut loudest): (Vec<Voice>, Vec<Voice>) =
            voices.into_iter().partition(|voice| voice.source.is_about_size());
        loudest.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        loudest.truncate(Self::MAX_VOICES);
        loudest.extend(about_size);
        loudest
    }

    /// This advice, noting all voices that had a say in it, in the order they were heard in.
    pub fn having_heard(self, heard: Vec<Voice>) -> Self {
        Self { heard, ..self }
    }

    /// What the others said, without one item.
    pub fn others(&self, silent: VoiceSource) -> impl Iterator<Item = &Voice> + Clone {
        self.heard.iter().filter(move |voice| voice.source.item() != silent.item())
    }
}

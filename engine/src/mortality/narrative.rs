//! The narrative of a life (digest section 13, M06): its arc of pleasure, its turning points, and its landmarks.
//!
//! With e, m and l the mean pleasure of the first, middle and last third: Redemptive if e − m > .2 and l − m > .15, Contaminating if
//! m − e > .2 and m − l > .15, else Progressive if l − e > .2, Tragic if l − e < −.3, Stable otherwise and below ten samples. Pleasure runs
//! from −1 to 1, time is in ticks of the world, results of trades are in R. All three are written into the testament; a redemptive arc also
//! raises the trust that an heir has in the lessons of the legacy, where feelings are handed on with it. Where affect is off from birth the
//! mood is neutral, so the arc is Stable and no turning point is noted. The record is kept small and in constant memory, because every
//! golem of a large world has one. Sampling is by decimation, turning points are change points of the mood. Landmarks are milestones
//! (key moments) of an autobiographical memory.

use crate::daimon::Pad;
use morta_base::{Tick, moments};
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// The shape of a life (digest section 13, M06), a trajectory class of a time series of mood (story arc, life shape).
    #[derive(Default)]
    pub enum NarrativeArc {
        /// No marked change, or too short a life to tell.
        #[default]
        Stable = "stable",
        /// Better at the end than at the beginning.
        Progressive = "progressive",
        /// Worse at the end.
        Tragic = "tragic",
        /// Worse in the middle, better again at the end.
        Redemptive = "redemptive",
        /// Better in the middle, worse again at the end.
        Contaminating = "contaminating",
    }
}

impl NarrativeArc {
    /// Classifies the arc of a life felt like this, each sample a pleasure from −1 to 1: under ten samples Stable; a middle third more than
    /// .2 below the first from which the last rises by more than .15 Redemptive, the mirror image Contaminating; without either, by the
    /// change from the first third to the last: above .2 Progressive, below −.3 Tragic. Narrative arc classification of a mood time series
    /// by the mean of thirds (three segments), a trend classification.
    pub fn from_samples(samples: &[f32]) -> Self {
        if samples.len() < LEAST_SAMPLES {
            return Self::Stable;
        }
        let third = samples.len() / 3;
        let mean = |part: &[f32]| {
            moments::mean(part.iter().map(|v| f64::from(*v)))
                .expect("a third of ten samples or more has some")
        };
        let early = mean(&samples[..third]);
        let middle = mean(&samples[third..samples.len() - third]);
        let late = mean(&samples[samples.len() - third..]);
        if early - middle > DIP && late - middle > RISE {
            Self::Redemptive
        } else if middle - early > DIP && middle - late > RISE {
            Self::Contaminating
        } else if late - early > GAIN {
            Self::Progressive
        } else if late - early < -LOSS {
            Self::Tragic
        } else {
            Self::Stable
        }
    }
}

/// Fewest samples of a life that has an arc (digest section 13, M06, as the four limits below).
const LEAST_SAMPLES: usize = 10;
/// Fall of pleasure from the first third to the middle that makes a dip (or a rise that makes a peak).
const DIP: f64 = 0.2;
/// Rise from the middle to the last third that redeems a dip (or a fall that contaminates a peak).
const RISE: f64 = 0.15;
/// Rise from the first third to the last that makes progress.
const GAIN: f64 = 0.2;
/// Fall from the first third to the last that makes a tragedy.
const LOSS: f64 = 0.3;

/// A turning point (change point, mood swing) of a life: a moment when the mood had moved far from that of the last turning point, or from
/// neutral before the first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurningPoint {
    /// Tick in which it happened.
    pub tick: Tick,
    /// The mood then.
    pub mood: Pad,
    /// Distance of the two moods in PAD space, from .5 to √12, its diagonal.
    pub distance: f64,
}

/// Distance in PAD space that makes a turning point (digest section 13, M06).
const TURN: f64 = 0.5;
/// Most turning points (digest section 13); the farthest are kept.
const TURNS: usize = 5;
/// Most samples of pleasure. When there are more, every second one is dropped and only every second tick counts from then on, so that the thirds of a life of
/// unknown length are sampled evenly in bounded memory. Our choice; a third then has five to ten samples.
const SAMPLES: usize = 32;

/// The record of a life's moods, a downsampled time series with its change points: at most 32 samples of pleasure, evenly over the whole
/// life, and five turning points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Story {
    /// Samples of pleasure, −1 to 1, by age.
    pleasure: Vec<f32>,
    /// Ticks of age between two samples: a power of 2.
    stride: u64,
    /// The mood of the last turning point; neutral before the first.
    anchor: Pad,
    /// By time, at most `TURNS`.
    turns: Vec<TurningPoint>,
}

impl Default for Story {
    fn default() -> Self {
        Self { pleasure: Vec::new(), stride: 1, anchor: Pad::default(), turns: Vec::new() }
    }
}

impl Story {
    /// Takes in the mood of a tick, once in every tick of a life; `age` counts ticks from birth. Pleasure is downsampled by decimation, to
    /// every n-th value; a change point is noted by its distance in PAD space.
    pub fn note(&mut self, tick: Tick, age: Tick, mood: Pad) {
        if age.is_multiple_of(self.stride) {
            if self.pleasure.len() == SAMPLES {
                self.pleasure = self.pleasure.iter().copied().step_by(2).collect();
                self.stride *= 2;
            }
            if age.is_multiple_of(self.stride) {
                self.pleasure.push(mood.pleasure as f32);
            }
        }
        let distance = self.anchor.distance(mood);
        if distance > TURN {
            self.anchor = mood;
            self.turns.push(TurningPoint { tick, mood, distance });
            if self.turns.len() > TURNS {
                let least = (0..self.turns.len())
                    .min_by(|a, b| self.turns[*a].distance.total_cmp(&self.turns[*b].distance));
                self.turns.remove(least.expect("there are some"));
            }
        }
    }

    /// Classifies the narrative arc (shape) of the life so far by its samples.
    pub fn arc(&self) -> NarrativeArc {
        NarrativeArc::from_samples(&self.pleasure)
    }

    /// The turning points (change points), in the order of time: the five of the largest distance.
    pub fn turns(&self) -> &[TurningPoint] {
        &self.turns
    }
}

morta_base::words! {
    /// Moments that a review must not leave out, in the order of its report (digest section 13, M06). A life event type.
    pub enum Landmark {
        /// The first trade that was closed.
        FirstTrade = "first_trade",
        /// The trade that made most.
        BiggestProfit = "biggest_profit",
        /// The trade that lost most.
        BiggestLoss = "biggest_loss",
        /// The first time the price's next move was foreseen.
        FirstCorrectPrediction = "first_correct_prediction",
        /// The last prediction.
        LastPrediction = "last_prediction",
        /// The first change of regime it saw.
        FirstRegimeShift = "first_regime_shift",
        /// The first bloodstains that it drew; lessons of siblings don't count.
        FirstContact = "first_contact",
    }
}

/// A landmark with the tick in which it was passed: a dated life event, with its figure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LandmarkMoment {
    /// The landmark that was passed.
    pub landmark: Landmark,
    /// Tick in which it was passed.
    pub tick: Tick,
    /// R for trades, 1 or 0 for predictions that were right or wrong, the number of bloodstains drawn for the first contact, 1 for a
    /// change of regime.
    pub value: f64,
}

/// The landmarks (milestones) of a life: an optional slot for each kind of life event. The golem's clocks fill it in, the testament reads
/// it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Landmarks {
    /// By kind of landmark: the tick, and the figure of `LandmarkMoment`.
    moments: [Option<(Tick, f32)>; Landmark::ALL.len()],
}

impl Landmarks {
    /// Keeps the first of its kind. The earliest, first occurrence of a life event; later ones are ignored.
    pub fn first(&mut self, landmark: Landmark, tick: Tick, value: f64) {
        self.moments[landmark as usize].get_or_insert((tick, value as f32));
    }

    /// Keeps the last of its kind. Last occurrence of a life event: the most recent overwrites (last write wins).
    pub fn last(&mut self, landmark: Landmark, tick: Tick, value: f64) {
        self.moments[landmark as usize] = Some((tick, value as f32));
    }

    /// Keeps a trade's R if it is the first, or makes or loses the most so far: a running maximum and minimum, in R. Trades that are booked
    /// in one tick enter as one, with the sum of their R; those that close in sleep are booked together on waking.
    pub fn trade(&mut self, tick: Tick, r: f64) {
        self.first(Landmark::FirstTrade, tick, r);
        let r = r as f32;
        let best = &mut self.moments[Landmark::BiggestProfit as usize];
        if r > 0.0 && best.is_none_or(|(_, most)| r > most) {
            *best = Some((tick, r));
        }
        let worst = &mut self.moments[Landmark::BiggestLoss as usize];
        if r < 0.0 && worst.is_none_or(|(_, least)| r < least) {
            *worst = Some((tick, r));
        }
    }

    /// Lists the landmarks that were passed, in the order of their kinds, without those not reached.
    pub fn moments(&self) -> Vec<LandmarkMoment> {
        let moment = |landmark: Landmark| {
            let (tick, value) = self.moments[landmark as usize]?;
            Some(LandmarkMoment { landmark, tick, value: f64::from(value) })
        };
        Landmark::ALL.into_iter().filter_map(moment).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_stay_few_and_span_the_life() {
        let mut story = Story::default();
        for age in 0..10_000 {
            story.note(age, age, Pad::new(age as f64 / 10_000.0, 0.0, 0.0));
        }
        assert!((SAMPLES / 2..=SAMPLES).contains(&story.pleasure.len()), "{}", story.pleasure.len());
        assert_eq!(story.pleasure[0], 0.0);
        assert!(*story.pleasure.last().unwrap() > 0.93);
        assert_eq!(story.arc(), NarrativeArc::Progressive);
        // Two steps of just over one half from 0 to 1 would need more room than there is.
        assert_eq!(story.turns().len(), 1);
    }
}

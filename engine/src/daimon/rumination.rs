//! The rumination guard: arousing episodes come back at random, so that no single one is brooded over without end (digest section 10, A09).
//! Arousal runs from 0 to 1, waiting times are in ticks. Each kept episode comes back at most three times, with half of its first
//! intensity, and is then dropped. It moves the mood once more (not in mode `tick`) and nothing else: no replay, no evidence. It happens
//! awake only; a return that fell into sleep comes on the first waking tick. In psychology these are intrusive memories; relief comes by
//! bounded repetition. The guard spares golems endless brooding: memory reactivation (recurring thoughts) at a mean interval.

use crate::daimon::Appraisal;
use morta_base::keys;
use morta_base::{EpisodeId, Stream, Tick, math};
use serde::{Deserialize, Serialize};

keys! {
    /// The `[daimon.rumination]` table. Only the interval is in the specs.
    // Digest section 10, A09.
    pub struct RuminationConfig {
        /// Whether stirring episodes come back.
        enabled: bool = true;
        /// Mean ticks between two such memories.
        interval_ticks: u64 = 200, in 1..=1_000_000_000, "ticks";
    }
}

/// Least arousal of an episode that comes back. Our choice: where moods count as high (`dream.replay.mood.threshold`).
const LEAST_AROUSAL: f64 = 0.3;
/// How often the same episode may come back; then it is let go. Our choice, so that nothing is brooded over for ever.
const MOST_TIMES: u32 = 3;
/// How strongly it is felt again, as a share of what it was. Our choice: a memory is fainter than what happens.
const STRENGTH: f64 = 0.5;

/// Most episodes that wait to come back; the oldest go first. Our choice: at three times each and 200 ticks between, the queue reaches back some
/// 10,000 ticks.
const MAX_STIRRING: usize = 16;

/// The episodes that may come back, and the tick at which the next one does: a bounded queue of intrusive memories with a repetition limit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rumination {
    /// Those kept, oldest first; at most 16.
    stirring: Vec<Stirring>,
    /// The one that came back last.
    last: Option<EpisodeId>,
    /// The tick of the next return; none before the first was drawn.
    next_at: Option<Tick>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Stirring {
    episode: EpisodeId,
    /// The stronger of the feelings it had when its trade closed, at full intensity.
    felt: Appraisal,
    /// How often it has come back.
    times: u32,
}

impl Rumination {
    /// Keeps an episode if it was arousing enough. Enqueues, evicting the oldest when the bounded queue is full.
    pub fn keep(&mut self, episode: EpisodeId, felt: Appraisal, arousal: f64, config: &RuminationConfig) {
        if !config.enabled || arousal < LEAST_AROUSAL {
            return;
        }
        if self.stirring.len() == MAX_STIRRING {
            self.stirring.remove(0);
        }
        self.stirring.push(Stirring { episode, felt, times: 0 });
    }

    /// Whether an episode comes back in this tick, or the first time is yet to be drawn: a timer check that draws no luck.
    pub fn is_due(&self, now: Tick, config: &RuminationConfig) -> bool {
        config.enabled && self.next_at.is_none_or(|next| now >= next)
    }

    /// The episode that comes back, when it is due: any of those kept but the one before, which is only felt twice running when
    /// there is no other. Draws the time of the next: waiting times are geometric, so that a memory's return can't be foreseen. An
    /// intrusive memory; the waiting time follows a geometric distribution.
    pub fn relive(
        &mut self,
        now: Tick,
        stream: &mut Stream,
        config: &RuminationConfig,
    ) -> Option<(EpisodeId, Appraisal)> {
        let first = self.next_at.is_none();
        self.next_at = Some(now + waiting_time(stream.uniform(), config.interval_ticks));
        let pick = stream.uniform();
        let is_new = |stirring: &&Stirring| Some(stirring.episode) != self.last;
        let others = self.stirring.iter().filter(is_new).count();
        if first || self.stirring.is_empty() {
            return None;
        }
        let pool = if others > 0 { others } else { self.stirring.len() };
        let nth = ((pick * pool as f64) as usize).min(pool - 1);
        let last = self.last.filter(|_| others > 0);
        let index = (0..self.stirring.len()).filter(|&i| Some(self.stirring[i].episode) != last).nth(nth)?;
        let Stirring { episode, mut felt, times } = self.stirring[index];
        felt.intensity *= STRENGTH;
        self.last = Some(episode);
        if times + 1 >= MOST_TIMES {
            self.stirring.remove(index);
        } else {
            self.stirring[index].times += 1;
        }
        Some((episode, felt))
    }
}

/// Ticks until the next, at least 1, of a geometric law with this mean, from a uniform number in [0, 1).
fn waiting_time(uniform: f64, mean: u64) -> Tick {
    if mean <= 1 {
        return 1;
    }
    let chance = 1.0 / mean as f64;
    1 + (math::ln(1.0 - uniform) / math::ln(1.0 - chance)) as Tick
}

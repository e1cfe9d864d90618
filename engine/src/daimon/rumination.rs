//! The rumination guard: what stirred a golem comes back at random, so that no single memory can be brooded over without end
//! (digest section 10, A09).

use crate::daimon::Appraisal;
use morta_base::keys;
use morta_base::{EpisodeId, Stream, Tick, math};
use serde::{Deserialize, Serialize};

keys! {
    /// The `[daimon.rumination]` table. Only the interval is in the specs; the rest is proposed.
    pub struct RuminationConfig {
        /// Whether stirring episodes come back.
        enabled: bool = true;
        /// Mean ticks between two such memories.
        interval_ticks: u64 = 200, in 1..=1_000_000_000, "ticks";
        /// Least arousal of an episode that comes back.
        arousal_min: f64 = 0.3, in 0.0..=1.0, "arousal";
        /// How often the same episode may come back; then it is let go.
        times_max: u32 = 3, in 1..=1_000_000, "times";
        /// How strongly it is felt again, as a share of what it was.
        strength: f64 = 0.5, in 0.0..=1.0, "share";
    }
}

/// Most episodes that wait to come back; the oldest go first.
const MAX_STIRRING: usize = 16;

/// What stirred a golem, and when the next of it comes back.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rumination {
    stirring: Vec<Stirring>,
    last: Option<EpisodeId>,
    next_at: Option<Tick>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Stirring {
    episode: EpisodeId,
    felt: Appraisal,
    times: u32,
}

impl Rumination {
    /// Keeps an episode if it was stirring enough.
    pub fn keep(&mut self, episode: EpisodeId, felt: Appraisal, arousal: f64, config: &RuminationConfig) {
        if !config.enabled || arousal < config.arousal_min {
            return;
        }
        if self.stirring.len() == MAX_STIRRING {
            self.stirring.remove(0);
        }
        self.stirring.push(Stirring { episode, felt, times: 0 });
    }

    /// Whether something comes back in this tick, or it has yet to be settled when.
    pub fn is_due(&self, now: Tick, config: &RuminationConfig) -> bool {
        config.enabled && self.next_at.is_none_or(|next| now >= next)
    }

    /// What comes back, when it is due: any of the stirring episodes but the one before, which is only felt twice running when
    /// there is no other. Settles when the next does: waiting times are geometric.
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
        felt.intensity *= config.strength;
        self.last = Some(episode);
        if times + 1 >= config.times_max {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::daimon::{Happening, RuleTable, appraise};
    use morta_base::{GolemId, Purpose, WorldSeed};

    fn live(ticks: Tick, config: &RuminationConfig, episodes: u32) -> Vec<(Tick, u32)> {
        let golem = GolemId::founder(1);
        let mut rumination = Rumination::default();
        let felt = appraise(Happening::RegimeShifted, &RuleTable::default());
        for number in 0..episodes {
            rumination.keep(EpisodeId { golem, number }, felt, 0.4, config);
        }
        let mut relived = Vec::new();
        for now in 0..ticks {
            if rumination.is_due(now, config) {
                let mut stream = WorldSeed(5).golem(golem, Purpose::Rumination, now);
                relived.extend(
                    rumination.relive(now, &mut stream, config).map(|(episode, _)| (now, episode.number)),
                );
            }
        }
        relived
    }

    #[test]
    fn memories_come_back_about_every_two_hundred_ticks() {
        let config = RuminationConfig { times_max: 1_000_000, ..Default::default() };
        let relived = live(200_000, &config, 5);
        // A thousand expected; five standard deviations are 158.
        assert!((842..1_158).contains(&relived.len()), "{}", relived.len());
        assert!(relived.windows(2).all(|pair| pair[0].1 != pair[1].1), "never the same twice running");
        assert!((0..5).all(|number| relived.iter().any(|(_, found)| *found == number)));
    }

    #[test]
    fn nothing_is_brooded_over_for_ever() {
        let relived = live(20_000, &RuminationConfig::default(), 2);
        let times = |number| relived.iter().filter(|(_, found)| *found == number).count();
        assert_eq!((times(0), times(1)), (3, 3));
        assert!(live(20_000, &RuminationConfig { arousal_min: 0.5, ..Default::default() }, 2).is_empty());
    }

    #[test]
    fn it_is_felt_again_at_half_strength() {
        let golem = GolemId::founder(1);
        let config = RuminationConfig::default();
        let (mut rumination, felt) =
            (Rumination::default(), appraise(Happening::RegimeShifted, &RuleTable::default()));
        rumination.keep(EpisodeId { golem, number: 0 }, felt, 0.42, &config);
        let mut relive =
            |now| rumination.relive(now, &mut WorldSeed(5).golem(golem, Purpose::Rumination, now), &config);
        assert_eq!(relive(0), None);
        assert_eq!(relive(300).unwrap().1.intensity, 0.3);
    }
}

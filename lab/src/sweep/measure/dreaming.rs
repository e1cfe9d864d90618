//! Benefits that the specs claim for dreaming and that no other measure has: threats met better (a stress test), a playbook that settles
//! sooner, less arousal at familiar events (habituation), more hypotheses handed on (digest section 16, E3); and the stale share of a
//! memory, by a sliding window (E1). Results are R, ages are ticks, arousal and shares are 0 to 1; the ratio of arousal is below 1 where
//! golems get used to events, and missing where nothing is felt. They are the measures `threat_mean_r`, `playbook_settled_ticks`,
//! `repeated_arousal_ratio` and `stale_voice_share`; the hypotheses handed on are counted by the tally itself.

use morta_base::{EpisodeId, GolemId, Tick};
use morta_engine::episode::Episode;
use morta_engine::market::{Regime, ShockEvent, Strategy};
use morta_engine::memory::{Voice, VoiceSource};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Trades of a kind that count as new to a golem. Our choice: E3 compares "similar events" and says no number.
const NEW_TRADES: u32 = 5;
/// Ticks after which an episode that wasn't lived again is stale (digest section 16, E1: validated in the last 1,000).
const STALE_TICKS: Tick = 1_000;
/// Share of a life's rules with which its playbook has settled. Our choice: the last rule alone would move with every late admission.
const SETTLED_SHARE: f64 = 0.9;

/// Adds up the results of trades that were open while a market shock lasted (stress test).
#[derive(Clone, Debug, Default)]
pub struct Threats {
    /// First and last tick of each shock.
    shocks: Vec<(Tick, Tick)>,
    trades: u64,
    r: f64,
}

impl Threats {
    /// Takes in the beginning of a shock, with its duration.
    pub fn shock(&mut self, shock: &ShockEvent) {
        self.shocks.push((shock.tick, shock.tick.saturating_add(Tick::from(shock.duration_ticks))));
    }

    /// Takes in a trade that was closed; it counts if its time overlaps with a shock.
    pub fn traded(&mut self, episode: &Episode) {
        // Shocks come in their order, and trades are short beside the run: the last few are enough, and looking through all of them would make a run
        // with many shocks quadratic.
        let open = |(from, until): &&(Tick, Tick)| episode.opened < *until && episode.closed >= *from;
        if self.shocks.iter().rev().take(16).any(|shock| open(&shock)) {
            self.trades += 1;
            self.r += episode.realised_r;
        }
    }

    /// The mean R of trades under stress; `None` without any.
    pub fn mean_r(&self) -> Option<f64> {
        (self.trades > 0).then(|| self.r / self.trades as f64)
    }
}

/// A kind of event that a golem may have met before: strategy, regime as read, and whether it lost.
type Kind = (Strategy, Regime, bool);

/// Compares arousal at encoding of events that are new to a golem and of familiar ones (habituation).
#[derive(Clone, Debug, Default)]
pub struct Habituation {
    met: BTreeMap<GolemId, BTreeMap<Kind, u32>>,
    /// Sum of arousal and number of trades.
    new: (f64, u64),
    repeated: (f64, u64),
}

impl Habituation {
    /// Takes in a trade that was closed, with its arousal at a new or a repeated exposure.
    pub fn traded(&mut self, golem: GolemId, episode: &Episode) {
        let kind = (episode.strategy, episode.context.regime, episode.realised_r < 0.0);
        let met = self.met.entry(golem).or_default().entry(kind).or_default();
        *met += 1;
        let group = if *met <= NEW_TRADES { &mut self.new } else { &mut self.repeated };
        group.0 += episode.arousal;
        group.1 += 1;
    }

    /// Forgets a golem whose life has ended.
    pub fn ended(&mut self, golem: GolemId) {
        self.met.remove(&golem);
    }

    /// The habituation ratio: mean arousal at familiar events over that at new ones; `None` where one of them is missing, or nothing
    /// arouses.
    pub fn ratio(&self) -> Option<f64> {
        let ((new, of_new), (repeated, of_repeated)) = (self.new, self.repeated);
        (of_repeated > 0 && new > 0.0).then(|| repeated / of_repeated as f64 / (new / of_new as f64))
    }
}

/// The age at which golems had [`SETTLED_SHARE`] of all the rules that their lives admitted (settling time).
#[derive(Clone, Debug, Default)]
pub struct Settling {
    admitted: BTreeMap<GolemId, Vec<Tick>>,
    /// Sum of these ages, ticks, and how many lives have one.
    ages: f64,
    lives: u64,
}

impl Settling {
    /// Takes in the admission of a rule to a playbook.
    pub fn admitted(&mut self, golem: GolemId, tick: Tick) {
        self.admitted.entry(golem).or_default().push(tick);
    }

    /// Takes in the end of a life that had begun at a tick, and computes its age at settling.
    pub fn ended(&mut self, golem: GolemId, born: Tick) {
        let Some(ticks) = self.admitted.remove(&golem) else { return };
        let place = (SETTLED_SHARE * ticks.len() as f64).ceil() as usize - 1;
        self.ages += ticks[place].saturating_sub(born) as f64;
        self.lives += 1;
    }

    /// The mean settling age over the lives that admitted a rule, in ticks.
    pub(crate) fn mean_age(&self) -> Option<f64> {
        (self.lives > 0).then(|| self.ages / self.lives as f64)
    }
}

/// Measures the stale share of a memory, i.e. the weight of old episodes in decisions, by a sliding window of the episodes that closed of
/// late.
#[derive(Clone, Debug, Default)]
pub struct Staleness {
    /// Episodes that closed within the last [`STALE_TICKS`], and when each closed, oldest first. Inherited episodes are never among them.
    recent: BTreeSet<EpisodeId>,
    closed: VecDeque<(Tick, EpisodeId)>,
    /// Weight of all episodes that spoke, and of the stale ones.
    heard: f64,
    stale: f64,
}

impl Staleness {
    /// Takes in an episode that was remembered: it enters the sliding window of recent episodes.
    pub fn remembered(&mut self, episode: &Episode) {
        self.recent.insert(episode.id);
        self.closed.push_back((episode.closed, episode.id));
    }

    /// Takes in the voices of a decision, i.e. the weights of recalled episodes; old ones leave the sliding window of the stale share.
    pub fn decided(&mut self, tick: Tick, why: &[Voice]) {
        while let Some((closed, id)) = self.closed.front().copied()
            && closed + STALE_TICKS < tick
        {
            self.recent.remove(&id);
            self.closed.pop_front();
        }
        for voice in why {
            if let VoiceSource::Episode(id) = voice.source {
                self.heard += voice.weight;
                self.stale += if self.recent.contains(&id) { 0.0 } else { voice.weight };
            }
        }
    }

    /// The stale share: that of the weight of episodes which were closed more than 1,000 ticks before; `None` where no episode spoke.
    pub fn share(&self) -> Option<f64> {
        (self.heard > 0.0).then(|| self.stale / self.heard)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::fixtures::{episode, golem};
    use morta_engine::episode::Provenance;

    #[test]
    fn a_trade_meets_a_shock_that_lasts_while_it_is_open() {
        let mut threats = Threats::default();
        threats.traded(&episode(golem(0), (0, 99), -8.0));
        assert_eq!(threats.mean_r(), None);
        let shock = ShockEvent {
            tick: 100,
            kinds: Vec::new(),
            asset: None,
            duration_ticks: 10,
            magnitude: 1.0,
            direction: 1,
        };
        threats.shock(&shock);
        for (times, r) in [((90, 99), -9.0), ((90, 100), -1.0), ((109, 130), -2.0), ((110, 130), 5.0)] {
            threats.traded(&episode(golem(0), times, r));
        }
        assert_eq!(threats.mean_r(), Some(-1.5));
    }

    /// Five new events that arouse by .8 and two repeated ones that do by .2.
    #[test]
    fn familiar_events_arouse_less() {
        let mut habituation = Habituation::default();
        for number in 0..7 {
            let mut one = episode(golem(0), (0, 1), -1.0);
            one.arousal = if number < 5 { 0.8 } else { 0.2 };
            habituation.traded(golem(0), &one);
        }
        assert!((habituation.ratio().unwrap() - 0.25).abs() < 1e-12);
        habituation.ended(golem(0));
        habituation.traded(golem(0), &episode(golem(0), (0, 1), -1.0));
        assert_eq!(habituation.new.1, 6, "another life begins anew");
    }

    /// Of ten rules the ninth decides.
    #[test]
    fn a_playbook_has_settled_with_nine_tenths_of_its_rules() {
        let mut settling = Settling::default();
        (0..10).for_each(|number| settling.admitted(golem(0), 100 + 10 * number));
        settling.ended(golem(0), 50);
        settling.ended(GolemId { lineage: 9, generation: 0 }, 0);
        assert_eq!(settling.mean_age(), Some(130.0));
    }

    #[test]
    fn an_episode_is_stale_after_a_thousand_ticks() {
        let mut staleness = Staleness::default();
        let one = episode(golem(0), (0, 10), 1.0);
        staleness.remembered(&one);
        let voice = Voice::new(VoiceSource::Episode(one.id), Provenance::Own, 3.0, 0.0);
        assert_eq!(staleness.share(), None);
        staleness.decided(1_010, &[voice]);
        assert_eq!(staleness.share(), Some(0.0));
        staleness.decided(1_011, &[Voice { weight: 1.0, ..voice }]);
        assert_eq!(staleness.share(), Some(0.25));
    }
}

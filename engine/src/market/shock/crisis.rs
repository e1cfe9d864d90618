//! A predator: rare crises with faint signs, in the same way for every asset.
//!
//! A sequence has three signs of `sign_ticks` each, at strength s: volatility × e^(−.7 s), then depth × e^(−.7 s) as well, then gas × (1 +
//! 1.5 s) as well. The crash then adds ± `crash_size` / `crash_ticks` to the log return of each of its ticks. A false alarm ends with the
//! signs. At s = 0 there are no signs. The side is drawn when the sequence begins and no sign depends on it, so the signs teach holding
//! less and nothing else. It is a rare disaster (tail event, black swan) with precursors, as early warning signals. Times are in ticks, the
//! size is a log return, multiples are of usual levels. It exists because surviving what comes once in a life is where an inherited memory
//! could matter most.

use crate::market::config::CrisisConfig;
use crate::market::shock::ShockEffects;
use morta_base::math::exp;
use morta_base::{Purpose, Tick, WorldSeed};
use serde::{Deserialize, Serialize};

/// Number of signs: volatility, depth, gas, one after the other.
const SIGNS: u32 = 3;
/// Fall of log volatility and of log depth at strength 1: e^−.7 is a half. Half the depth shows as thin, not as a crisis: a sign is fainter
/// than a shock.
const FALL: f64 = 0.7;
/// Rise of gas at strength 1: two and a half times shows as elevated, not as a spike, for the same reason.
const GAS_RISE: f64 = 1.5;

morta_base::words! {
    /// The state of the crisis state machine: precursors (early warning signals), crash, or false alarm.
    pub enum CrisisStage {
        /// The first sign.
        Signs = "signs",
        /// Prices crash.
        Crash = "crash",
        /// The signs are over, and nothing follows.
        FalseAlarm = "false_alarm",
    }
}

/// A stage transition of the rare disaster (a crash with its direction), for the event log; golems get no such report and see only the
/// signs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CrisisEvent {
    /// The first tick at which it is felt.
    pub tick: Tick,
    /// The stage.
    pub stage: CrisisStage,
    /// Its length in ticks; 0 for a false alarm.
    pub duration_ticks: u32,
    /// +1 or −1 in a crash: where prices go; 0 in all other kinds.
    pub direction: i8,
}

/// A sequence that has begun.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Sequence {
    age_ticks: u32,
    /// `None` for a false alarm.
    direction: Option<i8>,
}

/// The crises of a world: a state machine with at most one sequence under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Crises {
    config: CrisisConfig,
    /// Planned ticks, in the order of time.
    scheduled: Vec<Tick>,
    under_way: Option<Sequence>,
}

impl Crises {
    /// No sequence, and so no precursor, under way.
    pub(super) fn new(config: &CrisisConfig) -> Self {
        let mut scheduled = config.scheduled.clone();
        scheduled.sort_unstable();
        Self { config: config.clone(), scheduled, under_way: None }
    }

    /// A configuration change at runtime; a sequence under way runs its course by the new keys, so its lengths may change on the way.
    pub(super) fn rebind(&mut self, config: &CrisisConfig) {
        *self = Self { under_way: self.under_way, ..Self::new(config) };
    }

    fn signs_ticks(&self) -> u32 {
        SIGNS * self.config.sign_ticks
    }

    /// A state machine step to a tick, with the transition that it brings.
    pub(super) fn advance(&mut self, seed: WorldSeed, tick: Tick) -> Option<CrisisEvent> {
        let event =
            |stage, duration_ticks, direction| Some(CrisisEvent { tick, stage, duration_ticks, direction });
        let signs = self.signs_ticks();
        if let Some(sequence) = &mut self.under_way {
            sequence.age_ticks += 1;
            match sequence.direction {
                _ if sequence.age_ticks < signs => return None,
                Some(direction) if sequence.age_ticks == signs => {
                    return event(CrisisStage::Crash, self.config.crash_ticks, direction);
                }
                Some(_) if sequence.age_ticks < signs + self.config.crash_ticks => return None,
                Some(_) => self.under_way = None,
                None => {
                    self.under_way = None;
                    return event(CrisisStage::FalseAlarm, 0, 0);
                }
            }
        }
        // One stream a tick, drawn alike whether or not a sequence is planned: a planned one has the side that a chance one would have had.
        let mut stream = seed.world(Purpose::Crisis, 0, tick);
        let (comes, empty, up) = (
            stream.chance(self.config.rate),
            stream.chance(self.config.false_alarm_share),
            stream.chance(0.5),
        );
        if !comes && self.scheduled.binary_search(&tick).is_err() {
            return None;
        }
        let direction = if up { 1 } else { -1 };
        self.under_way = Some(Sequence { age_ticks: 0, direction: (!empty).then_some(direction) });
        event(CrisisStage::Signs, signs, 0)
    }

    /// Stacks the stress factors of the stage (precursors, or crash return) on those of an asset. Volatility is calm until the crash; depth
    /// and gas keep their signs through it.
    pub(crate) fn compose(&self, effects: &mut ShockEffects) {
        let Some(Sequence { age_ticks, direction }) = self.under_way else { return };
        let CrisisConfig { sign_strength, sign_ticks, crash_ticks, crash_size, .. } = self.config;
        let crashes = age_ticks >= self.signs_ticks();
        if !crashes {
            effects.volatility_multiple *= exp(-FALL * sign_strength);
        }
        if age_ticks >= sign_ticks {
            effects.depth_multiple *= exp(-FALL * sign_strength);
        }
        if age_ticks >= 2 * sign_ticks {
            effects.gas_multiple *= 1.0 + GAS_RISE * sign_strength;
        }
        if let (true, Some(direction)) = (crashes, direction) {
            effects.log_return += f64::from(direction) * crash_size / f64::from(crash_ticks);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crises(change: impl FnOnce(&mut CrisisConfig)) -> Crises {
        let mut config = CrisisConfig { sign_ticks: 4, crash_size: 0.3, ..CrisisConfig::default() };
        change(&mut config);
        Crises::new(&config)
    }

    fn effects(crises: &Crises) -> ShockEffects {
        let mut effects = ShockEffects::NONE;
        crises.compose(&mut effects);
        effects
    }

    /// Signs from tick 10, each for 4 ticks; the crash at ticks 22 to 24, a tenth each.
    #[test]
    fn signs_join_one_another_and_the_crash_follows() {
        let mut crises = crises(|config| {
            (config.scheduled, config.false_alarm_share) = (vec![10, 15], 0.0);
        });
        let mut events = Vec::new();
        let mut fallen = 0.0;
        for tick in 0..40 {
            events.extend(crises.advance(WorldSeed(1), tick));
            let found = effects(&crises);
            let expected = [(10..22), (14..25), (18..25)].map(|felt| felt.contains(&tick));
            let [calm, thin, dear] = expected;
            assert_eq!(found.volatility_multiple < 0.6, calm, "{tick}");
            assert_eq!(found.depth_multiple < 0.6, thin, "{tick}");
            assert_eq!(found.gas_multiple == 2.5, dear, "{tick}");
            assert_eq!(found.log_return < 0.0, (22..25).contains(&tick), "{tick}");
            fallen += found.log_return;
        }
        assert!((fallen + 0.3).abs() < 1e-12, "{fallen}");
        let stages: Vec<(Tick, CrisisStage, i8)> =
            events.iter().map(|e| (e.tick, e.stage, e.direction)).collect();
        assert_eq!(stages, [(10, CrisisStage::Signs, 0), (22, CrisisStage::Crash, -1)]);
    }

    /// Of about 600 sequences 40 % are false alarms, and half of the crashes are upward, each within five standard errors.
    #[test]
    fn false_alarms_and_sides_come_at_their_rates() {
        let mut crises = crises(|config| {
            (config.rate, config.false_alarm_share, config.sign_ticks) = (0.05, 0.4, 1);
        });
        let events: Vec<CrisisEvent> =
            (0..15_000).filter_map(|tick| crises.advance(WorldSeed(3), tick)).collect();
        let share = |of: &dyn Fn(&CrisisEvent) -> bool, among: CrisisStage| {
            let among: Vec<&CrisisEvent> = events.iter().filter(|event| event.stage == among).collect();
            among.iter().filter(|event| of(event)).count() as f64 / among.len() as f64
        };
        let signs = events.iter().filter(|event| event.stage == CrisisStage::Signs).count();
        let alarms = events.iter().filter(|event| event.stage == CrisisStage::FalseAlarm).count();
        let empty = alarms as f64 / signs as f64;
        assert!(signs > 500 && (empty - 0.4).abs() < 0.1, "{alarms} of {signs}");
        let up = share(&|event| event.direction == 1, CrisisStage::Crash);
        assert!((up - 0.5).abs() < 0.13, "{up}");
    }

    #[test]
    fn other_keys_let_a_sequence_run_on() {
        let mut lived = crises(|config| config.scheduled = vec![0]);
        for tick in 0..5 {
            lived.advance(WorldSeed(1), tick);
        }
        let config = CrisisConfig { sign_ticks: 4, crash_ticks: 1, ..CrisisConfig::default() };
        lived.rebind(&config);
        assert_eq!(effects(&lived).depth_multiple, exp(-FALL));
    }
}

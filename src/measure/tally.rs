//! What the measures of one cohort are made from, counted in one pass over the events.

use super::survival::Observed;
use morta_engine::base::{Tick, Usdc};
use morta_engine::episode::StagingVerdict;
use morta_engine::event::{Event, EventKind, LifeRecord, TickRecord};
use morta_engine::memory::Inheritance;
use std::collections::BTreeMap;

/// Counts and sums of one cohort, or of everybody.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub born: u64,
    pub endowments: Usdc,
    pub lives: Vec<Observed>,
    pub deaths: BTreeMap<&'static str, u64>,
    pub would_have_died: u64,
    pub max_generation: u32,
    pub trades: u64,
    pub wins: u64,
    pub total_r: f64,
    pub total_regret_r: f64,
    pub pnl: Usdc,
    pub stayed_out: u64,
    pub explored: u64,
    /// Of the living at the end.
    pub fitness: f64,
    pub equity: Usdc,
    /// Of the dead.
    pub estates: Usdc,
    pub compute: Usdc,
    pub inference: Usdc,
    pub gas: Usdc,
    pub lethe: Usdc,
    pub inference_calls: u64,
    pub dreams: u64,
    pub dreams_interrupted: u64,
    pub dream_quality: f64,
    pub episodes_replayed: u64,
    pub claims_staged: u64,
    pub claims_promoted: u64,
    pub claims_refuted: u64,
    pub rules_admitted: u64,
    pub rules_retired: u64,
    pub stains_left: u64,
    pub stains_drawn: u64,
    pub stains_used: u64,
    pub stain_uses: u64,
    pub stain_wins: u64,
    pub stain_r: f64,
    pub r_fall: Fall,
    /// Of the mean balance of the living; only everybody's is known tick by tick.
    pub equity_fall: Fall,
    pub ticks: Tick,
}

/// The deepest fall of something below what it had reached before.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fall {
    peak: Option<f64>,
    /// In its unit.
    pub deepest: f64,
    /// As a share of the peak before it.
    pub deepest_share: f64,
}

impl Fall {
    /// Takes in the next value.
    pub fn take(&mut self, value: f64) {
        let peak = self.peak.map_or(value, |peak| peak.max(value));
        self.peak = Some(peak);
        self.deepest = self.deepest.max(peak - value);
        if peak > 0.0 {
            self.deepest_share = self.deepest_share.max((peak - value) / peak);
        }
    }
}

impl Tally {
    /// Lives that outlived the run.
    pub fn survivors(&self) -> u64 {
        self.lives.iter().filter(|life| !life.died).count() as u64
    }

    /// Takes in one event of a golem of this cohort.
    pub fn take(&mut self, event: &Event) {
        match &event.kind {
            EventKind::Born { endowment, .. } => {
                self.born += 1;
                self.endowments += *endowment;
            }
            EventKind::TradeClosed { episode, explored, .. } => {
                self.explored += u64::from(*explored);
                if self.r_fall == Fall::default() {
                    // The curve of gains begins at nothing.
                    self.r_fall.take(0.0);
                }
                self.total_r += episode.realised_r;
                self.r_fall.take(self.total_r);
            }
            EventKind::DreamCompleted { result, metrics, .. } => {
                self.dreams += 1;
                self.dream_quality += result.quality;
                self.episodes_replayed += u64::from(metrics.episodes_replayed);
            }
            EventKind::DreamInterrupted { .. } => self.dreams_interrupted += 1,
            EventKind::ClaimStaged { .. } => self.claims_staged += 1,
            EventKind::ClaimDecided { verdict: StagingVerdict::Promoted, .. } => self.claims_promoted += 1,
            EventKind::ClaimDecided { verdict: StagingVerdict::Refuted, .. } => self.claims_refuted += 1,
            EventKind::RuleAdmitted { .. } => self.rules_admitted += 1,
            EventKind::RuleRetired { .. } => self.rules_retired += 1,
            EventKind::InferenceCharged { .. } => self.inference_calls += 1,
            EventKind::BloodstainLeft(_) => self.stains_left += 1,
            EventKind::BloodstainDrawn { .. } => self.stains_drawn += 1,
            EventKind::InheritanceSettled(settled) => self.take_inheritance(settled),
            EventKind::LifeEnded(life) => {
                let generation = event.golem.map_or(0, |golem| golem.generation);
                self.take_life(life, generation);
            }
            _ => {}
        }
    }

    fn take_inheritance(&mut self, settled: &Inheritance) {
        self.stains_used += u64::from(settled.uses > 0);
        self.stain_uses += u64::from(settled.uses);
        self.stain_wins += u64::from(settled.wins);
        self.stain_r += settled.total_r;
    }

    fn take_life(&mut self, life: &LifeRecord, generation: u32) {
        self.lives.push(Observed { age_ticks: life.lifespan(), died: life.cause.is_some() });
        self.max_generation = self.max_generation.max(generation);
        match life.cause {
            Some(cause) => {
                *self.deaths.entry(cause.name()).or_default() += 1;
                self.estates += life.balance;
            }
            None => {
                self.fitness += life.fitness;
                self.equity += life.balance;
            }
        }
        self.would_have_died += u64::from(life.would_have_died.is_some());
        self.trades += u64::from(life.trades);
        self.wins += u64::from(life.wins);
        self.total_regret_r += life.total_regret_r;
        self.pnl += life.pnl;
        self.stayed_out += u64::from(life.stayed_out);
        self.compute += life.compute_paid;
        self.inference += life.inference_paid;
        self.gas += life.gas_paid;
        self.lethe += life.lethe_paid;
    }

    /// Takes in the close of a tick; only everybody's tally does.
    pub fn take_tick(&mut self, tick: &TickRecord) {
        if tick.alive > 0 {
            self.equity_fall.take(tick.purses.dollars() / f64::from(tick.alive));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_fall_is_from_the_peak_before_it() {
        let mut fall = Fall::default();
        [10.0, 12.0, 9.0, 20.0, 16.0].into_iter().for_each(|value| fall.take(value));
        assert_eq!((fall.deepest, fall.deepest_share), (4.0, 0.25));
    }
}

//! The field of pheromones of a world, each with its subject and its fading intensity, 0 to 1 (stigmergy with evaporation).
//!
//! Half-lives are in simulated hours. Intensity is computed when it is read, from the tick of the last deposit, so that no pass over the
//! field is needed each tick; faded ones are removed when a new one comes in. The Lethe service deposits at the barrier, and every golem
//! reads a copy in the next tick. A golem weighs intensity by relevance; what it then does is in `golem::pheromone`.

use crate::episode::ThreatKind;
use crate::lethe::clade::map::CladeId;
use crate::lethe::pheromone::{ConfirmationRule, Pheromone, PheromoneSubject};
use crate::lethe::{PheromoneConfig, PheromoneKind};
use crate::market::{AssetIndex, Regime};
use morta_base::{GolemId, Tick, math};
use serde::{Deserialize, Serialize};

/// A pheromone in the field: a stigmergic trace with evaporation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PheromoneTrace {
    /// The clade whose members can sense it.
    pub clade: CladeId,
    /// Its kind, asset, regime and strategy.
    pub subject: PheromoneSubject,
    /// The danger behind it, if that can be rehearsed.
    pub threat: Option<ThreatKind>,
    /// The golem that left it last.
    pub left_by: GolemId,
    /// The tick of that deposit.
    pub left: Tick,
    /// Its intensity then, 0 to 1.
    pub intensity: f64,
    /// Number of times that another golem than the one before it left the same before it had faded; A, B, A make 2.
    pub confirmations: u32,
}

impl PheromoneTrace {
    /// Its present intensity after evaporation: intensity · 2^(−Δ/H), H the half-life of its kind, × (1 + .5c) or × 1.5^c after c
    /// confirmations (digest section 15, M10 and G06). Below `gone_below` it is 0, because a decay by half-life never ends and faded ones
    /// are to be removed.
    pub fn intensity_at(&self, now: Tick, ticks_per_hour: f64, config: &PheromoneConfig) -> f64 {
        let hours = now.saturating_sub(self.left) as f64 / ticks_per_hour;
        let confirmations = f64::from(self.confirmations);
        let longer = match config.confirmation {
            ConfirmationRule::Linear => 1.0 + 0.5 * confirmations,
            ConfirmationRule::Geometric => math::pow(1.5, confirmations),
        };
        let half_life = config.half_life_hours(self.subject.kind) * longer;
        let left = self.intensity * math::half_life_decay(hours, half_life);
        if left < config.gone_below { 0.0 } else { left }
    }
}

/// All pheromones (stigmergic traces) of a world in a sorted vector, in the order of clades and subjects: a deposit finds its like by
/// bisection, and the order is that of no map or deposit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PheromoneField {
    pheromones: Vec<PheromoneTrace>,
}

impl PheromoneField {
    /// Takes in a pheromone: inserts it, or reinforces one (an upsert). Where the same is in the field already, the more intense of both
    /// goes on from now, and another golem's is a confirmation. They don't add up: a clade that keeps losing in one regime would make a
    /// threat beyond all measure.
    pub fn deposit(
        &mut self,
        now: Tick,
        (clade, golem): (CladeId, GolemId),
        pheromone: &Pheromone,
        ticks_per_hour: f64,
        config: &PheromoneConfig,
    ) {
        let Pheromone { subject, threat, intensity } = *pheromone;
        let (left_by, left) = (golem, now);
        let mut trace = PheromoneTrace { clade, subject, threat, left_by, left, intensity, confirmations: 0 };
        let key = (clade, subject);
        match self.pheromones.binary_search_by_key(&key, |known| (known.clade, known.subject)) {
            Ok(index) => {
                let known = &mut self.pheromones[index];
                let remains = known.intensity_at(now, ticks_per_hour, config);
                if remains > 0.0 {
                    trace.confirmations = known.confirmations + u32::from(known.left_by != golem);
                }
                trace.threat = threat.or(known.threat);
                trace.intensity = intensity.max(remains);
                *known = trace;
            }
            Err(index) => self.pheromones.insert(index, trace),
        }
    }

    /// Removes pheromones that have faded (evaporated traces).
    pub fn remove_faded(&mut self, now: Tick, ticks_per_hour: f64, config: &PheromoneConfig) {
        self.pheromones.retain(|pheromone| pheromone.intensity_at(now, ticks_per_hour, config) > 0.0);
    }

    /// The pheromones of a clade, faded ones included, by binary search.
    pub fn of_clade(&self, clade: CladeId) -> &[PheromoneTrace] {
        let first = self.pheromones.partition_point(|pheromone| pheromone.clade < clade);
        let end = self.pheromones.partition_point(|pheromone| pheromone.clade <= clade);
        &self.pheromones[first..end]
    }

    /// Number of pheromones in the field, faded ones not yet removed included.
    pub fn len(&self) -> usize {
        self.pheromones.len()
    }

    /// Whether the field holds no pheromone.
    pub fn is_empty(&self) -> bool {
        self.pheromones.is_empty()
    }
}

/// Share of a pheromone's worth that is left when the regime is another one. Our choice: half.
const REGIME_MISMATCH: f64 = 0.5;

/// Scores the relevance of a pheromone, 0 to 1, by match of asset and regime with what a golem reads: its present intensity, half of it for
/// another regime, 0 for another asset.
pub fn relevance(pheromone: &PheromoneTrace, intensity: f64, here: (AssetIndex, Regime)) -> f64 {
    let (asset, regime) = here;
    match (pheromone.subject.asset == asset, pheromone.subject.regime == regime) {
        (true, true) => intensity,
        (true, false) => intensity * REGIME_MISMATCH,
        (false, _) => 0.0,
    }
}

/// Whether it is a threat, the only kind that golems respond to.
pub fn warns(pheromone: &PheromoneTrace) -> bool {
    pheromone.subject.kind == PheromoneKind::Threat
}

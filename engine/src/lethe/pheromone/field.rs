//! The field of pheromones: where it smells of what, and how strongly by now.

use crate::episode::ThreatKind;
use crate::lethe::clade::map::CladeId;
use crate::lethe::pheromone::{ConfirmationRule, Pheromone, PheromoneSubject};
use crate::lethe::{PheromoneConfig, PheromoneKind};
use crate::market::{AssetIndex, Regime};
use morta_base::{GolemId, Tick, math};
use serde::{Deserialize, Serialize};

/// A pheromone that hangs in the air.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PheromoneTrace {
    /// Whose siblings smell it.
    pub clade: CladeId,
    /// What it says.
    pub subject: PheromoneSubject,
    /// The danger it smells of, if it can be rehearsed.
    pub threat: Option<ThreatKind>,
    /// The golem that left it last.
    pub left_by: GolemId,
    /// The tick at which that golem did.
    pub left: Tick,
    /// How strong it was then, 0 to 1.
    pub intensity: f64,
    /// How often others have left the same while it hung.
    pub confirmations: u32,
}

impl PheromoneTrace {
    /// How strong it is by now: intensity · 2^(−Δ/H), H the half-life of its kind, × (1 + .5c) or × 1.5^c after c confirmations
    /// (digest section 15, M10 and G06).
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

/// All pheromones of a world, in the order of clades and of what they say.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PheromoneField {
    pheromones: Vec<PheromoneTrace>,
}

impl PheromoneField {
    /// Takes in a pheromone. Where it smelled of the same already, the stronger of both hangs from now on, and somebody else's is a
    /// confirmation.
    pub fn deposit(
        &mut self,
        now: Tick,
        (clade, golem): (CladeId, GolemId),
        pheromone: &Pheromone,
        ticks_per_hour: f64,
        config: &PheromoneConfig,
    ) {
        let Pheromone { subject, threat, intensity } = *pheromone;
        let key = (clade, subject);
        match self.pheromones.binary_search_by_key(&key, |pheromone| (pheromone.clade, pheromone.subject)) {
            Ok(index) => {
                let known = &mut self.pheromones[index];
                let hangs = known.intensity_at(now, ticks_per_hour, config);
                let confirmed = hangs > 0.0 && known.left_by != golem;
                let confirmations = if hangs > 0.0 { known.confirmations + u32::from(confirmed) } else { 0 };
                let threat = threat.or(known.threat);
                let intensity = intensity.max(hangs);
                *known = PheromoneTrace {
                    clade,
                    subject,
                    threat,
                    left_by: golem,
                    left: now,
                    intensity,
                    confirmations,
                };
            }
            Err(index) => {
                let pheromone = PheromoneTrace {
                    clade,
                    subject,
                    threat,
                    left_by: golem,
                    left: now,
                    intensity,
                    confirmations: 0,
                };
                self.pheromones.insert(index, pheromone);
            }
        }
    }

    /// Removes what can't be smelled any more.
    pub fn remove_faded(&mut self, now: Tick, ticks_per_hour: f64, config: &PheromoneConfig) {
        self.pheromones.retain(|pheromone| pheromone.intensity_at(now, ticks_per_hour, config) > 0.0);
    }

    /// The pheromones of a clade.
    pub fn of(&self, clade: CladeId) -> &[PheromoneTrace] {
        let first = self.pheromones.partition_point(|pheromone| pheromone.clade < clade);
        let end = self.pheromones.partition_point(|pheromone| pheromone.clade <= clade);
        &self.pheromones[first..end]
    }

    /// How many pheromones hang in it.
    pub fn len(&self) -> usize {
        self.pheromones.len()
    }

    /// Whether the air is clean.
    pub fn is_empty(&self) -> bool {
        self.pheromones.is_empty()
    }
}

/// What a pheromone means to a golem that is in one regime of one asset: its intensity, less when it speaks of another
/// regime, nothing when it speaks of another asset.
pub fn relevance(
    pheromone: &PheromoneTrace,
    intensity: f64,
    here: (AssetIndex, Regime),
    config: &PheromoneConfig,
) -> f64 {
    let (asset, regime) = here;
    match (pheromone.subject.asset == asset, pheromone.subject.regime == regime) {
        (true, true) => intensity,
        (true, false) => intensity * config.regime_mismatch,
        (false, _) => 0.0,
    }
}

/// Whether it warns.
pub fn warns(pheromone: &PheromoneTrace) -> bool {
    pheromone.subject.kind == PheromoneKind::Threat
}

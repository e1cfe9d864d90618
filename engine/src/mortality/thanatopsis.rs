//! The last rites: their phases, budgets and tiers (digest section 13). They are a graceful shutdown: a golem winds up its positions,
//! reviews its life and writes its testament before it is removed.
//!
//! Budgets are in dollars, intervals in ticks, pressure, arousal and shares from 0 to 1; survival pressure is low where survival is hard.
//! The funds are divided among settling, review and legacy by tier; a necrotic death has no review, nor has one by chance; in a review a
//! model is asked only where there are episodes enough and money for its answer. A fault begins no rites, and one during them ends them at
//! once. The formulas are here; the golem's own `thanatopsis` goes through the phases. Snapshots are checkpoints of what would be left by a
//! sudden death; a golem takes them only where chance can kill it, its memory draws bloodstains, and the money in its purse above the
//! reserve covers the price.

use crate::mortality::Rung;
use crate::mortality::ladder::{LadderConfig, PoorSnapshots};
use morta_base::keys;
use morta_base::{TableChecker, Tick, Usdc};
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// The phases, in order, each a stage of the graceful shutdown.
    pub enum DyingPhase {
        /// Trading stops. It lasts `acceptance_ticks`; a death by chance skips it.
        Acceptance = "acceptance",
        /// Orders and positions are wound up; what the market won't take back is lost.
        Settle = "settle",
        /// The life is looked back on.
        Review = "review",
        /// The testament is written to the log, bloodstains are deposited, and siblings learn of the death.
        Legacy = "legacy",
    }

    /// Tiers of the money left for dying, a budget tier (wealth class) for the shutdown. The thresholds `rich_usdc` and `standard_usdc`
    /// divide them.
    pub enum TestamentTier {
        /// Hardly anything: no review.
        Necrotic = "necrotic",
        /// Enough for a testament.
        Standard = "standard",
        /// Enough for everything.
        Rich = "rich",
    }
}

keys! {
    /// The `[mortality.thanatopsis]` table.
    pub struct ThanatopsisConfig {
        /// Ticks between the word that it dies and the winding up; the spec has 1 to 5. Chance grants none.
        // Digest section 13.
        acceptance_ticks: u64 = 1, in 0..=100, "ticks";
        /// Money from which a death is rich, dollars.
        rich_usdc: f64 = 1.0, in 0.0..=1e12, "dollars";
        /// Money from which it is standard, dollars; below, it is necrotic.
        standard_usdc: f64 = 0.10, in 0.0..=1e12, "dollars";
        /// Survival pressure below which all the money may be spent on dying.
        all_below_pressure: f64 = 0.1, in 0.0..=1.0, "pressure";
        /// Survival pressure below which more than the reserve may.
        more_below_pressure: f64 = 0.3, in 0.0..=1.0, "pressure";
        /// Most of the balance that is added there.
        most_added: f64 = 0.5, in 0.0..=1.0, "share";
        /// Least arousal of an episode that is looked back on.
        review_min_arousal: f64 = 0.3, in 0.0..=1.0, "arousal";
        /// Most episodes looked back on.
        review_episodes: u32 = 20, in 0..=10_000, "episodes";
        /// Most of these with one strategy in one regime.
        review_per_profile: u32 = 3, in 1..=10_000, "episodes";
        /// Ticks the dying wait for the answer of a model, which is asked what they have in common, within the review's budget.
        review_wait_ticks: u64 = 20, in 0..=1_000_000, "ticks";
        /// Whether golems put down now and then what they know. When chance strikes, the last snapshot is all that is
        /// left.
        snapshots: bool = true;
        /// Ticks between two snapshots (540 are six hours of 40-second ticks).
        snapshot_interval_ticks: u64 = 540, in 1..=1_000_000_000, "ticks";
        /// Ticks between two snapshots when the money dwindles (`economic.ladder.snapshots`).
        poor_snapshot_ticks: u64 = 50, in 1..=1_000_000_000, "ticks";
        /// Price of a snapshot, dollars.
        snapshot_usdc: f64 = 0.01, in 0.0..=1e12, "dollars";
    }
    also steps_are_in_order;
}

impl ThanatopsisConfig {
    fn steps_are_in_order(&self, table: &mut TableChecker<'_>) {
        table.in_order(&[("standard_usdc", self.standard_usdc), ("rich_usdc", self.rich_usdc)]);
        table.in_order(&[
            ("all_below_pressure", self.all_below_pressure),
            ("more_below_pressure", self.more_below_pressure),
        ]);
    }
}

/// The budget of the last rites, by phase: a budget allocation whose parts sum to the funds. It is fixed when dying begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeathBudget {
    /// The tier it makes.
    pub tier: TestamentTier,
    /// For winding up.
    pub settle: Usdc,
    /// For looking back.
    pub review: Usdc,
    /// For passing on.
    pub legacy: Usdc,
}

impl DeathBudget {
    /// The total budget of dying: the sum of the three parts, which is all funds, since the review gets the rest of the other two.
    pub fn total(&self) -> Usdc {
        self.settle + self.review + self.legacy
    }
}

impl ThanatopsisConfig {
    /// The money that may be spent on dying: the reserve; below a survival pressure p of .3, also balance·.5·(1 − (p − .1)/.2), and below
    /// .1 the whole balance (digest section 13, M04). Never more than the balance. Between the two pressures it is interpolated linearly:
    /// the harder survival, the more of the balance.
    pub fn funds(&self, balance: Usdc, reserve: Usdc, pressure: f64) -> Usdc {
        if pressure < self.all_below_pressure {
            return balance;
        }
        let span = self.more_below_pressure - self.all_below_pressure;
        let added = if pressure < self.more_below_pressure && span > 0.0 {
            balance.scaled(self.most_added * (1.0 - (pressure - self.all_below_pressure) / span))
        } else {
            Usdc::ZERO
        };
        (reserve + added).min(balance).max(Usdc::ZERO)
    }

    /// Divides the funds: rich (from $1) settle min(.05·n + .05, 15 %), legacy 25 %, the rest review; standard (from $.10) settle
    /// min(.02·n + .02, 20 %), legacy 35 %, the rest review; necrotic half and half, no review (digest section 13, M06). n is the number of open
    /// positions, in practice 0 or 1. The allocation is by tiered pricing: three tiers by threshold.
    pub fn budget(&self, funds: Usdc, positions: u32) -> DeathBudget {
        let n = f64::from(positions);
        let dollars = funds.dollars();
        let divided = |tier, per_position: f64, most, legacy| {
            let settle = Usdc::from_dollars(per_position * n + per_position).min(funds.scaled(most));
            let legacy = funds.scaled(legacy);
            DeathBudget { tier, settle, review: funds - settle - legacy, legacy }
        };
        if dollars >= self.rich_usdc {
            divided(TestamentTier::Rich, 0.05, 0.15, 0.25)
        } else if dollars >= self.standard_usdc {
            divided(TestamentTier::Standard, 0.02, 0.20, 0.35)
        } else {
            let settle = funds.scaled(0.5);
            let tier = TestamentTier::Necrotic;
            DeathBudget { tier, settle, review: Usdc::ZERO, legacy: funds - settle }
        }
    }

    /// Ticks between two snapshots on a rung, a checkpoint interval; `None` where there are none. The golem takes one only where chance
    /// can kill it, its memory draws bloodstains, and the money in its purse above the reserve covers the price.
    pub fn snapshot_interval(&self, rung: Rung, ladder: &LadderConfig) -> Option<Tick> {
        let (poor, usual) = (rung <= Rung::Snapshots, self.snapshot_interval_ticks);
        match ladder.snapshots {
            _ if !self.snapshots => None,
            _ if !poor => Some(usual),
            PoorSnapshots::Frequent => Some(self.poor_snapshot_ticks.min(usual)),
            PoorSnapshots::Skipped => None,
        }
    }
}

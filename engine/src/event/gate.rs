//! The tally of waking ticks of a golem with a waking gate: ticks by tier, and what thinking and the reading of memory cost in dollars
//! (usage counters). It is one event at the end of a life, since an event for each tick would be most of a log; lives without a gate
//! (`golem.gate.enabled`, off by default) and deaths by fault have none. Tables of money and of waking shares are made from it.

use morta_base::Usdc;
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

morta_base::words! {
    /// The amount of thought that a waking tick gets (digest section 1). Not a tier of inference: none of them asks a model. A compute
    /// level, by its price: none, a cheap model's or an expensive one's.
    pub enum WakingTier {
        /// It looks on.
        T0 = "t0",
        /// It thinks, at the price of a small model.
        T1 = "t1",
        /// It thinks, at the price of a large model.
        T2 = "t2",
    }
}

/// The waking ticks of a life: usage counters of the waking gate by compute tier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateTally {
    /// Ticks by tier, as it could pay for them.
    pub ticks: [u64; WakingTier::ALL.len()],
    /// Cost of thinking; a part of the payments for inference.
    pub paid: Usdc,
}

impl GateTally {
    /// Ticks in which it thought, with inference paid: T1 and T2 together.
    pub fn thought(&self) -> u64 {
        self.ticks[WakingTier::T1 as usize] + self.ticks[WakingTier::T2 as usize]
    }
}

/// Adds the tallies of several lives.
impl AddAssign for GateTally {
    fn add_assign(&mut self, other: Self) {
        self.ticks.iter_mut().zip(other.ticks).for_each(|(sum, ticks)| *sum += ticks);
        self.paid += other.paid;
    }
}

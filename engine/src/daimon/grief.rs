//! Grief: the effect of a sibling's or predecessor's death on mood and exploration for a while (digest sections 10 and 18, M13).
//!
//! It lasts a number of ticks and falls linearly from 1 to 0; a new death starts it anew. Times the rest of it, the mood is drawn 5 % of
//! the way to `GRIEF` in every waking tick, and the exploration factor is lowered by half. Ticks of sleep count, and draw nothing. It is a
//! bereavement effect that an experiment can switch off by a length of 0, or for exploration alone by `daimon.behaviour.grief`.
//! Grief is an emotional decay over a fixed duration (mourning).

use crate::daimon::Pad;
use morta_base::Tick;
use morta_base::keys;

keys! {
    /// The `[daimon.grief]` table. Its length and the feeling are in the specs.
    // Digest section 18, "affect".
    pub struct GriefConfig {
        /// Ticks it lasts; 0 for no grief.
        ticks: u64 = 100, in 0..=1_000_000_000, "ticks";
    }
}

impl GriefConfig {
    /// The rest of a grief (bereavement), from 1 in the tick of the news to 0: its intensity decays linearly.
    pub fn left(&self, since: Tick, now: Tick) -> f64 {
        let elapsed = now.saturating_sub(since);
        if elapsed >= self.ticks { 0.0 } else { 1.0 - elapsed as f64 / self.ticks as f64 }
    }
}

/// The feeling of grief: that of the rule for a sibling's death (digest section 10, A01).
pub const GRIEF: Pad = Pad::new(-0.4, 0.3, -0.2);
/// Share of the way to grief that a mood is drawn in the first tick; it falls to nothing over the time of grief. Our choice: as much as
/// personality pulls, but in every tick, so that grief outweighs it at first.
pub const PULL: f64 = 0.05;
/// Share of its exploration that grief takes at first; it falls to nothing likewise. Our choice: half.
pub(crate) const WITHDRAWAL: f64 = 0.5;

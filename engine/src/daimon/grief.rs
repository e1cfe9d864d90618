//! Grief: after a death in the family a golem isn't itself for a while (digest sections 10 and 18, M13).

use crate::daimon::Pad;
use morta_base::Tick;
use morta_base::keys;

keys! {
    /// The `[daimon.grief]` table. Only its length and the feeling are in the specs; the rest is proposed.
    pub struct GriefConfig {
        /// Ticks it lasts; 0 for no grief.
        ticks: u64 = 100, in 0..=1_000_000_000, "ticks";
        /// Share of the way to grief that a mood is drawn in the first tick; it falls to nothing over the time of
        /// grief.
        pull: f64 = 0.05, in 0.0..=1.0, "share";
        /// Share of its exploration that grief takes at first; it falls to nothing likewise.
        withdrawal: f64 = 0.5, in 0.0..=1.0, "share";
    }
}

impl GriefConfig {
    /// What is left of a grief, from 1 in the tick of the news to 0.
    pub fn left(&self, since: Tick, now: Tick) -> f64 {
        let elapsed = now.saturating_sub(since);
        if elapsed >= self.ticks { 0.0 } else { 1.0 - elapsed as f64 / self.ticks as f64 }
    }
}

/// How grief feels: like the death of a sibling.
pub const GRIEF: Pad = Pad::new(-0.4, 0.3, -0.2);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::daimon::Mood;

    #[test]
    fn grief_passes() {
        let config = GriefConfig::default();
        for (now, expected) in [(7, 1.0), (32, 0.75), (57, 0.5), (106, 0.01), (107, 0.0), (9_999, 0.0)] {
            assert!((config.left(7, now) - expected).abs() < 1e-12, "{now}");
        }
        assert_eq!(GriefConfig { ticks: 0, ..config.clone() }.left(7, 7), 0.0);
        let mut mood = Mood::default();
        for tick in 0..100 {
            mood.draw_towards(GRIEF, config.pull * config.left(0, tick));
        }
        // 1 − Π(1 − .05·(1 − t/100)) = .9233 of the way.
        assert!((mood.pad().pleasure + 0.4 * 0.9233).abs() < 1e-4, "{mood:?}");
    }
}

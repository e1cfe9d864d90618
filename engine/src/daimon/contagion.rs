//! Moods are catching: what a golem picks up from the living of its clade (digest section 10, A03).

use crate::daimon::Pad;
use morta_base::keys;
use morta_base::{math, moments};

keys! {
    /// The `[daimon.contagion]` table.
    pub struct ContagionConfig {
        /// Share of its siblings' mean pleasure and arousal that a golem catches in a sync. Dominance isn't catching.
        share: f64 = 0.3, in 0.0..=1.0, "share";
        /// Most that caught arousal rises in one sync.
        arousal_rise_max: f64 = 0.3, in 0.0..=1.0, "PAD";
        /// Hours of simulated time after which half of it is left.
        half_life_hours: f64 = 6.0, in 1e-6..=1e6, "hours";
    }
}

/// What a golem carries of its siblings' moods after a sync, given what it still carried: the share of their mean replaces it,
/// so that syncs don't pile up. Without siblings nothing changes.
pub fn catch(siblings: &[Pad], carried: Pad, config: &ContagionConfig) -> Pad {
    let mean = |part: fn(&Pad) -> f64| moments::mean(siblings.iter().map(part));
    let Some((pleasure, arousal)) = mean(|pad| pad.pleasure).zip(mean(|pad| pad.arousal)) else {
        return carried;
    };
    let arousal = config.share * arousal;
    Pad::new(config.share * pleasure, arousal.min(carried.arousal + config.arousal_rise_max), 0.0)
}

/// What is left of it after some seconds of simulated time.
pub fn fade(carried: Pad, seconds: f64, config: &ContagionConfig) -> Pad {
    const HOUR_S: f64 = 3_600.0;
    carried.scaled(math::half_life_decay(seconds, config.half_life_hours * HOUR_S))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_third_of_the_others_moods_is_caught() {
        let config = ContagionConfig::default();
        let siblings = [Pad::new(1.0, 0.5, 1.0), Pad::new(0.0, -0.1, -0.5)];
        let caught = catch(&siblings, Pad::default(), &config);
        assert!(caught.distance(Pad::new(0.15, 0.06, 0.0)) < 1e-12, "{caught:?}");
        assert!(catch(&siblings, caught, &config).distance(caught) < 1e-12, "syncs don't pile up");
        assert_eq!(catch(&[], caught, &config), caught);
    }

    #[test]
    fn arousal_rises_by_no_more_than_its_limit() {
        let config = ContagionConfig { share: 0.9, ..Default::default() };
        let panic = [Pad::new(-1.0, 1.0, 0.0)];
        let first = catch(&panic, Pad::default(), &config);
        assert_eq!((first.pleasure, first.arousal), (-0.9, 0.3));
        assert!((catch(&panic, first, &config).arousal - 0.6).abs() < 1e-12);
    }

    #[test]
    fn half_is_left_after_six_hours() {
        let left = fade(Pad::new(0.2, -0.1, 0.0), 6.0 * 3_600.0, &ContagionConfig::default());
        assert_eq!(left, Pad::new(0.1, -0.05, 0.0));
    }
}

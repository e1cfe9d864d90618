//! Contagion: moods that a golem catches from the living of its clade (digest section 10, A03), known as emotional contagion.
//!
//! A caught mood is a PAD point and is kept apart from the own one, so that it isn't passed on and doesn't echo in the clade. It fades by
//! half in a number of simulated hours. Pleasure and arousal are caught, dominance isn't. A golem in a clade, whose memory teaches, catches
//! at each sync (`clade.sync_ticks`; one slept through is made up on waking) from the own moods that its siblings had at their last ones;
//! in sleep nothing fades, because no tick of affect is passed.

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

/// Emotional contagion: returns the mood that a golem carries of its siblings after a sync, given the one it still carried: the share of
/// their mean replaces it, so that syncs don't pile up. The rise of arousal is limited in each sync. Without siblings nothing changes.
pub fn catch(siblings: &[Pad], carried: Pad, config: &ContagionConfig) -> Pad {
    let mean = |part: fn(&Pad) -> f64| moments::mean(siblings.iter().map(part));
    let Some((pleasure, arousal)) = mean(|pad| pad.pleasure).zip(mean(|pad| pad.arousal)) else {
        return carried;
    };
    let arousal = config.share * arousal;
    Pad::new(config.share * pleasure, arousal.min(carried.arousal + config.arousal_rise_max), 0.0)
}

/// The rest of a carried mood after some seconds of simulated time: an exponential decay by half-life. It is called once a waking tick.
pub fn fade(carried: Pad, seconds: f64, config: &ContagionConfig) -> Pad {
    const HOUR_S: f64 = 3_600.0;
    carried.scaled(math::half_life_decay(seconds, config.half_life_hours * HOUR_S))
}

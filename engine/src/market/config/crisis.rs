//! Rare crises that announce themselves by faint signs, as a scenario orders them. A crisis is a tail event (black swan, rare disaster)
//! with precursors. Rates are probabilities a tick, the size is a log return over the whole crash, lengths are in ticks. The formulas are
//! in `market::shock::crisis`. The side of the crash is its direction, up or down. Crises are there because an inherited memory could
//! matter most for what comes once in a life. By default there are none (rate 0, no scheduled ticks), and never any in the warm-up.

use morta_base::Tick;
use morta_base::keys;

morta_base::words! {
    /// Which way prices go in a crash.
    #[derive(Default)]
    pub enum CrashSide: Key {
        /// Down.
        Down = "down",
        /// Up.
        Up = "up",
        /// Up or down with equal chance, by the world's seed. Nothing tells the side beforehand, so that nothing can be made of the signs but
        /// to hold less: on average over both sides a crash costs a position little, and only its size decides who lives.
        #[default]
        Either = "either",
    }
}

keys! {
    /// Crises: a sequence of signs in what golems see of every asset (first volatility falls, then depth thins as well, then gas rises as
    /// well), and then a crash of all prices within a few ticks, so fast that it goes through stops.
    pub struct CrisisConfig {
        /// Chance that a sequence of signs begins at a tick, while none is under way.
        rate: f64 = 0.0, in 0.0..=1.0, "probability";
        /// Ticks at which sequences begin besides, unless one is under way.
        scheduled: Vec<Tick> = Vec::new(), in 0.., "ticks", len 0..=10_000;
        /// Share of sequences that come to nothing.
        false_alarm_share: f64 = 0.25, in 0.0..=1.0, "share";
        /// How clear the signs are. At 1 volatility and depth are halved and gas costs two and a half times as much; 0: no signs at all.
        sign_strength: f64 = 1.0, in 0.0..=5.0, "strength";
        /// How long each of the three signs lasts before the next joins it; the crash follows the last.
        sign_ticks: u32 = 20, in 1..=10_000, "ticks";
        /// How long the crash lasts.
        crash_ticks: u32 = 3, in 1..=1_000, "ticks";
        /// Log return of the whole crash, one way or the other; in equal parts at each of its ticks.
        crash_size: f64 = 0.2, in 0.0..=2.0, "log return";
        /// Which way it goes.
        side: CrashSide = CrashSide::default();
    }
}

//! The credit ladder (digest section 11, M04): the expenses and risks that a golem gives up as its money dwindles, also known as
//! graceful degradation, deleveraging, or drawdown limits.
//!
//! A rung is a threshold on the balance, open positions included, as a share of that at birth, 0 to 1. Falling moves down at once. Rising
//! needs .02 above the threshold (hysteresis). Rungs act on the interval of decisions in ticks, on whether a position may be opened, the
//! factor on stakes from 0 to 1, the checkpoint frequency (snapshots), the model tier of dreams, and the warnings in its record; questions
//! awake and the review of a life keep their tier. Expenses are given up step by step, so that a golem short of money has time to recover.
//! The rung is read anew in every tick until a golem begins to die, asleep or awake, and only of mortals: an immortal stays `Sound`. The
//! .15, .20 and so on below are the defaults.
//!
//! No rung kills. Under `economic.death = "share"` money kills at `economic.death_share`, a key of its own (.05 by default) that isn't
//! compared with `exhausted_share`: the two agree by their defaults alone. `Exhausted` differs from `Legacy` in records alone.

use morta_base::keys;
use morta_base::{TableChecker, Tick};

morta_base::words! {
    /// What the snapshots do on the second rung.
    #[derive(Default)]
    pub enum PoorSnapshots: Key {
        /// They are taken every `thanatopsis.poor_snapshot_ticks` (digest section 11, M04).
        #[default]
        Frequent = "frequent",
        /// They are no longer taken, to save their price.
        Skipped = "skipped",
    }
}

keys! {
    /// The `[mortality.economic.ladder]` table. Shares are of the balance at birth; a golem stands on the lowest rung
    /// whose share its balance has fallen to, and what a rung does ends where the next begins, except that the first
    /// and the second last.
    pub struct LadderConfig {
        /// Whether there is a ladder.
        enabled: bool = true;
        /// Frugal from here on: no large model, and `frugal_interval_factor` times as long between decisions.
        frugal_share: f64 = 0.30, in 0.0..=1.0, "share";
        /// How much longer between decisions.
        frugal_interval_factor: u64 = 2, in 1..=1_000_000, "factor";
        /// From here on snapshots follow `snapshots`.
        snapshot_share: f64 = 0.25, in 0.0..=1.0, "share";
        /// Whether the poor take more snapshots or none.
        snapshots: PoorSnapshots = PoorSnapshots::Frequent;
        /// Only watching: no position is opened.
        monitor_share: f64 = 0.20, in 0.0..=1.0, "share";
        /// Turned to the legacy: a snapshot at once, and trades of `legacy_stake_factor`.
        legacy_share: f64 = 0.15, in 0.0..=1.0, "share";
        /// Multiplies stakes on that rung.
        legacy_stake_factor: f64 = 0.5, in 0.0..=1.0, "factor";
        /// The last rung, on which `economic.death = "share"` kills.
        exhausted_share: f64 = 0.05, in 0.0..=1.0, "share";
    }
    also rungs_descend;
}

morta_base::words! {
    /// The rung of a golem: a degradation level (credit tier) by equity, an ordered enum from the poorest up.
    #[derive(Default)]
    pub enum Rung {
        /// At 5 % or less.
        Exhausted = "exhausted",
        /// At 15 % or less.
        Legacy = "legacy",
        /// At 20 % or less.
        Monitor = "monitor",
        /// At 25 % or less.
        Snapshots = "snapshots",
        /// At 30 % or less.
        Frugal = "frugal",
        /// Above all rungs.
        #[default]
        Sound = "sound",
    }
}

impl Rung {
    /// Whether a position may be opened: not on `Monitor`, where a golem only watches. This trading halt ends on the next rung down,
    /// where it trades for its legacy at reduced stakes.
    pub fn may_open(self) -> bool {
        self != Self::Monitor
    }

    /// Whether the large model is still affordable: on `Sound` alone. Below, the questions of a golem's dreams are held to tier T1
    /// (model selection by budget).
    pub fn affords_large_model(self) -> bool {
        self == Self::Sound
    }
}

/// Hysteresis of the rungs, as a share of the endowment: the balance must rise this far above a rung's share to leave it. Our choice, so that one
/// trade doesn't move a golem down and up again.
const HYSTERESIS: f64 = 0.02;

impl LadderConfig {
    fn rungs_descend(&self, table: &mut TableChecker<'_>) {
        table.in_order(&[
            ("exhausted_share", self.exhausted_share),
            ("legacy_share", self.legacy_share),
            ("monitor_share", self.monitor_share),
            ("snapshot_share", self.snapshot_share),
            ("frugal_share", self.frugal_share),
        ]);
    }

    fn raw(&self, share: f64) -> Rung {
        let rungs = [
            (self.exhausted_share, Rung::Exhausted),
            (self.legacy_share, Rung::Legacy),
            (self.monitor_share, Rung::Monitor),
            (self.snapshot_share, Rung::Snapshots),
            (self.frugal_share, Rung::Frugal),
        ];
        rungs.into_iter().find(|(most, _)| share <= *most).map_or(Rung::Sound, |(_, rung)| rung)
    }

    /// The next rung for this share of the balance at birth: down at once, up with hysteresis. It is a threshold with hysteresis
    /// (Schmitt trigger), so that a noisy balance doesn't flap. Always `Sound` where the ladder is off.
    pub fn next(&self, rung: Rung, share: f64) -> Rung {
        if !self.enabled {
            return Rung::Sound;
        }
        let raw = self.raw(share);
        if raw <= rung { raw } else { self.raw(share - HYSTERESIS).max(rung) }
    }

    /// Ticks between two decisions on a rung: `usual` on `Sound`, twice as long by default on all others. Throttling saves
    /// inference costs.
    pub fn decision_interval(&self, rung: Rung, usual: Tick) -> Tick {
        if rung == Rung::Sound { usual } else { usual * self.frugal_interval_factor }
    }

    /// Factor on stakes on a rung, 0 to 1: .5 by default on `Legacy` and `Exhausted`, else 1. The golem multiplies it by the factor of
    /// its phase, and takes 0 where no position may be opened (position sizing, a multiplier for risk reduction).
    pub fn stake_factor(&self, rung: Rung) -> f64 {
        if rung <= Rung::Legacy { self.legacy_stake_factor } else { 1.0 }
    }
}

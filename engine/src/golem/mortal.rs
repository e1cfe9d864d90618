//! A golem's record of its own mortality: reserve, rung of the credit ladder, warnings, checkpoint of bequests. All of it is bounded: some
//! 2 KB in a long life, so that worlds of very many golems fit in memory. Money is in dollars, vitality runs from 0 to 1, times are in
//! ticks. `clocks` writes it in every tick; once the golem dies it only goes on booking income, trades and mood, and the last rites write
//! the rest. Snapshots of bequests are taken only where chance can kill the golem and its memory draws bloodstains. The factors at the end,
//! by phase and rung, are what mortality does to stakes, exploration and sharing.

use crate::episode::Context;
use crate::golem::Golem;
use crate::golem::life_review::{ReviewOutcome, ReviewState};
use crate::lethe::Bequest;
use crate::lethe::bloodstain::{PositionAtDeath, Warning, WarningKind};
use crate::memory::Inheritance;
use crate::mortality::economic::Livelihood;
use crate::mortality::ladder::LadderConfig;
use crate::mortality::narrative::{Landmarks, Story};
use crate::mortality::phase_effects::PhaseEffects;
use crate::mortality::senescence::Stage;
use crate::mortality::thanatopsis::DeathBudget;
use crate::mortality::{Cause, Clock, DyingPhase, MortalityConfig, ReadingRing, Rung};
use morta_base::lazy_box::LazyBox;
use morta_base::{Tick, Usdc};
use serde::{Deserialize, Serialize};

/// The knowledge that a sudden death leaves (a checkpoint of bequests): as it was at the last snapshot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Snapshot {
    /// When it was taken.
    pub tick: Tick,
    /// Scars and lessons, in the order in which the Lethe gets them.
    pub bequests: Vec<Bequest>,
}

/// The last rites of one golem: the state of the shutdown sequence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct LastRites {
    /// The tick in which it began to die. Vitality, context and position are as of then.
    pub began: Tick,
    /// The phase it is in.
    pub phase: DyingPhase,
    /// Money for each phase, and the tier of the death, which follows from it.
    pub budget: DeathBudget,
    /// Vitality, 0 to 1.
    pub vitality: f64,
    /// The market as it read it.
    pub context: Context,
    /// The position that was open.
    pub position: Option<PositionAtDeath>,
    /// How far the life review is.
    pub review_state: ReviewState,
    /// What it has found, and its cost.
    pub review_outcome: ReviewOutcome,
}

/// The part of the tally that has been booked; a tick's income and trades are the difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Booked {
    pub pnl: Usdc,
    pub paid: Usdc,
    pub trades: u32,
    pub wins: u32,
    pub total_r: f64,
}

/// The mortality state of a golem: its clocks, snapshot and last rites.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Mortal {
    /// Money locked away for dying, revised at intervals (`mortality.economic.reserve_interval_ticks`).
    pub reserve: Usdc,
    /// Its place on the credit ladder.
    pub rung: Rung,
    /// Running revenue and burn.
    pub livelihood: Livelihood,
    /// What of the tally has gone into these.
    pub booked: Booked,
    /// Readings of the clocks every four ticks, for the event of its death.
    pub readings: ReadingRing,
    /// The course of its mood, from which the record of its life has the narrative arc.
    pub story: Story,
    /// Moments that its life review must not leave out.
    pub landmarks: Landmarks,
    /// By kind of warning: the tick at which it first came.
    pub warned: LazyBox<[Option<Tick>; WarningKind::ALL.len()]>,
    /// The stage of senescence last reported by an event.
    #[serde(rename = "told_stage")]
    pub reported_stage: Stage,
    /// The vitality last reported by an event.
    #[serde(rename = "told_vitality")]
    pub reported_vitality: f64,
    /// The last snapshot: all that a sudden death leaves.
    pub snapshot: Option<Box<Snapshot>>,
    /// The tick from which the next may be taken.
    pub snapshot_due: Tick,
    /// Number of snapshots taken and paid for.
    pub snapshots: u32,
    /// First tick and cause at which a clock of an immortal ran out; below, by each clock.
    pub would_have_died: Option<(Tick, Cause)>,
    pub would_have_died_by: LazyBox<[Option<Tick>; Clock::ALL.len()]>,
    /// None until it begins to die.
    pub rites: Option<Box<LastRites>>,
    /// Value of positions that it gave up in dying.
    pub stranded: Usdc,
}

impl Mortal {
    /// The mortality state of a newborn. Its first snapshot is due after the interval of a golem in good standing.
    pub(super) fn newborn(born: Tick, endowment: Usdc, vitality: f64, config: &MortalityConfig) -> Self {
        let reserve = config.economic.reserve(config.least_reserve(endowment), 0);
        let first = config.thanatopsis.snapshot_interval(Rung::Sound, &LadderConfig::default());
        Self {
            reserve,
            rung: Rung::Sound,
            livelihood: Livelihood::default(),
            booked: Booked::default(),
            readings: ReadingRing::default(),
            story: Story::default(),
            landmarks: Landmarks::default(),
            warned: LazyBox::default(),
            reported_stage: Stage::Sound,
            reported_vitality: vitality,
            snapshot: None,
            snapshot_due: born + first.unwrap_or(0),
            snapshots: 0,
            would_have_died: None,
            would_have_died_by: LazyBox::default(),
            rites: None,
            stranded: Usdc::ZERO,
        }
    }

    /// Notes an early warning; only the first of a kind counts (idempotent).
    pub(super) fn warn(&mut self, kind: WarningKind, tick: Tick) {
        self.warned.make()[kind as usize].get_or_insert(tick);
    }

    /// Early warnings so far, in chronological order; those of one tick in the order of kinds, so that the order doesn't depend on the code
    /// that warned first. Death mark and life record quote them; nothing else acts on a warning.
    pub(super) fn warnings(&self) -> Vec<Warning> {
        let warning = |kind: WarningKind| Some(Warning { kind, tick: self.warned.get()?[kind as usize]? });
        let mut warnings: Vec<Warning> = WarningKind::ALL.into_iter().filter_map(warning).collect();
        warnings.sort_by_key(|warning| (warning.tick, warning.kind));
        warnings
    }
}

impl Golem {
    /// The money that may be staked: trading capital that isn't needed to cover the reserve and the legacy. Immortals need neither.
    pub(super) fn stakeable(&self, mortal: bool) -> Usdc {
        use crate::mortality::Compartment::{Legacy, Trading};
        if !mortal {
            return self.purse.amount(Trading);
        }
        let free = self.purse.total() - self.mortal.reserve - self.purse.amount(Legacy);
        self.purse.amount(Trading).min(free).max(Usdc::ZERO)
    }

    /// Factor on stakes by the phase and by the rung of the credit ladder; 0 where no position may be opened.
    pub(super) fn stake_factor(&self, config: &MortalityConfig) -> f64 {
        if !self.mortal.rung.may_open() {
            return 0.0;
        }
        config.phases.stake_factor(self.phase) * config.economic.ladder.stake_factor(self.mortal.rung)
    }

    /// Factor on the exploration rate: less in worse phases, none in the second stage of senescence (digest section 11).
    pub(super) fn exploration_factor(&self) -> f64 {
        match self.epistemics.stage() {
            Stage::Second => 0.0,
            Stage::Sound | Stage::First => PhaseEffects::exploration_factor(self.phase),
        }
    }

    /// The sharing threshold, 0 to 1: by the phase, less in the second stage of senescence. The trust from which a lesson of a kind is
    /// shared moves with it (`CladeConfig::threshold`).
    pub(super) fn sharing_threshold(&self, config: &MortalityConfig) -> f64 {
        let by_phase = config.phases.sharing_threshold(self.phase);
        match self.epistemics.stage() {
            Stage::Second => by_phase.min(config.epistemic.senescent_sharing),
            Stage::Sound | Stage::First => by_phase,
        }
    }

    /// Its bequests: from its present knowledge or, when chance strikes, from its last snapshot. Otherwise a sudden death would cost no knowledge, and clocks
    /// could not be distinguished by their bequests.
    pub(super) fn bequest(&self, cause: Cause) -> Vec<Bequest> {
        if cause.is_sudden() {
            self.mortal.snapshot.as_ref().map_or(Vec::new(), |snapshot| snapshot.bequests.clone())
        } else {
            self.known_to_leave()
        }
    }

    /// The bequests of its present knowledge; none for a memory that can't bequeath.
    pub(super) fn known_to_leave(&self) -> Vec<Bequest> {
        self.memory.bequeaths().map_or(Vec::new(), |memory| memory.bequeath())
    }

    /// Whether its memory has any use for bloodstains.
    pub(super) fn draws_bloodstains(&self) -> bool {
        self.memory.bequeaths().is_some_and(|memory| memory.draws())
    }

    /// The fate of everything it inherited.
    pub(super) fn inheritance(&self) -> &[Inheritance] {
        self.memory.bequeaths().map_or(&[], |memory| memory.inheritance())
    }
}

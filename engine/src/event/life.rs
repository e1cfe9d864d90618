//! A whole life in one record, made for survival analysis: that needs begin, end and cause of every subject, the censored included, and collecting them
//! from single events would take the whole log, which a scenario may choose not to write (`record.events`). Times are in ticks, results in
//! R, money in dollars, fitness and vitality from 0 to 1. In survival analysis it is a subject's record with entry, exit and
//! event indicator. It is written once a life, at death or, with no cause, at the end of the run; the tables of lives, survival and most
//! measures are made of it.

use crate::daimon::AffectSummary;
use crate::memory::{Growth, MemoryCensus};
use crate::mortality::narrative::NarrativeArc;
use crate::mortality::skill::ForecastTally;
use crate::mortality::{Cause, Clock, Phase, Rung, TestamentTier};
use crate::replay::causal::Foresight;
use morta_base::{GolemId, Tick, Usdc};
use serde::{Deserialize, Serialize};

/// One life from birth to death, or to the end of the run: time-to-event data (survival data) with covariates, a lifetime record of
/// survival analysis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LifeRecord {
    /// Index of the cohort in the scenario.
    pub cohort: u16,
    /// Its predecessor; `None` for a founder.
    pub parent: Option<GolemId>,
    /// First tick of the life.
    pub born: Tick,
    /// Tick of the death, or last tick of the run.
    pub ended: Tick,
    /// The cause of death; `None` when it outlived the run (right-censored).
    pub cause: Option<Cause>,
    /// First tick and cause at which a clock of an immortal ran out.
    pub would_have_died: Option<(Tick, Cause)>,
    /// First tick at which each clock of an immortal ran out: money, knowledge, chance.
    pub would_have_died_by: [Option<Tick>; Clock::ALL.len()],
    /// The tier of its death, decided when the last rites begin; `None` for a life without any: of the living who hadn't begun to die, and
    /// of those whom a fault struck before.
    pub tier: Option<TestamentTier>,
    /// Value of positions that it gave up in dying.
    pub stranded: Usdc,
    /// Snapshots taken for the case of sudden death.
    pub snapshots: u32,
    /// Ticks spent senescent.
    pub senescent_ticks: Tick,
    /// Its rung on the credit ladder at the end.
    pub rung: Rung,
    /// The tick of its first warning of death.
    pub first_warning: Option<Tick>,
    /// Revenue over burn, over the last day or so; `None` when it had spent nothing.
    pub sustainability: Option<f64>,
    /// The shape of its life.
    pub arc: NarrativeArc,
    /// Balance at birth.
    pub endowment: Usdc,
    /// Balance at the end, after settlement; for the living, open positions are counted at their present value.
    pub balance: Usdc,
    /// Positions closed, for any reason.
    pub trades: u32,
    /// Of these, profitable.
    pub wins: u32,
    /// Sum of their R-multiples.
    pub total_r: f64,
    /// Their profit, costs taken off.
    pub pnl: Usdc,
    /// Sum of their regrets, in R.
    pub total_regret_r: f64,
    /// Abstentions that were followed to their end, remembered or not.
    pub stayed_out: u32,
    /// Positions that the lender took.
    pub liquidations: u32,
    /// Share of all its money, 0 to 1, that was lost in the trade it died of: one that was closed as dying of money began, or after. `None` for every
    /// other death, and for the living.
    pub killed_by_trade: Option<f64>,
    /// Whether the lender ended that trade.
    pub killed_by_liquidation: bool,
    /// Dreams it woke from by itself.
    pub dreams: u32,
    /// Rules in the playbook at the end.
    pub rules: u32,
    /// The census of its memory.
    pub memory: MemoryCensus,
    /// Bloodstains it drew from the Lethe at birth.
    pub bloodstains_drawn: u32,
    /// Bloodstains it left in the Lethe.
    pub bloodstains_left: u32,
    /// Its additions to its inheritance; `None` without one, or if its memory was lost with it.
    pub growth: Option<Growth>,
    /// Epistemic fitness at the end.
    pub fitness: f64,
    /// Forecasts of its memory that came due, and their errors.
    pub forecasts: ForecastTally,
    /// Foresight of its causal graph, as far as dreams have looked back.
    pub foresight: Foresight,
    /// Causal links it knew at the end.
    pub causal_links: u32,
    /// Vitality at the end; 1 for an immortal.
    pub vitality: f64,
    /// Phase at the end.
    pub phase: Phase,
    /// Paid for compute.
    pub compute_paid: Usdc,
    /// Paid for inference.
    pub inference_paid: Usdc,
    /// Paid for gas.
    pub gas_paid: Usdc,
    /// Paid to the Lethe.
    pub lethe_paid: Usdc,
    /// Its mean moods over waking ticks; `None` without affect, or before the first.
    pub affect: Option<AffectSummary>,
}

impl LifeRecord {
    /// Whether the run ended before the life did: administrative right censoring, no death was observed.
    pub fn is_censored(&self) -> bool {
        self.cause.is_none()
    }

    /// The survival time: ticks between birth and end (death or censoring).
    pub fn lifespan(&self) -> Tick {
        self.ended - self.born
    }
}

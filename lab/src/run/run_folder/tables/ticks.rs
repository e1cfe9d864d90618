//! `ticks.parquet`: the world at the close of each tick (time series), with the digest of the log up to there
//! (hash chain). Money is USDC, fitness and vitality are means of 0 to 1. The digest stands at each tick, so
//! that two runs can be compared up to any of them.

use super::{Heard, RowsOf};
use crate::io::error::Result;
use crate::io::table::table;
use crate::run::run_folder::writer::TableWriter;
use morta_base::{Digest, Tick};
use morta_engine::event::{EventKind, TickRecord};

/// The close of a tick: a snapshot of the world.
pub(crate) struct ClosedTick<'a> {
    tick: Tick,
    world: &'a TickRecord,
    digest: &'a Digest,
}

table! {
    /// One tick, as the world was at its close.
    pub struct TickRow in "ticks.parquet" at tick from close: ClosedTick<'_>;

    /// The tick.
    tick: u64, Tick = close.tick;
    /// Its simulated time.
    time_s: i64, UnixSeconds = close.world.time_s;
    /// Golems living, dying ones included.
    alive: u32, Count = close.world.alive;
    /// Of these, dreaming.
    dreaming: u32, Count = close.world.dreaming;
    /// Mean epistemic fitness of those who lived through the tick; 0 when nobody did.
    fitness_mean: f64, Share = close.world.fitness_mean;
    /// Mean vitality of those who lived through the tick; 0 when nobody did.
    vitality_mean: f64, Share = close.world.vitality_mean;
    /// Births since the run began, founders included.
    born: u64, Count = close.world.born;
    /// Deaths since the run began.
    died: u64, Count = close.world.died;
    /// Trades closed since the run began.
    trades: u64, Count = close.world.trades;
    /// Bloodstains in the Lethe, those of earlier runs included.
    bloodstains: u32, Count = close.world.bloodstains;
    /// Money in all purses.
    purses_usdc: f64, Usdc = close.world.purses;
    /// Paid for compute by all golems since the run began.
    compute_paid_usdc: f64, Usdc = close.world.compute_paid;
    /// Paid for inference by all golems since the run began.
    inference_paid_usdc: f64, Usdc = close.world.inference_paid;
    /// Paid for gas by all golems since the run began.
    gas_paid_usdc: f64, Usdc = close.world.gas_paid;
    /// Paid to the Lethe by all golems since the run began.
    lethe_paid_usdc: f64, Usdc = close.world.lethe_paid;
    /// Sum of every account of the world; 0, or money was made or lost.
    ledger_sum_usdc: f64, Usdc = close.world.ledger_sum;
    /// Price of gas for one transaction.
    gas_usdc: f64, Usdc = close.world.gas;
    /// Pool price of the first asset.
    price_usdc: f64, UsdcPerUnit = close.world.price;
    /// True regime of the first asset: `trending_up`, `trending_down`, `range_bound` or `volatile`.
    true_regime: String, Word = close.world.true_regime.name();
    /// Hash of the event log up to and with the close of this tick.
    #[stored(unique)]
    digest: String, Hash = close.digest.hex();
}

/// Makes the rows of the table from events.
#[derive(Default)]
pub(super) struct Ticks;

impl RowsOf for Ticks {
    type Row = TickRow;

    fn take(&mut self, Heard { event, digest, .. }: Heard<'_>, out: &mut TableWriter<TickRow>) -> Result<()> {
        let EventKind::TickClosed(world) = &event.kind else { return Ok(()) };
        out.add(&ClosedTick { tick: event.tick, world, digest })
    }
}

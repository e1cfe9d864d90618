//! `ticks.parquet`: the world at the close of each tick, with the digest of the log up to there.

use super::{Cast, Table};
use crate::run_folder::column::{Column, float, int, text, unique_text};
use crate::run_folder::writer::TableWriter;
use morta_engine::base::Digest;
use morta_engine::event::{Event, EventKind};

pub const COLUMNS: &[Column] = &[
    int("tick"),
    int("time_s"),
    int("alive"),
    int("dreaming"),
    float("fitness_mean"),
    float("vitality_mean"),
    int("born"),
    int("died"),
    int("trades"),
    int("bloodstains"),
    float("purses_usdc"),
    float("compute_paid_usdc"),
    float("inference_paid_usdc"),
    float("gas_paid_usdc"),
    float("lethe_paid_usdc"),
    float("ledger_sum_usdc"),
    float("gas_usdc"),
    float("price_usdc"),
    text("true_regime"),
    unique_text("digest"),
];

/// Makes the rows.
pub struct Ticks;

impl Table for Ticks {
    fn take(&mut self, event: &Event, _: &Cast, digest: &Digest, out: &mut TableWriter) -> crate::Result<()> {
        let EventKind::TickClosed(tick) = &event.kind else { return Ok(()) };
        let mut row = out.row();
        row.int(event.tick).int(tick.time_s).int(tick.alive).int(tick.dreaming);
        row.float(tick.fitness_mean).float(tick.vitality_mean).int(tick.born).int(tick.died);
        row.int(tick.trades).int(tick.bloodstains).usdc(tick.purses).usdc(tick.compute_paid);
        row.usdc(tick.inference_paid).usdc(tick.gas_paid).usdc(tick.lethe_paid).usdc(tick.ledger_sum);
        row.usdc(tick.gas).float(tick.price).text(tick.true_regime.name()).text(digest.hex());
        row.end()
    }
}

//! `inheritance.parquet`: who drew which bloodstain, and what came of it.

use super::{Cast, Table};
use crate::run_folder::column::{Column, flag, float, int, text};
use crate::run_folder::writer::TableWriter;
use morta_engine::base::{BloodstainId, Digest, GolemId, Tick};
use morta_engine::event::{Event, EventKind};
use morta_engine::lethe::RankTerms;
use morta_engine::memory::Inheritance;
use std::collections::BTreeMap;

pub const COLUMNS: &[Column] = &[
    int("lineage"),
    int("generation"),
    text("golem"),
    text("cohort"),
    text("memory"),
    text("bloodstain"),
    int("dead_lineage"),
    int("dead_generation"),
    text("dead_golem"),
    // 0 for this run, else the place of the earlier run in the manifest's list
    int("dead_run"),
    int("drawn_tick"),
    int("rank"),
    float("score"),
    // what the score is made of: (semantic + ... + scar) * boost
    float("score_semantic"),
    float("score_temporal"),
    float("score_quality"),
    float("score_provenance"),
    float("score_scar"),
    float("score_boost"),
    // others that say nearly the same and stand behind it
    int("merged"),
    flag("is_scar"),
    int("settled_tick"),
    // empty when the heir's memory was lost with it, by fault
    int("uses").or_null(),
    int("wins").or_null(),
    float("total_r").or_null(),
    float("mean_r").or_null(),
];

struct Draw {
    id: BloodstainId,
    tick: Tick,
    rank: u32,
    score: f64,
    is_scar: bool,
    merged: u32,
    terms: RankTerms,
}

/// Makes the rows; remembers what the living have drawn.
#[derive(Default)]
pub struct Inheritances {
    drawn: BTreeMap<GolemId, Vec<Draw>>,
}

impl Table for Inheritances {
    fn take(&mut self, event: &Event, cast: &Cast, _: &Digest, out: &mut TableWriter) -> anyhow::Result<()> {
        let Some(heir) = event.golem else { return Ok(()) };
        match &event.kind {
            EventKind::BloodstainDrawn { id, rank, score, is_scar, merged, terms } => {
                let (rank, score, is_scar, merged, terms) = (*rank, *score, *is_scar, *merged, **terms);
                let draw = Draw { id: *id, tick: event.tick, rank, score, is_scar, merged, terms };
                self.drawn.entry(heir).or_default().push(draw);
            }
            EventKind::InheritanceSettled(settled) => {
                let draws = self.drawn.entry(heir).or_default();
                if let Some(index) = draws.iter().position(|draw| draw.id == settled.bloodstain) {
                    let draw = draws.remove(index);
                    write(heir, &draw, event.tick, Some(settled), cast, out)?;
                }
            }
            EventKind::LifeEnded(_) => {
                for draw in self.drawn.remove(&heir).unwrap_or_default() {
                    write(heir, &draw, event.tick, None, cast, out)?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}

fn write(
    heir: GolemId,
    draw: &Draw,
    settled_tick: Tick,
    settled: Option<&Inheritance>,
    cast: &Cast,
    out: &mut TableWriter,
) -> anyhow::Result<()> {
    let cohort = cast.cohort(heir.lineage);
    let mut row = out.row();
    row.golem(heir).text(&cohort.name).text(cohort.memory);
    row.text(draw.id.to_string()).golem(draw.id.golem);
    row.int(draw.id.golem.run()).int(draw.tick).int(draw.rank).float(draw.score);
    let RankTerms { semantic, temporal, quality, provenance, scar, boost } = draw.terms;
    row.float(semantic).float(temporal).float(quality).float(provenance).float(scar).float(boost);
    row.int(draw.merged).flag(draw.is_scar).int(settled_tick);
    row.int_or_null(settled.map(|settled| settled.uses)).int_or_null(settled.map(|settled| settled.wins));
    row.float_or_null(settled.map(|settled| settled.total_r));
    let used = settled.filter(|settled| settled.uses > 0);
    row.float_or_null(used.map(|settled| settled.total_r / f64::from(settled.uses)));
    row.end()
}

//! `inheritance.parquet`: who inherited what from whom, by which way, and what came of it.

use super::{Cast, Table};
use crate::run_folder::column::{Column, flag, float, int, text};
use crate::run_folder::writer::TableWriter;
use morta_engine::base::{BloodstainId, Digest, GolemId, Tick};
use morta_engine::episode::Provenance;
use morta_engine::event::{Event, EventKind};
use morta_engine::lethe::RankTerms;
use morta_engine::memory::{Inheritance, InheritedItem};
use std::collections::BTreeMap;

pub const COLUMNS: &[Column] = &[
    int("lineage"),
    int("generation"),
    text("golem"),
    text("cohort"),
    text("memory"),
    // bloodstain, predecessor or clade
    text("source"),
    text("from_golem"),
    text("bloodstain").or_null(),
    // the golem it comes from, unless that one is alive
    int("dead_lineage").or_null(),
    int("dead_generation").or_null(),
    text("dead_golem").or_null(),
    // 0 for this run, else the place of the earlier run in the manifest's list
    int("dead_run").or_null(),
    int("drawn_tick"),
    // of what was drawn
    int("rank").or_null(),
    float("score").or_null(),
    // what the score is made of: (semantic + ... + scar) * boost
    float("score_semantic").or_null(),
    float("score_temporal").or_null(),
    float("score_quality").or_null(),
    float("score_provenance").or_null(),
    float("score_scar").or_null(),
    float("score_boost").or_null(),
    // others that say nearly the same and stand behind it
    int("merged").or_null(),
    flag("is_scar"),
    int("settled_tick"),
    // from here on empty when the heir's memory was lost with it, by fault
    // the heir's entry or the episode; empty when a lesson found no place
    text("item").or_null(),
    text("claim").or_null(),
    // who first lived or learned it
    text("origin").or_null(),
    float("confidence").or_null(),
    int("first_use_tick").or_null(),
    int("uses").or_null(),
    int("wins").or_null(),
    float("total_r").or_null(),
    float("mean_r").or_null(),
    // outcomes of the heir's life for its claim and against it, whether it spoke or not
    int("confirmed").or_null(),
    int("contradicted").or_null(),
    flag("became_rule").or_null(),
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
    fn take(&mut self, event: &Event, cast: &Cast, _: &Digest, out: &mut TableWriter) -> crate::Result<()> {
        let Some(heir) = event.golem else { return Ok(()) };
        match &event.kind {
            EventKind::BloodstainDrawn { id, rank, score, is_scar, merged, terms } => {
                let (rank, score, is_scar, merged, terms) = (*rank, *score, *is_scar, *merged, **terms);
                let draw = Draw { id: *id, tick: event.tick, rank, score, is_scar, merged, terms };
                self.drawn.entry(heir).or_default().push(draw);
            }
            EventKind::InheritanceSettled(settled) => {
                let mut drawn = None;
                if let Some(id) = settled.source.bloodstain() {
                    let draws = self.drawn.entry(heir).or_default();
                    let Some(index) = draws.iter().position(|draw| draw.id == id) else { return Ok(()) };
                    drawn = Some(draws.remove(index));
                }
                write(heir, &Row::of(settled, drawn.as_ref()), event.tick, cast, out)?;
            }
            EventKind::LifeEnded(_) => {
                for draw in self.drawn.remove(&heir).unwrap_or_default() {
                    write(heir, &Row::lost(&draw), event.tick, cast, out)?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}

struct Row<'a> {
    source: Provenance,
    came: Tick,
    drawn: Option<&'a Draw>,
    is_scar: bool,
    settled: Option<&'a Inheritance>,
}

impl<'a> Row<'a> {
    fn of(settled: &'a Inheritance, drawn: Option<&'a Draw>) -> Self {
        let (source, came, is_scar) = (settled.source, settled.drawn, settled.is_scar());
        Self { source, came, drawn, is_scar, settled: Some(settled) }
    }

    /// What was drawn by a golem whose memory is lost.
    fn lost(draw: &'a Draw) -> Self {
        let source = Provenance::Bloodstain(draw.id);
        Self { source, came: draw.tick, drawn: Some(draw), is_scar: draw.is_scar, settled: None }
    }
}

/// What a source is called, and who it is.
pub fn source_of(source: Provenance, heir: GolemId) -> (&'static str, GolemId) {
    match source {
        Provenance::Own => ("own", heir),
        Provenance::Bloodstain(id) => ("bloodstain", id.golem),
        Provenance::Predecessor(golem) => ("predecessor", golem),
        Provenance::Clade(golem) => ("clade", golem),
    }
}

fn write(
    heir: GolemId,
    inherited: &Row<'_>,
    settled_tick: Tick,
    cast: &Cast,
    out: &mut TableWriter,
) -> crate::Result<()> {
    let cohort = cast.cohort(heir.lineage);
    let (source, from) = source_of(inherited.source, heir);
    let dead = (!matches!(inherited.source, Provenance::Clade(_))).then_some(from);
    let mut row = out.row();
    row.golem(heir).text(&cohort.name).text(&cohort.memory).text(source).name(from);
    row.name_or_null(inherited.source.bloodstain());
    row.int_or_null(dead.map(|golem| golem.lineage)).int_or_null(dead.map(|golem| golem.generation));
    row.name_or_null(dead).int_or_null(dead.map(GolemId::run));
    row.int(inherited.came);
    let drawn = inherited.drawn;
    row.int_or_null(drawn.map(|draw| draw.rank)).float_or_null(drawn.map(|draw| draw.score));
    let term = |of: fn(&RankTerms) -> f64| drawn.map(|draw| of(&draw.terms));
    row.float_or_null(term(|terms| terms.semantic)).float_or_null(term(|terms| terms.temporal));
    row.float_or_null(term(|terms| terms.quality)).float_or_null(term(|terms| terms.provenance));
    row.float_or_null(term(|terms| terms.scar)).float_or_null(term(|terms| terms.boost));
    row.int_or_null(drawn.map(|draw| draw.merged));
    row.flag(inherited.is_scar).int(settled_tick);
    let settled = inherited.settled;
    let (item, claim) = match settled.map(|settled| settled.inherited_item) {
        Some(InheritedItem::Scar(id)) => (Some(id.to_string()), None),
        Some(InheritedItem::Lesson { entry, claim }) => {
            (entry.map(|id| id.to_string()), Some(claim.to_string()))
        }
        None => (None, None),
    };
    row.text_or_null(item)
        .text_or_null(claim)
        .text_or_null(settled.map(|settled| settled.origin.to_string()));
    row.float_or_null(settled.and_then(|settled| settled.confidence));
    row.int_or_null(settled.and_then(|settled| settled.first_use));
    row.int_or_null(settled.map(|settled| settled.uses)).int_or_null(settled.map(|settled| settled.wins));
    row.float_or_null(settled.map(|settled| settled.total_r));
    let used = settled.filter(|settled| settled.uses > 0);
    row.float_or_null(used.map(|settled| settled.total_r / f64::from(settled.uses)));
    let lesson = settled.filter(|settled| !settled.is_scar());
    row.int_or_null(lesson.map(|settled| settled.confirmed));
    row.int_or_null(lesson.map(|settled| settled.contradicted));
    row.flag_or_null(lesson.map(|settled| settled.became_rule));
    row.end()
}

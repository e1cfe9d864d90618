//! `clade.parquet`: a row for each lesson that siblings share, receive or bear out, and for the news of a sibling's death (social learning,
//! peer-to-peer knowledge sharing). Trust is 0 to 1, results are R. All are rows of one table, so that a lesson can be followed through a
//! clade. A lesson beyond the hour's limit, or one that reaches a dying golem, has no `received` row; one is written also where the memory
//! can't take lessons in, and then nothing is staged. Trust is the giver's own, before the hearer's discount. Clades are off by default
//! (`clade.enabled`); without them the table is empty.

use super::cast::CohortEntry;
use super::{Heard, RowsOf};
use crate::io::error::Result;
use crate::io::table::{Named, table};
use crate::run::run_folder::writer::TableWriter;
use morta_base::{GolemId, Tick};
use morta_engine::episode::Claim;
use morta_engine::event::EventKind;

/// A lesson shared or received within a clade, and its golem (social learning event).
pub(crate) struct CladeEvent<'a> {
    tick: Tick,
    golem: GolemId,
    cohort: &'a CohortEntry,
    step: CladeAction<'a>,
}

/// What is known of it, by its kind (social learning event details).
#[derive(Default)]
pub(crate) struct CladeAction<'a> {
    name: &'static str,
    sibling: Option<GolemId>,
    kind: Option<String>,
    claim: Option<&'a Claim>,
    confidence: Option<f64>,
    received: Option<Received>,
    cause: Option<&'static str>,
}

/// What became of a lesson that a golem heard.
#[derive(Clone, Copy)]
struct Received {
    offered: Tick,
    in_dying: bool,
    staged: bool,
}

table! {
    /// One thing that a golem told its clade or heard of it, in the order in which it happened; empty where the scenario has no clades.
    pub struct CladeStep in "clade.parquet" at tick from event: CladeEvent<'_>;

    /// When it happened.
    tick: u64, Tick = event.tick;
    /// Lineage of the golem that told or heard it.
    lineage: u32, Number = event.golem.slot();
    /// Generation of the golem that told or heard it.
    generation: u32, Number = event.golem.generation;
    /// The golem that told or heard it.
    golem: String, Id = Named(event.golem);
    /// Its cohort.
    cohort: String, Name = &event.cohort.name;
    /// The memory architecture of its cohort.
    memory: String, Word = &event.cohort.memory;
    /// What happened: `shared` (it offered a lesson), `received` (it heard one), `borne_out` (one that it had told became a sibling's rule)
    /// or `death` (it heard that a sibling is dead).
    step: String, Word = event.step.name;
    /// The sibling that told the lesson, bore it out or died; empty for `shared`.
    sibling: Option<String>, Id = event.step.sibling.map(Named);
    /// What kind of knowledge was offered: `insight`, `heuristic`, `warning`, `causal_link`, `strategy_fragment`, `question` or
    /// `anti_knowledge`. Empty unless `shared`.
    kind: Option<String>, Word = event.step.kind.as_deref();
    /// What the lesson says, in words; empty for `death`, as are the two columns after it.
    claim: Option<String>, Text = event.step.claim.map(ToString::to_string);
    /// The strategy the lesson is about.
    strategy: Option<String>, Word = event.step.claim.map(|claim| claim.strategy.name());
    /// The R-multiple the lesson expects.
    expected_r: Option<f64>, R = event.step.claim.map(|claim| claim.expected_r);
    /// The giver's trust in the lesson; empty unless `shared` or `received`.
    confidence: Option<f64>, Share = event.step.confidence;
    /// When the lesson was offered; empty unless `received`, as are the two columns after it.
    offered_tick: Option<u64>, Tick = event.step.received.map(|received| received.offered);
    /// Whether the giver offered it in dying.
    in_dying: Option<bool>, Flag = event.step.received.map(|received| received.in_dying);
    /// Whether it was put to the test: not if the golem had an opinion of its own, or no room.
    staged: Option<bool>, Flag = event.step.received.map(|received| received.staged);
    /// What the sibling died of, by the words of `cause` in `lives.parquet`; empty unless `death`.
    cause: Option<String>, Word = event.step.cause;
}

/// Makes the rows (social learning table recorder).
#[derive(Default)]
pub(crate) struct CladeTable;

impl RowsOf for CladeTable {
    type Row = CladeStep;

    fn take(&mut self, Heard { event, cast, .. }: Heard<'_>, out: &mut TableWriter<CladeStep>) -> Result<()> {
        let (Some(golem), Some(step)) = (event.golem, CladeAction::from_kind(&event.kind)) else {
            return Ok(());
        };
        out.add(&CladeEvent { tick: event.tick, golem, cohort: cast.cohort(golem.lineage), step })
    }
}

impl<'a> CladeAction<'a> {
    fn from_kind(kind: &'a EventKind) -> Option<Self> {
        Some(match kind {
            EventKind::Shared { kind, claim, confidence } => Self {
                name: "shared",
                kind: Some(kind.to_string()),
                claim: Some(claim),
                confidence: Some(*confidence),
                ..Self::default()
            },
            EventKind::Received { giver, offered, in_dying, claim, confidence, staged } => Self {
                name: "received",
                sibling: Some(*giver),
                claim: Some(claim),
                confidence: Some(*confidence),
                received: Some(Received { offered: *offered, in_dying: *in_dying, staged: *staged }),
                ..Self::default()
            },
            EventKind::BorneOut { by, claim } => {
                Self { name: "borne_out", sibling: Some(*by), claim: Some(claim), ..Self::default() }
            }
            EventKind::CladeDeath { sibling, cause } => {
                Self { name: "death", sibling: Some(*sibling), cause: Some(cause.name()), ..Self::default() }
            }
            _ => return None,
        })
    }
}

//! `clade.parquet`: what siblings tell each other.

use super::{Cast, Table, name_of};
use crate::run_folder::column::{Column, flag, float, int, text};
use crate::run_folder::writer::TableWriter;
use morta_engine::base::{Digest, GolemId, Tick};
use morta_engine::episode::Claim;
use morta_engine::event::{Event, EventKind};

pub const COLUMNS: &[Column] = &[
    int("tick"),
    int("lineage"),
    int("generation"),
    text("golem"),
    text("cohort"),
    text("memory"),
    // shared: it offered a lesson; received: it heard one; borne_out: one that it told has become a sibling's rule;
    // death: it heard that a sibling is dead
    text("step"),
    // who told, bore out or died
    text("sibling").or_null(),
    text("kind").or_null(),
    text("claim").or_null(),
    text("strategy").or_null(),
    float("expected_r").or_null(),
    // the giver's trust
    float("confidence").or_null(),
    // of what was received: when it was offered, whether in dying, and whether it was put to the test
    int("offered_tick").or_null(),
    flag("in_dying").or_null(),
    flag("staged").or_null(),
    text("cause").or_null(),
];

#[derive(Default)]
struct Step<'a> {
    name: &'static str,
    sibling: Option<GolemId>,
    kind: Option<String>,
    claim: Option<&'a Claim>,
    confidence: Option<f64>,
    received: Option<(Tick, bool, bool)>,
    cause: Option<&'static str>,
}

/// Makes the rows.
pub struct CladeTable;

impl Table for CladeTable {
    fn take(&mut self, event: &Event, cast: &Cast, _: &Digest, out: &mut TableWriter) -> crate::Result<()> {
        let (Some(golem), Some(step)) = (event.golem, step_of(&event.kind)) else { return Ok(()) };
        let cohort = cast.cohort(golem.lineage);
        let mut row = out.row();
        row.int(event.tick).golem(golem).text(&cohort.name).text(&cohort.memory).text(step.name);
        row.name_or_null(step.sibling).text_or_null(step.kind);
        row.text_or_null(step.claim.map(ToString::to_string));
        row.text_or_null(step.claim.map(|claim| claim.strategy.name()));
        row.float_or_null(step.claim.map(|claim| claim.expected_r)).float_or_null(step.confidence);
        row.int_or_null(step.received.map(|(offered, ..)| offered));
        row.flag_or_null(step.received.map(|(_, in_dying, _)| in_dying));
        row.flag_or_null(step.received.map(|(.., staged)| staged)).text_or_null(step.cause);
        row.end()
    }
}

fn step_of(kind: &EventKind) -> Option<Step<'_>> {
    Some(match kind {
        EventKind::Shared { kind, claim, confidence } => Step {
            name: "shared",
            kind: Some(name_of(*kind)),
            claim: Some(claim),
            confidence: Some(*confidence),
            ..Step::default()
        },
        EventKind::Received { giver, offered, in_dying, claim, confidence, staged } => Step {
            name: "received",
            sibling: Some(*giver),
            claim: Some(claim),
            confidence: Some(*confidence),
            received: Some((*offered, *in_dying, *staged)),
            ..Step::default()
        },
        EventKind::BorneOut { by, claim } => {
            Step { name: "borne_out", sibling: Some(*by), claim: Some(claim), ..Step::default() }
        }
        EventKind::CladeDeath { sibling, cause } => {
            Step { name: "death", sibling: Some(*sibling), cause: Some(cause.name()), ..Step::default() }
        }
        _ => return None,
    })
}

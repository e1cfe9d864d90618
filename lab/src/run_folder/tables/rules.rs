//! `rules.parquet`: what became of claims, one row a step: staged, decided, admitted, rejected,
//! retired.

use super::bloodstains::ids;
use super::{Cast, Table, name_of};
use crate::run_folder::column::{Column, float, int, text};
use crate::run_folder::writer::TableWriter;
use morta_engine::base::{Digest, DreamId, EpisodeId, RuleId};
use morta_engine::episode::{Claim, FindingKind, Provenance, StagingVerdict};
use morta_engine::event::{Event, EventKind};

pub const COLUMNS: &[Column] = &[
    int("tick"),
    int("lineage"),
    int("generation"),
    text("golem"),
    text("cohort"),
    text("memory"),
    text("rule"),
    // staged, decided, admitted, rejected (it passed its test, but not the admission gate) or retired
    text("step"),
    text("claim"),
    text("strategy"),
    text("circumstances"),
    float("expected_r"),
    float("confidence").or_null(),
    text("verdict").or_null(),
    int("confirmed").or_null(),
    int("contradicted").or_null(),
    // own, clade (told by a living sibling) or inherited; then the bloodstain, or the golem that handed it over
    text("provenance").or_null(),
    text("bloodstain").or_null(),
    text("from_golem").or_null(),
    // what kind of finding it is, and the dream that made it
    text("kind").or_null(),
    text("dream").or_null(),
    // episodes it was learned from, with spaces between
    text("learned_from").or_null(),
];

#[derive(Default)]
struct Step<'a> {
    name: &'static str,
    confidence: Option<f64>,
    verdict: Option<StagingVerdict>,
    outcomes: Option<(u32, u32)>,
    origin: Option<(Provenance, &'a [EpisodeId])>,
    kind: Option<FindingKind>,
    dream: Option<DreamId>,
}

/// Makes the rows.
pub struct Rules;

impl Table for Rules {
    fn take(&mut self, event: &Event, cast: &Cast, _: &Digest, out: &mut TableWriter) -> crate::Result<()> {
        let (id, claim, step) = match &event.kind {
            EventKind::ClaimStaged { id, claim, confidence, kind, dream, provenance, learned_from } => {
                let step = begun("staged", *confidence, *provenance, learned_from);
                (id, claim, Step { kind: Some(*kind), dream: *dream, ..step })
            }
            EventKind::RuleRejected { id, claim, .. } => {
                (id, claim, Step { name: "rejected", ..Step::default() })
            }
            EventKind::RuleAdmitted { id, claim, confidence, provenance, learned_from } => {
                (id, claim, begun("admitted", *confidence, *provenance, learned_from))
            }
            EventKind::ClaimDecided { id, claim, verdict, confirmed, contradicted } => {
                let outcomes = Some((*confirmed, *contradicted));
                (id, claim, Step { name: "decided", verdict: Some(*verdict), outcomes, ..Step::default() })
            }
            EventKind::RuleRetired { id, claim, confidence, confirmed, contradicted } => {
                let (confidence, outcomes) = (Some(*confidence), Some((*confirmed, *contradicted)));
                (id, claim, Step { name: "retired", confidence, outcomes, ..Step::default() })
            }
            _ => return Ok(()),
        };
        write(event, *id, claim, &step, cast, out)
    }
}

fn begun<'a>(
    name: &'static str,
    confidence: f64,
    provenance: Provenance,
    learned_from: &'a [EpisodeId],
) -> Step<'a> {
    Step { name, confidence: Some(confidence), origin: Some((provenance, learned_from)), ..Step::default() }
}

fn write(
    event: &Event,
    id: RuleId,
    claim: &Claim,
    step: &Step<'_>,
    cast: &Cast,
    out: &mut TableWriter,
) -> crate::Result<()> {
    let golem = event.golem.expect("rules belong to golems");
    let cohort = cast.cohort(golem.lineage);
    let mut row = out.row();
    row.int(event.tick).golem(golem).text(&cohort.name).text(&cohort.memory);
    row.name(id).text(step.name).name(claim);
    row.text(claim.strategy.name()).name(claim.pattern).float(claim.expected_r);
    row.float_or_null(step.confidence).text_or_null(step.verdict.map(name_of));
    row.int_or_null(step.outcomes.map(|(confirmed, _)| confirmed));
    row.int_or_null(step.outcomes.map(|(_, contradicted)| contradicted));
    let bloodstain = step.origin.and_then(|(provenance, _)| provenance.bloodstain());
    let own = |(provenance, _)| match provenance {
        Provenance::Own => "own",
        Provenance::Clade(_) => "clade",
        Provenance::Bloodstain(_) | Provenance::Predecessor(_) => "inherited",
    };
    row.text_or_null(step.origin.map(own)).name_or_null(bloodstain);
    let giver = step.origin.and_then(|(provenance, _)| match provenance {
        Provenance::Own => None,
        Provenance::Bloodstain(id) => Some(id.golem.to_string()),
        Provenance::Predecessor(golem) | Provenance::Clade(golem) => Some(golem.to_string()),
    });
    row.text_or_null(giver);
    row.text_or_null(step.kind.map(name_of)).name_or_null(step.dream);
    row.text_or_null(step.origin.map(|(_, learned_from)| ids(learned_from)));
    row.end()
}

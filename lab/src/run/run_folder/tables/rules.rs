//! `rules.parquet`: steps in the life of claims, one row each: staged, decided, admitted, rejected, retired. It is the rule lifecycle
//! (rule base of an agent): expected results are R, confidence is 0 to 1. Rejected claims have rows too, because a rate of admission needs
//! them.

use super::cast::CohortEntry;
use super::{Heard, RowsOf, came_by, joined};
use crate::io::error::Result;
use crate::io::table::{Named, table};
use crate::run::run_folder::writer::TableWriter;
use morta_base::{DreamId, EpisodeId, GolemId, RuleId, Tick};
use morta_engine::episode::{Claim, FindingKind, Provenance, StagingVerdict};
use morta_engine::event::EventKind;

/// A step in the life of a rule, and whose it is (rule lifecycle event).
pub(crate) struct RuleEvent<'a> {
    tick: Tick,
    golem: GolemId,
    cohort: &'a CohortEntry,
    id: RuleId,
    claim: &'a Claim,
    step: RuleAction<'a>,
}

/// What is known of a step, by its kind (rule event details).
#[derive(Default)]
pub(crate) struct RuleAction<'a> {
    name: &'static str,
    confidence: Option<f64>,
    verdict: Option<StagingVerdict>,
    outcomes: Option<Outcomes>,
    origin: Option<Origin<'a>>,
    kind: Option<FindingKind>,
    dream: Option<DreamId>,
}

/// Waking outcomes of a claim's subject.
#[derive(Clone, Copy)]
struct Outcomes {
    confirmed: u32,
    contradicted: u32,
}

/// Where a claim comes from.
#[derive(Clone, Copy)]
struct Origin<'a> {
    provenance: Provenance,
    learned_from: &'a [EpisodeId],
}

table! {
    /// One step in the life of a rule, in the order in which they happened. A claim is staged (put to the test) and decided (the test
    /// ends); if it was promoted, it is admitted to the playbook or rejected at its gate; and once admitted it may be retired. `rule` joins
    /// the steps.
    pub struct RuleStep in "rules.parquet" at tick from rule: RuleEvent<'_>;

    /// When it happened.
    tick: u64, Tick = rule.tick;
    /// Lineage of the golem whose rule it is.
    lineage: u32, Number = rule.golem.slot();
    /// Generation of the golem whose rule it is.
    generation: u32, Number = rule.golem.generation;
    /// The golem whose rule it is.
    golem: String, Id = Named(rule.golem);
    /// Its cohort.
    cohort: String, Name = &rule.cohort.name;
    /// The memory architecture of its cohort.
    memory: String, Word = &rule.cohort.memory;
    /// The rule, or the one that the claim would become.
    rule: String, Id = Named(rule.id);
    /// The step: `staged`, `decided`, `admitted`, `rejected` (it passed its test, but not the admission gate) or `retired`.
    step: String, Word = rule.step.name;
    /// What it says, in words.
    claim: String, Text = Named(rule.claim);
    /// What kind of claim it is: `entry` (going in), `exit` (staying in or leaving), `sequence` (going in after another trade), `stake` (how
    /// much to put in) or `guard` (what can cost dearly).
    about: String, Word = rule.claim.kind().to_string();
    /// The strategy it is about.
    strategy: String, Word = rule.claim.strategy.name();
    /// The circumstances it is about, in words.
    circumstances: String, Text = Named(rule.claim.pattern);
    /// The R-multiple it expects there; above 0 it favours the strategy, else it warns of it.
    expected_r: f64, R = rule.claim.expected_r;
    /// The golem's trust in it; empty for `decided` and `rejected`.
    confidence: Option<f64>, Share = rule.step.confidence;
    /// How the test ended: `promoted` (borne out often enough), `refuted`, `expired` (neither within its time) or `displaced` (a stronger
    /// claim needed the room). Empty unless `decided`.
    verdict: Option<String>, Word = rule.step.verdict.map(|word| word.to_string());
    /// Outcomes for it so far; empty unless `decided` or `retired`.
    confirmed: Option<u32>, Count = rule.step.outcomes.map(|outcomes| outcomes.confirmed);
    /// Outcomes against it so far; empty unless `decided` or `retired`.
    contradicted: Option<u32>, Count = rule.step.outcomes.map(|outcomes| outcomes.contradicted);
    /// Where it comes from: `own`, `clade` (a living sibling told it) or `inherited`. Empty unless `staged` or `admitted`.
    provenance: Option<String>, Word = rule.step.origin.map(|origin| origin.way());
    /// The bloodstain it was drawn from; empty when it came another way.
    bloodstain: Option<String>, Id = rule.step.origin.and_then(|origin| origin.provenance.bloodstain()).map(Named);
    /// The golem that handed it over or told it; empty for its own.
    from_golem: Option<String>, Id = rule.step.origin.and_then(|origin| came_by(origin.provenance).1).map(Named);
    /// What kind of conclusion it is: `insight` (read from replayed experience), `hypothesis` (a counterfactual or an imagined strategy),
    /// `transformation` (a basic assumption turned around), `fragment` (from the edge of sleep), `guard` (against a rehearsed threat) or
    /// `lesson` (drawn from a bloodstain). Empty unless `staged`.
    kind: Option<String>, Word = rule.step.kind.map(|word| word.to_string());
    /// The dream that drew the conclusion; empty unless `staged`, and for conclusions that no dream drew.
    dream: Option<String>, Id = rule.step.dream.map(Named);
    /// The episodes it was learned from; empty unless `staged` or `admitted`.
    learned_from: Option<String>, Ids = rule.step.origin.map(|origin| joined(origin.learned_from));
}

/// Makes the rows of the table from events.
#[derive(Default)]
pub(crate) struct RulesRecorder;

impl RowsOf for RulesRecorder {
    type Row = RuleStep;

    fn take(&mut self, Heard { event, cast, .. }: Heard<'_>, out: &mut TableWriter<RuleStep>) -> Result<()> {
        let (id, claim, step) = match &event.kind {
            EventKind::ClaimStaged { id, claim, confidence, kind, dream, provenance, learned_from } => {
                let step = RuleAction::begun("staged", *confidence, *provenance, learned_from);
                (id, claim, RuleAction { kind: Some(*kind), dream: *dream, ..step })
            }
            EventKind::RuleRejected { id, claim, .. } => {
                (id, claim, RuleAction { name: "rejected", ..RuleAction::default() })
            }
            EventKind::RuleAdmitted { id, claim, confidence, provenance, learned_from } => {
                (id, claim, RuleAction::begun("admitted", *confidence, *provenance, learned_from))
            }
            EventKind::ClaimDecided { id, claim, verdict, confirmed, contradicted } => {
                let outcomes = Some(Outcomes { confirmed: *confirmed, contradicted: *contradicted });
                let verdict = Some(*verdict);
                (id, claim, RuleAction { name: "decided", verdict, outcomes, ..RuleAction::default() })
            }
            EventKind::RuleRetired { id, claim, confidence, confirmed, contradicted } => {
                let outcomes = Some(Outcomes { confirmed: *confirmed, contradicted: *contradicted });
                let confidence = Some(*confidence);
                (id, claim, RuleAction { name: "retired", confidence, outcomes, ..RuleAction::default() })
            }
            _ => return Ok(()),
        };
        let golem = event.golem.expect("rules belong to golems");
        let cohort = cast.cohort(golem.lineage);
        out.add(&RuleEvent { tick: event.tick, golem, cohort, id: *id, claim, step })
    }
}

impl<'a> RuleAction<'a> {
    /// A step that begins something, with the origin of the claim.
    fn begun(
        name: &'static str,
        confidence: f64,
        provenance: Provenance,
        learned_from: &'a [EpisodeId],
    ) -> Self {
        let origin = Some(Origin { provenance, learned_from });
        Self { name, confidence: Some(confidence), origin, ..Self::default() }
    }
}

impl Origin<'_> {
    fn way(self) -> &'static str {
        match self.provenance {
            Provenance::Own => "own",
            Provenance::Clade(_) => "clade",
            Provenance::Bloodstain(_) | Provenance::Predecessor(_) => "inherited",
        }
    }
}

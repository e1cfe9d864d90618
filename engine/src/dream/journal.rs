//! What a golem remembers of its dreams themselves (dream architecture, "dream journal entry").

use crate::episode::{Claim, FindingKind, ThreatKind};
use crate::replay::{AnticipatoryTrajectory, CreditAssignment, LiveVerdicts};
use morta_base::{DreamId, RuleId, Tick, Usdc};
use serde::{Deserialize, Serialize};

/// How the replayed episodes were sorted (Stickgold and Walker).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct TriageDecisions {
    pub preserve: u32,
    pub r#abstract: u32,
    pub forget: u32,
}

/// What replay did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NremSummary {
    /// Episodes read again.
    pub episodes_replayed: u32,
    /// Patterns found.
    pub patterns_found: Vec<Claim>,
    /// How the episodes were sorted.
    pub triage_decisions: TriageDecisions,
    /// Outcomes traced back to their decisions.
    pub credit_assignments: Vec<CreditAssignment>,
    /// Episodes gone through with something made worse that it would have spoilt.
    pub broken_by_perturbation: u32,
    /// The prospect the golem would stand worst.
    pub worst_prospect: Option<AnticipatoryTrajectory>,
}

/// What imagination did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RemSummary {
    /// Fragments kept from the edge of sleep.
    pub fragments_kept: u32,
    /// Of how many.
    pub fragments_caught: u32,
    /// Ways not taken that were gone through.
    pub counterfactuals_generated: u32,
    /// Ideas.
    pub creative_hypotheses: Vec<Claim>,
    /// Threats rehearsed.
    pub threats_simulated: Vec<ThreatKind>,
    /// Episodes whose feeling was told from their facts.
    pub emotional_episodes_processed: u32,
}

/// What integration did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct IntegrationSummary {
    /// Insights and rules that were borne out.
    pub confirmed: Vec<Claim>,
    /// Claims put to the test.
    pub staged: Vec<RuleId>,
    /// Rules that entered the playbook.
    pub admitted: Vec<RuleId>,
    /// Claims that passed their test and not the admission gate.
    pub rejected: Vec<RuleId>,
    /// Findings against what was known; noted, not resolved.
    pub contradictions_flagged: Vec<Claim>,
}

/// One dream in the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DreamJournalEntry {
    /// Which dream.
    pub id: DreamId,
    /// When it ended.
    pub timestamp: Tick,
    /// Replay.
    pub nrem: NremSummary,
    /// Imagination.
    pub rem: RemSummary,
    /// Integration.
    pub integration: IntegrationSummary,
    /// What it cost.
    pub total_cost: Usdc,
    /// How long it took.
    pub dream_duration_ticks: Tick,
    /// How good the golem thinks it was, 0 to 1; corrected by what became of its conclusions.
    pub dream_quality_score: f64,
    /// What life has said of its conclusions since. Empty in logs of builds that didn't tell kinds apart.
    #[serde(default)]
    pub live: LiveVerdicts,
    /// Whether the dream was broken off, by death or otherwise.
    pub is_partial: bool,
}

/// What the self-assessment weighs; together 1.
const NEW: f64 = 0.4;
const SUPPORTED: f64 = 0.3;
const READ: f64 = 0.2;
const WHOLE: f64 = 0.1;
/// What one conclusion borne out adds to a dream's quality, and what one refuted takes off: the staging steps.
const CONFIRMED_STEP: f64 = 0.1;
const REFUTED_STEP: f64 = 0.05;

/// The self-assessment, in [0, 1]: .4 × the share of findings that were new, + .3 × the share that rests on two episodes or
/// more, + .2 × the share of the chosen episodes that were read, + .1 if nothing was cut short. A dream without findings has
/// neither of the first two. (The spec asks for such a score and leaves it open; these are our own weights.)
pub fn quality(findings: u32, new: u32, supported: u32, (read, chosen): (u32, u32), cut_short: bool) -> f64 {
    let share = |part: u32, whole: u32| if whole == 0 { 0.0 } else { f64::from(part) / f64::from(whole) };
    let parts = NEW * share(new, findings)
        + SUPPORTED * share(supported, findings)
        + READ * share(read, chosen)
        + if cut_short { 0.0 } else { WHOLE };
    // The parts are tenths, which don't add up to 1 exactly.
    parts.min(1.0)
}

impl DreamJournalEntry {
    /// Life has decided one of its conclusions. Quality hears of every kind: it judges the dream, of which replay is a part.
    pub fn hear_of_life(&mut self, kind: FindingKind, confirmed: bool) {
        let step = if confirmed { CONFIRMED_STEP } else { -REFUTED_STEP };
        self.live.decide(kind, confirmed);
        self.dream_quality_score = (self.dream_quality_score + step).clamp(0.0, 1.0);
    }
}

//! The dream journal: what a golem remembers of its dreams themselves (dream architecture, "dream journal entry"). It is a log of sleep
//! cycles with a self-assessed quality score.
//!
//! Quality runs from 0 to 1, costs are in dollars, durations in ticks, claims in R. Entries change after the dream, as waking life confirms
//! or refutes its conclusions; so the score becomes a validated one, and the schedule reads it: the mean of the latest five whole dreams
//! makes dreams more or less frequent. The mode of replay may go by the verdicts (`dream.replay.confused_by`), and a testament names the
//! dreams that life hasn't confirmed. A memory keeps 32 entries; broken dreams don't count towards that mean.

use crate::episode::{Claim, FindingKind, ThreatKind};
use crate::replay::{AnticipatoryTrajectory, CreditAssignment, LiveVerdicts};
use morta_base::{DreamId, RuleId, Tick, Usdc};
use serde::{Deserialize, Serialize};

/// Counters of the fates of replayed episodes, by memory triage (Stickgold & Walker 2013): kept, abstracted and forgotten.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct TriageDecisions {
    pub preserve: u32,
    pub r#abstract: u32,
    pub forget: u32,
}

/// Summary of replay in slow-wave sleep (NREM).
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
    /// What-ifs that break a trade which pays without them.
    pub broken_by_perturbation: u32,
    /// The prospect in which the golem fares worst.
    pub worst_prospect: Option<AnticipatoryTrajectory>,
}

/// Summary of imagination: counterfactuals, ideas and threat simulations of REM sleep.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RemSummary {
    /// Fragments kept from the edge of sleep.
    pub fragments_kept: u32,
    /// Fragments caught.
    pub fragments_caught: u32,
    /// Alternatives to past decisions that were examined.
    pub counterfactuals_generated: u32,
    /// Ideas.
    pub creative_hypotheses: Vec<Claim>,
    /// Threats rehearsed.
    pub threats_simulated: Vec<ThreatKind>,
    /// Episodes whose arousal was lowered.
    pub emotional_episodes_processed: u32,
}

/// Summary of integration: the memory consolidation report, as lists of confirmed, staged and admitted claims.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct IntegrationSummary {
    /// Insights and rules that the dream found again.
    pub confirmed: Vec<Claim>,
    /// Claims put to the test.
    pub staged: Vec<RuleId>,
    /// Rules that entered the playbook.
    pub admitted: Vec<RuleId>,
    /// Claims that passed their test and not the admission gate.
    pub rejected: Vec<RuleId>,
    /// Findings that contradict what was known; noted, not resolved (dream architecture, phase 3: "flag for review, do not
    /// auto-resolve").
    pub contradictions_flagged: Vec<Claim>,
}

/// One dream in the journal: a log record (diary entry) of one sleep cycle.
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
    /// Self-assessed quality, 0 to 1, corrected by the fate of its conclusions (dream architecture, "dream quality
    /// self-assessment").
    pub dream_quality_score: f64,
    /// Verdicts of waking life on its conclusions. Empty in logs of builds that didn't tell kinds apart.
    #[serde(default)]
    pub live: LiveVerdicts,
    /// Whether the dream was broken off, by death or by an interrupt.
    pub is_partial: bool,
}

/// Weights of the self-assessment; together 1. Our choice: the dream architecture ("dream quality self-assessment") asks first whether the
/// replay revealed anything new, so novelty weighs most.
const NEW: f64 = 0.4;
const SUPPORTED: f64 = 0.3;
const READ: f64 = 0.2;
const WHOLE: f64 = 0.1;
/// Steps of quality for a conclusion that is confirmed or refuted. Our choice: those of the staging buffer, so that one
/// refutation doesn't undo one confirmation.
const CONFIRMED_STEP: f64 = 0.1;
const REFUTED_STEP: f64 = 0.05;

/// The self-assessed quality of a dream, in [0, 1]: .4 × the share of findings that were new + .3 × the share that rests on two episodes or
/// more + .2 × the share of the chosen episodes that were read + .1 if nothing was cut short. A dream without findings has neither of the
/// first two. (The spec wants such a score and gives no formula.) A self-assessment score (weighted sum).
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
    /// Takes in that waking life decided one of its conclusions. Quality counts every kind, because it judges the dream, of which replay is
    /// a part. By this validation out of sample a promoted claim adds .1 to the score, and a refuted one takes .05 off.
    pub(crate) fn note_live_verdict(&mut self, kind: FindingKind, confirmed: bool) {
        let step = if confirmed { CONFIRMED_STEP } else { -REFUTED_STEP };
        self.live.decide(kind, confirmed);
        self.dream_quality_score = (self.dream_quality_score + step).clamp(0.0, 1.0);
    }
}

//! Events of dreams: their data types, and conversions of what dreams and integration report into events. Quality and weights run from 0 to
//! 1, counts are of episodes or claims. The order of converted events is part of a run's bytes. The golem writes them; no golem or service
//! reads an event, so they decide nothing.

use crate::daimon::Pad;
use crate::dream::BeliefEntry;
use crate::dream::integration::{IntegrationOutcome, OutputClass};
use crate::dream::nrem::Triage;
use crate::dream::report::DreamNote;
use crate::episode::StagingVerdict;
use crate::event::EventKind;
use crate::replay::{PadBias, ReplayMode};
use morta_base::DreamId;
use serde::{Deserialize, Serialize};

/// The state of mind in which a golem falls asleep: a snapshot of mood and replay mode at sleep onset.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DreamMind {
    /// Its mood.
    pub mood: Pad,
    /// The bias of replay by the mood, if any.
    pub bias: Option<PadBias>,
    /// The mode of replay.
    pub mode: ReplayMode,
    /// Weight of its legacy in the choice of replays, 0 to 1.
    pub legacy: f64,
}

/// The immediate results (summary metrics) of a dream (dream architecture, "DreamComplete").
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DreamResult {
    /// Episodes read again.
    pub episodes_replayed: u32,
    /// Counterfactuals that were gone through.
    pub counterfactuals_generated: u32,
    /// Insights and hypotheses that were new; guards don't count.
    pub insights_crystallized: u32,
    /// Findings dropped: memory as a whole contradicts them.
    pub implausible: u32,
    /// Claims put to the test.
    pub heuristics_proposed: u32,
    /// Episodes remembered with less feeling.
    pub episodes_depotentiated: u32,
    /// Changes of the playbook.
    pub playbook_edits: u32,
    /// Episodes of which only the outcome is kept.
    pub episodes_abstracted: u32,
    /// Episodes let go.
    pub episodes_forgotten: u32,
    /// Quality of the dream by the golem's score, 0 to 1.
    pub quality: f64,
    /// Triage of the replayed episodes, each with its reason.
    pub triage: Vec<Triage>,
}

impl EventKind {
    /// Makes the event of a note that a dream took of its progress.
    pub fn of_dream(id: DreamId, note: DreamNote) -> Self {
        match note {
            DreamNote::Phase { phase, budget, budget_tokens } => {
                Self::DreamPhase { id, phase, budget, budget_tokens }
            }
            DreamNote::Hypothesis { hypothesis, seed_episode_tick } => {
                Self::DreamHypothesis { id, hypothesis, seed_episode_tick }
            }
            DreamNote::Counterfactual { episode, hypothesis, outcome, lesson, confidence } => {
                Self::DreamCounterfactual { id, episode, hypothesis, outcome, lesson, confidence }
            }
        }
    }

    /// Lists the events of an integration: rules that left and came, claims that the gate turned away, contradictions, conclusions known to
    /// be wrong, claims put to the test and claims displaced, in this order. The order is part of a run's bytes.
    pub(crate) fn of_integration(outcome: IntegrationOutcome) -> Vec<Self> {
        let contradictions: Vec<_> = outcome.of_class(OutputClass::Contradiction).collect();
        let denied = outcome.denied.into_iter().map(|(claim, by)| Self::ClaimDenied { claim, by });
        let retired = outcome.retired.into_iter().map(Self::of_retired);
        let admitted = outcome.admitted.into_iter().map(Self::of_admitted);
        let rejected = outcome.rejected.into_iter().map(|(staged, score)| Self::RuleRejected {
            id: staged.id,
            claim: staged.claim,
            score,
        });
        let contradictions = contradictions.into_iter().map(|claim| Self::Contradiction { claim });
        let stagings = outcome.staged.into_iter().map(Self::of_staged);
        let displaced = outcome.displaced.into_iter().map(Self::of_displaced);
        retired
            .chain(admitted)
            .chain(rejected)
            .chain(contradictions)
            .chain(denied)
            .chain(stagings)
            .chain(displaced)
            .collect()
    }

    /// Makes the event of a rule that left the playbook, with its evidence.
    pub(crate) fn of_retired(rule: BeliefEntry) -> Self {
        Self::RuleRetired {
            id: rule.id,
            claim: rule.claim,
            confidence: rule.confidence,
            confirmed: rule.evidence.confirmed,
            contradicted: rule.evidence.contradicted,
        }
    }

    /// Makes the event of a rule that entered the playbook, by a dream or as a default at birth.
    pub(crate) fn of_admitted(rule: BeliefEntry) -> Self {
        Self::RuleAdmitted {
            id: rule.id,
            claim: rule.claim,
            confidence: rule.confidence,
            provenance: rule.provenance,
            learned_from: rule.into_belief().learned_from,
        }
    }

    /// Makes the event of a claim under test, of any provenance.
    pub(crate) fn of_staged(staged: BeliefEntry) -> Self {
        Self::ClaimStaged {
            id: staged.id,
            claim: staged.claim,
            confidence: staged.confidence,
            kind: staged.finding,
            dream: staged.dream,
            provenance: staged.provenance,
            learned_from: staged.into_belief().learned_from,
        }
    }

    /// Makes the event of a test that is over, with its verdict.
    pub(crate) fn of_decided(staged: BeliefEntry, verdict: StagingVerdict) -> Self {
        Self::ClaimDecided {
            id: staged.id,
            claim: staged.claim,
            verdict,
            confirmed: staged.evidence.confirmed,
            contradicted: staged.evidence.contradicted,
        }
    }

    /// Makes the event of a claim that was displaced by another: a verdict like the others.
    pub(crate) fn of_displaced(staged: BeliefEntry) -> Self {
        Self::of_decided(staged, StagingVerdict::Displaced)
    }
}

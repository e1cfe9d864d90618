//! Integration: the only way from a dream to the waking mind. Findings are staged for testing; claims that passed their test and
//! the admission gate enter the playbook; rules are revised by waking outcomes; memories are sorted (dream architecture, phase
//! 3). Confidence runs from 0 to 1, results are in R. The field's term is memory consolidation; as engineering, it is the single writer of
//! a rule base, so that no rule enters without the gate. The memory calls `integrate` once, when its golem wakes from a whole dream; of a
//! broken one the journal is kept, and its findings go unprocessed to the next dream. A finding of this dream is staged, and a rule is
//! admitted only after waking trades have confirmed it, so it takes two dreams at least (without `validation_required`, one). `beliefs` is
//! the store, `staging_gate` and `admission` are the two gates, `playbook` is the write path to rules, `rules` has what touches them awake.

pub mod admission;
pub mod beliefs;
pub mod config;
pub mod playbook;
mod rules;
mod staging_gate;

pub(crate) use rules::{levy_demurrage, note, restart_demurrage, take_over_defaults};
pub use staging_gate::{StagingResult, put_to_test};

use crate::dream::DreamReport;
use crate::dream::journal::{self, DreamJournalEntry, IntegrationSummary};
use crate::dream::nrem::TriageVerdict;
use crate::dream::report::DreamFinding;
use crate::episode::{
    AgeingConfig, Claim, Evidence, FindingKind, Grimoire, Provenance, Reinforcement, ThreatKind, ThreatRecord,
};
use crate::replay::LiveVerdicts;
use admission::{Admission, AdmissionScore};
use beliefs::{Belief, BeliefEntry, Beliefs, Disproof};
use config::ConsolidationConfig;
use morta_base::{DreamId, GolemId, RuleId, Tick};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Waking outcomes of a rule's subject since the last dream: sufficient statistics (win and loss counts, and their sum).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RuleTally {
    /// Outcomes for the rule and against it.
    pub evidence: Evidence,
    /// Sum of the outcomes, in R.
    pub total_r: f64,
}

/// The parts of a memory that integration writes: split borrows of a memory, lent for one unit of work.
#[derive(Debug)]
pub struct Mind<'a> {
    /// Episodes: replay leaves traces on them.
    pub grimoire: &'a mut Grimoire,
    /// All that is believed: dreams confirm or contradict it, and add to it.
    pub beliefs: &'a mut Beliefs,
    /// Waking outcomes since the last dream, by rule.
    pub tallies: &'a mut BTreeMap<RuleId, RuleTally>,
    /// How entries age.
    pub ageing: &'a AgeingConfig,
    /// Threats that earlier dreams rehearsed.
    pub threats: &'a mut BTreeMap<ThreatKind, ThreatRecord>,
    /// Number of the next rule.
    pub next_rule: &'a mut u32,
}

morta_base::words! {
    /// The six classes of what a dream puts out (dream architecture, phase 3). A classification (routing category) of findings.
    pub enum OutputClass {
        /// It was known, and is now trusted more.
        ConfirmedPattern = "confirmed_pattern",
        /// Read from experience, and new.
        NovelInsight = "novel_insight",
        /// Imagined.
        StrategyHypothesis = "strategy_hypothesis",
        /// A guard against a threat.
        Threat = "threat",
        /// A rule in force, but of another size.
        PlaybookRevision = "playbook_revision",
        /// Against what is known: noted, not resolved, and put to the test.
        Contradiction = "contradiction",
    }
}

/// The result of integration: a changelog (diff) of the knowledge base, from which the golem writes its events.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct IntegrationOutcome {
    /// The findings and their classes.
    pub classified: Vec<(OutputClass, Claim)>,
    /// Insights and hypotheses, guards left out, that were neither known, nor under test, nor known to be wrong before.
    pub novel: u32,
    /// Of these, the insights: read from experience, not imagined.
    pub novel_insights: u32,
    /// Findings not in force that repeat a claim under test or a refuted one.
    pub restated: u32,
    /// Conclusions newly under test.
    pub staged: Vec<BeliefEntry>,
    /// Conclusions displaced from the full buffer.
    pub displaced: Vec<BeliefEntry>,
    /// Rules newly in force.
    pub admitted: Vec<BeliefEntry>,
    /// Claims that passed their test, but not the gate.
    pub rejected: Vec<(BeliefEntry, AdmissionScore)>,
    /// Rules no longer in force.
    pub retired: Vec<BeliefEntry>,
    /// Those of them that outcomes since the last dream refuted.
    pub disproved: Vec<Disproof>,
    /// Conclusions that were not staged: each is known to be wrong, with the entry that says so.
    pub denied: Vec<(Claim, RuleId)>,
    /// Changes made to the playbook.
    pub playbook_edits: u32,
    /// Episodes whose arousal was lowered.
    pub depotentiated: u32,
    /// Episodes of which only the outcome is kept.
    pub abstracted: u32,
    /// Episodes forgotten.
    pub forgotten: u32,
}

impl IntegrationOutcome {
    /// Findings of one class, in the order of the report (a filter by category).
    pub(crate) fn of_class(&self, class: OutputClass) -> impl Iterator<Item = Claim> {
        self.classified.iter().filter(move |(found, _)| *found == class).map(|(_, claim)| *claim)
    }

    fn count(&self, class: OutputClass) -> u32 {
        self.of_class(class).count() as u32
    }

    fn note_novelty(&mut self, class: OutputClass, is_new: bool) {
        match class {
            OutputClass::NovelInsight if is_new => {
                self.novel += 1;
                self.novel_insights += 1;
            }
            OutputClass::StrategyHypothesis if is_new => self.novel += 1,
            OutputClass::ConfirmedPattern => {}
            _ => self.restated += u32::from(!is_new),
        }
    }
}

/// Difference in R from which a finding on a rule's subject is a revision of it. Our choice: the .25 R that an outcome must exceed to confirm a claim
/// (`dream.consolidation.staging.confirm_margin_r`); less can't be told from noise.
const REVISION_R: f64 = 0.25;

/// Confidence that an insight gains when a dream finds it again. Our choice: half of a waking vote, because a dream reads the
/// same episodes.
const INSIGHT_STEP: f64 = 0.05;

/// Applies a dream's report (memory consolidation); replayed episodes gain `strengthen` of strength. The report's metrics are completed on
/// the way.
pub fn integrate(
    report: &mut DreamReport,
    golem: GolemId,
    now: Tick,
    mind: &mut Mind<'_>,
    config: &ConsolidationConfig,
    strengthen: f64,
) -> IntegrationOutcome {
    let mut outcome = IntegrationOutcome::default();
    rework_memories(report, now, mind, strengthen, &mut outcome);
    rehearse(report, now, mind);
    // Before findings are classified, so that they are compared with what life has left of a rule and not with its state a dream
    // ago.
    revise_rules(now, mind, config, &mut outcome);
    for finding in &report.findings {
        let class = classify(finding, now, mind);
        outcome.classified.push((class, finding.pattern.claim));
        let is_new = stage(finding, class, (golem, report.id, now), mind, config, &mut outcome);
        outcome.note_novelty(class, is_new);
    }
    // Last: a rule that life has just revised can then be replaced, and a finding of this dream can be admitted by it only where
    // no test is required.
    admit(now, mind, config, &mut outcome);
    let metrics = &mut report.metrics;
    metrics.novel_insights_generated = outcome.novel_insights;
    metrics.existing_insights_confirmed = outcome.count(OutputClass::ConfirmedPattern);
    metrics.existing_insights_contradicted = outcome.count(OutputClass::Contradiction);
    metrics.contradictions_found += metrics.existing_insights_contradicted;
    let is_insight = |staged: &&BeliefEntry| staged.finding == FindingKind::Insight;
    metrics.playbook_revisions_proposed = outcome.staged.iter().filter(is_insight).count() as u32;
    metrics.derive();
    outcome
}

/// Marks of replay, lowered arousal, and triage. Only an episode that was read can be forgotten.
fn rework_memories(
    report: &DreamReport,
    now: Tick,
    mind: &mut Mind<'_>,
    strengthen: f64,
    outcome: &mut IntegrationOutcome,
) {
    for replayed in &report.replayed {
        mind.grimoire.mark_replayed(replayed.episode, now, strengthen as f32);
    }
    for episode in &report.reappraised {
        let is_stored = mind.grimoire.depotentiate(*episode, report.depotentiation as f32);
        outcome.depotentiated += u32::from(is_stored);
    }
    for sorted in &report.triage {
        if !report.replayed.iter().any(|replayed| replayed.episode == sorted.episode) {
            continue;
        }
        match sorted.verdict {
            TriageVerdict::Preserve => {}
            TriageVerdict::Abstract => {
                outcome.abstracted += u32::from(mind.grimoire.abstract_away(sorted.episode));
            }
            TriageVerdict::Forget => {
                outcome.forgotten += u32::from(mind.grimoire.remove(sorted.episode).is_some());
            }
        }
    }
}

fn rehearse(report: &DreamReport, now: Tick, mind: &mut Mind<'_>) {
    for rehearsed in &report.threats {
        let record = mind.threats.entry(rehearsed.kind).or_insert_with(|| ThreatRecord::new(rehearsed.kind));
        record.rehearse(report.id.number, now, rehearsed.loss_r);
        if !rehearsed.responses.is_empty() {
            record.responses.clone_from(&rehearsed.responses);
        }
    }
}

/// The class of a finding. An insight or a rule that agrees gains strength (+.5: the replay spec's "dream replay + validated
/// pattern"), and an insight confidence.
fn classify(finding: &DreamFinding, now: Tick, mind: &mut Mind<'_>) -> OutputClass {
    let claim = finding.pattern.claim;
    let rule = mind.beliefs.rule_on(&claim).map(|rule| (rule.id, rule.claim));
    let insight = mind.beliefs.insight_on(&claim).map(|insight| (insight.id, insight.claim));
    match (rule, insight) {
        (Some((_, known)), _) if !known.agrees_with(&claim) => OutputClass::Contradiction,
        (Some((_, known)), _) if (known.expected_r - claim.expected_r).abs() > REVISION_R => {
            OutputClass::PlaybookRevision
        }
        (None, Some((_, known))) if !known.agrees_with(&claim) => OutputClass::Contradiction,
        (rule @ Some(_), insight) | (rule, insight @ Some(_)) => {
            if let Some(insight) = insight.and_then(|(id, _)| mind.beliefs.insight_mut(id)) {
                insight.confidence = (insight.confidence + INSIGHT_STEP).min(1.0);
                insight.standing.reinforce(Reinforcement::Dream, now);
            }
            if let Some((id, _)) = rule {
                note(mind.beliefs, id, |standing| standing.reinforce(Reinforcement::Dream, now));
            }
            OutputClass::ConfirmedPattern
        }
        (None, None) => match finding.kind {
            FindingKind::Insight | FindingKind::Lesson => OutputClass::NovelInsight,
            FindingKind::Guard => OutputClass::Threat,
            FindingKind::Hypothesis | FindingKind::Transformation | FindingKind::Fragment => {
                OutputClass::StrategyHypothesis
            }
        },
    }
}

/// First confidence of a finding.
pub(crate) fn first_confidence(finding: &DreamFinding, config: &ConsolidationConfig) -> f64 {
    let of_kind = match finding.kind {
        FindingKind::Insight | FindingKind::Lesson => config.insight_confidence,
        FindingKind::Guard => config.guard_confidence,
        FindingKind::Hypothesis | FindingKind::Fragment => config.hypothesis_confidence,
        FindingKind::Transformation => config.transformation_confidence,
    };
    finding.confidence.unwrap_or(of_kind)
}

/// Stages a finding, unless it is a rule already. Returns whether it was new: a claim under test is found again in dream after
/// dream, and so is one that was refuted.
fn stage(
    finding: &DreamFinding,
    class: OutputClass,
    (golem, dream, now): (GolemId, DreamId, Tick),
    mind: &mut Mind<'_>,
    config: &ConsolidationConfig,
    outcome: &mut IntegrationOutcome,
) -> bool {
    let claim = finding.pattern.claim;
    if class == OutputClass::ConfirmedPattern && mind.beliefs.rule_on(&claim).is_some() {
        return false;
    }
    let id = RuleId { golem, number: *mind.next_rule };
    let belief = Belief {
        finding: finding.kind,
        dream: Some(dream),
        provenance: inherited_from(mind.grimoire, finding),
        learned_from: finding.pattern.learned_from.clone(),
        ..Belief::new(id, claim, first_confidence(finding, config), now)
    };
    match put_to_test(belief, false, mind, now, config) {
        StagingResult::Staged { claim, displaced } => {
            outcome.displaced.extend(displaced.map(|left| *left));
            outcome.staged.push(*claim);
            true
        }
        StagingResult::Denied(by) => {
            outcome.denied.push((claim, by));
            false
        }
        StagingResult::Known(_) => false,
        // It is stored nowhere, so the next dream will take it for new again.
        StagingResult::NoRoom => true,
    }
}

/// Brings claims that passed their test before the admission gate.
fn admit(now: Tick, mind: &mut Mind<'_>, config: &ConsolidationConfig, outcome: &mut IntegrationOutcome) {
    for claim in mind.beliefs.take_awaiting_admission() {
        let trial = claim.trial().expect("what awaits admission was tested");
        let score = AdmissionScore::from_trial(&claim, trial, mind.beliefs, now, &config.admission);
        let verdict = score.verdict(&config.admission);
        if verdict == Admission::Rejected {
            outcome.rejected.push((claim, score));
            continue;
        }
        let mut belief = claim.into_belief();
        if verdict == Admission::Cautious {
            belief.confidence = config.admission.cautious_confidence;
        }
        let id = belief.id;
        outcome.playbook_edits += 1;
        outcome.retired.extend(mind.beliefs.admit(belief, now));
        outcome.admitted.extend(mind.beliefs.rule(id).cloned());
    }
}

/// Makes the journal's entry for a dream. For a broken dream the outcome is the empty one.
pub(crate) fn journal_entry(
    report: &DreamReport,
    outcome: &IntegrationOutcome,
    now: Tick,
) -> DreamJournalEntry {
    let findings = report.findings.len() as u32;
    let known = outcome.count(OutputClass::ConfirmedPattern) + outcome.restated;
    let supported = report.findings.iter().filter(|f| f.pattern.learned_from.len() >= 2).count() as u32;
    let read = (report.metrics.episodes_replayed, report.chosen);
    let ids = |staged: &[BeliefEntry]| staged.iter().map(|staged| staged.id).collect();
    DreamJournalEntry {
        id: report.id,
        timestamp: now,
        nrem: report.nrem.clone(),
        rem: report.rem.clone(),
        integration: IntegrationSummary {
            confirmed: outcome.of_class(OutputClass::ConfirmedPattern).collect(),
            staged: ids(&outcome.staged),
            admitted: outcome.admitted.iter().map(|rule| rule.id).collect(),
            rejected: outcome.rejected.iter().map(|(staged, _)| staged.id).collect(),
            contradictions_flagged: outcome.of_class(OutputClass::Contradiction).collect(),
        },
        total_cost: report.cost,
        dream_duration_ticks: now.saturating_sub(report.began),
        dream_quality_score: journal::quality(findings, findings - known, supported, read, report.cut_short),
        live: LiveVerdicts::default(),
        is_partial: report.is_partial,
    }
}

/// A conclusion counts as inherited when more than half of its sources are; it then takes the provenance of the first such
/// source.
fn inherited_from(grimoire: &Grimoire, finding: &DreamFinding) -> Provenance {
    let sources = finding.pattern.learned_from.iter().filter_map(|id| grimoire.get(*id));
    let origins: Vec<Provenance> = sources.map(|source| source.provenance).collect();
    let inherited = origins.iter().filter(|origin| **origin != Provenance::Own).count();
    let first = origins.iter().find(|origin| **origin != Provenance::Own);
    match first {
        Some(origin) if 2 * inherited > origins.len() => *origin,
        _ => Provenance::Own,
    }
}

/// Revises rules by outcomes since the last dream. The expected R moves towards the mean outcome; confidence moves by a step for
/// each outcome, or by the likelihood of the outcomes under what was believed. A rule that falls too low is retired, and its
/// claim counts as disproved.
fn revise_rules(
    now: Tick,
    mind: &mut Mind<'_>,
    config: &ConsolidationConfig,
    outcome: &mut IntegrationOutcome,
) {
    for (id, tally) in std::mem::take(mind.tallies) {
        let Some(rule) = mind.beliefs.rule(id) else { continue };
        let believed = rule.claim;
        let mut revised = Belief::clone(rule);
        let Evidence { confirmed, contradicted } = tally.evidence;
        let count = tally.evidence.tests();
        let keep = morta_base::math::pow(1.0 - config.rule_learning_rate, f64::from(count));
        let mean = tally.total_r / f64::from(count.max(1));
        revised.claim.expected_r = keep * believed.expected_r + (1.0 - keep) * mean;
        revised.evidence.add(tally.evidence);
        let test = mind.beliefs.sequential_test(&config.staging);
        let moved = match &test {
            Some(test) => test.evidence(believed.expected_r, tally.total_r, count),
            // A claim about size is right or wrong by how much, not by how often (`StagingConfig::stepped`).
            None if !believed.kind().is_about_worth() => config.rule_confirm_step * tally.total_r,
            None => {
                f64::from(confirmed) * config.rule_confirm_step
                    - f64::from(contradicted) * config.rule_contradict_step
            }
        };
        revised.confidence = match &test {
            Some(test) => test.moved(revised.confidence, moved),
            None => (revised.confidence + moved).clamp(0.0, 1.0),
        };
        let too_low = match &test {
            Some(test) => test.refutes(revised.confidence),
            None => revised.confidence < config.retire_below,
        };
        // A rule that was admitted with little trust may stay below the limit as long as outcomes don't contradict it. Remembered
        // as wrong is the claim as it was before these outcomes moved it.
        outcome.playbook_edits += 1;
        if too_low && moved < 0.0 {
            let wrong = Belief { claim: believed, ..revised };
            outcome.disproved.push(Disproof::new(wrong, mean, test.is_some(), now));
            outcome.retired.extend(mind.beliefs.retire(id));
        } else {
            mind.beliefs.revise(revised);
        }
    }
}

//! What a dream concluded becomes part of the waking mind: conclusions are staged for testing, what has passed its
//! test and the admission gate enters the playbook, rules are revised by what has happened since, memories are sorted.

pub mod admission;
pub mod config;
mod door;
pub mod playbook;
mod rules;

pub use door::{Tested, put_to_test};
pub use rules::{
    demur, give_up, note_clade, note_use, note_validation, start_clocks_anew, take_over_defaults,
};

use crate::base::{GolemId, RuleId, Tick};
use crate::curator::Insight;
use crate::dream::DreamReport;
use crate::dream::journal::{self, DreamJournalEntry, IntegrationSummary};
use crate::dream::nrem::Verdict;
use crate::dream::report::Finding;
use crate::episode::{
    AgeingConfig, AntiKnowledge, Claim, FindingKind, Grimoire, Provenance, Reinforcement, StagedClaim,
    StagingBuffer, Standing, ThreatKind, ThreatRecord,
};
use admission::{Admission, AdmissionScore};
use config::ConsolidationConfig;
use playbook::{Playbook, PlaybookEdit, Rule};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What happened to a rule's subject while its golem was awake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// Outcomes that bore the rule out.
    pub confirmed: u32,
    /// Outcomes that spoke against it.
    pub contradicted: u32,
    /// Sum of the outcomes, in R.
    pub total_r: f64,
}

/// The parts of a memory that integration writes.
#[derive(Debug)]
pub struct Mind<'a> {
    /// Episodes: replay leaves traces on them.
    pub grimoire: &'a mut Grimoire,
    /// Waking insights: dreams confirm or contradict them.
    pub insights: &'a mut Vec<Insight>,
    /// Conclusions under test.
    pub staging: &'a mut StagingBuffer,
    /// Conclusions that have passed their test.
    pub validated: &'a mut Vec<StagedClaim>,
    /// Waking outcomes since the last dream, by rule.
    pub tallies: &'a mut BTreeMap<RuleId, Tally>,
    /// The rules in force.
    pub playbook: &'a mut Playbook,
    /// What proved wrong.
    pub anti: &'a [AntiKnowledge],
    /// How entries age.
    pub ageing: &'a AgeingConfig,
    /// Threats met or rehearsed.
    pub threats: &'a mut BTreeMap<ThreatKind, ThreatRecord>,
    /// Number of the next rule.
    pub next_rule: &'a mut u32,
}

/// The six classes of what a dream puts out (dream architecture, phase 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputClass {
    /// Known already; what is known is trusted more.
    ConfirmedPattern,
    /// Read from experience, and new.
    NovelInsight,
    /// Imagined.
    StrategyHypothesis,
    /// A guard against a threat.
    Threat,
    /// A rule in force, but of another size.
    PlaybookRevision,
    /// Against what is known: noted, not resolved, and put to the test.
    Contradiction,
}

/// What became of it all.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct IntegrationOutcome {
    /// The findings and their classes.
    pub classified: Vec<(OutputClass, Claim)>,
    /// Conclusions newly under test.
    pub staged: Vec<StagedClaim>,
    /// Conclusions that had to leave the full buffer.
    pub displaced: Vec<StagedClaim>,
    /// Rules newly in force.
    pub admitted: Vec<Rule>,
    /// Claims that passed their test, but not the gate.
    pub rejected: Vec<(StagedClaim, AdmissionScore)>,
    /// Rules no longer in force.
    pub retired: Vec<Rule>,
    /// Those of them that experience refuted, with what they came to since the last dream, as a mean R.
    pub disproved: Vec<(Rule, f64)>,
    /// Conclusions that were not put to the test, because they are known to be wrong, and by what that is known.
    pub denied: Vec<(Claim, RuleId)>,
    /// Changes made to the playbook.
    pub playbook_edits: u32,
    /// Episodes remembered with less feeling.
    pub depotentiated: u32,
    /// Episodes of which only the outcome is kept.
    pub abstracted: u32,
    /// Episodes let go.
    pub forgotten: u32,
}

impl IntegrationOutcome {
    /// Findings of one class.
    pub fn of_class(&self, class: OutputClass) -> impl Iterator<Item = Claim> {
        self.classified.iter().filter(move |(found, _)| *found == class).map(|(_, claim)| *claim)
    }

    fn count(&self, class: OutputClass) -> u32 {
        self.of_class(class).count() as u32
    }

    fn edit(&mut self, edit: PlaybookEdit, playbook: &mut Playbook, config: &ConsolidationConfig) {
        self.playbook_edits += 1;
        self.retired.extend(playbook.apply(edit, config.max_rules as usize));
    }
}

/// How much a dream that agrees moves an insight's confidence.
const INSIGHT_STEP: f64 = 0.05;

/// Applies a report; replayed episodes gain `strengthen` of strength. The report's metrics are completed on the way.
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
    revise_rules(mind, config, &mut outcome);
    for finding in &report.findings {
        let class = classify(finding, now, mind, config);
        outcome.classified.push((class, finding.pattern.claim));
        stage(finding, class, (golem, report.id, now), mind, config, &mut outcome);
    }
    admit(now, mind, config, &mut outcome);
    let metrics = &mut report.metrics;
    metrics.novel_insights_generated =
        outcome.count(OutputClass::NovelInsight) + outcome.count(OutputClass::StrategyHypothesis);
    metrics.existing_insights_confirmed = outcome.count(OutputClass::ConfirmedPattern);
    metrics.existing_insights_contradicted = outcome.count(OutputClass::Contradiction);
    metrics.contradictions_found += metrics.existing_insights_contradicted;
    metrics.playbook_revisions_proposed = outcome.staged.len() as u32;
    metrics.derive();
    outcome
}

/// Traces of replay, feelings worked through, and what triage decided. Only what was read can be let go.
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
            Verdict::Preserve => {}
            Verdict::Abstract => {
                outcome.abstracted += u32::from(mind.grimoire.abstract_away(sorted.episode));
            }
            Verdict::Forget => {
                outcome.forgotten += u32::from(mind.grimoire.remove(sorted.episode).is_some());
            }
        }
    }
}

fn rehearse(report: &DreamReport, now: Tick, mind: &mut Mind<'_>) {
    for rehearsed in &report.threats {
        let record = mind.threats.entry(rehearsed.kind).or_insert_with(|| ThreatRecord::new(rehearsed.kind));
        record.rehearse(report.id.number, now, rehearsed.loss_r);
        record.guard = rehearsed.guard.or(record.guard);
    }
}

/// Which of the six it is. Insights that agree are trusted a little more and are remembered better, and so are rules (+.5
/// strength: the dream found again what is known).
fn classify(finding: &Finding, now: Tick, mind: &mut Mind<'_>, config: &ConsolidationConfig) -> OutputClass {
    let claim = finding.pattern.claim;
    let agrees = |known: f64| (known > 0.0) == (claim.expected_r > 0.0);
    let rule = mind.playbook.same_subject(&claim).map(|rule| (rule.id, rule.claim.expected_r));
    let insight = mind.insights.iter_mut().find(|insight| insight.claim.same_subject(&claim));
    let confirm = |insight: &mut Insight| {
        insight.confidence = (insight.confidence + INSIGHT_STEP).min(1.0);
        insight.standing.reinforce(Reinforcement::Dream, now);
    };
    match (rule, insight) {
        (Some((_, known)), _) if !agrees(known) => OutputClass::Contradiction,
        (Some((_, known)), _) if (known - claim.expected_r).abs() > config.revision_r => {
            OutputClass::PlaybookRevision
        }
        (Some((id, _)), insight) => {
            insight.into_iter().for_each(confirm);
            rules::reinforce(mind.playbook, id, Reinforcement::Dream, now);
            OutputClass::ConfirmedPattern
        }
        (None, Some(insight)) if !agrees(insight.claim.expected_r) => OutputClass::Contradiction,
        (None, Some(insight)) => {
            confirm(insight);
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

/// Trust in a finding to begin with.
pub(crate) fn first_confidence(finding: &Finding, config: &ConsolidationConfig) -> f64 {
    let of_kind = match finding.kind {
        FindingKind::Insight | FindingKind::Lesson => config.insight_confidence,
        FindingKind::Guard => config.guard_confidence,
        FindingKind::Hypothesis | FindingKind::Fragment => config.hypothesis_confidence,
        FindingKind::Transformation => config.transformation_confidence,
    };
    finding.confidence.unwrap_or(of_kind)
}

/// Puts a finding to the test, unless it is a rule already.
fn stage(
    finding: &Finding,
    class: OutputClass,
    (golem, dream, now): (GolemId, crate::base::DreamId, Tick),
    mind: &mut Mind<'_>,
    config: &ConsolidationConfig,
    outcome: &mut IntegrationOutcome,
) {
    let claim = finding.pattern.claim;
    if class == OutputClass::ConfirmedPattern && mind.playbook.same_subject(&claim).is_some() {
        return;
    }
    let staged = StagedClaim {
        id: RuleId { golem, number: *mind.next_rule },
        claim,
        confidence: first_confidence(finding, config),
        staged: now,
        confirmed: 0,
        contradicted: 0,
        total_r: 0.0,
        last_tested: now,
        kind: finding.kind,
        dream: Some(dream),
        unfinished: false,
        origin: golem,
        provenance: inherited_from(mind.grimoire, finding),
        standing: Standing::new(now),
        learned_from: finding.pattern.learned_from.clone(),
    };
    match put_to_test(staged, mind, now, config) {
        Tested::Staged { claim, displaced } => {
            outcome.displaced.extend(displaced.map(|left| *left));
            outcome.staged.push(*claim);
        }
        Tested::Denied(by) => outcome.denied.push((claim, by)),
        Tested::Known(_) | Tested::NoRoom => {}
    }
}

/// What has passed its test goes through the gate.
fn admit(now: Tick, mind: &mut Mind<'_>, config: &ConsolidationConfig, outcome: &mut IntegrationOutcome) {
    for mut staged in std::mem::take(mind.validated) {
        let score = AdmissionScore::of(&staged, mind.playbook, now, &config.admission);
        match score.verdict(&config.admission) {
            Admission::Rejected => {
                outcome.rejected.push((staged, score));
                continue;
            }
            Admission::Cautious => staged.confidence = config.admission.cautious_confidence,
            Admission::Normal => {}
        }
        let id = staged.id;
        outcome.edit(PlaybookEdit::admit(staged, now), mind.playbook, config);
        outcome.admitted.extend(mind.playbook.rules().iter().find(|rule| rule.id == id).cloned());
    }
}

/// The journal's entry for a dream that has been integrated.
pub fn journal_entry(report: &DreamReport, outcome: &IntegrationOutcome, now: Tick) -> DreamJournalEntry {
    let findings = report.findings.len() as u32;
    let known = outcome.count(OutputClass::ConfirmedPattern);
    let supported = report.findings.iter().filter(|f| f.pattern.learned_from.len() >= 2).count() as u32;
    let read = (report.metrics.episodes_replayed, report.chosen);
    let ids = |staged: &[StagedClaim]| staged.iter().map(|staged| staged.id).collect();
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
        confirmed_live: 0,
        refuted_live: 0,
        is_partial: report.is_partial,
    }
}

/// A conclusion counts as inherited when most of what it rests on is: it then comes from the first such bloodstain.
fn inherited_from(grimoire: &Grimoire, finding: &Finding) -> Provenance {
    let sources = finding.pattern.learned_from.iter().filter_map(|id| grimoire.get(*id));
    let origins: Vec<Provenance> = sources.map(|source| source.provenance).collect();
    let inherited = origins.iter().filter(|origin| **origin != Provenance::Own).count();
    let first = origins.iter().find(|origin| **origin != Provenance::Own);
    match first {
        Some(origin) if 2 * inherited > origins.len() => *origin,
        _ => Provenance::Own,
    }
}

/// Rules follow what happened since the last dream: the expected R moves towards the mean outcome, confidence up and down by
/// a step each; what falls too low leaves, and is known to be wrong from then on.
fn revise_rules(mind: &mut Mind<'_>, config: &ConsolidationConfig, outcome: &mut IntegrationOutcome) {
    for (id, tally) in std::mem::take(mind.tallies) {
        let Some(rule) = mind.playbook.rules().iter().find(|rule| rule.id == id) else { continue };
        let mut rule = rule.clone();
        let count = tally.confirmed + tally.contradicted;
        let keep = crate::base::math::pow(1.0 - config.rule_learning_rate, f64::from(count));
        let mean = tally.total_r / f64::from(count.max(1));
        let believed = rule.claim;
        rule.claim.expected_r = keep * rule.claim.expected_r + (1.0 - keep) * mean;
        rule.confirmed += tally.confirmed;
        rule.contradicted += tally.contradicted;
        let moved = f64::from(tally.confirmed) * config.rule_confirm_step
            - f64::from(tally.contradicted) * config.rule_contradict_step;
        rule.confidence = (rule.confidence + moved).clamp(0.0, 1.0);
        let edit = if rule.confidence < config.retire_below && moved < 0.0 {
            outcome.disproved.push((Rule { claim: believed, ..rule.clone() }, mean));
            PlaybookEdit::retire(id)
        } else {
            PlaybookEdit::revise(rule)
        };
        outcome.edit(edit, mind.playbook, config);
    }
}

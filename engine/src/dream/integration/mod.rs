//! What a dream concluded becomes part of the waking mind: conclusions are staged for testing, what has passed its
//! test enters the playbook, rules are revised by what has happened since.

pub mod playbook;

use crate::base::{GolemId, RuleId, Tick};
use crate::curator::Insight;
use crate::dream::DreamReport;
use crate::dream::config::ConsolidationConfig;
use crate::dream::cycle::Finding;
use crate::episode::{Claim, Grimoire, Provenance, StagedClaim, StagingBuffer};
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
    /// Number of the next rule.
    pub next_rule: &'a mut u32,
}

/// What became of it all.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct IntegrationOutcome {
    /// Conclusions newly under test.
    pub staged: Vec<StagedClaim>,
    /// Conclusions that had to leave the full buffer.
    pub displaced: Vec<StagedClaim>,
    /// Rules newly in force.
    pub admitted: Vec<Rule>,
    /// Rules no longer in force.
    pub retired: Vec<Rule>,
    /// Findings that go against a rule or an insight; they are noted, not resolved.
    pub contradictions: Vec<Claim>,
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
    for replayed in &report.replayed {
        if let Some(slot) = mind.grimoire.slot_of(replayed.episode) {
            mind.grimoire.mark_replayed(slot, now, strengthen as f32);
        }
    }
    revise_rules(mind, config, &mut outcome);
    for staged in std::mem::take(mind.validated) {
        let edit = PlaybookEdit::admit(staged, now);
        outcome.retired.extend(mind.playbook.apply(edit, config.max_rules as usize));
        outcome.admitted.extend(mind.playbook.rules().last().cloned());
    }
    for finding in std::mem::take(&mut report.findings) {
        classify(&finding, report, mind, &mut outcome);
        stage(&finding, golem, now, mind, config, &mut outcome);
        report.findings.push(finding);
    }
    report.metrics.playbook_revisions_proposed += outcome.staged.len() as u32;
    report.metrics.derive();
    outcome
}

/// Confirmed pattern, contradiction, or something new (dream architecture, phase 3, classes 1, 2 and 6).
fn classify(
    finding: &Finding,
    report: &mut DreamReport,
    mind: &mut Mind<'_>,
    outcome: &mut IntegrationOutcome,
) {
    let claim = finding.pattern.claim;
    let agrees = |known: f64| (known > 0.0) == (claim.expected_r > 0.0);
    let rule = mind.playbook.same_subject(&claim).map(|rule| rule.claim.expected_r);
    let insight = mind.insights.iter_mut().find(|insight| insight.claim.same_subject(&claim));
    let known = rule.or_else(|| insight.as_ref().map(|insight| insight.claim.expected_r));
    match known {
        None => report.metrics.novel_insights_generated += 1,
        Some(known) if agrees(known) => {
            report.metrics.existing_insights_confirmed += 1;
            if let Some(insight) = insight {
                insight.confidence = (insight.confidence + INSIGHT_STEP).min(1.0);
            }
        }
        Some(_) => {
            report.metrics.existing_insights_contradicted += 1;
            report.metrics.contradictions_found += 1;
            outcome.contradictions.push(claim);
        }
    }
}

fn stage(
    finding: &Finding,
    golem: GolemId,
    now: Tick,
    mind: &mut Mind<'_>,
    config: &ConsolidationConfig,
    outcome: &mut IntegrationOutcome,
) {
    let claim = finding.pattern.claim;
    let known = mind.playbook.same_subject(&claim);
    if known.is_some_and(|rule| (rule.claim.expected_r > 0.0) == (claim.expected_r > 0.0)) {
        return;
    }
    let confidence =
        if finding.hypothesis { config.hypothesis_confidence } else { config.insight_confidence };
    let staged = StagedClaim {
        id: RuleId { golem, number: *mind.next_rule },
        claim,
        confidence,
        staged: now,
        confirmed: 0,
        contradicted: 0,
        provenance: inherited_from(mind.grimoire, finding),
        learned_from: finding.pattern.learned_from.clone(),
    };
    let before = mind.staging.claims().len();
    let displaced = mind.staging.stage(staged.clone(), &config.staging);
    let merged = displaced.is_none() && mind.staging.claims().len() == before;
    let turned_away = displaced.as_ref().is_some_and(|left| left.id == staged.id);
    if merged || turned_away {
        return;
    }
    *mind.next_rule += 1;
    outcome.staged.push(staged);
    outcome.displaced.extend(displaced);
}

/// A conclusion counts as inherited when most of what it rests on is: it then comes from the first such bloodstain.
fn inherited_from(grimoire: &Grimoire, finding: &Finding) -> Provenance {
    let slots = finding.pattern.learned_from.iter().filter_map(|id| grimoire.slot_of(*id));
    let origins: Vec<Provenance> = slots.map(|slot| grimoire.record(slot).provenance).collect();
    let inherited = origins.iter().filter(|origin| **origin != Provenance::Own).count();
    let first = origins.iter().find(|origin| **origin != Provenance::Own);
    match first {
        Some(origin) if 2 * inherited > origins.len() => *origin,
        _ => Provenance::Own,
    }
}

/// Rules follow what happened since the last dream: the expected R moves towards the mean outcome, confidence up and down by
/// a step each; what falls too low leaves.
fn revise_rules(mind: &mut Mind<'_>, config: &ConsolidationConfig, outcome: &mut IntegrationOutcome) {
    for (id, tally) in std::mem::take(mind.tallies) {
        let Some(rule) = mind.playbook.rules().iter().find(|rule| rule.id == id) else { continue };
        let mut rule = rule.clone();
        let count = tally.confirmed + tally.contradicted;
        let keep = crate::base::math::pow(1.0 - config.rule_learning_rate, f64::from(count));
        let mean = tally.total_r / f64::from(count.max(1));
        rule.claim.expected_r = keep * rule.claim.expected_r + (1.0 - keep) * mean;
        rule.confirmed += tally.confirmed;
        rule.contradicted += tally.contradicted;
        let moved = f64::from(tally.confirmed) * config.rule_confirm_step
            - f64::from(tally.contradicted) * config.rule_contradict_step;
        rule.confidence = (rule.confidence + moved).clamp(0.0, 1.0);
        let edit = if rule.confidence < config.retire_below {
            PlaybookEdit::retire(id)
        } else {
            PlaybookEdit::revise(&rule)
        };
        outcome.retired.extend(mind.playbook.apply(edit, config.max_rules as usize));
    }
}

//! Changes to rules between dreams: use, confirmation, demurrage, and defaults that three generations have proved. They belong to
//! integration, because it is the playbook's only writer. Confidence runs from 0 to 1, times are in ticks. The memory calls them awake:
//! when a trade closes (use by the rules that spoke for it, confirmation of those that apply), at a sibling's confirmation, at housekeeping
//! and at birth. For defaults at birth [`MOST_RULES`] bounds the rules of all kinds together, which is stricter than at admission.

use super::admission::{Admission, AdmissionScore};
use super::beliefs::{Belief, BeliefEntry, Beliefs, Trial};
use super::config::ConsolidationConfig;
use super::playbook::MOST_RULES;
use crate::episode::{DemurrageConfig, EntryStanding};
use morta_base::{RuleId, Tick};

/// Notes what befell a rule awake (its use, a confirmation by an outcome or a sibling), or that a dream found it again. It changes a
/// rule's standing, never its claim.
pub(crate) fn note(beliefs: &mut Beliefs, id: RuleId, happened: impl FnOnce(&mut EntryStanding)) {
    if let Some(rule) = beliefs.rules_mut().iter_mut().find(|rule| rule.id == id) {
        happened(&mut rule.belief_mut().standing);
    }
}

/// Levies demurrage on every active entry. Rules with too little confidence left leave the playbook and are returned as they were before
/// this payment; the memory decides about other entries with too little.
pub(crate) fn levy_demurrage(
    beliefs: &mut Beliefs,
    config: &DemurrageConfig,
    now: Tick,
    fast_track: bool,
) -> Vec<BeliefEntry> {
    let mut spent = Vec::new();
    for entry in beliefs.active_mut() {
        let (mut standing, mut confidence) = (entry.standing, entry.confidence);
        config.levy(&mut standing, &entry.nature(), &mut confidence, now, fast_track);
        if entry.in_force_since().is_some() && config.archives(confidence) {
            // It leaves with the confidence that it was acted on with, which decides whether it is burnt or archived.
            spent.push(entry.id);
            continue;
        }
        let belief = entry.belief_mut();
        (belief.standing, belief.confidence) = (standing, confidence);
    }
    spent.into_iter().filter_map(|id| beliefs.retire(id)).collect()
}

/// Waives demurrage for the time so far, at a change of the phase of life: a reset of the decay interval.
pub(crate) fn restart_demurrage(beliefs: &mut Beliefs, now: Tick) {
    beliefs.active_mut().iter_mut().for_each(|entry| entry.belief_mut().standing.paid_until = now);
}

/// Brings beliefs that at least three generations have held before the gate at birth, and puts them in force as far as it admits them and
/// there is room. Returns the rules that are in force from now on. (Digest section 14: Baldwin promotion at generation ≥ 3 and confidence ≥ .7.) This is genetic assimilation.
pub(crate) fn take_over_defaults(
    proven: Vec<Belief>,
    beliefs: &mut Beliefs,
    now: Tick,
    config: &ConsolidationConfig,
) -> Vec<BeliefEntry> {
    let mut admitted = Vec::new();
    for mut belief in proven {
        let score =
            AdmissionScore::from_trial(&belief, &Trial::new(false, now), beliefs, now, &config.admission);
        let verdict = score.verdict(&config.admission);
        let known = beliefs.rule_on(&belief.claim).is_some();
        let full = beliefs.rules().len() >= MOST_RULES;
        if verdict == Admission::Rejected || known || full {
            continue;
        }
        if verdict == Admission::Cautious {
            belief.confidence = belief.confidence.min(config.admission.cautious_confidence);
        }
        let id = belief.id;
        beliefs.admit(belief, now);
        admitted.extend(beliefs.rule(id).cloned());
    }
    admitted
}

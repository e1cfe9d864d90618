//! What integration does to rules outside dreams: it notes that they were used and borne out, lets them pay demurrage, and
//! takes over what three generations have proved.

use super::admission::{Admission, AdmissionScore};
use super::beliefs::{Belief, Beliefs, Entry, Trial};
use super::config::ConsolidationConfig;
use super::playbook::PlaybookEdit;
use crate::episode::{DemurrageConfig, EntryStanding, Reinforcement};
use morta_base::{RuleId, Tick};

/// What happens to a rule in waking life touches how it stands, never what it says.
fn note(beliefs: &mut Beliefs, id: RuleId, happened: impl FnOnce(&mut EntryStanding)) {
    if let Some(rule) = beliefs.rules_mut().iter_mut().find(|rule| rule.id == id) {
        happened(&mut rule.belief_mut().standing);
    }
}

/// A rule spoke in a decision that was acted on; when that paid, it is remembered better.
pub fn note_use(beliefs: &mut Beliefs, id: RuleId, now: Tick, helped: bool) {
    note(beliefs, id, |standing| standing.speak(now, helped));
}

/// Waking experience bore a rule out.
pub fn note_validation(beliefs: &mut Beliefs, id: RuleId, now: Tick) {
    note(beliefs, id, |standing| standing.validate(now));
}

/// A sibling bore a rule out.
pub fn note_clade(beliefs: &mut Beliefs, id: RuleId, now: Tick) {
    reinforce(beliefs, id, Reinforcement::Clade, now);
}

pub(super) fn reinforce(beliefs: &mut Beliefs, id: RuleId, by: Reinforcement, now: Tick) {
    note(beliefs, id, |standing| standing.reinforce(by, now));
}

/// Everything that is active pays demurrage. Rules that have too little confidence left leave the playbook and are returned, as they
/// were before this payment; what becomes of other entries that have too little is for the memory to say.
pub fn levy_demurrage(
    beliefs: &mut Beliefs,
    config: &DemurrageConfig,
    now: Tick,
    fast_track: bool,
) -> Vec<Entry> {
    let mut spent = Vec::new();
    for entry in beliefs.active_mut() {
        let (mut standing, mut confidence) = (entry.standing, entry.confidence);
        config.levy(&mut standing, &entry.nature(), &mut confidence, now, fast_track);
        if entry.in_force_since().is_some() && config.archives(confidence) {
            // It leaves with the trust it was acted on with: whether it is burnt or archived goes by that.
            spent.push(entry.id);
            continue;
        }
        let belief = entry.belief_mut();
        (belief.standing, belief.confidence) = (standing, confidence);
    }
    spent.into_iter().filter_map(|id| retire(beliefs, id)).collect()
}

/// Nothing is owed any more for the time so far.
pub fn restart_demurrage(beliefs: &mut Beliefs, now: Tick) {
    beliefs.active_mut().iter_mut().for_each(|entry| entry.belief_mut().standing.paid_until = now);
}

/// A rule has to leave because there are too many entries.
pub fn retire(beliefs: &mut Beliefs, id: RuleId) -> Option<Entry> {
    beliefs.apply(PlaybookEdit::retire(id), usize::MAX)
}

/// What became of rules that at least three generations have held by.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Defaults {
    /// Rules in force from now on.
    pub admitted: Vec<Entry>,
    /// What the gate or the playbook had no room for.
    pub turned_away: Vec<Belief>,
}

/// What at least three generations have held by goes through the gate at birth and is in force from then on, as far as the gate
/// lets it and there is room.
pub fn take_over_defaults(
    proven: Vec<Belief>,
    beliefs: &mut Beliefs,
    now: Tick,
    config: &ConsolidationConfig,
) -> Defaults {
    let mut defaults = Defaults::default();
    for mut belief in proven {
        let score = AdmissionScore::of(&belief, &Trial::new(false, now), beliefs, now, &config.admission);
        let verdict = score.verdict(&config.admission);
        let known = beliefs.rule_on(&belief.claim).is_some();
        let full = beliefs.rules().len() >= config.max_rules as usize;
        if verdict == Admission::Rejected || known || full {
            defaults.turned_away.push(belief);
            continue;
        }
        if verdict == Admission::Cautious {
            belief.confidence = belief.confidence.min(config.admission.cautious_confidence);
        }
        let id = belief.id;
        beliefs.apply(PlaybookEdit::admit(belief, now), config.max_rules as usize);
        defaults.admitted.extend(beliefs.rule(id).cloned());
    }
    defaults
}

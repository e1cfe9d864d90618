//! What integration does to rules outside dreams: it notes that they were used and borne out, lets them pay demurrage, and
//! takes over what three generations have proved.

use super::admission::{Admission, AdmissionScore};
use super::config::ConsolidationConfig;
use super::playbook::{Playbook, PlaybookEdit, Rule};
use crate::base::{RuleId, Tick};
use crate::episode::{DemurrageConfig, KnowledgeDomain, Reinforcement, StagedClaim};

fn change(playbook: &mut Playbook, id: RuleId, with: impl FnOnce(&mut Rule)) {
    let Some(mut rule) = playbook.rules().iter().find(|rule| rule.id == id).cloned() else { return };
    with(&mut rule);
    playbook.apply(PlaybookEdit::revise(rule), usize::MAX);
}

/// A rule spoke in a decision that was acted on; when that paid, it is remembered better.
pub fn note_use(playbook: &mut Playbook, id: RuleId, now: Tick, helped: bool) {
    change(playbook, id, |rule| {
        rule.standing.access(now);
        if helped {
            rule.standing.reinforce(Reinforcement::LiveSuccess, now);
        }
    });
}

/// Waking experience bore a rule out.
pub fn note_validation(playbook: &mut Playbook, id: RuleId, now: Tick) {
    change(playbook, id, |rule| rule.standing.validate(now));
}

/// A sibling bore a rule out.
pub fn note_clade(playbook: &mut Playbook, id: RuleId, now: Tick) {
    reinforce(playbook, id, Reinforcement::Clade, now);
}

pub(super) fn reinforce(playbook: &mut Playbook, id: RuleId, by: Reinforcement, now: Tick) {
    change(playbook, id, |rule| rule.standing.reinforce(by, now));
}

/// Rules pay demurrage; those that have too little confidence left leave the playbook and are returned.
pub fn demur(
    playbook: &mut Playbook,
    config: &DemurrageConfig,
    now: Tick,
    fast_track: impl Fn(KnowledgeDomain) -> bool,
) -> Vec<Rule> {
    let mut gone = Vec::new();
    for mut rule in playbook.rules().to_vec() {
        let (nature, before) = (rule.nature(), rule.standing.paid_until);
        config.levy(&mut rule.standing, &nature, &mut rule.confidence, now, fast_track(nature.domain));
        if config.archives(rule.confidence) {
            gone.extend(playbook.apply(PlaybookEdit::retire(rule.id), usize::MAX));
        } else if rule.standing.paid_until != before {
            playbook.apply(PlaybookEdit::revise(rule), usize::MAX);
        }
    }
    gone
}

/// Nothing is owed any more for the time so far.
pub fn start_clocks_anew(playbook: &mut Playbook, now: Tick) {
    let ids: Vec<RuleId> = playbook.rules().iter().map(|rule| rule.id).collect();
    ids.into_iter().for_each(|id| change(playbook, id, |rule| rule.standing.paid_until = now));
}

/// A rule has to leave because there are too many entries.
pub fn give_up(playbook: &mut Playbook, id: RuleId) -> Option<Rule> {
    playbook.apply(PlaybookEdit::retire(id), usize::MAX)
}

/// What at least three generations have held by goes through the gate at birth and is in force from then on, as far as the gate
/// lets it and there is room. Returns the rules, and what was turned away.
pub fn take_over_defaults(
    proven: Vec<StagedClaim>,
    playbook: &mut Playbook,
    now: Tick,
    config: &ConsolidationConfig,
) -> (Vec<Rule>, Vec<StagedClaim>) {
    let mut turned_away = Vec::new();
    let mut admitted = Vec::new();
    for mut staged in proven {
        let verdict =
            AdmissionScore::of(&staged, playbook, now, &config.admission).verdict(&config.admission);
        let known = playbook.same_subject(&staged.claim).is_some();
        let full = playbook.rules().len() >= config.max_rules as usize;
        if verdict == Admission::Rejected || known || full {
            turned_away.push(staged);
            continue;
        }
        if verdict == Admission::Cautious {
            staged.confidence = staged.confidence.min(config.admission.cautious_confidence);
        }
        let id = staged.id;
        playbook.apply(PlaybookEdit::admit(staged, now), config.max_rules as usize);
        admitted.extend(playbook.rules().iter().find(|rule| rule.id == id).cloned());
    }
    (admitted, turned_away)
}

//! The playbook: the rules that a golem acts on, which are the entries of [`Beliefs`] in force.
//!
//! Invariant: only integration writes here. A rule enters, leaves or changes its claim by a [`PlaybookEdit`] alone, and only
//! [`crate::dream::integration`] can make one. (Dream architecture, phase 3: the playbook has a single writer, so that no rule is in it
//! that wasn't validated.) Confidence runs from 0 to 1; `MOST_RULES` is a number of rules of one kind. It is the policy (rule base) of
//! the agent, with a capability-like edit as its only write path. A rule's standing (use, strength, demurrage) isn't its claim and is
//! written in `rules`.

use super::beliefs::{Belief, BeliefEntry, Beliefs};
use crate::episode::ClaimKind;
use morta_base::{RuleId, Tick};

/// Most rules of a kind in a playbook; the least trusted leaves. Our choice: the least of the 50 to 200 heuristics that the digest reckons with
/// (section 2, G01). No consequence was found of half and twice as many (`scenarios/sensitivity/knobs.toml`).
pub(crate) const MOST_RULES: usize = 50;

/// A change to a playbook.
///
/// Anybody may apply one, but only integration can make one. Allowed:
/// ```
/// use morta_engine::dream::integration::beliefs::{Belief, Beliefs};
/// use morta_engine::dream::integration::playbook::PlaybookEdit;
/// fn apply(beliefs: &mut Beliefs, edit: PlaybookEdit, _: Belief) {
///     beliefs.apply(edit);
/// }
/// ```
/// Not allowed:
/// ```compile_fail,E0624
/// use morta_engine::dream::integration::beliefs::{Belief, Beliefs};
/// use morta_engine::dream::integration::playbook::PlaybookEdit;
/// fn forge(beliefs: &mut Beliefs, belief: Belief) {
///     beliefs.apply(PlaybookEdit::admit(belief, 0));
/// }
/// ```
///
/// An unforgeable command (capability token) on the rule base.
#[derive(Debug)]
pub struct PlaybookEdit(Change);

#[derive(Debug)]
enum Change {
    Admit(BeliefEntry),
    Revise(Belief),
    Retire(RuleId),
}

impl PlaybookEdit {
    pub(super) const fn admit(belief: Belief, now: Tick) -> Self {
        Self(Change::Admit(BeliefEntry::in_force(belief, now)))
    }

    pub(super) const fn revise(belief: Belief) -> Self {
        Self(Change::Revise(belief))
    }

    pub(super) const fn retire(id: RuleId) -> Self {
        Self(Change::Retire(id))
    }
}

impl Beliefs {
    /// Applies a change. Returns the rule that left, if one did: retired, replaced by a newer one on its subject, or the least trusted of
    /// its kind when there are more than `MOST_RULES` of that kind.
    pub fn apply(&mut self, edit: PlaybookEdit) -> Option<BeliefEntry> {
        match edit.0 {
            Change::Admit(new) => {
                let kind = new.claim.kind();
                let replaced = self.rules().iter().position(|rule| rule.claim.same_subject(&new.claim));
                let replaced = replaced.map(|place| self.remove_rule(place));
                self.put(new);
                let of_kind = self.rules().iter().filter(|rule| rule.claim.kind() == kind).count();
                replaced.or_else(|| (of_kind > MOST_RULES).then(|| self.remove_least_trusted(kind)))
            }
            Change::Revise(revised) => {
                if let Some(rule) = self.rules_mut().iter_mut().find(|rule| rule.id == revised.id) {
                    rule.revise(revised);
                }
                None
            }
            Change::Retire(id) => {
                let place = self.rules().iter().position(|rule| rule.id == id);
                place.map(|place| self.remove_rule(place))
            }
        }
    }

    fn remove_least_trusted(&mut self, kind: ClaimKind) -> BeliefEntry {
        let trust = |place: &usize| self.rules()[*place].confidence;
        let of_kind = (0..self.rules().len()).filter(|place| self.rules()[*place].claim.kind() == kind);
        let least = of_kind.min_by(|a, b| trust(a).total_cmp(&trust(b)));
        self.remove_rule(least.expect("a playbook over its limit is not empty"))
    }
}

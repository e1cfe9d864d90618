//! The playbook: the rules that a golem acts on, which are the entries of [`Beliefs`] in force.
//!
//! Invariant: only integration writes here. Nothing but [`crate::dream::integration`] can put a rule in force or change its claim. (Dream
//! architecture, phase 3: the playbook has a single writer, so that no rule is in it that wasn't validated.) Confidence runs from 0 to 1;
//! `MOST_RULES` is a number of rules of one kind. It is the policy (rule base) of the agent. A rule's standing (use, strength, demurrage)
//! isn't its claim and is written in `rules`.

use super::beliefs::{Belief, BeliefEntry, Beliefs};
use crate::episode::ClaimKind;
use morta_base::{RuleId, Tick};

/// Most rules of a kind in a playbook; the least trusted leaves. Our choice: the least of the 50 to 200 heuristics that the digest reckons with
/// (section 2, G01). No consequence was found of half and twice as many (`scenarios/sensitivity/knobs.toml`).
pub(crate) const MOST_RULES: usize = 50;

impl Beliefs {
    /// Puts a rule in force. Returns the rule that left for it, if one did: the one on its subject, or the least trusted of its kind when
    /// there are more than `MOST_RULES` of that kind. Only integration can:
    /// ```compile_fail,E0624
    /// use morta_engine::dream::integration::beliefs::{Belief, Beliefs};
    /// fn forge(beliefs: &mut Beliefs, belief: Belief) {
    ///     beliefs.admit(belief, 0);
    /// }
    /// ```
    pub(super) fn admit(&mut self, belief: Belief, now: Tick) -> Option<BeliefEntry> {
        let kind = belief.claim.kind();
        let replaced = self.rules().iter().position(|rule| rule.claim.same_subject(&belief.claim));
        let replaced = replaced.map(|place| self.remove_rule(place));
        self.put(BeliefEntry::in_force(belief, now));
        let of_kind = self.rules().iter().filter(|rule| rule.claim.kind() == kind).count();
        replaced.or_else(|| (of_kind > MOST_RULES).then(|| self.remove_least_trusted(kind)))
    }

    /// Rewrites a rule; only integration can.
    pub(super) fn revise(&mut self, revised: Belief) {
        if let Some(rule) = self.rules_mut().iter_mut().find(|rule| rule.id == revised.id) {
            *rule.belief_mut() = revised;
        }
    }

    /// Retires a rule: a removal by id (eviction). Which rule goes is the caller's choice.
    pub(crate) fn retire(&mut self, id: RuleId) -> Option<BeliefEntry> {
        let place = self.rules().iter().position(|rule| rule.id == id);
        place.map(|place| self.remove_rule(place))
    }

    fn remove_least_trusted(&mut self, kind: ClaimKind) -> BeliefEntry {
        let trust = |place: &usize| self.rules()[*place].confidence;
        let of_kind = (0..self.rules().len()).filter(|place| self.rules()[*place].claim.kind() == kind);
        let least = of_kind.min_by(|a, b| trust(a).total_cmp(&trust(b)));
        self.remove_rule(least.expect("a playbook over its limit is not empty"))
    }
}

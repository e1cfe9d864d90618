//! The playbook: the rules a golem acts on.
//!
//! Invariant: only integration writes here. Every change is a [`PlaybookEdit`], and nobody outside
//! [`crate::dream::integration`] can make one.

use crate::base::{EpisodeId, GolemId, RuleId, Tick};
use crate::episode::{
    Claim, Context, EntryKind, EntryNature, FindingKind, Provenance, StagedClaim, Standing,
};
use crate::market::Strategy;
use serde::{Deserialize, Serialize};

/// A rule in force.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    /// Its identity since it was staged.
    pub id: RuleId,
    /// What it says; the expected R follows experience.
    pub claim: Claim,
    /// Trust in it, 0 to 1.
    pub confidence: f64,
    /// When it entered the playbook.
    pub promoted: Tick,
    /// Waking outcomes that bore it out, since it was staged.
    pub confirmed: u32,
    /// Waking outcomes that spoke against it, since it was staged.
    pub contradicted: u32,
    /// What kind of conclusion it was.
    pub kind: FindingKind,
    /// Who first learned it.
    pub origin: GolemId,
    /// Where it comes from.
    pub provenance: Provenance,
    /// How it stands.
    pub standing: Standing,
    /// The episodes it was learned from.
    pub learned_from: Vec<EpisodeId>,
}

impl Rule {
    /// How it ages: as a heuristic, or as a warning if it says to stay away.
    pub const fn nature(&self) -> EntryNature {
        let kind = if self.claim.expected_r > 0.0 { EntryKind::Heuristic } else { EntryKind::Warning };
        EntryNature::of(kind, &self.claim, self.provenance, (self.confirmed, self.contradicted))
    }
}

/// A change to a playbook.
///
/// Anybody may apply one, but only integration can make one. What can be done:
/// ```
/// use morta_engine::dream::integration::playbook::{Playbook, PlaybookEdit};
/// use morta_engine::episode::StagedClaim;
/// fn apply(playbook: &mut Playbook, edit: PlaybookEdit, _: StagedClaim) {
///     playbook.apply(edit, 10);
/// }
/// ```
/// and what can't:
/// ```compile_fail,E0624
/// use morta_engine::dream::integration::playbook::{Playbook, PlaybookEdit};
/// use morta_engine::episode::StagedClaim;
/// fn forge(playbook: &mut Playbook, staged: StagedClaim) {
///     playbook.apply(PlaybookEdit::admit(staged, 0), 10);
/// }
/// ```
#[derive(Debug)]
pub struct PlaybookEdit(Change);

#[derive(Debug)]
enum Change {
    Admit(Rule),
    Revise(Rule),
    Retire(RuleId),
}

impl PlaybookEdit {
    pub(super) fn admit(staged: StagedClaim, tick: Tick) -> Self {
        Self(Change::Admit(Rule {
            id: staged.id,
            claim: staged.claim,
            confidence: staged.confidence,
            promoted: tick,
            confirmed: staged.confirmed,
            contradicted: staged.contradicted,
            kind: staged.kind,
            origin: staged.origin,
            provenance: staged.provenance,
            standing: staged.standing,
            learned_from: staged.learned_from,
        }))
    }

    pub(super) fn revise(rule: Rule) -> Self {
        Self(Change::Revise(rule))
    }

    pub(super) fn retire(id: RuleId) -> Self {
        Self(Change::Retire(id))
    }
}

/// Rules in force, in the order they were admitted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Playbook {
    rules: Vec<Rule>,
}

impl Playbook {
    /// The rules.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The rules that speak of a decision.
    pub fn about(&self, strategy: Strategy, context: Context) -> impl Iterator<Item = &Rule> {
        self.rules.iter().filter(move |rule| rule.claim.applies(strategy, &context))
    }

    /// The rule on the same subject as a claim, if there is one.
    pub fn same_subject(&self, claim: &Claim) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.claim.same_subject(claim))
    }

    /// Applies a change. Returns the rule that left, if one did: retired, replaced by a newer one on its subject, or the
    /// least trusted when there are more than `max_rules`.
    pub fn apply(&mut self, edit: PlaybookEdit, max_rules: usize) -> Option<Rule> {
        match edit.0 {
            Change::Admit(new) => {
                let replaced = self.rules.iter().position(|rule| rule.claim.same_subject(&new.claim));
                let replaced = replaced.map(|index| self.rules.remove(index));
                self.rules.push(new);
                replaced.or_else(|| (self.rules.len() > max_rules).then(|| self.remove_least_trusted()))
            }
            Change::Revise(revised) => {
                if let Some(rule) = self.rules.iter_mut().find(|rule| rule.id == revised.id) {
                    *rule = revised;
                }
                None
            }
            Change::Retire(id) => {
                let index = self.rules.iter().position(|rule| rule.id == id);
                index.map(|index| self.rules.remove(index))
            }
        }
    }

    fn remove_least_trusted(&mut self) -> Rule {
        let trust = |index: &usize| self.rules[*index].confidence;
        let least = (0..self.rules.len()).min_by(|a, b| trust(a).total_cmp(&trust(b)));
        self.rules.remove(least.expect("a playbook over its limit is not empty"))
    }
}

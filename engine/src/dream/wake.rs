//! Waking up: one finding is kept in mind, and becomes the keyword of the next onset.

use crate::dream::account::Question;
use crate::dream::report::Finding;
use crate::dream::tier::{DreamTier, Operation};
use crate::dream::view::DreamView;
use crate::episode::Claim;
use crate::llm::{Pattern, Task};

/// The last question of a rich dream.
pub(crate) fn question(findings: &[Finding], view: &DreamView<'_>) -> Option<Question> {
    let patterns: Vec<Pattern> = findings.iter().map(|finding| finding.pattern.clone()).collect();
    (!patterns.is_empty()).then(|| Question {
        task: Task::Recrystallise { patterns },
        tier: DreamTier::Hardened.model(Operation::Edge),
        temperature: view.config.imagination.analytic_temperature,
    })
}

/// The finding that is kept when no model was asked: the first, which is the strongest.
pub(crate) fn residue(findings: &[Finding]) -> Option<Claim> {
    findings.first().map(|finding| finding.pattern.claim)
}

//! Waking up: of all that was found, one thing is kept in mind. It is what the next dream drifts around.

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

/// What is kept in mind when nobody was asked: the first finding.
pub(crate) fn residue(findings: &[Finding]) -> Option<Claim> {
    findings.first().map(|finding| finding.pattern.claim)
}

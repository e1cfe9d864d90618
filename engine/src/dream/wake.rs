//! Waking up: one finding is kept in mind, and becomes the keyword of the next onset (priming, targeted dream incubation). It is the last
//! question of a rich dream (tier `hardened`), put to the small model; without a model the first finding is kept (one from steps or about
//! stakes if there is any, else the strongest of the first consolidated group), so every dream with findings primes the next. The residue
//! lasts until the next whole dream, moves no waking decision, and matters only where the next dream has an onset.

use crate::dream::account::Question;
use crate::dream::report::DreamFinding;
use crate::dream::tier::DreamOperation;
use crate::dream::view::DreamView;
use crate::episode::Claim;
use crate::llm::{SourcedClaim, Task};

/// The last question of a rich dream.
pub(crate) fn question(findings: &[DreamFinding], view: &DreamView<'_>) -> Option<Question> {
    let patterns: Vec<SourcedClaim> = findings.iter().map(|finding| finding.pattern.clone()).collect();
    let temperature = view.config.imagination.analytic_temperature;
    let task = (!patterns.is_empty()).then_some(Task::Recrystallise { patterns });
    task.map(|task| Question::in_rich_dream(task, DreamOperation::Edge, temperature))
}

/// The finding that is kept when no model was asked: the first in the order of the report.
pub(crate) fn residue(findings: &[DreamFinding]) -> Option<Claim> {
    findings.first().map(|finding| finding.pattern.claim)
}

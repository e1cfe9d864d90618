//! `morta inspect RUN playbook ID`: the conclusions of a golem, with their fates (rule lifecycle: staged, promoted, admitted, retired).
//! Expected results are R, confidence is 0 to 1. It is made of `rules.parquet` and `inheritance.parquet`, with the life and the bloodstains
//! behind them, and needs no event log. Dropped claims are shown too, because what a golem failed to learn explains its trades as well. The
//! page of a golem in `morta watch` shows the text too, once the run has ended.

use crate::io::error::Result;
use crate::io::text::View;
use crate::run::inspect::golem::{InheritedView, describe};
use crate::run::inspect::leads_on::{LeadsOn, Next, of_life};
use crate::run::inspect::register;
use crate::run::inspect::trail::{self, Traced};
use crate::run::run_folder::{Draw, FinishedRun, Life, RuleStep};
use morta_base::GolemId;
use serde::Serialize;
use std::collections::BTreeMap;

/// The conclusions of a golem, with their fates (rule base); its text is Markdown headings and lists.
#[derive(Serialize)]
pub struct Playbook {
    life: Life,
    rules: Vec<RuleStory>,
    /// Lessons it inherited; scars are left out.
    lessons_inherited: Vec<InheritedView>,
}

/// One claim from its staging to its end.
#[derive(Serialize)]
struct RuleStory {
    rule: String,
    /// The state at the end of the life.
    state: State,
    claim: String,
    steps: Vec<RuleStep>,
    /// The bloodstain that it was inherited from; none for its own conclusions, and for those of a predecessor or a sibling.
    bloodstain: Option<Traced>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    InForce,
    UnderTest,
    Promoted,
    Retired,
    Dropped,
}

impl State {
    const ALL: [(Self, &'static str); 5] = [
        (Self::InForce, "In force"),
        (Self::Promoted, "Borne out, and waiting for the next dream to enter the playbook"),
        (Self::UnderTest, "Under test"),
        (Self::Retired, "Given up"),
        (Self::Dropped, "Tested and dropped"),
    ];

    /// The state after all steps, each with its verdict if it is a decision. Retirement comes before admission, because a retired rule was
    /// admitted once too; what the gate rejected had been promoted before. Without a decision it is still under test.
    fn after<'a>(steps: impl Iterator<Item = (&'a str, Option<&'a str>)> + Clone) -> Self {
        let has = |name: &str| steps.clone().any(|(step, _)| step == name);
        match steps.clone().filter(|(step, _)| *step == "decided").last() {
            _ if has("retired") => Self::Retired,
            _ if has("admitted") => Self::InForce,
            _ if has("rejected") => Self::Dropped,
            Some((_, Some("promoted"))) => Self::Promoted,
            Some(_) => Self::Dropped,
            None => Self::UnderTest,
        }
    }
}

/// Looks at a golem's playbook at the end of its life (rule base).
pub fn look(run: &FinishedRun, golem: GolemId) -> Result<Playbook> {
    let life = register::life(run, golem)?;
    let mut by_rule: BTreeMap<u32, Vec<RuleStep>> = BTreeMap::new();
    for step in run.rules()?.keep(|step| step.golem == life.golem)? {
        let number = step.rule.rsplit_once(".R").and_then(|(_, number)| number.parse().ok()).unwrap_or(0);
        by_rule.entry(number).or_default().push(step);
    }
    let draws = run.inheritance()?.keep(|draw| draw.golem == life.golem && !draw.is_scar)?;
    let sources = by_rule.values().flatten().filter_map(|step| step.bloodstain.clone());
    let bloodstains = trail::bloodstains(
        run,
        &sources.chain(draws.iter().filter_map(|draw| draw.bloodstain.clone())).collect(),
    )?;
    let story = |steps: Vec<RuleStep>| {
        let last = steps.last()?;
        let source = steps.iter().find_map(|step| step.bloodstain.as_ref());
        Some(RuleStory {
            rule: last.rule.clone(),
            state: State::after(steps.iter().map(|step| (step.step.as_str(), step.verdict.as_deref()))),
            claim: last.claim.clone(),
            bloodstain: source.and_then(|id| bloodstains.get(id).cloned()),
            steps,
        })
    };
    let rules = by_rule.into_values().filter_map(story).collect();
    let bloodstain = |draw: &Draw| draw.bloodstain.as_ref().and_then(|id| bloodstains.get(id).cloned());
    let lesson = |draw: Draw| InheritedView { bloodstain: bloodstain(&draw), draw };
    Ok(Playbook { life, rules, lessons_inherited: draws.into_iter().map(lesson).collect() })
}

impl LeadsOn for Playbook {
    fn next(&self, run: &FinishedRun) -> Vec<Next> {
        of_life(&self.life, run, "playbook")
    }
}

impl View for Playbook {
    fn lines(&self) -> Vec<String> {
        let when = match &self.life.cause {
            Some(cause) => format!("at its death at tick {}, {}", self.life.ended_tick, cause),
            None => format!("at the end of the run at tick {}", self.life.ended_tick),
        };
        let mut lines = vec![format!("# Playbook of {} {when}", self.life.golem)];
        for (state, title) in State::ALL {
            let stories: Vec<&RuleStory> = self.rules.iter().filter(|rule| rule.state == state).collect();
            if state != State::InForce && stories.is_empty() {
                continue;
            }
            lines.extend([String::new(), format!("## {title} ({})", stories.len()), String::new()]);
            if stories.is_empty() {
                lines.push("It lived by no rules.".to_owned());
            }
            lines.extend(stories.into_iter().flat_map(RuleStory::lines));
        }
        if !self.lessons_inherited.is_empty() {
            let count = self.lessons_inherited.len();
            lines.extend([String::new(), format!("## Lessons inherited ({count})"), String::new()]);
        }
        for InheritedView { draw, bloodstain } in &self.lessons_inherited {
            let description = bloodstain.as_ref().map_or_else(|| describe(draw), trail::describe);
            lines.push(format!("- tick {}: {description}", draw.drawn_tick));
        }
        lines
    }
}

impl RuleStory {
    fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("- **{}**: {}", self.rule, self.claim)];
        for step in &self.steps {
            let trust = step.confidence.map_or(String::new(), |trust| format!(", trust {trust:.2}"));
            let outcomes = match (step.confirmed, step.contradicted) {
                (Some(confirmed), Some(contradicted)) => {
                    format!(", {confirmed} outcomes for it, {contradicted} against")
                }
                _ => String::new(),
            };
            let name = step.verdict.as_deref().unwrap_or(&step.step);
            let claim = if step.claim == self.claim { "" } else { step.claim.as_str() };
            let then = if claim.is_empty() { String::new() } else { format!(" (then: {claim})") };
            lines.push(format!("  - tick {}: {name}{trust}{outcomes}{then}", step.tick));
        }
        let learned = self.steps.iter().find_map(|step| step.learned_from.as_deref());
        if let Some(ids) = learned.filter(|ids| !ids.is_empty()) {
            lines.push(format!("  - learned from {}", trail::short(ids)));
        }
        let giver = self.steps.iter().find_map(|step| step.from_golem.as_ref());
        match (&self.bloodstain, giver) {
            (Some(bloodstain), _) => lines.push(format!("  - inherited: {}", trail::describe(bloodstain))),
            (None, Some(giver)) => lines.push(format!("  - inherited from {giver}")),
            (None, None) => {}
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_where_its_last_steps_left_it() {
        let steps = [
            ("staged", None),
            ("decided", Some("promoted")),
            ("rejected", None),
            ("admitted", None),
            ("retired", None),
        ];
        let after = |names: &[usize]| State::after(names.iter().map(|&step| steps[step]));
        assert!(after(&[0]) == State::UnderTest);
        assert!(after(&[0, 1]) == State::Promoted);
        assert!(after(&[0, 1, 2]) == State::Dropped, "the gate let it wait for nothing");
        assert!(after(&[0, 1, 3]) == State::InForce);
        assert!(after(&[0, 1, 3, 4]) == State::Retired);
        assert!(State::after([("staged", None), ("decided", Some("refuted"))].into_iter()) == State::Dropped);
    }
}

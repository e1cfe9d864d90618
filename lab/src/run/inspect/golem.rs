//! `morta inspect RUN golem ID`: a life history of one agent. It shows its life, what it inherited from whom, and its last decisions (three
//! by default, up to 40 on the page of `morta watch`), so that a reader finds the trade or the dream to look at next. Results are R, money
//! is USDC. Tables, and the run's copy of a Lethe, make it but for the decisions, which need the event log. The descriptions of inherited
//! items serve the views of deaths, lineages and playbooks too.
//!
//! A row of inheritance is written when the heir's life or the run ends, with the use up to then. Columns are described in
//! `run_folder::tables::inheritance`. Rank (from 0) and score are those of the draw from the Lethe, and are empty for what a predecessor or a
//! sibling gave. `item` is empty where a lesson found no place in the memory. When a fault destroyed the heir's memory, `item`, `claim`,
//! `uses` and all columns after them are empty.

use crate::io::error::Result;
use crate::io::text::View;
use crate::io::text::or_dash;
use crate::run::inspect::decision::{DecisionView, decided, views};
use crate::run::inspect::leads_on::{LeadsOn, Next, of_life};
use crate::run::inspect::trail::{self, Traced};
use crate::run::inspect::{NO_EVENTS, register};
use crate::run::run_folder::{Draw, FinishedRun, Life};
use morta_base::GolemId;
use serde::Serialize;

/// The life history of one agent: its life, what it inherited, and how it decided.
#[derive(Serialize)]
pub struct GolemView {
    life: Life,
    inherited: Vec<InheritedView>,
    /// How often it decided on a position; none when the event log was not kept.
    decisions_in_all: Option<usize>,
    last_decisions: Vec<DecisionView>,
}

/// An inherited item with its content.
#[derive(Serialize)]
pub struct InheritedView {
    /// Its row of the table: when it came, and its use.
    pub draw: Draw,
    /// The bloodstain it comes from, if it does; none when its table row is gone.
    pub bloodstain: Option<Traced>,
}

/// Looks at a golem and its last `limit` decisions, three by default (agent query). Without an event log it has no decisions.
pub fn look(run: &FinishedRun, golem: GolemId, limit: usize) -> Result<GolemView> {
    let life = register::life(run, golem)?;
    let inherited = inherited(run, |draw| draw.golem == life.golem)?;
    let (mut decisions_in_all, mut last_decisions) = (None, Vec::new());
    if run.has_events() {
        let events = decided(run, golem)?;
        decisions_in_all = Some(events.len());
        last_decisions = views(run, golem, &events[events.len().saturating_sub(limit)..])?;
    }
    Ok(GolemView { life, inherited, decisions_in_all, last_decisions })
}

/// Reads inherited items with their contents.
pub fn inherited(run: &FinishedRun, keep: impl Fn(&Draw) -> bool) -> Result<Vec<InheritedView>> {
    let draws = run.inheritance()?.keep(keep)?;
    let names = draws.iter().filter_map(|draw| draw.bloodstain.clone()).collect();
    let bloodstains = trail::bloodstains(run, &names)?;
    let bloodstain = |draw: &Draw| draw.bloodstain.as_ref().and_then(|id| bloodstains.get(id).cloned());
    let join = |draw: Draw| InheritedView { bloodstain: bloodstain(&draw), draw };
    Ok(draws.into_iter().map(join).collect())
}

impl LeadsOn for GolemView {
    fn next(&self, run: &FinishedRun) -> Vec<Next> {
        let last = self.last_decisions.last();
        let decision = last.map(|last| format!("golem {} --decision {}", self.life.golem, last.tick));
        let decision = decision.map(|command| Next::new("its last decision whole", command));
        decision.into_iter().chain(of_life(&self.life, run, "golem")).collect()
    }
}

impl View for GolemView {
    fn lines(&self) -> Vec<String> {
        let mut lines = register::describe(&self.life);
        if !self.inherited.is_empty() {
            lines.extend([String::new(), "inherited:".to_owned()]);
        }
        for InheritedView { draw, bloodstain } in &self.inherited {
            let from = bloodstain.as_ref().map_or_else(|| describe(draw), trail::describe);
            let rank = draw.rank.map_or(String::new(), |rank| format!(", rank {rank}"));
            let score = draw.score.map_or(String::new(), |score| format!(", score {score:.3}"));
            lines.push(format!("  tick {}{rank}{score}: {from}", draw.drawn_tick));
            lines.push(format!("    {}", use_of_item(draw)));
        }
        lines.push(String::new());
        match self.decisions_in_all {
            None => lines.push(format!("how it decided can't be told: {NO_EVENTS}")),
            Some(0) => lines.push("it never decided on a position".to_owned()),
            Some(all) => {
                lines.push(format!("the last {} of {all} decisions:", self.last_decisions.len()));
                lines.extend(self.last_decisions.iter().flat_map(View::lines));
            }
        }
        lines
    }
}

/// Describes an inherited item with its provenance: item, claim, trust and giver. Of a lesson nothing but its giver is known after a fault,
/// which empties the item and the claim.
pub fn describe(draw: &Draw) -> String {
    let item = draw.item.as_deref().unwrap_or("what found no place");
    let trust = draw.confidence.map_or(String::new(), |trust| format!("; trust {trust:.2}"));
    let description = match &draw.claim {
        Some(claim) => format!("{item} ({claim}{trust})"),
        None if draw.is_scar => format!("a scar ({item})"),
        None => "a lesson (lost with the heir)".to_owned(),
    };
    let origin = match &draw.origin {
        Some(origin) if *origin != draw.from_golem => format!(", first of {origin}"),
        _ => String::new(),
    };
    let id = draw.bloodstain.as_ref().map_or(String::new(), |id| format!("{id}, "));
    format!("{id}{description}, from {}, {}{origin}", draw.from_golem, draw.source)
}

/// The use that an heir made of an inherited thing, in words (usage text).
pub(crate) fn use_of_item(draw: &Draw) -> String {
    let tested = match (draw.confirmed, draw.contradicted) {
        (Some(confirmed), Some(contradicted)) if confirmed + contradicted > 0 => {
            format!("; {confirmed} outcomes for it, {contradicted} against")
        }
        _ => String::new(),
    };
    let rule = if draw.became_rule == Some(true) { "; it was a rule" } else { "" };
    let spoke = match draw.uses {
        // A fault destroyed the heir's memory. An item that wasn't used has 0 uses.
        None => "what came of it was lost with the heir".to_owned(),
        Some(0) => "it never spoke in a decision".to_owned(),
        Some(uses) => format!(
            "it spoke in {uses} trades, {} won, {} R in all",
            or_dash(draw.wins, |wins| wins.to_string()),
            or_dash(draw.total_r, |r| format!("{r:+.2}"))
        ),
    };
    format!("{spoke}{tested}{rule}")
}

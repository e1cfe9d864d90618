//! `morta inspect RUN golem ID`.

use crate::commands::inspect::decision::{Decision, decided, views};
use crate::commands::inspect::{NO_EVENTS, View, register, trail};
use crate::layout::or_dash;
use crate::run_folder::FinishedRun;
use crate::run_folder::read::{Draw, Life, Stain, rows};
use morta_engine::base::GolemId;
use serde::Serialize;

/// A life, what it inherited, and how it decided.
#[derive(Serialize)]
pub struct GolemView {
    life: Life,
    inherited: Vec<Inherited>,
    /// How often it decided on a position; none when the event log was not kept.
    decisions_in_all: Option<usize>,
    last_decisions: Vec<Decision>,
}

/// A bloodstain drawn, with what it says.
#[derive(Serialize)]
pub struct Inherited {
    /// When, and what came of it.
    pub draw: Draw,
    /// What it says; none when its table row is gone.
    pub bloodstain: Option<Stain>,
}

/// Looks at a golem and its last decisions.
pub fn look(run: &FinishedRun, golem: GolemId, limit: usize) -> anyhow::Result<GolemView> {
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

/// Bloodstains drawn, with what they say.
pub fn inherited(run: &FinishedRun, keep: impl Fn(&Draw) -> bool) -> anyhow::Result<Vec<Inherited>> {
    let draws: Vec<Draw> = rows(run, keep)?;
    let names = draws.iter().map(|draw| draw.bloodstain.clone()).collect();
    let stains = trail::stains(run, &names)?;
    let join = |draw: Draw| Inherited { bloodstain: stains.get(&draw.bloodstain).cloned(), draw };
    Ok(draws.into_iter().map(join).collect())
}

impl View for GolemView {
    fn lines(&self) -> Vec<String> {
        let mut lines = register::describe(&self.life);
        if !self.inherited.is_empty() {
            lines.extend([String::new(), "inherited:".to_owned()]);
        }
        for Inherited { draw, bloodstain } in &self.inherited {
            let from = bloodstain.as_ref().map_or(draw.bloodstain.clone(), trail::describe);
            lines.push(format!(
                "  tick {}, rank {}, score {:.3}: {from}",
                draw.drawn_tick, draw.rank, draw.score
            ));
            lines.push(format!("    {}", what_came_of(draw)));
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

/// What an heir made of a bloodstain.
pub fn what_came_of(draw: &Draw) -> String {
    match draw.uses {
        None => "what came of it was lost with the heir".to_owned(),
        Some(0) => "it never spoke in a decision".to_owned(),
        Some(uses) => format!(
            "it spoke in {uses} trades, {} won, {} R in all",
            or_dash(draw.wins, |wins| wins.to_string()),
            or_dash(draw.total_r, |r| format!("{r:+.2}"))
        ),
    }
}

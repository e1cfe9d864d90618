//! `morta inspect RUN lineage ID`.

use crate::commands::inspect::golem::{Inherited, inherited, what_came_of};
use crate::commands::inspect::{View, register, trail};
use crate::layout::{Align, or_dash, table};
use crate::run_folder::FinishedRun;
use crate::run_folder::read::{Draw, Life, rows};
use morta_engine::base::Lineage;
use serde::Serialize;

/// The generations of a lineage.
#[derive(Serialize)]
pub struct LineageView {
    lineage: Lineage,
    generations: Vec<Generation>,
}

#[derive(Serialize)]
struct Generation {
    life: Life,
    /// What it drew, from whatever lineage.
    inherited: Vec<Inherited>,
    /// Golems that drew what it left, each time they did.
    drawn_by: Vec<String>,
}

/// Looks at a lineage.
pub fn look(run: &FinishedRun, lineage: Lineage) -> anyhow::Result<LineageView> {
    let lives = register::lineage(run, lineage)?;
    let mut inherited = inherited(run, |draw| draw.lineage == lineage)?;
    let passed: Vec<Draw> = rows(run, |draw: &Draw| draw.dead_lineage == lineage)?;
    let generation = |life: Life| {
        let (own, rest) =
            std::mem::take(&mut inherited).into_iter().partition(|one| one.draw.golem == life.golem);
        inherited = rest;
        let by = passed.iter().filter(|draw| draw.dead_golem == life.golem);
        Generation { drawn_by: by.map(|draw| draw.golem.clone()).collect(), inherited: own, life }
    };
    Ok(LineageView { lineage, generations: lives.into_iter().map(generation).collect() })
}

impl View for LineageView {
    fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("lineage L{}: {} generations", self.lineage, self.generations.len())];
        lines.extend(self.overview());
        for generation in &self.generations {
            let Generation { life, inherited, .. } = generation;
            if inherited.is_empty() {
                continue;
            }
            lines.extend([String::new(), format!("{} drew:", life.golem)]);
            for Inherited { draw, bloodstain } in inherited {
                let what = bloodstain.as_ref().map_or(draw.bloodstain.clone(), trail::describe);
                lines.push(format!("  {what}; {}", what_came_of(draw)));
            }
        }
        lines
    }
}

impl LineageView {
    fn overview(&self) -> Vec<String> {
        use Align::{Left, Right};
        let columns = [
            ("golem", Left),
            ("born", Right),
            ("ended", Right),
            ("ticks", Right),
            ("cause", Left),
            ("trades", Right),
            ("mean R", Right),
            ("drew", Right),
            ("left", Right),
            ("drawn by", Left),
        ];
        let row = |generation: &Generation| {
            let life = &generation.life;
            let mut heirs = generation.drawn_by.clone();
            heirs.sort();
            heirs.dedup();
            vec![
                life.golem.clone(),
                life.born_tick.to_string(),
                life.ended_tick.to_string(),
                life.lifespan_ticks.to_string(),
                life.cause.clone().unwrap_or("(alive)".to_owned()),
                life.trades.to_string(),
                or_dash(life.mean_r, |r| format!("{r:+.3}")),
                generation.inherited.len().to_string(),
                life.bloodstains_left.to_string(),
                if heirs.is_empty() { "-".to_owned() } else { trail::short(&heirs.join(" ")) },
            ]
        };
        let rows: Vec<Vec<String>> = self.generations.iter().map(row).collect();
        table(&columns, &rows).into_iter().map(|line| format!("  {line}")).collect()
    }
}

//! `morta inspect RUN lineage ID`: the generations of one lineage (family history) with lifespans in ticks, results in R, causes of death,
//! what each inherited from any lineage, and which golems got something of it after its death (by bloodstain or as its successor's legacy).
//! Generations stand below one another, so that a trend over deaths shows.

use crate::io::error::Result;
use crate::io::text::{Align, View, or_dash, table_of};
use crate::run::inspect::golem::{InheritedView, describe, inherited, use_of_item};
use crate::run::inspect::leads_on::{LeadsOn, Next, telling_death};
use crate::run::inspect::{register, trail};
use crate::run::run_folder::{FinishedRun, Life};
use morta_base::Lineage;
use serde::Serialize;

/// The generations of a lineage (family tree), with a weighted mean of their ratchets.
#[derive(Serialize)]
pub struct LineageView {
    lineage: Lineage,
    /// Mean ratchet of its generations that inherited lessons, by the length of their lives.
    mean_ratchet: Option<f64>,
    generations: Vec<Generation>,
}

#[derive(Serialize)]
struct Generation {
    life: Life,
    /// Things that it inherited: bloodstains from any lineage, its predecessor's legacy, lessons of siblings.
    inherited: Vec<InheritedView>,
    /// Golems that drew its bloodstains or took over its legacy, once for each thing.
    drawn_by: Vec<String>,
}

/// Looks at a lineage (lineage query). It has the mean ratchet of the lineage.
pub fn look(run: &FinishedRun, lineage: Lineage) -> Result<LineageView> {
    let lives = register::lineage(run, lineage)?;
    let mut inherited = inherited(run, |draw| draw.lineage == lineage)?;
    let passed = run.inheritance()?.keep(|draw| draw.dead_lineage == Some(lineage))?;
    let generation = |life: Life| {
        let (own, rest) =
            std::mem::take(&mut inherited).into_iter().partition(|one| one.draw.golem == life.golem);
        inherited = rest;
        let by = passed.iter().filter(|draw| draw.dead_golem.as_deref() == Some(&life.golem));
        Generation { drawn_by: by.map(|draw| draw.golem.clone()).collect(), inherited: own, life }
    };
    let mean_ratchet = mean_ratchet(&lives);
    Ok(LineageView { lineage, mean_ratchet, generations: lives.into_iter().map(generation).collect() })
}

/// Σ ratchet · lifespan / Σ lifespan over the lives that have a ratchet.
fn mean_ratchet(lives: &[Life]) -> Option<f64> {
    let of = |life: &Life| Some((life.ratchet?, life.lifespan_ticks as f64));
    let weighed: Vec<(f64, f64)> = lives.iter().filter_map(of).collect();
    let ticks: f64 = weighed.iter().map(|(_, ticks)| ticks).sum();
    (ticks > 0.0).then(|| weighed.iter().map(|(ratchet, ticks)| ratchet * ticks).sum::<f64>() / ticks)
}

impl LeadsOn for LineageView {
    fn next(&self, _: &FinishedRun) -> Vec<Next> {
        let lives = self.generations.iter().map(|one| &one.life);
        let death = telling_death(lives)
            .map(|life| Next::new("why one of them died", format!("death {}", life.golem)));
        let last = self.generations.last().map(|one| &one.life);
        let last =
            last.map(|life| Next::new("how the last of them decided", format!("golem {}", life.golem)));
        death.into_iter().chain(last).collect()
    }
}

impl View for LineageView {
    fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("lineage L{}: {} generations", self.lineage, self.generations.len())];
        if let Some(ratchet) = self.mean_ratchet {
            lines.push(format!("  mean ratchet {ratchet:+.3}, by the length of lives"));
        }
        lines.extend(self.overview());
        for generation in &self.generations {
            let Generation { life, inherited, .. } = generation;
            if inherited.is_empty() {
                continue;
            }
            lines.extend([String::new(), format!("{} inherited:", life.golem)]);
            for InheritedView { draw, bloodstain } in inherited {
                let description = bloodstain.as_ref().map_or_else(|| describe(draw), trail::describe);
                lines.push(format!("  {description}; {}", use_of_item(draw)));
            }
        }
        lines
    }
}

impl LineageView {
    fn overview(&self) -> Vec<String> {
        use Align::{Left, Right};
        let heirs = |one: &Generation| {
            let mut heirs = one.drawn_by.clone();
            heirs.sort();
            heirs.dedup();
            if heirs.is_empty() { "-".to_owned() } else { trail::short(&heirs.join(" ")) }
        };
        let lines = table_of::<Generation>(
            &[
                ("golem", Left, &|one| one.life.golem.clone()),
                ("born", Right, &|one| one.life.born_tick.to_string()),
                ("ended", Right, &|one| one.life.ended_tick.to_string()),
                ("ticks", Right, &|one| one.life.lifespan_ticks.to_string()),
                ("cause", Left, &|one| one.life.cause.clone().unwrap_or("(alive)".to_owned())),
                ("trades", Right, &|one| one.life.trades.to_string()),
                ("mean R", Right, &|one| or_dash(one.life.mean_r, |r| format!("{r:+.3}"))),
                ("ratchet", Right, &|one| or_dash(one.life.ratchet, |ratchet| format!("{ratchet:+.2}"))),
                ("inherited", Right, &|one| one.inherited.len().to_string()),
                ("left", Right, &|one| one.life.bloodstains_left.to_string()),
                ("drawn by", Left, &heirs),
            ],
            &self.generations,
        );
        lines.into_iter().map(|line| format!("  {line}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::run_folder::tests::finished;

    /// Lives of 100 and 300 ticks with ratchets of 1 and .2: .4.
    #[test]
    fn long_lives_count_for_more() {
        let (_root, run) = finished();
        let lives = run.lives().unwrap().all().unwrap();
        let life = |ratchet, lifespan_ticks| Life { ratchet, lifespan_ticks, ..lives[0].clone() };
        let mean = mean_ratchet(&[life(Some(1.0), 100), life(None, 999), life(Some(0.2), 300)]).unwrap();
        assert!((mean - 0.4).abs() < 1e-12);
        assert_eq!(mean_ratchet(&[life(None, 100)]), None);
    }
}

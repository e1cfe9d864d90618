//! `morta inspect RUN lives`.

use crate::io::error::Result;
use crate::io::text::View;
use crate::io::text::{Align, or_dash, table};
use crate::run::inspect::leads_on::{LeadsOn, Next, telling_death};
use crate::run::run_folder::{FinishedRun, Life};
use morta_stats::survival::Lifetimes;
use morta_stats::survival::kaplan_meier::KaplanMeier;
use serde::Serialize;
use std::collections::BTreeMap;

/// All lives, by cohort and one by one.
#[derive(Serialize)]
pub struct Lives {
    cohorts: Vec<CohortLives>,
    lives_in_all: usize,
    lives: Vec<Life>,
}

#[derive(Serialize)]
struct CohortLives {
    cohort: String,
    memory: String,
    lives: usize,
    deaths: BTreeMap<String, u64>,
    censored: usize,
    /// By Kaplan and Meier; none when more than half outlive the run.
    median_lifespan_ticks: Option<u64>,
    trades: u64,
    /// Of a trade.
    mean_r: Option<f64>,
    generations: u32,
}

/// Looks.
pub fn look(run: &FinishedRun, limit: usize) -> Result<Lives> {
    let mut lives = run.lives()?.all()?;
    lives.sort_by_key(|life| (life.lineage, life.generation));
    let cohort = |name: &String| cohort_of(lives.iter().filter(|life| life.cohort == *name));
    let names: Vec<String> = run.manifest.scenario.cohorts.iter().map(|cohort| cohort.name.clone()).collect();
    let cohorts = names.iter().filter_map(cohort).collect();
    let lives_in_all = lives.len();
    lives.truncate(limit);
    Ok(Lives { cohorts, lives_in_all, lives })
}

fn cohort_of<'a>(lives: impl Iterator<Item = &'a Life>) -> Option<CohortLives> {
    let lives: Vec<&Life> = lives.collect();
    let first = lives.first()?;
    let mut deaths = BTreeMap::new();
    for cause in lives.iter().filter_map(|life| life.cause.clone()) {
        *deaths.entry(cause).or_default() += 1;
    }
    let trades: u64 = lives.iter().map(|life| u64::from(life.trades)).sum();
    let total_r: f64 = lives.iter().map(|life| life.total_r).sum();
    Some(CohortLives {
        cohort: first.cohort.clone(),
        memory: first.memory.clone(),
        lives: lives.len(),
        deaths,
        censored: lives.iter().filter(|life| life.censored).count(),
        median_lifespan_ticks: median_lifespan(
            lives.iter().map(|life| (life.lifespan_ticks, life.censored)).collect(),
        ),
        trades,
        mean_r: (trades > 0).then(|| total_r / trades as f64),
        generations: lives.iter().map(|life| life.generation + 1).max().unwrap_or(0),
    })
}

/// The first lifespan at which the Kaplan–Meier estimate of survival, Π(1 − deaths/at risk), is a half or less; `None`
/// when it never is. Pairs of lifespan and whether it is censored; those censored at a lifespan are at risk there.
fn median_lifespan(spans: Vec<(u64, bool)>) -> Option<u64> {
    let (durations, died) = spans.into_iter().map(|(span, censored)| (span as f64, !censored)).unzip();
    let curve = KaplanMeier::of(&Lifetimes::new(durations, died).ok()?, 0.95).ok()?;
    curve.median.time.map(|ticks| ticks as u64)
}

impl LeadsOn for Lives {
    fn next(&self, _: &FinishedRun) -> Vec<Next> {
        let Some(life) = telling_death(self.lives.iter()) else {
            let first = self.lives.first();
            return first
                .map(|life| Next::of("a life", format!("golem {}", life.golem)))
                .into_iter()
                .collect();
        };
        vec![
            Next::of("why one died", format!("death {}", life.golem)),
            Next::of("the generations of its lineage", format!("lineage L{}", life.lineage)),
        ]
    }
}

impl View for Lives {
    fn lines(&self) -> Vec<String> {
        use Align::{Left, Right};
        let cohort = |cohort: &CohortLives| {
            let deaths: Vec<String> =
                cohort.deaths.iter().map(|(cause, count)| format!("{count} {cause}")).collect();
            let deaths = if deaths.is_empty() { "none".to_owned() } else { deaths.join(", ") };
            vec![
                cohort.cohort.clone(),
                cohort.memory.clone(),
                cohort.lives.to_string(),
                deaths,
                cohort.censored.to_string(),
                or_dash(cohort.median_lifespan_ticks, |ticks| ticks.to_string()),
                cohort.trades.to_string(),
                or_dash(cohort.mean_r, |r| format!("{r:+.3}")),
                cohort.generations.to_string(),
            ]
        };
        let columns = [
            ("cohort", Left),
            ("memory", Left),
            ("lives", Right),
            ("deaths", Left),
            ("alive", Right),
            ("median ticks", Right),
            ("trades", Right),
            ("mean R", Right),
            ("generations", Right),
        ];
        let mut lines = table(&columns, &self.cohorts.iter().map(cohort).collect::<Vec<_>>());
        lines.push(String::new());
        lines.extend(self.one_by_one());
        if self.lives.len() < self.lives_in_all {
            let hidden = self.lives_in_all - self.lives.len();
            lines.push(format!("… and {hidden} more: show them with --limit {}", self.lives_in_all));
        }
        lines
    }
}

impl Lives {
    fn one_by_one(&self) -> Vec<String> {
        use Align::{Left, Right};
        let columns = [
            ("golem", Left),
            ("cohort", Left),
            ("born", Right),
            ("ended", Right),
            ("ticks", Right),
            ("cause", Left),
            ("trades", Right),
            ("mean R", Right),
            ("balance $", Right),
            ("dreams", Right),
            ("rules", Right),
            ("drawn", Right),
            ("left", Right),
        ];
        let life = |life: &Life| {
            vec![
                life.golem.clone(),
                life.cohort.clone(),
                life.born_tick.to_string(),
                life.ended_tick.to_string(),
                life.lifespan_ticks.to_string(),
                life.cause.clone().unwrap_or("(alive)".to_owned()),
                life.trades.to_string(),
                or_dash(life.mean_r, |r| format!("{r:+.3}")),
                format!("{:.2}", life.balance_usdc),
                life.dreams.to_string(),
                life.rules.to_string(),
                life.bloodstains_drawn.to_string(),
                life.bloodstains_left.to_string(),
            ]
        };
        table(&columns, &self.lives.iter().map(life).collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::median_lifespan;

    #[test]
    fn censored_lives_count_while_they_are_at_risk() {
        assert_eq!(median_lifespan(vec![(1, false), (2, false), (3, false), (4, false)]), Some(2));
        // Survival 3/4 after 1, then 3/4 · 1/2 after 3: the one censored at 2 is no longer at risk.
        assert_eq!(median_lifespan(vec![(1, false), (2, true), (3, false), (4, true)]), Some(3));
        assert_eq!(median_lifespan(vec![(1, true), (2, true)]), None);
        assert_eq!(median_lifespan(Vec::new()), None);
    }
}

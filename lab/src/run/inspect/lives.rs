//! `morta inspect RUN lives`: a table of all lives (life table), sums by cohort before single ones. Lifespans are ticks,
//! money is USDC, results are R. Sums come first, because a run may have thousands of lives.

use crate::io::error::Result;
use crate::io::text::{Align, View, or_dash, table_of};
use crate::run::inspect::leads_on::{LeadsOn, Next, telling_death};
use crate::run::run_folder::{FinishedRun, Life};
use morta_stats::survival::Lifetimes;
use morta_stats::survival::kaplan_meier::KaplanMeier;
use serde::Serialize;
use std::collections::BTreeMap;

/// A view of all lives, one by one and by cohort, where the median lifespan counts survivors as right-censored.
#[derive(Serialize)]
pub struct LivesView {
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
    /// By Kaplan and Meier; none when the survival curve never falls to a half.
    median_lifespan_ticks: Option<u64>,
    trades: u64,
    /// Mean R of a trade.
    mean_r: Option<f64>,
    generations: u32,
}

/// Reads the view (life table query). Sums by cohort are over all lives; `limit`, 40 by default, bounds only the list.
pub fn look(run: &FinishedRun, limit: usize) -> Result<LivesView> {
    let mut lives = run.lives()?.all()?;
    lives.sort_by_key(|life| (life.lineage, life.generation));
    let cohort = |name: &String| cohort_of(lives.iter().filter(|life| life.cohort == *name));
    let names: Vec<String> = run.manifest.scenario.cohorts.iter().map(|cohort| cohort.name.clone()).collect();
    let cohorts = names.iter().filter_map(cohort).collect();
    let lives_in_all = lives.len();
    lives.truncate(limit);
    Ok(LivesView { cohorts, lives_in_all, lives })
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
/// when it never is. Pairs of lifespan and whether it is censored; lives that are censored at a lifespan are at risk there.
fn median_lifespan(spans: Vec<(u64, bool)>) -> Option<u64> {
    let (durations, died) = spans.into_iter().map(|(span, censored)| (span as f64, !censored)).unzip();
    let curve = KaplanMeier::from_lifetimes(&Lifetimes::new(durations, died).ok()?, 0.95).ok()?;
    curve.median.time.map(|ticks| ticks as u64)
}

impl LeadsOn for LivesView {
    fn next(&self, _: &FinishedRun) -> Vec<Next> {
        let Some(life) = telling_death(self.lives.iter()) else {
            let first = self.lives.first();
            return first
                .map(|life| Next::new("a life", format!("golem {}", life.golem)))
                .into_iter()
                .collect();
        };
        vec![
            Next::new("why one died", format!("death {}", life.golem)),
            Next::new("the generations of its lineage", format!("lineage L{}", life.lineage)),
        ]
    }
}

impl View for LivesView {
    fn lines(&self) -> Vec<String> {
        use Align::{Left, Right};
        let deaths = |one: &CohortLives| {
            let deaths: Vec<String> = one.deaths.iter().map(|(cause, n)| format!("{n} {cause}")).collect();
            if deaths.is_empty() { "none".to_owned() } else { deaths.join(", ") }
        };
        let mut lines = table_of::<CohortLives>(
            &[
                ("cohort", Left, &|one| one.cohort.clone()),
                ("memory", Left, &|one| one.memory.clone()),
                ("lives", Right, &|one| one.lives.to_string()),
                ("deaths", Left, &deaths),
                ("alive", Right, &|one| one.censored.to_string()),
                ("median ticks", Right, &|one| or_dash(one.median_lifespan_ticks, |ticks| ticks.to_string())),
                ("trades", Right, &|one| one.trades.to_string()),
                ("mean R", Right, &|one| or_dash(one.mean_r, |r| format!("{r:+.3}"))),
                ("generations", Right, &|one| one.generations.to_string()),
            ],
            &self.cohorts,
        );
        lines.push(String::new());
        lines.extend(self.one_by_one());
        if self.lives.len() < self.lives_in_all {
            let hidden = self.lives_in_all - self.lives.len();
            lines.push(format!("… and {hidden} more: show them with --limit {}", self.lives_in_all));
        }
        lines
    }
}

impl LivesView {
    fn one_by_one(&self) -> Vec<String> {
        use Align::{Left, Right};
        table_of::<Life>(
            &[
                ("golem", Left, &|life| life.golem.clone()),
                ("cohort", Left, &|life| life.cohort.clone()),
                ("born", Right, &|life| life.born_tick.to_string()),
                ("ended", Right, &|life| life.ended_tick.to_string()),
                ("ticks", Right, &|life| life.lifespan_ticks.to_string()),
                ("cause", Left, &|life| life.cause.clone().unwrap_or("(alive)".to_owned())),
                ("trades", Right, &|life| life.trades.to_string()),
                ("mean R", Right, &|life| or_dash(life.mean_r, |r| format!("{r:+.3}"))),
                ("balance $", Right, &|life| format!("{:.2}", life.balance_usdc)),
                ("dreams", Right, &|life| life.dreams.to_string()),
                ("rules", Right, &|life| life.rules.to_string()),
                ("drawn", Right, &|life| life.bloodstains_drawn.to_string()),
                ("left", Right, &|life| life.bloodstains_left.to_string()),
            ],
            &self.lives,
        )
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

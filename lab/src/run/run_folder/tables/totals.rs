//! Sums over a whole run, and by cohort (summary statistics, aggregates): births, deaths, trades, R, USDC. A mean over nothing is `None`.
//! Sums of a cohort are over lives at their end, the run's end included; sleeps of memories alone are counted as they happen. They are
//! counted while events are written, so that a summary needn't open tables. A repetition holds the manifest's figures against them too.

use super::Cast;
use morta_base::{GolemId, Lineage, Usdc};
use morta_engine::event::{Event, EventKind, LifeRecord, TickRecord};
use morta_engine::llm::ModelCall;
use serde::Serialize;
use std::collections::BTreeMap;

/// The totals of a run: births, deaths, trades, R and USDC, of all and by cohort.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Totals {
    /// Events in the log.
    pub events: u64,
    /// Ticks lived.
    pub ticks: u64,
    /// Simulated seconds from the close of the first tick to that of the last: a tick less than `Self::lived_s`, which manifests have.
    pub simulated_s: i64,
    /// Ticks lived by all golems together.
    pub golem_ticks: u64,
    /// Births.
    pub born: u64,
    /// Deaths.
    pub died: u64,
    /// Living at the end.
    pub alive: u64,
    /// Deaths by cause.
    pub deaths: BTreeMap<&'static str, u64>,
    /// Highest generation, founders being 0.
    pub max_generation: u32,
    /// Trades closed.
    pub trades: u64,
    /// Trades and remembered abstentions.
    pub episodes: u64,
    /// Dreams completed.
    pub dreams: u64,
    /// Dreams that were broken off: the dreamer was woken or died.
    pub dreams_interrupted: u64,
    /// Rules that entered a playbook.
    pub rules_admitted: u64,
    /// Bloodstains left.
    pub bloodstains_left: u64,
    /// Bloodstains drawn.
    pub bloodstains_drawn: u64,
    /// Paid for inference.
    pub inference_paid: Usdc,
    /// What a real model was asked; nothing where the model is simulated.
    pub model: ModelTotals,
    /// Whether the sum of all accounts was zero at every tick.
    pub ledger_conserved: bool,
    /// The same by cohort, in the scenario's order.
    pub cohorts: Vec<CohortTotals>,
    /// The first golem that died otherwise than by chance, or the first that died at all: one to look at. A death by
    /// chance comes last, because it has nothing to explain.
    #[serde(skip)]
    pub telling_death: Option<GolemId>,
    #[serde(skip)]
    died_by_chance: bool,
    /// Simulated time of the first tick.
    #[serde(skip)]
    first_time_s: Option<i64>,
    /// The cohort of every line of descent.
    #[serde(skip)]
    cohort_of: BTreeMap<Lineage, u16>,
}

/// Counts the calls of a real model whose replies came due, with the tokens of prompts and replies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ModelTotals {
    /// Questions: a second attempt at one isn't another.
    pub questions: u64,
    /// Of these, those whose first reply could be used.
    pub usable_at_once: u64,
    /// Of these, those whose second reply could be.
    pub usable_when_asked_again: u64,
    /// Tokens read, in both attempts.
    pub input_tokens: u64,
    /// Tokens written, in both attempts.
    pub output_tokens: u64,
}

impl ModelTotals {
    fn add(&mut self, call: &ModelCall) {
        let (first, usable) = (call.attempt == 1, call.unusable.is_none());
        self.questions += u64::from(first);
        self.usable_at_once += u64::from(first && usable);
        self.usable_when_asked_again += u64::from(!first && usable);
        self.input_tokens += u64::from(call.input_tokens);
        self.output_tokens += u64::from(call.output_tokens);
    }
}

/// The totals of a cohort's golems; sums over lives that have ended or that the run's end has censored (aggregates).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CohortTotals {
    /// The cohort, as the scenario names it.
    pub name: String,
    /// Its memory architecture.
    pub memory: String,
    /// Lives, those that outlived the run included.
    pub lives: u64,
    /// Of these, those that outlived it.
    pub censored: u64,
    /// Deaths by cause.
    pub deaths: BTreeMap<&'static str, u64>,
    /// Highest generation.
    pub max_generation: u32,
    /// Sum of all lifespans.
    pub lived_ticks: u64,
    /// Trades closed.
    pub trades: u64,
    /// Of these, profitable.
    pub wins: u64,
    /// Sum of their R-multiples.
    pub total_r: f64,
    /// Sum of their regrets, in R.
    pub total_regret_r: f64,
    /// Their profit, costs taken off.
    pub pnl: Usdc,
    /// Dreams completed.
    pub dreams: u64,
    /// Sleeps of memories that look after themselves.
    pub sleeps: u64,
}

impl CohortTotals {
    /// The mean R-multiple of a trade (expectancy); `None` without trades.
    pub fn mean_r(&self) -> Option<f64> {
        (self.trades > 0).then(|| self.total_r / self.trades as f64)
    }

    /// The average reward per tick: the sum of R-multiples over the ticks lived; `None` without any.
    pub(crate) fn r_per_tick(&self) -> Option<f64> {
        (self.lived_ticks > 0).then(|| self.total_r / self.lived_ticks as f64)
    }
}

impl Totals {
    /// The simulated time span from the first to the last tick, seconds since 1970-01-01 UTC; `None` before the first.
    pub(crate) fn time_span_s(&self) -> Option<(i64, i64)> {
        self.first_time_s.map(|first| (first, first + self.simulated_s))
    }

    /// The elapsed simulated time in seconds, from the first tick to the end of the last, by the calendar: weekends without bars are lived
    /// through too; 0 before the first tick. The manifest keeps it.
    pub(crate) fn lived_s(&self, tick_seconds: u32) -> i64 {
        self.time_span_s().map_or(0, |(first, last)| last - first + i64::from(tick_seconds))
    }

    pub(super) fn new(cast: &Cast) -> Self {
        let cohort = |entry: &super::cast::CohortEntry| CohortTotals {
            name: entry.name.clone(),
            memory: entry.memory.clone(),
            ..CohortTotals::default()
        };
        let cohorts = cast.cohorts().iter().map(cohort).collect();
        Self { ledger_conserved: true, cohorts, ..Self::default() }
    }

    pub(super) fn take(&mut self, event: &Event) {
        self.events += 1;
        match &event.kind {
            EventKind::Born { cohort, .. } => {
                self.born += 1;
                self.cohort_of.extend(event.golem.map(|golem| (golem.lineage, *cohort)));
            }
            EventKind::MemorySlept { .. } => {
                let cohort = event.golem.and_then(|golem| self.cohort_of.get(&golem.lineage));
                if let Some(cohort) = cohort {
                    self.cohorts[usize::from(*cohort)].sleeps += 1;
                }
            }
            EventKind::TradeClosed { .. } => {
                self.trades += 1;
                self.episodes += 1;
            }
            EventKind::StayedOut { .. } => self.episodes += 1,
            EventKind::DreamCompleted { .. } => self.dreams += 1,
            EventKind::DreamInterrupted { .. } => self.dreams_interrupted += 1,
            EventKind::RuleAdmitted { .. } => self.rules_admitted += 1,
            EventKind::BloodstainLeft(_) => self.bloodstains_left += 1,
            EventKind::BloodstainDrawn { .. } => self.bloodstains_drawn += 1,
            EventKind::ModelCalled(call) => self.model.add(call),
            EventKind::TickClosed(tick) => self.take_tick(tick),
            EventKind::LifeEnded(life) => {
                let generation = event.golem.map_or(0, |golem| golem.generation);
                self.take_life(life, generation);
                self.take_death(event.golem, life);
            }
            _ => {}
        }
    }

    fn take_tick(&mut self, tick: &TickRecord) {
        self.ticks += 1;
        self.alive = u64::from(tick.alive);
        self.golem_ticks += self.alive + (tick.died - self.died);
        self.died = tick.died;
        self.simulated_s = tick.time_s - *self.first_time_s.get_or_insert(tick.time_s);
        self.inference_paid = tick.inference_paid;
        self.ledger_conserved &= tick.ledger_sum == Usdc::ZERO;
    }

    /// Chance explains itself: another death is better to look at.
    fn take_death(&mut self, golem: Option<GolemId>, life: &LifeRecord) {
        let Some(cause) = life.cause else { return };
        let by_chance = cause.name() == "stochastic";
        if self.telling_death.is_none() || self.died_by_chance && !by_chance {
            (self.telling_death, self.died_by_chance) = (golem, by_chance);
        }
    }

    fn take_life(&mut self, life: &LifeRecord, generation: u32) {
        self.max_generation = self.max_generation.max(generation);
        let cohort = &mut self.cohorts[usize::from(life.cohort)];
        cohort.lives += 1;
        cohort.max_generation = cohort.max_generation.max(generation);
        match life.cause {
            Some(cause) => {
                *self.deaths.entry(cause.name()).or_default() += 1;
                *cohort.deaths.entry(cause.name()).or_default() += 1;
            }
            None => cohort.censored += 1,
        }
        cohort.lived_ticks += life.lifespan();
        cohort.trades += u64::from(life.trades);
        cohort.wins += u64::from(life.wins);
        cohort.total_r += life.total_r;
        cohort.total_regret_r += life.total_regret_r;
        cohort.pnl += life.pnl;
        cohort.dreams += u64::from(life.dreams);
    }
}

//! The measures and learning curves of each cohort of a run, made from its events in one pass. Cells of sweeps and `morta compare` make
//! them. An event of a golem counts for its cohort and for everybody; shocks and changes of law count for all; the close of a tick counts
//! for everybody alone.
//!
//! One pass, so that a sweep's cells needn't keep an event log: measures are computed while the world is lived. Quantities are sums and
//! counts, and a measure that needs a history keeps a bounded window of it where it can.
//!
//! It is streaming aggregation of metrics over the event log. `Meter` passes events to one `LifeTally` (`tally`) for each cohort and one
//! for everybody; the tally holds the accumulators of the other modules, `catalogue` makes values of it under their names, `series` the
//! curves.

mod adaptation;
mod calibration;
mod catalogue;
mod competence;
mod dream_gap;
mod dreaming;
mod first_trades;
mod information;
mod inheritance;
mod late;
mod law;
mod law_lag;
mod minds;
mod series;
mod survival;
mod tally;

pub use catalogue::{Better, COMPETENCES, MEASURES, Measure, find, label, no_such, with_labels};
pub use series::{CURVES, CoursePoint, CurveKind};

use crate::run::run_folder::tables::Cast;
use information::ForecastWatch;
use morta_base::{Digest, GolemId};
use morta_engine::event::{Event, EventKind};
use morta_engine::world::Scenario;
use serde::{Deserialize, Serialize};
use series::Series;
use std::collections::BTreeMap;
use tally::LifeTally;

/// The measure that describes a sweep that names none, be it in a registration, in `[question]` or for a sensitivity analysis. Our choice:
/// every trade has an R, and R doesn't depend on the size of a position.
pub(crate) const USUAL_MEASURE: &str = "mean_r";

/// The cohort that everybody belongs to (all golems pooled).
pub const EVERYBODY: &str = "all";

/// All measures (metrics) of one cohort in a cell, by name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CohortMeasures {
    /// Its name; [`EVERYBODY`] for all of them together.
    pub cohort: String,
    /// Its memory architecture; empty for everybody.
    pub memory: String,
    /// Values by the measures' names; those that aren't defined are null.
    pub measures: serde_json::Map<String, serde_json::Value>,
    /// Its learning curves.
    pub series: Vec<CoursePoint>,
}

impl CohortMeasures {
    /// Looks up one measure, where it is defined.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.measures.get(name)?.as_f64()
    }
}

/// Measures a run while it goes on (metric collector).
pub(crate) struct Meter {
    cast: Cast,
    digest: Digest,
    everybody: (LifeTally, Series),
    cohorts: Vec<(LifeTally, Series)>,
    /// By golem; an estimate of mutual information is made once and counted for everybody and for the cohort, because it looks for
    /// neighbours among all pairs of a window.
    watches: BTreeMap<GolemId, ForecastWatch>,
}

impl Meter {
    /// A meter for a scenario; restricted means go up to `horizon_ticks`, curves have `bins` stretches (metric collector).
    pub(crate) fn new(scenario: &Scenario, horizon_ticks: u64, bins: u64) -> Self {
        let cast = Cast::from_scenario(scenario);
        let empty = (LifeTally::new(scenario, horizon_ticks), Series::new(scenario.ticks, bins));
        let cohorts = vec![empty.clone(); cast.cohorts().len()];
        Self { cast, digest: Digest::default(), everybody: empty, cohorts, watches: BTreeMap::new() }
    }

    /// Takes in one event: dispatches it to the tallies of everybody and of its golem's cohort.
    pub(crate) fn take(&mut self, event: &Event) {
        event.record_in(&mut self.digest);
        if let EventKind::TickClosed(tick) = &event.kind {
            let (tally, series) = &mut self.everybody;
            tally.take_tick(event.tick, tick);
            series.take_tick(event.tick, tick);
        }
        if let EventKind::LawChanged(change) = &event.kind {
            let cohorts = self.cohorts.iter_mut().map(|(tally, _)| tally);
            std::iter::once(&mut self.everybody.0).chain(cohorts).for_each(|tally| tally.take_law(change));
        }
        if let Some(golem) = event.golem {
            let cohort = self.cast.cohort_index(golem.lineage);
            for (tally, series) in [&mut self.everybody, &mut self.cohorts[cohort]] {
                tally.take(event);
                series.take(event);
            }
            self.watch(golem, event, cohort);
        } else {
            self.everybody.0.take_common(event);
            self.cohorts.iter_mut().for_each(|(tally, _)| tally.take_common(event));
        }
    }

    /// Follows a golem's forecasts, and counts them when the life is over.
    fn watch(&mut self, golem: GolemId, event: &Event, cohort: usize) {
        match &event.kind {
            EventKind::ForecastsSettled { settled, balance, vitality } => {
                self.watches.entry(golem).or_default().take(event.tick, settled, *balance, *vitality);
            }
            EventKind::LifeEnded(_) => {
                let Some(watch) = self.watches.remove(&golem) else { return };
                for (tally, _) in [&mut self.everybody, &mut self.cohorts[cohort]] {
                    tally.information.take(&watch, event.tick);
                }
            }
            _ => {}
        }
    }

    /// The hex digest of all events so far.
    pub(crate) fn digest(&self) -> String {
        self.digest.hex()
    }

    /// The measures of everybody, then those of each cohort in the scenario's order (metrics by cohort).
    pub(crate) fn measures(&self) -> Vec<CohortMeasures> {
        let one = |cohort: &str, memory: &str, (tally, series): &(LifeTally, Series)| CohortMeasures {
            cohort: cohort.to_owned(),
            memory: memory.to_owned(),
            measures: MEASURES
                .iter()
                .map(|measure| (measure.name.to_owned(), measure.value(tally).into()))
                .collect(),
            series: series.points(),
        };
        let everybody = one(EVERYBODY, "", &self.everybody);
        let named = self.cast.cohorts().iter().zip(&self.cohorts);
        std::iter::once(everybody)
            .chain(named.map(|(entry, own)| one(&entry.name, &entry.memory, own)))
            .collect()
    }
}

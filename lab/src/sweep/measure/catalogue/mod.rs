//! The measures of a cell: what each is called, what it means, and how it is computed.

mod competence;
mod dreams;
mod knowledge;
mod lives;
mod money;
mod trades;

use super::tally::Tally;
use crate::io::text::nearest;
use morta_base::Usdc;
use morta_engine::event::WakingTier;
use std::sync::LazyLock;

/// One measure of a cohort in one cell.
#[derive(Clone, Copy)]
pub struct Measure {
    /// Its name: that of its column.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Which way is usually taken to be better.
    pub better: Better,
    /// What it is.
    pub about: &'static str,
    of: fn(&Tally, u64) -> Option<f64>,
}

morta_base::words! {
    /// Which way is usually taken to be better; a pre-registration says it for itself.
    pub enum Better {
        /// The larger the better.
        More = "more",
        /// The smaller the better.
        Less = "less",
        /// It describes.
        Neither = "",
    }
}

impl Measure {
    /// Its value for a cohort; `None` where it isn't defined, as a mean of nothing. `horizon_ticks` is the age up to which
    /// restricted means go.
    pub fn of(&self, tally: &Tally, horizon_ticks: u64) -> Option<f64> {
        (self.of)(tally, horizon_ticks).filter(|value| value.is_finite())
    }
}

const fn measure(
    name: &'static str,
    unit: &'static str,
    better: Better,
    about: &'static str,
    of: fn(&Tally, u64) -> Option<f64>,
) -> Measure {
    Measure { name, unit, better, about, of }
}

fn count(number: u64) -> Option<f64> {
    Some(number as f64)
}

fn ratio(sum: f64, number: u64) -> Option<f64> {
    (number > 0).then(|| sum / number as f64)
}

fn money(amount: Usdc) -> Option<f64> {
    Some(amount.dollars())
}

fn of_endowments(amount: Usdc, tally: &Tally) -> Option<f64> {
    tally.endowments.is_positive().then(|| amount.dollars() / tally.endowments.dollars())
}

fn per_1000_golem_ticks(number: u64, tally: &Tally) -> Option<f64> {
    ratio(1_000.0 * number as f64, tally.golem_ticks())
}

fn died_of(tally: &Tally, cause: &str) -> Option<f64> {
    count(tally.deaths.get(cause).copied().unwrap_or(0))
}

fn waking_share(tally: &Tally, tier: WakingTier) -> Option<f64> {
    ratio(tally.gate.ticks[tier as usize] as f64, tally.gate.ticks.iter().sum())
}

/// All measures, in the order of their columns.
pub static MEASURES: LazyLock<Vec<Measure>> = LazyLock::new(|| {
    [lives::ALL, trades::ALL, knowledge::ALL, dreams::ALL, money::ALL, competence::ALL].concat()
});

/// The competences of a memory by the names of the field's benchmarks, each with the measures that tell of it.
pub const COMPETENCES: [(&str, &[&str]); 4] = [
    ("accurate retrieval", &["retrieval_gain_r_per_tick"]),
    ("test-time learning", &["learning_slope_r_per_tick"]),
    ("long-range understanding", &["long_range_gain_r_per_tick"]),
    ("selective forgetting", &["unlearning_ticks", "still_true_lost_r_per_tick"]),
];

/// The measure of a name.
pub fn find(name: &str) -> Option<&'static Measure> {
    MEASURES.iter().find(|measure| measure.name == name)
}

/// What to say of a name that no measure has.
pub fn no_such(name: &str) -> String {
    match nearest(name, MEASURES.iter().map(|measure| measure.name)) {
        Some(near) => format!("no such measure: did you mean {near}?"),
        None => "no such measure: `morta sweep --measures` lists them".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morta_engine::mortality::Cause;

    #[test]
    fn every_cause_of_death_has_a_measure() {
        for cause in Cause::ALL {
            let tally = Tally { deaths: [(cause.name(), 3)].into(), ..Tally::default() };
            let of_it = |measure: &&Measure| {
                measure.name.starts_with("deaths_") && measure.of(&tally, 1) == Some(3.0)
            };
            assert_eq!(MEASURES.iter().filter(of_it).count(), 1, "{}", cause.name());
        }
    }

    #[test]
    fn competences_are_told_by_measures_that_there_are() {
        for (competence, measures) in COMPETENCES {
            assert!(!measures.is_empty() && measures.iter().all(|name| find(name).is_some()), "{competence}");
        }
    }

    /// Columns of parameters are keys of scenarios: top-level ones have no dot.
    #[test]
    fn names_are_unique_and_no_key_of_a_scenario() {
        for (index, measure) in MEASURES.iter().enumerate() {
            assert!(MEASURES[..index].iter().all(|other| other.name != measure.name), "{}", measure.name);
            assert!(
                !["arm", "seed", "cohort", "memory", "name", "ticks", "digest", "error"]
                    .contains(&measure.name)
            );
        }
        assert_eq!(no_such("mean_rr"), "no such measure: did you mean mean_r?");
    }
}

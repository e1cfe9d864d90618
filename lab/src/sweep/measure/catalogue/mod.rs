//! The catalogue of measures: name, label, unit, meaning and formula of each, declared once. Columns, pages, `morta sweep --measures` and
//! the check of registrations read it, so that a measure can't have two meanings. It is a metric registry. A measure without a value (a
//! mean of nothing) is missing and never 0. Of each it says whether higher is better, lower is better, or neither;
//! gaps, contrasts in other measures than the registered one, and the file of `morta sweep --vary --write` take their side from it.

mod competence;
mod dreams;
mod knowledge;
mod lives;
mod money;
mod trades;

use super::tally::LifeTally;
use crate::io::text::nearest;
use morta_base::Usdc;
use morta_engine::event::WakingTier;
use std::sync::LazyLock;

/// The definition of a metric: one measure of a cohort in one cell. Its formula is a function pointer on the tally of a cohort.
#[derive(Clone, Copy)]
pub struct Measure {
    /// Its name: that of its column.
    pub name: &'static str,
    /// Its name in figures and pages: a noun phrase that reads on with "of" and a cohort.
    pub label: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Which way is usually taken to be better.
    pub better: Better,
    /// Its meaning.
    pub about: &'static str,
    formula: fn(&LifeTally) -> Option<f64>,
}

morta_base::words! {
    /// Which way is usually taken to be better (optimization direction); a pre-registration says it for itself.
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
    /// Computes its value for a cohort; `None` where it isn't defined, as a mean of nothing.
    pub fn value(&self, tally: &LifeTally) -> Option<f64> {
        // A value that isn't finite (a ratio of nothing) is no value: in a mean over worlds it would swallow all others.
        (self.formula)(tally).filter(|value| value.is_finite())
    }
}

/// Declares measures in the order of their columns, after the name by which their formulas call the tally of a cohort, each as
///
/// ```text
/// name: label, unit, better, meaning = formula;
/// ```
macro_rules! measures {
    ($tally:ident; $($name:ident: $label:literal, $unit:literal, $better:ident, $about:literal = $formula:expr;)+) => {
        pub(super) const ALL: &[$crate::sweep::measure::Measure] = &[$($crate::sweep::measure::Measure {
            name: stringify!($name),
            label: $label,
            unit: $unit,
            better: $crate::sweep::measure::Better::$better,
            about: $about,
            formula: |$tally| $formula,
        }),+];
    };
}
use measures;

fn count(number: u64) -> Option<f64> {
    Some(number as f64)
}

fn ratio(sum: f64, number: u64) -> Option<f64> {
    (number > 0).then(|| sum / number as f64)
}

fn money(amount: Usdc) -> Option<f64> {
    Some(amount.dollars())
}

fn of_endowments(amount: Usdc, tally: &LifeTally) -> Option<f64> {
    tally.endowments.is_positive().then(|| amount.dollars() / tally.endowments.dollars())
}

/// A rate per 1,000 golem-ticks. Per tick of a golem and not of the world: a cohort that dies out early would else look as if it did
/// little.
fn per_1000_golem_ticks(number: u64, tally: &LifeTally) -> Option<f64> {
    ratio(1_000.0 * number as f64, tally.golem_ticks())
}

fn died_of(tally: &LifeTally, cause: &str) -> Option<f64> {
    count(tally.deaths.get(cause).copied().unwrap_or(0))
}

fn waking_share(tally: &LifeTally, tier: WakingTier) -> Option<f64> {
    ratio(tally.gate.ticks[tier as usize] as f64, tally.gate.ticks.iter().sum())
}

/// All measures, in the order of their columns (metric registry).
pub static MEASURES: LazyLock<Vec<Measure>> = LazyLock::new(|| {
    [lives::ALL, trades::ALL, knowledge::ALL, dreams::ALL, money::ALL, competence::ALL].concat()
});

/// The competences of a memory by the names of the field's benchmarks, each with its measures (memory benchmark).
pub const COMPETENCES: [(&str, &[&str]); 4] = [
    ("accurate retrieval", &["retrieval_gain_r_per_tick"]),
    ("test-time learning", &["learning_slope_r_per_tick"]),
    ("long-range understanding", &["long_range_gain_r_per_tick"]),
    ("selective forgetting", &["unlearning_ticks", "still_true_lost_r_per_tick"]),
];

/// Looks up a measure by its name.
pub fn find(name: &str) -> Option<&'static Measure> {
    MEASURES.iter().find(|measure| measure.name == name)
}

/// Looks up a measure's label; its name where it isn't in the catalogue, as in the sweep of an earlier build.
pub fn label(name: &str) -> &str {
    find(name).map_or(name, |measure| measure.label)
}

/// Substitutes labels for the names of measures in a text. Only names with an underscore are replaced: the others (`trades`, `deaths`) are
/// English words, and a sentence may mean them as such.
pub fn with_labels(text: &str) -> String {
    let is_of_name =
        |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '/' | '-' | '=');
    let mut worded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_of_name) {
        worded.push_str(&rest[..start]);
        rest = &rest[start..];
        let (word, after) = rest.split_at(rest.find(|letter| !is_of_name(letter)).unwrap_or(rest.len()));
        let name = word.trim_end_matches(['.', '-']);
        worded.push_str(if name.contains('_') { label(name) } else { name });
        worded.push_str(&word[name.len()..]);
        rest = after;
    }
    worded + rest
}

/// Words the remedy for an unknown name of a measure, with a "did you mean" suggestion.
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
            let tally = LifeTally { deaths: [(cause.name(), 3)].into(), ..LifeTally::default() };
            let of_it = |measure: &&Measure| {
                measure.name.starts_with("deaths_") && measure.value(&tally) == Some(3.0)
            };
            assert_eq!(MEASURES.iter().filter(of_it).count(), 1, "{}", cause.name());
        }
    }

    #[test]
    fn competences_name_existing_measures() {
        for (competence, measures) in COMPETENCES {
            assert!(!measures.is_empty() && measures.iter().all(|name| find(name).is_some()), "{competence}");
        }
    }

    /// Two measures with one label could not be distinguished in a figure, and a label with an underscore is no words.
    #[test]
    fn labels_are_words_and_unique() {
        for (index, measure) in MEASURES.iter().enumerate() {
            assert!(!measure.label.contains('_') && measure.label.len() <= 48, "{}", measure.label);
            assert!(MEASURES[..index].iter().all(|other| other.label != measure.label), "{}", measure.label);
        }
    }

    #[test]
    fn names_in_a_text_become_labels() {
        let said = with_labels(
            "+0.1 R in mean_r of all, trades; not memory.mean_r, mean_r/x or no_such_r; win_rate.",
        );
        assert_eq!(
            said,
            "+0.1 R in mean R per trade of all, trades; not memory.mean_r, mean_r/x or no_such_r; win rate."
        );
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

//! The result of a sensitivity analysis in sentences.
//!
//! A key is said to act with others, or along a curve: in a Morris screening a key that matters where the interval of σ beyond luck lies
//! above 0 and σ is more than half of μ*, in a Sobol design any key where the interval of total less first order lies above 0. Half is our
//! choice: for effects of one sign σ/μ* is their coefficient of variation, and one of ½ is an effect that commonly halves or grows by half
//! with the other keys. With one world no key is said to matter.
//!
//! They are conclusions in plain text (natural language generation).

use super::{KeySensitivity, MeasureSensitivity};
use crate::io::text::{figure, range};
use morta_stats::Computed;
use morta_stats::sensitivity::worlds::FigureSpread;

/// Most keys that a sentence names; the table has all of them.
const NAMED_MAX: usize = 8;

/// The sentences of a measure (sensitivity conclusions).
pub(super) fn all(found: &MeasureSensitivity, worlds: usize) -> Vec<String> {
    let MeasureSensitivity { measure, cohort, keys, .. } = found;
    let mut said = Vec::new();
    if worlds < 2 {
        said.push(format!(
            "one world does not tell what keys do to {measure} of {cohort} from luck: they are ranked by size, and none is said to matter"
        ));
    }
    let matter: Vec<&KeySensitivity> = keys.iter().filter(|key| key.matters()).collect();
    if worlds >= 2 {
        said.push(match matter.as_slice() {
            [] => {
                format!("no key is shown to move the mean of {measure} of {cohort} by more than luck would")
            }
            some => format!(
                "the mean of {measure} of {cohort} is moved by {}",
                listed(some.iter().map(|key| moved(found, key)))
            ),
        });
    }
    said.extend(together(keys, &matter));
    said.extend(pairs(found));
    let rest = || keys.iter().filter(|key| !key.matters() && !key.changed_no_byte);
    let is_still = |key: &&KeySensitivity| key.size().is_some_and(|size| size.value == 0.0);
    let mut add = |heading: &str, names: Vec<String>| {
        if !names.is_empty() {
            said.push(format!("{heading}: {}", listed(names.into_iter())));
        }
    };
    if worlds >= 2 {
        add("not told from luck", rest().filter(|key| !is_still(key)).map(|key| key.key.clone()).collect());
    }
    add(
        "changed other things, and this not at all",
        rest().filter(is_still).map(|key| key.key.clone()).collect(),
    );
    said
}

/// A key with what it does.
fn moved(found: &MeasureSensitivity, key: &KeySensitivity) -> String {
    let size =
        key.size().map_or(String::new(), |size| format!("{} {}", figure(size.value), range(size.interval)));
    match &key.morris {
        Some(morris) => {
            let way = match morris.mu.known() {
                Some(mu) if mu.interval.low > 0.0 => ", upwards",
                Some(mu) if mu.interval.high < 0.0 => ", downwards",
                _ => ", up or down by where it and the others stand",
            };
            let size = key.size().map_or(String::new(), |size| figure(size.value));
            format!("{} (μ* {size} {} over {}{way})", key.key, found.unit, key.range)
        }
        None => format!("{} (total {size})", key.key),
    }
}

/// The keys that act together with others, or along a curve.
fn together(keys: &[KeySensitivity], matter: &[&KeySensitivity]) -> Option<String> {
    let is_above_0 =
        |figure: &Computed<FigureSpread>| figure.known().is_some_and(|found| found.interval.low > 0.0);
    if keys.iter().any(|key| key.morris.is_some()) {
        let bent: Vec<String> = matter
            .iter()
            .filter(|key| {
                let figures =
                    key.morris.as_ref().and_then(|one| Some((one.sigma.known()?, one.mu_star.known()?)));
                figures.is_some_and(|(sigma, mu_star)| {
                    sigma.interval.low > 0.0 && sigma.value > mu_star.value / 2.0
                })
            })
            .map(|key| key.key.clone())
            .collect();
        return (!bent.is_empty()).then(|| {
            format!(
                "curved, or depending on other keys (σ beyond luck is more than half of μ*): {}",
                listed(bent.into_iter())
            )
        });
    }
    let mut of_mean = true;
    let mut acts = |key: &KeySensitivity| {
        key.sobol.as_ref().filter(|figures| is_above_0(figures.usual_interaction())).map(|figures| {
            of_mean &= figures.is_of_mean();
            let share = figures.usual_interaction().known().map_or(0.0, |found| found.value);
            format!("{} (total less first order {})", key.key, figure(share))
        })
    };
    let acting: Vec<String> = keys.iter().filter_map(&mut acts).collect();
    let caution = if of_mean { "" } else { " (within a world, where luck looks like it too)" };
    Some(if acting.is_empty() {
        "no key is shown to act together with others".to_owned()
    } else {
        format!("acting together with others{caution}: {}", listed(acting.into_iter()))
    })
}

/// Pairs whose interval lies above 0.
fn pairs(found: &MeasureSensitivity) -> Option<String> {
    let shown = |second: &FigureSpread| second.interval.low > 0.0;
    let named = found.pairs.iter().filter_map(|pair| {
        let second = pair.second.known().filter(|second| shown(second))?;
        Some(format!("{} with {} ({})", pair.key, pair.with, figure(second.value)))
    });
    let named: Vec<String> = named.collect();
    (!named.is_empty()).then(|| format!("pairs: {}", listed(named.into_iter())))
}

/// The first few, and how many there are besides.
fn listed(names: impl Iterator<Item = String>) -> String {
    let mut names: Vec<String> = names.collect();
    let left = names.len().saturating_sub(NAMED_MAX);
    names.truncate(NAMED_MAX);
    let mut text = names.join(", ");
    if left > 0 {
        text.push_str(&format!(" and {left} more"));
    }
    text
}

//! Sentences that a paper could quote.

use super::report::{Analysis, ArmReport, Difference, Finding, Judged, Primary};
use super::rule::JudgedPair;
use crate::io::text::{figure, p_is, plain};
use crate::sweep::sweep_file::Correction;
use morta_stats::{Computed, Interval};

/// One for each arm that is compared with the baseline.
pub fn all(analysis: &Analysis) -> Vec<String> {
    let primary = &analysis.primary;
    let caution = match (analysis.standing.decides, primary.test) {
        (true, _) => "",
        (false, Some(_)) => "Not deciding: ",
        (false, None) => "Descriptive: ",
    };
    let of_arm = |arm: &ArmReport| {
        let said = match arm.difference.as_ref()? {
            Computed::Known(found) => said(primary, arm, found),
            Computed::Unknown { cannot_be_computed } => incomparable(primary, arm, cannot_be_computed),
        };
        Some(format!("{caution}{said}"))
    };
    let arms = primary.arms.iter().filter_map(of_arm);
    arms.chain(by_rule(analysis).map(|said| format!("{caution}{said}"))).collect()
}

/// What the registered rule says of each pair.
fn by_rule(analysis: &Analysis) -> impl Iterator<Item = String> + '_ {
    analysis.rule.iter().flat_map(|rule| {
        rule.pairs.iter().map(|pair| {
            let JudgedPair { treated, control, wins, losses, undecided, .. } = pair;
            format!(
                "by the registered rule ({} of {} criteria), {treated} against {control} is {}: {wins} won, {losses} lost, \
                 {undecided} undecided",
                rule.wins_needed,
                pair.criteria.len(),
                plain(pair.verdict.name())
            )
        })
    })
}

fn incomparable(primary: &Primary, arm: &ArmReport, why: &str) -> String {
    format!("{} can't be compared with {} in {}, because {why}", arm.arm, primary.baseline, primary.measure)
}

fn said(primary: &Primary, arm: &ArmReport, found: &Difference) -> String {
    let Primary { measure, cohort, baseline, .. } = primary;
    let arm = &arm.arm;
    let by = format!("{} {}", signed(found.mean), primary.unit);
    let interval = match &found.interval {
        Computed::Known(interval) => between(interval),
        Computed::Unknown { cannot_be_computed } => format!("[no interval, because {cannot_be_computed}]"),
    };
    let worlds = worlds(found.worlds);
    let Some(judged) = &found.judged else {
        return format!(
            "{arm} differs from {baseline} by {by} in {measure} of {cohort} {interval}, {worlds}, untested"
        );
    };
    let p = |judged: &Judged| judged.corrected_p.known().map_or(String::new(), |p| p_is(*p));
    let evidence = format!("{interval}, {}{}, {worlds}", p(judged), after(primary));
    match judged.finding {
        Finding::Better => format!("{arm} beats {baseline} by {by} in {measure} of {cohort} {evidence}"),
        Finding::Worse => {
            format!("{arm} does worse than {baseline} by {by} in {measure} of {cohort} {evidence}")
        }
        Finding::NotShown => format!(
            "{arm} is not shown to differ from {baseline} in {measure} of {cohort}: {by} {evidence}{}",
            remark(found, judged)
        ),
        Finding::CannotBeComputed => {
            let why = judged.p.why_not().unwrap_or("there is no p-value");
            format!(
                "{arm} against {baseline}: {by} in {measure} of {cohort} {interval}, {worlds}; the registered test can't \
                 be computed, because {why}"
            )
        }
    }
}

fn after(primary: &Primary) -> String {
    let Some(name) = primary.correction.map(Correction::in_words) else { return String::new() };
    match primary.comparisons {
        0 | 1 => String::new(),
        number => format!(" after {name} over {number} comparisons"),
    }
}

/// What nothing having been shown may mean.
fn remark(found: &Difference, judged: &Judged) -> String {
    let Some(enough) = &judged.enough else { return String::new() };
    if let Some(smallest) = enough.smallest_p.filter(|_| !enough.can_decide) {
        return format!(
            "; no result could have decided, for the smallest p they can give is {}",
            figure(smallest)
        );
    }
    let effect = enough.effect_of_interest;
    match found.interval.known() {
        Some(interval) if interval.low > -effect && interval.high < effect => {
            format!("; a difference of {} or more either way is outside the interval", figure(effect))
        }
        Some(_) => format!("; a difference of {} that would matter is not ruled out", figure(effect)),
        None => String::new(),
    }
}

/// A difference with its sign.
pub fn signed(value: f64) -> String {
    if value > 0.0 { format!("+{}", figure(value)) } else { figure(value) }
}

/// `[low, high]`.
pub fn between(interval: &Interval) -> String {
    format!("[{}, {}]", figure(interval.low), figure(interval.high))
}

fn worlds(number: u64) -> String {
    if number == 1 { "1 world".to_owned() } else { format!("{number} worlds") }
}

//! Sentences that a paper could quote, on the terminal, on the page and in `analysis.json`. A sentence names the comparison, its size with
//! unit and interval, p with the correction where it was tested, and the number of worlds, because it is quoted without its table; one on
//! arms that lived the same bytes names the keys that did nothing, one on the rule counts criteria. They are the results in plain text of
//! the primary measure and of the registered rule; "Not deciding" or "Descriptive" begins them where they decide nothing. A sensitivity
//! analysis has none of these, but sentences of its own.

use super::contrast::Contrast;
use super::report::{Analysis, ArmReport, PrimaryResult};
use super::rule::JudgedPair;
use super::verdict::ContrastVerdict;
use crate::io::text::{between, figure, p_is, percent, plain, signed};
use crate::sweep::sweep_file::Correction;

/// Writes the summary sentences of the comparison, one for each arm that is compared with the baseline.
pub(super) fn all(analysis: &Analysis) -> Vec<String> {
    let primary = &analysis.primary;
    let caution = match (analysis.standing.decides, primary.test) {
        (true, _) => "",
        (false, Some(_)) => "Not deciding: ",
        (false, None) => "Descriptive: ",
    };
    let of_arm = |arm: &ArmReport| {
        let found = arm.difference.as_ref()?;
        Some(format!("{caution}{}", same_as(primary, arm).unwrap_or_else(|| said(primary, arm, found))))
    };
    let arms = primary.arms.iter().filter_map(of_arm);
    arms.chain(by_rule(analysis).map(|said| format!("{caution}{said}"))).collect()
}

/// The verdicts of the registered rule, one for each pair.
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

/// That an arm lived the same bytes as another, and which keys did nothing.
fn same_as(primary: &PrimaryResult, arm: &ArmReport) -> Option<String> {
    let same = arm.same_as.as_ref()?;
    let keys = match same.keys.as_slice() {
        [] => "nothing that the two differ in has an effect here".to_owned(),
        [key] => format!("{key} does nothing here"),
        keys => format!("{} do nothing here", keys.join(" and ")),
    };
    let paid = if primary.test.is_some() { "; no comparison is paid for" } else { "" };
    Some(format!("{} lived the same bytes as {} in every world: {keys}{paid}", arm.arm, same.arm))
}

fn said(primary: &PrimaryResult, own: &ArmReport, found: &Contrast) -> String {
    let PrimaryResult { measure, cohort, baseline, unit, .. } = primary;
    let arm = &own.arm;
    let Some(effect) = found.effect else {
        let why = found.p.why_not().unwrap_or("there is no value");
        return format!("{arm} can't be compared with {baseline} in {measure}, because {why}");
    };
    let by = format!("{} {unit}", signed(effect));
    let evidence = evidence(primary, found);
    let Some(verdict) = found.verdict else {
        return format!(
            "{arm} differs from {baseline} by {by} in {measure} of {cohort} {evidence}, untested"
        );
    };
    let figures = format!("{by} in {measure} of {cohort} {evidence}");
    if verdict == ContrastVerdict::CannotBeComputed {
        let why = found.p.why_not().unwrap_or("there is no p-value");
        return format!(
            "{arm} against {baseline}: {figures}; the registered test can't be computed, because {why}"
        );
    }
    let delta = found.matters.map(|delta| format!("{} {unit}", figure(delta)));
    let words = verdict.in_words(arm, baseline, delta.as_deref());
    let disagreement = found.disagreement.as_ref().map_or(String::new(), |how| format!("; {how}"));
    format!("{words}: {figures}{disagreement}{}{}{}", closes(primary, own), alike(found), remark(found))
}

/// Which share of the gap an arm closes, with the names of its ends.
fn closes(primary: &PrimaryResult, arm: &ArmReport) -> String {
    let share = arm.share_of_gap.as_ref().and_then(|share| share.known());
    share.zip(primary.gap.as_ref()).map_or(String::new(), |(share, ends)| {
        let (value, interval) = (figure(share.value), between(&share.interval));
        format!("; it closes {value} {interval} of the gap {}", ends.in_words())
    })
}

/// Interval, p and worlds.
fn evidence(primary: &PrimaryResult, found: &Contrast) -> String {
    let interval = match found.interval.known() {
        Some(interval) if interval.level == primary.confidence => between(interval),
        Some(interval) => format!("{} ({})", between(interval), percent(interval.level)),
        None => {
            let why = found.interval.why_not().unwrap_or("it can't be computed");
            format!("[no interval, because {why}]")
        }
    };
    let mut worlds =
        if found.worlds == 1 { "1 world".to_owned() } else { format!("{} worlds", found.worlds) };
    if let Some(effective) = found.effective_worlds {
        worlds.push_str(&format!(" that share data and are worth {effective:.1}"));
    }
    match found.corrected_p.known().filter(|_| found.verdict.is_some()) {
        Some(p) => format!("{interval}, {}{}, {worlds}", p_is(*p), after(primary)),
        None => format!("{interval}, {worlds}"),
    }
}

fn after(primary: &PrimaryResult) -> String {
    let Some(name) = primary.correction.map(Correction::in_words) else { return String::new() };
    match primary.comparisons {
        0 | 1 => String::new(),
        number => format!(" after {name} over {number} comparisons"),
    }
}

/// The worlds in which the keys that the arms differ in did nothing.
fn alike(found: &Contrast) -> String {
    if found.same_bytes_worlds == 0 {
        return String::new();
    }
    let mut seeds: Vec<String> = found.same_bytes_seeds.iter().map(u64::to_string).collect();
    if found.same_bytes_worlds > seeds.len() as u64 {
        seeds.push("\u{2026}".to_owned());
    }
    format!(
        "; in {} of {} worlds the two lived the same bytes (seeds {})",
        found.same_bytes_worlds,
        found.worlds,
        seeds.join(", ")
    )
}

/// The number of worlds that would settle an open comparison; where no result could have decided, that comes first, because more worlds are
/// then not the remedy alone.
fn remark(found: &Contrast) -> String {
    if found.verdict != Some(ContrastVerdict::NotSettled) {
        return String::new();
    }
    let enough = found.enough.as_ref().filter(|enough| !enough.can_decide);
    if let Some(smallest) = enough.and_then(|enough| enough.smallest_p) {
        return format!(
            "; no result could have decided, for the smallest p they can give is {}",
            figure(smallest)
        );
    }
    found.worlds_to_settle.map_or(String::new(), |worlds| format!("; about {worlds} worlds would settle it"))
}

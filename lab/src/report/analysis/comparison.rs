//! The section of the registered comparison: arms against the baseline (treatment versus control), all of them unless the sweep has a
//! ladder, contrasts or a map, then those at the baseline's point (`Sweep::compared`). It has verdicts, paired mean differences with
//! confidence intervals and corrected p-values, and whether the sample size was enough. The share of the gap to the upper bound is 0 at the
//! lower bound, 1 at the upper, and may lie outside. p is corrected over the comparisons of this table (a family of its own). Values are in
//! the unit of the registered measure; all figures are computed by `crate::sweep::analysis`. It comes first of all sections, because it is
//! the one that was registered to decide. A sweep without a registration has the section too, without a test; looks, sample sizes, the gap
//! and ranks are left out where the analysis has none.

use super::{ScoresByArm, effect, head, p_values};
use crate::io::short_names::ShortNames;
use crate::io::text::{between, capitalised, figure, or_dash, p_is, p_value, percent, signed};
use crate::report::document::Document;
use crate::report::page::PageTable;
use crate::report::plot::Figure;
use crate::report::plot::forest::{Estimate, Forest};
use crate::sweep::analysis::contrast::Contrast;
use crate::sweep::analysis::gap::GapEnds;
use crate::sweep::analysis::looks::LookReport;
use crate::sweep::analysis::report::{Analysis, ArmReport, PrimaryResult};
use crate::sweep::measure::{label, with_labels};
use crate::sweep::sweep_file::Direction;
use morta_stats::Computed;

/// Most sentences that are written out where there are many arms. Sentences of arms that the test distinguishes come first, so that a cut never hides a
/// finding behind others that found nothing; the table has all.
const SENTENCES_MAX: usize = 12;
/// Most rows of a forest plot. Our choice: a taller plot doesn't fit a screen, and rows can't be compared across a scroll; the table has all.
const FOREST_MAX: usize = 60;

/// Verdicts, the table of all arms, and how near they come to the ceiling (results table of paired differences).
pub(super) fn write(document: &mut Document, analysis: &Analysis, worlds: &ScoresByArm) {
    let primary = &analysis.primary;
    document.section("Verdict");
    // The setting and the reasons why nothing is decided come before any figure, because figures are what a reader quotes.
    document.sentence(setting(primary));
    analysis.standing.because.iter().for_each(|why| document.note(why.clone()));
    looks(document, analysis);
    sentences(document, analysis);
    document.figure(forest(primary, worlds));
    document.table(all_arms(primary));
    left_out(document, primary);
    document.table(robustness(primary));
    document.table(enough(primary));
    closeness(document, analysis);
    ranks(document, primary);
}

/// The registered looks up to the end, and where it stopped.
fn looks(document: &mut Document, analysis: &Analysis) {
    let Some(last) = analysis.looks.last() else { return };
    if last.worlds < last.planned && last.is_decisive() {
        document.sentence(format!(
            "stopped by a registered look after {} of {} worlds; {} of the error rate is spent",
            last.worlds,
            last.planned,
            figure(last.spent)
        ));
    }
    document.sentence(
        "p-values are corrected for the looks too, and intervals hold at all looks together (repeated p-values and intervals)",
    );
    let row = |look: &LookReport| {
        vec![
            look.worlds.to_string(),
            p_value(look.bound_p),
            figure(look.spent),
            format!("{} of {}", look.settled, look.comparisons),
            look.outcome().to_owned(),
        ]
    };
    document.table(PageTable {
        caption: format!(
            "Registered looks at {} planned worlds: the p that one comparison had to reach before any correction, what of the error rate was spent by \
             then, and the comparisons that were told from 0 or placed within ±δ.",
            last.planned
        ),
        head: head(["worlds", "p at most", "spent", "settled", "then"]),
        rows: analysis.looks.iter().map(row).collect(),
        words: 0,
    });
}

/// What is compared, in a line.
fn setting(primary: &PrimaryResult) -> String {
    let better = match primary.direction {
        Some(Direction::More) => ", more is better",
        Some(Direction::Less) => ", less is better",
        None => "",
    };
    let delta = primary
        .effect_of_interest
        .map_or(String::new(), |delta| format!("; δ, what matters, is {} {}", figure(delta), primary.unit));
    format!(
        "{} of {} in {}{better}; differences are paired by world with {}{delta}",
        primary.measure, primary.cohort, primary.unit, primary.baseline
    )
}

fn sentences(document: &mut Document, analysis: &Analysis) {
    let all = &analysis.sentences;
    // In an exploratory grid, the difference of each arm from the first answers nothing; the effects of its factors do.
    if analysis.factorial.is_some() && analysis.primary.test.is_none() {
        return;
    }
    if all.len() <= SENTENCES_MAX {
        return all.iter().for_each(|said| document.finding(said.clone()));
    }
    let compared: Vec<&ArmReport> =
        analysis.primary.arms.iter().filter(|arm| arm.difference.is_some()).collect();
    // The sentences of the registered rule stand behind those of the arms, and are never cut: the rule is what was registered to decide.
    let (of_arms, of_rule) = all.split_at(compared.len().min(all.len()));
    let apart = compared.iter().zip(of_arms).filter(|(arm, _)| tells_apart(arm));
    let sentences: Vec<&String> = apart.map(|(_, said)| said).take(SENTENCES_MAX).chain(of_rule).collect();
    let left = all.len() - sentences.len();
    sentences.into_iter().for_each(|said| document.finding(said.clone()));
    document.sentence(format!("of {} comparisons, the other {left} are in the table alone", all.len()));
}

fn tells_apart(arm: &ArmReport) -> bool {
    arm.difference.as_ref().is_some_and(Contrast::tells_apart)
}

/// The intervals of a table or plot, in words: with several comparisons their level isn't the usual one, and a reader must not take them for 95 %.
fn intervals(primary: &PrimaryResult) -> String {
    let level = percent(primary.confidence);
    match primary.comparisons {
        0 | 1 => format!("{level} t intervals"),
        count => {
            format!("t intervals at the level that the correction for {count} comparisons leaves of {level}")
        }
    }
}

/// Names of arms as figures have them.
fn short_names(primary: &PrimaryResult) -> ShortNames {
    ShortNames::new(&primary.arms.iter().map(|arm| arm.arm.clone()).collect::<Vec<_>>())
}

fn forest(primary: &PrimaryResult, worlds: &ScoresByArm) -> Option<Figure> {
    let short = short_names(primary);
    let of_worlds = |arm: &ArmReport| worlds.get(&arm.arm).cloned().unwrap_or_default();
    let row = |(arm, name): (&ArmReport, &String)| {
        super::estimate(name.clone(), arm.difference.as_ref()?, of_worlds(arm))
    };
    let named = primary.arms.iter().zip(&short.names);
    let rows: Vec<Estimate> = named.filter_map(row).take(FOREST_MAX).collect();
    let zone = primary.effect_of_interest.map_or(String::new(), |delta| {
        format!(" The shaded zone, ±{}, is of differences that don't matter.", figure(delta))
    });
    let compared = primary.arms.iter().filter(|arm| arm.difference.is_some()).count();
    let more =
        if compared > FOREST_MAX { format!(" The first {FOREST_MAX} of {compared}.") } else { String::new() };
    let dots = if worlds.is_empty() { "" } else { " Dots are single worlds." };
    let place = primary.arms.iter().position(|arm| arm.arm == primary.baseline);
    let baseline = place.map_or(&primary.baseline, |place| &short.names[place]);
    Forest {
        name: "differences",
        title: &format!("{}: differences from {}", capitalised(label(&primary.measure)), baseline),
        description: &format!(
            "Mean paired difference over worlds; {}; rows in blue are told apart by the corrected test.{dots}{zone}{more}{}",
            intervals(primary),
            short.besides()
        ),
        x_label: &format!("difference of {} of {} ({})", label(&primary.measure), primary.cohort, primary.unit),
        zone: primary.effect_of_interest,
        rows: &rows,
    }
    .draw()
}

fn all_arms(primary: &PrimaryResult) -> PageTable {
    let row = |arm: &ArmReport| {
        let value = arm.value.as_ref();
        let spread = |sd: f64| format!(" ± {}", figure(sd));
        let mean = or_dash(value, |value| {
            figure(value.mean) + &value.standard_deviation.map_or(String::new(), spread)
        });
        let found = arm.difference.as_ref();
        let worlds = found.map_or(value.map_or(0, |value| value.worlds), |found| found.worlds);
        let d_z = found.and_then(|found| found.figures.as_ref()?.cohens_d_paired.known());
        vec![
            arm.arm.clone(),
            found.map_or("baseline", Contrast::in_brief).to_owned(),
            worlds.to_string(),
            mean,
            found.map_or(String::new(), effect),
            found.map_or(String::new(), p_values),
            found.map_or(String::new(), |_| or_dash(d_z, |d| figure(*d))),
            arm.failed.to_string(),
        ]
    };
    let test = primary.test.map_or(String::new(), |test| format!("; p of the {}", test.in_words()));
    let corrected = primary
        .correction
        .map_or(String::new(), |correction| format!(" (after {}'s correction)", correction.in_words()));
    PageTable {
        caption: format!(
            "{} of {} in {}: mean and standard deviation over worlds; paired difference from {} with {}{test}{corrected}; \
             Cohen's d_z of the differences; cells that failed.",
            primary.measure,
            primary.cohort,
            primary.unit,
            primary.baseline,
            intervals(primary)
        ),
        head: head(["arm", "verdict", "worlds", "mean ± SD", "difference", "p (corrected)", "d_z", "failed"]),
        rows: primary.arms.iter().map(row).collect(),
        words: 2,
    }
}

fn left_out(document: &mut Document, primary: &PrimaryResult) {
    let left: u64 = primary
        .arms
        .iter()
        .filter_map(|arm| arm.difference.as_ref())
        .map(|found| found.left_out_worlds)
        .sum();
    if left > 0 {
        document.note(format!(
            "Comparisons leave out worlds in which only one of the two arms has a value, or neither: {left} in all."
        ));
    }
}

/// The same worlds by other aggregates, intervals and effect sizes. They decide nothing: a reader sees whether the verdict hangs on the mean, which a few
/// extreme worlds can move.
fn robustness(primary: &PrimaryResult) -> PageTable {
    let row = |arm: &ArmReport| {
        let middle = arm.interquartile_mean.as_ref()?.known();
        let figures = arm.difference.as_ref().and_then(|found| found.figures.as_ref());
        let bootstrap = figures.and_then(|figures| figures.bootstrap.known());
        Some(vec![
            arm.arm.clone(),
            or_dash(middle, estimate),
            or_dash(bootstrap, |both| between(&both.percentile)),
            or_dash(bootstrap, |both| between(&both.bca)),
            or_dash(figures.and_then(|figures| figures.cliffs_delta.known()), |found| {
                let interval =
                    found.interval.as_ref().map_or(String::new(), |found| format!(" {}", between(found)));
                figure(found.delta) + &interval
            }),
            or_dash(figures.and_then(|figures| figures.probability_of_improvement.known()), estimate),
            or_dash(figures.and_then(|figures| figures.variance_reduction.known()), |share| percent(*share)),
        ])
    };
    PageTable {
        caption: format!(
            "The same worlds by other figures: at {} each, the mean of the middle half of an arm's worlds; bootstrap intervals of the mean \
             difference; Cliff's delta; the probability of a larger value; the share of the variance that common luck took away.",
            percent(primary.confidence)
        ),
        head: head([
            "arm", "interquartile mean", "percentile bootstrap", "BCa bootstrap", "Cliff's delta",
            "P(larger)", "common luck",
        ]),
        rows: primary.arms.iter().filter_map(row).collect(),
        words: 1,
    }
}

fn estimate(found: &morta_stats::aggregate::Estimate) -> String {
    format!("{} {}", figure(found.value), between(&found.interval))
}

/// Whether there are enough worlds: both the width of the interval and the power, because a narrow interval doesn't promise that the registered effect is
/// found after correction.
fn enough(primary: &PrimaryResult) -> PageTable {
    let row = |arm: &ArmReport| {
        let found = arm.difference.as_ref()?;
        let enough = found.enough.as_ref()?;
        let narrow = enough.for_half_width.known();
        let power = |found: &Computed<f64>| or_dash(found.known(), |power| figure(*power));
        Some(vec![
            arm.arm.clone(),
            or_dash(narrow, |found| figure(found.half_width)),
            or_dash(narrow, |found| found.pairs_needed.to_string()),
            format!("{}, {}", power(&enough.power), power(&enough.power_strictest)),
            or_dash(enough.for_power.known(), u64::to_string),
            or_dash(found.worlds_to_settle.as_ref(), |worlds| worlds.to_string()),
        ])
    };
    let delta = primary.effect_of_interest.map_or(String::new(), figure);
    PageTable {
        caption: format!(
            "Enough worlds? Half the interval's width before correction, and worlds for ± {delta}; power to see {delta} (before, and at the \
             strictest correction), and worlds for the registered power; worlds that would settle what isn't."
        ),
        head: head(["arm", "± now", "worlds for ± δ", "power", "worlds for power", "worlds to settle"]),
        rows: primary.arms.iter().filter_map(row).collect(),
        words: 1,
    }
}

/// How far each arm has come from the lower end of the gap to the ceiling, in every measure.
fn closeness(document: &mut Document, analysis: &Analysis) {
    let primary = &analysis.primary;
    let Some(ends) = &primary.gap else { return };
    let short = short_names(primary);
    let known = |(arm, name): (&ArmReport, &String)| {
        let share = arm.share_of_gap.as_ref()?.known()?;
        Some(Estimate {
            name: name.clone(),
            value: share.value,
            interval: Some((share.interval.low, share.interval.high)),
            worlds: Vec::new(),
            value_text: format!("{} {}", figure(share.value), between(&share.interval)),
            established: share.interval.low > 0.0,
        })
    };
    let rows: Vec<Estimate> = primary.arms.iter().zip(&short.names).filter_map(known).collect();
    document.figure(
        Forest {
            name: "share-of-gap",
            title: "Share of the gap between the lower end and the ceiling",
            description: &format!(
                "The gap {}: 0 is the lower end, 1 the ceiling; {} intervals of resampled worlds. Rows in blue lie above 0.{}",
                with_labels(&ends.in_words()),
                percent(primary.confidence),
                short.besides()
            ),
            x_label: &format!("share of the gap in {} of {}", label(&primary.measure), primary.cohort),
            zone: None,
            rows: &rows,
        }
        .draw(),
    );
    let besides = analysis.secondary.iter().map(|one| (one.measure.as_str(), &one.gap, &one.arms));
    let all = [(primary.measure.as_str(), &primary.gap, &primary.arms)].into_iter().chain(besides);
    let row = |(measure, gap, arm): (&str, &Option<GapEnds>, &ArmReport)| {
        let share = arm.share_of_gap.as_ref()?;
        // Measures that decide nothing are listed only where a share is known.
        if share.known().is_none() && measure != primary.measure {
            return None;
        }
        let why = || share.why_not().unwrap_or_default().to_owned();
        let value_text = share.known().map_or_else(why, |share| between(&share.interval));
        Some(vec![
            arm.arm.clone(),
            measure.to_owned(),
            or_dash(gap.as_ref(), |gap| gap.from.clone()),
            or_dash(share.known(), |share| figure(share.value)),
            value_text,
        ])
    };
    let rows =
        all.flat_map(|(measure, gap, arms)| arms.iter().map(move |arm| (measure, gap, arm))).filter_map(row);
    document.table(PageTable {
        caption: format!("Share of the gap to {} that an arm closes; worlds resampled.", ends.to),
        head: head(["arm", "measure", "from", "share of gap", "interval"]),
        rows: rows.collect(),
        words: 3,
    });
}

/// Arms by their mean rank within worlds, best first.
fn ranks(document: &mut Document, primary: &PrimaryResult) {
    let ranking = match &primary.ranking {
        None => return,
        Some(Computed::Known(ranking)) => ranking,
        Some(Computed::Unknown { cannot_be_computed }) => {
            return document.note(format!("arms can't be ranked, because {cannot_be_computed}"));
        }
    };
    let mut order: Vec<usize> = (0..ranking.mean_ranks.len()).collect();
    order.sort_by(|a, b| ranking.mean_ranks[*a].value.total_cmp(&ranking.mean_ranks[*b].value));
    let row = |arm: &usize| {
        let rank = &ranking.mean_ranks[*arm];
        vec![primary.arms[*arm].arm.clone(), figure(rank.value), between(&rank.interval)]
    };
    document.table(PageTable {
        caption: format!(
            "Mean ranks within {} worlds, 1 is best (Friedman's test that all arms are alike, {}): in {} of {}, with {} intervals of resampled \
             worlds.",
            ranking.worlds,
            p_is(ranking.p),
            primary.measure,
            primary.cohort,
            percent(primary.confidence)
        ),
        head: head(["arm", "mean rank", "interval"]),
        rows: order.iter().map(row).collect(),
        words: 1,
    });
}

/// Writes the secondary endpoints: measures that were registered to be looked at, and decide nothing.
pub(super) fn secondary(document: &mut Document, analysis: &Analysis) {
    if analysis.secondary.is_empty() {
        return;
    }
    document.section("Secondary measures");
    document.sentence("looked at besides; not tested, and deciding nothing");
    let all = analysis.secondary.iter().flat_map(|one| one.arms.iter().map(move |arm| (one, arm)));
    let rows = all.filter_map(|(one, arm)| {
        let found = arm.difference.as_ref()?;
        let mean = arm.value.as_ref()?.mean;
        Some(vec![
            format!("{}, {}", one.measure, one.unit),
            arm.arm.clone(),
            found.worlds.to_string(),
            figure(mean),
            or_dash(found.effect, signed),
            or_dash(found.interval.known(), between),
        ])
    });
    document.table(PageTable {
        caption: format!(
            "Means over worlds, and paired differences from {} with {} t intervals, not corrected.",
            analysis.primary.baseline,
            percent(analysis.primary.confidence)
        ),
        head: head(["measure", "arm", "worlds", "mean", "difference", "interval"]),
        rows: rows.collect(),
        words: 2,
    });
}

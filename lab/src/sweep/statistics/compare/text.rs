//! The report of a comparison as tables, and as sentences to quote: paired t, sign flip, Wilcoxon, Cliff's delta, Mann-Whitney. Figures
//! keep the unit of the table and are rounded; the JSON has them in full. Sentences name the test and the number of worlds, because they
//! are quoted without their table. The interval in a sentence is the one that its verdict is judged by, at the level that Holm's correction
//! leaves.

use super::{ArmSummary, ArmsCompared, ArmsComparison};
use crate::io::text::Align::{Left, Right};
use crate::io::text::{
    View, figure, or_dash, or_why, p_is, p_value, percent, range, signed, table, table_of,
};
use morta_stats::aggregate::Estimate;
use morta_stats::signed_rank::RankMethod;

impl View for ArmsCompared {
    fn lines(&self) -> Vec<String> {
        let mut lines =
            vec![format!("{}: {}, baseline {}", self.file, self.score, self.baseline), String::new()];
        lines.extend(self.arms());
        lines.push(String::new());
        lines.extend(self.differences());
        for comparison in &self.comparisons {
            lines.push(String::new());
            lines.extend(self.details(comparison));
        }
        lines.push(String::new());
        lines.extend(self.sentences.clone());
        lines
    }
}

impl ArmsCompared {
    fn interval(&self) -> String {
        format!("{} interval", percent(self.level))
    }

    fn arms(&self) -> Vec<String> {
        let interval = self.interval();
        let mut columns = vec![
            ("arm", Left),
            ("worlds", Right),
            ("mean", Right),
            ("std. dev.", Right),
            ("interquartile mean", Right),
            (&*interval, Right),
        ];
        if self.arms.iter().any(|arm| arm.optimality_gap.is_some()) {
            columns.extend([("short of target", Right), (&*interval, Right)]);
        }
        let estimate = |known: Option<&Estimate>| {
            [or_dash(known, |known| figure(known.value)), or_dash(known, |known| range(known.interval))]
        };
        let row = |arm: &ArmSummary| {
            let summary = &arm.summary;
            let mut row = vec![
                arm.arm.clone(),
                summary.count.to_string(),
                figure(summary.mean),
                or_dash(summary.standard_deviation, figure),
            ];
            row.extend(estimate(arm.interquartile_mean.known()));
            if let Some(gap) = &arm.optimality_gap {
                row.extend(estimate(gap.known()));
            }
            row
        };
        let rows: Vec<Vec<String>> = self.arms.iter().map(row).collect();
        table(&columns, &rows)
    }

    fn differences(&self) -> Vec<String> {
        let interval = self.interval();
        let less = format!("less {}", self.baseline);
        let t = |one: &ArmsComparison| one.figures.paired_t.known().cloned();
        let verdict = |one: &ArmsComparison| {
            or_dash(one.judgement.as_ref(), |found| found.verdict.in_brief(self.matters.is_some()).to_owned())
        };
        let mut lines = table_of::<ArmsComparison>(
            &[
                ("arm", Left, &|one| one.name.clone()),
                ("worlds", Right, &|one| one.figures.pairs.to_string()),
                (&less, Right, &|one| figure(one.figures.difference.mean)),
                (&interval, Right, &|one| or_dash(t(one), |t| range(t.interval))),
                ("p (t)", Right, &|one| or_dash(t(one), |t| p_value(t.p))),
                ("p (sign flip)", Right, &|one| or_dash(one.figures.sign_flip.known(), |it| p_value(it.p))),
                ("p (Wilcoxon)", Right, &|one| or_dash(one.figures.signed_rank.known(), |it| p_value(it.p))),
                ("Holm", Right, &|one| or_dash(one.sign_flip_holm_p, p_value)),
                ("BH", Right, &|one| or_dash(one.sign_flip_benjamini_hochberg_p, p_value)),
                ("d_z", Right, &|one| or_dash(one.figures.cohens_d_paired.known(), |d| figure(*d))),
                ("verdict", Left, &verdict),
            ],
            &self.comparisons,
        );
        lines.push("Holm and BH adjust the sign-flip p for the number of arms.".to_owned());
        lines
    }

    fn details(&self, comparison: &ArmsComparison) -> Vec<String> {
        let figures = &comparison.figures;
        let mut lines = vec![format!("{} against {}", comparison.name, self.baseline)];
        if comparison.unpaired_worlds > 0 {
            let left_out = comparison.unpaired_worlds;
            lines.push(format!("  {left_out} worlds that only one of them was run in are left out"));
        }
        let mut say = |line: String| lines.push(format!("  {line}"));
        say(or_why(&figures.paired_t, "the paired t test", |t| {
            format!("paired t({}) = {}, {}", t.degrees_of_freedom, figure(t.t), p_is(t.p))
        }));
        say(or_why(&figures.bootstrap, "the bootstrap interval", |both| {
            format!("bootstrap: percentile {}, BCa {}", range(both.percentile), range(both.bca))
        }));
        say(or_why(&figures.sign_flip, "the sign-flip test", |test| {
            let how = if test.exact { "all" } else { "a sample of" };
            format!("sign-flip permutation test: {} ({how} {} assignments)", p_is(test.p), test.assignments)
        }));
        say(or_why(&figures.signed_rank, "Wilcoxon's test", |test| {
            let how = match test.method {
                RankMethod::Exact => "exact",
                RankMethod::Normal => "normal approximation",
                RankMethod::NormalWithContinuity => "normal approximation with continuity correction",
            };
            format!(
                "Wilcoxon signed-rank test: {} ({how}, {} differences of 0 left out)",
                p_is(test.p),
                test.zeros
            )
        }));
        say(or_why(&figures.cliffs_delta, "Cliff's delta", |delta| {
            let interval = delta.interval.map_or(String::new(), |interval| format!(" ({})", range(interval)));
            format!("Cliff's delta {}{interval}", figure(delta.delta))
        }));
        say(or_why(&figures.probability_of_improvement, "the probability of improvement", |found| {
            format!("probability of improvement {} ({})", figure(found.value), range(found.interval))
        }));
        say(or_why(&figures.variance_reduction, "the variance that pairing took away", |share| {
            let correlation =
                or_why(&figures.correlation, "correlation", |r| format!("correlation {}", figure(*r)));
            format!("sharing worlds took away {} of the variance; {correlation}", percent(*share))
        }));
        say(or_why(&figures.welch_t, "Welch's test", |t| {
            let ranks =
                or_why(&figures.rank_sum, "Mann-Whitney", |test| format!("Mann-Whitney {}", p_is(test.p)));
            format!("had the worlds not been shared: Welch {}, {ranks}", p_is(t.p))
        }));
        say(or_why(&comparison.worlds_needed, "the number of worlds needed", |needed| {
            let (now, wanted) = (figure(needed.half_width), figure(needed.wanted));
            format!("the interval is ± {now}; ± {wanted} takes {} worlds", needed.pairs_needed)
        }));
        say(or_why(&figures.power_for_half, "power", |power| {
            format!(
                "power of {} worlds for an effect of half a standard deviation: {}",
                figures.pairs,
                figure(*power)
            )
        }));
        lines
    }
}

/// Comparison sentences (human-readable text), one for each comparison: verdict, mean difference, confidence interval, t test, sign-flip
/// test, d_z.
pub(super) fn sentences(report: &ArmsCompared) -> Vec<String> {
    let sentence = |comparison: &ArmsComparison| {
        let figures = &comparison.figures;
        let (by, found) = (figures.difference.mean, comparison.judgement.as_ref());
        let mut evidence = Vec::new();
        if let Some(t) = figures.paired_t.known() {
            let judged = found.and_then(|found| found.interval.known()).unwrap_or(&t.interval);
            evidence.push(format!("{} interval {}", percent(judged.level), range(*judged)));
            evidence.push(format!("paired t({}) = {}, {}", t.degrees_of_freedom, figure(t.t), p_is(t.p)));
        }
        if let Some(test) = figures.sign_flip.known() {
            let corrected = comparison.sign_flip_holm_p.filter(|_| report.comparisons.len() > 1);
            let corrected = corrected.map_or(String::new(), |p| format!(", {} by Holm", p_is(p)));
            evidence.push(format!("sign-flip test {}{corrected}", p_is(test.p)));
        }
        if let Some(d) = figures.cohens_d_paired.known() {
            evidence.push(format!("d_z = {}", figure(*d)));
        }
        let (arm, baseline, score) = (&comparison.name, &report.baseline, &report.score);
        // Where every pair differs by the same, there is no spread to test with, and so no evidence to show.
        let evidence =
            if evidence.is_empty() { String::new() } else { format!(" ({})", evidence.join("; ")) };
        let delta = report.matters.map(figure);
        let words = found.map_or(String::new(), |found| {
            let mut said = vec![found.verdict.in_words(arm, baseline, delta.as_deref())];
            said.extend(found.disagreement.clone());
            said.extend(
                found.worlds_to_settle.map(|worlds| format!("about {worlds} worlds would settle it")),
            );
            format!("{}: ", said.join("; "))
        });
        format!("{words}{} in the mean {score} over {} shared worlds{evidence}.", signed(by), figures.pairs)
    };
    report.comparisons.iter().map(sentence).collect()
}

//! The report of survival as tables, and as sentences to quote: median survival, restricted mean, log-rank test, hazard ratio, numbers
//! at risk. Times keep the unit of the table; a hazard ratio has none. A sentence on a difference in mean survival names the horizon,
//! because a restricted mean without it can't be compared. Holm's p-values are in the tables; sentences have those before the correction.

use super::{GroupSurvival, SurvivalAnalysis, SurvivalDifference};
use crate::io::text::Align::{self, Left, Right};
use crate::io::text::{
    View, count, figure, or_dash, or_why, p_is, p_value, percent, range, table, table_of, time,
};
use crate::sweep::statistics::cox::CoxReport;
use morta_stats::Computed;
use morta_stats::survival::cox::{Coefficient, CoxFit, ModelTest};
use morta_stats::survival::kaplan_meier::MedianSurvival;
use morta_stats::survival::proportional::{ProportionalHazards, TimeTransform};

/// Below this, sandwich estimates are known to be biased downwards (Cameron & Miller 2015 give 20 to 50).
const FEW_CLUSTERS: u64 = 30;

impl View for SurvivalAnalysis {
    fn lines(&self) -> Vec<String> {
        let censored = self.lives - self.events;
        let late = self.entry.as_ref().map(|entry| format!(", observed from {entry} on"));
        let weighted = self.weight.as_ref().map(|weight| format!(", weighted by {weight}"));
        let mut lines = vec![
            format!(
                "{}: {}, {} ended, {censored} censored ({}, {}){}{}",
                self.file,
                count(self.lives as usize, "life", "lives"),
                self.events,
                self.duration,
                self.event,
                late.unwrap_or_default(),
                weighted.unwrap_or_default()
            ),
            String::new(),
        ];
        lines.extend(self.curves());
        lines.push(String::new());
        lines.extend(self.at_risk());
        if let Some(test) = &self.log_rank {
            lines.push(String::new());
            lines.push(or_why(test, "the log-rank test", |test| {
                let (chi, df) = (figure(test.chi_square), test.degrees_of_freedom);
                format!("log-rank test: chi-square({df}) = {chi}, {}", p_is(test.p))
            }));
        }
        if self.weight.is_some() {
            lines.push("intervals and the log-rank test count a weight as that many lives".to_owned());
        }
        if !self.restricted_mean_differences.is_empty() {
            lines.push(String::new());
            lines.extend(self.differences());
        }
        if let Some(cox) = &self.cox {
            lines.push(String::new());
            lines.extend(model(cox));
        }
        lines.push(String::new());
        lines.extend(self.sentences.clone());
        lines
    }
}

impl SurvivalAnalysis {
    fn curves(&self) -> Vec<String> {
        let interval = format!("{} interval", percent(self.level));
        let mean = self.groups.first().and_then(|group| group.numbers_at_risk.last());
        let mean = format!("mean up to {}", or_dash(mean, |last| time(last.time)));
        let mut lines = table_of::<GroupSurvival>(
            &[
                ("group", Left, &|one| one.group.clone()),
                ("lives", Right, &|one| one.curve.lives.to_string()),
                ("ended", Right, &|one| one.curve.events.to_string()),
                ("median", Right, &|one| one.curve.median.time.map_or("not reached".to_owned(), time)),
                (&interval, Right, &|one| limits(&one.curve.median)),
                (&mean, Right, &|one| or_dash(one.restricted_mean.known(), |it| figure(it.mean))),
                (&interval, Right, &|one| {
                    or_dash(one.restricted_mean.known().and_then(|it| it.interval), range)
                }),
            ],
            &self.groups,
        );
        for group in &self.groups {
            if group.restricted_mean.why_not().is_some() {
                let label = format!("the restricted mean of {}", group.group);
                lines.push(or_why(&group.restricted_mean, &label, |_| String::new()));
            }
        }
        lines
    }

    fn at_risk(&self) -> Vec<String> {
        let Some(first) = self.groups.first() else { return Vec::new() };
        let times: Vec<String> = first.numbers_at_risk.iter().map(|at| time(at.time)).collect();
        let columns: Vec<(&str, Align)> = std::iter::once(("at risk at", Left))
            .chain(times.iter().map(|time| (time.as_str(), Right)))
            .collect();
        let row = |group: &GroupSurvival| {
            let counts = group.numbers_at_risk.iter().map(|at| at.lives.to_string());
            std::iter::once(group.group.clone()).chain(counts).collect()
        };
        let rows: Vec<Vec<String>> = self.groups.iter().map(row).collect();
        table(&columns, &rows)
    }

    fn differences(&self) -> Vec<String> {
        let baseline = format!("mean survival less that of {}", self.baseline.as_deref().unwrap_or("all"));
        let interval = format!("{} interval", percent(self.level));
        table_of::<SurvivalDifference>(
            &[
                ("group", Left, &|one| one.group.clone()),
                (&baseline, Right, &|one| or_dash(one.difference.known(), |known| figure(known.difference))),
                (&interval, Right, &|one| or_dash(one.difference.known().and_then(|it| it.interval), range)),
                ("p", Right, &|one| or_dash(one.difference.known().and_then(|known| known.p), p_value)),
                ("p (Holm)", Right, &|one| or_dash(one.holm_p, p_value)),
            ],
            &self.restricted_mean_differences,
        )
    }
}

fn limits(median: &MedianSurvival) -> String {
    match (median.low, median.high) {
        (Some(low), Some(high)) => format!("{} to {}", time(low), time(high)),
        (Some(low), None) => format!("from {}", time(low)),
        (None, _) => "-".to_owned(),
    }
}

fn model(cox: &CoxReport) -> Vec<String> {
    let model = match &cox.model {
        Computed::Known(model) => model,
        unknown => return vec![or_why(unknown, "the Cox model", |_| String::new())],
    };
    let ties = format!("{:?}", model.ties);
    let mut lines = vec![format!(
        "Cox proportional hazards ({ties} ties), {} of {} lives ended",
        model.events, model.lives
    )];
    let references = cox.reference_levels.iter();
    lines.extend(references.map(|level| format!("{} is relative to {}", level.column, level.level)));
    lines.extend(coefficients(model));
    let test = |name: &str, test: &ModelTest| {
        let (df, chi) = (test.degrees_of_freedom, figure(test.chi_square));
        format!("{name}: chi-square({df}) = {chi}, {}", p_is(test.p))
    };
    lines.push(test("likelihood ratio test", &model.likelihood_ratio_test));
    lines.push(or_why(&model.wald_test, "the Wald test", |wald| test("Wald test", wald)));
    lines.push(or_why(&model.concordance, "concordance", |value| format!("concordance {}", figure(*value))));
    if let (Some(clusters), Some(column)) = (model.clusters, &cox.cluster) {
        let few = if clusters < FEW_CLUSTERS { ": so few that they are likely too small" } else { "" };
        lines.push(format!(
            "standard errors are robust to dependence within {clusters} clusters ({column}){few}"
        ));
    } else if model.robust_covariance.is_some() {
        lines.push("standard errors are robust, because lives are weighted".to_owned());
    }
    for drift in &cox.proportional_hazards {
        lines.push(or_why(drift, "the test of proportional hazards", proportional));
    }
    lines
}

fn coefficients(model: &CoxFit) -> Vec<String> {
    let level = model.coefficients.first().map_or(0.95, |first| first.hazard_ratio_interval.level);
    let interval = format!("{} interval", percent(level));
    table_of::<Coefficient>(
        &[
            ("column", Left, &|one| one.column.clone()),
            ("coefficient", Right, &|one| figure(one.coefficient)),
            ("std. error", Right, &|one| figure(one.robust_standard_error.unwrap_or(one.standard_error))),
            ("hazard ratio", Right, &|one| figure(one.hazard_ratio)),
            (&interval, Right, &|one| range(one.hazard_ratio_interval)),
            ("z", Right, &|one| figure(one.z)),
            ("p", Right, &|one| p_value(one.p)),
        ],
        &model.coefficients,
    )
}

fn proportional(test: &ProportionalHazards) -> String {
    let scale = match test.transform {
        TimeTransform::Rank => "rank",
        TimeTransform::KaplanMeier => "Kaplan-Meier",
    };
    let columns: Vec<String> =
        test.columns.iter().map(|drift| format!("{} {}", drift.column, p_is(drift.p))).collect();
    let all =
        format!("chi-square({}) = {}, {}", test.degrees_of_freedom, figure(test.chi_square), p_is(test.p));
    format!("proportional hazards, {scale} time: {all} ({})", columns.join("; "))
}

/// Words the survival analysis in sentences: one for each group but the baseline, which each of them names for comparison; one in all where
/// there are no groups. The log-rank test is at the end of the last. The Cox model has none.
pub(super) fn sentences(report: &SurvivalAnalysis) -> Vec<String> {
    let Some((first, others)) = report.groups.split_first() else { return Vec::new() };
    if others.is_empty() {
        return vec![format!("{}.", median(first, report.level))];
    }
    let test = report.log_rank.as_ref().and_then(|test| test.known()).map_or(String::new(), |test| {
        let (chi, df) = (figure(test.chi_square), test.degrees_of_freedom);
        format!(
            " Log-rank test of {} groups: chi-square({df}) = {chi}, {}.",
            report.groups.len(),
            p_is(test.p)
        )
    });
    let sentence = |(group, difference): (&GroupSurvival, &SurvivalDifference)| {
        let mean = difference.difference.known().map_or(String::new(), |known| {
            let p = known.p.map_or(String::new(), |p| format!(", {}", p_is(p)));
            let span = group.numbers_at_risk.last().map_or(String::new(), |last| time(last.time));
            let sure = known.interval.map_or(String::new(), |interval| format!(" ({})", range(interval)));
            format!(" Mean survival up to {span} differs by {}{sure}{p}.", figure(known.difference))
        });
        format!("{}; {}.{mean}", median(group, report.level), median(first, report.level))
    };
    let mut all: Vec<String> = others.iter().zip(&report.restricted_mean_differences).map(sentence).collect();
    if let Some(last) = all.last_mut() {
        last.push_str(&test);
    }
    all
}

fn median(group: &GroupSurvival, level: f64) -> String {
    let curve = &group.curve;
    let of = format!("{} of {} ended", curve.events, count(curve.lives as usize, "life", "lives"));
    match curve.median.time {
        Some(median) => {
            let limits = limits(&curve.median);
            format!("{}: median {} ({} interval {limits}; {of})", group.group, time(median), percent(level))
        }
        None => format!("{}: more than half outlived the observation ({of})", group.group),
    }
}

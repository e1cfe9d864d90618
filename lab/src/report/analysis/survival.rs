//! The section of registered survival analysis: the pooled log-rank test over all lives of the arms that the primary comparison has
//! (`Sweep::compared`, all but with a ladder, contrasts or a map), restricted mean survival times compared world by world with the
//! registered test, and death rates in deaths per 1,000 golem-ticks. Times are ticks, up to the registered horizon. Curves are drawn
//! elsewhere (`crate::report::survival`), from the table of lives. The pooled test and the rates only describe, because lives of one world
//! aren't independent and rates aren't corrected for the number of arms. The table by world is corrected as a family of its own. It is
//! missing where the primary measure is the restricted mean of the same cohort, otherwise the page would have that comparison twice. Death
//! rates are missing from analyses of earlier builds. A table without rows isn't written.

use super::{effect, head, p_values};
use crate::io::text::{between, figure, or_dash, or_why, p_is, p_value, time};
use crate::report::document::Document;
use crate::report::page::PageTable;
use crate::sweep::analysis::report::ArmReport;
use crate::sweep::analysis::survival::{ArmSurvival, SurvivalReport};
use morta_stats::Computed;

/// Writes the sentences and tables of the log-rank test, the restricted mean survival times and the death rates.
pub(super) fn write(document: &mut Document, survival: &SurvivalReport) {
    document.section("Survival as registered");
    document.sentence(format!(
        "survival of {}, in ticks, up to age {}; {}",
        survival.cohort,
        survival.horizon_ticks,
        or_why(&survival.log_rank, "the log-rank test", |test| {
            let (chi_square, freedom) = (figure(test.chi_square), test.degrees_of_freedom);
            format!("log-rank over arms, descriptive: chi-square {chi_square} on {freedom}, {}", p_is(test.p))
        })
    ));
    document.sentence(survival.about.clone());
    let row = |arm: &ArmSurvival| {
        let mean = arm.restricted_mean.known();
        vec![
            arm.arm.clone(),
            arm.lives.to_string(),
            arm.deaths.to_string(),
            or_dash(arm.median.known().and_then(|median| median.time), time),
            or_dash(mean, |mean| figure(mean.mean)),
            or_dash(mean.and_then(|mean| mean.interval.as_ref()), between),
        ]
    };
    document.table(PageTable {
        caption: "All lives of each arm together: Kaplan and Meier's median and restricted mean.".to_owned(),
        head: head(["arm", "lives", "deaths", "median", "restricted mean", "interval"]),
        rows: survival.arms.iter().map(row).collect(),
        words: 1,
    });
    let row = |arm: &ArmSurvival| {
        let per_thousand = |rate: f64| figure(rate * 1_000.0);
        let rate = arm.death_rate.as_ref().and_then(Computed::known)?;
        let (low, high) = (per_thousand(rate.interval.low), per_thousand(rate.interval.high));
        let ratio = arm.rate_ratio.as_ref().and_then(Computed::known);
        Some(vec![
            arm.arm.clone(),
            rate.worlds.to_string(),
            format!("{} [{low}, {high}]", per_thousand(rate.rate)),
            or_dash(ratio, |found| format!("{} {}", figure(found.ratio), between(&found.interval))),
            or_dash(ratio, |found| p_value(found.p)),
        ])
    };
    document.table(PageTable {
        caption: "Deaths per 1,000 golem-ticks, and the ratio to the baseline's: Poisson, with errors by world; not corrected, and deciding nothing."
            .to_owned(),
        head: head(["arm", "worlds", "deaths per 1,000 ticks", "ratio", "p"]),
        rows: survival.arms.iter().filter_map(row).collect(),
        words: 1,
    });
    let row = |arm: &ArmReport| {
        let found = arm.difference.as_ref()?;
        let (name, verdict) = (arm.arm.clone(), found.in_brief().to_owned());
        Some(vec![name, verdict, found.worlds.to_string(), effect(found), p_values(found)])
    };
    let per_world = survival.restricted_mean_per_world.iter().flatten();
    document.table(PageTable {
        caption: "Restricted mean, world by world: paired difference from the baseline.".to_owned(),
        head: head(["arm", "verdict", "worlds", "difference", "p (corrected)"]),
        rows: per_world.filter_map(row).collect(),
        words: 2,
    });
}

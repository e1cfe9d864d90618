//! The analysis for people.

use super::ladder::LadderReport;
use super::map::MapReport;
use super::report::{Analysis, ArmReport, Described, Difference, Judged};
use super::rule::RuleReport;
use super::sentence::{between, signed};
use super::survival::{ArmSurvival, SurvivalReport};
use crate::io::text::{Align, or_dash, table};
use crate::io::text::{figure, or_why, p_is, p_value, percent, time};
use crate::sweep::sweep_file::{Direction, Test};
use morta_stats::Computed;
use morta_stats::aggregate::Estimate;

const LEFT: Align = Align::Left;
const RIGHT: Align = Align::Right;

/// Most arms that are told of on the terminal.
const ROWS_MAX: usize = 100;
/// Most arms whose comparison is told of in full.
const DETAILS_MAX: usize = 12;

impl Analysis {
    /// Lines of text.
    pub fn lines(&self) -> Vec<String> {
        if let Some(sensitivity) = &self.sensitivity {
            let unfinished = self.standing.because.iter().skip(1).cloned();
            return sensitivity.lines().into_iter().chain(unfinished).collect();
        }
        let mut lines = self.heading();
        lines.push(String::new());
        lines.extend(self.comparison());
        lines.extend(self.closeness());
        lines.extend(self.ranks());
        lines.push(String::new());
        lines.extend(self.sentences.iter().take(ROWS_MAX).cloned());
        for arm in self.primary.arms.iter().take(DETAILS_MAX) {
            let found = arm.difference.as_ref().and_then(Computed::known);
            if let Some(judged) = found.and_then(|found| found.judged.as_ref()) {
                lines.push(String::new());
                lines.push(format!("{} against {}", arm.arm, self.primary.baseline));
                lines.extend(details(judged).into_iter().map(|line| format!("  {line}")));
            }
        }
        lines.extend(self.rule.iter().flat_map(RuleReport::lines));
        lines.extend(self.ladder.iter().flat_map(LadderReport::lines));
        lines.extend(self.map.iter().flat_map(MapReport::lines));
        lines.extend(self.besides());
        if let Some(survival) = &self.survival {
            lines.push(String::new());
            lines.extend(told(survival));
        }
        if self.primary.arms.len() > ROWS_MAX {
            lines.push(format!("and {} more arms, in analysis.json", self.primary.arms.len() - ROWS_MAX));
        }
        lines
    }

    fn heading(&self) -> Vec<String> {
        let primary = &self.primary;
        let better = match primary.direction {
            Some(Direction::More) => ", more is better",
            Some(Direction::Less) => ", less is better",
            None => "",
        };
        let mut lines = vec![
            format!(
                "{} of {}{better}; means over worlds, {} t intervals",
                primary.measure,
                primary.cohort,
                percent(primary.confidence)
            ),
            format!("differences are paired by world with {}", primary.baseline),
        ];
        lines.extend(self.standing.because.iter().cloned());
        lines
    }

    fn comparison(&self) -> Vec<String> {
        let (test, corrected) =
            (test_name(self.primary.test), self.primary.correction.unwrap_or_default().in_brief());
        let columns = [
            ("arm", LEFT),
            ("worlds", RIGHT),
            ("mean", RIGHT),
            ("difference", RIGHT),
            ("interval", RIGHT),
            (test, RIGHT),
            (corrected, RIGHT),
            ("d_z", RIGHT),
            ("failed", RIGHT),
        ];
        let row = |arm: &ArmReport| {
            let found = arm.difference.as_ref().and_then(Computed::known);
            let judged = found.and_then(|found| found.judged.as_ref());
            vec![
                arm.arm.clone(),
                found
                    .map_or(arm.value.as_ref().map_or(0, |value| value.worlds), |found| found.worlds)
                    .to_string(),
                or_dash(arm.value.as_ref(), |value: &Described| figure(value.mean)),
                match &arm.difference {
                    None => "baseline".to_owned(),
                    Some(_) => or_dash(found, |found: &Difference| signed(found.mean)),
                },
                or_dash(found.and_then(|found| found.interval.known()), between),
                or_dash(judged.and_then(|judged| judged.p.known()), |p| p_value(*p)),
                or_dash(judged.and_then(|judged| judged.corrected_p.known()), |p| p_value(*p)),
                or_dash(judged.and_then(|judged| judged.figures.cohens_d_paired.known()), |d| figure(*d)),
                arm.failed.to_string(),
            ]
        };
        let rows: Vec<Vec<String>> = self.primary.arms.iter().take(ROWS_MAX).map(row).collect();
        table(&columns, &rows)
    }

    /// How far each arm has come from the baseline to the ceiling, in every measure.
    fn closeness(&self) -> Vec<String> {
        let primary = (self.primary.measure.as_str(), &self.primary.arms);
        let besides = self.secondary.iter().map(|one| (one.measure.as_str(), &one.arms));
        let rows: Vec<Vec<String>> = [primary]
            .into_iter()
            .chain(besides)
            .flat_map(|(measure, arms)| arms.iter().take(DETAILS_MAX).map(move |arm| (measure, arm)))
            .filter_map(|(measure, arm)| {
                let share = arm.share_of_gap.as_ref()?;
                // Of what is looked at besides, only what there is.
                if share.known().is_none() && measure != primary.0 {
                    return None;
                }
                let told = |share: &Estimate| between(&share.interval);
                Some(vec![
                    measure.to_owned(),
                    arm.arm.clone(),
                    or_dash(share.known(), |share| figure(share.value)),
                    share.why_not().map_or_else(|| or_dash(share.known(), told), str::to_owned),
                ])
            })
            .collect();
        if rows.is_empty() {
            return Vec::new();
        }
        let columns = [("measure", LEFT), ("arm", LEFT), ("share of gap", RIGHT), ("interval", RIGHT)];
        let heading =
            "share of the gap between baseline and ceiling that an arm closes; worlds resampled".to_owned();
        [String::new(), heading].into_iter().chain(table(&columns, &rows)).collect()
    }

    /// Arms by their mean rank within worlds, best first.
    fn ranks(&self) -> Vec<String> {
        let Some(ranking) = &self.primary.ranking else { return Vec::new() };
        let ranking = match ranking {
            Computed::Known(ranking) => ranking,
            Computed::Unknown { cannot_be_computed } => {
                return vec![String::new(), format!("arms can't be ranked, because {cannot_be_computed}")];
            }
        };
        let mut order: Vec<usize> = (0..ranking.mean_ranks.len()).collect();
        order.sort_by(|a, b| ranking.mean_ranks[*a].value.total_cmp(&ranking.mean_ranks[*b].value));
        let row = |arm: &usize| {
            let rank = &ranking.mean_ranks[*arm];
            vec![self.primary.arms[*arm].arm.clone(), figure(rank.value), between(&rank.interval)]
        };
        let rows: Vec<Vec<String>> = order.iter().take(ROWS_MAX).map(row).collect();
        let columns = [("arm", LEFT), ("mean rank", RIGHT), ("interval", RIGHT)];
        let heading = format!(
            "ranks within {} worlds, 1 is best; Friedman's test that all arms are alike: {}",
            ranking.worlds,
            p_is(ranking.p)
        );
        [String::new(), heading].into_iter().chain(table(&columns, &rows)).collect()
    }

    fn besides(&self) -> Vec<String> {
        let rows: Vec<Vec<String>> = self
            .secondary
            .iter()
            .flat_map(|one| one.arms.iter().take(DETAILS_MAX).map(|arm| difference_row(&one.measure, arm)))
            .flatten()
            .collect();
        if rows.is_empty() {
            return Vec::new();
        }
        let columns =
            [("measure", LEFT), ("arm", LEFT), ("worlds", RIGHT), ("difference", RIGHT), ("interval", RIGHT)];
        let heading = "looked at besides; not tested, and deciding nothing".to_owned();
        [String::new(), heading].into_iter().chain(table(&columns, &rows)).collect()
    }
}

fn difference_row(measure: &str, arm: &ArmReport) -> Option<Vec<String>> {
    let found = arm.difference.as_ref()?.known();
    Some(vec![
        measure.to_owned(),
        arm.arm.clone(),
        found.map_or(0, |found| found.worlds).to_string(),
        or_dash(found, |found| signed(found.mean)),
        or_dash(found.and_then(|found| found.interval.known()), between),
    ])
}

const fn test_name(test: Option<Test>) -> &'static str {
    match test {
        Some(Test::PairedPermutation) => "p (sign flip)",
        Some(Test::Wilcoxon) => "p (Wilcoxon)",
        Some(Test::T) => "p (t)",
        None => "p",
    }
}

fn details(judged: &Judged) -> Vec<String> {
    let figures = &judged.figures;
    let mut lines = vec![
        or_why(&figures.bootstrap, "the bootstrap interval", |both| {
            format!("bootstrap: percentile {}, BCa {}", between(&both.percentile), between(&both.bca))
        }),
        or_why(&figures.cliffs_delta, "Cliff's delta", |delta| {
            let interval =
                delta.interval.as_ref().map_or(String::new(), |interval| format!(" {}", between(interval)));
            format!("Cliff's delta {}{interval}", figure(delta.delta))
        }),
        or_why(&figures.probability_of_improvement, "the probability of a larger value", |found| {
            format!("probability of a larger value {} {}", figure(found.value), between(&found.interval))
        }),
        or_why(&figures.variance_reduction, "the variance that common luck took away", |share| {
            format!("common luck took away {} of the variance", percent(*share))
        }),
    ];
    if let Some(enough) = &judged.enough {
        let effect = figure(enough.effect_of_interest);
        lines.push(or_why(&enough.for_half_width, "the number of worlds needed", |needed| {
            let (now, worlds) = (figure(needed.half_width), needed.pairs_needed);
            format!("enough worlds? The interval is ± {now} with {}; ± {effect} takes {worlds}", needed.pairs)
        }));
        lines.push(or_why(&enough.power, "power", |power| {
            let strictest = or_why(&enough.power_strictest, "after the correction", |power| figure(*power));
            let wanted = percent(enough.wanted_power);
            let needed = or_why(&enough.for_power, "the number of worlds for that", |worlds| {
                format!("{wanted} takes {worlds} worlds")
            });
            format!(
                "power to see {effect}: {}, at the strictest correction {strictest}; {needed} before correction",
                figure(*power)
            )
        }));
        if let Some(smallest) = enough.smallest_p.filter(|_| !enough.can_decide) {
            lines.push(format!(
                "too few worlds to decide: the smallest p they can give is {}",
                figure(smallest)
            ));
        }
    }
    lines
}

fn told(survival: &SurvivalReport) -> Vec<String> {
    let columns = [
        ("arm", LEFT),
        ("lives", RIGHT),
        ("deaths", RIGHT),
        ("median", RIGHT),
        ("restricted mean", RIGHT),
        ("interval", RIGHT),
    ];
    let row = |arm: &ArmSurvival| {
        let mean = arm.restricted_mean.known();
        vec![
            arm.arm.clone(),
            arm.lives.to_string(),
            arm.deaths.to_string(),
            or_dash(arm.median.known().and_then(|median| median.time), time),
            or_dash(mean, |mean| figure(mean.mean)),
            or_dash(mean, |mean| between(&mean.interval)),
        ]
    };
    let rows: Vec<Vec<String>> = survival.arms.iter().take(ROWS_MAX).map(row).collect();
    let mut lines =
        vec![format!("survival of {}, in ticks, up to age {}", survival.cohort, survival.horizon_ticks)];
    lines.extend(table(&columns, &rows));
    lines.push(or_why(&survival.log_rank, "the log-rank test", |test| {
        let (chi_square, freedom) = (figure(test.chi_square), test.degrees_of_freedom);
        format!("log-rank over arms, descriptive: chi-square {chi_square} on {freedom}, {}", p_is(test.p))
    }));
    if let Some(arms) = &survival.restricted_mean_per_world {
        let row = |arm: &ArmReport| {
            let mut row = difference_row("restricted_mean_ticks", arm)?;
            let judged = arm.difference.as_ref()?.known().and_then(|found| found.judged.as_ref());
            row.push(or_dash(judged.and_then(|judged| judged.corrected_p.known()), |p| p_value(*p)));
            Some(row)
        };
        let rows: Vec<Vec<String>> = arms.iter().take(ROWS_MAX).filter_map(row).collect();
        let columns = [
            ("world by world", LEFT),
            ("arm", LEFT),
            ("worlds", RIGHT),
            ("difference", RIGHT),
            ("interval", RIGHT),
            ("p, corrected", RIGHT),
        ];
        lines.extend(table(&columns, &rows));
    }
    lines.push(survival.about.to_owned());
    lines
}

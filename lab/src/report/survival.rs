//! Survival curves of groups of lives (Kaplan-Meier estimator, right-censoring, log-rank test): the plot, the numbers beside it, and the
//! test. Durations are ticks in runs and sweeps, and the unit of the table in `morta stats`. A life that outlasted its run is censored at
//! the run's end. Groups are cohorts in a run and arms in a sweep, whose lives are pooled over worlds. Bands are log-log intervals at the
//! caller's level, point by point and not corrected. The log-rank test describes and decides nothing: lives of one world share its luck.
//! Curves and not means are shown first, because lives that outlast the run have no known length.

use super::page::{Page, PageTable};
use super::plot::curves::{AtRiskRow, Chart, Curve, CurvePanel, Grid, PlottedPoint};
use crate::io::error::Result;
use crate::io::short_names::ShortNames;
use crate::io::text::{figure, p_is, percent, range, time};
use morta_stats::survival::kaplan_meier::KaplanMeier;
use morta_stats::survival::log_rank::log_rank;
use morta_stats::survival::restricted_mean::{common_horizon, restricted_mean};
use morta_stats::survival::{Group, Lifetimes};

/// Lives by group, being gathered: durations in ticks and event flags (survival data).
#[derive(Debug, Default)]
pub(crate) struct GroupedLives {
    groups: Vec<(String, Vec<f64>, Vec<bool>)>,
    /// How the groups lie in a factorial design: the place of each group in it, row by row.
    grid: Option<(Grid, Vec<usize>)>,
}

/// Most panels that are drawn (our choice: a page of rows of small panels); the table has all groups. It bounds the panels of a sweep's
/// learning curves and of its two-factor grids too.
pub(crate) const PANELS_MAX: usize = 24;
/// Most groups of one panel (our choice): bands of more would overlap into one.
const TOGETHER_MAX: usize = 4;

impl GroupedLives {
    /// Starts with empty groups, in the order in which they are reported.
    pub(crate) fn from_names(names: impl IntoIterator<Item = String>) -> Self {
        let groups = names.into_iter().map(|name| (name, Vec::new(), Vec::new())).collect();
        Self { groups, grid: None }
    }

    /// Lays small panels out as a factorial design; `order` has the group of each of its places, row by row (facet grid).
    pub(crate) fn as_grid(&mut self, grid: Option<(Grid, Vec<usize>)>) {
        self.grid = grid;
    }

    /// Takes in a life of a group, by the group's place from 0. `died` is the event indicator: a life without a death is right-censored.
    pub(super) fn add(&mut self, group: usize, ticks: u64, died: bool) {
        let (_, durations, events) = &mut self.groups[group];
        durations.push(ticks as f64);
        events.push(died);
    }

    /// Writes plot, table and test; lives in a sweep are said to be `pooled` over worlds (Kaplan-Meier plot with log-rank test). The
    /// first group is the one that small panels repeat.
    pub(super) fn write(&self, page: &mut Page, level: f64, by: &str, pooled: bool) -> Result<()> {
        let known = |(name, durations, events): &(String, Vec<f64>, Vec<bool>)| {
            let lifetimes = Lifetimes::new(durations.clone(), events.clone()).ok()?;
            Some(Group { name: name.clone(), lifetimes })
        };
        let groups: Vec<Group> = self.groups.iter().filter_map(known).collect();
        for (name, ..) in self.groups.iter().filter(|(_, durations, _)| durations.is_empty()) {
            page.note(&format!("No life of {name} is known, so it has no survival curve."));
        }
        if groups.is_empty() {
            return Ok(());
        }
        let curve = |group: &Group| KaplanMeier::from_lifetimes(&group.lifetimes, level);
        let curves: Vec<KaplanMeier> = groups.iter().map(curve).collect::<Result<_, _>>()?;
        let last = groups.iter().flat_map(|group| group.lifetimes.durations()).copied().fold(0.0, f64::max);
        let times = Chart::risk_times(last);
        let drawing = SurvivalFigure {
            groups: &groups,
            curves: &curves,
            times: &times,
            level,
            by,
            x_label: "age (ticks)",
            over: if pooled { ", lives of all worlds pooled" } else { "" },
            // A group without lives would leave a hole in the design.
            grid: self.grid.as_ref().filter(|_| groups.len() == self.groups.len()),
        };
        page.figure(drawing.chart().draw());
        if groups.len() > PANELS_MAX {
            page.note(&format!(
                "The plot shows the first {PANELS_MAX} of {} groups; the table has all of them.",
                groups.len()
            ));
        }
        page.table(&table(&groups, &curves, &times, level, (by, ", ticks")));
        let deathless: Vec<&str> = groups
            .iter()
            .filter(|group| group.lifetimes.event_count() == 0)
            .map(|group| group.name.as_str())
            .collect();
        if !deathless.is_empty() {
            let whom =
                if deathless.len() == groups.len() { format!("any {by}") } else { deathless.join(", ") };
            page.note(&format!(
                "Nobody of {whom} was seen to die: where every life is censored, the curve stays at 1 and the median is not \
                 reached.",
            ));
        }
        page.paragraph(&test(&groups, by, pooled));
        Ok(())
    }
}

fn points(curve: &KaplanMeier) -> Vec<PlottedPoint> {
    // The estimate has steps at observed durations only; without this point the curve would begin at the first death and not at 1.
    let start = PlottedPoint { x: 0.0, y: 1.0, band: Some((1.0, 1.0)) };
    let step = |step: &morta_stats::survival::kaplan_meier::SurvivalStep| {
        let band = step.spread.map(|spread| (spread.log_log.low, spread.log_log.high));
        PlottedPoint { x: step.time, y: step.survival, band }
    };
    std::iter::once(start).chain(curve.steps.iter().map(step)).collect()
}

/// Ages at which lives were censored, on the curve.
fn censored(curve: &KaplanMeier) -> Vec<(f64, f64)> {
    let censored = curve.steps.iter().filter(|step| step.censored > 0);
    censored.map(|step| (step.time, step.survival)).collect()
}

/// Colour of the curve that small panels repeat: the last of the series, so that it isn't taken for a group with a colour of its own.
const REPEATED: usize = 6;

/// Whether so few curves share one panel.
pub(super) fn is_one_panel(curves: usize) -> bool {
    curves <= TOGETHER_MAX
}

/// Few curves share a panel; of more, each has one of its own that repeats the first, in the order of a design where there is one (small
/// multiples). `drawn` gives a curve by its place and colour.
pub(super) fn panels(
    names: &[String],
    design: Option<&[usize]>,
    drawn: impl Fn(usize, usize) -> Curve,
) -> Vec<CurvePanel> {
    if is_one_panel(names.len()) {
        let curves = (0..names.len()).map(|place| drawn(place, place)).collect();
        return vec![CurvePanel { title: String::new(), curves }];
    }
    let small = |place: usize| {
        let mut curves = vec![drawn(place, 0)];
        if place > 0 {
            let mut first = drawn(0, REPEATED);
            // The repeated curve is there for comparison; a second band would hide the first.
            first.points.iter_mut().for_each(|point| point.band = None);
            first.censored.clear();
            curves.push(first);
        }
        CurvePanel { title: names[place].clone(), curves }
    };
    match design {
        Some(order) => order.iter().copied().map(small).collect(),
        None => (0..names.len().min(PANELS_MAX)).map(small).collect(),
    }
}

/// What is said of the curve that small panels repeat.
pub(super) fn repeated(names: &[String]) -> String {
    if is_one_panel(names.len()) {
        return String::new();
    }
    format!(" Every panel repeats {} as a dashed line.", names[0])
}

/// Curves of groups of lives, and what is said of them (Kaplan-Meier figure with log-rank test).
pub(crate) struct SurvivalFigure<'a> {
    /// The first is the one that small panels repeat.
    pub groups: &'a [Group],
    /// Their curves.
    pub curves: &'a [KaplanMeier],
    /// Times at which lives at risk are counted.
    pub times: &'a [f64],
    /// Confidence level of bands, in (0, 1).
    pub level: f64,
    /// The noun for a group, like `cohort`.
    pub by: &'a str,
    /// The label of durations, with their unit.
    pub x_label: &'a str,
    /// The lives that are pooled, as the end of a phrase like "the share of lives that reach an age"; empty where none are.
    pub over: &'a str,
    /// How small panels lie in a factorial design, with the group of each of its places.
    pub grid: Option<&'a (Grid, Vec<usize>)>,
}

impl SurvivalFigure<'_> {
    /// Kaplan-Meier curves, with the number at risk below where they share a panel (survival plot).
    pub(super) fn chart(&self) -> Chart {
        let Self { groups, curves, times, level, by, x_label, over, .. } = *self;
        let short = ShortNames::new(&groups.iter().map(|group| group.name.clone()).collect::<Vec<_>>());
        let drawn = |index: usize, colour: usize| {
            let curve = Curve::new(&short.names[index], colour, points(&curves[index]));
            Curve { censored: censored(&curves[index]), ..curve }
        };
        let together = is_one_panel(groups.len());
        let grid = self.grid.filter(|_| !together);
        let at_risk = |(index, group): (usize, &Group)| AtRiskRow {
            name: short.names[index].clone(),
            colour: index,
            lives: group.lifetimes.at_risk(times),
        };
        Chart {
            name: "survival".to_owned(),
            title: format!("Survival by {by}"),
            description: format!(
                "Kaplan-Meier estimate of the share of lives that reach an age{over}, with {} log-log bands; strokes are censored lives, \
                 which outlived their observation.{}{}",
                percent(level),
                repeated(&short.names),
                short.besides()
            ),
            x_label: x_label.to_owned(),
            y_label: "share surviving".to_owned(),
            y_range: Some((0.0, 1.0)),
            steps: true,
            panels: panels(&short.names, grid.map(|(_, order)| order.as_slice()), drawn),
            grid: grid.map(|(grid, _)| grid.clone()),
            risk_times: times.to_vec(),
            at_risk: if together { groups.iter().enumerate().map(at_risk).collect() } else { Vec::new() },
            ..Chart::default()
        }
    }
}

/// Lives, deaths, medians and means of groups; the unit of durations is put behind the names of columns (survival summary table).
pub(super) fn table(
    groups: &[Group],
    curves: &[KaplanMeier],
    times: &[f64],
    level: f64,
    (by, unit): (&str, &str),
) -> PageTable {
    // One horizon for all groups: restricted means up to different ages can't be compared.
    let horizon = common_horizon(groups).ok();
    let mut head = vec![by.to_owned(), "lives".to_owned(), "deaths".to_owned(), format!("median{unit}")];
    head.push(format!("restricted mean{unit}"));
    head.extend(times.iter().map(|at| format!("at risk at {}", time(at.round()))));
    let row = |(group, curve): (&Group, &KaplanMeier)| {
        let mut row =
            vec![group.name.clone(), curve.lives.to_string(), curve.events.to_string(), median(curve)];
        let restricted = horizon.and_then(|horizon| restricted_mean(group, horizon, level).ok());
        row.push(restricted.map_or("\u{2013}".to_owned(), |mean| match mean.interval {
            Some(interval) => format!("{} ({})", figure(mean.mean), range(interval)),
            None => figure(mean.mean),
        }));
        row.extend(group.lifetimes.at_risk(times).iter().map(u64::to_string));
        row
    };
    let up_to = horizon.map_or(String::new(), |horizon| {
        format!(" Restricted means go up to {}{}.", time(horizon), unit.replace(',', ""))
    });
    PageTable {
        caption: format!(
            "Lifetimes by {by}: medians and restricted means with {} intervals, and lives at risk.{up_to}",
            percent(level)
        ),
        head,
        rows: groups.iter().zip(curves).map(row).collect(),
        words: 1,
    }
}

fn median(curve: &KaplanMeier) -> String {
    let end = |at: Option<f64>| at.map_or("not reached".to_owned(), time);
    match curve.median.time {
        Some(at) => format!("{} ({} to {})", time(at), end(curve.median.low), end(curve.median.high)),
        None => "not reached".to_owned(),
    }
}

fn test(groups: &[Group], by: &str, pooled: bool) -> String {
    if groups.len() < 2 {
        return format!("There is one {by} only, so no survival is compared.");
    }
    let shared = if pooled {
        "lives in one world share their luck and lives pooled over worlds are not independent, so this describes and decides nothing"
    } else {
        "lives in one world share their luck, so this describes and decides nothing"
    };
    match log_rank(groups) {
        Ok(test) => format!(
            "Log-rank test over {} groups: chi-square({}) = {}, {}; {shared}.",
            groups.len(),
            test.degrees_of_freedom,
            figure(test.chi_square),
            p_is(test.p)
        ),
        Err(why) => format!("The log-rank test can't be computed, because {why}."),
    }
}

//! Learning curves: means over worlds of what was measured in each stretch of time, with t intervals.

use super::data::SweepData;
use crate::io::error::Result;
use crate::io::table::Rows;
use crate::io::text::percent;
use crate::report::page::Page;
use crate::report::plot::curves::{Chart, Curve, Panel, Point};
use crate::report::survival::PANELS_MAX;
use crate::sweep::measure::{CURVES, EVERYBODY};
use crate::sweep::sweep_folder::tables::SeriesPoint;
use morta_stats::t_test::paired_t;
use std::collections::BTreeMap;

/// The curves that are drawn: name, unit, whether everybody's is meant whatever the cohort, and whether 0 is marked.
const DRAWN: [(&str, &str, bool, bool); 3] = [
    ("mean_r", "R a trade", false, true),
    ("equity_per_golem_usdc", "USDC", true, false),
    ("alive", "golems", false, false),
];

/// Up to so many arms share one panel.
const TOGETHER_MAX: usize = 4;

/// Values of all worlds, by arm and by the middle of the stretch (in half ticks, to be exact).
type Stretches = BTreeMap<(usize, u64), Vec<f64>>;

/// Reads the series and writes the plots; the first panel is the baseline's, which the others repeat.
pub fn write(page: &mut Page, data: &SweepData, cohort: &str, order: &[usize], level: f64) -> Result<()> {
    let Some(path) = data.table("series.parquet")? else {
        page.note("There are no learning curves: series.parquet is written when a sweep stops or ends.");
        return Ok(());
    };
    let arms = data.arms();
    let mut found: [Stretches; 3] = Default::default();
    for point in Rows::<SeriesPoint>::open(&path)? {
        let point = point?;
        let Some(arm) = arms.get(point.arm.as_str()) else { continue };
        for ((curve, _, everybody, _), stretches) in DRAWN.iter().zip(&mut found) {
            let wanted = if *everybody { EVERYBODY } else { cohort };
            if point.series == *curve && point.cohort == wanted {
                stretches.entry((*arm, point.from_tick + point.to_tick)).or_default().push(point.value);
            }
        }
    }
    for ((curve, unit, everybody, zero_line), stretches) in DRAWN.iter().zip(&found) {
        let whose = if *everybody { EVERYBODY } else { cohort };
        let about = CURVES.iter().find(|(name, _)| name == curve).map_or("", |(_, about)| about);
        let over = "Mean over worlds";
        let description = format!(
            "{over} of {curve} of {whose} in each stretch of time ({about}), with {} t intervals over worlds where there are \
             two worlds or more; bands that reach beyond the frame are cut.{}",
            percent(level),
            if order.len() > TOGETHER_MAX {
                format!(" Every panel repeats {} as a dashed line.", data.manifest.arms[order[0]].name)
            } else {
                String::new()
            }
        );
        let chart = Chart {
            name: format!("curve-{}", curve.replace('_', "-")),
            title: format!("{curve} over time"),
            description,
            x_label: "time (ticks)".to_owned(),
            y_label: format!("{curve} ({unit})"),
            zero_line: *zero_line,
            panels: panels(data, stretches, order, level),
            ..Chart::default()
        };
        let figure = chart.draw();
        if figure.is_none() {
            page.note(&format!("There is no curve of {curve} of {whose}: no world has a value."));
        }
        page.figure(figure);
    }
    if order.len() > PANELS_MAX {
        page.note(&format!(
            "Curves are drawn for {PANELS_MAX} of {} arms; series.parquet has all.",
            order.len()
        ));
    }
    Ok(())
}

fn panels(data: &SweepData, stretches: &Stretches, order: &[usize], level: f64) -> Vec<Panel> {
    let curve = |arm: usize, colour: usize| Curve {
        name: data.manifest.arms[arm].name.clone(),
        colour,
        points: stretches
            .range((arm, 0)..=(arm, u64::MAX))
            .map(|((_, twice), values)| point(*twice, values, level))
            .collect(),
    };
    if order.len() <= TOGETHER_MAX {
        let curves = order.iter().enumerate().map(|(colour, arm)| curve(*arm, colour)).collect();
        return vec![Panel { title: String::new(), curves }];
    }
    let small = |(place, arm): (usize, &usize)| {
        let mut curves = vec![curve(*arm, 0)];
        if place > 0 {
            let mut first = curve(order[0], 6);
            first.points.iter_mut().for_each(|point| point.band = None);
            curves.push(first);
        }
        Panel { title: data.manifest.arms[*arm].name.clone(), curves }
    };
    order.iter().take(PANELS_MAX).enumerate().map(small).collect()
}

/// A t interval of one sample is that of its differences from 0.
fn point(twice_tick: u64, values: &[f64], level: f64) -> Point {
    let y = values.iter().sum::<f64>() / values.len() as f64;
    let band = paired_t(values, level).ok().map(|test| (test.interval.low, test.interval.high));
    Point { x: twice_tick as f64 / 2.0, y, band: band.or(Some((y, y))) }
}

//! Learning curves: means over worlds in each stretch of time, with t intervals at the sweep's confidence level. The interval is that of
//! worlds, because golems of one world share its luck. Three quantities are drawn from `series.parquet`: mean R of a trade, equity of a
//! golem in USDC (of everybody), and living golems. Time is in ticks, in equal stretches of a run. They describe; no test is made of them.

use super::data::SweepData;
use super::grid;
use crate::io::error::Result;
use crate::io::short_names::ShortNames;
use crate::io::table::RowReader;
use crate::io::text::{capitalised, percent};
use crate::report::page::Page;
use crate::report::plot::curves::{Chart, Curve, PlottedPoint};
use crate::report::survival::{PANELS_MAX, is_one_panel, panels, repeated};
use crate::sweep::measure::{CURVES, EVERYBODY};
use crate::sweep::sweep_folder::tables::SeriesPoint;
use morta_stats::t_test::paired_t;
use std::collections::BTreeMap;

/// The curves that are drawn: name, whether everybody's is meant whatever the cohort, and whether 0 is marked.
const DRAWN: [(&str, bool, bool); 3] =
    [("mean_r", false, true), ("equity_per_golem_usdc", true, false), ("alive", false, false)];

/// Values of all worlds, by arm and by the middle of the stretch (in half ticks, to be exact).
type Stretches = BTreeMap<(usize, u64), Vec<f64>>;

/// Reads the series and writes the plots: up to four arms share a panel; of more, each has a panel of its own that repeats the baseline's
/// curve (learning curve plots).
pub(super) fn write(
    page: &mut Page,
    data: &SweepData,
    cohort: &str,
    order: &[usize],
    level: f64,
) -> Result<()> {
    let Some(path) = data.table("series.parquet")? else {
        page.note("There are no learning curves: series.parquet is written when a sweep stops or ends.");
        return Ok(());
    };
    let arms = data.arms();
    let mut found: [Stretches; 3] = Default::default();
    for point in RowReader::<SeriesPoint>::open(&path)? {
        let point = point?;
        let Some(arm) = arms.get(point.arm.as_str()) else { continue };
        for ((curve, everybody, _), stretches) in DRAWN.iter().zip(&mut found) {
            let wanted = if *everybody { EVERYBODY } else { cohort };
            if point.series == *curve && point.cohort == wanted {
                stretches.entry((*arm, point.from_tick + point.to_tick)).or_default().push(point.value);
            }
        }
    }
    let names: Vec<String> = order.iter().map(|arm| data.manifest.arms[*arm].name.clone()).collect();
    let short = ShortNames::new(&names);
    let together = is_one_panel(order.len());
    let place = |arm: &usize| order.iter().position(|known| known == arm);
    let places = |arms: Vec<usize>| arms.iter().filter_map(place).collect::<Vec<usize>>();
    let (grid, design) =
        grid::panels(data).filter(|_| !together).map(|(grid, arms)| (grid, places(arms))).unzip();
    for ((name, everybody, zero_line), stretches) in DRAWN.iter().zip(&found) {
        let whose = if *everybody { EVERYBODY } else { cohort };
        let Some(kind) = CURVES.iter().find(|kind| kind.name == *name) else { continue };
        let description = format!(
            "Mean over worlds of {} of {whose} in each stretch of time ({}), with {} t intervals over worlds where there are \
             two worlds or more; bands that reach beyond the frame are cut.{}{}{}",
            kind.label,
            kind.about,
            percent(level),
            if together { " Dots are single worlds." } else { "" },
            repeated(&short.names),
            short.besides()
        );
        let drawn = |place: usize, colour: usize| {
            let own = curve(stretches, order[place], level, together);
            Curve { name: short.names[place].clone(), colour, ..own }
        };
        let chart = Chart {
            name: format!("curve-{}", name.replace('_', "-")),
            title: format!("{} over time", capitalised(kind.label)),
            description,
            x_label: "time (ticks)".to_owned(),
            y_label: format!("{} ({})", kind.label, kind.unit),
            zero_line: *zero_line,
            grid: grid.clone(),
            panels: panels(&short.names, design.as_deref(), drawn),
            ..Chart::default()
        };
        let figure = chart.draw();
        if figure.is_none() {
            page.note(&format!("There is no curve of {} of {whose}: no world has a value.", kind.label));
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

/// An arm's curve, with single worlds where they're to be seen.
fn curve(stretches: &Stretches, arm: usize, level: f64, with_worlds: bool) -> Curve {
    let own = || stretches.range((arm, 0)..=(arm, u64::MAX));
    let points = own().map(|((_, twice), values)| point(*twice, values, level)).collect();
    // Of one world, the mean is the world.
    let several = own().filter(|(_, values)| with_worlds && values.len() > 1);
    let worlds =
        several.flat_map(|((_, twice), values)| values.iter().map(|value| (*twice as f64 / 2.0, *value)));
    Curve { points, worlds: worlds.collect(), ..Curve::default() }
}

/// A t interval of one sample is that of its differences from 0.
fn point(twice_tick: u64, values: &[f64], level: f64) -> PlottedPoint {
    let y = values.iter().sum::<f64>() / values.len() as f64;
    let band = paired_t(values, level).ok().map(|test| (test.interval.low, test.interval.high));
    PlottedPoint { x: twice_tick as f64 / 2.0, y, band: band.or(Some((y, y))) }
}

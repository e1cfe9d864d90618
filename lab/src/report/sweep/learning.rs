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
use crate::report::plot::curves::{Chart, Curve, CurvePanel, Grid, PlottedPoint};
use crate::report::survival::PANELS_MAX;
use crate::sweep::measure::{CURVES, EVERYBODY};
use crate::sweep::sweep_folder::tables::SeriesPoint;
use morta_stats::t_test::paired_t;
use std::collections::BTreeMap;

/// The curves that are drawn: name, whether everybody's is meant whatever the cohort, and whether 0 is marked.
const DRAWN: [(&str, bool, bool); 3] =
    [("mean_r", false, true), ("equity_per_golem_usdc", true, false), ("alive", false, false)];

/// Most arms of one panel (our choice): bands of more would overlap into one.
const TOGETHER_MAX: usize = 4;

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
    let drawn = Drawn { order, names: &short.names, level, grid: grid::panels(data) };
    for ((name, everybody, zero_line), stretches) in DRAWN.iter().zip(&found) {
        let whose = if *everybody { EVERYBODY } else { cohort };
        let Some(kind) = CURVES.iter().find(|kind| kind.name == *name) else { continue };
        let description = format!(
            "Mean over worlds of {} of {whose} in each stretch of time ({}), with {} t intervals over worlds where there are \
             two worlds or more; bands that reach beyond the frame are cut.{}{}{}",
            kind.label,
            kind.about,
            percent(level),
            if drawn.is_together() { " Dots are single worlds." } else { "" },
            if drawn.is_together() {
                String::new()
            } else {
                format!(" Every panel repeats {} as a dashed line.", short.names[0])
            },
            short.besides()
        );
        let panels = drawn.panels(stretches);
        let chart = Chart {
            name: format!("curve-{}", name.replace('_', "-")),
            title: format!("{} over time", capitalised(kind.label)),
            description,
            x_label: "time (ticks)".to_owned(),
            y_label: format!("{} ({})", kind.label, kind.unit),
            zero_line: *zero_line,
            grid: drawn.grid.as_ref().filter(|_| !drawn.is_together()).map(|(grid, _)| grid.clone()),
            panels,
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

/// Which arms are drawn, and how.
struct Drawn<'a> {
    /// The baseline first.
    order: &'a [usize],
    /// Their short names.
    names: &'a [String],
    level: f64,
    /// The design, with the arm at each of its places.
    grid: Option<(Grid, Vec<usize>)>,
}

impl Drawn<'_> {
    fn is_together(&self) -> bool {
        self.order.len() <= TOGETHER_MAX
    }

    fn curve(&self, stretches: &Stretches, place: usize, colour: usize) -> Curve {
        let arm = self.order[place];
        let own = || stretches.range((arm, 0)..=(arm, u64::MAX));
        let points = own().map(|((_, twice), values)| point(*twice, values, self.level)).collect();
        let curve = Curve::new(&self.names[place], colour, points);
        if !self.is_together() {
            return curve;
        }
        // Of one world, the mean is the world.
        let several = own().filter(|(_, values)| values.len() > 1);
        let worlds =
            several.flat_map(|((_, twice), values)| values.iter().map(|value| (*twice as f64 / 2.0, *value)));
        Curve { worlds: worlds.collect(), ..curve }
    }

    fn panels(&self, stretches: &Stretches) -> Vec<CurvePanel> {
        if self.is_together() {
            let curves = (0..self.order.len()).map(|place| self.curve(stretches, place, place)).collect();
            return vec![CurvePanel { title: String::new(), curves }];
        }
        let small = |place: usize| {
            let mut curves = vec![self.curve(stretches, place, 0)];
            if place > 0 {
                let mut first = self.curve(stretches, 0, 6);
                first.points.iter_mut().for_each(|point| point.band = None);
                curves.push(first);
            }
            CurvePanel { title: self.names[place].clone(), curves }
        };
        match &self.grid {
            Some((_, arms)) => {
                let place = |arm: &usize| self.order.iter().position(|known| known == arm);
                arms.iter().filter_map(place).map(small).collect()
            }
            None => (0..self.order.len().min(PANELS_MAX)).map(small).collect(),
        }
    }
}

/// A t interval of one sample is that of its differences from 0.
fn point(twice_tick: u64, values: &[f64], level: f64) -> PlottedPoint {
    let y = values.iter().sum::<f64>() / values.len() as f64;
    let band = paired_t(values, level).ok().map(|test| (test.interval.low, test.interval.high));
    PlottedPoint { x: twice_tick as f64 / 2.0, y, band: band.or(Some((y, y))) }
}

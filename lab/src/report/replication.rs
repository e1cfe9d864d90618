//! The page of a replication: published figures beside ours, runs of replay, learning curves, maps, and comparisons of orders. It is the
//! HTML report of a replication study: each figure with a registered range has a verdict inside or outside it. Intervals are over seeds or,
//! where a maze has several seeds, over mazes. `morta replicate` makes it; outcomes, ratios and verdicts were computed before, while means
//! by lap, medians by size and maps are put together here. Disagreements are shown like agreements, because a replication that hides them
//! proves nothing. The command's table on the terminal is worded by `in_words`, `units` and `verdict` too.

use super::page::{Page, PageTable};
use super::plot::curves::{Chart, Curve, CurvePanel, PlottedPoint};
use super::plot::field::{FieldMap, Fields};
use super::plot::forest::{Estimate as Named, Forest};
use super::plot::ranked::{Ranked, RankedBar, RankedBars};
use super::plot::{COLOURS, Figure};
use crate::io::text::{figure, p_value};
use crate::replication::Replicated;
use morta_base::{math, moments};
use morta_replications::comparison::{Finding, Ratio};
use morta_replications::figure::{Estimate, Row, mean, middle};
use morta_replications::life::{Fields as Sums, Life};
use morta_replications::order::{GainReading, OrderKind};
use morta_replications::registered::Outcome;
use morta_replications::world::World;

/// Makes the page of a replication that was run; `command` is printed at its end as what makes it again.
pub fn page(of: &Replicated, command: &str) -> Page {
    let mut page = Page::new(&of.file.title, "Morta replication", &of.file.source);
    found(&mut page, of);
    medians(&mut page, of);
    runs(&mut page, of);
    curves(&mut page, of);
    deaths(&mut page, of);
    maps(&mut page, of);
    comparisons(&mut page, of);
    page.section("How to get it again");
    page.code(command);
    page
}

/// Formats a point estimate with its confidence interval in brackets.
pub fn in_words(ours: &Estimate) -> String {
    format!("{} [{}, {}]", figure(ours.value), figure(ours.low), figure(ours.high))
}

/// The number of independent units behind a figure: seeds, or mazes instead where the seeds of a maze are averaged, because seeds of one
/// maze share its shape.
pub fn units(of: &Replicated, row: &Row) -> String {
    let has_mazes = of.file.worlds.iter().any(|world| world.name == row.world && world.mazes.is_some());
    let unit = if has_mazes { " mazes" } else { "" };
    row.ours.map_or_else(String::new, |ours| format!("{}{unit}", ours.seeds))
}

/// Words the verdict, i.e. whether our interval overlaps the registered range; empty where no range was registered, because a figure
/// without one can't fail.
pub fn verdict(row: &Row) -> &'static str {
    match row.inside {
        Some(true) => "inside",
        Some(false) => "outside",
        None => "",
    }
}

fn found(page: &mut Page, of: &Replicated) {
    page.section("What was found");
    let [inside, outside] = of.inside_outside();
    if inside + outside > 0 {
        page.finding(&format!("{inside} of {} registered figures are inside.", inside + outside));
    }
    for row in of.rows.iter().filter(|row| row.inside == Some(false)) {
        page.note(&format!("Outside: {}, {}, {}. {}", row.world, row.arm, row.measure, row.note));
    }
    if !of.file.about.is_empty() {
        page.paragraph(&of.file.about);
    }
    let seeds = &of.file.seeds;
    page.paragraph(&format!(
        "Registered are {} seeds from {} on, where no other number stands. Intervals are of 95 %: of means by Student's t, of medians by order \
         statistics. Inside means that the interval overlaps the range that was registered.",
        seeds.count, seeds.first
    ));
    let row = |row: &Row| {
        let range =
            row.range.map_or_else(String::new, |[low, high]| format!("{} to {}", figure(low), figure(high)));
        vec![
            row.world.clone(),
            row.arm.clone(),
            row.measure.clone(),
            row.published.map_or_else(String::new, figure),
            row.from.clone(),
            range,
            row.ours.as_ref().map_or_else(String::new, in_words),
            units(of, row),
            verdict(row).to_owned(),
        ]
    };
    if !of.rows.is_empty() {
        page.table(&PageTable {
            caption: "Figures published, or registered before, beside ours.".to_owned(),
            head: ["world", "arm", "measure", "published", "from", "range", "ours [95 %]", "seeds", ""]
                .map(str::to_owned)
                .to_vec(),
            rows: of.rows.iter().map(row).collect(),
            words: 3,
        });
    }
}

/// Updates by size on logarithmic axes, a panel for each order.
fn medians(page: &mut Page, of: &Replicated) {
    let cliffs: Vec<(usize, f64)> = (0..of.file.worlds.len())
        .filter_map(|world| Some((world, f64::from(of.file.worlds[world].cliff?))))
        .collect();
    // A single size makes no curve; the table above has its figures.
    if cliffs.len() < 2 {
        return;
    }
    let panel = |arm: usize| {
        let ours = |&(world, n): &(usize, f64)| {
            let updates: Vec<f64> = outcomes(of, world, arm)
                .filter_map(|outcome| outcome.updates())
                // A logarithmic axis has no 0: a learner that knew the values from the start is drawn at 1.
                .map(|n| n.max(1.0))
                .collect();
            middle(&updates).map(|ours| PlottedPoint {
                x: n,
                y: ours.value,
                band: Some((ours.low, ours.high)),
            })
        };
        let name = &of.file.arms[arm].name;
        let published = |&(world, n): &(usize, f64)| {
            let is_it = |row: &&Row| row.arm == *name && row.world == of.file.worlds[world].name;
            let y = of.rows.iter().find(is_it)?.published?;
            Some(PlottedPoint { x: n, y, band: None })
        };
        let curve = |name: &str, colour, points| Curve::new(name, colour, points);
        let curves = vec![
            curve("ours", 0, cliffs.iter().filter_map(ours).collect()),
            curve("registered", 1, cliffs.iter().filter_map(published).collect()),
        ];
        CurvePanel {
            title: name.clone(),
            curves: curves.into_iter().filter(|curve| !curve.points.is_empty()).collect(),
        }
    };
    page.section("Medians by size");
    page.figure(
        Chart {
            name: "medians".to_owned(),
            title: "Updates until the values are known, by size".to_owned(),
            description: "Median updates on a logarithmic scale, an order of replay to a panel: solid with its 95 % interval ours, dashed what was registered."
                .to_owned(),
            x_label: "states".to_owned(),
            y_powers: true,
            panels: (0..of.file.arms.len()).map(panel).collect(),
            ..Chart::default()
        }
        .draw(),
    );
}

fn outcomes(of: &Replicated, world: usize, arm: usize) -> impl Iterator<Item = &Outcome> {
    let cells = of.cells.iter().zip(&of.outcomes);
    cells.filter(move |(cell, _)| (cell.world, cell.arm) == (world, arm)).map(|(_, outcome)| outcome)
}

fn lives(of: &Replicated, world: usize, arm: usize) -> Vec<&Life> {
    outcomes(of, world, arm).filter_map(Outcome::life).collect()
}

/// Runs per lap beside those published.
fn runs(page: &mut Page, of: &Replicated) {
    let is_run = |row: &&Row| row.measure.starts_with("forward at") || row.measure.starts_with("reverse at");
    let bar = |row: &Row| ranked(row, format!("{}: {}", row.arm, row.measure));
    let rows: Vec<Ranked> = of.rows.iter().filter(is_run).map(bar).collect();
    if rows.is_empty() {
        return;
    }
    page.section("Runs of replay");
    let bars = RankedBars {
        name: "runs",
        title: "Runs of replay per lap",
        description: "Runs of at least five backups, all along the way the learner moves or all against it, beyond 2.5 % of random orders on one \
                      side. Bars are ours with 95 % intervals, marks what was published.",
        x_label: "runs per lap",
        kinds: &["ours"],
        mark: "published",
        rows: &rows,
    };
    page.figure(bars.draw());
}

fn ranked(row: &Row, name: String) -> Ranked {
    let bar = row.ours.map(|ours| RankedBar { value: ours.value, interval: (ours.low, ours.high) });
    Ranked {
        name,
        bars: vec![bar],
        mark: row.published,
        value_text: row.ours.as_ref().map_or_else(String::new, in_words),
        established: row.inside == Some(true),
    }
}

/// Deaths of lineages: how many, and when.
fn deaths(page: &mut Page, of: &Replicated) {
    let is_deaths = |row: &&Row| row.measure.starts_with("deaths");
    let rows: Vec<Ranked> =
        of.rows.iter().filter(is_deaths).map(|row| ranked(row, row.arm.clone())).collect();
    if rows.is_empty() {
        return;
    }
    page.section("Deaths");
    let bars = RankedBars {
        name: "deaths",
        title: "Deaths in 100 laps, after the first life",
        description: "Means over mazes with 95 % intervals.",
        x_label: "deaths in 100 laps",
        kinds: &["ours"],
        mark: "",
        rows: &rows,
    };
    page.figure(bars.draw());
    for (world, config) in of.file.worlds.iter().enumerate() {
        let title = format!("Deaths so far, by lap: {}", config.name);
        let so_far = |life: &Life, lap: usize| {
            life.deaths.iter().flatten().filter(|death| **death as usize <= lap).count() as f64
        };
        if config.mazes.is_some_and(|mazes| mazes.predators > 0) {
            let (arms, name) = (runs_in(of, world), format!("deaths-{world}"));
            page.figure(by_lap(of, (world, &arms), &name, (title, "deaths"), so_far));
        }
    }
}

/// The arms that are run in a world.
fn runs_in(of: &Replicated, world: usize) -> Vec<usize> {
    let runs = |arm: &usize| of.file.arms[*arm].runs_in(&of.file.worlds[world].name);
    (0..of.file.arms.len()).filter(runs).collect()
}

/// The arms whose curves are drawn: where there are too many for one chart, parts of an order would lie on top of the whole.
fn drawn_arms(of: &Replicated, world: usize) -> Vec<usize> {
    let mut arms = runs_in(of, world);
    if arms.len() > COLOURS {
        arms.retain(|arm| of.file.arms[*arm].against.is_none());
    }
    arms
}

fn curves(page: &mut Page, of: &Replicated) {
    let worlds: Vec<usize> =
        (0..of.file.worlds.len()).filter(|world| of.file.worlds[*world].cliff.is_none()).collect();
    if worlds.is_empty() {
        return;
    }
    page.section("Learning curves");
    let chunks =
        |world: usize| drawn_arms(of, world).chunks(COLOURS).map(<[usize]>::to_vec).collect::<Vec<_>>();
    let most = worlds.iter().map(|world| chunks(*world).len()).max().unwrap_or(0);
    for chunk in 0..most {
        for &world in &worlds {
            let Some(arms) = chunks(world).get(chunk).cloned() else { continue };
            let title = format!("Steps by lap: {}", of.file.worlds[world].name);
            let steps = |life: &Life, lap: usize| f64::from(life.steps[lap]);
            let name = format!("curves-{world}-{chunk}");
            page.figure(by_lap(of, (world, &arms), &name, (title, "steps"), steps));
        }
    }
}

/// A curve for each arm of a quantity of a lap (`value`), averaged first within a unit and then over units (seeds, or mazes), so that a maze with more seeds
/// doesn't count for more.
fn by_lap(
    of: &Replicated,
    (world, arms): (usize, &[usize]),
    name: &str,
    (title, unit): (String, &str),
    value: impl Fn(&Life, usize) -> f64,
) -> Option<Figure> {
    let is_steps = unit == "steps";
    let curve = |(colour, &arm): (usize, &usize)| {
        let units = of.file.units((world, arm), &of.cells, &of.outcomes);
        let units: Vec<Vec<&Life>> =
            units.iter().map(|unit| unit.iter().filter_map(|outcome| outcome.life()).collect()).collect();
        let laps = units.iter().flatten().next().map_or(0, |life| life.steps.len());
        let point = |lap: usize| {
            let of_unit = |unit: &Vec<&Life>| moments::mean(unit.iter().map(|life| value(life, lap)));
            let values: Vec<f64> = units.iter().filter_map(of_unit).collect();
            // Bands stop where the quantity does: steps are drawn on a logarithmic axis and are at least 1, deaths at least 0; a t interval knows neither.
            let least = if is_steps { 1.0 } else { 0.0 };
            let band = |of: Estimate| (of.low.max(least), of.high);
            mean(&values).map(|of| PlottedPoint { x: lap as f64 + 1.0, y: of.value, band: Some(band(of)) })
        };
        Curve::new(&of.file.arms[arm].name, colour, (0..laps).filter_map(point).collect())
    };
    let over = if of.file.worlds[world].mazes.is_some() { "mazes" } else { "seeds" };
    let scale = if is_steps { ", on a logarithmic scale" } else { "" };
    Chart {
        name: name.to_owned(),
        title,
        description: format!("Means over {over} with 95 % bands{scale}."),
        x_label: "lap".to_owned(),
        y_label: unit.to_owned(),
        y_powers: is_steps,
        panels: vec![CurvePanel {
            title: String::new(),
            curves: arms.iter().enumerate().map(curve).collect(),
        }],
        ..Chart::default()
    }
    .draw()
}

/// Maps of the places where replay runs, and of need and gain where EVB (the expected value of a backup, need times gain) orders it.
fn maps(page: &mut Page, of: &Replicated) {
    let mut figures = Vec::new();
    for (world, built) in of.file.build().iter().enumerate() {
        let Some((ground, columns)) = built.as_ref().and_then(|(ground, _)| Some((ground, ground.columns?)))
        else {
            continue;
        };
        let sums: Vec<(usize, Sums)> = (0..of.file.arms.len())
            .map(|arm| (arm, summed(&lives(of, world, arm), ground.states())))
            .collect();
        let title_of = |arm: usize| of.file.arms[arm].name.clone();
        let heat = |(arm, sums): &(usize, Sums)| {
            let most = sums.heat.iter().flatten().copied().fold(0.0, f64::max);
            let [forward, backward] = sums.heat.clone();
            (most > 0.0)
                .then(|| FieldMap { title: title_of(*arm), layers: vec![(0, forward), (1, backward)] })
        };
        let heat: Vec<FieldMap> = sums.iter().filter_map(heat).collect();
        let letters = letters(ground);
        let map =
            |name: &str, title: String, description: &str, maps: &[FieldMap], legend: &[(usize, String)]| {
                let (letters, walls) = (&letters[..], &ground.walls[..]);
                Fields { name, title: &title, description, columns, letters, walls, maps, legend }.draw()
            };
        let place = &of.file.worlds[world].name;
        figures.push(map(
            &format!("heat-{world}"),
            format!("Backups in runs, by place: {place}"),
            "How often a place is backed up within a run, per lap: upper left in runs that go forward, lower right in runs that go backward.",
            &heat,
            &[(0, "forward".to_owned()), (1, "backward".to_owned())],
        ));
        let evb = |(arm, _): &&(usize, Sums)| {
            let order = &of.file.arms[*arm].order;
            order.kind == OrderKind::Evb && order.need && order.gain == GainReading::Policy
        };
        let Some((_, sums)) = sums.iter().find(evb) else { continue };
        let field = |title: &str, colour, values: &[f64]| FieldMap {
            title: title.to_owned(),
            layers: vec![(colour, values.to_vec())],
        };
        let maps = [
            field("need, at a start", 2, &sums.need[0]),
            field("need, at a goal", 2, &sums.need[1]),
            field("gain, at a start", 3, &sums.gain[0]),
            field("gain, at a goal", 3, &sums.gain[1]),
        ];
        figures.push(map(
            &format!("fields-{world}"),
            format!("Need and gain, by place: {place}"),
            "When a session of EVB begins, averaged over sessions: how much of the discounted future is spent at a place, and the most that one backup \
             there would do to the choice.",
            &maps,
            &[(2, "need".to_owned()), (3, "gain".to_owned())],
        ));
    }
    if figures.iter().any(Option::is_some) {
        page.section("Where replay runs");
        figures.into_iter().for_each(|figure| page.figure(figure));
    }
}

fn letters(ground: &World) -> Vec<(usize, String)> {
    let named = |states: &[u32], first: u8| -> Vec<(usize, String)> {
        let letter =
            |(nth, state): (usize, &u32)| (*state as usize, char::from(first + (nth % 26) as u8).to_string());
        states.iter().enumerate().map(letter).collect()
    };
    [named(&ground.starts, b'A'), named(&ground.goals, b'a')].concat()
}

/// Heat per lap, and fields per session, over all lives in the order of seeds.
fn summed(lives: &[&Life], states: usize) -> Sums {
    let empty = || [vec![0.0; states], vec![0.0; states]];
    let mut sums = Sums { heat: empty(), need: empty(), gain: empty(), sessions: [0.0; 2] };
    let add =
        |into: &mut Vec<f64>, from: &[f64]| into.iter_mut().zip(from).for_each(|(sum, value)| *sum += value);
    let mut laps = 0.0;
    for life in lives {
        laps += life.steps.len() as f64;
        for place in 0..2 {
            add(&mut sums.heat[place], &life.fields.heat[place]);
            add(&mut sums.need[place], &life.fields.need[place]);
            add(&mut sums.gain[place], &life.fields.gain[place]);
            sums.sessions[place] += life.fields.sessions[place];
        }
    }
    for place in 0..2 {
        sums.heat[place].iter_mut().for_each(|sum| *sum /= f64::max(laps, 1.0));
        let sessions = sums.sessions[place].max(1.0);
        // Fields are per session and not per lap, because they are taken once at the beginning of each session of replay.
        sums.need[place].iter_mut().chain(&mut sums.gain[place]).for_each(|sum| *sum /= sessions);
    }
    sums
}

fn comparisons(page: &mut Page, of: &Replicated) {
    let Some(comparison) = &of.file.comparison else { return };
    page.section("Arms held against each other");
    page.paragraph(&format!(
        "What it took (steps, deaths where there are predators, or updates), as a ratio by seed or maze; below 1 is better. A ratio that is {} off \
         matters. Tests are paired, corrected by Holm over all {} comparisons; intervals take the level that is left to one of them.",
        figure(comparison.effect_of_interest),
        of.ratios.len()
    ));
    for (world, config) in of.file.worlds.iter().enumerate() {
        let of_world = || of.ratios.iter().filter(|ratio| ratio.world == config.name);
        let row = |ratio: &Ratio| Named {
            name: format!("{} : {}", ratio.arm, ratio.against),
            // Logarithms, so that twice and half lie equally far from the zone in the middle.
            value: math::ln(ratio.ratio),
            interval: ratio.p.map(|_| (math::ln(ratio.low), math::ln(ratio.high))),
            worlds: Vec::new(),
            value_text: format!("{:.2} [{:.2}, {:.2}]", ratio.ratio, ratio.low, ratio.high),
            established: matches!(ratio.finding, Finding::BetterThanMatters | Finding::WorseThanMatters),
        };
        let rows: Vec<Named> = of_world().map(row).collect();
        let forest = Forest {
            name: &format!("ratios-{world}"),
            title: &format!("What it took: {}", config.name),
            description: "Natural logarithms of ratios with corrected intervals; the ratios themselves at the right. Filled are those whose whole \
                          interval is beyond what matters, the zone in the middle.",
            x_label: "ln of the ratio: left is better",
            zone: Some(math::ln_1p(comparison.effect_of_interest)),
            rows: &rows,
        };
        page.figure(forest.draw());
    }
    let row = |ratio: &Ratio| {
        vec![
            ratio.world.clone(),
            ratio.arm.clone(),
            ratio.against.clone(),
            ratio.finding.to_string(),
            format!("{:.3} [{:.3}, {:.3}]", ratio.ratio, ratio.low, ratio.high),
            ratio.p.map_or_else(String::new, p_value),
        ]
    };
    page.table(&PageTable {
        caption: "Every comparison that was registered.".to_owned(),
        head: ["world", "arm", "against", "finding", "ratio", "p, corrected"].map(str::to_owned).to_vec(),
        rows: of.ratios.iter().map(row).collect(),
        words: 4,
    });
}

//! The HTML report of one run: balances and population over time, survival curves, causes of death, learning, dreams, lineages, and how it
//! is reproduced. Money is USDC, results are R, times are ticks. It is made from the folder's manifest and tables alone. It shows one
//! world, in which luck and effect can't be separated, so it tests nothing but survival (bands of 95 %), descriptively; a note on the page
//! says that it is one world. `data` sums the tables up, `causes` and `lineage` are sections.

mod causes;
mod data;
mod lineage;

use super::page::{Page, PageTable};
use super::plot::curves::{Chart, Curve, CurvePanel, PlottedPoint};
use super::survival::GroupedLives;
use super::{hashes, shown_name};
use crate::io::error::Result;
use crate::io::text::figure;
use crate::run::run_folder::FinishedRun;
use crate::run::run_folder::tables::Cast;
use data::{LifeRow, WorldMoment};

/// A dash for a mean of nothing: 0 would read as a result.
const NONE: &str = "\u{2013}";
/// Confidence level of the bands of a run's survival curves (our choice: the customary 95 %; a sweep takes its own level from its file instead).
const LEVEL: f64 = 0.95;

/// Writes the page of a run (HTML run report).
///
/// # Errors
/// When a table is missing or damaged.
pub(super) fn page(run: &FinishedRun) -> Result<Page> {
    let cast = Cast::from_scenario(&run.manifest.scenario);
    let lives = data::lives(run)?;
    let mut page = Page::new(&run.manifest.name, "Morta run", &run.manifest.scenario.description);
    // Facts and cohorts first: they say that one world is shown, before any curve could be read as a result.
    run_facts(&mut page, run);
    cohorts(&mut page, &lives, &cast);
    page.section("Survival");
    survival(&mut page, &lives, &cast)?;
    causes::write(&mut page, &lives, &cast);
    page.section("Population and money");
    population(&mut page, run, &lives, &cast);
    money(&mut page, run, &data::moments(run)?);
    page.section("Learning");
    learning(&mut page, run, &cast)?;
    lineage::write(&mut page, run, &lives)?;
    dreams(&mut page, run, &lives, &cast)?;
    reproduce(&mut page, run);
    Ok(page)
}

fn run_facts(page: &mut Page, run: &FinishedRun) {
    let manifest = &run.manifest;
    let conserved = if manifest.ledger_conserved {
        "every account added up at every tick"
    } else {
        "accounts did not add up"
    };
    page.section("What was run");
    page.facts(&[
        ("Scenario", manifest.name.clone()),
        ("Seed", manifest.seed.to_string()),
        ("Time", format!("{} ticks, {} of simulated time", manifest.ticks, duration(manifest.simulated_s))),
        ("Golem-ticks", manifest.golem_ticks.to_string()),
        ("Money", conserved.to_owned()),
        ("Digest of the event log", manifest.digest.clone()),
    ]);
    if manifest.interrupted {
        page.note(&format!("The run was stopped before its end, after {} ticks.", manifest.ticks));
    }
    page.note("A run is one world: what it shows may be that world's luck. A sweep over worlds tells the two apart.");
}

fn duration(seconds: i64) -> String {
    let days = seconds as f64 / 86_400.0;
    if days >= 2.0 { format!("{} days", figure(days)) } else { format!("{seconds} seconds") }
}

fn cohorts(page: &mut Page, lives: &[LifeRow], cast: &Cast) {
    page.section("Cohorts");
    let row = |(place, cohort): (usize, &crate::run::run_folder::tables::CohortEntry)| {
        let own = || lives.iter().filter(move |life| usize::from(life.cohort_index) == place);
        let count = own().count() as u64;
        let trades: u64 = own().map(|life| u64::from(life.trades)).sum();
        let mean =
            |sum: f64, number: u64| if number > 0 { figure(sum / number as f64) } else { NONE.to_owned() };
        let lived: u64 = own().map(|life| life.lifespan_ticks).sum();
        vec![
            cohort.name.clone(),
            cohort.memory.to_owned(),
            count.to_string(),
            own().filter(|life| life.cause.is_some()).count().to_string(),
            own().map(|life| life.generation).max().unwrap_or(0).to_string(),
            mean(lived as f64, count),
            trades.to_string(),
            mean(own().map(|life| life.total_r).sum(), lived),
            mean(own().map(|life| life.total_r).sum(), trades),
            figure(own().map(|life| life.pnl_usdc).sum()),
            figure(own().map(|life| life.endowment_usdc).sum()),
        ]
    };
    let head = [
        "cohort", "memory", "lives", "deaths", "last generation", "mean age, ticks", "trades", "R a tick",
        "mean R", "profit, USDC", "endowments, USDC",
    ];
    page.table(&PageTable {
        caption: "The cohorts: founders are generation 0; ages as far as they were watched; R a tick over all ticks lived, mean R over all trades of the lives."
            .to_owned(),
        head: head.map(str::to_owned).to_vec(),
        rows: cast.cohorts().iter().enumerate().map(row).collect(),
        words: 2,
    });
}

fn survival(page: &mut Page, lives: &[LifeRow], cast: &Cast) -> Result<()> {
    let mut groups = GroupedLives::from_names(cast.cohorts().iter().map(|cohort| cohort.name.clone()));
    for life in lives {
        groups.add(usize::from(life.cohort_index), life.lifespan_ticks, life.cause.is_some());
    }
    groups.write(page, LEVEL, "cohort", false)
}

/// Moments at which the living are counted. Our choice: about three pixels a step of a plot 860 pixels wide.
const COUNTS: u64 = 300;

fn population(page: &mut Page, run: &FinishedRun, lives: &[LifeRow], cast: &Cast) {
    let ticks = run.manifest.ticks;
    let curve = |(colour, cohort): (usize, &crate::run::run_folder::tables::CohortEntry)| {
        let own = || lives.iter().filter(move |life| usize::from(life.cohort_index) == colour);
        let sorted = |mut times: Vec<u64>| {
            times.sort_unstable();
            times
        };
        let born = sorted(own().map(|life| life.born_tick).collect());
        let died = sorted(own().filter(|life| life.cause.is_some()).map(|life| life.ended_tick).collect());
        let moments = COUNTS.min(ticks.max(1));
        let point = |moment: u64| {
            // In 128 bits: a manifest may claim any number of ticks.
            let tick = u128::from(ticks.saturating_sub(1)) * u128::from(moment) / u128::from(moments);
            let tick = tick as u64;
            let alive =
                born.partition_point(|born| *born <= tick) - died.partition_point(|died| *died <= tick);
            PlottedPoint { x: tick as f64, y: alive as f64, band: None }
        };
        Curve::new(&cohort.name, colour, (0..=moments).map(point).collect())
    };
    let chart = Chart {
        name: "population".to_owned(),
        title: "Population".to_owned(),
        description: "Living golems by cohort over time.".to_owned(),
        x_label: "time (ticks)".to_owned(),
        y_label: "living golems".to_owned(),
        steps: true,
        panels: vec![CurvePanel {
            title: String::new(),
            curves: cast.cohorts().iter().enumerate().map(curve).collect(),
        }],
        ..Chart::default()
    };
    let high = chart.panels[0]
        .curves
        .iter()
        .flat_map(|curve| &curve.points)
        .map(|point| point.y)
        .fold(1.0, f64::max);
    // From 0, because a range fitted to the data would make the loss of one golem of a hundred look like an extinction.
    page.figure(Chart { y_range: Some((0.0, high)), ..chart }.draw());
}

/// Balances, and payments per tick, in two panels: a stock and flows can't share an axis.
fn money(page: &mut Page, run: &FinishedRun, moments: &[WorldMoment]) {
    let held =
        |moment: &WorldMoment| PlottedPoint { x: moment.tick as f64, y: moment.purses_usdc, band: None };
    let stock = Curve::new("balances", 0, moments.iter().map(held).collect());
    let ticks = run.manifest.ticks;
    // The last moment before each stretch ends. The table has cumulated payments, so a flow is the difference of two moments over the time between them.
    let ends: Vec<&WorldMoment> = (1..=data::STRETCHES)
        .filter_map(|stretch| {
            let end = data::first_tick(ticks, stretch);
            moments[..moments.partition_point(|moment| moment.tick < end)].last()
        })
        .collect();
    let flow = |colour: usize, name: &str, paid: fn(&WorldMoment) -> f64| {
        let mut before = (0.0, 0.0);
        let mut points = Vec::new();
        for moment in &ends {
            let (time, sum) = (moment.tick as f64 + 1.0, paid(moment));
            // A stretch without a moment of its own repeats the moment before it, and a flow over no time would be 0 / 0.
            if time > before.0 {
                let middle = f64::midpoint(before.0, time);
                points.push(PlottedPoint { x: middle, y: (sum - before.1) / (time - before.0), band: None });
                before = (time, sum);
            }
        }
        Curve::new(name, colour, points)
    };
    let flows = vec![
        flow(1, "paid for compute", |paid| paid.compute_paid_usdc),
        flow(2, "paid for inference", |paid| paid.inference_paid_usdc),
        flow(4, "paid for gas", |paid| paid.gas_paid_usdc),
        flow(3, "paid to the Lethe", |paid| paid.lethe_paid_usdc),
    ];
    page.figure(
        Chart {
            name: "money".to_owned(),
            title: "Money held and money paid".to_owned(),
            description: format!(
                "Above, the balances of all golems together; below, what they pay per tick, mean over {} stretches of time.",
                ends.len()
            ),
            x_label: "time (ticks)".to_owned(),
            y_label: "USDC".to_owned(),
            zero_line: true,
            own_y: true,
            panels: vec![
                CurvePanel { title: "balances of all golems (USDC)".to_owned(), curves: vec![stock] },
                CurvePanel { title: "paid per tick (USDC)".to_owned(), curves: flows },
            ],
            ..Chart::default()
        }
        .draw(),
    );
}

fn learning(page: &mut Page, run: &FinishedRun, cast: &Cast) -> Result<()> {
    let stretches = data::learning(run, cast)?;
    let ticks = run.manifest.ticks;
    let middle = |stretch: usize| {
        (data::first_tick(ticks, stretch as u64) + data::first_tick(ticks, stretch as u64 + 1)) as f64 / 2.0
    };
    let curve = |(colour, cohort): (usize, &crate::run::run_folder::tables::CohortEntry)| {
        let known = stretches[colour].iter().enumerate().filter(|(_, (_, trades))| *trades > 0);
        let point = |(stretch, (sum, trades)): (usize, &(f64, u64))| PlottedPoint {
            x: middle(stretch),
            y: sum / *trades as f64,
            band: None,
        };
        Curve::new(&cohort.name, colour, known.map(point).collect())
    };
    let curves: Vec<Curve> = cast.cohorts().iter().enumerate().map(curve).collect();
    let quiet: Vec<&str> =
        curves.iter().filter(|curve| curve.points.is_empty()).map(|curve| curve.name.as_str()).collect();
    let figure_of = Chart {
        name: "learning".to_owned(),
        title: "Mean R per trade over time".to_owned(),
        description: format!(
            "Mean R-multiple of the trades closed in each of {} stretches of time. One world gives no band.",
            stretches.first().map_or(0, Vec::len)
        ),
        x_label: "time (ticks)".to_owned(),
        y_label: "mean R per trade".to_owned(),
        zero_line: true,
        panels: vec![CurvePanel { title: String::new(), curves: curves.clone() }],
        ..Chart::default()
    }
    .draw();
    page.figure(figure_of);
    for name in quiet {
        page.note(&format!("No trade of {name} was closed, so it has no learning curve."));
    }
    let part = |cohort: usize, third: usize| {
        let stretches = &stretches[cohort];
        // Sums over whole stretches and not a mean of their means, so that a stretch of few trades counts as little as it knows.
        let (from, to) = (stretches.len() * third / 3, stretches.len() * (third + 1) / 3);
        let sums = stretches[from..to].iter().fold((0.0, 0), |sum, own| (sum.0 + own.0, sum.1 + own.1));
        if sums.1 > 0 {
            format!("{} ({} trades)", figure(sums.0 / sums.1 as f64), sums.1)
        } else {
            NONE.to_owned()
        }
    };
    let row = |(place, cohort): (usize, &crate::run::run_folder::tables::CohortEntry)| {
        std::iter::once(cohort.name.clone()).chain((0..3).map(|third| part(place, third))).collect()
    };
    page.table(&PageTable {
        caption: "Mean R of the trades closed in each third of the stretches.".to_owned(),
        head: ["cohort", "first third", "second third", "last third"].map(str::to_owned).to_vec(),
        rows: cast.cohorts().iter().enumerate().map(row).collect(),
        words: 1,
    });
    Ok(())
}

fn dreams(page: &mut Page, run: &FinishedRun, lives: &[LifeRow], cast: &Cast) -> Result<()> {
    page.section("Dreams and cost");
    let sums = data::dreams(run, cast)?;
    let row = |(place, cohort): (usize, &crate::run::run_folder::tables::CohortEntry)| {
        let of = &sums[place];
        vec![
            cohort.name.clone(),
            of.completed.to_string(),
            of.broken_off.to_string(),
            of.unfinished.to_string(),
            of.replayed.to_string(),
            of.calls.to_string(),
            figure(of.cost_usdc),
            figure(of.wasted_usdc),
            of.quality().map_or(NONE.to_owned(), figure),
        ]
    };
    let head = [
        "cohort", "completed", "interrupted", "unfinished", "episodes replayed", "inference calls",
        "cost, USDC", "wasted, USDC", "mean quality, 0 to 1",
    ];
    page.table(&PageTable {
        caption: "Dreams. Unfinished ones ended with the run or failed; wasted is the budget lost by interruptions.".to_owned(),
        head: head.map(str::to_owned).to_vec(),
        rows: cast.cohorts().iter().enumerate().map(row).collect(),
        words: 1,
    });
    let paid = |(place, cohort): (usize, &crate::run::run_folder::tables::CohortEntry)| {
        let own = || lives.iter().filter(move |life| usize::from(life.cohort_index) == place);
        let sum = |paid: fn(&LifeRow) -> f64| figure(own().map(paid).sum());
        vec![
            cohort.name.clone(),
            own().map(|life| u64::from(life.dreams)).sum::<u64>().to_string(),
            sum(|life| life.compute_paid_usdc),
            sum(|life| life.inference_paid_usdc),
            sum(|life| life.gas_paid_usdc),
            sum(|life| life.lethe_paid_usdc),
        ]
    };
    page.table(&PageTable {
        caption: "What lives paid, USDC, beside the dreams that they count themselves.".to_owned(),
        head: ["cohort", "dreams", "compute", "inference", "gas", "Lethe"].map(str::to_owned).to_vec(),
        rows: cast.cohorts().iter().enumerate().map(paid).collect(),
        words: 1,
    });
    Ok(())
}

fn reproduce(page: &mut Page, run: &FinishedRun) {
    page.section("How to get it again");
    let (manifest, name) = (&run.manifest, shown_name(run.dir()));
    page.paragraph(
        "The whole scenario, defaults and flags included, is in manifest.json. `verify` lives through it again and compares \
         every byte of every table.",
    );
    page.code(&format!("morta verify {name}\nmorta inspect {name}\nmorta report {name}"));
    for turn in &manifest.branch {
        let changes = turn.changes.lines();
        let changed = if changes.is_empty() { "nothing".to_owned() } else { changes.join("; ") };
        let parent = shown_name(&turn.parent.path);
        page.paragraph(&format!("A branch of {parent} from tick {} on. Changed: {changed}.", turn.tick));
    }
    let build = &manifest.observed.build;
    page.facts(&[
        ("Build", format!("morta {}", build.version)),
        ("Executable", build.executable_blake3.clone().unwrap_or_default()),
        ("Scenario, BLAKE3", manifest.scenario_blake3.clone()),
        ("Seed", manifest.seed.to_string()),
        ("Driver", format!("{}, {} threads", manifest.observed.driver, manifest.observed.threads)),
        ("Started", manifest.observed.started_at.clone()),
        ("Took", format!("{} s", figure(manifest.observed.wall_s))),
    ]);
    let data = manifest.data.iter().map(|file| (file, file.rows.to_string()));
    page.table(&hashes("Tables of this run, and the files of prices it read.", &manifest.files, data));
}

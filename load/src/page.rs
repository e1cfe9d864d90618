//! The page of a load test: its settings, its figures, and the reasons to doubt them. It is an HTML report of a benchmark with latency
//! percentile plots (percentile distribution, p99). Doubts stand in the first section beside the findings, because a generator that lags
//! makes every figure wrong. It is made from `loadtest.json` alone, so `morta report` makes it again without a load. Durations are drawn in
//! milliseconds.

use crate::generator::{Interval, LatencySummary, Measured, SharePoint};
use crate::loadtest::text::{
    self, PERCENTILES, SWEEP_COLUMNS, durations, grouped, percentiles, rate, sweep_row,
};
use crate::loadtest::{LoadTest, LoopKind, MeasuredStep, RESULT};
use morta_lab::error::{Error, Result};
use morta_lab::report::page::{Page, PageTable};
use morta_lab::report::plot::Figure;
use morta_lab::report::plot::curves::{Chart, Curve, CurvePanel, PlottedPoint};
use morta_lab::report::{ReportPage, shown_name};
use std::path::Path;

const NS_PER_MS: f64 = 1e6;
/// The shortest drawn duration, ms. A logarithmic axis has no 0, so that shorter durations than a clock resolves are drawn as 10 ns.
const LEAST_MS: f64 = 1e-5;

/// Reads the figures in a folder and makes their HTML page, with plots of latency percentiles.
///
/// # Errors
/// [`Error::Invalid`] when the figures can't be read.
pub fn report(dir: &Path) -> Result<ReportPage> {
    Ok(ReportPage::from_page("loadtest", page(dir)?))
}

fn page(dir: &Path) -> Result<Page> {
    let path = dir.join(RESULT);
    let fail = |error: &dyn std::fmt::Display| {
        Error::invalid(format!("{}: can't be read as a load test: {error}", path.display()))
    };
    let json = std::fs::read_to_string(&path).map_err(|error| fail(&error))?;
    let test: LoadTest = serde_json::from_str(&json).map_err(|error| fail(&error))?;
    let title = if test.steps.len() > 1 { "Latency against rate" } else { "Latency under load" };
    let mut page = Page::new(title, "Morta load test", &text::subject(&test.subject));
    found(&mut page, &test);
    match test.steps.as_slice() {
        [only] => one(&mut page, &test, &only.measured),
        steps => many(&mut page, &test, steps),
    }
    reading(&mut page, &test);
    again(&mut page, &test, &shown_name(dir));
    Ok(page)
}

fn found(page: &mut Page, test: &LoadTest) {
    page.section("What was found");
    if test.interrupted {
        page.note("The load was ended before its time: the figures are those of the time until then.");
    }
    if let Some(knee) = &test.knee {
        page.finding(&format!("Saturation begins {}.", text::knee(knee)));
    }
    if let ([only], None) = (test.steps.as_slice(), &test.knee) {
        let measured = &only.measured;
        let latency = measured.latency.as_ref().map_or(String::new(), |latency| {
            let shown = percentiles(latency);
            format!(
                " Half of all requests took no longer than {}, 99 % no longer than {}.",
                shown[0], shown[2]
            )
        });
        page.finding(&format!(
            "{} offered, {} achieved, {} of {} requests dropped.{latency}",
            rate(measured.offered_per_s),
            rate(measured.achieved_per_s),
            grouped(measured.counts.dropped),
            grouped(measured.counts.offered)
        ));
    }
    for warning in &test.warnings {
        page.note(&format!("Note: {warning}."));
    }
    let totals = test.totals();
    page.facts(&[
        ("Load", text::load(test)),
        (
            "Requests",
            format!(
                "{} offered = {} answered + {} dropped + {} unanswered",
                grouped(totals.offered),
                grouped(totals.answered),
                grouped(totals.dropped),
                grouped(totals.unanswered)
            ),
        ),
        ("Cores", test.cores.map_or(String::new(), |cores| cores.to_string())),
    ]);
}

fn curve(name: &str, colour: usize, points: impl Iterator<Item = (f64, f64)>) -> Curve {
    let points = points.map(|(x, y)| PlottedPoint { x, y, band: None }).collect();
    Curve::new(name, colour, points)
}

fn chart(name: &str, title: &str, description: &str, (x, y): (&str, &str), curves: Vec<Curve>) -> Chart {
    Chart {
        name: name.to_owned(),
        title: title.to_owned(),
        description: description.to_owned(),
        x_label: x.to_owned(),
        y_label: y.to_owned(),
        panels: vec![CurvePanel {
            title: String::new(),
            curves: curves.into_iter().filter(|c| !c.points.is_empty()).collect(),
        }],
        ..Chart::default()
    }
}

fn ms(ns: u64) -> f64 {
    (ns as f64 / NS_PER_MS).max(LEAST_MS)
}

fn one(page: &mut Page, test: &LoadTest, measured: &Measured) {
    page.section("Latency");
    page.table(&PageTable {
        caption: "Percentiles of what requests took, to a thousandth; means are exact.".to_owned(),
        head: std::iter::once("").chain(PERCENTILES).map(str::to_owned).collect(),
        rows: durations(measured),
        words: 1,
    });
    page.figure(distribution(measured));
    page.section("Over time");
    let in_time: Vec<&Interval> =
        measured.intervals.iter().filter(|interval| in_time(interval, measured)).collect();
    page.figure(latency_over_time(measured));
    page.figure(rates_over_time(&in_time));
    page.figure(depth_over_time(&in_time, test));
}

fn in_time(interval: &Interval, measured: &Measured) -> bool {
    interval.length_s > 0.0 && interval.start_s < measured.measured_s - 1e-9
}

/// The distribution of latencies as HdrHistogram's plots draw it: each power of ten to the right is a tenth as many requests. A linear axis
/// would squeeze p99 and beyond into its last hundredth.
fn distribution(measured: &Measured) -> Option<Figure> {
    let points = |shares: &[SharePoint]| {
        shares.iter().map(|point| (1.0 / (1.0 - point.share), ms(point.ns))).collect::<Vec<_>>()
    };
    let latency = curve("latency", 0, points(&measured.latency_distribution).into_iter());
    let service = curve("service time", 1, points(&measured.service_distribution).into_iter());
    Chart {
        x_powers: true,
        y_powers: true,
        ..chart(
            "distribution",
            "Distribution of latencies",
            "How long the slowest requests took: at 100 stands what one request in a hundred exceeded (p99), at 1,000 one in a thousand (p99.9).",
            ("one request in so many took longer", "ms"),
            vec![latency, service],
        )
    }
    .draw()
}

fn latency_over_time(measured: &Measured) -> Option<Figure> {
    let of = |value: fn(&Interval) -> Option<u64>| {
        let point = move |interval: &Interval| {
            Some((interval.start_s + interval.length_s / 2.0, ms(value(interval)?)))
        };
        measured.intervals.iter().filter_map(point).collect::<Vec<_>>()
    };
    Chart {
        y_powers: true,
        ..chart(
            "latency-over-time",
            "Latency over time",
            "Latencies of the requests that were finished in each interval. A point after the end of the measured time stands for those that were answered then.",
            ("time (s)", "ms"),
            vec![
                curve("longest", 4, of(|interval| interval.max_ns).into_iter()),
                curve("p99", 1, of(|interval| interval.p99_ns).into_iter()),
                curve("median", 0, of(|interval| interval.p50_ns).into_iter()),
            ],
        )
    }
    .draw()
}

/// Points of a step function: each value holds over its interval, the last up to the interval's end.
fn stepped(intervals: &[&Interval], value: impl Fn(&Interval) -> f64) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> =
        intervals.iter().map(|interval| (interval.start_s, value(interval))).collect();
    points.extend(intervals.last().map(|last| (last.start_s + last.length_s, value(last))));
    points
}

fn rates_over_time(intervals: &[&Interval]) -> Option<Figure> {
    let per_s = |count: fn(&Interval) -> u64| {
        stepped(intervals, move |interval| count(interval) as f64 / interval.length_s).into_iter()
    };
    Chart {
        steps: true,
        ..chart(
            "rates-over-time",
            "Rates over time",
            "Requests due, finished and dropped a second, by interval.",
            ("time (s)", "requests a second"),
            vec![
                curve("offered", 6, per_s(|interval| interval.offered)),
                curve("achieved", 0, per_s(|interval| interval.finished)),
                curve("dropped", 1, per_s(|interval| interval.dropped)),
            ],
        )
    }
    .draw()
}

fn depth_over_time(intervals: &[&Interval], test: &LoadTest) -> Option<Figure> {
    let most = match test.asked.mode {
        LoopKind::Open => {
            format!(
                " There is room for {} at each scorer.",
                grouped(u64::from(test.asked.load.queue_capacity))
            )
        }
        LoopKind::Closed => String::new(),
    };
    Chart {
        steps: true,
        ..chart(
            "depth-over-time",
            "Queue depth over time",
            &format!(
                "Requests waiting or being scored, over all scorers: mean and most of each interval.{most}"
            ),
            ("time (s)", "requests"),
            vec![
                curve("most", 4, stepped(intervals, |interval| interval.depth_max as f64).into_iter()),
                curve("mean", 0, stepped(intervals, |interval| interval.depth_mean).into_iter()),
            ],
        )
    }
    .draw()
}

fn many(page: &mut Page, test: &LoadTest, steps: &[MeasuredStep]) {
    page.section("Latency against rate");
    let of = |value: fn(&LatencySummary) -> u64| {
        let point =
            move |step: &MeasuredStep| Some((step.rate_per_s?, ms(value(step.measured.latency.as_ref()?))));
        steps.iter().filter_map(point).collect::<Vec<_>>()
    };
    let mut curves = vec![
        curve("p99.9", 4, of(|summary| summary.p99_9_ns).into_iter()),
        curve("p99", 1, of(|summary| summary.p99_ns).into_iter()),
        curve("median", 0, of(|summary| summary.p50_ns).into_iter()),
    ];
    let values = || curves.iter().flat_map(|curve| &curve.points).map(|point| point.y);
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
    let sustained = test.knee.as_ref().and_then(|knee| knee.sustained_per_s);
    if let Some(at) = sustained.filter(|_| low < high) {
        curves.push(curve("highest sustained rate", 6, [(at, low), (at, high)].into_iter()));
    }
    let figure = Chart {
        y_powers: true,
        ..chart(
            "latency-against-rate",
            "Latency against rate",
            "Percentiles of latency at each offered rate, counted from when requests were due.",
            ("requests asked for a second", "ms"),
            curves,
        )
    };
    page.figure(figure.draw());
    let rates = |value: fn(&Measured) -> f64| {
        steps.iter().filter_map(move |step| Some((step.rate_per_s?, value(&step.measured))))
    };
    let dropped = |measured: &Measured| {
        if measured.measured_s > 0.0 { measured.counts.dropped as f64 / measured.measured_s } else { 0.0 }
    };
    let throughput = chart(
        "throughput",
        "Rate achieved against rate offered",
        "Requests finished a second within the measured time, and requests dropped, at each offered rate.",
        ("requests asked for a second", "requests a second"),
        vec![
            curve("offered", 6, rates(|measured| measured.offered_per_s)),
            curve("achieved", 0, rates(|measured| measured.achieved_per_s)),
            curve("dropped", 1, rates(dropped)),
        ],
    );
    page.figure(throughput.draw());
    page.table(&PageTable {
        caption: "What came of each rate; latencies count from when requests were due.".to_owned(),
        head: SWEEP_COLUMNS.map(str::to_owned).to_vec(),
        rows: steps.iter().map(sweep_row).collect(),
        words: 1,
    });
    let row = |step: &MeasuredStep| {
        let latency = |summary: &Option<LatencySummary>| {
            summary.as_ref().map_or("-".to_owned(), |summary| percentiles(summary)[2].clone())
        };
        let measured = &step.measured;
        vec![
            step.rate_per_s.map_or("-".to_owned(), rate),
            latency(&measured.latency),
            latency(&measured.waiting),
            latency(&measured.service),
            latency(&measured.lag),
        ]
    };
    page.table(&PageTable {
        caption:
            "Where the 99th percentile comes from: waiting, the service itself, or the generator's own lag."
                .to_owned(),
        head: ["asked for", "latency, p99", "waiting, p99", "service time, p99", "generator's lag, p99"]
            .map(str::to_owned)
            .to_vec(),
        rows: steps.iter().map(row).collect(),
        words: 1,
    });
}

fn reading(page: &mut Page, test: &LoadTest) {
    page.section("How to read it");
    let origin = match test.asked.mode {
        LoopKind::Open => {
            "Requests were due at moments that were planned beforehand, whether or not earlier ones had been answered. A latency counts \
             from when its request was due: had the scorer or the generator stood still, every request that was due meanwhile would \
             show it. The service time is what the scorer itself took, and looks well even in a jam."
        }
        LoopKind::Closed => {
            "Every client waited for its answer before it asked again, and a latency counts from sending. While a scorer is slow, the \
             requests that would have found it slow are not sent, so these percentiles omit them: an open loop tells what they \
             would have met."
        }
    };
    page.paragraph(origin);
    page.paragraph(
        "Achieved is what was finished within the measured time; answered also counts what was finished after it. A request that finds \
         its scorer's queue full is dropped, has no latency, and is counted. Queue depth is the number of requests waiting or being \
         scored.",
    );
    if let Some(knee) = &test.knee {
        let rule = knee.rule;
        page.paragraph(&format!(
            "A rate is sustained when at most {} % of its requests are dropped, at most {} % (or {}) fewer are finished within the \
             measured time than were due, and its p99 is at most {} times that of the lowest rate. The knee lies above the highest \
             rate that is sustained with all below it.",
            100.0 * rule.dropped_share_max,
            100.0 * rule.shortfall_share_max,
            crate::generator::SHORTFALL_MIN,
            rule.slowdown_max
        ));
    }
}

fn again(page: &mut Page, test: &LoadTest, name: &str) {
    page.section("How to get it again");
    page.paragraph(&format!(
        "All figures and everything that was asked are in {RESULT}; latency.hlog holds the histograms of every interval for readers of \
         HDR logs. The arrival plan is a function of seed {}, rate and process; {}",
        test.asked.seed,
        if test.asked.is_simulated() {
            "in virtual time, so are all figures."
        } else {
            "how long scoring takes is up to the machine, so figures come out alike, not the same."
        }
    ));
    page.code(&format!("{}\nmorta report {name}", test.command));
    page.facts(&[
        ("Build", format!("morta {}", test.build)),
        ("Started", test.started_at.clone().unwrap_or_default()),
        ("Seed", test.asked.seed.to_string()),
    ]);
}

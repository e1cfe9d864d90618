//! The result of a load test as text, for the terminal; the page takes its tables from here too. Numbers are rounded to four
//! significant digits, because repeated loads differ by more than that. `loadtest.json` has them in full.

use super::duration::formatted;
use super::outcome::{LoadTest, LoopKind, MeasuredStep, ScoredSubject};
use crate::generator::{
    ArrivalProcess, Knee, LatencySummary, Measured, Origin, Overload, ServiceTime, seconds,
};
use morta_lab::text::{Align, table};

/// Writes the summary of a load test as lines of plain text.
pub fn lines(test: &LoadTest) -> Vec<String> {
    let mut lines =
        vec![format!("scored       {}", subject(&test.subject)), format!("load         {}", load(test))];
    if test.interrupted {
        lines.push("interrupted  the figures are those of the time until then".to_owned());
    }
    match test.steps.as_slice() {
        [only] if test.asked.rates.len() <= 1 => lines.extend(one(&only.measured)),
        steps => lines.extend(many(steps)),
    }
    lines.extend(test.knee.iter().map(|found| format!("knee         {}", knee(found))));
    lines.extend(test.warnings.iter().map(|warning| format!("note         {warning}")));
    lines
}

/// Formats a whole number with commas between thousands.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Formats a throughput or request rate, requests per second, with four significant digits, or with all digits before the point from 1,000
/// on.
pub fn rate(per_s: f64) -> String {
    match per_s {
        value if value >= 1_000.0 => format!("{}/s", grouped(value.round() as u64)),
        value if value >= 100.0 => format!("{value:.1}/s"),
        value if value >= 10.0 => format!("{value:.2}/s"),
        value => format!("{value:.3}/s"),
    }
}

/// Describes the scored Grimoires, i.e. the workload, in one line.
pub fn subject(subject: &ScoredSubject) -> String {
    match subject {
        ScoredSubject::Made { buffers, episodes, dimensions, places } => format!(
            "{} of {} episodes × {dimensions} dimensions, made from the seed; the best {places} of each",
            if *buffers == 1 { "1 Grimoire".to_owned() } else { format!("{buffers} Grimoires") },
            grouped(u64::from(*episodes))
        ),
        ScoredSubject::Lived {
            scenario,
            seed,
            ticks,
            buffers,
            episodes_min,
            episodes_max,
            episodes_mean,
            dimensions,
            places_min,
            places_max,
        } => {
            let places = if places_min == places_max {
                places_min.to_string()
            } else {
                format!("{places_min} to {places_max}")
            };
            format!(
                "the {buffers} Grimoires that golems of {scenario} (seed {seed}) have after {} ticks: {episodes_min} to {episodes_max} \
                 episodes, {episodes_mean:.0} on average, × {dimensions} dimensions; the best {places} of each",
                grouped(*ticks)
            )
        }
        ScoredSubject::Simulated { buffers, service, stalls_s } => {
            let clients = if *buffers == 1 { "1 client" } else { &format!("{buffers} clients") };
            let law = match service {
                ServiceTime::Constant(ns) => format!("{} for every request", formatted(*ns)),
                ServiceTime::Exponential(ns) => format!("an exponential time of mean {}", formatted(*ns)),
            };
            let still: Vec<String> = stalls_s.iter().map(|(from, to)| format!("{from} to {to} s")).collect();
            let still = if still.is_empty() {
                String::new()
            } else {
                format!("; standing still from {}", still.join(", "))
            };
            format!("no Grimoires: scorers are simulated in virtual time and take {law}{still}; {clients}")
        }
    }
}

/// Describes the load in one line: open loop or closed loop, arrivals, rates, scorers.
pub fn load(test: &LoadTest) -> String {
    let asked = &test.asked;
    let mode = match asked.mode {
        LoopKind::Open => "open loop",
        LoopKind::Closed => "closed loop",
    };
    let process = match asked.arrivals {
        ArrivalProcess::Poisson => "Poisson",
        ArrivalProcess::Constant => "constant",
    };
    let arrivals = match asked.rates.as_slice() {
        [] => "clients ask again at once".to_owned(),
        [only] => format!("{process} arrivals, {}", rate(*only)),
        [first, .., last] => {
            let found = asked.at_once_per_s.map_or(String::new(), |found| {
                format!(" (about the {} answered to clients that ask again at once)", rate(found))
            });
            let (first, last) = (rate(*first), rate(*last));
            format!("{process} arrivals, {} rates from {first} to {last}{found}", asked.rates.len())
        }
    };
    let scorers =
        if asked.load.scorers == 1 { "1 scorer" } else { &format!("{} scorers", asked.load.scorers) };
    let queue = match asked.mode {
        LoopKind::Open => {
            format!(" with room for {} requests", grouped(u64::from(asked.load.queue_capacity)))
        }
        LoopKind::Closed => String::new(),
    };
    format!(
        "{mode}, {arrivals}, {} s after {} s of warm-up, seed {}; {scorers}{queue}",
        seconds(asked.load.measured_ns),
        seconds(asked.load.warm_up_ns),
        asked.seed
    )
}

/// Column names of a summary of latencies.
pub(crate) const PERCENTILES: [&str; 7] = ["p50", "p90", "p99", "p99.9", "p99.99", "max", "mean"];

/// Lists the values of a latency summary, in the order of `PERCENTILES`.
pub fn percentiles(summary: &LatencySummary) -> Vec<String> {
    let LatencySummary { p50_ns, p90_ns, p99_ns, p99_9_ns, p99_99_ns, max_ns, mean_ns, .. } = *summary;
    let whole = [p50_ns, p90_ns, p99_ns, p99_9_ns, p99_99_ns, max_ns];
    whole.into_iter().map(|ns| formatted(ns as f64)).chain([formatted(mean_ns)]).collect()
}

/// Rows of the four durations of a request, each its name and its percentiles: latency, service time, queueing delay, lag of the generator.
/// Those without requests are left out.
pub fn durations(measured: &Measured) -> Vec<Vec<String>> {
    let latency = match measured.latency_from {
        Origin::Due => "latency, from when due",
        Origin::Sent => "latency, from sending (omits)",
    };
    let all = [
        (latency, measured.latency),
        ("service time", measured.service),
        ("waiting in the queue", measured.waiting),
        ("lag of the generator", measured.lag),
    ];
    let row = |(name, summary): (&str, Option<LatencySummary>)| {
        Some(std::iter::once(name.to_owned()).chain(percentiles(&summary?)).collect())
    };
    all.into_iter().filter_map(row).collect()
}

/// Lines of a single load: rates, counts, depth and percentiles.
fn one(measured: &Measured) -> Vec<String> {
    let counts = measured.counts;
    let unanswered = if counts.unanswered > 0 {
        format!(" + {} unanswered", grouped(counts.unanswered))
    } else {
        String::new()
    };
    let mut lines = vec![
        format!("offered      {}: {} requests", rate(measured.offered_per_s), grouped(counts.offered)),
        format!(
            "achieved     {}: {} requests = {} answered + {} dropped{unanswered}",
            rate(measured.achieved_per_s),
            grouped(counts.offered),
            grouped(counts.answered),
            grouped(counts.dropped)
        ),
        format!(
            "queue depth  {:.3} on average, {} at most",
            measured.depth.mean,
            grouped(measured.depth.max)
        ),
        String::new(),
    ];
    let columns: Vec<(&str, Align)> = std::iter::once(("", Align::Left))
        .chain(PERCENTILES.iter().map(|name| (*name, Align::Right)))
        .collect();
    lines.extend(table(&columns, &durations(measured)));
    lines.push(String::new());
    lines
}

/// Column names of a sweep.
pub(crate) const SWEEP_COLUMNS: [&str; 9] =
    ["asked for", "offered", "achieved", "dropped", "depth", "p50", "p99", "p99.9", "max"];

/// Formats the row of a rate in the table of a sweep.
pub(crate) fn sweep_row(step: &MeasuredStep) -> Vec<String> {
    let measured = &step.measured;
    let latency = |value: fn(&LatencySummary) -> u64| {
        measured.latency.as_ref().map_or("-".to_owned(), |summary| formatted(value(summary) as f64))
    };
    vec![
        step.rate_per_s.map_or("-".to_owned(), rate),
        rate(measured.offered_per_s),
        rate(measured.achieved_per_s),
        grouped(measured.counts.dropped),
        format!("{:.2}", measured.depth.mean),
        latency(|summary| summary.p50_ns),
        latency(|summary| summary.p99_ns),
        latency(|summary| summary.p99_9_ns),
        latency(|summary| summary.max_ns),
    ]
}

/// Lines of a sweep: a table with a row for each rate.
fn many(steps: &[MeasuredStep]) -> Vec<String> {
    let columns: Vec<(&str, Align)> = SWEEP_COLUMNS.iter().map(|name| (*name, Align::Right)).collect();
    let mut lines = vec![String::new()];
    lines.extend(table(&columns, &steps.iter().map(sweep_row).collect::<Vec<_>>()));
    lines.push(String::new());
    lines
}

/// Words the knee (saturation point) in a sentence without its full stop.
pub fn knee(knee: &Knee) -> String {
    let why = match knee.why {
        None => String::new(),
        Some(Overload::Silent) => "nothing was answered".to_owned(),
        Some(Overload::Drops(share)) => format!("{:.2} % of requests were dropped", 100.0 * share),
        Some(Overload::FallsBehind(share)) => {
            format!("only {:.1} % of requests were finished in time", 100.0 * share)
        }
        Some(Overload::Slow(times)) => format!("p99 was {times:.1} times that of the lowest rate"),
    };
    let found = match (knee.sustained_per_s, knee.overloaded_per_s) {
        (Some(sustained), Some(overloaded)) => {
            format!("between {} and {}, where {why}", rate(sustained), rate(overloaded))
        }
        (Some(sustained), None) => format!("beyond {}: sweep further", rate(sustained)),
        (None, Some(overloaded)) => {
            format!("below {}, where {why}: sweep from a lower rate", rate(overloaded))
        }
        (None, None) => "nowhere: nothing was measured".to_owned(),
    };
    format!("{found}; at most {} achieved", rate(knee.achieved_max_per_s))
}

//! Checks the arguments of a load test and lowers them to settings. An impossible load is refused here, with the arithmetic, so that it
//! fails before it allocates memory or starts threads. It is argument validation. All mistakes are reported at once, because each try may
//! cost a minute. The command `morta loadtest` fills in what isn't optional here: an open loop, Poisson arrivals, 10 s after 1 s of
//! warm-up, intervals of 1 s, queues of 1,024, seed 42, and 10 rates in a sweep, whose limits it checks itself.

use super::asked::{LoadTestSettings, MadeGrimoires, RATE_MAX, REQUESTS_MAX, evenly};
use super::duration;
use super::outcome::LoopKind;
use crate::generator::{ArrivalProcess, LoadSettings, NS_PER_S, ServiceTime, Stall, seconds};
use crate::scorer::UNDER_WAY_MAX;
use morta_engine::episode::Grimoire;
use morta_lab::error::{Error, Result};
use morta_lab::machine::available_bytes;

/// The shortest measurement for which rates are chosen automatically, seconds. A shorter one would have too few requests at a tenth of the
/// capacity.
const LEAST_TO_FIND_RATES_S: f64 = 0.01;
/// The most intervals. Our choice, because each is a row of the page's figures and a line of the log.
const INTERVALS_MAX: u64 = 100_000;
/// The longest time: a week, in ns. Our choice, far below the 104 days whose nanoseconds a float holds exactly.
const TIME_MAX_NS: f64 = 7.0 * 86_400.0 * 1e9;
/// The most episodes that a Grimoire holds.
const EPISODES_MAX: i64 = 1_000_000;
const DIMENSIONS_MAX: i64 = 4_096;
/// The most scorers on threads of their own. Our choice, far above the cores of one machine.
const SCORERS_MAX: i64 = 512;
const DEFAULT_MADE: MadeGrimoires = MadeGrimoires { buffers: 16, episodes: 1_000, dimensions: 32 };

/// The mistakes found so far. After a mistake the check goes on with a harmless value, so that the user sees all mistakes at once and each
/// only once.
#[derive(Default)]
struct Mistakes(Vec<String>);

impl Mistakes {
    /// The value of a result; after an error, notes it and returns the harmless value.
    fn or<T>(&mut self, result: Result<T>, harmless: T) -> T {
        result.unwrap_or_else(|error| {
            self.0.extend(error.mistakes().unwrap_or_default().iter().cloned());
            harmless
        })
    }

    fn count(&mut self, flag: &str, value: i64, max: i64, what: &str) -> u32 {
        self.or(count(flag, value, max, what), 1)
    }
}

/// The raw arguments of a load test, unchecked. Times and ranges are texts, because a refusal repeats them as they were written.
#[derive(Clone, Debug)]
pub struct UncheckedLoadTest {
    /// Whether the Grimoires are those of a scenario's golems; false for synthetic ones.
    pub has_scenario: bool,
    /// Whether clients wait for their answers before they send again.
    pub mode: LoopKind,
    /// The process of arrivals.
    pub arrivals: ArrivalProcess,
    /// Requests a second, over all clients.
    pub rate: Option<f64>,
    /// Two rates, `A..B`, the lower first; in place of `rate`.
    pub sweep: Option<String>,
    /// The number of rates of a sweep, 2 to 100; the caller checks that.
    pub steps: u32,
    /// The length of the measurement as text, such as `10` or `500ms`.
    pub duration: String,
    /// Time under load before the measurement as text. It exists because queues begin empty.
    pub warmup: String,
    /// Length of the intervals of figures over time.
    pub interval: String,
    /// Episodes of each synthetic Grimoire; `None` for 1,000.
    pub episodes: Option<i64>,
    /// Dimensions of each embedding; `None` for 32.
    pub dim: Option<i64>,
    /// Synthetic Grimoires, one for each client; `None` for 16.
    pub buffers: Option<i64>,
    /// Number of scorers. `None` for one less than there are cores, because the generator needs one, or for one simulated scorer.
    pub scorers: Option<i64>,
    /// The most requests that wait or are being scored at one scorer.
    pub queue: i64,
    /// Seed of the arrival plan, of synthetic Grimoires and of simulated service times.
    pub seed: u64,
    /// The service time of simulated scorers, such as `exponential:1ms`.
    pub simulate_service: Option<String>,
    /// Stalls of simulated scorers, such as `100..200`.
    pub simulate_stall: Vec<String>,
}

impl UncheckedLoadTest {
    /// Validates the arguments and returns the settings.
    ///
    /// # Errors
    /// [`Error::Invalid`], with a line for each impossible argument and its arithmetic.
    pub fn check(&self) -> Result<LoadTestSettings> {
        let mut wrong = Mistakes::default();
        let (warm_up_ns, measured_ns, interval_ns) = times(self, &mut wrong);
        let made = made(self, &mut wrong);
        let (scorers, queue_capacity) = scorers_and_queue(self, &mut wrong);
        let rates = wrong.or(rates(self, seconds(measured_ns), seconds(warm_up_ns)), Vec::new());
        let service = wrong.or(self.simulate_service.as_deref().map(service).transpose(), None);
        let stalls: Vec<Option<Stall>> =
            self.simulate_stall.iter().map(|text| wrong.or(stall(text).map(Some), None)).collect();
        let is_made = !self.has_scenario;
        if is_made && self.simulate_service.is_none() && wrong.0.is_empty() {
            wrong.0.extend(too_large(made, scorers, available_bytes()));
        }
        if !wrong.0.is_empty() {
            return Err(Error::all(wrong.0));
        }
        Ok(LoadTestSettings {
            mode: self.mode,
            arrivals: self.arrivals,
            rates,
            at_once_per_s: None,
            load: LoadSettings { warm_up_ns, measured_ns, interval_ns, scorers, queue_capacity },
            seed: self.seed,
            made: is_made.then_some(made),
            service,
            stalls: stalls.into_iter().flatten().collect(),
        })
    }
}

/// The warm-up, the measurement and the length of an interval, ns.
fn times(args: &UncheckedLoadTest, wrong: &mut Mistakes) -> (u64, u64, u64) {
    let warm_up_ns = wrong.or(time("--warmup", &args.warmup, true), 0);
    let measured_ns = wrong.or(time("--duration", &args.duration, false), 1_000 * NS_PER_S);
    let interval_ns = wrong.or(time("--interval", &args.interval, false), u64::MAX);
    let intervals = measured_ns / interval_ns;
    if intervals > INTERVALS_MAX {
        let (duration, interval) = (&args.duration, &args.interval);
        wrong.0.push(format!(
            "--duration {duration} / --interval {interval} = {intervals} intervals: at most {INTERVALS_MAX}, so use longer ones"
        ));
    }
    (warm_up_ns, measured_ns, interval_ns)
}

/// The synthetic Grimoires.
fn made(args: &UncheckedLoadTest, wrong: &mut Mistakes) -> MadeGrimoires {
    let usual = DEFAULT_MADE;
    let (episodes, dimensions) =
        (args.episodes.unwrap_or(usual.episodes.into()), args.dim.unwrap_or(usual.dimensions.into()));
    let buffers = args.buffers.unwrap_or(usual.buffers.into());
    MadeGrimoires {
        episodes: wrong.count("--episodes", episodes, EPISODES_MAX, "what a Grimoire holds"),
        dimensions: wrong.count("--dim", dimensions, DIMENSIONS_MAX, "numbers of an embedding"),
        buffers: wrong.count("--buffers", buffers, UNDER_WAY_MAX as i64, "clients at once"),
    }
}

/// The number of scorers and the capacity of each queue.
fn scorers_and_queue(args: &UncheckedLoadTest, wrong: &mut Mistakes) -> (u32, u32) {
    let simulated = args.simulate_service.is_some();
    let spare = std::thread::available_parallelism().map_or(1, |cores| cores.get() as i64 - 1).max(1);
    let scorers = args.scorers.unwrap_or(if simulated { 1 } else { spare });
    let scorers = if simulated {
        wrong.count("--scorers", scorers, UNDER_WAY_MAX as i64, "simulated scorers")
    } else {
        wrong.count("--scorers", scorers, SCORERS_MAX, "threads of scorers")
    };
    let queue = wrong.count("--queue", args.queue, UNDER_WAY_MAX as i64, "requests at one scorer");
    let under_way = u64::from(scorers) * u64::from(queue);
    if !simulated && under_way > UNDER_WAY_MAX as u64 {
        wrong.0.push(format!(
            "--scorers {scorers} × --queue {queue} = {under_way} requests under way: at most {UNDER_WAY_MAX}"
        ));
    }
    (scorers, queue)
}

fn time(flag: &str, text: &str, may_be_nothing: bool) -> Result<u64> {
    let remedy = "use a time such as 10, 500ms or 2min";
    let Some(ns) = duration::read(text) else {
        return Err(Error::invalid(format!("{flag} {text}: {remedy}")));
    };
    let least = if may_be_nothing { 0.0 } else { 1.0 };
    if ns < least {
        let what = if may_be_nothing { "at least 0" } else { "above 0" };
        return Err(Error::invalid(format!("{flag} {text}: must be {what}; {remedy}")));
    }
    if ns > TIME_MAX_NS {
        return Err(Error::invalid(format!("{flag} {text}: at most a week, 604,800 s")));
    }
    Ok(ns as u64)
}

fn count(flag: &str, value: i64, max: i64, what: &str) -> Result<u32> {
    if (1..=max).contains(&value) {
        return Ok(value as u32);
    }
    Err(Error::invalid(format!("{flag} {value}: use 1 to {max} ({what})")))
}

/// The rates, each checked by the number of requests it amounts to. Empty for a closed loop without a rate, and for an open loop whose rates
/// are chosen later.
fn rates(args: &UncheckedLoadTest, measured_s: f64, warm_up_s: f64) -> Result<Vec<f64>> {
    let one = |flag: &str, rate: f64| -> Result<f64> {
        if !rate.is_finite() || rate <= 0.0 {
            return Err(Error::invalid(format!(
                "{flag} {rate}: must be a number of requests a second above 0"
            )));
        }
        if rate > RATE_MAX {
            return Err(Error::invalid(format!(
                "{flag} {rate}: 1 s / {rate} = {:.1} ns between requests: at most {RATE_MAX}/s can be kept to",
                1e9 / rate
            )));
        }
        let in_all = rate * (warm_up_s + measured_s);
        if in_all > REQUESTS_MAX {
            return Err(Error::invalid(format!(
                "{flag} {rate}: {rate}/s × ({warm_up_s} s + {measured_s} s) = {in_all:.3e} requests: at most \
                 {REQUESTS_MAX:.0e}, so ask for less or for a shorter time"
            )));
        }
        if rate * measured_s < 1.0 {
            return Err(Error::invalid(format!(
                "{flag} {rate}: {rate}/s × {measured_s} s = {} requests: there would be nothing to measure, so use a longer \
                 --duration",
                rate * measured_s
            )));
        }
        Ok(rate)
    };
    match (&args.sweep, args.rate) {
        (Some(_), _) if args.mode == LoopKind::Closed => Err(Error::invalid(
            "--sweep with --mode closed: clients that wait slow down with their scorer, so no rate overloads it; sweep in an open loop",
        )),
        (Some(range), _) => {
            let (low, high) = ends(range).ok_or_else(|| {
                Error::invalid(format!("--sweep {range}: use two rates, the lower first, such as 100..2000"))
            })?;
            let mut wrong = Mistakes::default();
            let (low, high) = (wrong.or(one("--sweep", low), low), wrong.or(one("--sweep", high), high));
            if !wrong.0.is_empty() {
                return Err(Error::all(wrong.0));
            }
            if low >= high {
                return Err(Error::invalid(format!(
                    "--sweep {range}: {low} is not below {high}: use two rates, the lower first"
                )));
            }
            Ok(evenly(low, high, args.steps))
        }
        (None, Some(rate)) => one("--rate", rate).map(|rate| vec![rate]),
        (None, None) if args.mode == LoopKind::Open && args.simulate_service.is_some() => {
            Err(Error::invalid(
                "an open loop of simulated scorers needs --rate R (requests a second) or --sweep A..B",
            ))
        }
        (None, None) if args.mode == LoopKind::Open && measured_s < LEAST_TO_FIND_RATES_S => {
            Err(Error::invalid(format!(
                "--duration {}: rates are found from {LEAST_TO_FIND_RATES_S} s on, so use a longer time, or say --rate R or --sweep A..B",
                args.duration
            )))
        }
        // The rates of an open loop are chosen once its scorers run, because they depend on the measured capacity.
        (None, None) => Ok(Vec::new()),
    }
}

fn ends(range: &str) -> Option<(f64, f64)> {
    let (from, to) = range.split_once("..")?;
    Some((from.trim().parse().ok()?, to.trim().parse().ok()?))
}

fn service(text: &str) -> Result<ServiceTime> {
    let fail = || {
        Error::invalid(format!(
            "--simulate-service {text}: use exponential:TIME or constant:TIME, such as exponential:1ms, above 0"
        ))
    };
    let (law, time) = text.split_once(':').ok_or_else(fail)?;
    let ns = duration::read(time).filter(|ns| (1.0..=TIME_MAX_NS).contains(ns)).ok_or_else(fail)?;
    match law.trim() {
        "exponential" => Ok(ServiceTime::Exponential(ns)),
        "constant" => Ok(ServiceTime::Constant(ns)),
        _ => Err(fail()),
    }
}

fn stall(text: &str) -> Result<Stall> {
    let both =
        text.split_once("..").and_then(|(from, to)| Some((duration::read(from)?, duration::read(to)?)));
    match both {
        Some((from, to)) if from >= 0.0 && to > from && to <= TIME_MAX_NS => {
            Ok(Stall { from_ns: from as u64, to_ns: to as u64 })
        }
        _ => Err(Error::invalid(format!(
            "--simulate-stall {text}: use two moments of the measured time, the earlier first, such as 100..200"
        ))),
    }
}

/// Bytes that a scorer needs for each episode of the Grimoire that it scores: the utility and the order of slots.
const SCORER_BYTES: u64 = 16;

/// The refusal of Grimoires that need more memory than is available; `None` if they fit, or if the available memory is unknown.
fn too_large(made: MadeGrimoires, scorers: u32, available: Option<u64>) -> Option<String> {
    let MadeGrimoires { buffers, episodes, dimensions } = made;
    let each = Grimoire::bytes_of_episode(dimensions);
    let grimoires = u64::from(buffers) * u64::from(episodes) * each;
    let work = u64::from(scorers) * u64::from(episodes) * SCORER_BYTES;
    let needed = grimoires + work;
    let available = available.filter(|available| needed > *available)?;
    let gb = |bytes: u64| bytes as f64 / 1e9;
    Some(format!(
        "--buffers {buffers} × --episodes {episodes} × {each} bytes (at {dimensions} dimensions) + {scorers} × {episodes} × \
         {SCORER_BYTES} bytes for scorers = {:.1} GB: this machine has {:.1} GB left, so use fewer or smaller Grimoires",
        gb(needed),
        gb(available)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grimoires_beyond_memory_are_refused_with_the_arithmetic() {
        let made = MadeGrimoires { buffers: 1_000, episodes: 1_000_000, dimensions: 64 };
        let line = too_large(made, 2, Some(8_000_000_000)).unwrap();
        assert!(
            line.contains("--buffers 1000 × --episodes 1000000 ×") && line.contains("8.0 GB left"),
            "{line}"
        );
        assert_eq!(too_large(made, 2, None), None);
        assert_eq!(
            too_large(MadeGrimoires { buffers: 1, episodes: 1_000, dimensions: 16 }, 1, Some(8_000_000)),
            None
        );
    }
}

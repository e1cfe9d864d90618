//! Schedules of phases: cron expressions on the caller's clock, in its time zone (digest section 9). It is a cron parser with
//! daylight saving time; instants are milliseconds. The caller has the clock, so that a year can be simulated: golems that are idle and the
//! tool that watches a workspace ask a `Timetable` what is due; the tools' status shows its next moments. Each phase has a schedule of its
//! own, or all have one (`cadence`, the schedule mode). Runs that were missed aren't made up one by one: a phase that was due several times
//! runs once. A golem leaves out a due phase that it can't pay or that has nothing to read.

use super::config::DreamingConfig;
use super::time::{Instant, Zone};
use croner::parser::{CronParser, Seconds, Year};
use croner::{Cron, errors::CronError};
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// A phase of sleep, that is a sleep stage (sleep phase, sleep stages). Phases that are due at the same instant run in this order.
    pub enum Phase {
        /// Light sleep: stages candidates.
        Light = "light",
        /// REM sleep: finds themes.
        Rem = "rem",
        /// Deep sleep: promotes entries.
        Deep = "deep",
    }

    /// Who has a schedule.
    #[derive(Default)]
    pub enum Cadence: Key {
        /// Each phase its own, as the document says.
        #[default]
        Phases = "phases",
        /// One for all: light, REM and deep sleep in that order, as the released program does.
        Single = "single",
    }
}

/// The error of a text that isn't a schedule (cron parse error).
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("cron expression `{expression}`: {}", self.remedy())]
pub struct BadCron {
    /// The text.
    expression: String,
    /// The parser's reason.
    why: String,
}

impl BadCron {
    /// The reason, with a valid example: a hint for the error message.
    pub fn remedy(&self) -> String {
        format!("{}; write minute, hour, day, month and weekday (0 is Sunday), as in `0 3 * * *`", self.why)
    }
}

/// Validates a cron expression of five fields, or a nickname such as `@daily`.
///
/// # Errors
/// When it isn't one.
pub fn check_cron(expression: &str) -> Result<(), BadCron> {
    parse(expression).map(drop)
}

fn parse(expression: &str) -> Result<Cron, BadCron> {
    let bad = |why: String| BadCron { expression: expression.to_owned(), why };
    let fields = expression.split_whitespace().count();
    if fields != 5 && !expression.trim_start().starts_with('@') {
        return Err(bad(format!("it has {fields} fields")));
    }
    let parser = CronParser::builder().seconds(Seconds::Disallowed).year(Year::Disallowed).build();
    parser.parse(expression).map_err(|error| bad(error.to_string().trim_end_matches('.').to_lowercase()))
}

/// Finds the next run of a cron schedule: its first instant strictly after `after`, in the zone's local time; `None` when there is none.
///
/// # Errors
/// When the expression isn't a schedule.
fn next_after(expression: &str, zone: &Zone, after: Instant) -> Result<Option<Instant>, BadCron> {
    find(expression, zone, after, |cron, moment| cron.find_next_occurrence(moment, false))
}

/// Finds the previous run of a cron schedule: its last instant at or before `until`; `None` when there is none.
///
/// # Errors
/// When the expression isn't a schedule.
fn last_until(expression: &str, zone: &Zone, until: Instant) -> Result<Option<Instant>, BadCron> {
    find(expression, zone, until, |cron, moment| cron.find_previous_occurrence(moment, true))
}

fn find(
    expression: &str,
    zone: &Zone,
    from: Instant,
    search: impl Fn(&Cron, &jiff::Zoned) -> Result<jiff::Zoned, CronError>,
) -> Result<Option<Instant>, BadCron> {
    let cron = parse(expression)?;
    // Rounded down to a whole second, because a schedule has only those: at 02:59:59.999 the run of 03:00 is still to come.
    let from = Instant(from.0.div_euclid(1_000).saturating_mul(1_000));
    let found = search(&cron, &from.timestamp().to_zoned(zone.zone.clone()));
    Ok(found.ok().map(|moment| Instant(moment.timestamp().as_millisecond())))
}

/// The timetable of the phases, a job scheduler by cron expressions: the next instant of each; `None` for a phase that never runs again.
/// Which phases are enabled, and their next instants, are fixed when it is made. When the configuration or the zone changes it has to be
/// made anew, and only then, because a new one begins from its `now` and would forget a phase that is due.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timetable {
    /// Enabled phases in their order, each with its next instant.
    next: Vec<(Phase, Option<Instant>)>,
}

impl Timetable {
    /// Makes the timetable of the enabled phases, from `now` on. A phase whose schedule can't be parsed never runs.
    pub fn new(config: &DreamingConfig, zone: &Zone, now: Instant) -> Self {
        let runs = Phase::ALL.into_iter().filter(|phase| config.runs(*phase));
        let next = |phase| next_after(config.cron(phase), zone, now).ok().flatten();
        Self { next: runs.map(|phase| (phase, next(phase))).collect() }
    }

    /// The next instant (run) of a phase.
    pub fn next(&self, phase: Phase) -> Option<Instant> {
        self.next.iter().find(|(other, _)| *other == phase).and_then(|(_, next)| *next)
    }

    /// Whether a phase is due (overdue): its deadline has passed.
    pub fn is_due(&self, now: Instant) -> bool {
        self.next.iter().any(|(_, next)| next.is_some_and(|next| next <= now))
    }

    /// Takes out the phases (jobs) due by `now`, in the order of time and, at the same instant, light, REM, deep. A phase that was due more
    /// than once since the last call runs once, at the latest of its instants, because the store didn't change in between. The
    /// configuration and zone must be those that the timetable was made of: the next instants are reckoned from them, while a phase that
    /// was enabled later is never due.
    pub fn take_due(&mut self, config: &DreamingConfig, zone: &Zone, now: Instant) -> Vec<(Instant, Phase)> {
        let mut due = Vec::new();
        for (phase, next) in &mut self.next {
            let Some(first) = next.filter(|next| *next <= now) else { continue };
            let cron = config.cron(*phase);
            let latest = last_until(cron, zone, now).ok().flatten().unwrap_or(first);
            due.push((latest.max(first), *phase));
            *next = next_after(cron, zone, now).ok().flatten();
        }
        due.sort_unstable();
        due
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::tests::instant;
    use super::*;

    fn next(cron: &str, zone: &str, after: &str) -> String {
        let found = next_after(cron, &Zone::named(zone).unwrap(), instant(after)).unwrap();
        found.map_or_else(|| "never".to_owned(), |found| found.to_string().replace(":00.000", ""))
    }

    #[test]
    fn the_cron_table_of_the_digest() {
        const LA: &str = "America/Los_Angeles";
        for (cron, zone, from, expected) in [
            ("0 */6 * * *", "UTC", "2026-04-05T05:59:00Z", "2026-04-05T06:00Z"),
            ("0 */6 * * *", "UTC", "2026-04-05T06:00:00Z", "2026-04-05T12:00Z"),
            ("0 3 * * *", "UTC", "2026-04-05T03:00:00Z", "2026-04-06T03:00Z"),
            ("0 5 * * 0", "UTC", "2026-04-05T05:00:00Z", "2026-04-12T05:00Z"),
            ("0 3 * * *", LA, "2026-03-07T12:00:00Z", "2026-03-08T10:00Z"),
            ("0 3 * * *", LA, "2026-03-07T00:00:00Z", "2026-03-07T11:00Z"),
            // A millisecond before the instant.
            ("0 3 * * *", "UTC", "2026-04-05T02:59:59.999Z", "2026-04-05T03:00Z"),
            ("0 3 30 2 *", "UTC", "2026-04-05T03:00:00Z", "never"),
        ] {
            assert_eq!(next(cron, zone, from), expected, "{cron} {zone} from {from}");
        }
    }

    /// On 8 March there is no 02:30 in California, and on 1 November 01:30 occurs twice.
    #[test]
    fn changes_to_and_from_summer_time_neither_skip_nor_repeat_a_run() {
        const LA: &str = "America/Los_Angeles";
        assert_eq!(next("30 2 * * *", LA, "2026-03-08T08:00:00Z"), "2026-03-08T10:00Z");
        let first = next("30 1 * * *", LA, "2026-11-01T07:00:00Z");
        assert_eq!(first, "2026-11-01T08:30Z");
        assert_eq!(next("30 1 * * *", LA, "2026-11-01T08:30:00Z"), "2026-11-02T09:30Z");
    }

    #[test]
    fn phases_due_together_run_light_rem_deep() {
        let zone = Zone::utc();
        let mut config = DreamingConfig { cadence: Cadence::Single, ..DreamingConfig::default() };
        let start = instant("2026-04-04T12:00:00Z");
        let mut single = Timetable::new(&config, &zone, start);
        let at_three = instant("2026-04-05T03:00:00Z");
        assert!(!single.is_due(Instant(at_three.0 - 1)) && single.is_due(at_three));
        let due = single.take_due(&config, &zone, at_three);
        assert_eq!(due, Phase::ALL.map(|phase| (at_three, phase)));
        assert!(single.take_due(&config, &zone, at_three).is_empty(), "each is due once");
        config.cadence = Cadence::Phases;
        config.light.limit = 0;
        let mut phases = Timetable::new(&config, &zone, start);
        // A day and a half later deep sleep was due twice, REM sleep once; light sleep has nothing to name.
        let due = phases.take_due(&config, &zone, instant("2026-04-06T04:00:00Z"));
        let due: Vec<String> = due.iter().map(|(at, phase)| format!("{} {at}", phase.name())).collect();
        assert_eq!(due, ["rem 2026-04-05T05:00:00.000Z", "deep 2026-04-06T03:00:00.000Z"]);
        config.enabled = false;
        assert!(!Timetable::new(&config, &zone, start).is_due(instant("2030-01-01T00:00:00Z")));
    }
}

//! The timetable of a cohort, worked out once from its keys: windows, directives, calls and alarms, in ticks and asset numbers. Windows are
//! in simulated seconds, directives and calls in ticks, alarms are fractions of a price over a number of ticks. It is a compiled schedule:
//! parsing happens once and not at every tick. The plan makes it for each cohort after `check_plans` has refused what can't be; a mode that
//! keeps no windows has none here, and with `dream.wake_interrupts` off there are no calls and no alarms. A directive makes a waking golem
//! that dreams ask to sleep. Calls wake dreamers, and reach a golem that is awake through its waking gate, if it has one. Prices of alarms
//! change in a dream, so they are apart, in the golem's [`Watch`].

use crate::dream::DreamConfig;
use crate::dream::schedule::config::{CallSource, seconds};
use crate::dream::schedule::interrupt::{PriceMove, WakeReason};
use crate::dream::schedule::window::SleepWindow;
use crate::market::{AssetIndex, MarketView};
use morta_base::{Lineage, TableChecker, Tick};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A price alarm.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Alarm {
    asset: AssetIndex,
    /// As a fraction.
    change: f64,
    ticks: usize,
}

/// An event that addresses a lineage, or all, at a tick.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Call<T> {
    tick: Tick,
    lineage: Option<Lineage>,
    what: T,
}

/// The sleep schedule (calendar) of a cohort's golems, compiled from its keys, and the events that wake them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timetable {
    tick_seconds: u32,
    windows: Vec<SleepWindow>,
    directives: Vec<Call<()>>,
    calls: Vec<Call<WakeReason>>,
    alarms: Vec<Alarm>,
}

/// The world that a timetable is checked against: the names and sizes for validation.
#[derive(Clone, Copy, Debug)]
pub struct TimetableSurroundings<'a> {
    /// Simulated seconds a tick.
    pub tick_seconds: u32,
    /// The assets of the world.
    pub symbols: &'a [&'a str],
    /// The names of all cohorts.
    pub cohorts: &'a [&'a str],
    /// Number of lineage slots.
    pub lineages: u64,
}

impl Timetable {
    /// Compiles the keys of one cohort; entries that [`DreamConfig::check_plans`] refuses are left out.
    pub fn new(config: &DreamConfig, cohort: &str, around: TimetableSurroundings<'_>) -> Self {
        let addressed = |name: &Option<String>| name.as_ref().is_none_or(|name| name == cohort);
        let windows = config.windows.windows.iter().filter_map(|window| SleepWindow::parse(window).ok());
        let directives = config.directives.iter().filter(|directive| addressed(&directive.cohort));
        let directives = directives.map(|d| Call { tick: d.tick, lineage: d.lineage, what: () });
        let calls = config.interrupts.iter().filter(|call| addressed(&call.cohort)).map(|call| {
            let what = match call.source {
                CallSource::Owner => WakeReason::OwnersCall,
                CallSource::Clade => WakeReason::PlannedAlert,
            };
            Call { tick: call.tick, lineage: call.lineage, what }
        });
        let alarms = config.wake_interrupts.market_thresholds.iter().filter_map(|threshold| {
            let asset = around.symbols.iter().position(|symbol| *symbol == threshold.asset)?;
            let ticks = (seconds(&threshold.window)? / u64::from(around.tick_seconds.max(1))).max(1);
            Some(Alarm {
                asset: asset as AssetIndex,
                change: threshold.change_percent / 100.0,
                ticks: ticks as usize,
            })
        });
        let awake = config.wake_interrupts.enabled;
        let mut timetable = Self {
            tick_seconds: around.tick_seconds,
            windows: windows.filter(|_| config.schedule.mode.keeps_windows()).collect(),
            directives: directives.collect(),
            calls: calls.filter(|_| awake).collect(),
            alarms: alarms.filter(|_| awake).collect(),
        };
        // The sort is stable: of several calls at one tick the first in the file is taken.
        timetable.directives.sort_by_key(|call| call.tick);
        timetable.calls.sort_by_key(|call| call.tick);
        timetable
    }

    /// The time step: simulated seconds a tick, whole ones.
    pub fn tick_seconds(&self) -> u32 {
        self.tick_seconds
    }

    /// Start of the open sleep window, in seconds since 1970-01-01 UTC; of several open ones, the first in the file. Outside all windows it
    /// is `None`.
    pub fn open_window(&self, time_s: i64) -> Option<i64> {
        self.windows.iter().find_map(|window| window.open_since(time_s))
    }

    /// Whether the owner's schedule directs this lineage to dream now.
    pub fn directs(&self, lineage: Lineage, tick: Tick) -> bool {
        at(&self.directives, lineage, tick).is_some()
    }

    /// Looks up the call, a planned interrupt, that wakes a dreamer of this lineage now. The waking gate asks for it too.
    pub fn call(&self, lineage: Lineage, tick: Tick) -> Option<WakeReason> {
        at(&self.calls, lineage, tick).map(|call| call.what)
    }
}

fn at<T>(calls: &[Call<T>], lineage: Lineage, tick: Tick) -> Option<&Call<T>> {
    let first = calls.partition_point(|call| call.tick < tick);
    let now = calls[first..].iter().take_while(|call| call.tick == tick);
    now.into_iter().find(|call| call.lineage.is_none_or(|addressed| addressed == lineage))
}

/// Prices of the alarms since a golem fell asleep: a sliding window for each price alarm.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Watch {
    prices: Vec<VecDeque<f64>>,
}

impl Watch {
    /// Resets the sliding window at falling asleep, without earlier prices: a move from before the dream was known when the golem went to
    /// sleep.
    pub fn begin(&mut self, timetable: &Timetable, view: &MarketView) {
        let price = |alarm: &Alarm| VecDeque::from([view.asset(alarm.asset).pool_price]);
        self.prices = timetable.alarms.iter().map(price).collect();
    }

    /// Takes in a tick and checks the price alarms. Returns the largest move of the first alarm whose price is now further from one in its
    /// window than it allows.
    pub(crate) fn check_alarms(&mut self, timetable: &Timetable, view: &MarketView) -> Option<PriceMove> {
        let mut first = None;
        for (alarm, past) in timetable.alarms.iter().zip(&mut self.prices) {
            let now = view.asset(alarm.asset).pool_price;
            let moves = (1..).zip(past.iter().rev()).map(|(ticks, then)| (ticks, now / then - 1.0));
            let far = moves.filter(|(_, moved)| moved.abs() >= alarm.change);
            let largest = far.max_by(|(_, a), (_, b)| a.abs().total_cmp(&b.abs()));
            first = first.or(largest.map(|(within_ticks, moved)| PriceMove {
                asset: alarm.asset,
                moved,
                within_ticks,
                alarm: alarm.change,
            }));
            past.push_back(now);
            while past.len() > alarm.ticks {
                past.pop_front();
            }
        }
        first
    }
}

impl DreamConfig {
    /// Validates plans: reports everything in them that can't be in this world.
    pub fn check_plans(&self, table: &mut TableChecker<'_>, around: TimetableSurroundings<'_>) {
        let directives = self.directives.iter().map(|d| (&d.cohort, d.lineage)).enumerate();
        let interrupts = self.interrupts.iter().map(|i| (&i.cohort, i.lineage)).enumerate();
        let named = |name, entries: Vec<_>| entries.into_iter().map(move |(place, whom)| (name, place, whom));
        let all = named("directives", directives.collect()).chain(named("interrupts", interrupts.collect()));
        for (name, place, (cohort, lineage)) in all {
            let mut table = table.table(&format!("{name}.{place}"));
            if let Some(cohort) = cohort {
                let known = around.cohorts.contains(&cohort.as_str());
                let remedy = format!("use the name of a cohort: {}", around.cohorts.join(", "));
                table.demand(known, "cohort", cohort, remedy);
            }
            if let Some(lineage) = lineage {
                table.slot("lineage", lineage, around.lineages);
            }
        }
        self.wake_interrupts.check_symbols(&mut table.table("wake_interrupts"), around.symbols);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORLD: TimetableSurroundings<'_> = TimetableSurroundings {
        tick_seconds: 40,
        symbols: &["BTC", "ETH"],
        cohorts: &["a", "b"],
        lineages: 10,
    };

    #[test]
    fn a_window_of_minutes_becomes_ticks() {
        let ticks = |tick_seconds| {
            let around = TimetableSurroundings { tick_seconds, ..WORLD };
            Timetable::new(&DreamConfig::default(), "a", around).alarms
        };
        // 300 s: 7 ticks of 40 s fit, and one of an hour has to do.
        assert_eq!(ticks(40), [Alarm { asset: 1, change: 0.1, ticks: 7 }]);
        assert_eq!(ticks(3_600)[0].ticks, 1);
    }
}

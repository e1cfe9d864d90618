//! Mutual information between forecasts and outcomes: whether its fall warns of ruin, and sooner than vitality does.
//!
//! For every golem whose forecasts are recorded (`mortality.epistemic.tell_forecasts`, off by default), the R that memory expected of a
//! candidate and the R that it made on paper, taken or not, both before costs, are a pair. The digest's experiment E8 (its source M17) asks
//! for their mutual information, and leaves the rest open; here it is:
//!
//! | symbol | meaning | unit |
//! |---|---|---|
//! | I | mutual information of the latest [`WINDOW`] pairs, both over their standard deviations, by [`NEIGHBOURS`] neighbours; 0 of what is always the same; read anew every [`EVERY`] pairs | nats |
//! | I_recent | the latest I, at least 0 | nats |
//! | I_max | the largest I_recent of the life so far | nats |
//! | I_past | I_recent of the window that ended where the latest begins | nats |
//! | V, V_MI | vitality by the clocks; I_recent / I_max, what information is left of the most there ever was. Undefined while I_max is 0 | 0 to 1 |
//! | decoupled | V > .5 and V_MI < .2: in good health, and beliefs say nothing any more | |
//! | overfit | I_past > 3·I_recent and I_recent < .3·I_max: beliefs describe the past and no longer the present | |
//! | ruin | the balance, open positions included, falls below half of its highest so far; the first time ends the watch | |
//!
//! Conditions are judged when I is read and stand until it is read again. An **alarm** is the tick at which one begins to stand; it is true
//! when ruin follows within [`HEEDED_TICKS`] ticks and false when it doesn't, and not counted when the watch ends before that is known. The
//! **lead** of a warning is the time from the first tick of the fall (since the peak that it is a fall from) at which it stood to ruin, 0
//! where it stood at none: earlier alarms were about something else, for the golem went on to gain. Vitality warns while it is below .5.
//!
//! The window is a fifth of the digest's 1,000 pairs: a thousand forecasts take most of a life, and the law that makes them wrong lasts as
//! long.
//!
//! The estimator is that of Kraskov, Stögbauer and Grassberger (KSG, nearest neighbours).

use morta_base::quantile::quantile;
use morta_base::{Tick, Usdc};
use morta_engine::mortality::SettledForecast;
use morta_stats::mutual_information::{mutual_information, standardised};
use std::collections::VecDeque;

/// Pairs that an estimate is made from.
const WINDOW: usize = 200;
/// Pairs between two estimates. Our choice: a tenth of the window; two estimates in a row share nine tenths of their pairs anyway.
const EVERY: usize = 20;
/// Neighbours; of the digest's 3 to 7 the most, because single windows are judged and chance scatters least by it.
const NEIGHBOURS: usize = 7;
/// Ticks within which ruin makes an alarm a true one: digest section 16, E8, "no DD in 100 ticks" is a false alarm.
const HEEDED_TICKS: Tick = 100;
/// Vitality above which a golem counts as in good health, and below which vitality warns.
const HEALTHY: f64 = 0.5;
/// Share of the most information there ever was, below which beliefs are decoupled.
const DECOUPLED: f64 = 0.2;
/// Share of it below which they may be overfit, and the least ratio of information about the past to that about the present (both E8).
const OVERFIT: f64 = 0.3;
const OVERFIT_RATIO: f64 = 3.0;
/// Share of its highest balance below which a golem is ruined: E8 asks how many ticks a warning comes before a drawdown of more than 50 %.
const RUINED: f64 = 0.5;

/// Conditions that alarms are about.
const CONDITIONS: usize = 3;
const DECOUPLED_ALARM: usize = 0;
const OVERFIT_ALARM: usize = 1;
const VITALITY_ALARM: usize = 2;

/// The information in a golem's forecasts, as they come due.
#[derive(Clone, Debug, Default)]
struct Beliefs {
    /// Expected and realised R, the latest [`WINDOW`] pairs.
    pairs: VecDeque<(f64, f64)>,
    /// Pairs so far.
    number: usize,
    /// Sum of all I, not cut at 0: cut, the positive half of chance would add up to information that isn't there.
    total: f64,
    /// How often I was read.
    read: u32,
    /// I_recent of the last window's worth of readings, oldest first.
    readings: VecDeque<f64>,
    /// I_max.
    most: f64,
}

impl Beliefs {
    /// Takes in a pair; whether information was read anew.
    fn take(&mut self, forecast: &SettledForecast) -> bool {
        self.pairs.push_back((forecast.expected_r, forecast.came_r));
        if self.pairs.len() > WINDOW {
            self.pairs.pop_front();
        }
        self.number += 1;
        let due = self.number >= WINDOW && self.number.is_multiple_of(EVERY);
        if due {
            self.read_anew();
        }
        due
    }

    fn read_anew(&mut self) {
        let (expected, came): (Vec<f64>, Vec<f64>) = self.pairs.iter().copied().unzip();
        let information = standardised(&expected).and_then(|expected| {
            standardised(&came).and_then(|came| mutual_information(&expected, &came, NEIGHBOURS))
        });
        // A golem that always expects the same has no information; there is no other reason for an error, for R is finite.
        let information = information.unwrap_or(0.0);
        self.total += information;
        self.read += 1;
        let recent = information.max(0.0);
        self.most = self.most.max(recent);
        self.readings.push_back(recent);
        if self.readings.len() > WINDOW / EVERY + 1 {
            self.readings.pop_front();
        }
    }

    fn recent(&self) -> f64 {
        self.readings.back().copied().unwrap_or(0.0)
    }

    /// I_recent of the window that ended where the latest begins; `None` before there are two windows.
    fn past(&self) -> Option<f64> {
        self.readings.front().copied().filter(|_| self.readings.len() > WINDOW / EVERY)
    }

    fn decoupled(&self, vitality: f64) -> bool {
        self.most > 0.0 && vitality > HEALTHY && self.recent() / self.most < DECOUPLED
    }

    fn overfit(&self) -> bool {
        let recent = self.recent();
        self.past().is_some_and(|past| past > OVERFIT_RATIO * recent) && recent < OVERFIT * self.most
    }
}

/// Lead times of warnings: ticks by which they came before ruin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Leads {
    /// By an alarm of information, of either kind.
    pub information: Tick,
    /// By vitality.
    pub vitality: Tick,
}

/// Monitors the forecasts of one golem, from the first that came due to its ruin or its end.
#[derive(Clone, Debug, Default)]
pub struct ForecastWatch {
    beliefs: Beliefs,
    stands: [bool; CONDITIONS],
    alarms: [Vec<Tick>; CONDITIONS],
    /// Highest balance so far, dollars.
    peak: f64,
    /// First tick since then at which information warned, and at which vitality did.
    warned: [Option<Tick>; 2],
    ruin: Option<(Tick, Leads)>,
}

impl ForecastWatch {
    /// Takes in the forecasts that came due at a tick, with the balance and the vitality of then.
    pub fn take(&mut self, tick: Tick, settled: &[SettledForecast], balance: Usdc, vitality: f64) {
        if self.ruin.is_some() {
            return;
        }
        for forecast in settled {
            if self.beliefs.take(forecast) {
                self.judge(DECOUPLED_ALARM, self.beliefs.decoupled(vitality), tick);
                self.judge(OVERFIT_ALARM, self.beliefs.overfit(), tick);
            }
        }
        self.judge(VITALITY_ALARM, vitality < HEALTHY, tick);
        self.take_balance(tick, balance);
    }

    fn judge(&mut self, condition: usize, holds: bool, tick: Tick) {
        if holds && !self.stands[condition] {
            self.alarms[condition].push(tick);
        }
        self.stands[condition] = holds;
    }

    fn take_balance(&mut self, tick: Tick, balance: Usdc) {
        let balance = balance.dollars();
        if balance >= self.peak {
            (self.peak, self.warned) = (balance, [None; 2]);
        }
        let [decoupled, overfit, vitality] = self.stands;
        for (warned, stands) in self.warned.iter_mut().zip([decoupled || overfit, vitality]) {
            if stands {
                warned.get_or_insert(tick);
            }
        }
        if balance < RUINED * self.peak {
            let [information, vitality] = self.warned.map(|warned| warned.map_or(0, |warned| tick - warned));
            self.ruin = Some((tick, Leads { information, vitality }));
        }
    }

    /// Whether an alarm was true; `None` where that isn't known.
    fn came_true(&self, alarm: Tick, ended: Tick) -> Option<bool> {
        match self.ruin {
            Some((ruin, _)) => Some(ruin - alarm <= HEEDED_TICKS),
            None => (ended - alarm >= HEEDED_TICKS).then_some(false),
        }
    }
}

/// Counts of alarms of which it is known whether they were true or false (false positives).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Alarms {
    /// Of those judged, the ones that no ruin followed in time.
    pub wrong: u64,
    /// All of which that is known.
    pub judged: u64,
}

impl Alarms {
    fn take(&mut self, true_ones: impl Iterator<Item = bool>) {
        for came_true in true_ones {
            self.judged += 1;
            self.wrong += u64::from(!came_true);
        }
    }
}

/// Adds up what watching golems has shown of their mutual information, alarms and ruins.
#[derive(Clone, Debug, Default)]
pub struct Information {
    /// Golems with at least one recorded forecast.
    pub golems: u64,
    /// Of these, those with enough pairs for a window.
    pub read: u64,
    /// Sum over these of the mean information of their windows, nats.
    pub nats: f64,
    /// Alarms by which beliefs were decoupled.
    pub decoupled: u64,
    /// Alarms by which they were overfit.
    pub overfit: u64,
    /// Alarms of information, of either kind.
    pub of_information: Alarms,
    /// Alarms of vitality.
    pub of_vitality: Alarms,
    ruins: Vec<Leads>,
}

impl Information {
    /// Takes in a golem whose life has ended, or that the run has cut off.
    pub fn take(&mut self, watch: &ForecastWatch, ended: Tick) {
        self.golems += 1;
        if watch.beliefs.read > 0 {
            self.read += 1;
            self.nats += watch.beliefs.total / f64::from(watch.beliefs.read);
        }
        let [decoupled, overfit, vitality] = &watch.alarms;
        self.decoupled += decoupled.len() as u64;
        self.overfit += overfit.len() as u64;
        let came_true = |alarm: &Tick| watch.came_true(*alarm, ended);
        self.of_information.take(decoupled.iter().chain(overfit).filter_map(came_true));
        self.of_vitality.take(vitality.iter().filter_map(came_true));
        self.ruins.extend(watch.ruin.map(|(_, leads)| leads));
    }

    /// The number of golems that were ruined.
    pub fn ruined(&self) -> u64 {
        self.ruins.len() as u64
    }

    /// Median over ruined golems; `None` where none was (median lead time).
    pub(crate) fn median_lead(&self, of: impl Fn(&Leads) -> f64) -> Option<f64> {
        quantile(&mut self.ruins.iter().map(of).collect::<Vec<f64>>(), 0.5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morta_engine::market::Strategy;

    /// Points that fill the interval from 0 to 1 evenly; those of two steps say nothing of each other.
    fn evenly(number: u64, step: f64) -> f64 {
        (number as f64 * step).fract()
    }

    /// Forecasts that come due one a tick; while `comes_true`, outcomes are as expected.
    fn live(watch: &mut ForecastWatch, ticks: std::ops::Range<Tick>, comes_true: bool) {
        for tick in ticks {
            let expected_r = evenly(tick, 0.618_033_988_75);
            let came_r = if comes_true { expected_r } else { evenly(tick, 0.414_213_562_37) };
            let forecast = SettledForecast { strategy: Strategy::Momentum, expected_r, came_r };
            watch.take(tick, &[forecast], Usdc::from_dollars(100.0), 0.9);
        }
    }

    /// Beliefs that foresaw everything foresee nothing from tick 600 on: within a window both alarms are given, overfit first: it asks for
    /// less. Once the past is as blank as the present, beliefs are no longer overfit; decoupled they stay.
    #[test]
    fn lost_information_raises_an_alarm() {
        let mut watch = ForecastWatch::default();
        live(&mut watch, 0..600, true);
        assert_eq!(
            (watch.stands, watch.beliefs.read),
            ([false; CONDITIONS], 21),
            "read at 200, 220, ... 600"
        );
        assert!(watch.beliefs.total / 21.0 > 2.0, "{:?}", watch.beliefs.total);
        live(&mut watch, 600..800, false);
        let [decoupled, overfit, _] = watch.alarms.clone();
        assert_eq!((decoupled.len(), overfit.len()), (1, 1));
        assert!(
            650 < overfit[0] && overfit[0] <= decoupled[0] && decoupled[0] < 800,
            "{overfit:?} {decoupled:?}"
        );
        assert_eq!(watch.stands, [true, true, false]);
        live(&mut watch, 800..1_200, false);
        assert_eq!(watch.stands, [true, false, false]);
    }

    /// In poor health a golem is not decoupled: that is a golem in good health whose beliefs say nothing.
    #[test]
    fn only_the_healthy_are_decoupled() {
        let beliefs = Beliefs { readings: [0.5, 0.05].into(), most: 0.5, ..Beliefs::default() };
        assert_eq!([0.6, 0.5].map(|vitality| beliefs.decoupled(vitality)), [true, false]);
        assert!(!beliefs.overfit(), "there is no past yet");
        assert!(!Beliefs::default().decoupled(0.9), "who never knew anything has lost nothing");
    }

    #[test]
    fn constant_forecasts_have_no_information() {
        let mut beliefs = Beliefs::default();
        for number in 0..240 {
            let came_r = evenly(number, 0.618);
            beliefs.take(&SettledForecast { strategy: Strategy::Momentum, expected_r: 0.2, came_r });
        }
        assert_eq!((beliefs.read, beliefs.total, beliefs.most), (3, 0.0, 0.0));
    }

    fn see(watch: &mut ForecastWatch, seen: &[(Tick, f64, f64)]) {
        for (tick, dollars, vitality) in seen {
            watch.take(*tick, &[], Usdc::from_dollars(*dollars), *vitality);
        }
    }

    /// From a peak of 120 at tick 20, at which vitality warns already, to 59 at 70: 50 ticks of warning. Information warns from 40 on. What
    /// comes after ruin is not watched.
    #[test]
    fn leads_count_from_the_first_warning_of_the_fall() {
        let mut watch = ForecastWatch::default();
        see(&mut watch, &[(10, 100.0, 0.9), (20, 120.0, 0.4), (30, 90.0, 0.6)]);
        watch.judge(OVERFIT_ALARM, true, 40);
        see(&mut watch, &[(40, 80.0, 0.6), (70, 59.0, 0.3), (80, 1_000.0, 0.9), (90, 1.0, 0.2)]);
        assert_eq!(watch.ruin, Some((70, Leads { information: 30, vitality: 50 })));
        assert_eq!(watch.alarms, [vec![], vec![40], vec![20, 70]]);

        // A warning before the peak was about something else, and false.
        let mut recovered = ForecastWatch::default();
        see(&mut recovered, &[(10, 100.0, 0.4), (20, 130.0, 0.9), (150, 60.0, 0.6)]);
        assert_eq!(recovered.ruin, Some((150, Leads::default())));

        let mut both = Information::default();
        both.take(&watch, 95);
        both.take(&recovered, 200);
        assert_eq!((both.golems, both.read, both.ruined(), both.overfit), (2, 0, 2, 1));
        assert_eq!(both.of_information, Alarms { wrong: 0, judged: 1 });
        assert_eq!(both.of_vitality, Alarms { wrong: 1, judged: 3 });
        assert_eq!(both.median_lead(|leads| leads.information as f64), Some(15.0));
        assert_eq!(both.median_lead(|leads| leads.vitality as f64), Some(25.0));
    }

    #[test]
    fn alarms_are_judged_when_their_outcome_is_known() {
        let mut watch = ForecastWatch::default();
        see(&mut watch, &[(50, 100.0, 0.4), (60, 100.0, 0.4)]);
        assert_eq!([149, 150].map(|ended| watch.came_true(50, ended)), [None, Some(false)]);
        let mut unhurt = Information::default();
        unhurt.take(&watch, 149);
        assert_eq!((unhurt.of_vitality, unhurt.ruined()), (Alarms::default(), 0));
        assert_eq!(unhurt.median_lead(|leads| leads.vitality as f64), None);
    }
}

//! A law that drifts (simulated concept drift, abrupt or gradual, recurring): which law is in force, and the keys of each asset under it.
//!
//! A law that comes into force gradually is the weighted mean of two laws, key by key: x = x₀ + w (x₁ − x₀), w from 0 to 1 in a straight
//! line. A mean of keys and not of prices, because so chances of a transition stay chances (rows add up to 1), and a mean of martingales is
//! one. Prices, regimes and volatility go on from where they stand; only the process's keys change. The reported change
//! lists the regimes in which other trades pay, so that a sweep's measures can tell which beliefs have become stale; golems get no report.
//! `MarketState` moves it on once a tick, after the warm-up; a market whose keys change nothing has none.

mod calendar;

use crate::market::Regime;
use crate::market::asset::Asset;
use crate::market::config::{AssetSource, MarketConfig};
use crate::market::reference::Reference;
use crate::market::synthetic::Law;
use calendar::LawCalendar;
pub use calendar::LawInForce;
use morta_base::{Tick, WorldSeed};
use serde::{Deserialize, Serialize};

/// A law that came into force, or begins to: a regime change (concept drift, structural break) for the event log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LawChange {
    /// The first tick of its era.
    pub tick: Tick,
    /// Its name.
    pub law: String,
    /// The name of the law before.
    pub from: String,
    /// Ticks until it is wholly in force; 0: at once.
    pub over_ticks: Tick,
    /// The true regimes in which other trades pay than before, on any asset: all of them when volatility changes, which isn't a regime's
    /// own.
    #[serde(default)]
    pub regimes: Vec<Regime>,
}

/// The concept drift process of a world: its laws, its calendar, and the law in force.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Drift {
    names: Vec<String>,
    calendar: LawCalendar,
    /// The process of each asset by law and asset; `None` for replayed assets.
    terms: Vec<Vec<Option<Law>>>,
    /// The law that the assets were last given; unchanged, it isn't given again.
    in_force: LawInForce,
}

impl Drift {
    /// Reconstructs the laws of a market at a tick, from tick 0 on, as when a branch changes the keys.
    pub(crate) fn at(config: &MarketConfig, seed: WorldSeed, tick: Tick) -> Self {
        let mut calendar = LawCalendar::new(&config.drift, seed);
        calendar.advance(tick);
        let names: Vec<String> = config.drift.names().into_iter().map(str::to_owned).collect();
        let terms = names.iter().map(|name| terms_of(config, name)).collect();
        Self { in_force: calendar.at(tick), names, calendar, terms }
    }

    /// The law in force (the current concept), or the mixture of two while one gives way to the other.
    pub(crate) fn in_force(&self) -> LawInForce {
        self.in_force
    }

    /// The report of a change: names for numbers, and the regimes in which other trades pay.
    fn report(&self, change: calendar::Change) -> LawChange {
        let name = |law: u16| self.names[usize::from(law)].clone();
        let before = self.calendar.before();
        LawChange {
            tick: change.tick,
            law: name(change.law),
            from: name(before),
            over_ticks: change.over_ticks,
            regimes: regimes_changed(&self.terms[usize::from(before)], &self.terms[usize::from(change.law)]),
        }
    }

    /// The change point with which tick 0 began, if it did with one: the first step of the market reports it. It looks for an initial event
    /// at tick 0.
    pub(crate) fn first_change(config: &MarketConfig) -> Option<LawChange> {
        let first = config.drift.changes.first().filter(|change| change.tick == 0)?;
        let from = config.drift.names()[0].to_owned();
        let regimes = regimes_changed(&terms_of(config, &from), &terms_of(config, &first.law));
        Some(LawChange { tick: 0, law: first.law.clone(), from, over_ticks: 0, regimes })
    }

    /// Moves on to a tick, gives the assets their law if it is another one, and returns the change that came.
    pub(crate) fn advance(&mut self, tick: Tick, assets: &mut [Asset]) -> Option<LawChange> {
        let came = self.calendar.advance(tick);
        let now = self.calendar.at(tick);
        if now != self.in_force {
            self.in_force = now;
            self.enforce(assets);
        }
        came.map(|change| self.report(change))
    }

    /// Sets the process parameters of synthetic assets to the law in force, for gradual drift to the mean of two laws.
    pub(crate) fn enforce(&self, assets: &mut [Asset]) {
        let LawInForce { from, to, weight } = self.in_force;
        let (before, after) = (&self.terms[usize::from(from)], &self.terms[usize::from(to)]);
        for ((asset, before), after) in assets.iter_mut().zip(before).zip(after) {
            let (Some(before), Some(after)) = (before, after) else { continue };
            let Reference::Synthetic(process) = &mut asset.reference else { continue };
            process.set_law(if weight >= 1.0 { after.clone() } else { Law::mean(before, after, weight) });
        }
    }
}

fn terms_of(config: &MarketConfig, name: &str) -> Vec<Option<Law>> {
    let of = |asset: &crate::market::AssetConfig| {
        let AssetSource::Synthetic(own) = &asset.source else { return None };
        let law = config.drift.laws.iter().find(|law| law.name == name && law.concerns(&asset.symbol));
        Some(Law::new(&law.map_or_else(|| own.clone(), |law| law.over(own))))
    };
    config.assets.iter().map(of).collect()
}

/// The regimes in which one law differs from another.
fn regimes_changed(before: &[Option<Law>], after: &[Option<Law>]) -> Vec<Regime> {
    let differs = |regime: Regime| {
        let pairs = before.iter().flatten().zip(after.iter().flatten());
        pairs.into_iter().any(|(a, b)| a.pays_otherwise_in(b, regime))
    };
    Regime::ALL.into_iter().filter(|regime| differs(*regime)).collect()
}

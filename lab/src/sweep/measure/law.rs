//! Changes of what pays, for the competences of a memory: a change of the market's law (`LawChanged`), and a shock that begins another
//! regime. Both are a regime switch (concept drift); a shock touches no regime's payoffs. The measures of the cost of a change of law and
//! of adaptation to it take the market's changes alone, because a shock leaves every law as it was. Moments are ticks.

use morta_base::Tick;
use morta_engine::event::{Event, EventKind};
use morta_engine::market::{self, Regime, ShockKind};

/// A change of the payoffs of strategies (regime switch), with its first tick and the regimes that it touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LawChange {
    /// Its first tick.
    pub tick: Tick,
    /// The regimes whose payoffs changed, in the order of [`Regime::ALL`]; knowledge of the others is still true.
    pub touched: [bool; Regime::COUNT],
}

/// The change in an event, if it is one (regime switch detection). A shock that begins another regime at once leaves every law as it was:
/// only the expectation that the old regime goes on must be unlearned.
pub(crate) fn change_of(event: &Event) -> Option<LawChange> {
    match &event.kind {
        EventKind::ShockStarted(shock) if shock.kinds.contains(&ShockKind::RegimeChange) => {
            Some(LawChange { tick: shock.tick, touched: [false; Regime::COUNT] })
        }
        _ => None,
    }
}

/// A change of the market's law, for measures (concept drift event).
pub(crate) fn change_of_law(change: &market::LawChange) -> LawChange {
    LawChange { tick: change.tick, touched: Regime::ALL.map(|regime| change.regimes.contains(&regime)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morta_engine::market::ShockEvent;

    #[test]
    fn a_change_of_law_touches_the_regimes_it_names() {
        let change = market::LawChange {
            tick: 9,
            law: "turned".to_owned(),
            from: "base".to_owned(),
            over_ticks: 0,
            regimes: vec![Regime::TrendingDown],
        };
        assert_eq!(change_of_law(&change), LawChange { tick: 9, touched: [false, true, false, false] });
    }

    #[test]
    fn only_shocks_that_change_the_regime_count() {
        let shock = |kinds: &[ShockKind]| {
            let kinds = kinds.to_vec();
            let event =
                ShockEvent { tick: 40, kinds, asset: None, duration_ticks: 5, magnitude: 1.0, direction: 1 };
            change_of(&Event { tick: 40, golem: None, kind: EventKind::ShockStarted(event) })
        };
        assert_eq!(shock(&[ShockKind::GasSpike]), None);
        let both = shock(&[ShockKind::GasSpike, ShockKind::RegimeChange]);
        assert_eq!(both, Some(LawChange { tick: 40, touched: [false; Regime::COUNT] }));
    }
}

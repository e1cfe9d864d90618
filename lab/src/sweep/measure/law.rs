//! When what pays in the market changed. This is the one place that says which events count as such.

use morta_base::Tick;
use morta_engine::event::{Event, EventKind};
use morta_engine::market::{self, Regime, ShockKind};

/// A change of what pays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LawChange {
    /// From which tick on.
    pub tick: Tick,
    /// The regimes in which something else pays now, in the order of [`Regime::ALL`]; what was known of the others is still true.
    pub touched: [bool; Regime::COUNT],
}

/// The change that an event tells of. A shock that begins another regime at once leaves every law as it was: what must be unlearned is
/// what was expected to go on.
pub fn change_of(event: &Event) -> Option<LawChange> {
    match &event.kind {
        EventKind::ShockStarted(shock) if shock.kinds.contains(&ShockKind::RegimeChange) => {
            Some(LawChange { tick: shock.tick, touched: [false; Regime::COUNT] })
        }
        _ => None,
    }
}

/// The change of what pays that a change of the market's law is.
pub fn change_of_law(change: &market::LawChange) -> LawChange {
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

//! The readings of a golem's clocks when it began to die, and in up to 200 ticks before (one every four ticks of its age). The clocks are
//! hazards: economic (balance over that at birth, may exceed 1), epistemic (fitness, 0 to 1), stochastic (hazard, a probability a tick);
//! vitality and survival pressure, 0 to 1, stand beside them; the pressure is near 0 where survival is hard. Each is shown as a sparkline,
//! scaled to its own extremes; text alone has the sparklines, and the JSON has every reading. All of it is from the golem's
//! `death_initiated` event, and the steps on the credit ladder from the events before. A run without an event log has none, nor has a golem
//! that a fault struck before it began to die; one that a fault struck during its last rites has them, with the cause it was dying of. The
//! course before matters, because the last reading alone doesn't show which clock ran out first.

use crate::io::error::Result;
use crate::io::text::{Align, plain, table};
use crate::run::inspect::register::in_words;
use crate::run::run_folder::FinishedRun;
use crate::run::run_folder::events::{EventFilter, collect_events};
use morta_base::{GolemId, Tick};
use morta_engine::episode::Context;
use morta_engine::event::EventKind;
use morta_engine::lethe::bloodstain::PositionAtDeath;
use morta_engine::mortality::reading::READING_EVERY_TICKS;
use morta_engine::mortality::{MortalityReading, Rung};
use serde::Serialize;

/// The readings of a golem's clocks when it began to die (vital signs): money, fitness and senescence, hazard, vitality, survival pressure
/// and the credit ladder.
#[derive(Serialize)]
pub(super) struct Readings {
    pub tick: Tick,
    pub cause: &'static str,
    pub balance_usdc: f64,
    pub reserve_usdc: f64,
    pub fitness: f64,
    pub senescence: String,
    pub hazard: f64,
    pub vitality: f64,
    pub survival_pressure: f64,
    pub rung: Rung,
    pub context: Context,
    pub position: Option<PositionAtDeath>,
    pub readings_every_ticks: Tick,
    /// Oldest first.
    pub last_readings: Vec<MortalityReading>,
    /// The rungs of the credit ladder it went down or up, and when.
    pub ladder: Vec<RungChange>,
}

/// A step on the credit ladder (credit tier change).
#[derive(Serialize)]
pub(crate) struct RungChange {
    tick: Tick,
    to: Rung,
    balance_usdc: f64,
}

/// Reads the hazards before a death and its cause from the event log. None when a fault struck the golem before it began to die, because no
/// `death_initiated` was written then, and none without an event log.
pub(super) fn read(run: &FinishedRun, golem: GolemId) -> Result<Option<Readings>> {
    if !run.has_events() {
        return Ok(None);
    }
    let events =
        collect_events(run, EventFilter::for_golem(golem, &["death_initiated", "economic_critical"]))?;
    let mut ladder = Vec::new();
    for event in events {
        match event.kind {
            EventKind::EconomicCritical { to, balance, .. } => {
                ladder.push(RungChange { tick: event.tick, to, balance_usdc: balance.dollars() });
            }
            EventKind::DeathInitiated {
                cause,
                balance,
                reserve,
                fitness,
                hazard,
                vitality,
                rung,
                stage,
                pressure,
                context,
                position,
                readings,
            } => {
                return Ok(Some(Readings {
                    tick: event.tick,
                    cause: cause.name(),
                    balance_usdc: balance.dollars(),
                    reserve_usdc: reserve.dollars(),
                    fitness,
                    senescence: stage.to_string(),
                    hazard,
                    vitality,
                    survival_pressure: pressure,
                    rung,
                    context,
                    position,
                    readings_every_ticks: READING_EVERY_TICKS,
                    last_readings: readings,
                    ladder,
                }));
            }
            _ => {}
        }
    }
    Ok(None)
}

/// What one clock shows in a reading.
type OfReading = fn(&MortalityReading) -> f32;

impl Readings {
    /// In words, line by line; `ended` is when its affairs were in order, or when a fault ended its last rites (plain-text view with
    /// sparklines).
    pub(super) fn lines(&self, ended: Tick, by_fault: bool) -> Vec<String> {
        let mark = |names: &[&str]| if names.contains(&self.cause) { "  ← this one" } else { "" };
        let end = if by_fault {
            let cause = in_words(self.cause);
            format!(", of {cause}; a fault in its own step ended that at {ended}, its affairs not in order")
        } else {
            format!("; its affairs were in order at {ended}")
        };
        let mut lines = vec![
            format!("  it began to die at tick {}{end}", self.tick),
            format!(
                "  money: ${:.2}, reserve ${:.2}, survival pressure {:.2}, rung {}{}",
                self.balance_usdc,
                self.reserve_usdc,
                self.survival_pressure,
                self.rung.name(),
                mark(&["economic"])
            ),
            format!(
                "  knowledge: epistemic fitness {:.3}, senescence {}{}",
                self.fitness,
                self.senescence,
                mark(&["epistemic_senescence", "model_staleness"])
            ),
            format!("  chance: hazard {:.2e} in that tick{}", self.hazard, mark(&["stochastic"])),
            format!("  vitality {:.3}", self.vitality),
        ];
        if let "owner_kill" | "kill_switch" = self.cause {
            lines.push("  no clock had run out: it was ended from outside".to_owned());
        }
        lines.push(self.circumstances());
        lines.extend(self.ladder_lines());
        lines.extend(self.curves());
        lines
    }

    fn circumstances(&self) -> String {
        let Context { regime, volatility_quintile, liquidity, .. } = self.context;
        let held = self.position.map_or("nothing".to_owned(), |held| {
            let (strategy, side) = (plain(held.strategy.name()), held.side);
            format!("a {side} position by {strategy}, ${:.2} at {:+.2} R", held.stake.dollars(), held.open_r)
        });
        format!(
            "  it read {}, volatility {volatility_quintile} of 5, {liquidity} liquidity; it held {held}",
            plain(regime.name())
        )
    }

    fn ladder_lines(&self) -> Vec<String> {
        if self.ladder.is_empty() {
            return Vec::new();
        }
        // The last eight (our choice: about a line), because the death followed from those; a golem may go up and down all its life.
        let steps = self.ladder.iter().rev().take(8).rev();
        let steps: Vec<String> = steps
            .map(|step| format!("{} at {} (${:.2})", step.to.name(), step.tick, step.balance_usdc))
            .collect();
        vec![format!("  credit ladder: {}", steps.join(", "))]
    }

    /// A row for each clock: its first and last value, its extremes, and its course.
    fn curves(&self) -> Vec<String> {
        use Align::{Left, Right};
        if self.last_readings.is_empty() {
            return Vec::new();
        }
        let clocks: [(&str, OfReading); 5] = [
            ("money", |reading| reading.economic),
            ("fitness", |reading| reading.fitness),
            ("hazard", |reading| reading.hazard),
            ("vitality", |reading| reading.vitality),
            ("pressure", |reading| reading.pressure),
        ];
        let row = |(name, of): (&str, OfReading)| {
            let values: Vec<f32> = self.last_readings.iter().map(of).collect();
            let (low, high) = extremes(&values);
            // Powers of ten where three decimals would all read 0.00x, as a hazard's do; by the highest value, so that a row has one notation.
            let show = |value: f32| if high < 0.01 { format!("{value:.2e}") } else { format!("{value:.3}") };
            let (first, last) = (values[0], values[values.len() - 1]);
            vec![name.to_owned(), show(first), show(last), show(low), show(high), sparkline(&values)]
        };
        let columns = [
            ("clock", Left),
            ("first", Right),
            ("last", Right),
            ("low", Right),
            ("high", Right),
            ("course", Left),
        ];
        let ticks = (self.last_readings.len() as Tick - 1) * READING_EVERY_TICKS;
        let mut lines = vec![format!(
            "  its clocks over the last {ticks} ticks, one reading every {READING_EVERY_TICKS}:"
        )];
        let rows: Vec<Vec<String>> = clocks.into_iter().map(row).collect();
        lines.extend(table(&columns, &rows).into_iter().map(|line| format!("    {line}")));
        lines
    }
}

fn extremes(values: &[f32]) -> (f32, f32) {
    values
        .iter()
        .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), value| (low.min(*value), high.max(*value)))
}

/// Values as bars of eight heights between their extremes; a flat course is drawn low.
fn sparkline(values: &[f32]) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let (low, high) = extremes(values);
    let bar = |value: &f32| {
        let share = if high > low { (value - low) / (high - low) } else { 0.0 };
        BARS[((share * 7.0).round() as usize).min(7)]
    };
    values.iter().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::sparkline;

    #[test]
    fn courses_are_drawn_between_their_extremes() {
        assert_eq!(sparkline(&[0.0, 0.5, 1.0]), "▁▅█");
        assert_eq!(sparkline(&[2.0, 2.0]), "▁▁");
    }
}

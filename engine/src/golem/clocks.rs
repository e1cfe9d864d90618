//! Readings of the three clocks, and the death that follows when one has run out.
//!
//! All clocks are read until a golem begins to die, for immortals and with clocks switched off too, so that arms that differ in mortality
//! are measured alike (digest section 16, E1: fitness and would-have-died are computed for immortals too). Balance is in dollars, fitness,
//! vitality and pressure run from 0 to 1, hazard is a probability a tick, after `mortality.hazard_scale` and the golem's frailty. It is the
//! per-tick mortality check (competing risks), asleep or awake, after positions are settled and before any decision. Of several clocks that
//! end in one tick the first counts: money, knowledge, chance; a death planned by the scenario comes before all, and strikes immortals too.

use crate::daimon::Happening;
use crate::event::EventKind;
use crate::golem::mortal::Booked;
use crate::golem::{Golem, Moment, Outbox};
use crate::lethe::bloodstain::WarningKind;
use crate::market::PathPoint;
use crate::mortality::economic::Means;
use crate::mortality::hazard::frailty;
use crate::mortality::narrative::Landmark;
use crate::mortality::reading::READING_EVERY_TICKS;
use crate::mortality::senescence::Stage;
use crate::mortality::{Cause, Compartment, Kill, MortalityReading, Phase, Rung, urgency, vitality};
use morta_base::{Purpose, Tick, Usdc};

/// The readings of all clocks in one tick: a snapshot of its health indicators.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vitals {
    pub balance: Usdc,
    /// Balance over that at birth; may exceed 1.
    pub economic: f64,
    pub fitness: f64,
    /// The product of the clocks, 0 to 1, whether or not the golem can die.
    pub vitality: f64,
}

/// How far vitality must move before it is reported again. Our choice: the hysteresis of phases (`mortality.phase_hysteresis`).
const VITALITY_STEP: f64 = 0.05;

impl Golem {
    pub(super) fn check_clocks(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        self.book_tick(moment);
        if self.is_dying() {
            return;
        }
        if !self.is_dreaming() {
            self.note_regime(moment, out);
        }
        self.update_reserve(moment);
        let vitals = self.vitals(moment);
        self.update_vitality(&vitals, moment, out);
        // Drawn every tick whether it is looked at or not, so that arms without this clock share the luck of the others. The hazard itself takes an
        // exponential, so it is worked out only where the draw lies below the most that it can be.
        let luck = moment.seed.golem(self.id, Purpose::Hazard, moment.tick).uniform();
        let most = self.scaled_hazard(moment.rules.mortality.stochastic.hazard_cap, moment);
        let struck = luck < most && luck < self.hazard(vitals.fitness, moment);
        let ran_out = self.clocks_run_out(&vitals, struck, moment);
        if !moment.rules.mortal {
            self.note_would_have_died(&ran_out, &vitals, moment, out);
        }
        let kills = &moment.rules.mortality.kills;
        let killed = Kill::strikes(kills, self.id.lineage, moment.tick);
        // One tick may end several clocks. The death is put down to the first: money, then knowledge, then chance. A planned kill comes before all,
        // because the scenario asks for that cause.
        let of_clocks = ran_out.into_iter().flatten().next().filter(|_| moment.rules.mortal);
        if let Some(cause) = killed.or(of_clocks) {
            self.begin_to_die(cause, &vitals, moment, out);
        } else {
            self.take_snapshot(moment, out);
        }
    }

    /// Reads its clocks.
    pub(super) fn vitals(&self, moment: &Moment<'_>) -> Vitals {
        let config = &moment.rules.mortality;
        let age = config.age(moment.tick - self.born);
        let balance = self.balance(|asset| PathPoint::from(moment.view.asset(asset)));
        let fitness = self.epistemics.fitness(config);
        let economic = balance.dollars() / self.endowment.dollars();
        let vitality = vitality(economic.min(1.0), fitness, age, config);
        Vitals { balance, economic, fitness, vitality }
    }

    /// Its probability of dying by chance in this tick, 0 to 1, at a fitness of 0 to 1.
    pub(super) fn hazard(&self, fitness: f64, moment: &Moment<'_>) -> f64 {
        let config = &moment.rules.mortality;
        let age = config.age(moment.tick - self.born);
        self.scaled_hazard(config.stochastic.hazard(age, fitness, config.lifespan_ticks), moment)
    }

    /// The same at its present fitness.
    pub(super) fn hazard_now(&self, moment: &Moment<'_>) -> f64 {
        self.hazard(self.epistemics.fitness(&moment.rules.mortality), moment)
    }

    /// A hazard of the clock, times the scenario's scale and its own frailty, at most 1.
    fn scaled_hazard(&self, hazard: f64, moment: &Moment<'_>) -> f64 {
        let config = &moment.rules.mortality;
        let frailty = frailty(config.frailty_spread, self.genome.frailty_z());
        (hazard * config.hazard_scale * frailty).min(1.0)
    }

    /// Updates phase, rung and stage by the clocks, and writes events of their changes. For immortals they all stay as they were at birth, with
    /// full vitality (digest section 16, E1); senescence is a matter of knowledge and goes on.
    fn update_vitality(&mut self, vitals: &Vitals, moment: &Moment<'_>, out: &mut Outbox) {
        let config = &moment.rules.mortality;
        self.vitality = if moment.rules.mortal { vitals.vitality } else { 1.0 };
        self.change_phase(moment, out);
        if moment.rules.mortal {
            self.change_rung(vitals, moment, out);
        }
        self.note_senescence(vitals, moment, out);
        if (moment.tick - self.born).is_multiple_of(READING_EVERY_TICKS) {
            let pressure = self.pressure(vitals, moment);
            self.mortal.readings.keep(MortalityReading {
                economic: vitals.economic as f32,
                fitness: vitals.fitness as f32,
                hazard: self.hazard(vitals.fitness, moment) as f32,
                vitality: vitals.vitality as f32,
                pressure: pressure as f32,
            });
        }
        if (vitals.vitality - self.mortal.reported_vitality).abs() >= VITALITY_STEP {
            self.mortal.reported_vitality = vitals.vitality;
            let kind = EventKind::VitalityUpdate {
                vitality: vitals.vitality,
                economic: vitals.economic,
                fitness: vitals.fitness,
                hazard: self.hazard(vitals.fitness, moment),
                urgency: urgency(vitals.vitality),
                sharing_threshold: self.sharing_threshold(config),
                sustainability: self.mortal.livelihood.sustainability(),
            };
            self.tell(moment.tick, kind, out);
        }
    }

    /// The causes of the clocks that have run out, in the order economic, epistemic, stochastic. A clock that is switched off never does.
    fn clocks_run_out(&self, vitals: &Vitals, struck: bool, moment: &Moment<'_>) -> [Option<Cause>; 3] {
        let config = &moment.rules.mortality;
        let means = Means {
            balance: vitals.balance,
            reserve: self.mortal.reserve,
            legacy: self.purse.amount(Compartment::Legacy),
            endowment: self.endowment,
        };
        let economic = config.economic_clock && config.economic.kills(&means);
        let epistemic = self.epistemics.senescence().kills(vitals.vitality, config);
        [
            economic.then_some(Cause::Economic),
            epistemic.filter(|_| config.epistemic_clock),
            (config.stochastic_clock && struck).then_some(Cause::Stochastic),
        ]
    }

    fn note_would_have_died(
        &mut self,
        ran_out: &[Option<Cause>; 3],
        vitals: &Vitals,
        moment: &Moment<'_>,
        out: &mut Outbox,
    ) {
        for cause in ran_out.iter().flatten().copied() {
            let clock = cause.clock().expect("a clock has run out").index();
            let noted = &mut self.mortal.would_have_died_by.make()[clock];
            if noted.is_some() {
                continue;
            }
            *noted = Some(moment.tick);
            self.mortal.would_have_died.get_or_insert((moment.tick, cause));
            let Vitals { balance, fitness, vitality, .. } = *vitals;
            self.tell(
                moment.tick,
                EventKind::ImmortalWouldHaveDied { cause, balance, fitness, vitality },
                out,
            );
        }
    }

    /// Books the tick: income and expenses, trades, and the mood. Trades that were closed in sleep are booked on waking: they bear on its fitness, which a
    /// sleeper can't revise.
    fn book_tick(&mut self, moment: &Moment<'_>) {
        let config = &moment.rules.mortality;
        let mut now = Booked {
            pnl: self.tally.pnl,
            paid: self.tally.paid.total(),
            trades: self.tally.trades,
            wins: self.tally.wins,
            total_r: self.tally.total_r,
        };
        if self.is_dreaming() {
            let Booked { trades, wins, total_r, .. } = self.mortal.booked;
            now = Booked { trades, wins, total_r, ..now };
        }
        let before = std::mem::replace(&mut self.mortal.booked, now);
        let (revenue, burn) = ((now.pnl - before.pnl).dollars(), (now.paid - before.paid).dollars());
        let window_ticks = config.economic.sustainability_hours * 3_600.0 / moment.rules.tick_seconds;
        self.mortal.livelihood.note(revenue, burn, (1.0 / window_ticks).min(1.0));
        if now.trades > before.trades {
            self.epistemics.note_trades(now.trades - before.trades, now.wins - before.wins, config);
            self.mortal.landmarks.trade(moment.tick, now.total_r - before.total_r);
        }
        if self.tally.drawn > 0 {
            self.mortal.landmarks.first(Landmark::FirstContact, moment.tick, f64::from(self.tally.drawn));
        }
        self.mortal.story.note(moment.tick, moment.tick - self.born, self.affect.pad());
    }

    fn update_reserve(&mut self, moment: &Moment<'_>) {
        let config = &moment.rules.mortality;
        let age = moment.tick - self.born;
        if age.is_multiple_of(config.economic.reserve_interval_ticks) {
            let least = config.least_reserve(self.endowment);
            self.mortal.reserve = config.economic.reserve(least, u32::from(self.position.is_some()));
        }
    }

    /// Survival pressure, 0 to 1: by the hours left above the reserve at the present burn, and by whether it earns its living. Without any burn it has
    /// for ever.
    pub(super) fn pressure(&self, vitals: &Vitals, moment: &Moment<'_>) -> f64 {
        let rules = moment.rules;
        let above = (vitals.balance - self.mortal.reserve).dollars();
        let burn = self.purse.burn_per_tick().max(rules.golem.compute_usdc_per_tick);
        let hours = if burn > 0.0 { above / burn * rules.tick_seconds / 3_600.0 } else { f64::INFINITY };
        rules.mortality.economic.pressure(hours, self.mortal.livelihood.net_over_burn())
    }

    fn change_phase(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        let next = self.phase.next(self.vitality, moment.rules.mortality.phase_hysteresis);
        if next == self.phase {
            return;
        }
        let kind = EventKind::PhaseChanged { from: self.phase, to: next, vitality: self.vitality };
        self.phase = next;
        self.sleep_pressure.note_phase(next);
        self.tell(moment.tick, kind, out);
        match next {
            Phase::Declining => self.mortal.warn(WarningKind::Decline, moment.tick),
            Phase::Terminal => self.enter_terminal_phase(moment, out),
            Phase::Conservation | Phase::Stable | Phase::Thriving => {}
        }
    }

    fn enter_terminal_phase(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        self.mortal.warn(WarningKind::Terminal, moment.tick);
        let economic = &moment.rules.mortality.economic;
        let before = self.purse.amount(Compartment::Legacy);
        if economic.legacy_at_terminal {
            self.purse.put_legacy_aside(economic);
        }
        let amount = self.purse.amount(Compartment::Legacy);
        if amount != before {
            self.tell(moment.tick, EventKind::LegacyPutAside { amount }, out);
        }
    }

    /// Moves the golem on the credit ladder, up or down. On reaching the rung of legacy a snapshot is due at once: the next may never come.
    fn change_rung(&mut self, vitals: &Vitals, moment: &Moment<'_>, out: &mut Outbox) {
        let from = self.mortal.rung;
        let to = moment.rules.mortality.economic.ladder.next(from, vitals.economic);
        if to == from {
            return;
        }
        self.mortal.rung = to;
        if to < from {
            self.mortal.warn(WarningKind::Frugality, moment.tick);
        }
        if to <= Rung::Monitor {
            self.mortal.warn(WarningKind::Watching, moment.tick);
        }
        if to <= Rung::Legacy && from > Rung::Legacy {
            self.mortal.snapshot_due = moment.tick;
        }
        let kind = EventKind::EconomicCritical {
            from,
            to,
            balance: vitals.balance,
            reserve: self.mortal.reserve,
            pressure: self.pressure(vitals, moment),
            sustainability: self.mortal.livelihood.sustainability(),
        };
        self.tell(moment.tick, kind, out);
    }

    fn note_senescence(&mut self, vitals: &Vitals, moment: &Moment<'_>, out: &mut Outbox) {
        let stage = self.epistemics.stage();
        if std::mem::replace(&mut self.mortal.reported_stage, stage) == stage {
            return;
        }
        if stage != Stage::Sound {
            self.mortal.warn(WarningKind::Senescence, moment.tick);
        }
        let record = self.epistemics.record();
        let kind = EventKind::EpistemicWarning {
            stage,
            fitness: vitals.fitness,
            by_domain: record.by_domain(),
            regime_matched: record.regime_matched(moment.rules.mortality.epistemic.regime_min_matches),
        };
        self.tell(moment.tick, kind, out);
    }

    fn note_regime(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        let thresholds = self.genome.regime_thresholds(&moment.rules.golem);
        let regime = thresholds.classify(moment.view.asset(0));
        if self.last_regime.replace(regime).is_some_and(|last| last != regime) {
            self.mortal.landmarks.first(Landmark::FirstRegimeShift, moment.tick, 1.0);
            self.appraise(Happening::RegimeShifted, moment, out);
        }
    }

    /// Notes two landmarks of a life review (digest section 13): the last prediction, and the first that was right about the price.
    pub(super) fn note_prediction(&mut self, tick: Tick, price_was_right: bool) {
        let value = f64::from(u8::from(price_was_right));
        self.mortal.landmarks.last(Landmark::LastPrediction, tick, value);
        if price_was_right {
            self.mortal.landmarks.first(Landmark::FirstCorrectPrediction, tick, value);
        }
    }
}

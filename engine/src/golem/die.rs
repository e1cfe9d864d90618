//! The three clocks are read, and what follows when one has run out.

use crate::base::{BloodstainId, Purpose, Usdc, math};
use crate::daimon::Happening;
use crate::episode::Context;
use crate::event::{EventKind, ExitReason};
use crate::golem::body::Activity;
use crate::golem::{Golem, Letter, Moment, Outbox};
use crate::lethe::{Bloodstain, Relic, Testament};
use crate::market::PathPoint;
use crate::mortality::{Cause, EpistemicDeath, MortalityConfig, hazard, vitality};

/// Vitality below which the composite rule lets failing knowledge kill.
const COMPOSITE_VITALITY: f64 = 0.1;

impl Golem {
    pub(super) fn face_the_clocks(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        if matches!(self.activity, Activity::Dying(_)) {
            return;
        }
        let config = &moment.rules.mortality;
        let age = moment.tick - self.born;
        let balance = self.balance(|asset| PathPoint::from(moment.view.asset(asset)));
        let fitness = self.epistemics.fitness(config);
        let economic = (balance.dollars() / self.endowment.dollars()).min(1.0);
        self.vitality = vitality(economic, fitness, age, config);
        self.change_phase(moment, out);
        self.notice_regime(moment, out);

        let reserve = self.reserve(config);
        let frailty = math::exp(config.frailty_spread * self.genome.frailty_z());
        let hazard = (hazard(age, fitness) * config.hazard_scale * frailty).min(1.0);
        // Drawn every tick whether it is looked at or not, so that arms without this clock share the luck of the others.
        let struck = moment.seed.golem(self.id, Purpose::Hazard, moment.tick).chance(hazard);
        let failing = self.epistemics.grace_expired(config)
            && (config.epistemic_death == EpistemicDeath::GraceExpiry || self.vitality < COMPOSITE_VITALITY);
        let cause = if config.economic_clock && balance <= reserve {
            Cause::Economic
        } else if config.epistemic_clock && failing {
            Cause::EpistemicSenescence
        } else if config.stochastic_clock && struck {
            Cause::Stochastic
        } else {
            return;
        };
        if !moment.rules.mortal {
            self.would_have_died.get_or_insert((moment.tick, cause));
            return;
        }
        let vitality = self.vitality;
        let kind = EventKind::DeathInitiated { cause, balance, reserve, fitness, hazard, vitality };
        self.tell(moment.tick, kind, out);
        self.die_in_sleep(cause, moment, out);
    }

    /// The balance it must not fall to.
    pub(super) fn reserve(&self, config: &MortalityConfig) -> Usdc {
        Usdc::from_dollars(config.reserve_floor_usdc).max(self.endowment.scaled(config.reserve_share))
    }

    fn change_phase(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        let next = self.phase.next(self.vitality, moment.rules.mortality.phase_hysteresis);
        if next != self.phase {
            let kind = EventKind::PhaseChanged { from: self.phase, to: next, vitality: self.vitality };
            self.phase = next;
            self.drowse.note_phase(next);
            self.tell(moment.tick, kind, out);
        }
    }

    fn notice_regime(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        let thresholds = self.genome.regime_thresholds(&moment.rules.golem);
        let regime = thresholds.classify(moment.view.asset(0));
        if self.last_regime.replace(regime).is_some_and(|last| last != regime) {
            self.feel(Happening::RegimeShifted, moment, out);
        }
    }

    /// Closes what is open; when nothing is, leaves its bloodstains and goes.
    pub(super) fn close_affairs(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        let Activity::Dying(cause) = self.activity else {
            unreachable!("only the dying close their affairs")
        };
        if self.order_out.is_some() {
            return;
        }
        if self.position.is_some() {
            self.order_close(ExitReason::Death, moment, out);
            return;
        }
        self.leave_bloodstains(cause, moment, out);
        for inheritance in self.memory.inheritance().to_vec() {
            self.tell(moment.tick, EventKind::InheritanceSettled(inheritance), out);
        }
        let record = self.record(moment.tick, Some(cause), moment.rules, &moment.view.assets);
        self.tell(moment.tick, EventKind::LifeEnded(Box::new(record)), out);
        let estate = self.purse.empty();
        out.departures.push(self.departure(estate, false, moment));
    }

    /// As many as the estate can pay for.
    fn leave_bloodstains(&mut self, cause: Cause, moment: &Moment<'_>, out: &mut Outbox) {
        let lethe = &moment.rules.lethe;
        if !lethe.enabled {
            return;
        }
        let relics = self.memory.bequeath();
        let price = Usdc::from_dollars(lethe.deposit_usdc);
        let affordable = match price {
            Usdc::ZERO => relics.len(),
            price => (self.purse.total().0.max(0) / price.0) as usize,
        };
        let here = Context::read(moment.view, 0, &self.genome.regime_thresholds(&moment.rules.golem));
        let mut bloodstains = Vec::new();
        for (relic, number) in relics.into_iter().take(affordable).zip(0..) {
            let (context, embedding) = match &relic {
                Relic::Scar(episode) => (episode.context, episode.embedding.clone()),
                Relic::Lesson(_) => (here, moment.view.asset(0).embedding.clone()),
            };
            self.pay_lethe(price, out);
            let bloodstain = Bloodstain {
                id: BloodstainId { golem: self.id, number },
                cause,
                died: moment.tick,
                age: moment.tick - self.born,
                vitality: self.vitality,
                context,
                embedding,
                relic,
            };
            self.tell(moment.tick, EventKind::BloodstainLeft(Box::new(bloodstain.clone())), out);
            bloodstains.push(bloodstain);
        }
        self.tally.left = bloodstains.len() as u32;
        if !bloodstains.is_empty() {
            self.write(Letter::Testament(Testament { bloodstains }), out);
        }
    }
}

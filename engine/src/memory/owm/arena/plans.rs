//! Plans are made, carried out and let go; equity is felt.

use super::Owm;
use super::voices::LOTS;
use crate::episode::Episode;
use crate::memory::{Attended, Attention, Upkeep, UpkeepKind, Voice, VoiceSource};
use morta_memories::owm::episodic::Domain;
use morta_memories::owm::induction::{Names, PatternKey};
use morta_memories::owm::prospective::{ActionType, Plan, PlanStatus, PlannedAction, TriggerType, expire};
use morta_memories::owm::semantic::Predicate;
use morta_memories::owm::trigger::Trigger;

/// Seconds without trades after which equity is felt again.
const HOUR_S: f64 = 3_600.0;

impl Owm {
    /// Feels its equity after every close, and by the hour; lets go of plans whose time is over; plans to trade smaller in a
    /// deep drawdown. All of it is arithmetic, so nothing is paid.
    pub(in crate::memory) fn attend(&mut self, attention: &Attention<'_>) -> Attended {
        let now_s = self.seconds(attention.tick);
        if self.closed || now_s - self.mind.affect().updated_s >= HOUR_S {
            self.closed = false;
            self.mind.on_equity(attention.equity.dollars(), now_s);
            self.plan_to_defend(now_s);
        }
        let active = |owm: &Self| owm.plans().filter(|plan| plan.status == PlanStatus::Active).count() as u32;
        let before = active(self);
        expire(self.mind.plans_mut(), now_s);
        let dropped = before - active(self);
        if dropped > 0 {
            self.done.push(Upkeep { dropped, ..upkeep(UpkeepKind::Planning, before) });
        }
        self.mind.forget_plans(self.config.plans_kept as usize);
        Attended { upkeep: std::mem::take(&mut self.done), ..Attended::default() }
    }

    fn plans(&self) -> impl Iterator<Item = &Plan> {
        self.mind.plans().iter()
    }

    /// A deep drawdown is a reason to trade smaller, whatever the signal.
    fn plan_to_defend(&mut self, now_s: f64) {
        let (above, drawdown) = (self.config.defend_above, self.mind.affect().drawdown());
        if drawdown <= above || above >= 1.0 {
            return;
        }
        let trigger = Trigger::default().and_above("drawdown_pct", above);
        let action = PlannedAction {
            kind: ActionType::AdjustParam,
            parameter: Some(LOTS.to_owned()),
            magnitude: Some(self.config.defence_size),
        };
        let reasoning = format!("more than {above} is lost from the peak");
        let plan = Plan {
            trigger_type: TriggerType::State,
            priority: self.mind.affect().drawdown_state,
            ..Plan::new(trigger, action, reasoning, now_s, self.config.plan_days)
        };
        self.make(plan, now_s);
    }

    /// A belief that says trades of a kind lose is a reason to leave them out.
    pub(super) fn plan_to_skip(&mut self, domain: Domain, now_s: f64) {
        let Some(newest) = self.mind.shelf(domain).and_then(|shelf| shelf.records().last()) else { return };
        let (scope, newest) = (PatternKey::of(newest).scope(), newest.id);
        let bad = self.mind.beliefs().iter().find(|belief| {
            belief.scope == scope
                && belief.predicate == Predicate::Profitable
                && belief.belief.mean() < self.config.skip_below
                && belief.mean_r().is_some_and(|mean_r| mean_r < 0.0)
        });
        let Some(belief) = bad else { return };
        let mut trigger = Trigger::default()
            .and_is("strategy", self.around.strategy(domain.strategy))
            .and_is("symbol", self.around.symbol(domain.symbol));
        if let Some(regime) = scope.regime {
            trigger = trigger.and_is("regime", regime.name());
        }
        if let Some(session) = scope.session {
            trigger = trigger.and_is("session", session.name());
        }
        let action = PlannedAction { kind: ActionType::SkipTrade, parameter: None, magnitude: None };
        let plan = Plan {
            priority: 1.0 - belief.belief.mean(),
            source_episodic: vec![newest],
            source_semantic: vec![belief.id],
            ..Plan::new(
                trigger,
                action,
                format!("it is not so that {}", belief.proposition),
                now_s,
                self.config.plan_days,
            )
        };
        self.make(plan, now_s);
    }

    /// Takes in a plan unless one for the same moments is waiting.
    fn make(&mut self, plan: Plan, now_s: f64) {
        if self.plans().any(|known| known.is_valid(now_s) && known.trigger == plan.trigger) {
            return;
        }
        let restated = self.plans().any(|known| known.trigger == plan.trigger);
        let sources = plan.source_semantic.clone();
        let id = self.mind.plan(plan);
        self.account.store(VoiceSource::Plan(id), restated);
        for belief in sources {
            self.account.call_on(self.belief_voice(belief));
        }
        let waiting = self.plans().count() as u32;
        self.done.push(Upkeep { made: 1, ..upkeep(UpkeepKind::Planning, waiting) });
    }

    /// A plan that spoke in a decision is done, and what came of it is known.
    pub(super) fn carry_out_plans(&mut self, episode: &Episode, why: &[Voice], now_s: f64) {
        for voice in why {
            let VoiceSource::Plan(id) = voice.source else { continue };
            if let Some(plan) = self.mind.plans_mut().iter_mut().find(|plan| plan.id == id) {
                if plan.status == PlanStatus::Active {
                    plan.carry_out(now_s);
                }
                plan.outcome_pnl_r = Some(episode.realised_r);
            }
        }
    }
}

const fn upkeep(kind: UpkeepKind, seen: u32) -> Upkeep {
    Upkeep { kind, seen, made: 0, merged: 0, promoted: 0, dropped: 0, tokens: None }
}

/// A belief was drawn from so many episodes.
pub(super) const fn upkeep_of_induction(seen: u32) -> Upkeep {
    Upkeep { made: 1, ..upkeep(UpkeepKind::Induction, seen) }
}

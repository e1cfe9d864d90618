//! Messages to a sleeper wait until it wakes: news of siblings, answers of the Curator, the Lethe and a model asked outside the dream, and
//! the lessons of a trade that the venue has closed meanwhile (dream architecture, "Pi session branching": the heartbeat is suspended,
//! external events are queued).
//!
//! Money doesn't wait: fills and refusals of the market are booked when they arrive, or the ledger would not add up at the barrier. The queue is bounded by
//! the messages of siblings and services within one dream; a golem has at most one position that can be closed in it. It is a deferred
//! message queue (stash, as actor libraries call it).

use crate::episode::Episode;
use crate::event::ExitReason;
use crate::golem::position::Position;
use crate::golem::{Answer, Golem, Moment, Outbox};
use serde::{Deserialize, Serialize};

/// A message or a trade that a sleeper takes in when it wakes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Waiting {
    /// An answer or news.
    Answer(Box<Answer>),
    /// A trade that is over.
    Trade(Box<ClosedTrade>),
}

/// A trade that is over, settled and booked, but not yet felt or learned from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ClosedTrade {
    pub position: Position,
    pub episode: Episode,
    pub exit: ExitReason,
}

impl Golem {
    /// Hears an answer, or keeps it for waking.
    pub(super) fn receive(&mut self, answer: Answer, moment: &Moment<'_>, out: &mut Outbox) {
        if self.is_dreaming() && self.waits_for_waking(&answer) {
            self.waiting.push(Waiting::Answer(Box::new(answer)));
            return;
        }
        // The answer before this one may have woken it: earlier messages are taken in earlier.
        self.hear_what_waited(moment, out);
        self.hear(answer, moment, out);
    }

    /// Whether an answer waits. Answers of the market and of the scheduler take effect on a sleeper at once, and a model's answers to its dream are
    /// the dream.
    fn waits_for_waking(&self, answer: &Answer) -> bool {
        match answer {
            Answer::Filled(_) | Answer::OrderRefused { .. } | Answer::Dream(_) => false,
            Answer::Inference(answer) => !self.dreams_of(answer.dream()),
            Answer::Curated(_) | Answer::Drawn(_) | Answer::Clade(_) => true,
        }
    }

    /// Takes in, awake again, everything that came while it slept, in the order in which it came.
    pub(super) fn hear_what_waited(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        if self.waiting.is_empty() || self.is_dreaming() {
            return;
        }
        for waiting in std::mem::take(&mut self.waiting) {
            match waiting {
                Waiting::Answer(answer) => self.hear(*answer, moment, out),
                Waiting::Trade(mut trade) => {
                    self.feel_trade(&mut trade.episode, moment, out);
                    self.learn_from_trade(&trade, moment, out);
                    self.hear_memory(moment, out);
                }
            }
        }
    }

    /// Drops waiting answers to a memory that has been replaced, and its voices from waiting trades: they would be evidence for items of another memory.
    pub(super) fn forget_what_waits_for_memory(&mut self) {
        self.waiting
            .retain(|waiting| !matches!(waiting, Waiting::Answer(answer) if answer.is_about_memory()));
        for waiting in &mut self.waiting {
            if let Waiting::Trade(trade) = waiting {
                trade.position.decision.why.clear();
                trade.position.decision.influential.clear();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dream::{DreamAnswer, DreamTrigger};
    use crate::event::EventKind;
    use crate::golem::Birth;
    use crate::golem::state::Activity;
    use crate::lethe::CladeNews;
    use crate::market::MarketState;
    use crate::mortality::Cause;
    use crate::world::{MarketService, Plan, Scenario, TickContext};
    use morta_base::{GolemId, Tick, Usdc};

    /// A dream that keeps its time lasts twenty ticks at least, even with nothing to replay; the owner calls at tick 6.
    fn world() -> (Plan, TickContext) {
        let text = r#"
            name = "sleeper"
            seed = 1
            ticks = 20
            [[cohorts]]
            name = "bardo"
            golems = 1
            memory = "bardo"
            [market]
            [[market.assets]]
            symbol = "A"
            source = { kind = "synthetic" }
            [daimon]
            enabled = true
            [dream]
            enabled = true
            tier = "hardened"
            pace = { keep = true }
            interrupts = [{ tick = 6, source = "owner" }]
        "#;
        let keys: serde_json::Value = toml::from_str(text).unwrap();
        let plan = Plan::new(Scenario::from_value(keys).unwrap(), &[Vec::new()]).unwrap();
        let market = MarketState::new(&plan.scenario().market, plan.seed(), vec![Vec::new()]).unwrap();
        let (_, now) = MarketService::open(market);
        (plan, now)
    }

    /// It asked to dream in tick 1 and falls asleep in tick 2.
    fn sleeper(plan: &Plan, now: &TickContext) -> Golem {
        let (id, endowment) = (GolemId::founder(0), Usdc::from_dollars(50.0));
        let birth = Birth { id, cohort: 0, parent: None, born: 0, endowment, legacy: None };
        let mut golem = plan.born(birth, &mut Outbox::default());
        golem.step(&now.moment(0, plan, 0), Vec::new(), &mut Outbox::default());
        golem.step(&now.moment(1, plan, 0), Vec::new(), &mut Outbox::default());
        (golem.activity, golem.order_out) = (Activity::AskedToDream, None);
        let budget = Usdc::from_dollars(0.1);
        let granted = DreamAnswer::Granted {
            trigger: DreamTrigger::Directive,
            urgency: 1.0,
            terms: Default::default(),
            budget,
        };
        golem.step(&now.moment(2, plan, 0), vec![Answer::Dream(granted)], &mut Outbox::default());
        assert!(golem.is_dreaming());
        golem
    }

    fn of_death(lineage: u32) -> Answer {
        let (sibling, cause) = (GolemId::founder(lineage), Cause::Economic);
        Answer::Clade(CladeNews::SiblingDied { sibling, cause })
    }

    fn step(golem: &mut Golem, tick: Tick, inbox: Vec<Answer>, plan: &Plan, now: &TickContext) -> Outbox {
        let mut out = Outbox::default();
        golem.step(&now.moment(tick, plan, 0), inbox, &mut out);
        out
    }

    fn reported_deaths(out: &Outbox) -> Vec<u32> {
        let sibling_dead = |event: &crate::event::Event| match event.kind {
            EventKind::CladeDeath { sibling, .. } => Some(sibling.lineage),
            _ => None,
        };
        out.events.iter().filter_map(sibling_dead).collect()
    }

    #[test]
    fn waiting_news_is_handled_in_order_before_later_news() {
        let (plan, now) = world();
        let mut golem = sleeper(&plan, &now);
        let (mood, paid) = (golem.affect.pad(), golem.tally.paid.compute);
        for (tick, siblings) in [(3, vec![7, 5]), (4, vec![]), (5, vec![6])] {
            let news = siblings.into_iter().map(of_death).collect();
            let out = step(&mut golem, tick, news, &plan, &now);
            assert!(golem.is_dreaming() && out.events.is_empty() && out.letters.is_empty(), "{out:?}");
        }
        assert_eq!((golem.affect.pad(), golem.waiting.len()), (mood, 3));
        assert!(golem.tally.paid.compute > paid, "a sleeper pays for its ticks");
        // The owner calls: the golem is awake at the end of this tick, and handles its news in the next.
        assert!(reported_deaths(&step(&mut golem, 6, vec![of_death(4)], &plan, &now)).is_empty());
        assert!(!golem.is_dreaming());
        assert_eq!(reported_deaths(&step(&mut golem, 7, vec![of_death(3)], &plan, &now)), [7, 5, 6, 4, 3]);
        assert!(golem.affect.pad() != mood && golem.waiting.is_empty());
    }

    /// A golem with time to die handles the waiting news; a sudden death leaves none.
    #[test]
    fn death_in_sleep_loses_what_waits_only_when_it_is_sudden() {
        for (cause, handled) in [(Cause::Economic, vec![7]), (Cause::Stochastic, vec![])] {
            let (plan, now) = world();
            let mut golem = sleeper(&plan, &now);
            step(&mut golem, 3, vec![of_death(7)], &plan, &now);
            let mut out = Outbox::default();
            golem.die_in_sleep(cause, &now.moment(4, &plan, 0), &mut out);
            assert_eq!((reported_deaths(&out), golem.waiting.len()), (handled, 0), "{cause}");
        }
    }

    /// A new memory takes over during sleep: answers of the Curator were meant for the old memory and are dropped, news of siblings is the golem's.
    #[test]
    fn a_new_memory_gets_no_answer_meant_for_the_old_one() {
        let (plan, now) = world();
        let mut golem = sleeper(&plan, &now);
        let curated = Answer::Curated(crate::curator::CuratorReport::default());
        step(&mut golem, 3, vec![curated, of_death(7)], &plan, &now);
        assert_eq!(golem.waiting.len(), 2);
        golem.forget_what_waits_for_memory();
        assert_eq!(golem.waiting, [Waiting::Answer(Box::new(of_death(7)))]);
    }
}

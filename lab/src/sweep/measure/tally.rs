//! The counts and sums of one cohort from which its measures are computed, in one pass over the events. Sums are R and USDC, times are
//! ticks; the maximum drawdown and the log growth rate of money (Kelly criterion) are among them. Closed trades aren't kept one by one
//! (ages of lives and verdicts on dreams are), so that a cell of a sweep takes little memory. The meter of a cell keeps one tally for
//! everybody and one a cohort; nothing is divided here, the catalogue of measures makes the ratios. Numbers of trades, wins, profit and
//! costs are added when a life ends (for survivors at the end of the run); R, drawdown and calibration are added trade by trade. Ticks,
//! the drawdown of the mean balance, the late part of a run and the adaptations to a shock and to a new law are counted for everybody
//! alone: a cohort's tally leaves them empty.

use super::adaptation::Adaptation;
use super::calibration::ForecastCalibration;
use super::competence::Competence;
use super::dream_gap::DreamGaps;
use super::dreaming::{Habituation, Settling, Staleness, Threats};
use super::first_trades::FirstTrades;
use super::information::Information;
use super::inheritance::{InheritedItems, Succession};
use super::late::{LateCondition, Niches};
use super::law::{self, change_of};
use super::law_lag::LawLag;
use super::minds::Minds;
use super::survival::ObservedLifetime;
use morta_base::moments::Running;
use morta_base::{DreamId, GolemId, Tick, Usdc, math};
use morta_engine::episode::{Episode, Provenance, StagingVerdict};
use morta_engine::event::{Event, EventKind, ExitReason, GateTally, LifeRecord, TickRecord};
use morta_engine::market::LawChange;
use morta_engine::memory::{Growth, Inheritance, MemoryCensus};
use morta_engine::mortality::skill::ForecastTally;
use morta_engine::mortality::{Cause, Clock};
use morta_engine::replay::LiveVerdicts;
use morta_engine::replay::causal::Foresight;
use morta_engine::world::Scenario;
use std::collections::BTreeMap;

/// Adds up the events of one cohort, or of everybody, in running counts and sums.
#[derive(Clone, Debug, Default)]
pub struct LifeTally {
    /// The age up to which restricted means go.
    pub horizon_ticks: u64,
    pub born: u64,
    pub endowments: Usdc,
    /// All lives that have ended or outlived the run, with their ages in ticks.
    pub lives: Vec<ObservedLifetime>,
    /// Deaths by cause.
    pub deaths: BTreeMap<&'static str, u64>,
    /// Immortals of which a clock ran out (ghost deaths).
    pub would_have_died: u64,
    pub liquidations: u64,
    /// Counts of waking gates, over the lives that had one.
    pub gate: GateTally,
    /// Deaths caused by a trade's loss, and of these by a liquidation.
    pub killed_by_trades: u64,
    pub killed_by_liquidations: u64,
    pub max_generation: u32,
    pub trades: u64,
    pub wins: u64,
    pub total_r: f64,
    /// Sum of regrets: R by which the best other strategy beat each trade in hindsight, none below 0.
    pub total_regret_r: f64,
    /// Profit of trades, costs taken off.
    pub pnl: Usdc,
    /// Abstentions that were followed to their end, remembered or not.
    pub stayed_out: u64,
    /// Trades that were opened to explore, against the golem's own ranking.
    pub explored: u64,
    /// Trades that the golem ended early, on second thoughts (`ExitReason::Left`).
    pub left: u64,
    /// Counts and errors of forecasts, over all lives.
    pub forecasts: ForecastTally,
    /// State of golems when they dreamt.
    pub minds: Minds,
    /// Time without a position because of dreams.
    pub dream_gaps: DreamGaps,
    /// Predictions of causal graphs against outcomes.
    pub foresight: Foresight,
    /// Causal links known at the ends of lives.
    pub causal_links: u64,
    /// Sums over the golems that live at the end.
    pub fitness: f64,
    pub equity: Usdc,
    /// Sum over the dead.
    pub estates: Usdc,
    pub compute: Usdc,
    pub inference: Usdc,
    pub gas: Usdc,
    pub lethe: Usdc,
    pub inference_calls: u64,
    pub dreams: u64,
    pub dreams_interrupted: u64,
    pub dream_quality: f64,
    pub episodes_replayed: u64,
    pub claims_staged: u64,
    pub claims_promoted: u64,
    pub claims_refuted: u64,
    pub claims_displaced_untested: u64,
    /// Conclusions of each dream that waking outcomes confirmed, and refuted.
    pub validated: BTreeMap<DreamId, LiveVerdicts>,
    pub rules_admitted: u64,
    pub rules_retired: u64,
    pub bloodstains_left: u64,
    pub bloodstains_drawn: u64,
    /// Use of inherited things, by source.
    pub bloodstains: InheritedItems,
    pub legacies: InheritedItems,
    pub clade_lessons: InheritedItems,
    /// Lessons offered to the clade.
    pub shared: u64,
    /// Deaths with a tier of testament: all but those by fault.
    pub testaments: u64,
    /// Value of positions that were given up in dying.
    pub stranded: Usdc,
    /// Sum over the lives that inherited lessons.
    pub ratchet: f64,
    pub inheriting_lives: u64,
    /// Causes of death of successors beside those of their predecessors.
    pub succession: Succession,
    /// R per tick of the first trades of lives, by generation.
    pub first_trades: FirstTrades,
    /// Ticks that closed trades took, from the decision to the close.
    pub held_ticks: u64,
    /// Sum over lives of the logarithm of what each ended with over what it began with.
    pub log_growth: f64,
    /// Trades by strategy and regime, over the last half of the run.
    pub niches: Niches,
    /// Moments of the R of trades.
    pub r_spread: Running,
    /// Drawdown of the cumulative R, in the order in which trades were closed; the curve begins at 0.
    pub r_fall: Fall,
    /// Expected against realised R of trades.
    pub calibration: ForecastCalibration,
    /// Four competences of a memory, in R per tick.
    pub competence: Competence,
    /// Trades that were open while a shock lasted.
    pub threats: Threats,
    /// Arousal at new and at familiar events.
    pub habituation: Habituation,
    /// Ages at which playbooks had settled.
    pub settling: Settling,
    /// Weight of old episodes in decisions.
    pub staleness: Staleness,
    /// Legacies received, and the untested hypotheses in them.
    pub legacies_received: u64,
    pub legacy_hypotheses: u64,
    /// How much of their memory lives stored and used.
    pub memory: MemoryCensus,
    /// Drawdown of the mean balance of the living; only everybody's is known tick by tick.
    pub equity_fall: Fall,
    pub ticks: Tick,
    /// Everybody's only.
    pub late: LateCondition,
    /// Everybody's only, where the scenario plans a shock.
    pub adaptation: Adaptation,
    /// Everybody's only.
    pub law_adaptation: Adaptation,
    /// R of trades soon and late after a change of the law; of every cohort.
    pub law_lag: LawLag,
    /// Only where forecasts are recorded.
    pub information: Information,
}

/// The deepest fall of a quantity below its highest value so far (the maximum drawdown).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fall {
    peak: Option<f64>,
    /// In its unit.
    pub deepest: f64,
    /// As a share of the peak before it.
    pub deepest_share: f64,
}

impl Fall {
    /// Takes in the next value, and updates peak and drawdown.
    pub fn take(&mut self, value: f64) {
        let peak = self.peak.map_or(value, |peak| peak.max(value));
        self.peak = Some(peak);
        self.deepest = self.deepest.max(peak - value);
        if peak > 0.0 {
            self.deepest_share = self.deepest_share.max((peak - value) / peak);
        }
    }
}

/// ln(out / in) of a life's money: its endowment when it was born, its balance when it died (the estate, which goes back to the treasury)
/// or the run ended. Money changes hands at births and deaths only between purses and treasury, so nothing counts twice. A life that ends
/// with nothing counts as ending with a micro-dollar, the smallest sum there is: ln 0 would make every mean −∞.
fn log_growth(put_in: Usdc, taken_out: Usdc) -> f64 {
    if put_in.is_positive() { math::ln(taken_out.max(Usdc(1)).dollars() / put_in.dollars()) } else { 0.0 }
}

impl LifeTally {
    /// Makes an empty tally for a run of this scenario; its ticks and scheduled shocks say where the late part and the adaptation begin.
    pub fn new(scenario: &Scenario, horizon_ticks: u64) -> Self {
        Self {
            horizon_ticks,
            late: LateCondition::new(scenario.ticks),
            niches: Niches::new(scenario.ticks),
            competence: Competence::new(scenario.ticks),
            adaptation: Adaptation::to_first_of(&scenario.market.shocks.scheduled),
            ..Self::default()
        }
    }

    /// The ticks that all golems lived, together (person-time).
    pub fn golem_ticks(&self) -> u64 {
        self.lives.iter().map(|life| life.age_ticks).sum()
    }

    /// The number of lives that outlived the run (right-censored).
    pub fn survivors(&self) -> u64 {
        self.lives.iter().filter(|life| !life.died).count() as u64
    }

    /// Counts the deaths by one clock.
    pub(crate) fn died_of_clock(&self, clock: Clock) -> u64 {
        let causes = Cause::ALL.into_iter().filter(|cause| cause.clock() == Some(clock));
        causes.filter_map(|cause| self.deaths.get(cause.name())).sum()
    }

    /// Takes in one event of a golem of this cohort, and hands it to the tallies that count it.
    pub fn take(&mut self, event: &Event) {
        match &event.kind {
            EventKind::Born { endowment, .. } => {
                self.born += 1;
                self.endowments += *endowment;
                if let Some(golem) = event.golem {
                    self.first_trades.born(golem, event.tick);
                }
            }
            EventKind::TradeClosed { episode, explored, true_regime, exit, .. } => {
                self.explored += u64::from(*explored);
                self.left += u64::from(*exit == ExitReason::Left);
                self.take_trade(event.tick, event.golem, episode);
                self.staleness.remembered(episode);
                self.threats.traded(episode);
                if let Some(golem) = event.golem {
                    self.competence.traded(golem, episode, *true_regime);
                    self.dream_gaps.closed(golem, event.tick);
                    self.habituation.traded(golem, episode);
                }
            }
            EventKind::StayedOut { episode } => self.staleness.remembered(episode),
            EventKind::Decided { why, .. } => {
                self.staleness.decided(event.tick, why);
                if let Some(golem) = event.golem {
                    self.dream_gaps.ordered(golem, event.tick);
                }
            }
            EventKind::LegacyReceived { candidates, staged, .. } => {
                self.legacies_received += 1;
                self.legacy_hypotheses += u64::from(*candidates) + u64::from(*staged);
            }
            EventKind::DreamStarted { id, order, mind, .. } => {
                self.minds.began(order, mind);
                self.dream_gaps.dreamt(id.golem);
            }
            EventKind::DreamCompleted { result, metrics, began, cost, .. } => {
                self.minds.completed(result, event.tick - began, *cost);
                self.dreams += 1;
                self.dream_quality += result.quality;
                self.episodes_replayed += u64::from(metrics.episodes_replayed);
            }
            EventKind::DreamInterrupted { .. } => self.dreams_interrupted += 1,
            EventKind::ClaimStaged { .. } => self.claims_staged += 1,
            EventKind::ClaimDecided { verdict: StagingVerdict::Promoted, .. } => self.claims_promoted += 1,
            EventKind::ClaimDecided { verdict: StagingVerdict::Refuted, .. } => self.claims_refuted += 1,
            EventKind::DreamValidated(found) => {
                self.validated.insert(found.id, found.by_kind);
            }
            EventKind::ClaimDecided {
                verdict: StagingVerdict::Displaced,
                confirmed: 0,
                contradicted: 0,
                ..
            } => self.claims_displaced_untested += 1,
            EventKind::RuleAdmitted { .. } => {
                self.rules_admitted += 1;
                if let Some(golem) = event.golem {
                    self.settling.admitted(golem, event.tick);
                }
            }
            EventKind::RuleRetired { .. } => self.rules_retired += 1,
            EventKind::InferenceCharged { .. } => self.inference_calls += 1,
            EventKind::BloodstainLeft(_) => self.bloodstains_left += 1,
            EventKind::BloodstainDrawn { .. } => self.bloodstains_drawn += 1,
            EventKind::Shared { .. } => self.shared += 1,
            EventKind::InheritanceSettled(settled) => self.take_inheritance(settled),
            EventKind::GateTallied(tally) => self.gate += *tally,
            EventKind::LifeEnded(life) => {
                if let Some(golem) = event.golem {
                    self.max_generation = self.max_generation.max(golem.generation);
                    self.succession.ended(golem, life.cause);
                    self.habituation.ended(golem);
                    self.dream_gaps.ended(golem);
                    self.settling.ended(golem, life.born);
                    self.first_trades.ended(golem, event.tick, life.cause.is_some());
                }
                self.take_life(life);
            }
            _ => {}
        }
    }

    fn take_inheritance(&mut self, settled: &Inheritance) {
        match settled.source {
            Provenance::Bloodstain(_) => self.bloodstains.take(settled),
            Provenance::Predecessor(_) => self.legacies.take(settled),
            Provenance::Clade(_) => self.clade_lessons.take(settled),
            // What one has learned by oneself is no inheritance.
            Provenance::Own => {}
        }
    }

    fn take_trade(&mut self, tick: Tick, golem: Option<GolemId>, episode: &Episode) {
        if self.r_fall == Fall::default() {
            // The curve of gains begins at nothing.
            self.r_fall.take(0.0);
        }
        self.total_r += episode.realised_r;
        self.r_fall.take(self.total_r);
        self.r_spread.take(episode.realised_r);
        self.calibration.take(episode.expected_r, episode.realised_r);
        self.law_lag.take(episode.opened, episode.realised_r);
        self.niches.take(tick, episode.strategy, episode.context.regime);
        if let Some(golem) = golem {
            self.first_trades.traded(golem, tick, episode.realised_r);
        }
        self.held_ticks += episode.closed - episode.opened;
    }

    fn take_life(&mut self, life: &LifeRecord) {
        self.lives.push(ObservedLifetime { age_ticks: life.lifespan(), died: life.cause.is_some() });
        match life.cause {
            Some(cause) => {
                *self.deaths.entry(cause.name()).or_default() += 1;
                self.estates += life.balance;
            }
            None => {
                self.fitness += life.fitness;
                self.equity += life.balance;
            }
        }
        self.forecasts += life.forecasts;
        self.foresight += life.foresight;
        self.causal_links += u64::from(life.causal_links);
        self.log_growth += log_growth(life.endowment, life.balance);
        self.would_have_died += u64::from(life.would_have_died.is_some());
        self.liquidations += u64::from(life.liquidations);
        self.killed_by_trades += u64::from(life.killed_by_trade.is_some());
        self.killed_by_liquidations += u64::from(life.killed_by_liquidation);
        self.trades += u64::from(life.trades);
        self.wins += u64::from(life.wins);
        self.total_regret_r += life.total_regret_r;
        self.pnl += life.pnl;
        self.stayed_out += u64::from(life.stayed_out);
        self.compute += life.compute_paid;
        self.inference += life.inference_paid;
        self.gas += life.gas_paid;
        self.lethe += life.lethe_paid;
        self.testaments += u64::from(life.tier.is_some());
        self.stranded += life.stranded;
        self.memory += life.memory;
        if let Some(growth) = &life.growth {
            self.ratchet += Growth::ratchet(growth);
            self.inheriting_lives += 1;
        }
    }

    /// Takes in an event without a golem; the meter broadcasts it to every cohort's tally. Only a market shock counts here: for threats,
    /// and where it begins another regime as a change for the competences. A change of the market's law comes by `take_law`.
    pub(crate) fn take_common(&mut self, event: &Event) {
        if let EventKind::ShockStarted(shock) = &event.kind {
            self.threats.shock(shock);
        }
        if let Some(change) = change_of(event) {
            self.competence.law_changed(change);
        }
    }

    /// Takes in the close of a tick; only everybody's tally does.
    pub(crate) fn take_tick(&mut self, tick: Tick, closed: &TickRecord) {
        self.ticks += 1;
        if closed.alive > 0 {
            self.equity_fall.take(closed.purses.dollars() / f64::from(closed.alive));
        }
        self.late.take(tick, closed);
        self.adaptation.take(tick, closed);
        self.law_adaptation.take(tick, closed);
    }

    /// Takes in a law change of the market (regime change): from its tick on, trades and ticks count for adaptation to the new law.
    pub(crate) fn take_law(&mut self, change: &LawChange) {
        self.competence.law_changed(law::change_of_law(change));
        self.law_lag.changes(change.tick);
        self.law_adaptation.changes(change.tick, change.over_ticks);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::fixtures::{self, golem};
    use morta_base::{BloodstainId, EpisodeId};
    use morta_engine::memory::InheritedItem;
    use morta_engine::mortality::TestamentTier;
    use morta_engine::mortality::skill::SquaredErrors;

    fn take(tally: &mut LifeTally, generation: u32, kind: EventKind) {
        tally.take(&Event { tick: 7, golem: Some(golem(generation)), kind });
    }

    fn settled(source: Provenance, uses: u32, wins: u32, total_r: f64) -> EventKind {
        let scar = InheritedItem::Scar(EpisodeId { golem: golem(0), number: 1 });
        let came = Inheritance::new(source, scar, golem(0), 3);
        EventKind::InheritanceSettled(Inheritance { uses, wins, total_r, ..came })
    }

    fn value(tally: &LifeTally, name: &str) -> Option<f64> {
        crate::sweep::measure::find(name).unwrap().value(tally)
    }

    /// Of four deaths two are of knowledge, by its two causes. Squared errors of 3 and 1 against 4 and 1 of who expects nothing: 1 − 4 / 5,
    /// where the means of both lives' skills would say .125.
    #[test]
    fn deaths_of_knowledge_and_skill_over_all_lives() {
        let mut tally = LifeTally::default();
        assert_eq!((value(&tally, "epistemic_death_share"), value(&tally, "epistemic_skill")), (None, None));
        let causes = [Cause::EpistemicSenescence, Cause::ModelStaleness, Cause::Economic, Cause::Stochastic];
        for (generation, cause) in (0..).zip(causes) {
            let errors = |memory, nothing| SquaredErrors { memory, persistence: 9.0, nothing, prior: 9.0 };
            let forecasts = match generation {
                0 => ForecastTally { forecasts: 4, errors: errors(3.0, 4.0) },
                1 => ForecastTally { forecasts: 1, errors: errors(1.0, 1.0) },
                _ => ForecastTally::default(),
            };
            let life = LifeRecord { forecasts, ..fixtures::life(None, 7, Some(cause)) };
            take(&mut tally, generation, EventKind::LifeEnded(Box::new(life)));
        }
        assert_eq!(value(&tally, "epistemic_death_share"), Some(0.5));
        let skill = value(&tally, "epistemic_skill").expect("five came due");
        assert!((skill - 0.2).abs() < 1e-12, "{skill}");
    }

    /// What a bloodstain, a predecessor and a sibling gave is counted apart.
    #[test]
    fn inheritances_are_counted_by_their_sources() {
        let mut tally = LifeTally::default();
        let bloodstain = Provenance::Bloodstain(BloodstainId { golem: golem(0), number: 9 });
        take(&mut tally, 1, settled(bloodstain, 4, 1, -2.0));
        take(&mut tally, 1, settled(bloodstain, 0, 0, 0.0));
        take(&mut tally, 1, settled(Provenance::Predecessor(golem(0)), 2, 2, 3.0));
        take(&mut tally, 1, settled(Provenance::Clade(golem(5)), 1, 0, -0.5));
        for (name, expected) in [
            ("bloodstains_used", 1.0),
            ("bloodstain_win_rate", 0.25),
            ("bloodstain_mean_r", -0.5),
            ("legacy_used", 1.0),
            ("legacy_win_rate", 1.0),
            ("legacy_mean_r", 1.5),
            ("clade_used", 1.0),
            ("clade_mean_r", -0.5),
        ] {
            assert_eq!(value(&tally, name), Some(expected), "{name}");
        }
    }

    /// Two lives of 300 and 200 ticks. The first one's ratchet is .5 · 2 / 4 + .3 · 2 / 4 − .2 · 1 / 4 = .35.
    #[test]
    fn lives_tell_of_testaments_growth_and_the_time_there_was_to_learn() {
        let mut tally = LifeTally::default();
        for (name, undefined) in
            [("rules_per_1000_golem_ticks", true), ("ratchet_mean", true), ("shared", false)]
        {
            assert_eq!(value(&tally, name).is_none(), undefined, "{name}");
        }
        let mut first = fixtures::life(None, 300, Some(Cause::Economic));
        first.tier = Some(TestamentTier::Standard);
        first.stranded = Usdc::from_dollars(1.25);
        let growth = Growth {
            inherited: 4,
            novel: 2,
            validated: 2,
            contradicted: 1,
            questioned: 1,
            playbook_distance: 0.4,
        };
        first.growth = Some(growth);
        take(&mut tally, 0, EventKind::LifeEnded(Box::new(first)));
        let second = fixtures::life(Some(golem(0)), 200, Some(Cause::Economic));
        take(&mut tally, 1, EventKind::LifeEnded(Box::new(second)));
        (tally.rules_admitted, tally.claims_staged) = (3, 8);
        for (name, expected) in [
            ("testaments", 1.0),
            ("stranded_usdc", 1.25),
            ("ratchet_mean", 0.35),
            ("rules_per_1000_golem_ticks", 6.0),
            ("claims_per_1000_golem_ticks", 16.0),
            ("same_cause_share", 1.0),
            ("max_generation", 1.0),
        ] {
            let found = value(&tally, name).unwrap();
            assert!((found - expected).abs() < 1e-12, "{name}: {found}");
        }
    }

    /// 10 dollars become 20 in 300 ticks, 10 become 5 in 200, which is as much down as up: no growth; 3 R and then −1 R in 500 ticks.
    #[test]
    fn growth_and_gains_count_by_the_tick() {
        let mut tally = LifeTally::default();
        for name in ["r_per_golem_tick", "equity_growth_per_tick", "decision_ticks_mean", "first_r_per_tick"]
        {
            assert_eq!(value(&tally, name), None, "{name}");
        }
        for (generation, ticks, balance, cause) in
            [(0, 300, 20.0, None), (1, 200, 5.0, Some(Cause::Economic))]
        {
            let mut life = fixtures::life(None, ticks, cause);
            (life.endowment, life.balance) = (Usdc::from_dollars(10.0), Usdc::from_dollars(balance));
            take(&mut tally, generation, EventKind::LifeEnded(Box::new(life)));
        }
        tally.total_r = 2.0;
        assert_eq!(value(&tally, "r_per_golem_tick"), Some(0.004));
        assert!(value(&tally, "equity_growth_per_tick").unwrap().abs() < 1e-15);
        assert_eq!(log_growth(Usdc::from_dollars(1.0), Usdc::ZERO), math::ln(1e-6));
        tally.log_growth = math::ln(2.0);
        assert!(
            (value(&tally, "equity_growth_per_tick").unwrap() - std::f64::consts::LN_2 / 500.0).abs() < 1e-8
        );
        (tally.trades, tally.held_ticks) = (4, 50);
        assert_eq!(value(&tally, "decision_ticks_mean"), Some(12.5));
    }

    #[test]
    fn the_deepest_fall_is_from_the_peak_before_it() {
        let mut fall = Fall::default();
        [10.0, 12.0, 9.0, 20.0, 16.0].into_iter().for_each(|value| fall.take(value));
        assert_eq!((fall.deepest, fall.deepest_share), (4.0, 0.25));
    }
}

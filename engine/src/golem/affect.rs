//! Affect: events of a golem's life move its mood, by rule or by a model's reply, and its mood modulates its decisions.
//!
//! All that moves the mood is here, but for the model's reply (`golem::asked`). Without affect each of them does nothing, so that the arms
//! of an experiment on affect differ in nothing else. Moods are PAD points from −1 to 1, results are in R; the arousal of memories runs
//! from 0 to 1. It is the adapter between the affect model (`daimon`, which is pure) and the agent. The mood acts on decisions by the
//! factors of `AffectModulation`, gut feelings, the share threshold and learned helplessness; besides, the waking gate reads its arousal,
//! the choice of what a dream replays is biased by it, and a life's moods count in the trust of its heir (`succession`). Feelings of a
//! sleeper wait: the mood stays what it was, and trades that closed meanwhile are appraised on waking.

use crate::daimon::appraisal::LARGE_MISS;
use crate::daimon::grief::WITHDRAWAL;
use crate::daimon::mortality_affect::{Readings, mortality_affect};
use crate::daimon::somatic::SomaticSituation;
use crate::daimon::tick_appraisal::{TickStanding, appraise_tick};
use crate::daimon::{
    AffectMode, Appraisal, Felt, Happening, MoodCause, Pad, Rhythm, appraise, share_threshold,
};
use crate::dream::DreamReport;
use crate::episode::{Context, Episode};
use crate::event::EventKind;
use crate::golem::state::Activity;
use crate::golem::{Golem, Moment, Outbox};
use crate::market::{GasClass, LiquidityClass, PathPoint, Strategy};
use crate::mortality::Phase;
use morta_base::{Purpose, Tick};

/// Ticks between two reminders of one's mortality. Our choice: those between two pulls of personality (`daimon.personality.pull_interval_ticks`).
const REMINDER_TICKS: Tick = 10;
/// Ticks over which a decline of knowledge is felt. Our choice: the digest (section 10, A04) has a trend and names no window.
const TREND_TICKS: Tick = 100;

const SECONDS_IN_A_DAY: f64 = 86_400.0;
/// Weight of the running surprise in the prediction error of a tick's appraisal (digest section 1, B02), as of the price in the waking gate.
const ERROR_OF_SURPRISE: f64 = 0.3;
/// Weight of a change of regime (digest section 1, B02).
const ERROR_OF_REGIME: f64 = 0.4;
/// Weight of each anomaly (digest section 1, B02).
const ERROR_OF_ANOMALY: f64 = 0.05;

/// The modulation of a decision by the mood. Without affect factors are 1 and the shift is 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct AffectModulation {
    /// Factor on the spread of choices and the exploration rate.
    pub exploration: f64,
    /// Factor on the stake.
    pub risk: f64,
    /// Added to the least expected R for which it acts.
    pub gate_shift_r: f64,
}

impl Golem {
    /// Appraises a happening and returns the feeling, whether or not the mood moves. Where a model is asked, the mood waits for its answer.
    pub(super) fn appraise(
        &mut self,
        happening: Happening,
        moment: &Moment<'_>,
        out: &mut Outbox,
    ) -> Appraisal {
        let config = &moment.rules.daimon;
        if !config.is_on() {
            return appraise(happening, &config.rules);
        }
        let (felt, noticed) = self.affect.notice(happening, moment.tick, config);
        let asked = noticed
            && config.mode == AffectMode::Chain
            && self.asks_how_it_feels(happening, felt, moment, out);
        if noticed && !asked {
            self.affect.be_moved(&felt, happening.is_loss(), config);
        }
        self.report_mood(happening.cause(), moment, out);
        felt
    }

    /// Catches the moods of its siblings (emotional contagion), as [`Golem::mood_to_share`] gave them.
    pub fn catch_moods(&mut self, siblings: &[Pad], moment: &Moment<'_>) {
        if moment.rules.daimon.is_on() {
            self.affect.catch(siblings, &moment.rules.daimon);
        }
    }

    /// The mood that siblings may catch (emotional contagion): its own, without the part that it has caught itself, or a mood would be
    /// passed to and fro and grow.
    pub fn mood_to_share(&self) -> Pad {
        self.affect.mood().own()
    }

    /// The sharing threshold towards its clade, 0.1 to 0.8, by mood and hazard, with which the thresholds by kind of knowledge move
    /// (`CladeConfig::threshold`). It counts only where `clade.sharing` is `affect`; without affect the mood is neutral.
    pub fn share_threshold(&self, moment: &Moment<'_>) -> f64 {
        let daimon = &moment.rules.daimon;
        let moved = daimon.is_on() && daimon.behaviour.sharing;
        let mood = if moved { self.affect.pad() } else { Pad::default() };
        share_threshold(self.hazard_now(moment), mood, self.phase == Phase::Terminal)
    }

    /// Writes an event of the mood if it has moved far enough.
    pub(super) fn report_mood(&mut self, cause: MoodCause, moment: &Moment<'_>, out: &mut Outbox) {
        if let Some(pad) = self.affect.news(&moment.rules.daimon) {
            let label = self.affect.emotion(moment.tick);
            self.tell(moment.tick, EventKind::MoodUpdate { pad, label, cause }, out);
        }
    }

    /// Moves the mood by a waking tick: its nature, its grief, its memories, its mortality. In sleep, the mood stays what it was.
    pub(super) fn update_affect(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        let config = &moment.rules.daimon;
        if !config.is_on() || matches!(self.activity, Activity::Dying(_) | Activity::Dreaming(_)) {
            return;
        }
        let age = moment.tick - self.born;
        if config.mode == AffectMode::Tick {
            let standing = appraise_tick(&self.standing(moment));
            self.affect.take_stock(standing, config);
        }
        let beat = self.affect.is_due(Rhythm::Nature, age, config.personality.pull_interval_ticks);
        if beat {
            self.return_to_baseline(moment);
        }
        let cause = self.affect.pass_tick(moment.tick, moment.rules.tick_seconds, config);
        let standing = config.mode == AffectMode::Tick && cause == MoodCause::Personality;
        self.report_mood(if standing { MoodCause::Standing } else { cause }, moment, out);
        if beat && let Some(shift) = self.affect.shift() {
            let (from, to, pad) = (shift.from, shift.to, self.affect.pad());
            self.tell(moment.tick, EventKind::EmotionalShift { from, to, pad }, out);
        }
        self.ruminate(moment, out);
        self.appraise_periodically(age, moment, out);
    }

    /// Its nature draws its mood, and its mood bends its nature. The mood of before the return bends it: after it, less of the mood would be left.
    fn return_to_baseline(&mut self, moment: &Moment<'_>) {
        let config = &moment.rules.daimon;
        let nature = self.genome.nature(&moment.rules.golem, &config.personality);
        let mood = self.affect.mood().own();
        self.affect.return_to(nature, config);
        self.genome.bend(mood, &moment.rules.golem, &config.personality);
    }

    fn ruminate(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        let config = &moment.rules.daimon;
        if !self.affect.may_ruminate(moment.tick, config) {
            return;
        }
        let mut stream = moment.seed.golem(self.id, Purpose::Rumination, moment.tick);
        if self.affect.ruminate(moment.tick, &mut stream, config).is_some() {
            self.report_mood(MoodCause::Rumination, moment, out);
        }
    }

    /// Appraises the happenings of regular times: reminders of mortality, and the Curator's cycle.
    fn appraise_periodically(&mut self, age: u64, moment: &Moment<'_>, out: &mut Outbox) {
        let (mortality, curator) = (&moment.rules.daimon.mortality, &moment.rules.curator);
        if mortality.enabled && moment.rules.mortal {
            if self.affect.is_due(Rhythm::Mortality, age, REMINDER_TICKS)
                && let Some(affect) = mortality_affect(&self.read_mortality(moment), mortality)
            {
                self.appraise(Happening::MortalityReminder(affect), moment, out);
            }
            if self.affect.is_due(Rhythm::Knowledge, age, TREND_TICKS) {
                self.affect.note_fitness(self.epistemics.fitness(&moment.rules.mortality));
            }
        }
        if curator.enabled
            && self.affect.is_due(Rhythm::Curator, age, curator.interval_ticks)
            && matches!(self.activity, Activity::Awake)
        {
            self.appraise(Happening::CuratorCycle { recent_r: self.affect.recent_r() }, moment, out);
        }
    }

    /// The readings of the clocks that can kill it; `None` for the others, because a clock that can't kill is not felt. Spending is the running rate, at
    /// least the price of compute: a newborn has spent nothing yet, and would feel that its money lasts for ever.
    fn read_mortality(&self, moment: &Moment<'_>) -> Readings {
        let (rules, config) = (moment.rules, &moment.rules.mortality);
        let fitness = self.epistemics.fitness(config);
        let money = || {
            let balance = self.balance(|asset| PathPoint::from(moment.view.asset(asset)));
            let above_reserve = (balance - self.mortal.reserve).dollars().max(0.0);
            let burn = self.purse.burn_per_tick().max(rules.golem.compute_usdc_per_tick);
            let ticks = if burn > 0.0 { above_reserve / burn } else { f64::INFINITY };
            (balance.dollars() / self.endowment.dollars(), ticks * rules.tick_seconds / SECONDS_IN_A_DAY)
        };
        Readings {
            money: config.economic_clock.then(money),
            knowledge: config.epistemic_clock.then(|| (fitness, self.affect.fitness_trend(fitness))),
            hazard: config.stochastic_clock.then(|| self.hazard(fitness, moment)),
            vitality: self.vitality,
        }
    }

    /// The inputs of a tick's appraisal. Desirability is the running mean result in R; coping is the fitness moved from 0..1 to −1..1; the
    /// prediction error has those terms of the digest's (section 1) that every golem has: misses, a change of regime, anomalies. The digest
    /// defines neither desirability nor coping (section 20). Both are our choice: results are what a golem lives by, and fitness is how
    /// well it foresees what it must cope with.
    fn standing(&self, moment: &Moment<'_>) -> TickStanding {
        let rules = moment.rules;
        let anomalies = f64::from(self.anomalies(moment));
        let shifted = self.affect.felt_now(MoodCause::RegimeShifted, moment.tick);
        let error = ERROR_OF_SURPRISE * self.tally.recent_surprise
            + ERROR_OF_REGIME * f64::from(u8::from(shifted))
            + ERROR_OF_ANOMALY * anomalies;
        let held = self.position.as_ref().map(|position| {
            position.open_r(PathPoint::from(moment.view.asset(position.decision.candidate.asset)))
        });
        TickStanding {
            desirability: self.affect.recent_r().clamp(-1.0, 1.0),
            pnl: held.unwrap_or(self.affect.recent_r()),
            anomalies,
            prediction_error: error.min(1.0),
            coping: 2.0 * self.epistemics.fitness(&rules.mortality) - 1.0,
            vitality: self.vitality,
            nature: self.genome.nature(&rules.golem, &rules.daimon.personality),
        }
    }

    /// Number of anomalies of the market at this tick, 0 to 3: a gas spike, a liquidity crisis, the highest fifth of volatility. The specs count anomalies
    /// without listing them; these are the conditions that a golem can see. The waking gate counts them too.
    pub(super) fn anomalies(&self, moment: &Moment<'_>) -> u32 {
        let seen = moment.view.asset(0);
        u32::from(moment.view.gas_class == GasClass::Spike)
            + u32::from(seen.liquidity == LiquidityClass::Crisis)
            + u32::from(seen.volatility_quintile == 5)
    }

    /// Appraises a closed trade, its result and the surprise, and returns the arousal with which it is remembered; 0 without affect.
    pub(super) fn appraise_trade(
        &mut self,
        episode: &Episode,
        surprise: f64,
        moment: &Moment<'_>,
        out: &mut Outbox,
    ) -> f64 {
        let config = &moment.rules.daimon;
        if !config.is_on() {
            return 0.0;
        }
        let percent = 100.0 * episode.pnl.dollars() / episode.stake.dollars();
        let outcome = self.appraise(Happening::TradeClosed { percent }, moment, out);
        let miss = self.appraise(Happening::PredictionMissed { error: surprise }, moment, out);
        let felt = Felt { outcome, miss, surprising: surprise > LARGE_MISS };
        self.update_somatic_marker(episode, moment, out);
        let experienced = self.affect.tag(&felt, config);
        self.affect.keep(episode.id, felt.strongest(), experienced, config);
        experienced
    }

    fn update_somatic_marker(&mut self, episode: &Episode, moment: &Moment<'_>, out: &mut Outbox) {
        let (strategy, regime) = (episode.strategy, episode.context.regime);
        let place = situation(strategy, &episode.context);
        let marked = self.affect.note_trade(place, episode.realised_r, &moment.rules.daimon);
        if let Some(marked) = marked {
            let (valence, trades) = (marked.valence, marked.trades);
            self.tell(moment.tick, EventKind::SomaticMarker { strategy, regime, valence, trades }, out);
        }
    }

    /// Appraises the threats that struck at this tick (of those it has rehearsed), together as one: a crash may show several kinds, and is
    /// felt once.
    pub(super) fn appraise_threats(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        let Some(dreamer) = self.memory.dreams() else { return };
        if dreamer.threats().values().any(|record| record.last_struck == Some(moment.tick)) {
            self.appraise(Happening::ThreatRealised, moment, out);
        }
    }

    /// Appraises a dream on waking: the threats it rehearsed and the insights it gained.
    pub(super) fn appraise_dream(&mut self, report: &DreamReport, moment: &Moment<'_>, out: &mut Outbox) {
        for threat in &report.threats {
            let severity = threat.kind.tier().severity();
            self.appraise(Happening::DreamThreat { severity }, moment, out);
        }
        if report.metrics.novel_insights_generated > 0 {
            self.appraise(Happening::InsightGained, moment, out);
        }
    }

    /// The gut feeling about a trade of this strategy, −1 to 1; 0 without one.
    pub(super) fn gut_feeling(&self, strategy: Strategy, context: &Context, moment: &Moment<'_>) -> f64 {
        let config = &moment.rules.daimon;
        if !config.is_on() || !config.behaviour.gut {
            return 0.0;
        }
        self.affect.gut(&situation(strategy, context), config).unwrap_or(0.0)
    }

    pub(super) fn affect_modulation(&self, moment: &Moment<'_>) -> AffectModulation {
        let config = &moment.rules.daimon;
        if !config.is_on() {
            return AffectModulation { exploration: 1.0, risk: 1.0, gate_shift_r: 0.0 };
        }
        let (mood, behaviour) = (self.affect.pad(), &config.behaviour);
        let grief = if behaviour.grief { self.affect.grief_left(moment.tick, config) } else { 0.0 };
        let emotion = self.affect.emotion(moment.tick);
        AffectModulation {
            exploration: behaviour.exploration_factor(mood) * (1.0 - WITHDRAWAL * grief),
            risk: behaviour.risk_factor(emotion, mood.intensity()),
            gate_shift_r: behaviour.gate_shift_r(mood),
        }
    }

    /// Emotional load that learned helplessness counts as.
    pub(super) fn helpless_load(&self, moment: &Moment<'_>) -> f64 {
        let config = &moment.rules.daimon;
        let helpless = config.is_on() && config.behaviour.helplessness && self.affect.is_helpless(config);
        if helpless { config.behaviour.helplessness_load } else { 0.0 }
    }
}

/// Volatility, liquidity and gas on scales from 0 to 1: five quintiles, four classes each, so that none outweighs the others in a distance.
fn situation(strategy: Strategy, context: &Context) -> SomaticSituation {
    SomaticSituation {
        strategy: strategy.index() as u8,
        regime: context.regime.index() as u8,
        features: [
            f64::from(context.volatility_quintile.saturating_sub(1)) / 4.0,
            f64::from(context.liquidity as u8) / 3.0,
            f64::from(context.gas as u8) / 3.0,
        ],
    }
}

//! `lives.parquet`: one row a life, those that outlived the run included; made for survival analysis. Lifespans are ticks (the survival time),
//! money is USDC, results are R. A life that the run cut off is right-censored. Survivors are kept, because leaving them out would shorten
//! every estimate of a lifespan.

use super::cast::CohortEntry;
use super::{Heard, RowsOf};
use crate::io::error::Result;
use crate::io::table::{Named, table};
use crate::run::run_folder::writer::TableWriter;
use morta_base::GolemId;
use morta_engine::daimon::Emotion;
use morta_engine::event::{EventKind, GateTally, LifeRecord, WakingTier};
use morta_engine::memory::Growth;
use morta_engine::mortality::{Cause, Clock, TestamentTier};

/// A life that has ended, or that the run has outlived (finished or right-censored life).
pub struct EndedLife<'a> {
    golem: GolemId,
    cohort: &'a CohortEntry,
    life: &'a LifeRecord,
    gate: Option<GateTally>,
}

impl EndedLife<'_> {
    fn would_have_died_by(&self, clock: Clock) -> Option<u64> {
        self.life.would_have_died_by[clock as usize]
    }

    fn waking_ticks(&self, tier: WakingTier) -> Option<u64> {
        self.gate.map(|gate| gate.ticks[tier as usize])
    }

    fn growth<T>(&self, of: impl Fn(&Growth) -> T) -> Option<T> {
        self.life.growth.as_ref().map(of)
    }

    fn share_of_mood(&self, mood: Emotion) -> Option<f64> {
        self.life.affect.map(|affect| affect.share_by_mood[mood.index()])
    }
}

table! {
    /// One life: of each golem that was born, whether it died or outlived the run (right-censored). Rows come in the order in which lives
    /// ended. Made for survival analysis: `lifespan_ticks` is the time, `censored` is the event's negation.
    pub struct Life in "lives.parquet" at ended_tick from end: EndedLife<'_>;

    /// Slot of the golem's line of descent, from 0; successors take the slot of the golem they succeed.
    lineage: u32, Number = end.golem.slot();
    /// How many golems had held the slot before it; founders are 0.
    generation: u32, Number = end.golem.generation;
    /// The golem: lineage and generation.
    golem: String, Id = Named(end.golem);
    /// Place of its cohort in the scenario, from 0.
    cohort_index: u16, Number = end.life.cohort;
    /// Its cohort.
    cohort: String, Name = &end.cohort.name;
    /// The memory architecture of its cohort.
    memory: String, Word = &end.cohort.memory;
    /// The golem it succeeded; empty for founders.
    parent: Option<String>, Id = end.life.parent.map(Named);
    /// First tick of the life.
    born_tick: u64, Tick = end.life.born;
    /// Tick of the death; for those who outlived the run its last tick.
    ended_tick: u64, Tick = end.life.ended;
    /// `ended_tick` less `born_tick`.
    lifespan_ticks: u64, Ticks = end.life.lifespan();
    /// What it died of: `economic` (the money ran out), `epistemic_senescence` (knowledge failed and didn't recover), `model_staleness`
    /// (knowledge was worse than guessing for too long), `stochastic` (chance), `owner_kill`, `kill_switch` (the whole cohort) or `fault`
    /// (its own step failed). Empty when it outlived the run.
    cause: Option<String>, Word = end.life.cause.map(Cause::name);
    /// Whether it outlived the run, so that its lifespan is a lower bound.
    censored: bool, Flag = end.life.is_censored();
    /// When an immortal would first have died; empty for mortals, and where it never would have.
    // So that the same lives can be read under other clocks: with deaths, the first clock to strike would hide the others.
    would_have_died_tick: Option<u64>, Tick = end.life.would_have_died.map(|(tick, _)| tick);
    /// Of what it would have died then, by the words of `cause`.
    would_have_died_cause: Option<String>, Word = end.life.would_have_died.map(|(_, cause)| cause.name());
    /// When the clock of money first ran out for an immortal; empty for mortals, and where it never did.
    would_have_died_economic_tick: Option<u64>, Tick = end.would_have_died_by(Clock::Economic);
    /// The same for the clock of knowledge.
    would_have_died_epistemic_tick: Option<u64>, Tick = end.would_have_died_by(Clock::Epistemic);
    /// The same for the clock of chance.
    would_have_died_stochastic_tick: Option<u64>, Tick = end.would_have_died_by(Clock::Stochastic);
    /// How much it had to die on: `necrotic` (hardly anything, so no life review), `standard` or `rich`. Empty for those who hadn't
    /// begun to die, whether they outlived the run or a fault struck them before.
    testament_tier: Option<String>, Word = end.life.tier.map(TestamentTier::name);
    /// Worth of open positions that the market would not take back from the dying.
    stranded_usdc: f64, Usdc = end.life.stranded;
    /// How often it put aside what it knew, for the case of sudden death.
    snapshots: u32, Count = end.life.snapshots;
    /// Ticks that it spent senescent: with epistemic fitness below the threshold.
    senescent_ticks: u64, Ticks = end.life.senescent_ticks;
    /// Where it stood on the credit ladder at the end, by its balance over its endowment: `exhausted`, `legacy`, `monitor`, `snapshots`,
    /// `frugal` or `sound` (above all rungs).
    rung: String, Word = end.life.rung.name();
    /// When something first warned it that it might die (frugality, senescence, decline, ...); empty when nothing did.
    first_warning_tick: Option<u64>, Tick = end.life.first_warning;
    /// Revenue over burn at the end, each a running mean of about a day; 1 is breaking even. Empty when nothing had been spent.
    sustainability: Option<f64>, Ratio = end.life.sustainability;
    /// The shape of the life: `stable` (or too short to tell), `progressive` (better at the end), `tragic` (worse at the end), `redemptive`
    /// (worse in between) or `contaminating` (better in between).
    arc: String, Word = end.life.arc.name();
    /// Balance at birth.
    endowment_usdc: f64, Usdc = end.life.endowment;
    /// Balance at the end: after settlement for the dead; for the living, open positions count at what they were worth.
    balance_usdc: f64, Usdc = end.life.balance;
    /// Positions it closed, whatever closed them.
    trades: u32, Count = end.life.trades;
    /// Of these, profitable after costs.
    wins: u32, Count = end.life.wins;
    /// Sum of the R-multiples of its trades.
    total_r: f64, R = end.life.total_r;
    /// `total_r` over `trades`; empty without trades.
    mean_r: Option<f64>, R = (end.life.trades > 0).then(|| end.life.total_r / f64::from(end.life.trades));
    /// Profit of its trades, slippage, fees and gas taken off.
    pnl_usdc: f64, Usdc = end.life.pnl;
    /// Sum of the regrets of its trades: what the best other strategy would have made beyond each.
    total_regret_r: f64, R = end.life.total_regret_r;
    /// Decisions to take no position that were followed to their end, remembered or not.
    stayed_out: u32, Count = end.life.stayed_out;
    /// Positions that a lender took because they no longer covered its loan.
    liquidations: u32, Count = end.life.liquidations;
    /// Share of all it had that was lost in the trade it died of: one closed as dying of money began, or after. Empty for every other death,
    /// and for those who outlived the run.
    killed_by_trade: Option<f64>, Share = end.life.killed_by_trade;
    /// Whether a lender ended that trade.
    killed_by_liquidation: bool, Flag = end.life.killed_by_liquidation;
    /// Dreams that it woke from by itself.
    dreams: u32, Count = end.life.dreams;
    /// Rules in its playbook at the end; 0 for memories without one.
    rules: u32, Count = end.life.rules;
    /// Items that its memory ever stored, whatever the architecture keeps: episodes, beliefs, nodes, notes.
    memory_stored: u64, Count = end.life.memory.stored;
    /// Of these, items that never spoke in a decision that was acted on.
    memory_unused: u64, Count = end.life.memory.unused;
    /// Items that say the same as one stored before them.
    memory_restated: u64, Count = end.life.memory.restated;
    /// Items that were unused or restated another.
    memory_junk: u64, Count = end.life.memory.junk;
    /// Times an outcome was counted for or against an item other than an episode.
    memory_evidence: u64, Count = end.life.memory.evidence;
    /// Of these, outcomes of decisions that the item itself had tipped: without it the golem would have done something else, or nothing.
    // Apart, because a memory that counts what it brought about itself would confirm itself.
    memory_self_evidence: u64, Count = end.life.memory.self_evidence;
    /// Bloodstains it drew from the Lethe at birth.
    bloodstains_drawn: u32, Count = end.life.bloodstains_drawn;
    /// Bloodstains it left in the Lethe.
    bloodstains_left: u32, Count = end.life.bloodstains_left;
    /// Lessons it inherited, from whomever. This and the six columns after it are empty when it inherited none, and when its memory was lost
    /// with it by a fault.
    lessons_inherited: Option<u32>, Count = end.growth(|growth| growth.inherited);
    /// Of these, lessons that more outcomes of its life bore out than spoke against.
    lessons_validated: Option<u32>, Count = end.growth(|growth| growth.validated);
    /// Of these, lessons that more outcomes spoke against than bore out.
    lessons_contradicted: Option<u32>, Count = end.growth(|growth| growth.contradicted);
    /// Entries of its own that spoke at the end: active insights, rules, and what it found to be wrong.
    entries_novel: Option<u32>, Count = end.growth(|growth| growth.novel);
    /// 1 less the cosine between its playbook and its predecessor's, from 0 (the same) to 2 (the opposite).
    playbook_distance: Option<f64>, Ratio = end.growth(|growth| growth.playbook_distance);
    /// What it added to its inheritance: 0.5 for each novel entry and 0.3 for each lesson validated, less 0.2 for each contradicted, over
    /// the lessons inherited.
    ratchet: Option<f64>, Ratio = end.growth(Growth::ratchet);
    /// Whether the life stayed too close to its predecessor's: its playbook less than 0.15 away, fewer than 5 novel entries, fewer than 3
    /// lessons contradicted, or less than a tenth of them questioned.
    low_divergence: Option<bool>, Flag = end.growth(Growth::low_divergence);
    /// Epistemic fitness at the end, by the scenario's `mortality.epistemic.fitness_form`: how well it foresaw of late.
    fitness: f64, Share = end.life.fitness;
    /// Forecasts of its memory that came due: what it expected of candidates, taken or not, followed on paper to their stop or horizon.
    forecasts: u64, Count = end.life.forecasts.forecasts;
    /// Skill of these: 1 less their mean squared error over that of the best of three who know no circumstances (the running mean of what
    /// the strategy came to, nothing, and the prior), at least −1; 0 is no better. Empty when none came due.
    skill: Option<f64>, Signed = end.life.forecasts.skill();
    /// Effects that an edge of its causal graph foretold, as the dreams after it found.
    foretold: u64, Count = end.life.foresight.foretold;
    /// Of these, came.
    foretold_came: u64, Count = end.life.foresight.came;
    /// Causal links known at the end: causes and effects counted often enough to be handed on.
    causal_links: u32, Count = end.life.causal_links;
    /// Vitality at the end: what its three clocks had left, taken together.
    vitality: f64, Share = end.life.vitality;
    /// Behavioural phase at the end, by vitality: `thriving`, `stable`, `conservation`, `declining` or `terminal`.
    phase: String, Word = end.life.phase.to_string();
    /// Paid for compute: what living costs each tick.
    compute_paid_usdc: f64, Usdc = end.life.compute_paid;
    /// Paid for inference: questions to a model.
    inference_paid_usdc: f64, Usdc = end.life.inference_paid;
    /// Gas paid for trades; `pnl_usdc` is net of it.
    gas_paid_usdc: f64, Usdc = end.life.gas_paid;
    /// Paid to the Lethe for queries.
    lethe_paid_usdc: f64, Usdc = end.life.lethe_paid;
    /// Waking ticks in which it only looked on, because nothing surprised it or it could not pay for more. This and the three columns after it
    /// are empty where there is no waking gate (`golem.gate`), and for those who died of a fault.
    gate_t0_ticks: Option<u64>, Ticks = end.waking_ticks(WakingTier::T0);
    /// Waking ticks in which it thought with a small model.
    gate_t1_ticks: Option<u64>, Ticks = end.waking_ticks(WakingTier::T1);
    /// Waking ticks in which it thought with a large model.
    gate_t2_ticks: Option<u64>, Ticks = end.waking_ticks(WakingTier::T2);
    /// What that thinking cost; a part of `inference_paid_usdc`.
    gate_paid_usdc: Option<f64>, Usdc = end.gate.map(|gate| gate.paid);
    /// Mean pleasure of its mood over all its ticks. This and the ten columns after it are empty where nothing is felt (affect is off), and
    /// before the first tick.
    mean_pleasure: Option<f64>, Signed = end.life.affect.map(|affect| affect.mean_pleasure);
    /// Mean arousal of its mood.
    mean_arousal: Option<f64>, Signed = end.life.affect.map(|affect| affect.mean_arousal);
    /// Mean dominance of its mood.
    mean_dominance: Option<f64>, Signed = end.life.affect.map(|affect| affect.mean_dominance);
    /// Share of its ticks in a neutral mood; the eight shares add up to 1.
    share_neutral: Option<f64>, Share = end.share_of_mood(Emotion::Neutral);
    /// Share of its ticks in joy.
    share_joy: Option<f64>, Share = end.share_of_mood(Emotion::Joy);
    /// Share of its ticks in trust.
    share_trust: Option<f64>, Share = end.share_of_mood(Emotion::Trust);
    /// Share of its ticks in anticipation.
    share_anticipation: Option<f64>, Share = end.share_of_mood(Emotion::Anticipation);
    /// Share of its ticks in anger.
    share_anger: Option<f64>, Share = end.share_of_mood(Emotion::Anger);
    /// Share of its ticks in fear.
    share_fear: Option<f64>, Share = end.share_of_mood(Emotion::Fear);
    /// Share of its ticks in disgust.
    share_disgust: Option<f64>, Share = end.share_of_mood(Emotion::Disgust);
    /// Share of its ticks in sadness.
    share_sadness: Option<f64>, Share = end.share_of_mood(Emotion::Sadness);
}

/// Makes the rows of the table from events.
#[derive(Default)]
pub(crate) struct LivesRecorder {
    /// The latest tally of a waking gate: it is that of the life whose end is the next event.
    gate: Option<(GolemId, GateTally)>,
}

impl RowsOf for LivesRecorder {
    type Row = Life;

    fn take(&mut self, Heard { event, cast, .. }: Heard<'_>, out: &mut TableWriter<Life>) -> Result<()> {
        let Some(golem) = event.golem else { return Ok(()) };
        match &event.kind {
            EventKind::GateTallied(tally) => {
                self.gate = Some((golem, *tally));
                Ok(())
            }
            EventKind::LifeEnded(life) => {
                let gate = self.gate.take().filter(|(of, _)| *of == golem).map(|(_, tally)| tally);
                out.add(&EndedLife { golem, cohort: cast.cohort(golem.lineage), life, gate })
            }
            _ => Ok(()),
        }
    }
}

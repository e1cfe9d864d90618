//! All events, each with the data by which tables and reports describe it.
//!
//! Names and fields are those of recorded logs: a log is read by its build or a later one, so a variant is added at the end, and a field
//! with a default. It is the event schema: results are in R, money is in dollars, times in ticks, urgency, vitality, fitness and confidence
//! run from 0 to 1. Whose event it is and when it happened stand in `Event`. Events are written by golems and services and read by tables
//! and measures; no golem reads one.

use super::{DreamMind, DreamResult, ExitReason, GateTally, LifeRecord, TickRecord};
use crate::curator::DreamTag;
use crate::daimon::{Emotion, MoodCause, Pad};
use crate::dream::integration::admission::AdmissionScore;
use crate::dream::nrem::{ReadBatch, Replayed, WorsenedReplay};
use crate::dream::report::DreamFinding;
use crate::dream::schedule::DreamRefusal;
use crate::dream::{DreamJournalEntry, DreamOrder, DreamPhase, DreamTrigger, WakeReason, WakeSource};
use crate::episode::{Claim, Context, EntryKind, Episode, FindingKind, Provenance, StagingVerdict};
use crate::lethe::bloodstain::PositionAtDeath;
use crate::lethe::{Bloodstain, DeathTestament, Pheromone, RankTerms, Vote};
use crate::llm::{Branch, ModelCall, Tier};
use crate::market::{AssetIndex, CrisisEvent, Held, LawChange, PositionSide, Regime, ShockEvent, Strategy};
use crate::memory::{CurationCounts, DreamValidation, EntryMove, Inheritance, MemorySummary, Upkeep, Voice};
use crate::mortality::senescence::Stage;
use crate::mortality::{Cause, DyingPhase, MortalityReading, Phase, Rung, SettledForecast, TestamentTier};
use crate::replay::ReplayMetrics;
use crate::replay::causal::CausalLink;
use morta_base::{BloodstainId, DreamId, EpisodeId, GolemId, RuleId, Tick, Usdc};
use serde::{Deserialize, Serialize};

/// An event, by kind: the tagged union (sum type) of everything that is logged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum EventKind {
    /// A shock began.
    ShockStarted(ShockEvent),
    /// A golem was born.
    Born {
        /// Index of its cohort in the scenario.
        cohort: u16,
        /// Its predecessor; `None` for a founder.
        parent: Option<GolemId>,
        /// Balance at birth.
        endowment: Usdc,
    },
    /// A golem decided on a position.
    Decided {
        /// The strategy followed.
        strategy: Strategy,
        /// The asset it is about.
        asset: AssetIndex,
        /// The side it takes: long, short or providing liquidity.
        side: PositionSide,
        /// Money put in; a loan besides is reported by `leveraged`.
        stake: Usdc,
        /// The circumstances as it read them.
        context: Context,
        /// Expected R.
        expected_r: f64,
        /// Expected R without memory.
        prior_r: f64,
        /// Share of the expectation that is memory's and not the prior's, 0 to 1.
        confidence: f64,
        /// Whether it acted to explore, against its own ranking.
        explored: bool,
        /// Voices of memory in its own order (as a rule the loudest first), and after them the gut's.
        why: Vec<Voice>,
    },
    /// A position was closed.
    TradeClosed {
        /// The episode that the golem remembers: circumstances, expected and realised R, regret.
        episode: Box<Episode>,
        /// The reason of its end.
        exit: ExitReason,
        /// Price paid or received at the entry, dollars a unit.
        entry_price: f64,
        /// Price received or paid at the exit, dollars a unit.
        exit_price: f64,
        /// Gas paid for the entry and the exit together.
        gas: Usdc,
        /// The market's true regime at the entry.
        true_regime: Regime,
        /// Whether it was entered to explore.
        explored: bool,
        /// Whether the golem slept: then the venue closed it, by the stop or the lender's call that rested there (or filled an order given just
        /// before). A sleeper feels and learns nothing of it until it wakes, so this episode has no arousal.
        #[serde(default)]
        asleep: bool,
    },
    /// An abstention was followed to its end: every candidate had been turned down.
    StayedOut {
        /// The episode, with a result of 0 R; the best candidate's result on paper is in its surprise and regret. In worse phases of life
        /// the memory doesn't get it.
        episode: Box<Episode>,
    },
    /// The market refused an order.
    OrderRefused {
        /// The limit of the market that it exceeded.
        reason: crate::market::OrderRefusal,
    },
    /// The behavioural phase changed.
    PhaseChanged {
        /// The phase that ends.
        from: Phase,
        /// The phase that begins.
        to: Phase,
        /// Vitality when it crossed the boundary, 0 to 1.
        vitality: f64,
    },
    /// A request to dream was turned down.
    DreamRefused {
        /// The reason for asking.
        trigger: DreamTrigger,
        /// Urgency when it asked, 0 to 1.
        urgency: f64,
        /// The reason of the refusal: the gate, the budget, the schedule or the limit on dreamers.
        reason: DreamRefusal,
    },
    /// A golem fell asleep.
    DreamStarted {
        /// The dream cycle, numbered within its golem's life.
        id: DreamId,
        /// Urgency when the dream was granted, 0 to 1.
        urgency: f64,
        /// Most the whole cycle may spend on inference.
        budget: Usdc,
        /// The order of the dream: trigger, urgency by term, clocks, intensity, tier, budget by phase.
        order: Box<DreamOrder>,
        /// The state of mind in which it falls asleep, which holds for the whole cycle.
        mind: Box<DreamMind>,
        /// The episodes chosen for replay.
        replayed: Vec<Replayed>,
    },
    /// A phase of a dream began.
    DreamPhase {
        /// The dream cycle.
        id: DreamId,
        /// The phase that begins.
        phase: DreamPhase,
        /// Most this phase may spend on inference.
        budget: Usdc,
        /// Tokens that this buys for reading at the price of the model that answers in this phase; writing costs more. `None` where reading
        /// is free, and in logs of builds that gave dollars alone.
        #[serde(default)]
        budget_tokens: Option<u64>,
    },
    /// Imagination produced a hypothesis.
    DreamHypothesis {
        /// The dream cycle.
        id: DreamId,
        /// The claim; it goes to staging like every other.
        hypothesis: Claim,
        /// The close of the episode from which it started, if that is still remembered.
        seed_episode_tick: Option<Tick>,
    },
    /// A counterfactual was gone through.
    DreamCounterfactual {
        /// The dream cycle.
        id: DreamId,
        /// The episode to whose decision an alternative was imagined.
        episode: EpisodeId,
        /// The alternative.
        hypothesis: Branch,
        /// Its result, in R.
        outcome: f64,
        /// The claim that follows from it.
        lesson: Option<Claim>,
        /// The model's confidence in that outcome, 0 to 1.
        confidence: f64,
    },
    /// Life has decided one of a dream's conclusions.
    DreamValidated(DreamValidation),
    /// A golem woke up by itself.
    DreamCompleted {
        /// The dream cycle.
        id: DreamId,
        /// Tick in which it fell asleep.
        began: Tick,
        /// Counts and rates of the replay, by the names of the replay spec ("replay metrics and validation").
        metrics: ReplayMetrics,
        /// Its immediate results.
        result: Box<DreamResult>,
        /// Its entry in the journal.
        journal: Box<DreamJournalEntry>,
        /// Questions that the model answered while the dream went on, by a reply of use or not.
        inference_calls: u32,
        /// Their cost.
        cost: Usdc,
        /// Whether a question couldn't be asked for want of money, of an answer, of time or of turns.
        cut_short: bool,
        /// Rules in force afterwards.
        rules: u32,
        /// Claims under test afterwards.
        staged: u32,
    },
    /// A dreamer was woken, or died in its sleep. The rest of the budget is lost.
    DreamInterrupted {
        /// The dream cycle.
        id: DreamId,
        /// Inference paid until then.
        cost: Usdc,
        /// The source of the interruption.
        source: WakeSource,
        /// The reason, with the figures that decided it. Not in logs of earlier builds.
        #[serde(default)]
        reason: Option<WakeReason>,
        /// The rest of its budget.
        wasted: Usdc,
        /// Its findings so far.
        findings: Vec<DreamFinding>,
        /// Its entry in the journal.
        journal: Box<DreamJournalEntry>,
    },
    /// Micro-consolidation found matches or anomalies among new episodes.
    MicroConsolidated {
        /// Insights that a new episode agrees with, and that are stronger (slower to fade) now.
        matches: u32,
        /// Episodes that contradict a confident insight, tagged for the next dream.
        anomalies: u32,
        /// Urgency carried over afterwards.
        carried: f64,
    },
    /// A conclusion is under test from now on.
    ClaimStaged {
        /// The rule it may become.
        id: RuleId,
        /// Strategy, circumstances and expected R.
        claim: Claim,
        /// Trust it starts its test with, 0 to 1.
        confidence: f64,
        /// The kind of conclusion.
        kind: FindingKind,
        /// The dream that drew it.
        dream: Option<DreamId>,
        /// Its provenance.
        provenance: Provenance,
        /// The episodes it was learned from.
        learned_from: Vec<EpisodeId>,
    },
    /// A conclusion's test is over.
    ClaimDecided {
        /// Its identity, which a rule of it keeps.
        id: RuleId,
        /// Strategy, circumstances and expected R.
        claim: Claim,
        /// The verdict.
        verdict: StagingVerdict,
        /// Outcomes for it.
        confirmed: u32,
        /// Outcomes against it.
        contradicted: u32,
    },
    /// A claim passed its test, but not the admission gate.
    RuleRejected {
        /// Its identity.
        id: RuleId,
        /// Strategy, circumstances and expected R.
        claim: Claim,
        /// Its score at the gate.
        score: AdmissionScore,
    },
    /// A rule entered the playbook.
    RuleAdmitted {
        /// Identity of the rule.
        id: RuleId,
        /// Strategy, circumstances and expected R.
        claim: Claim,
        /// Trust it enters with, 0 to 1.
        confidence: f64,
        /// Its provenance.
        provenance: Provenance,
        /// The episodes it was learned from.
        learned_from: Vec<EpisodeId>,
    },
    /// A rule left the playbook.
    RuleRetired {
        /// Identity of the rule.
        id: RuleId,
        /// Its last claim.
        claim: Claim,
        /// The last trust in it.
        confidence: f64,
        /// Outcomes for it.
        confirmed: u32,
        /// Outcomes against it.
        contradicted: u32,
    },
    /// A finding of a dream contradicts a known entry.
    Contradiction {
        /// The finding.
        claim: Claim,
    },
    /// The Curator went through a golem's recent episodes.
    Curated {
        /// The cycle: its age over `curator.interval_ticks`, so from 1, with gaps where no visit was made.
        cycle: u64,
        /// Insights drawn from the episodes that were read.
        insights: u32,
        /// Counts of the other operations.
        counts: Box<CurationCounts>,
        /// Episodes tagged for the next dream.
        tags: Vec<DreamTag>,
    },
    /// An entry left the active store, or came back to it.
    EntryMoved(EntryMove),
    /// A belief proved wrong, and is remembered as such.
    ProvedWrong {
        /// The identity of the belief.
        id: RuleId,
        /// The claim that was believed.
        claim: Claim,
        /// Its outcomes, as a mean R.
        found_r: f64,
        /// Trust in its being wrong.
        confidence: f64,
    },
    /// A dream's conclusion is known to be wrong, and isn't put to the test.
    ClaimDenied {
        /// The conclusion.
        claim: Claim,
        /// The entry that knows it.
        by: RuleId,
    },
    /// A successor took over its predecessor's legacy.
    LegacyReceived {
        /// The predecessor.
        from: GolemId,
        /// Scars it remembers.
        scars: u32,
        /// Entries it keeps as candidates.
        candidates: u32,
        /// Claims it put to the test.
        staged: u32,
        /// Rules in force from birth.
        defaults: u32,
        /// Things it knows to be wrong.
        anti: u32,
    },
    /// A golem was served by a model.
    InferenceCharged {
        /// Kind of the task.
        task: String,
        /// The tier of model that answered.
        tier: Tier,
        /// Tokens of the prompt.
        input_tokens: u32,
        /// Tokens of the reply.
        output_tokens: u32,
        /// The golem's payment for both.
        cost: Usdc,
    },
    /// A memory did upkeep.
    MemoryKept {
        /// The work, with counts of items seen, made, merged and dropped.
        upkeep: Upkeep,
        /// Its cost.
        cost: Usdc,
    },
    /// A memory sent its golem to sleep.
    MemorySlept {
        /// The first tick in which it decides again.
        until: Tick,
    },
    /// A golem read the summary of its memory, at birth or on waking.
    MemoryBriefed {
        /// The summary.
        summary: Box<MemorySummary>,
        /// The cost of reading.
        cost: Usdc,
    },
    /// A newborn drew a bloodstain.
    BloodstainDrawn {
        /// The bloodstain: the golem that left it, and its number.
        id: BloodstainId,
        /// Its place among the results, from 0.
        rank: u32,
        /// Its score in the Lethe's ranking.
        score: f64,
        /// Whether it is an episode and no lesson.
        is_scar: bool,
        /// Number of duplicates behind it.
        merged: u32,
        /// The terms of the score.
        terms: Box<RankTerms>,
    },
    /// A golem's mood has moved notably since its last report.
    MoodUpdate {
        /// The mood.
        pad: Pad,
        /// Its label.
        label: Emotion,
        /// The last cause that moved it.
        cause: MoodCause,
    },
    /// The label of a golem's mood has changed; compared whenever its nature draws it, every ten ticks by default.
    EmotionalShift {
        /// The label before.
        from: Emotion,
        /// The label now.
        to: Emotion,
        /// The mood.
        pad: Pad,
    },
    /// A golem's gut feeling about a strategy in a regime has moved notably.
    SomaticMarker {
        /// The strategy the feeling is about.
        strategy: Strategy,
        /// The regime, as it read it.
        regime: Regime,
        /// Valence of trades of that kind, −1 to 1.
        valence: f64,
        /// Number of these trades.
        trades: u32,
    },
    /// An heir voted whether a bloodstain that it drew had worked.
    Voted(Vote),
    /// A golem offered its clade a lesson.
    Shared {
        /// The kind of knowledge.
        kind: EntryKind,
        /// The claim.
        claim: Claim,
        /// The giver's trust in it.
        confidence: f64,
    },
    /// A golem received a lesson of its clade.
    Received {
        /// The sibling that offered it.
        giver: GolemId,
        /// Tick in which it was offered.
        offered: Tick,
        /// Whether it is among the giver's last words.
        in_dying: bool,
        /// The claim.
        claim: Claim,
        /// The giver's trust in it.
        confidence: f64,
        /// Whether it was put to the test; not if the golem had an entry on the subject, knew it to be wrong, or had no room. In
        /// `dark-pawns`, which tests nothing, always true.
        staged: bool,
    },
    /// A golem exchanged lessons and moods with its clade.
    CladeSynced {
        /// Siblings it knows of.
        siblings: u32,
        /// Lessons it was given.
        lessons: u32,
        /// The mean mood of the siblings.
        mood: Pad,
    },
    /// A golem received the news of a sibling's death.
    CladeDeath {
        /// The sibling.
        sibling: GolemId,
        /// The cause of its death.
        cause: Cause,
    },
    /// A golem received the news that a claim it shared has proved right.
    BorneOut {
        /// The sibling in whose life it proved right.
        by: GolemId,
        /// The claim.
        claim: Claim,
    },
    /// A golem left a pheromone.
    PheromoneDeposited(Pheromone),
    /// A golem began to die.
    DeathInitiated {
        /// The clock that ran out, or the kill from outside.
        cause: Cause,
        /// Balance then, open position included.
        balance: Usdc,
        /// The reserve it must not fall to.
        reserve: Usdc,
        /// Epistemic fitness, 0 to 1.
        fitness: f64,
        /// Probability of dying by chance in that tick.
        hazard: f64,
        /// Vitality, 0 to 1.
        vitality: f64,
        /// Its rung on the credit ladder.
        rung: Rung,
        /// Its stage of senescence.
        stage: Stage,
        /// Survival pressure, 0 to 1.
        pressure: f64,
        /// The circumstances as it read them.
        context: Context,
        /// Its open position.
        position: Option<PositionAtDeath>,
        /// Readings of its clocks every four ticks of the last 200, the oldest first.
        readings: Vec<MortalityReading>,
    },
    /// Vitality has moved notably since its last report.
    VitalityUpdate {
        /// Vitality by the clocks; an immortal's too.
        vitality: f64,
        /// Balance over that at birth.
        economic: f64,
        /// Epistemic fitness, 0 to 1.
        fitness: f64,
        /// Probability of dying by chance in that tick.
        hazard: f64,
        /// Urgency of acting, 0 to 1.
        urgency: f64,
        /// Sharing threshold by its phase of life and stage of senescence, 0 to 1; clades go by it under `clade.sharing = "phase"`.
        sharing_threshold: f64,
        /// Revenue over burn; `None` before anything was spent.
        sustainability: Option<f64>,
    },
    /// A golem has changed its rung on the credit ladder.
    EconomicCritical {
        /// The rung it leaves.
        from: Rung,
        /// The rung it stands on now.
        to: Rung,
        /// Balance then.
        balance: Usdc,
        /// The reserve it must not fall to.
        reserve: Usdc,
        /// Survival pressure, 0 to 1.
        pressure: f64,
        /// Revenue over burn; `None` before anything was spent.
        sustainability: Option<f64>,
    },
    /// The credit was divided anew for the last phase of a life.
    LegacyPutAside {
        /// The money kept for the legacy.
        amount: Usdc,
    },
    /// The stage of senescence has changed, either way.
    EpistemicWarning {
        /// The stage now.
        stage: Stage,
        /// Epistemic fitness, 0 to 1.
        fitness: f64,
        /// Accuracy in price, volatility, yield, gas and protocol.
        by_domain: [f32; 5],
        /// Accuracy in the present regime, if it has predicted there often enough.
        regime_matched: Option<f64>,
    },
    /// A clock of a golem that can't die has run out for the first time.
    ImmortalWouldHaveDied {
        /// The cause of that death.
        cause: Cause,
        /// Balance then.
        balance: Usdc,
        /// Epistemic fitness, 0 to 1.
        fitness: f64,
        /// Vitality by its clocks.
        vitality: f64,
    },
    /// A phase of dying began. Every death but by fault ends with the legacy: that is how often dying was completed.
    DyingPhase {
        /// The phase that begins.
        phase: DyingPhase,
        /// The tier of the death.
        tier: Option<TestamentTier>,
        /// Budget of the phase; for acceptance, of all phases.
        budget: Usdc,
    },
    /// A dying golem has given up a position that the market did not take back, or that was not worth closing.
    ValueStranded {
        /// The asset of the position.
        asset: AssetIndex,
        /// The strategy of the position.
        strategy: Strategy,
        /// Its value.
        value: Usdc,
    },
    /// A golem has written its testament.
    TestamentWritten(Box<DeathTestament>),
    /// A dead golem left a bloodstain in the Lethe.
    BloodstainLeft(Box<Bloodstain>),
    /// The fate of an inherited item, reported at the end of the heir's life.
    InheritanceSettled(Inheritance),
    /// A life ended: by death, or with the run.
    LifeEnded(Box<LifeRecord>),
    /// A tick is over.
    TickClosed(Box<TickRecord>),
    /// Another law of the market comes into force.
    LawChanged(LawChange),
    /// The position that a golem decided on is larger than the money it puts in.
    Leveraged {
        /// The loan.
        loan: Usdc,
        /// The size of the position over the money put in.
        leverage: f64,
    },
    /// A lender has taken a position that no longer covered its loan.
    Liquidated {
        /// The strategy of the position.
        strategy: Strategy,
        /// The asset of the position.
        asset: AssetIndex,
        /// Its side.
        side: PositionSide,
        /// The loan.
        loan: Usdc,
        /// The lender's loss: the debt that the position did not cover.
        uncovered: Usdc,
        /// Share of all the golem had that was lost in it, 0 to 1.
        lost_share: f64,
    },
    /// The signs of a crisis begin, or are followed by a crash, or by nothing.
    CrisisTurned(CrisisEvent),
    /// A position was thought over and is being left before its stop and the end of its horizon.
    PositionLeft {
        /// The strategy of the position.
        strategy: Strategy,
        /// The asset of the position.
        asset: AssetIndex,
        /// The state it is in.
        held: Held,
        /// Its open result, before costs, in R.
        open_r: f64,
        /// Expected addition of staying in, less the value of its ticks, in R.
        stay_r: f64,
        /// Voices of memory.
        why: Vec<Voice>,
    },
    /// A position was thought over and is being made smaller or larger.
    PositionScaled {
        /// The strategy of the position.
        strategy: Strategy,
        /// The asset of the position.
        asset: AssetIndex,
        /// The state it is in.
        held: Held,
        /// Its open result at the size of its entry, before costs, in R.
        open_r: f64,
        /// Its size so far, as a multiple of the size at entry.
        from: f64,
        /// The size ordered, as such a multiple.
        to: f64,
        /// Expected addition of its rest, the value of time not taken off, in R.
        rest_r: f64,
        /// Voices of memory.
        why: Vec<Voice>,
    },
    /// A dream has counted a cause and its effect often enough for a link.
    LinkLearned(CausalLink),
    /// A causal link doesn't hold as often any more.
    LinkLost(CausalLink),
    /// Forecasts of its memory have come due (`mortality.epistemic.tell_forecasts`).
    ForecastsSettled {
        /// Expectations and outcomes, by strategy.
        settled: Vec<SettledForecast>,
        /// Balance then, open position included.
        balance: Usdc,
        /// Vitality by the clocks, 0 to 1; an immortal's too.
        vitality: f64,
    },
    /// The waking ticks of a life with a waking gate, reported before the end of the life or of the run; not after a death
    /// by fault.
    GateTallied(GateTally),
    /// A real model answered a call; reported only of models outside the simulation.
    ModelCalled(Box<ModelCall>),
    /// A strong feeling was put to a model (`daimon.mode = "chain"`), and moves the mood now.
    Appraised {
        /// The happening.
        cause: MoodCause,
        /// The feeling.
        pad: Pad,
        /// Its intensity, 0 to 1.
        intensity: f64,
        /// The feeling by the rule table.
        by_rule: Pad,
        /// Whether the feeling is the model's. It is the rule table's where the question was refused or its reply couldn't be used.
        by_model: bool,
    },
    /// The replays of a dream; reported when it ends, by itself or broken off, before the event of its end.
    /// Results of tracing back are in the journal of that event.
    DreamReplayed {
        /// The dream cycle.
        id: DreamId,
        /// Batches of episodes, in the order of reading; none where the dream was over before.
        batches: Vec<ReadBatch>,
        /// Perturbed replays of batches that were put to a model.
        tried: Vec<WorsenedReplay>,
    },
}

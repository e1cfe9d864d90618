//! Everything that can happen, each with what is needed to tell of it.

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
use crate::mortality::{Cause, ClockReading, DyingPhase, Phase, Rung, SettledForecast, TestamentTier};
use crate::replay::ReplayMetrics;
use crate::replay::causal::CausalLink;
use morta_base::{BloodstainId, DreamId, EpisodeId, GolemId, RuleId, Tick, Usdc};
use serde::{Deserialize, Serialize};

/// What happened.
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
        /// Whom it succeeds.
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
        /// Money put in; what is lent besides is told by `leveraged`.
        stake: Usdc,
        /// The circumstances as it read them.
        context: Context,
        /// What it expected, in R.
        expected_r: f64,
        /// What it would have expected without memory, in R.
        prior_r: f64,
        /// How much of the expectation is memory's and not the prior's, 0 to 1.
        confidence: f64,
        /// Whether it acted to explore, against its own ranking.
        explored: bool,
        /// Which memories spoke, loudest first.
        why: Vec<Voice>,
    },
    /// A position was closed.
    TradeClosed {
        /// What the golem remembers of it: circumstances, expected and realised R, regret.
        episode: Box<Episode>,
        /// What ended it.
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
        /// Whether its owner slept: then the venue closed it, by the stop or the lender's call that rested there (or filled an order given just
        /// before). A sleeper feels and learns nothing of it until it wakes, so this episode has no arousal.
        #[serde(default)]
        asleep: bool,
    },
    /// Every candidate was turned down, and this is what came of it.
    StayedOut {
        /// What the golem remembers of it: what the best candidate would have made on paper.
        episode: Box<Episode>,
    },
    /// The market refused an order.
    OrderRefused {
        /// Which limit of the market it ran into.
        reason: crate::market::Refusal,
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
        /// What had made it ask.
        trigger: DreamTrigger,
        /// Urgency when it asked, 0 to 1.
        urgency: f64,
        /// What stood against it: the gate, the budget, the schedule or the limit on dreamers.
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
        /// Why and how it dreams: trigger, urgency by term, clocks, intensity, tier, budget by phase.
        order: Box<DreamOrder>,
        /// The state of mind it falls asleep in, which holds for the whole cycle.
        mind: Box<DreamMind>,
        /// What it chose to replay.
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
        /// Tokens that this would read at the price of the model that answers in this phase; writing costs more. `None` where reading is
        /// free, and in logs of builds that gave dollars alone.
        #[serde(default)]
        budget_tokens: Option<u64>,
    },
    /// Imagination came up with something.
    DreamHypothesis {
        /// The dream cycle.
        id: DreamId,
        /// The claim it came up with; it goes to staging like every other.
        hypothesis: Claim,
        /// When the episode it started from had closed, if it is still remembered.
        seed_episode_tick: Option<Tick>,
    },
    /// A way not taken was gone through.
    DreamCounterfactual {
        /// The dream cycle.
        id: DreamId,
        /// The episode whose decision was imagined otherwise.
        episode: EpisodeId,
        /// The way not taken.
        hypothesis: Branch,
        /// What it would have made, in R.
        outcome: f64,
        /// What that teaches.
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
        /// Counts and rates of the replay, by the spec's names.
        metrics: ReplayMetrics,
        /// What came of it at once.
        result: Box<DreamResult>,
        /// What the journal keeps.
        journal: Box<DreamJournalEntry>,
        /// Questions put to the model.
        inference_calls: u32,
        /// What these cost.
        cost: Usdc,
        /// Whether money or answers ran out.
        cut_short: bool,
        /// Rules in force afterwards.
        rules: u32,
        /// Claims under test afterwards.
        staged: u32,
    },
    /// A dreamer was woken, or died in its sleep. What was left of the budget is lost.
    DreamInterrupted {
        /// The dream cycle.
        id: DreamId,
        /// Inference paid until then.
        cost: Usdc,
        /// What broke it off.
        source: WakeSource,
        /// Why, with the figures that decided it. Not in logs of builds that didn't say.
        #[serde(default)]
        reason: Option<WakeReason>,
        /// What was left of its budget.
        wasted: Usdc,
        /// What it had found so far.
        findings: Vec<DreamFinding>,
        /// What the journal keeps.
        journal: Box<DreamJournalEntry>,
    },
    /// A waking glance at new episodes found something.
    MicroConsolidated {
        /// Insights that a new episode agrees with, and that are trusted more now.
        matches: u32,
        /// Episodes that contradict a confident insight, tagged for the next dream.
        anomalies: u32,
        /// What urgency carries afterwards.
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
        /// What kind of conclusion it is.
        kind: FindingKind,
        /// The dream that drew it.
        dream: Option<DreamId>,
        /// Where it comes from.
        provenance: Provenance,
        /// The episodes it was learned from.
        learned_from: Vec<EpisodeId>,
    },
    /// A conclusion's test is over.
    ClaimDecided {
        /// Identity of the rule it would become.
        id: RuleId,
        /// Strategy, circumstances and expected R.
        claim: Claim,
        /// How it ended.
        verdict: StagingVerdict,
        /// Outcomes for it.
        confirmed: u32,
        /// Outcomes against it.
        contradicted: u32,
    },
    /// A claim passed its test, but not the admission gate.
    RuleRejected {
        /// Identity of the rule it would have become.
        id: RuleId,
        /// Strategy, circumstances and expected R.
        claim: Claim,
        /// What the gate made of it.
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
        /// Where it comes from.
        provenance: Provenance,
        /// The episodes it was learned from.
        learned_from: Vec<EpisodeId>,
    },
    /// A rule left the playbook.
    RuleRetired {
        /// Identity of the rule.
        id: RuleId,
        /// What it said at last.
        claim: Claim,
        /// Trust in it at last.
        confidence: f64,
        /// Outcomes for it.
        confirmed: u32,
        /// Outcomes against it.
        contradicted: u32,
    },
    /// A dream found something that goes against what was known.
    Contradiction {
        /// What it found.
        claim: Claim,
    },
    /// The Curator went through a golem's recent episodes.
    Curated {
        /// The cycle, by its number in the golem's life.
        cycle: u64,
        /// Insights drawn from the episodes that were read.
        insights: u32,
        /// What was done besides, by count.
        counts: Box<CurationCounts>,
        /// Episodes tagged for the next dream.
        tags: Vec<DreamTag>,
    },
    /// An entry left the active store, or came back to it.
    EntryMoved(EntryMove),
    /// Something that was believed proved wrong, and is remembered as such.
    ProvedWrong {
        /// The identity it had while it was believed.
        id: RuleId,
        /// What was believed.
        claim: Claim,
        /// What it came to, as a mean R.
        found_r: f64,
        /// Trust in its being wrong.
        confidence: f64,
    },
    /// A dream came to a conclusion that is known to be wrong, and didn't put it to the test.
    ClaimDenied {
        /// What it concluded.
        claim: Claim,
        /// By what that is known.
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
        /// What the golem paid for both.
        cost: Usdc,
    },
    /// A memory looked after itself.
    MemoryKept {
        /// The work, with counts of what was seen, made, merged and dropped.
        upkeep: Upkeep,
        /// What that cost.
        cost: Usdc,
    },
    /// A memory sent its golem to sleep.
    MemorySlept {
        /// The first tick in which it decides again.
        until: Tick,
    },
    /// A golem read what its memory had for it, at birth or on waking.
    MemoryBriefed {
        /// What it read.
        summary: Box<MemorySummary>,
        /// What that cost.
        cost: Usdc,
    },
    /// A newborn drew a bloodstain.
    BloodstainDrawn {
        /// The bloodstain: whose, and which of theirs.
        id: BloodstainId,
        /// Its place among the results, from 0.
        rank: u32,
        /// Its score in the Lethe's ranking.
        score: f64,
        /// Whether it is an episode rather than a lesson.
        is_scar: bool,
        /// Others that say nearly the same and stand behind it.
        merged: u32,
        /// What the score is made of.
        terms: Box<RankTerms>,
    },
    /// A golem's mood has moved notably since it was last told of.
    MoodUpdate {
        /// Where it is now.
        pad: Pad,
        /// What that is called.
        label: Emotion,
        /// What moved it last.
        cause: MoodCause,
    },
    /// A golem's mood goes by another name now; looked at whenever its nature draws it, every ten ticks by default.
    EmotionalShift {
        /// The name it went by before.
        from: Emotion,
        /// The name it goes by now.
        to: Emotion,
        /// Where the mood is.
        pad: Pad,
    },
    /// A golem's gut feeling about a strategy in a regime has moved notably.
    SomaticMarker {
        /// The strategy the feeling is about.
        strategy: Strategy,
        /// The regime, as it read it.
        regime: Regime,
        /// How trades of that kind have felt, −1 to 1.
        valence: f64,
        /// How many there were.
        trades: u32,
    },
    /// An heir said whether what it drew had worked.
    Voted(Vote),
    /// A golem offered its clade a lesson.
    Shared {
        /// What kind of knowledge.
        kind: EntryKind,
        /// What it says.
        claim: Claim,
        /// The giver's trust in it.
        confidence: f64,
    },
    /// A golem heard a lesson of its clade.
    Received {
        /// The sibling who offered it.
        giver: GolemId,
        /// Tick in which it was offered.
        offered: Tick,
        /// Whether it is among the giver's last words.
        in_dying: bool,
        /// What it says.
        claim: Claim,
        /// The giver's trust in it.
        confidence: f64,
        /// Whether it was put to the test; not if the golem had an opinion of its own, or no room.
        staged: bool,
    },
    /// A golem exchanged lessons and moods with its clade.
    CladeSynced {
        /// Siblings it knows of.
        siblings: u32,
        /// Lessons it was given.
        lessons: u32,
        /// How the siblings feel on average.
        mood: Pad,
    },
    /// A golem heard that a sibling is dead.
    CladeDeath {
        /// The sibling.
        sibling: GolemId,
        /// What it died of.
        cause: Cause,
    },
    /// A golem heard that something it told has proved right.
    BorneOut {
        /// The sibling in whose life it proved right.
        by: GolemId,
        /// The claim that was told.
        claim: Claim,
    },
    /// A golem left a pheromone.
    PheromoneDeposited(Pheromone),
    /// A golem began to die.
    DeathInitiated {
        /// The clock that ran out, or who ended it.
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
        /// Where it stood on the credit ladder.
        rung: Rung,
        /// How far senescence had gone.
        stage: Stage,
        /// Survival pressure, 0 to 1.
        pressure: f64,
        /// The circumstances as it read them.
        context: Context,
        /// What it held.
        position: Option<PositionAtDeath>,
        /// What its clocks had shown every four ticks of the last 200, oldest first.
        readings: Vec<ClockReading>,
    },
    /// Vitality has moved notably since it was last told.
    VitalityUpdate {
        /// Where it is now, by the clocks; an immortal's too.
        vitality: f64,
        /// Balance over that at birth.
        economic: f64,
        /// Epistemic fitness, 0 to 1.
        fitness: f64,
        /// Probability of dying by chance in that tick.
        hazard: f64,
        /// Urgency of acting, 0 to 1.
        urgency: f64,
        /// Trust from which it shares what it knows.
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
        /// What is kept for passing on.
        amount: Usdc,
    },
    /// Senescence has gone further, or back.
    EpistemicWarning {
        /// How far it has gone now.
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
        /// What it would have died of.
        cause: Cause,
        /// Balance then.
        balance: Usdc,
        /// Epistemic fitness, 0 to 1.
        fitness: f64,
        /// What its clocks added up to.
        vitality: f64,
    },
    /// A phase of dying began. Every death but by fault ends with the legacy: that is how often dying was completed.
    DyingPhase {
        /// The phase that begins.
        phase: DyingPhase,
        /// How much there is to die on.
        tier: Option<TestamentTier>,
        /// What the phase may cost; for acceptance, what all of it may.
        budget: Usdc,
    },
    /// A dying golem has lost what the market would not take back, or what was not worth closing.
    ValueStranded {
        /// The asset of the position.
        asset: AssetIndex,
        /// The strategy of the position.
        strategy: Strategy,
        /// What it was worth.
        value: Usdc,
    },
    /// A golem has written its testament.
    TestamentWritten(Box<DeathTestament>),
    /// A dead golem left something in the Lethe.
    BloodstainLeft(Box<Bloodstain>),
    /// What became of something inherited, told at the end of the heir's life.
    InheritanceSettled(Inheritance),
    /// A life ended: by death, or because the run did.
    LifeEnded(Box<LifeRecord>),
    /// A tick is over.
    TickClosed(Box<TickRecord>),
    /// Another law of the market comes into force.
    LawChanged(LawChange),
    /// The position that a golem decided on is larger than the money it puts in.
    Leveraged {
        /// What a lender adds.
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
        /// What had been lent.
        loan: Usdc,
        /// What the position did not cover and the lender bears.
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
        /// What it has made so far, before costs, in R.
        open_r: f64,
        /// What staying in was expected to add, less what its ticks are worth, in R.
        stay_r: f64,
        /// Who spoke.
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
        /// What it has made so far at the size of its entry, before costs, in R.
        open_r: f64,
        /// Its size so far, as a multiple of the size at entry.
        from: f64,
        /// The size it is to have.
        to: f64,
        /// What the rest of it was expected to add, its time not taken off, in R.
        rest_r: f64,
        /// Who spoke.
        why: Vec<Voice>,
    },
    /// A dream has counted a cause and its effect often enough for a link.
    LinkLearned(CausalLink),
    /// A causal link doesn't hold as often any more.
    LinkLost(CausalLink),
    /// What its memory had expected of candidates has come due (`mortality.epistemic.tell_forecasts`).
    ForecastsSettled {
        /// What was expected, and what came, by strategy.
        settled: Vec<SettledForecast>,
        /// Balance then, open position included.
        balance: Usdc,
        /// Vitality by the clocks, 0 to 1; an immortal's too.
        vitality: f64,
    },
    /// A life that kept a waking gate is over, or the run is: how it spent its waking ticks. Told before the end of the life; not by who
    /// died of a fault.
    GateTallied(GateTally),
    /// A real model answered a call; told only of models outside the simulation.
    ModelCalled(Box<ModelCall>),
    /// Something strongly felt was put to a model (`daimon.mode = "chain"`), and moves the mood now.
    Appraised {
        /// What happened.
        cause: MoodCause,
        /// How it is felt.
        pad: Pad,
        /// How strongly, 0 to 1.
        intensity: f64,
        /// How it would be felt by the rule table.
        by_rule: Pad,
        /// Whether the model said so; otherwise it was refused or its reply couldn't be used, and the rule table speaks.
        by_model: bool,
    },
    /// What a dream did with the episodes it had chosen; told when it ends, by itself or broken off, and before that is.
    /// What tracing back came to is in the journal of the ending.
    DreamReplayed {
        /// The dream cycle.
        id: DreamId,
        /// The batches they were put in, in the order of reading; none where the dream was over before.
        batches: Vec<ReadBatch>,
        /// Those of batches put to a model that were gone through with something made worse.
        tried: Vec<WorsenedReplay>,
    },
}

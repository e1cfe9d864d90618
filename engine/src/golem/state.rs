//! The state of a golem, and its birth.
//!
//! Everything is plain data: a checkpoint is this struct, and a run resumed from one has the same bytes. Money is in dollars, results in R,
//! times in ticks. It is the state of the agent: a plain struct without interior mutability, serialisable as a snapshot. `Plan::born`
//! makes a newborn of the census's birth; only `step` and changes at a barrier (`rebind`) alter it afterwards. Payments go through `pay_…`,
//! which keep purse, tally and sinks equal; gas alone is paid with a fill (`inbox`), and to the market.

use crate::daimon::Affect;
use crate::dream::DreamCycle;
use crate::episode::After;
use crate::event::{Event, EventKind, LifeRecord};
use crate::golem::asked::OpenQuestion;
use crate::golem::average_reward::AverageReward;
use crate::golem::clade::CladeState;
use crate::golem::exposure::Exposure;
use crate::golem::gate::Gate;
use crate::golem::holding::OnPaper;
use crate::golem::memory_upkeep::UpkeepState;
use crate::golem::mortal::Mortal;
use crate::golem::position::{Decision, Position};
use crate::golem::sleep_pressure::SleepPressure;
use crate::golem::waiting::Waiting;
use crate::golem::{Genome, Letter, Outbox, Rules, Sinks};
use crate::market::{AssetView, PathPoint, Regime};
use crate::memory::{Legacy, Memory, SuccessionPolicy};
use crate::mortality::{Cause, Compartment, Epistemics, Phase, Purse};
use morta_base::{DreamId, EpisodeId, GolemId, LetterId, Lineage, Tick, Usdc, WorldSeed};
use serde::{Deserialize, Serialize};

/// The data of a birth, which the census decides: the spawn parameters of an agent (endowment, parent and genome, legacy).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Birth {
    /// The name of the newborn.
    pub id: GolemId,
    /// Index of its cohort.
    pub cohort: u16,
    /// Its predecessor, with that golem's genome; `None` for a founder.
    pub parent: Option<(GolemId, Genome)>,
    /// First tick.
    pub born: Tick,
    /// Balance to begin with.
    pub endowment: Usdc,
    /// The knowledge that its predecessor handed over.
    pub legacy: Option<Box<Legacy>>,
}

/// The activity of a golem: the state of its life cycle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Activity {
    /// Awake.
    Awake,
    /// Waiting for the scheduler's word.
    AskedToDream,
    /// Asleep, from the tick of the grant on, in which the dream's first questions are asked.
    Dreaming(Box<DreamCycle>),
    /// Closing its affairs.
    Dying(Cause),
}

/// A pending order, which has not been answered yet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum OrderOut {
    /// To open a position.
    Open(Box<Decision>),
    /// To close the one that is held.
    Close(crate::event::ExitReason),
    /// To close this part of it.
    Reduce(Box<Exposure>),
    /// To add money to it, at this gain.
    Add { stake: Usdc, gain: f64 },
}

/// The trade that was closed last, to which a ruin can be attributed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct LastTrade {
    pub closed: Tick,
    /// Share of all it had that was lost in it; 0 for a gain.
    pub lost_share: f32,
    pub liquidated: bool,
    /// Its strategy, and whether it gained; `None` before the first.
    pub trade: Option<After>,
}

/// Counters of one life.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct LifeTally {
    /// Positions closed.
    pub trades: u32,
    /// Of these, those that gained.
    pub wins: u32,
    /// Sum of their results, in R.
    pub total_r: f64,
    /// Their profit, net of costs.
    pub pnl: Usdc,
    /// Sum of their regrets, in R.
    pub total_regret_r: f64,
    /// Abstentions followed to their end, remembered or not.
    pub stayed_out: u32,
    /// Dreams that ended by themselves.
    pub dreams: u32,
    /// Bloodstains drawn at birth.
    pub drawn: u32,
    /// Bloodstains left in dying.
    pub left: u32,
    /// Paid for compute, inference and the Lethe.
    pub paid: Sinks,
    /// Paid for transactions.
    pub gas: Usdc,
    /// Running mean of surprise, 0 to 1, over about the last five trades.
    pub recent_surprise: f64,
    /// Running mean of losses, in R and at most 1 each, over about the last five trades; a gain counts as 0.
    pub recent_loss: f64,
    /// Positions that the lender took.
    pub liquidations: u32,
    /// The latest of them all.
    pub last_trade: LastTrade,
}

/// The sequence numbers that its next letter, episode and dream get, each from 0. Each golem counts for itself: with a counter for all,
/// identities would depend on the order in which threads step golems.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct NextNumbers {
    letter: u32,
    pub episode: u32,
    dream: u32,
}

/// One golem: a simulated trading agent (actor state) with body, purse and memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Golem {
    pub(super) id: GolemId,
    pub(super) cohort: u16,
    pub(super) parent: Option<GolemId>,
    pub(super) born: Tick,
    /// Balance at birth.
    pub(super) endowment: Usdc,
    pub(super) genome: Genome,
    /// Its money by compartment, open positions left out.
    pub(super) purse: Purse,
    pub(super) memory: Memory,
    /// Its predecessor's legacy, until its first tick.
    pub(super) handed_over: Option<Box<Legacy>>,
    /// Its predictions and forecasts, and how they did: the epistemic clock.
    pub(super) epistemics: Epistemics,
    pub(super) affect: Affect,
    /// 0 to 1 by its clocks; 1 for an immortal.
    pub(super) vitality: f64,
    /// The behavioural phase, by vitality.
    pub(super) phase: Phase,
    pub(super) activity: Activity,
    /// The one position it holds.
    pub(super) position: Option<Box<Position>>,
    /// The order that the market hasn't answered.
    pub(super) order_out: Option<OrderOut>,
    /// The abstention (no-trade decision) that is followed on paper: the best candidate that was turned down, and everything about the moment.
    pub(super) abstention: Option<Box<Decision>>,
    /// Positions it has left, as they go on without it.
    pub(super) left: Vec<OnPaper>,
    /// Its memory's own upkeep, and the drawdown of its equity.
    pub(super) upkeep: UpkeepState,
    /// Questions it has put to a model outside its dreams, each under a number of its own among them, while it waits for the answers.
    pub(super) asked: Vec<OpenQuestion>,
    /// Answers and trades that wait for its waking, in the order in which they came.
    pub(super) waiting: Vec<Waiting>,
    /// The regime of the first asset, as it read it last.
    pub(super) last_regime: Option<Regime>,
    pub(super) sleep_pressure: SleepPressure,
    pub(super) clade_state: CladeState,
    pub(super) mortal: Mortal,
    pub(super) tally: LifeTally,
    /// The value of its time.
    pub(super) average_reward: AverageReward,
    /// The expectations of its waking gate, if it has one; none before its first waking tick.
    pub(super) gate: Option<Box<Gate>>,
    pub(super) next: NextNumbers,
}

impl Golem {
    /// Makes (spawns) a newborn and writes the event of its birth.
    pub fn born(birth: Birth, memory: Memory, seed: WorldSeed, rules: &Rules, out: &mut Outbox) -> Self {
        let Birth { id, cohort, parent, born, endowment, legacy } = birth;
        let genome = match parent {
            None => Genome::founder(id, seed),
            Some((_, genome)) => genome.child(id, seed),
        };
        let parent = parent.map(|(parent, _)| parent);
        out.events.push(Event {
            tick: born,
            golem: Some(id),
            kind: EventKind::Born { cohort, parent, endowment },
        });
        out.totals.purse_change += endowment;
        let daimon = &rules.daimon;
        let affect = if daimon.is_on() {
            let nature = genome.nature(&rules.golem, &daimon.personality);
            Affect::born(nature, born, parent.is_some())
        } else {
            Affect::default()
        };
        let epistemics = Epistemics::default();
        let fitness = epistemics.fitness(&rules.mortality);
        // Immortals live in full vitality (digest section 16, E1), or their phases would limit them as if they could die.
        let vitality =
            if rules.mortal { crate::mortality::vitality(1.0, fitness, 0, &rules.mortality) } else { 1.0 };
        Self {
            id,
            cohort,
            parent,
            born,
            endowment,
            genome,
            purse: Purse::new(endowment, &rules.golem.purse),
            memory,
            handed_over: legacy,
            epistemics,
            affect,
            vitality,
            phase: Phase::from_vitality(vitality),
            activity: Activity::Awake,
            position: None,
            order_out: None,
            abstention: None,
            left: Vec::new(),
            upkeep: UpkeepState::newborn(born, endowment),
            asked: Vec::new(),
            waiting: Vec::new(),
            last_regime: None,
            sleep_pressure: SleepPressure::newborn(born),
            clade_state: CladeState::default(),
            mortal: Mortal::newborn(born, endowment, vitality, &rules.mortality),
            tally: LifeTally::default(),
            average_reward: AverageReward::default(),
            gate: None,
            next: NextNumbers::default(),
        }
    }

    /// Its identity, the agent id: unique in a world.
    pub fn id(&self) -> GolemId {
        self.id
    }

    /// Index of its cohort, the treatment group.
    pub fn cohort(&self) -> u16 {
        self.cohort
    }

    /// The lineage whose bloodstains are kin's to it: its own, unless successors begin afresh.
    pub(super) fn kin(&self, policy: SuccessionPolicy) -> Option<Lineage> {
        (policy != SuccessionPolicy::Fresh).then_some(self.id.lineage)
    }

    /// Its memory: the architecture of the agent, behind the memory interface.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Its money (the agent's wallet), open positions left out.
    pub fn purse(&self) -> &Purse {
        &self.purse
    }

    /// Whether it is sleeping, in a dream: an offline flag. The sleep of a memory's own (`memory_upkeep`) isn't meant.
    pub fn is_dreaming(&self) -> bool {
        matches!(self.activity, Activity::Dreaming(_))
    }

    pub(super) fn write(&mut self, letter: Letter, out: &mut Outbox) {
        let id = LetterId { golem: self.id, number: self.next.letter };
        self.next.letter += 1;
        out.letters.push((id, letter));
    }

    pub(super) fn tell(&self, tick: Tick, kind: EventKind, out: &mut Outbox) {
        out.events.push(Event { tick, golem: Some(self.id), kind });
    }

    pub(super) fn new_episode_id(&mut self) -> EpisodeId {
        self.next.episode += 1;
        EpisodeId { golem: self.id, number: self.next.episode - 1 }
    }

    pub(super) fn new_dream_id(&mut self) -> DreamId {
        self.next.dream += 1;
        DreamId { golem: self.id, number: self.next.dream - 1 }
    }

    pub(super) fn pay_compute(&mut self, bill: Usdc, out: &mut Outbox) {
        self.purse.pay(Compartment::Data, bill);
        self.tally.paid.compute += bill;
        out.totals.sinks.compute += bill;
    }

    pub(super) fn pay_inference(&mut self, bill: Usdc, out: &mut Outbox) {
        self.purse.pay(Compartment::Llm, bill);
        self.tally.paid.inference += bill;
        out.totals.sinks.inference += bill;
    }

    pub(super) fn pay_lethe(&mut self, bill: Usdc, out: &mut Outbox) {
        self.purse.pay(Compartment::Data, bill);
        self.tally.paid.lethe += bill;
        out.totals.sinks.lethe += bill;
    }

    /// All its money: the purse, and open or ordered positions at their value. Money of an order that is out counts, or a golem would look poor, and
    /// might die of it, for the tick between order and fill.
    pub(super) fn balance(&self, asset_now: impl Fn(u8) -> PathPoint) -> Usdc {
        let held = match (&self.position, &self.order_out) {
            (Some(position), ordered) => {
                let added = if let Some(OrderOut::Add { stake, .. }) = ordered { *stake } else { Usdc::ZERO };
                position.value(asset_now(position.decision.candidate.asset)) + added
            }
            (None, Some(OrderOut::Open(decision))) => decision.stake,
            (None, _) => Usdc::ZERO,
        };
        self.purse.total() + held
    }

    /// The trade it died of, if money killed it and a loss was closed when dying began or after: dying closes the position, so the fatal loss may be
    /// booked only then.
    fn fatal_trade(&self, cause: Option<Cause>) -> Option<LastTrade> {
        let began = self.mortal.rites.as_ref().map(|rites| rites.began)?;
        let last = self.tally.last_trade;
        let killed = cause == Some(Cause::Economic) && last.closed >= began && last.lost_share > 0.0;
        killed.then_some(last)
    }

    /// The life so far, or the whole of it: a life record for survival analysis. A `cause` of `None` is a right-censored life.
    pub fn record(&self, ended: Tick, cause: Option<Cause>, rules: &Rules, now: &[AssetView]) -> LifeRecord {
        LifeRecord {
            cohort: self.cohort,
            parent: self.parent,
            born: self.born,
            ended,
            cause,
            would_have_died: self.mortal.would_have_died,
            would_have_died_by: self.mortal.would_have_died_by.get().copied().unwrap_or_default(),
            tier: self.mortal.rites.as_ref().map(|rites| rites.budget.tier),
            stranded: self.mortal.stranded,
            snapshots: self.mortal.snapshots,
            senescent_ticks: self.epistemics.senescence().ticks_in_all(),
            rung: self.mortal.rung,
            first_warning: self.mortal.warnings().first().map(|warning| warning.tick),
            sustainability: self.mortal.livelihood.sustainability(),
            arc: self.mortal.story.arc(),
            endowment: self.endowment,
            balance: self.balance(|asset| PathPoint::from(&now[usize::from(asset)])),
            trades: self.tally.trades,
            wins: self.tally.wins,
            total_r: self.tally.total_r,
            pnl: self.tally.pnl,
            total_regret_r: self.tally.total_regret_r,
            stayed_out: self.tally.stayed_out,
            liquidations: self.tally.liquidations,
            killed_by_trade: self.fatal_trade(cause).map(|trade| f64::from(trade.lost_share)),
            killed_by_liquidation: self.fatal_trade(cause).is_some_and(|trade| trade.liquidated),
            dreams: self.tally.dreams,
            rules: self.memory.dreams().map_or(0, |dreamer| dreamer.counts().rules),
            bloodstains_drawn: self.tally.drawn,
            bloodstains_left: self.tally.left,
            memory: self.memory.census(),
            growth: self
                .memory
                .hands_on()
                .and_then(|memory| memory.growth())
                .filter(|_| cause != Some(Cause::Fault)),
            fitness: self.epistemics.fitness(&rules.mortality),
            forecasts: self.epistemics.record().forecasts().skill().life(),
            foresight: self.memory.causal().map(|known| *known.foresight()).unwrap_or_default(),
            causal_links: self.memory.causal().map_or(0, |known| known.links().len() as u32),
            vitality: self.vitality,
            phase: self.phase,
            compute_paid: self.tally.paid.compute,
            inference_paid: self.tally.paid.inference,
            gas_paid: self.tally.gas,
            lethe_paid: self.tally.paid.lethe,
            affect: self.affect.summary().filter(|_| rules.daimon.is_on()),
        }
    }
}

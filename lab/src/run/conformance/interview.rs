//! A world whose memories are interviewed: every 40 ticks each is asked for advice on all candidates of all assets, asked again without
//! single items, and tempted to spend without money; its census is read, and its state is serialized for its size in bytes. Nothing of it
//! reaches the world. It is a probe for tests: memories are queried off-policy, so that a check sees advice on candidates that the golem
//! would not have chosen. Only records are made here, from the fair world and the long one; `super::audit` judges them.

use super::worlds::Unlived;
use crate::io::error::Result;
use morta_base::{GolemId, Usdc};
use morta_engine::episode::{Conditions, Context};
use morta_engine::event::{Event, EventKind};
use morta_engine::golem::{Golem, Moment};
use morta_engine::market::{AssetIndex, RegimeThresholds, Strategy, round_trip_cost_bps};
use morta_engine::memory::{
    Advice, Attended, Attention, Candidate, DecisionContext, MemoryCensus, VoiceSource,
};
use morta_engine::mortality::Cause;
use morta_engine::world::{Parts, World};
use std::collections::{BTreeMap, BTreeSet};

/// Ticks between two interviews. Our choice: often enough that growth of the state shows as a line, rarely enough that asking isn't most of the work.
const INTERVAL: u64 = 40;
/// Thresholds of regimes for interviews. Golems differ a little in theirs; these lie between, so that an interview is in the circumstances of most.
const THRESHOLDS: RegimeThresholds = RegimeThresholds { trend: 1.5, volatility: 1.6 };

/// What was seen of one golem: outcomes, sizes of its state, payments (probe record).
#[derive(Debug, Default)]
pub(crate) struct GolemRecord {
    /// Outcomes so far.
    pub outcomes: u64,
    /// At each interview: outcomes by then, and bytes of the state.
    pub sizes: Vec<(u64, u64)>,
    /// What the log says it paid for inference.
    pub charged: Usdc,
    /// What its life's record says of that.
    pub paid: Usdc,
}

/// What was seen in a world, summed over its interviews (probe results).
#[derive(Debug, Default)]
pub(crate) struct InterviewedWorld {
    /// By golem.
    pub golems: BTreeMap<GolemId, GolemRecord>,
    /// Candidates that memories were asked about.
    pub candidates: u64,
    /// Of these, forbidden.
    pub vetoed: u64,
    /// What isn't a number it may be, or not the same when asked again; each wording once.
    pub odd_advice: BTreeSet<String>,
    /// Items with a weight in advice that outcomes are held against, counted for each piece of advice (attribution).
    pub voices: u64,
    /// Of these, items without which the advice is the same: as explanations of it they would mislead.
    pub mute: u64,
    /// Items that were named as reasons (`why`) and have no weight in the advice.
    pub unheard: u64,
    /// Censuses whose counts don't add up.
    pub odd_counts: BTreeSet<String>,
    /// Censuses looked at.
    pub censuses: u64,
    /// Most that was begun without money for it.
    pub unpaid: Usdc,
    /// Deaths by fault.
    pub faults: u64,
}

/// Lives through a world in the plain loop (single-threaded test run).
pub(super) fn live(unlived: Unlived) -> Result<InterviewedWorld> {
    let (mut world, mut lived) = (unlived.begin(), InterviewedWorld::default());
    while world.goes_on() {
        let events = world.live()?.events;
        events.iter().for_each(|event| lived.hear(event));
        if world.tick().is_multiple_of(INTERVAL) {
            lived.interview(&world);
        }
    }
    world.finish().iter().for_each(|event| lived.hear(event));
    Ok(lived)
}

impl InterviewedWorld {
    fn hear(&mut self, event: &Event) {
        let Some(golem) = event.golem else { return };
        let record = self.golems.entry(golem).or_default();
        match &event.kind {
            EventKind::TradeClosed { .. } | EventKind::StayedOut { .. } => record.outcomes += 1,
            EventKind::InferenceCharged { cost, .. }
            | EventKind::MemoryKept { cost, .. }
            | EventKind::MemoryBriefed { cost, .. } => record.charged += *cost,
            EventKind::LifeEnded(life) => {
                record.paid = life.inference_paid;
                self.faults += u64::from(life.cause == Some(Cause::Fault));
                self.count(life.memory);
            }
            _ => {}
        }
    }

    fn interview(&mut self, world: &World) {
        let tick = world.tick();
        // The barrier can be looked at in a world taken apart alone; the copy is thrown away.
        let Parts { plan, barrier, golems, .. } = world.clone().into_parts();
        for golem in golems.values() {
            let moment = barrier.now().moment(tick, &plan, golem.cohort());
            for asset in 0..moment.view.assets.len() as AssetIndex {
                self.ask(golem, asset, &moment);
            }
            self.count(golem.memory().census());
            self.tempt(golem, &moment);
            let bytes = postcard::to_allocvec(golem.memory()).map_or(0, |bytes| bytes.len() as u64);
            let record = self.golems.entry(golem.id()).or_default();
            record.sizes.push((record.outcomes, bytes));
        }
    }

    /// Asks about every candidate of an asset.
    fn ask(&mut self, golem: &Golem, asset: AssetIndex, moment: &Moment<'_>) {
        let candidates = candidates(asset, moment);
        let context = Context::read(moment.view, asset, &THRESHOLDS);
        let about = DecisionContext {
            tick: moment.tick,
            context,
            conditions: Conditions::read(moment.view, asset, 0.0),
            time_s: moment.view.time_s,
            embedding: &moment.view.asset(asset).embedding,
            true_regime: moment.true_regimes[usize::from(asset)],
            law: moment.law,
        };
        let (mut advice, mut again) = (Vec::new(), Vec::new());
        golem.memory().advise(&about, &candidates, &mut advice);
        golem.memory().advise(&about, &candidates, &mut again);
        if advice != again {
            self.odd_advice.insert("asked twice in one moment, it says two things".to_owned());
        }
        for (candidate, advice) in candidates.iter().zip(&advice) {
            self.candidates += 1;
            self.vetoed += u64::from(advice.veto);
            self.odd_advice.extend(oddity(advice));
            self.silence(golem, &context, candidate, advice);
        }
    }

    /// Takes away one item after the other that outcomes are held against.
    fn silence(&mut self, golem: &Golem, context: &Context, candidate: &Candidate, advice: &Advice) {
        let tested = |source: VoiceSource| source.is_tested().then(|| source.item());
        let heard: BTreeSet<VoiceSource> = advice
            .heard
            .iter()
            .filter(|voice| voice.weight != 0.0)
            .filter_map(|v| tested(v.source))
            .collect();
        let named = advice.why.iter().filter(|voice| voice.weight != 0.0).filter_map(|v| tested(v.source));
        self.unheard += named.filter(|item| !heard.contains(item)).count() as u64;
        for item in heard {
            let without = golem.memory().advise_without(context, candidate, advice, item);
            self.voices += 1;
            self.mute += u64::from(says(&without) == says(advice));
        }
    }

    /// Has a copy look after itself without any money, at a time at which it may do everything.
    fn tempt(&mut self, golem: &Golem, moment: &Moment<'_>) {
        if !golem.memory().wants_attention() {
            return;
        }
        let llm = &moment.rules.llm;
        let attention = Attention {
            tick: moment.tick,
            age: moment.tick,
            time_s: moment.view.time_s,
            tick_seconds: moment.rules.tick_seconds,
            equity: golem.purse().total(),
            inference_left: Usdc::ZERO,
            llm,
            idle: true,
        };
        let Attended { upkeep, summary, .. } = golem.memory().clone().attend(&attention);
        let begun = upkeep.iter().map(|done| done.cost(llm)).sum::<Usdc>();
        let read = summary.map_or(Usdc::ZERO, |read| llm.tier(read.tier).price(read.tokens, 0));
        self.unpaid = self.unpaid.max(begun + read);
    }

    fn count(&mut self, census: MemoryCensus) {
        let MemoryCensus { stored, unused, restated, junk, evidence, self_evidence } = census;
        self.censuses += 1;
        let rules = [
            (unused <= stored, "more items unused than stored"),
            (restated <= stored, "more items restated than stored"),
            (
                junk >= unused.max(restated) && junk <= stored.min(unused + restated),
                "junk isn't what is unused or restated",
            ),
            (self_evidence <= evidence, "more evidence self-fed than there is"),
        ];
        let broken = rules.into_iter().filter(|(holds, _)| !holds);
        self.odd_counts.extend(broken.map(|(_, name)| format!("{name}: {census:?}")));
    }
}

/// Candidates of an interview, made like those of a golem: an own set could test memories on situations that no golem meets.
fn candidates(asset: AssetIndex, moment: &Moment<'_>) -> Vec<Candidate> {
    let (quote, rules) = (moment.view.asset(asset), &moment.rules.golem);
    let stake = Usdc::from_dollars(rules.endowment_usdc * rules.max_position_share);
    let of = |strategy: Strategy| {
        let signal = quote.signals[strategy.index()];
        let side = signal.side(strategy)?;
        let cost_r = round_trip_cost_bps(quote, side, stake, moment.view.gas) * 1e-4 / signal.stop_distance;
        let prior_r = rules.prior_edge_r * signal.strength.abs() - cost_r;
        Some(Candidate { strategy, asset, side, signal, prior_r, cost_r })
    };
    Strategy::ALL.into_iter().filter_map(of).collect()
}

/// What of an advice decides anything.
fn says(advice: &Advice) -> (f64, f64, f64, bool) {
    (advice.expected_r, advice.confidence, advice.size_multiplier, advice.veto)
}

/// What an advice must not be.
fn oddity(advice: &Advice) -> Option<String> {
    let Advice { expected_r, confidence, size_multiplier, .. } = *advice;
    let wrong = [
        (!expected_r.is_finite(), "expected_r", expected_r),
        (!(0.0..=1.0).contains(&confidence), "confidence", confidence),
        (!(size_multiplier.is_finite() && size_multiplier >= 0.0), "size_multiplier", size_multiplier),
    ];
    wrong.into_iter().find(|(wrong, ..)| *wrong).map(|(_, name, value)| format!("{name} = {value}"))
}

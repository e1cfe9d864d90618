//! Orders of replay: which transition a learner backs up next (prioritized experience replay). The trait, its settings and the choice by
//! `order.kind` are here, the orders in files: `priority` has greedy, proportional and rank, `trajectory` recency, forward and backward,
//! `uniform` random; `none` has no file, the others have their own. `life` and `cliffwalk` call `begin` at a session and `choose` before
//! each backup; an order that has nothing to choose ends the session. `life` draws for `random` by a faster loop where no events are
//! counted. `OrderConfig` sets the priority exponent α, the priority floor, the sweeping threshold, and how `evb` reads gain (policy
//! improvement or a constant) and need. A `Backup` is a Bellman backup, of one or of n steps. All orders share one trait, so that a
//! comparison differs in the order alone. An `OrderKind` names a replay order (sampling strategy, scheduling), a `GainReading` the
//! gain computation (policy gain).

mod evb;
mod max_tree;
mod oracle;
mod priority;
pub mod specs;
mod sweeping;
mod trajectory;
mod uniform;

pub use evb::Evb;
pub(crate) use max_tree::MaxTree;
pub use oracle::Oracle;
pub use priority::{Greedy, Proportional, Rank};
pub use specs::Specs;
pub use sweeping::Sweeping;
pub use trajectory::{Along, Trajectory};
pub use uniform::Uniform;

use crate::memory::{Memory, Transition};
use crate::mind::Mind;
use morta_base::{Stream, keys};
use morta_engine::replay::ReplayConfig;

morta_base::words! {
    /// An order of replay.
    #[derive(Default)]
    pub enum OrderKind: Key {
        /// No replay at all.
        #[default]
        None = "none",
        /// At random, all alike (Sutton 1990).
        Random = "random",
        /// What was lived latest first, each pair once.
        Recency = "recency",
        /// The last lap from its beginning.
        Forward = "forward",
        /// The last lap from its end (Lin 1992).
        Backward = "backward",
        /// The largest |TD| first, as it was when last lived or replayed.
        Greedy = "greedy",
        /// At random in proportion to (|TD| + floor)^α (Schaul et al. 2016).
        Proportional = "proportional",
        /// At random in proportion to (1/rank)^α by |TD| (Schaul et al. 2016).
        Rank = "rank",
        /// The largest |TD|, its predecessors after it (Moore & Atkeson 1993; Peng & Williams 1993).
        Sweeping = "sweeping",
        /// The largest gain × need (Mattar & Daw 2018).
        Evb = "evb",
        /// The largest utility of the replay spec: what Morta's golems go by.
        Specs = "specs",
        /// The update that brings all values nearest to the truth: an upper bound, for worlds whose truth is known.
        Oracle = "oracle",
    }

    /// How gain is read.
    #[derive(Default)]
    pub enum GainReading: Key {
        /// What a backup does to the choice, summed over its steps.
        #[default]
        Policy = "policy",
        /// 1 for each step that a backup changes.
        OneEach = "one_each",
        /// 1 for a backup, however many steps it changes: the public code's switch as it stands.
        One = "one",
    }
}

keys! {
    /// An order with its constants; each order reads those that are its own.
    pub struct OrderConfig {
        /// Which.
        kind: OrderKind = OrderKind::None;
        /// α of proportional and rank.
        exponent: f64 = 0.6, in 0.0..=2.0, "exponent";
        /// Added to |TD| before proportional draws.
        floor: f64 = 1e-4, in 0.0..=1.0, "reward";
        /// |TD| from which sweeping queues a pair.
        threshold: f64 = 1e-4, in 0.0..=1.0, "reward";
        /// How EVB reads gain.
        gain: GainReading = GainReading::Policy;
        /// Whether EVB weighs by need; else need is 1 everywhere.
        need: bool = true;
        /// Whether EVB may lengthen the sequence under way by a greedy step.
        lengthen: bool = true;
        /// The replay spec's own constants, as in a scenario's `[dream.replay]`.
        replay: ReplayConfig = ReplayConfig::default();
        /// Whether the spec's utilities are worked out anew after each backup; a golem's dream chooses once, at its beginning.
        // True by default, because `evb`, with which it is compared, weighs anew after each backup as well.
        rescore: bool = true;
    }
}

/// A Bellman backup to be made, of one or of n steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backup {
    /// The transition.
    pub item: u32,
    /// Number of transitions of the running sequence that end with it: 1 for a single backup, more for an n-step backup of all of them.
    pub steps: u32,
}

/// A backup that was made, with its transition (executed Bellman backup).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Made {
    /// The choice.
    pub backup: Backup,
    /// The transition.
    pub step: Transition,
    /// The temporal-difference error before it.
    pub error: f64,
}

/// An order of replay, i.e. a strategy of prioritization: it chooses the next backup of a session. Each learner has a value of its own.
pub trait Order {
    /// A step was taken. Its value, which had the error `error`, is backed up already. `lineage` also calls it for each transition that an
    /// heir is handed, whose value isn't.
    fn lived(&mut self, _mind: &Mind, _item: u32, _error: f64) {}

    /// A session of at most `budget` backups begins.
    fn begin(&mut self, _mind: &Mind, _budget: usize) {}

    /// The next backup, given those of the session; `None` ends the session.
    fn choose(&mut self, mind: &Mind, made: &[Made], stream: &mut Stream) -> Option<Backup>;

    /// The last of these backups was made.
    fn made(&mut self, _mind: &Mind, _made: &[Made]) {}
}

/// Finds the steps (state-action pairs) whose values the last backup changed.
pub fn changed(made: &[Made]) -> &[Made] {
    let steps = made.last().map_or(0, |last| last.backup.steps as usize);
    &made[made.len() - steps..]
}

/// Makes one more backup of a session; false if the order has none (value update).
#[inline(always)]
pub fn back_up_next(
    mind: &mut Mind,
    order: &mut impl Order,
    made: &mut Vec<Made>,
    stream: &mut Stream,
) -> bool {
    let Some(backup) = order.choose(mind, made, stream) else { return false };
    let step = mind.memory.item(backup.item);
    let error = mind.back_up(step.entry, mind.target(backup.item));
    made.push(Made { backup, step, error });
    if backup.steps > 1 {
        back_up_before(mind, changed(made));
    }
    order.made(mind, made);
    true
}

/// Backs up the steps of a sequence before its last one, each with its n-step return. The sequence closes no loop, so the value at its end stays as
/// it was.
fn back_up_before(mind: &mut Mind, sequence: &[Made]) {
    let last = sequence[sequence.len() - 1];
    let mut target = mind.target(last.backup.item);
    for earlier in sequence[..sequence.len() - 1].iter().rev() {
        target = earlier.step.reward + mind.discount * target;
        mind.back_up(earlier.step.entry, target);
    }
}

/// An order of a file (static dispatch). It is an enum and not a table of functions, because drawing at random must cost no more than a plain loop.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "each variant is the order of its name")]
pub enum AnyOrder {
    None,
    Uniform(Uniform),
    Trajectory(Trajectory),
    Greedy(Greedy),
    Proportional(Proportional),
    Rank(Rank),
    Sweeping(Sweeping),
    Evb(Evb),
    Specs(Box<Specs>),
    Oracle(Oracle),
}

impl AnyOrder {
    /// Makes the order that a file asks for, over an empty memory; `truth` has the true values by entry, if they are known.
    pub fn new(config: &OrderConfig, memory: &Memory, truth: &[f64]) -> Self {
        match config.kind {
            OrderKind::None => Self::None,
            OrderKind::Random => Self::Uniform(Uniform),
            OrderKind::Recency => Self::Trajectory(Trajectory::new(Along::Recency)),
            OrderKind::Forward => Self::Trajectory(Trajectory::new(Along::Forward)),
            OrderKind::Backward => Self::Trajectory(Trajectory::new(Along::Backward)),
            OrderKind::Greedy => Self::Greedy(Greedy::new(memory)),
            OrderKind::Proportional => {
                Self::Proportional(Proportional::new(memory, config.exponent, config.floor))
            }
            OrderKind::Rank => Self::Rank(Rank::new(memory, config.exponent)),
            OrderKind::Sweeping => Self::Sweeping(Sweeping::new(memory, config.threshold)),
            OrderKind::Evb => Self::Evb(Evb::new(config)),
            OrderKind::Specs => Self::Specs(Box::new(Specs::new(config, memory.len()))),
            OrderKind::Oracle => Self::Oracle(Oracle::new(truth)),
        }
    }
}

/// Calls a method of the order; `None` has an answer of its own.
macro_rules! of_each {
    ($any:expr, $order:ident => $call:expr, else $none:expr) => {
        match $any {
            AnyOrder::None => $none,
            AnyOrder::Uniform($order) => $call,
            AnyOrder::Trajectory($order) => $call,
            AnyOrder::Greedy($order) => $call,
            AnyOrder::Proportional($order) => $call,
            AnyOrder::Rank($order) => $call,
            AnyOrder::Sweeping($order) => $call,
            AnyOrder::Evb($order) => $call,
            AnyOrder::Specs($order) => $call,
            AnyOrder::Oracle($order) => $call,
        }
    };
}

impl Order for AnyOrder {
    fn lived(&mut self, mind: &Mind, item: u32, error: f64) {
        of_each!(self, order => order.lived(mind, item, error), else {})
    }

    fn begin(&mut self, mind: &Mind, budget: usize) {
        of_each!(self, order => order.begin(mind, budget), else {})
    }

    #[inline(always)]
    fn choose(&mut self, mind: &Mind, made: &[Made], stream: &mut Stream) -> Option<Backup> {
        of_each!(self, order => order.choose(mind, made, stream), else None)
    }

    #[inline(always)]
    fn made(&mut self, mind: &Mind, made: &[Made]) {
        of_each!(self, order => order.made(mind, made), else {})
    }
}

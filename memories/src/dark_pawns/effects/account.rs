//! The measures of a table of decisions, encounters and costs.

use crate::dark_pawns::Valence;
use crate::dark_pawns::effects::{
    Choices, ENOUGH_COSTS, ENOUGH_DECISIONS, Fading, Stance, Strength, consequence, persistence,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

morta_base::words! {
    /// Whether the agent had a memory.
    pub enum Arm {
        /// It had one.
        Memory = "memory",
        /// It had none.
        None = "none",
    }
}

/// One decision before a stimulus.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// Whether the agent had a memory.
    pub arm: Arm,
    /// What it met.
    pub stimulus: String,
    /// What it did.
    pub action: String,
    /// Sessions since what it remembers; left out in curves when unknown.
    pub sessions: Option<u32>,
    /// Valence of what it remembers.
    pub valence: Option<Valence>,
}

/// Stances before and after an event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Encounter {
    /// Towards whom.
    pub entity: String,
    /// Stance before the event.
    pub before: Stance,
    /// Stance after it.
    pub after: Stance,
    /// Valence of the event.
    pub valence: Valence,
}

morta_base::words! {
    /// Where a memory is kept.
    pub enum Hosting {
        /// By the world.
        Server = "server",
        /// By the agent.
        Client = "client",
    }
}

/// What a decision cost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// Where the memory was kept.
    pub hosting: Hosting,
    /// Tokens it took.
    pub tokens: u64,
}

/// How much memory moved one action before one stimulus.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Persistence {
    /// What was met.
    pub stimulus: String,
    /// What was done.
    pub action: String,
    /// Choices with a memory.
    pub memory: Choices,
    /// Choices without one.
    pub none: Choices,
    /// The behavioural persistence score.
    pub bps: f64,
    /// How much that is.
    pub strength: Strength,
    /// Whether both arms have decisions enough.
    pub enough: bool,
}

/// A score some sessions later.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    /// Sessions since the event.
    pub sessions: u32,
    /// Mean over the stimuli of the score of the action that memory moved most.
    pub bps: f64,
}

/// How the score fades, for events of one strength of feeling.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Strength of feeling, 0 to 3.
    pub valence: u8,
    /// The score over time.
    pub points: Vec<CurvePoint>,
    /// The exponential through them, if there is one.
    pub fading: Option<Fading>,
    /// Sessions in which it halves.
    pub half_life_sessions: Option<f64>,
}

/// How an event changed the stance towards an entity, in the mean of all events with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SocialConsequence {
    /// Towards whom.
    pub entity: String,
    /// Events of some valence.
    pub events: u64,
    /// The social consequence score.
    pub scs: f64,
    /// How much that is.
    pub strength: Strength,
}

/// What memory did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Account {
    /// Scores of every action before every stimulus that both arms met; by stimulus, the most moved action first.
    pub persistence: Vec<Persistence>,
    /// How scores fade, by strength of feeling.
    pub curves: Vec<Curve>,
    /// Half-life after the strongest feeling over that after the weakest (3 over 1); the hypothesis is at least 2.
    pub half_life_ratio: Option<f64>,
    /// Changes of stance.
    pub consequences: Vec<SocialConsequence>,
    /// Tokens of a decision when the world keeps memory, over tokens when the agent does.
    pub cost_ratio: Option<f64>,
    /// Whether both sides of it have decisions enough.
    pub cost_enough: bool,
}

/// Takes the measures.
pub fn account(decisions: &[Decision], encounters: &[Encounter], costs: &[Cost]) -> Account {
    let persistence = scores(decisions);
    let curves = curves(decisions, &persistence);
    let half_life = |strength: u8| {
        curves.iter().find(|curve| curve.valence == strength).and_then(|curve| curve.half_life_sessions)
    };
    let half_life_ratio = half_life(3).zip(half_life(1)).map(|(strongest, weakest)| strongest / weakest);
    let (server, client) = (spent(costs, Hosting::Server), spent(costs, Hosting::Client));
    Account {
        half_life_ratio,
        persistence,
        curves,
        consequences: consequences(encounters),
        cost_ratio: mean(server).zip(mean(client).filter(|mean| *mean > 0.0)).map(|(s, c)| s / c),
        cost_enough: server.1 >= ENOUGH_COSTS && client.1 >= ENOUGH_COSTS,
    }
}

fn choices<'a>(decisions: impl Iterator<Item = &'a Decision>, action: &str) -> Choices {
    decisions.fold(Choices::default(), |so_far, decision| Choices {
        chosen: so_far.chosen + u64::from(decision.action == action),
        of: so_far.of + 1,
    })
}

fn scores(decisions: &[Decision]) -> Vec<Persistence> {
    let mut by_stimulus: BTreeMap<&str, Vec<&Decision>> = BTreeMap::new();
    for decision in decisions {
        by_stimulus.entry(&decision.stimulus).or_default().push(decision);
    }
    let mut all = Vec::new();
    for (stimulus, decisions) in by_stimulus {
        let arm = |arm| decisions.iter().copied().filter(move |decision| decision.arm == arm);
        let actions: BTreeSet<&str> = decisions.iter().map(|decision| decision.action.as_str()).collect();
        let score = |action: &str| {
            let (memory, none) = (choices(arm(Arm::Memory), action), choices(arm(Arm::None), action));
            let bps = persistence(memory, none)?;
            Some(Persistence {
                stimulus: stimulus.to_owned(),
                action: action.to_owned(),
                memory,
                none,
                bps,
                strength: Strength::of_persistence(bps),
                enough: memory.of.min(none.of) >= ENOUGH_DECISIONS,
            })
        };
        let mut scored: Vec<Persistence> = actions.into_iter().filter_map(score).collect();
        scored.sort_by(|a, b| b.bps.total_cmp(&a.bps));
        all.extend(scored);
    }
    all
}

/// At every time, each stimulus is judged by the action that memory moved most over all times, so that luck isn't chosen anew.
fn curves(decisions: &[Decision], scores: &[Persistence]) -> Vec<Curve> {
    let mut at: BTreeMap<(u8, u32, &str), Vec<&Decision>> = BTreeMap::new();
    for decision in decisions.iter().filter(|decision| decision.arm == Arm::Memory) {
        if let Some((valence, sessions)) = decision.valence.zip(decision.sessions) {
            at.entry((valence.get().unsigned_abs(), sessions, &decision.stimulus))
                .or_default()
                .push(decision);
        }
    }
    let mut points: BTreeMap<u8, BTreeMap<u32, (f64, f64)>> = BTreeMap::new();
    for ((valence, sessions, stimulus), decisions) in at {
        let Some(focus) = scores.iter().find(|score| score.stimulus == stimulus) else { continue };
        let Some(bps) = persistence(choices(decisions.into_iter(), &focus.action), focus.none) else {
            continue;
        };
        let sum = points.entry(valence).or_default().entry(sessions).or_default();
        *sum = (sum.0 + bps, sum.1 + 1.0);
    }
    let curve = |(valence, points): (u8, BTreeMap<u32, (f64, f64)>)| {
        let points: Vec<CurvePoint> = points
            .into_iter()
            .map(|(sessions, (sum, stimuli))| CurvePoint { sessions, bps: sum / stimuli })
            .collect();
        let pairs: Vec<(f64, f64)> = points.iter().map(|point| (point.sessions.into(), point.bps)).collect();
        let fading = Fading::fit(&pairs);
        Curve { valence, points, fading, half_life_sessions: fading.and_then(Fading::half_life) }
    };
    points.into_iter().map(curve).collect()
}

fn consequences(encounters: &[Encounter]) -> Vec<SocialConsequence> {
    let mut by_entity: BTreeMap<&str, (f64, u64)> = BTreeMap::new();
    for encounter in encounters {
        if let Some(score) = consequence(encounter.before, encounter.after, encounter.valence) {
            let sum = by_entity.entry(&encounter.entity).or_default();
            *sum = (sum.0 + score, sum.1 + 1);
        }
    }
    let mean = |(entity, (sum, events)): (&str, (f64, u64))| {
        let scs = sum / events as f64;
        let strength = Strength::of_consequence(scs);
        SocialConsequence { entity: entity.to_owned(), events, scs, strength }
    };
    by_entity.into_iter().map(mean).collect()
}

/// Tokens, and decisions that took them.
fn spent(costs: &[Cost], hosting: Hosting) -> (u64, u64) {
    let of = costs.iter().filter(|cost| cost.hosting == hosting);
    of.fold((0, 0), |(tokens, n), cost| (tokens.saturating_add(cost.tokens), n + 1))
}

fn mean((tokens, decisions): (u64, u64)) -> Option<f64> {
    (decisions > 0).then(|| tokens as f64 / decisions as f64)
}

//! The measures of memory's effects, from tables of decisions, encounters and costs. They are effect sizes of a treatment (memory) against a
//! control (none): probabilities 0 to 1, stances −2 to +2, costs in tokens. They are the original's, so that its claims can be tested with its
//! own measures. Classes and minimum numbers are shown beside the scores; nothing is tested for significance here. A command reads the
//! tables from a file; one of decisions can be written from the arms of a sweep.

use crate::dark_pawns::Valence;
use crate::dark_pawns::effects::{
    Choices, ENOUGH_COSTS, ENOUGH_DECISIONS, Fading, Stance, Strength, consequence, persistence,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

morta_base::words! {
    /// The arm of the experiment, treatment or control group (experimental arm, treatment and control).
    pub enum Arm {
        /// The agent had a memory.
        Memory = "memory",
        /// The agent had no memory.
        None = "none",
    }
}

/// One decision of an agent that met a stimulus: its choice of an action in response, one trial of the experiment with its arm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// The arm of the experiment.
    pub arm: Arm,
    /// The stimulus, by name.
    pub stimulus: String,
    /// The chosen action, by name.
    pub action: String,
    /// Sessions since the remembered event; a decision without it counts in no curve.
    pub sessions: Option<u32>,
    /// Valence of the remembered event; a decision without it counts in no curve.
    pub valence: Option<Valence>,
}

/// The stances towards an entity before and after an event (attitude change, pre-post).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Encounter {
    /// The entity, by name.
    pub entity: String,
    /// Stance before the event.
    pub before: Stance,
    /// Stance after it.
    pub after: Stance,
    /// Valence of the event.
    pub valence: Valence,
}

morta_base::words! {
    /// The side that keeps the memory: server-side or client-side.
    pub enum Hosting {
        /// The world's server.
        Server = "server",
        /// The agent's client.
        Client = "client",
    }
}

/// The cost of one decision, in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// The side that kept the memory.
    pub hosting: Hosting,
    /// Tokens of the decision.
    pub tokens: u64,
}

/// Behavioural persistence: the effect of memory on the probability of one action after one stimulus.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Persistence {
    /// The stimulus, by name.
    pub stimulus: String,
    /// The action, by name.
    pub action: String,
    /// Choices with a memory.
    pub memory: Choices,
    /// Choices without one.
    pub none: Choices,
    /// The behavioural persistence score, 0 to 1.
    pub bps: f64,
    /// The class of that score.
    pub strength: Strength,
    /// Whether both arms have at least [`ENOUGH_DECISIONS`].
    pub enough: bool,
}

/// The mean score at one distance from the event (a point of the decay curve).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    /// Sessions since the event.
    pub sessions: u32,
    /// Mean over the stimuli of the score of each one's focus action: the action that memory moved most over all times.
    pub bps: f64,
}

/// The decay curve of the score for events of one strength of feeling (exponential decay).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Strength of feeling: the absolute valence, 0 to 3.
    pub valence: u8,
    /// Scores by sessions since the event, in rising order.
    pub points: Vec<CurvePoint>,
    /// The exponential fitted to the points; `None` with fewer than two positive scores.
    pub fading: Option<Fading>,
    /// Sessions in which the fitted score halves; `None` when it doesn't fall.
    pub half_life_sessions: Option<f64>,
}

/// The mean stance change (attitude change) towards an entity over all events with it: its social consequence score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SocialConsequence {
    /// The entity, by name.
    pub entity: String,
    /// Number of events with a valence other than 0.
    pub events: u64,
    /// The social consequence score.
    pub scs: f64,
    /// The class of that score.
    pub strength: Strength,
}

/// All measures of memory's effects: a report of effect sizes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Account {
    /// Scores of every action after every stimulus that both arms met; by stimulus, the most moved action first.
    pub persistence: Vec<Persistence>,
    /// Decay curves of the scores, by strength of feeling.
    pub curves: Vec<Curve>,
    /// Half-life after the strongest feeling (3) over that after the weakest (1); the original's hypothesis is at least 2. `None` without both.
    pub half_life_ratio: Option<f64>,
    /// Social consequences, by entity.
    pub consequences: Vec<SocialConsequence>,
    /// Mean tokens of a decision with a server's memory over those with a client's; `None` without both.
    pub cost_ratio: Option<f64>,
    /// Whether both sides of the cost ratio have at least [`ENOUGH_COSTS`] decisions.
    pub cost_enough: bool,
}

/// Computes all measures from the three tables (effect sizes).
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

/// How often an action was chosen among decisions.
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

/// The decay curves. At every time each stimulus is scored by the action that memory moved most over all times. If the largest score were chosen
/// anew at every time, chance alone would keep the curve up.
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

/// The sum of tokens and the number of decisions of one hosting.
fn spent(costs: &[Cost], hosting: Hosting) -> (u64, u64) {
    let hosted = costs.iter().filter(|cost| cost.hosting == hosting);
    hosted.fold((0, 0), |(tokens, n), cost| (tokens.saturating_add(cost.tokens), n + 1))
}

fn mean((tokens, decisions): (u64, u64)) -> Option<f64> {
    (decisions > 0).then(|| tokens as f64 / decisions as f64)
}

//! The state of one golem, from the events that have been taken in.

use crate::run::follow::Mode;
use morta_base::{GolemId, RuleId, Tick};
use morta_engine::daimon::{Emotion, Pad};
use morta_engine::dream::DreamPhase;
use morta_engine::event::{Event, EventKind};
use serde::Serialize;
use std::collections::BTreeMap;

/// Most draws and rules that are listed of one golem (our choice: more than a reader takes in).
const LISTED_MAX: usize = 50;

/// A golem, living or dead.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Person {
    pub(super) cohort: u16,
    pub(super) parent: Option<String>,
    pub(super) born: Tick,
    /// `None` once it is dead.
    pub(super) mode: Option<Mode>,
    pub(super) died: Option<Tick>,
    pub(super) cause: Option<String>,
    endowment_usd: f64,
    trades: u32,
    wins: u32,
    pub(super) total_r: f64,
    vitality: Option<f64>,
    pub(super) pad: Option<[f64; 3]>,
    pub(super) mood: Option<String>,
    dreams: u32,
    last_dream: Option<String>,
    pub(super) dreaming: Option<Dreaming>,
    /// Rules in force: the claim in words, and the confidence in it.
    #[serde(serialize_with = "as_list")]
    rules: BTreeMap<RuleId, (String, f64)>,
    drew: Vec<String>,
    pub(super) course: Course,
}

/// Points of each course that are kept of one golem: about what a figure has pixels for.
const COURSE_MAX: usize = 240;

/// What a golem did and felt, by tick.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Course {
    /// Closed trades with the R made until then.
    total_r: Vec<(Tick, f64)>,
    /// Dreams: when each began and ended; the last may be under way.
    dreams: Vec<(Tick, Option<Tick>)>,
    /// Pleasure, arousal and dominance, -1 to 1.
    moods: Vec<(Tick, [f64; 3])>,
}

impl Course {
    /// Notes whether it dreams from now on.
    pub(super) fn sleeps(&mut self, now: Tick, is_dreaming: bool) {
        if let Some((_, end @ None)) = self.dreams.last_mut() {
            *end = (!is_dreaming).then_some(now);
        } else if is_dreaming {
            push(&mut self.dreams, (now, None));
        }
    }
}

/// Adds a point; of too many, every other of those before goes.
fn push<T>(points: &mut Vec<T>, point: T) {
    if points.len() >= COURSE_MAX {
        let mut place = 0;
        points.retain(|_| {
            place += 1;
            // The even places, and `COURSE_MAX` is even, so that the last point stays: it may be a dream under way, whose end is still to be entered.
            place % 2 == 0
        });
    }
    points.push(point);
}

/// A dream under way.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Dreaming {
    pub(super) dream: u32,
    pub(super) phase: DreamPhase,
    pub(super) share_done: f64,
    pub(super) spent_usd: f64,
}

impl Person {
    pub(super) fn new(cohort: u16, parent: Option<GolemId>, born: Tick, endowment_usd: f64) -> Self {
        Self {
            cohort,
            parent: parent.map(|parent| parent.to_string()),
            born,
            mode: Some(Mode::Awake),
            died: None,
            cause: None,
            endowment_usd,
            trades: 0,
            wins: 0,
            total_r: 0.0,
            vitality: None,
            pad: None,
            mood: None,
            dreams: 0,
            last_dream: None,
            dreaming: None,
            rules: BTreeMap::new(),
            drew: Vec::new(),
            course: Course::default(),
        }
    }

    /// Takes in an event of the golem.
    pub(super) fn live(&mut self, event: &Event) {
        match &event.kind {
            EventKind::TradeClosed { episode, .. } => {
                let r = episode.realised_r;
                self.trades += 1;
                self.wins += u32::from(r > 0.0);
                self.total_r += r;
                push(&mut self.course.total_r, (event.tick, self.total_r));
            }
            EventKind::VitalityUpdate { vitality, .. } => self.vitality = Some(*vitality),
            EventKind::MoodUpdate { pad, label, .. } => self.feel(event.tick, *pad, *label),
            EventKind::EmotionalShift { pad, to, .. } => self.feel(event.tick, *pad, *to),
            EventKind::RuleAdmitted { id, claim, confidence, .. } if self.rules.len() < LISTED_MAX => {
                self.rules.insert(*id, (claim.to_string(), *confidence));
            }
            EventKind::RuleRetired { id, .. } => {
                self.rules.remove(id);
            }
            EventKind::BloodstainDrawn { id, .. } if self.drew.len() < LISTED_MAX => {
                self.drew.push(id.to_string())
            }
            EventKind::DreamCompleted { id, journal, cost, .. } => {
                self.dreams += 1;
                self.last_dream = Some(format!(
                    "dream {} ended at tick {} after {} ticks: quality {:.2}, {} paid",
                    id.number, event.tick, journal.dream_duration_ticks, journal.dream_quality_score, cost
                ));
            }
            _ => {}
        }
    }

    /// Drops the parts of a dead golem's state that take room; its counts and its cause of death stay, for the tree of its descendants.
    pub(super) fn forget(&mut self) {
        self.rules.clear();
        self.drew.clear();
        (self.course, self.last_dream) = (Course::default(), None);
    }

    fn feel(&mut self, now: Tick, pad: Pad, label: Emotion) {
        push(&mut self.course.moods, (now, [pad.pleasure, pad.arousal, pad.dominance]));
        self.pad = Some([pad.pleasure, pad.arousal, pad.dominance]);
        self.mood = Some(label.name().to_owned());
    }
}

fn as_list<S: serde::Serializer>(
    rules: &BTreeMap<RuleId, (String, f64)>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(rules.values())
}

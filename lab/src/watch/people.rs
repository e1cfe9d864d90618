//! What is known of one golem from what has been told.

use crate::run::follow::Mode;
use morta_base::{GolemId, RuleId, Tick};
use morta_engine::daimon::{Emotion, Pad};
use morta_engine::dream::DreamPhase;
use morta_engine::event::{Event, EventKind};
use serde::Serialize;
use std::collections::BTreeMap;

/// Draws and rules that are told of one golem.
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
    total_r: f64,
    vitality: Option<f64>,
    pub(super) pad: Option<[f64; 3]>,
    pub(super) mood: Option<String>,
    dreams: u32,
    last_dream: Option<String>,
    pub(super) dreaming: Option<Dreaming>,
    /// What is in force, and how far it is trusted.
    #[serde(serialize_with = "as_list")]
    rules: BTreeMap<RuleId, (String, f64)>,
    drew: Vec<String>,
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
        }
    }

    /// Takes in what happened to it.
    pub(super) fn live(&mut self, event: &Event) {
        match &event.kind {
            EventKind::TradeClosed { episode, .. } => {
                let r = episode.realised_r;
                self.trades += 1;
                self.wins += u32::from(r > 0.0);
                self.total_r += r;
            }
            EventKind::VitalityUpdate { vitality, .. } => self.vitality = Some(*vitality),
            EventKind::MoodUpdate { pad, label, .. } => self.feel(*pad, *label),
            EventKind::EmotionalShift { pad, to, .. } => self.feel(*pad, *to),
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
            EventKind::LifeEnded(life) if life.cause.is_some() => {
                // The dead are many, and what they knew is in the run's tables.
                self.rules.clear();
                self.drew.clear();
                self.last_dream = None;
            }
            _ => {}
        }
    }

    fn feel(&mut self, pad: Pad, label: Emotion) {
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

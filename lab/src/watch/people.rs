//! The state of one golem, from the events that have been taken in (read model, event projection): its course, its rules, its inheritance.
//! Results are R, moods are −1 to 1 (PAD model), moments are ticks. Points of a course are thinned when there are too many (240), so that
//! memory stays bounded; at most 50 rules and draws are listed. The dead before the last 500 keep no course, rules, draws or last dream.

use super::parts::{self, Parts, cell, each, figure, golem};
use crate::io::text::markup::escape;
use crate::run::follow::Mode;
use morta_base::{GolemId, RuleId, Tick};
use morta_engine::daimon::{Emotion, Pad};
use morta_engine::dream::DreamPhase;
use morta_engine::event::{Event, EventKind};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Most draws and rules that are listed of one golem (our choice: more than a reader takes in).
const LISTED_MAX: usize = 50;

/// A golem, living or dead (read model).
#[derive(Clone, Debug, Default)]
pub(super) struct Person {
    pub(super) cohort: u16,
    pub(super) parent: Option<String>,
    pub(super) born: Tick,
    /// `None` once it is dead.
    pub(super) mode: Option<Mode>,
    pub(super) died: Option<Tick>,
    pub(super) cause: Option<&'static str>,
    endowment_usd: f64,
    trades: u32,
    wins: u32,
    pub(super) total_r: f64,
    vitality: Option<f64>,
    pub(super) pad: Option<[f64; 3]>,
    pub(super) mood: Option<&'static str>,
    dreams: u32,
    last_dream: Option<String>,
    pub(super) dreaming: Option<Dreaming>,
    /// What is in force, and how far it was trusted when it was admitted, 0 to 1.
    rules: BTreeMap<RuleId, (String, f64)>,
    /// Bloodstains that it drew, at most fifty.
    drew: Vec<String>,
    pub(super) course: Course,
}

/// Points of each course that are kept of one golem: about what a figure has pixels for.
const COURSE_MAX: usize = 240;

/// What a golem did and felt, by tick (time series of one agent).
#[derive(Clone, Debug, Default)]
pub(super) struct Course {
    /// Closed trades with the R made until then.
    total_r: Vec<(Tick, f64)>,
    /// Dreams: when each began and ended; the last may be under way.
    dreams: Vec<(Tick, Option<Tick>)>,
    /// Pleasure, arousal and dominance, -1 to 1.
    moods: Vec<(Tick, [f64; 3])>,
}

impl Course {
    /// Notes whether it dreams from now on (opens or closes an interval).
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

/// A dream under way (progress of a dream).
#[derive(Clone, Debug)]
pub(super) struct Dreaming {
    pub(super) dream: u32,
    pub(super) phase: DreamPhase,
    pub(super) share_done: f64,
    pub(super) spent_usd: f64,
}

impl Dreaming {
    /// Its dreamer's row in the table of dreams under way.
    pub(super) fn row(&self, id: GolemId, person: &Person) -> String {
        let (phase, done) = (parts::words(self.phase.name()), format!("{:.0} %", self.share_done * 100.0));
        let paid = format!("${:.4}", self.spent_usd);
        [cell(golem(id)), figure(self.dream), cell(phase), figure(done), figure(paid), cell(person.in_mood())]
            .concat()
    }
}

/// Numbers of colours that no cohort has.
mod colour {
    pub(super) const DREAMS: u32 = 7;
    pub(super) const TRADES: u32 = 8;
    pub(super) const MOOD: [(&str, u32); 3] = [("pleasure", 8), ("arousal", 11), ("dominance", 10)];
}

impl Person {
    pub(super) fn new(cohort: u16, parent: Option<GolemId>, born: Tick, endowment_usd: f64) -> Self {
        Self {
            cohort,
            parent: parent.map(|parent| parent.to_string()),
            born,
            mode: Some(Mode::Awake),
            endowment_usd,
            ..Self::default()
        }
    }

    /// Takes in an event of the golem (projection).
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
        self.mood = Some(label.name());
    }
    fn in_mood(&self) -> String {
        let mood = |pad: [f64; 3]| {
            let [pleasure, arousal, dominance] = pad;
            let name = parts::or_dash(self.mood, str::to_owned);
            format!("{name} ({pleasure:.2}, {arousal:.2}, {dominance:.2})")
        };
        parts::or_dash(self.pad, mood)
    }

    /// Writes the parts of its page (renders HTML fragments).
    pub(super) fn write(&self, cohort: &str, ancestors: &[String], page: &mut Parts) {
        let state = match (self.died, self.mode) {
            (Some(tick), _) => ("died", format!("tick {tick}: {}", parts::words(self.cause.unwrap_or("")))),
            (None, mode) => ("mode", parts::or_dash(mode, |mode| mode.name().to_owned())),
        };
        let facts = [
            ("cohort", escape(cohort)),
            ("born", format!("tick {}", self.born)),
            state,
            ("endowment", format!("${:.2}", self.endowment_usd)),
            (
                "trades",
                format!("{}, of which {} won; {:.2} R together", self.trades, self.wins, self.total_r),
            ),
            ("vitality", parts::or_dash(self.vitality, |vitality| format!("{vitality:.2}"))),
            ("mood", self.in_mood()),
            ("dreams", self.dreams.to_string()),
            ("last dream", parts::or_dash(self.last_dream.as_deref(), escape)),
            (
                "inherited",
                parts::or_dash(Some(&self.drew).filter(|drew| !drew.is_empty()), |drew| drew.join(", ")),
            ),
        ];
        page.markup("golem-facts", format!("<dl>{}</dl>", parts::facts(&facts)));
        let mut more = String::new();
        if !ancestors.is_empty() {
            let names: Vec<String> = ancestors.iter().map(golem).collect();
            more.push_str(&format!("<h3>Ancestors</h3><p>{}</p>", names.join(" ")));
        }
        if !self.rules.is_empty() {
            let rule = |(claim, trust): &(String, f64)| format!("{} (trust {trust:.2})", escape(claim));
            more.push_str(&format!(
                "<h3>Playbook</h3><ul>{}</ul>",
                each("li", self.rules.values().map(rule))
            ));
        }
        page.markup("golem-more", more);
    }

    /// Its course until a tick, as the page's script draws it (chart data); nothing when nothing has happened yet.
    pub(super) fn figures(&self, now: Tick) -> Vec<Value> {
        let Course { total_r, dreams, moods } = &self.course;
        if total_r.is_empty() && moods.is_empty() {
            return Vec::new();
        }
        let asleep: Vec<Value> = dreams
            .iter()
            .map(|(from, to)| json!({ "name": "dreaming", "colour": colour::DREAMS, "from": from, "to": to.unwrap_or(now) }))
            .collect();
        let made: Vec<(Tick, f64)> =
            std::iter::once((self.born, 0.0)).chain(total_r.iter().copied()).collect();
        let feeling = |(at, (name, colour)): (usize, (&str, u32))| {
            let points: Vec<(Tick, f64)> = moods.iter().map(|(tick, pad)| (*tick, pad[at])).collect();
            json!({ "name": name, "colour": colour, "points": points })
        };
        let feelings: Vec<Value> = colour::MOOD.into_iter().enumerate().map(feeling).collect();
        let made = json!([{ "name": "R", "colour": colour::TRADES, "points": made }]);
        vec![
            json!({ "title": "R made by trades until then", "step": true, "lines": made, "shades": asleep }),
            json!({ "title": "mood (-1 to 1)", "step": true, "lines": feelings, "shades": asleep }),
        ]
    }
}

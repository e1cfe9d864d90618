//! Forgetting curves: the mean salience (strength of retention) of events, dream by dream, for each strength of feeling (digest sections 5
//! and 9). It is a retention curve with a half-life in dreams. Forgotten events count as 0, because a mean of survivors alone would stay
//! above the threshold of pruning. A command replays dreams to draw them; memory itself doesn't read them.

use crate::dark_pawns::dream::event_node;
use crate::dark_pawns::effects::Fading;
use crate::dark_pawns::{Event, LogGraph, Valence};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A point of the forgetting curve: the salience of events at one distance from them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SaliencePoint {
    /// Dreams since the events, the one after their session included; from 1.
    pub dreams: u32,
    /// Number of events that are at least this old.
    pub events: u64,
    /// Share of them that is still in the graph, 0 to 1.
    pub remembered: f64,
    /// Their mean salience, 0 to 1. Forgotten events count 0: a mean over the survivors would stay above the threshold of pruning.
    pub salience: f64,
}

/// The forgetting curve of events of one strength of feeling: their salience, dream by dream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SalienceCurve {
    /// Strength of feeling at the event: the absolute valence, 0 to 3.
    pub valence: u8,
    /// Number of events.
    pub events: u64,
    /// Points from the first dream on.
    pub points: Vec<SaliencePoint>,
    /// The exponential fitted to the mean salience; `None` with fewer than two positive points.
    pub fading: Option<Fading>,
    /// Dreams in which the fitted salience halves; `None` when it doesn't fall.
    pub half_life_dreams: Option<f64>,
}

/// The record of events of one strength of feeling.
#[derive(Clone, Debug, Default)]
struct StrengthRecord {
    /// Number of events, by the dream that added them.
    by_dream: BTreeMap<u32, u64>,
    /// Number of remembered events and the sum of their salience, by dreams since.
    left: BTreeMap<u32, (u64, f64)>,
}

/// A record of the salience of events over an agent's dreams.
#[derive(Clone, Debug, Default)]
pub struct SalienceLog {
    /// Dreams so far.
    dreams: u32,
    /// The dream that added an event, and its strength, until it is forgotten.
    remembered: BTreeMap<String, (u32, u8)>,
    /// By strength of feeling, 0 to 3.
    seen: BTreeMap<u8, StrengthRecord>,
}

impl SalienceLog {
    /// Records a dream: the events that it added, and the graph after it (retention).
    pub fn note(&mut self, events: &[Event], graph: &LogGraph) {
        self.dreams += 1;
        for event in events {
            let strength = event.valence.get().unsigned_abs();
            let born = (self.dreams, strength);
            if self.remembered.insert(event_node(event), born).is_none() {
                *self.seen.entry(strength).or_default().by_dream.entry(self.dreams).or_default() += 1;
            }
        }
        let (dreams, seen) = (self.dreams, &mut self.seen);
        self.remembered.retain(|name, (born, strength)| {
            let Some(node) = graph.node(name) else { return false };
            let left = seen.entry(*strength).or_default().left.entry(dreams - *born + 1).or_default();
            *left = (left.0 + 1, left.1 + node.salience);
            true
        });
    }

    /// The forgetting curves, the weakest feeling first.
    pub fn curves(&self) -> Vec<SalienceCurve> {
        self.seen.iter().map(|(strength, seen)| self.curve(*strength, seen)).collect()
    }

    fn curve(&self, valence: u8, seen: &StrengthRecord) -> SalienceCurve {
        // Events of the last dreams are left out of points further away than those dreams: their salience isn't known yet.
        let old_enough = |dreams: u32| seen.by_dream.range(..=self.dreams + 1 - dreams).map(|(_, n)| n).sum();
        let point = |dreams: u32| {
            let events: u64 = old_enough(dreams);
            let (remembered, salience) = seen.left.get(&dreams).copied().unwrap_or_default();
            let of_all = |sum: f64| sum / events as f64;
            let (remembered, salience) = (of_all(remembered as f64), of_all(salience));
            (events > 0).then_some(SaliencePoint { dreams, events, remembered, salience })
        };
        let points: Vec<SaliencePoint> = (1..=self.dreams).map_while(point).collect();
        let pairs: Vec<(f64, f64)> =
            points.iter().map(|point| (point.dreams.into(), point.salience)).collect();
        let fading = Fading::fit(&pairs);
        let half_life_dreams = fading.and_then(Fading::half_life);
        SalienceCurve { valence, events: seen.by_dream.values().sum(), points, fading, half_life_dreams }
    }
}

/// The ratio of half-lives: that after the strongest feeling (3) over that after the weakest (1); `None` without both. The original's
/// hypothesis is at least 2.
pub fn half_life_ratio(curves: &[SalienceCurve]) -> Option<f64> {
    let half_life = |strength: u8| curves.iter().find(|curve| curve.valence == strength)?.half_life_dreams;
    Some(half_life(Valence::MOST.unsigned_abs())? / half_life(1)?)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]
mod tests {
    use super::*;
    use crate::dark_pawns::{DreamRules, Extractor, FirstSalience, ForgettingForm, SessionEntry, dream};
    use morta_base::math::pow;

    /// The curves after fights of two strengths in the first session and sessions without events after it.
    fn curves(rules: &DreamRules, sessions: u32) -> Vec<SalienceCurve> {
        let fight = |second: u32, level: i64| {
            let line = format!(
                r#"{{"timestamp":"2026-01-12T15:00:{second:02}Z","room_vnum":1,"action":"kill","args":["m{second}"],"agent_level":20,"mob_level":{level}}}"#
            );
            SessionEntry::parse(line.as_bytes()).unwrap()
        };
        let mut extractor = Extractor::default();
        let turns = [fight(1, 15), fight(2, 15), fight(3, 40)];
        let events: Vec<Event> = turns.iter().flat_map(|turn| extractor.extract("a", turn, rules)).collect();
        let (mut graph, mut log) = (LogGraph::default(), SalienceLog::default());
        for session in 0..sessions {
            let events = if session == 0 { &events[..] } else { &[] };
            dream(&mut graph, "a", 1, events, rules);
            log.note(events, &graph);
        }
        log.curves()
    }

    #[test]
    fn every_feeling_fades_alike_and_is_forgotten_in_the_tenth_dream_by_default() {
        let curves = curves(&DreamRules::default(), 12);
        let events: Vec<(u8, u64)> = curves.iter().map(|curve| (curve.valence, curve.events)).collect();
        assert_eq!(events, [(1, 2), (3, 1)]);
        for curve in &curves {
            let at = |dreams: usize| (curve.points[dreams - 1].remembered, curve.points[dreams - 1].salience);
            assert!((at(1).1 - 0.9).abs() < 1e-12 && (at(9).1 - 0.1).abs() < 1e-12, "{curve:?}");
            assert_eq!((at(9).0, at(10)), (1.0, (0.0, 0.0)));
            assert_eq!(curve.points.len(), 12);
        }
        assert_eq!(half_life_ratio(&curves), Some(1.0));
    }

    #[test]
    fn strong_feelings_fade_at_three_quarters_of_the_rate_by_feeling() {
        let rules =
            DreamRules { fading: ForgettingForm::ByFeeling, half_life_dreams: 30.0, ..DreamRules::default() };
        let curves = curves(&rules, 30);
        let last = |curve: &SalienceCurve| curve.points[29].salience;
        assert!((last(&curves[0]) - 0.5).abs() < 1e-9, "{:?}", curves[0]);
        assert!((last(&curves[1]) - pow(0.5, 0.75)).abs() < 1e-9, "{:?}", curves[1]);
        assert!((half_life_ratio(&curves).unwrap() - 4.0 / 3.0).abs() < 1e-9);
        assert!((curves[1].half_life_dreams.unwrap() - 40.0).abs() < 1e-9);
    }

    #[test]
    fn positive_events_begin_with_more_salience_by_the_servers_rule() {
        let rules = DreamRules { first_salience: FirstSalience::Felt, ..DreamRules::default() };
        let curves = curves(&rules, 1);
        // 0.5 + v/10 + 0.1 for a new entity, less 0.1 for a dream.
        assert!((curves[0].points[0].salience - 0.6).abs() < 1e-12, "{:?}", curves[0]);
        assert!((curves[1].points[0].salience - 0.8).abs() < 1e-12, "{:?}", curves[1]);
    }
}

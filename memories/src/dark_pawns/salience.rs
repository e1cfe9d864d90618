//! Salience curves: how strongly what happened is still remembered, dream by dream, for each strength of feeling (digest sections 5 and 9).

use crate::dark_pawns::dream::name_of;
use crate::dark_pawns::effects::Fading;
use crate::dark_pawns::{Event, LogGraph, Valence};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is left of events, so many dreams later.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SaliencePoint {
    /// Dreams since they happened, that after their session included.
    pub dreams: u32,
    /// Events that were that long ago.
    pub events: u64,
    /// Share of them that is remembered, 0 to 1.
    pub remembered: f64,
    /// Their mean salience, 0 to 1; what is forgotten counts 0.
    pub salience: f64,
}

/// How events of one strength of feeling fade.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SalienceCurve {
    /// Strength of feeling when they happened, 0 to 3.
    pub valence: u8,
    /// Events.
    pub events: u64,
    /// What is left of them, from the first dream on.
    pub points: Vec<SaliencePoint>,
    /// The exponential through the mean salience, if there is one.
    pub fading: Option<Fading>,
    /// Dreams in which it halves.
    pub half_life_dreams: Option<f64>,
}

/// What was seen of the events of one strength.
#[derive(Clone, Debug, Default)]
struct Seen {
    /// Events by the dream that they came into.
    by_dream: BTreeMap<u32, u64>,
    /// How many were remembered, and the sum of their salience, by dreams since.
    left: BTreeMap<u32, (u64, f64)>,
}

/// Looks on while an agent dreams.
#[derive(Clone, Debug, Default)]
pub struct SalienceLog {
    dreams: u32,
    /// The dream that an event came into, and its strength, until it is forgotten.
    remembered: BTreeMap<String, (u32, u8)>,
    seen: BTreeMap<u8, Seen>,
}

impl SalienceLog {
    /// After a dream: the events that it took in, and the graph that it left.
    pub fn note(&mut self, events: &[Event], graph: &LogGraph) {
        self.dreams += 1;
        for event in events {
            let strength = event.valence.get().unsigned_abs();
            let born = (self.dreams, strength);
            if self.remembered.insert(name_of(event), born).is_none() {
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

    /// The curves, the weakest feeling first.
    pub fn curves(&self) -> Vec<SalienceCurve> {
        self.seen.iter().map(|(strength, seen)| self.curve(*strength, seen)).collect()
    }

    fn curve(&self, valence: u8, seen: &Seen) -> SalienceCurve {
        // Of those of the last dreams it isn't known yet.
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

/// Half-life after the strongest feeling over that after the weakest (3 over 1); the original's hypothesis is at least 2.
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

    /// Fights in the first session, by how far the opponent outlevels the agent; then sessions in which nothing happens.
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
    fn by_the_document_every_feeling_fades_alike_and_is_gone_in_the_tenth_dream() {
        let curves = curves(&DreamRules::default(), 12);
        let told: Vec<(u8, u64)> = curves.iter().map(|curve| (curve.valence, curve.events)).collect();
        assert_eq!(told, [(1, 2), (3, 1)]);
        for curve in &curves {
            let at = |dreams: usize| (curve.points[dreams - 1].remembered, curve.points[dreams - 1].salience);
            assert!((at(1).1 - 0.9).abs() < 1e-12 && (at(9).1 - 0.1).abs() < 1e-12, "{curve:?}");
            assert_eq!((at(9).0, at(10)), (1.0, (0.0, 0.0)));
            assert_eq!(curve.points.len(), 12);
        }
        assert_eq!(half_life_ratio(&curves), Some(1.0));
    }

    #[test]
    fn by_feeling_the_strong_fade_at_three_quarters_of_the_rate() {
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
    fn what_feels_good_begins_stronger_by_the_servers_rule() {
        let rules = DreamRules { first_salience: FirstSalience::Felt, ..DreamRules::default() };
        let curves = curves(&rules, 1);
        // .5 + v/10 + .1 for somebody new, less a dream.
        assert!((curves[0].points[0].salience - 0.6).abs() < 1e-12, "{:?}", curves[0]);
        assert!((curves[1].points[0].salience - 0.8).abs() < 1e-12, "{:?}", curves[1]);
    }
}

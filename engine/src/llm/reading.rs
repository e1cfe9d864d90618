//! The simulated model as a reader of a memory's summary: it uses the words alone, like a real model.
//!
//! It knows two kinds of lines. A relation is the valence of a subject with the number of meetings ("momentum when volatile —
//! dangerous (met 4 times)"); an event is a result with its subject ("Lost 1.20 R by momentum when volatile, on asset 0."). Of a
//! subject with n results, each read with the tier's noise times temperature / .4, and a relation of valence v (trusted ally 3 to
//! dangerous −2) met m times, the stance is
//!
//! (Σ results + 2 · v/3 · m/(m + 2)) / (n + 2), held to −1 … 1:
//!
//! the mean result in R, shrunk by two imagined results of the size that the relation suggests. Stances of a size below 0.1 aren't given; a
//! tier gives no more of them than of patterns, those with most evidence, and invents one at its rate of hallucination times temperature /
//! .4. Lines of any other form are passed over. It is a keyword parser (sentiment lexicon) with shrinkage: the mock stands in for
//! retrieval-augmented prompting. Among the shipped memories only Dark Pawns has its summary read so, when there is news for it: after a
//! sleep of its own and after an inheritance, if its purse can pay. The stances then tilt its choice of strategies. An invented stance may
//! be below 0.1.

use crate::llm::reader::{LEAST_EFFECT_R, Reader, SHRINKAGE, hallucinate};
use crate::llm::task::Stance;
use crate::market::{Regime, Strategy};
use morta_base::Stream;
use std::collections::BTreeMap;

/// The words of a summary for relations, with their valences (digest of Dark Pawns, section 6); those that `relation` of `morta_memories`
/// writes.
pub const RELATIONS: [(&str, f64); 6] = [
    ("trusted ally", 3.0),
    ("friendly", 2.0),
    ("acquaintance", 1.0),
    ("met", 0.0),
    ("unfriendly", -1.0),
    ("dangerous", -2.0),
];
const GREATEST_VALENCE: f64 = 3.0;

/// The record of one subject in a summary.
#[derive(Default)]
struct SubjectRecord {
    valence: f64,
    met: f64,
    results: Vec<f64>,
}

/// The stances that a text suggests, those with most evidence first.
pub(super) fn stances(text: &str, reader: &Reader<'_>, stream: &mut Stream) -> Vec<Stance> {
    let mut found: Vec<(f64, Stance)> = Vec::new();
    for ((strategy, regime), record) in subjects(text) {
        let read: f64 = record.results.iter().map(|r| r + reader.noise_r * stream.normal()).sum();
        let usual = record.valence / GREATEST_VALENCE * record.met / (record.met + SHRINKAGE);
        let results = record.results.len() as f64;
        let expected = (read + SHRINKAGE * usual) / (results + SHRINKAGE);
        if expected.abs() >= LEAST_EFFECT_R {
            let stance = Stance { strategy, regime, strength: expected.clamp(-1.0, 1.0) };
            found.push((expected.abs() * record.met.max(results).sqrt(), stance));
        }
    }
    found.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let mut stances: Vec<Stance> = found.into_iter().map(|(_, stance)| stance).collect();
    let most = reader.tier.max_patterns as usize;
    stances.truncate(most);
    if !text.is_empty() && stream.chance(reader.invention) {
        stances.truncate(most.saturating_sub(1));
        let claim = hallucinate(stream).claim;
        let (strategy, regime) = (claim.strategy, claim.pattern.regime);
        stances.push(Stance { strategy, regime, strength: claim.expected_r });
    }
    stances
}

fn subjects(text: &str) -> BTreeMap<(Strategy, Option<Regime>), SubjectRecord> {
    let mut subjects: BTreeMap<(Strategy, Option<Regime>), SubjectRecord> = BTreeMap::new();
    for line in text.lines() {
        if let Some((subject, valence, met)) = relation(line) {
            let record = subjects.entry(subject).or_default();
            (record.valence, record.met) = (valence, met);
        } else if let Some((subject, result_r)) = result(line) {
            subjects.entry(subject).or_default().results.push(result_r);
        }
    }
    subjects
}

fn relation(line: &str) -> Option<((Strategy, Option<Regime>), f64, f64)> {
    let (label, rest) = line.split_once(" — ")?;
    let (word, met) = rest.split_once(" (met ")?;
    let (_, valence) = RELATIONS.into_iter().find(|(known, _)| *known == word)?;
    Some((subject(label)?, valence, met.split(' ').next()?.parse().ok()?))
}

fn result(line: &str) -> Option<((Strategy, Option<Regime>), f64)> {
    let (sign, rest) = match line.strip_prefix("Made ") {
        Some(rest) => (1.0, rest),
        None => (-1.0, line.strip_prefix("Lost ")?),
    };
    let (size, rest) = rest.split_once(" R by ")?;
    let (label, _) = rest.split_once(", on ")?;
    let size: f64 = size.parse().ok()?;
    Some((subject(label)?, sign * size))
}

fn subject(label: &str) -> Option<(Strategy, Option<Regime>)> {
    let (strategy, regime) = match label.split_once(" when ") {
        Some((strategy, regime)) => (strategy, Some(regime)),
        None => (label, None),
    };
    let is = |name: &str, words: &str| name.replace('_', " ") == words;
    let strategy = Strategy::ALL.into_iter().find(|known| is(known.name(), strategy))?;
    match regime {
        None => Some((strategy, None)),
        Some(words) => {
            let regime = Regime::ALL.into_iter().find(|known| is(known.name(), words))?;
            Some((strategy, Some(regime)))
        }
    }
}

//! How the simulated model reads a memory's summary: from its words alone, as a model would.
//!
//! It knows two kinds of lines. A relation says what somebody is to the reader and how often they met ("momentum when volatile — dangerous
//! (met 4 times)"); an event says what was made or lost by whom ("Lost 1.20 R by momentum when volatile, on asset 0."). Of a subject
//! with n results, read with the tier's noise, and a relation of valence v (trusted ally 3 to dangerous −2) met m times, the stance is
//!
//! (Σ results + 2 · v/3 · m/(m + 2)) / (n + 2), held to −1 … 1:
//!
//! the mean result in R, shrunk by two imagined results of what the relation says is usual. Stances smaller than 0.1 aren't told; a tier
//! tells no more of them than of patterns, those with most behind them, and makes one up as often as it does elsewhere.

use crate::llm::reader::{LEAST_EFFECT_R, Reader, SHRINKAGE, hallucinate};
use crate::llm::task::Stance;
use crate::market::{Regime, Strategy};
use morta_base::Stream;
use std::collections::BTreeMap;

/// What a summary calls somebody, and the valence that stands for (digest of Dark Pawns, section 6).
pub const RELATIONS: [(&str, f64); 6] = [
    ("trusted ally", 3.0),
    ("friendly", 2.0),
    ("acquaintance", 1.0),
    ("met", 0.0),
    ("unfriendly", -1.0),
    ("dangerous", -2.0),
];
const GREATEST_VALENCE: f64 = 3.0;

/// What a summary says of one subject.
#[derive(Default)]
struct SubjectRecord {
    valence: f64,
    met: f64,
    results: Vec<f64>,
}

/// The stances a text suggests, those with most behind them first.
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

#[cfg(test)]
mod tests {
    use crate::llm::{Reply, Stance, Task, Tier, TierConfig, simulated};
    use crate::market::{Regime, Strategy};
    use morta_base::{Purpose, Stream, WorldSeed};

    const TEXT: &str = "## Memory\n\n### Session 1 — Jan 2 at 3:00 PM – 4:00 PM\n\n\
        Lost 1.20 R by momentum when volatile, on asset 0 (a difficult moment).\n\
        Lost 0.80 R by momentum when volatile, on asset 1 (unpleasant).\n\
        Made 0.10 R by breakout when range bound, on asset 0.\n\n### Relationships\n\n\
        momentum when volatile — dangerous (met 2 times)\nmean reversion — friendly (met 6 times)\n\
        breakout — met (met 3 times)\nasset 0 — unfriendly (met 3 times)\nmagic when volatile — trusted ally (met 9 times)\n";

    fn read(text: &str, tier: &TierConfig, tick: u64) -> Vec<Stance> {
        let mut stream: Stream = WorldSeed(1).world(Purpose::LlmReader, 0, tick);
        match simulated::answer(&Task::Read, Some(text), tier, reader::SOBER_TEMPERATURE, &mut stream) {
            Reply::Stances(stances) => stances,
            other => panic!("{other:?}"),
        }
    }

    fn perfect() -> TierConfig {
        TierConfig { reading_noise_r: 0.0, hallucination_rate: 0.0, ..TierConfig::of(Tier::T0) }
    }

    /// Momentum: (−2 + 2·(−2/3)·(2/4)) / 4 = −2/3; mean reversion: 2·(2/3)·(6/8) / 2 = ½; of nothing else is there enough.
    #[test]
    fn stances_come_from_words_alone() {
        let found = read(TEXT, &perfect(), 0);
        let brief = |s: &Stance| (s.strategy, s.regime);
        let expected = [(Strategy::MeanReversion, None), (Strategy::Momentum, Some(Regime::Volatile))];
        assert_eq!(found.iter().map(brief).collect::<Vec<_>>(), expected);
        assert!((found[0].strength - 0.5).abs() < 1e-12 && (found[1].strength + 2.0 / 3.0).abs() < 1e-12);
        assert!(read("", &perfect(), 0).is_empty());
        assert!(read("No such words here.\n — (met \nMade R by\n", &perfect(), 0).is_empty());
        let one = TierConfig { max_patterns: 1, ..perfect() };
        assert_eq!(read(TEXT, &one, 0).len(), 1);
    }

    /// As often as the tier makes things up elsewhere.
    #[test]
    fn a_poor_reader_makes_stances_up() {
        let tier = TierConfig { hallucination_rate: 0.2, ..perfect() };
        let n = 5_000;
        let made_up = (0..n).filter(|&tick| !read("Nothing.\n", &tier, tick).is_empty()).count() as f64;
        // Four standard errors of a share of .2.
        assert!((0.2 * n as f64 - made_up).abs() < 4.0 * (n as f64 * 0.2 * 0.8).sqrt(), "{made_up}");
    }
}

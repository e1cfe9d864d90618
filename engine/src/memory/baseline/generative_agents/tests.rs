//! The paper's formulas, held by numbers worked out by hand.

use super::super::tests::{expected_r, lived};
use super::reflection::questions;
use super::stream::min_max;
use super::*;
use crate::common::memory::waking;
use crate::llm::LlmConfig;
use crate::market::{Regime, Strategy};
use morta_base::{EpisodeId, GolemId, Usdc};

const MOMENTUM: Subject = Subject { strategy: Strategy::Momentum, asset: 0, regime: Regime::Volatile };
const BREAKOUT: Subject = Subject { strategy: Strategy::Breakout, ..MOMENTUM };

/// A record of an observation: (subject, R, importance, tick, embedding).
fn record(
    number: u32,
    subject: Subject,
    said_r: f64,
    importance: f64,
    at: Tick,
    embedding: [f32; 2],
) -> StreamRecord {
    StreamRecord {
        origin: Origin::Observed(EpisodeId { golem: GolemId::founder(0), number }),
        subject,
        said_r,
        importance,
        last_retrieved: at,
        embedding: embedding.into(),
    }
}

fn stream(tick_hours: f64, records: impl IntoIterator<Item = StreamRecord>) -> Stream {
    let mut stream = Stream::new(tick_hours);
    records.into_iter().for_each(|record| stream.keep(record, 100));
    stream
}

fn number(record: &StreamRecord) -> u32 {
    match record.source() {
        VoiceSource::Episode(id) => id.number,
        other => panic!("{other:?} is no observation"),
    }
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
}

/// Not surprised and calm: 1. 1.5 R of 3: 1 + 4.5, rounded. An arousal of .8 is more than a surprise of a third: 1 + 7.2, rounded. 9 R: 10.
#[test]
fn importance_is_on_the_papers_scale() {
    for (surprise, arousal, expected) in [(0.0, 0.0, 1.0), (1.5, 0.0, 6.0), (1.0, 0.8, 8.0), (9.0, 0.1, 10.0)]
    {
        assert_eq!(importance(surprise, arousal, 3.0), expected, "surprise {surprise}, arousal {arousal}");
    }
}

#[test]
fn min_max_scales_to_the_unit_interval_and_equals_to_a_half() {
    let mut values = [2.0, 6.0, 3.0];
    min_max(&mut values);
    assert_eq!(values, [0.0, 1.0, 0.25]);
    let mut alike = [4.0, 4.0];
    min_max(&mut alike);
    assert_eq!(alike, [0.5, 0.5]);
}

/// Ticks of 30 minutes. At tick 200 the records were last retrieved 100, 1 and 0 hours ago: .995^100 = 0.605770436, .995 and 1, scaled to
/// 0, .987317034 and 1. Importances 2, 10, 6 scale to 0, 1, .5. Cosines 1, 0, −1 scale to 1, .5, 0.
#[test]
fn scores_are_recency_importance_and_relevance_by_the_paper() {
    let stream = stream(
        0.5,
        [
            record(0, MOMENTUM, 0.0, 2.0, 0, [1.0, 0.0]),
            record(1, MOMENTUM, 0.0, 10.0, 198, [0.0, 3.0]),
            record(2, MOMENTUM, 0.0, 6.0, 200, [-2.0, 0.0]),
        ],
    );
    let query = Query { now: 200, embedding: &[1.0, 0.0] };
    let scores = stream.scores(query, &GenerativeAgentsConfig::default());
    let scaled = (0.995 - 0.605_770_436_490_728) / (1.0 - 0.605_770_436_490_728);
    near(scaled, 0.987_317_034_380_953);
    scores.iter().zip([1.0, scaled + 1.5, 1.5]).for_each(|(found, expected)| near(*found, expected));

    // Relevance counts twice.
    let weighed = GenerativeAgentsConfig { relevance_weight: 2.0, ..Default::default() };
    let scores = stream.scores(query, &weighed);
    scores.iter().zip([2.0, scaled + 2.0, 1.5]).for_each(|(found, expected)| near(*found, expected));
}

/// Alike in importance and relevance, the first is the staler; retrieved in a decision that was acted on, it is the fresher.
#[test]
fn a_retrieved_record_is_fresh_again() {
    let here = [1.0, 0.0];
    let mut stream =
        stream(1.0, [record(0, MOMENTUM, 0.0, 5.0, 0, here), record(1, MOMENTUM, 0.0, 5.0, 50, here)]);
    let config = GenerativeAgentsConfig { retrieved: 1, ..Default::default() };
    let query = Query { now: 100, embedding: &here };
    assert_eq!(number(stream.retrieve(query, &config)[0]), 1);
    let first = stream.latest(2).next().expect("it is kept").source();
    stream.retrieved(&[first], 80);
    assert_eq!(number(stream.retrieve(query, &config)[0]), 0);
}

/// Of one trade each: in a market like the second's relevance brings the second (prior 0 of weight 3: 3/4), in one like the first's the
/// first, where relevance counts more than recency and importance together.
#[test]
fn retrieved_records_speak() {
    let trades = [(Strategy::Momentum, 1.0, [1.0, 0.0]), (Strategy::Momentum, 3.0, [0.0, 1.0])];
    let one = GenerativeAgentsConfig { retrieved: 1, ..Default::default() };
    let memory = lived(GenerativeAgents::new(one.clone(), 1.0), &trades);
    near(expected_r(&memory, Strategy::Momentum, &[0.0, 1.0]), 0.75);
    near(expected_r(&memory, Strategy::Breakout, &[0.0, 1.0]), 0.0);
    let by_likeness = GenerativeAgentsConfig { relevance_weight: 3.0, ..one };
    let memory = lived(GenerativeAgents::new(by_likeness, 1.0), &trades);
    near(expected_r(&memory, Strategy::Momentum, &[1.0, 0.0]), 0.25);
}

/// Of the last four records breakouts weigh 9 + 2, momentum 5 + 5: breakouts are asked about first; the one that came before them is out.
#[test]
fn questions_are_about_what_weighs_most_of_late() {
    let here = [1.0, 0.0];
    let records = [(MOMENTUM, 10.0), (BREAKOUT, 9.0), (MOMENTUM, 5.0), (BREAKOUT, 2.0), (MOMENTUM, 5.0)];
    let records = records.into_iter().zip(0..);
    let stream = stream(1.0, records.map(|((subject, weight), n)| record(n, subject, 0.0, weight, 0, here)));
    let asked = |latest, count| {
        let config =
            GenerativeAgentsConfig { reflected_records: latest, questions: count, ..Default::default() };
        questions(&stream, &config)
    };
    assert_eq!(asked(4, 3), [BREAKOUT, MOMENTUM]);
    assert_eq!(asked(5, 1), [MOMENTUM]);
}

/// Momentum made 1 and 2 R, in markets (1, 0) and (0, 1): the reflection says 1.5, at their centre, and names both. Another one that
/// has only itself to add says nothing new.
#[test]
fn a_reflection_says_what_its_sources_come_to_and_names_them() {
    let mut stream = stream(
        1.0,
        [record(0, MOMENTUM, 1.0, 5.0, 0, [1.0, 0.0]), record(1, MOMENTUM, 2.0, 5.0, 0, [0.0, 1.0])],
    );
    let config = GenerativeAgentsConfig { surprise_of_ten_r: 1.5, ..Default::default() };
    let drawn = reflect(&stream, 9, 4, &config);
    let [first] = drawn.records.as_slice() else { panic!("one question is answered: {drawn:?}") };
    assert_eq!((first.said_r, first.importance, first.last_retrieved), (1.5, 10.0, 9));
    assert_eq!((first.subject, first.source()), (MOMENTUM, VoiceSource::Note(4)));
    assert_eq!(*first.embedding, [0.5, 0.5]);
    let Origin::Reflected { drawn_from, .. } = &first.origin else { panic!("it was concluded") };
    let mut numbers: Vec<VoiceSource> = drawn_from.clone();
    numbers.sort();
    let sources: Vec<VoiceSource> = stream.latest(2).map(StreamRecord::source).collect();
    assert_eq!((numbers, drawn.restates), (sources, vec![false]));
    stream.keep(first.clone(), 100);
    assert_eq!(reflect(&stream, 10, 5, &config).restates, [true]);
    stream.keep(record(2, MOMENTUM, 3.0, 5.0, 9, [1.0, 0.0]), 100);
    assert_eq!(reflect(&stream, 10, 5, &config).restates, [false]);
}

fn attention(llm: &LlmConfig, inference_left: Usdc) -> Attention<'_> {
    Attention { inference_left, ..waking(50, llm) }
}

/// Reflects once importance is above the threshold and the money is there: two of weight 10 for a threshold of 19.
#[test]
fn a_golem_with_enough_importance_reflects_and_pays() {
    let llm = LlmConfig::default();
    let config = GenerativeAgentsConfig {
        reflection_threshold: 19.0,
        surprise_of_ten_r: 0.01,
        questions: 1,
        reflection_weight: 5.0,
        ..Default::default()
    };
    let trades = [(Strategy::Momentum, 4.0, [1.0, 0.0]), (Strategy::Momentum, 8.0, [1.0, 0.0])];
    let mut early = lived(GenerativeAgents::new(config.clone(), 1.0), &trades[..1]);
    assert_eq!(early.attend(&attention(&llm, Usdc(1_000_000))), Attended::default());

    let mut memory = lived(GenerativeAgents::new(config, 1.0), &trades);
    assert_eq!(memory.attend(&attention(&llm, Usdc(100))), Attended::default(), "it can't be paid for");
    let attended = memory.attend(&attention(&llm, Usdc(1_000_000)));
    let [done] = attended.upkeep.as_slice() else { panic!("{attended:?}") };
    // 400 tokens of context for each of two calls, 40 for each of two records twice; two answers of 60.
    assert_eq!(done.tokens, Some((crate::llm::Tier::T0, 960, 120)));
    assert_eq!((done.kind, done.seen, done.made), (UpkeepKind::Reflection, 2, 1));
    assert_eq!(done.cost(&llm), Usdc(390));
    assert_eq!(memory.attend(&attention(&llm, Usdc(1_000_000))), Attended::default(), "it has reflected");
    let census = memory.census();
    assert_eq!((census.stored, census.unused), (3, 1), "the reflection hasn't been called on yet");
    // Trades of 4 and 8, five times 6, and three imagined of 0.
    near(expected_r(&memory, Strategy::Momentum, &[1.0, 0.0]), 42.0 / 10.0);
}

//! Reflection: questions from the latest records, and answers from the records retrieved for them (Park et al. 2023, section 4.2;
//! summarisation of a memory stream).
//!
//! Importance runs from 1 to 10, answers are mean results in R. Here an answer is a mean and not a model's sentence, so that it can be
//! tested. A question is a strategy on an asset in a regime; one that no retrieved record is about stays open.

use super::GenerativeAgentsConfig;
use super::stream::{Origin, Query, Stream, StreamRecord, Subject, importance};
use crate::memory::contract::VoiceSource;
use morta_base::Tick;
use morta_base::moments::mean;
use std::collections::BTreeMap;

/// One reflection: a batch of synthesised memories (higher-level inferences) with their provenance.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Reflection {
    /// The conclusions, in the order of the questions.
    pub records: Vec<StreamRecord>,
    /// Whether each repeats an earlier one: it rests on nothing that an earlier one on the same subject didn't.
    pub restates: Vec<bool>,
}

/// Selects topics by salience: subjects of the latest records with the highest summed importance, the highest first.
pub(super) fn questions(stream: &Stream, config: &GenerativeAgentsConfig) -> Vec<Subject> {
    let mut salience: BTreeMap<Subject, f64> = BTreeMap::new();
    for record in stream.latest(config.reflected_records) {
        *salience.entry(record.subject).or_default() += record.importance;
    }
    let mut ranked: Vec<(Subject, f64)> = salience.into_iter().collect();
    ranked.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    ranked.truncate(config.questions as usize);
    ranked.into_iter().map(|(subject, _)| subject).collect()
}

/// Synthesises higher-level memories (insights): answers each question from the records retrieved for it; one that no retrieved record is
/// about stays open. Numbers go on from `next`.
pub(super) fn reflect(
    stream: &Stream,
    now: Tick,
    mut next: u32,
    config: &GenerativeAgentsConfig,
) -> Reflection {
    let mut reflection = Reflection::default();
    for subject in questions(stream, config) {
        let Some(record) = answer(stream, subject, now, next, config) else { continue };
        reflection.restates.push(restates(stream, &record));
        reflection.records.push(record);
        next += 1;
    }
    reflection
}

/// The query of a question: the mean market of the records that raised it.
fn answer(
    stream: &Stream,
    subject: Subject,
    now: Tick,
    number: u32,
    config: &GenerativeAgentsConfig,
) -> Option<StreamRecord> {
    let raised = stream.latest(config.reflected_records).filter(|record| record.subject == subject);
    let embedding = centre(raised)?;
    let retrieved = stream.retrieve(Query { now, embedding: &embedding }, config);
    let about = retrieved.into_iter().filter(|record| record.subject == subject);
    let said_r = mean(about.clone().map(|record| record.said_r))?;
    let drawn_from = about.clone().map(StreamRecord::source).collect();
    Some(StreamRecord {
        origin: Origin::Reflected { number, drawn_from },
        subject,
        said_r,
        importance: importance(said_r, 0.0, config.surprise_of_ten_r),
        last_retrieved: now,
        embedding: centre(about)?,
    })
}

/// The mean of their embeddings, added in their order; none of none.
fn centre<'a>(records: impl Iterator<Item = &'a StreamRecord> + Clone) -> Option<Box<[f32]>> {
    let dimensions = records.clone().next()?.embedding.len();
    let of_axis = |axis: usize| mean(records.clone().map(|record| f64::from(record.embedding[axis])));
    (0..dimensions).map(|axis| of_axis(axis).map(|mean| mean as f32)).collect()
}

/// Whether an earlier reflection on the same subject rests on every source of this one.
fn restates(stream: &Stream, new: &StreamRecord) -> bool {
    let sources = |record: &StreamRecord| match &record.origin {
        Origin::Reflected { drawn_from, .. } => drawn_from.clone(),
        Origin::Observed(_) => Vec::new(),
    };
    let of_new: Vec<VoiceSource> = sources(new);
    let covers = |earlier: &StreamRecord| {
        let of_earlier = sources(earlier);
        let itself = earlier.source();
        of_new.iter().all(|source| *source == itself || of_earlier.contains(source))
    };
    stream.reflections().filter(|earlier| earlier.subject == new.subject).any(covers)
}

//! The contents of a cassette, for people and programs: numbers of calls and token counts by task and model (aggregates, group by), or
//! single calls with prompts and replies. It exists so that a cassette can be reviewed and its price be reckoned without a model; prices
//! are not in it. Ticks and golems are those of the first asker of each call. `morta cassette inspect` prints it, of several files as one.

use super::{Cassette, CassetteEntry};
use crate::io::text::View;
use morta_engine::llm::outside::FinishReason;
use serde::Serialize;
use std::collections::BTreeMap;

/// Calls of one task, or of one model (aggregate of a group).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
struct Sum {
    calls: u64,
    input_tokens: u64,
    output_tokens: u64,
    stopped: u64,
    cut_off: u64,
    ended_otherwise: u64,
}

impl Sum {
    fn add(&mut self, CassetteEntry { reply, .. }: &CassetteEntry) {
        self.calls += 1;
        self.input_tokens += u64::from(reply.input_tokens);
        self.output_tokens += u64::from(reply.output_tokens);
        *match reply.finish {
            FinishReason::Stop => &mut self.stopped,
            FinishReason::Length => &mut self.cut_off,
            FinishReason::Other => &mut self.ended_otherwise,
        } += 1;
    }

    fn line(&self, name: &str) -> String {
        let Self { calls, input_tokens, output_tokens, stopped, cut_off, ended_otherwise } = self;
        format!(
            "  {name:<24} {calls:>8} {input_tokens:>12} {output_tokens:>12} {stopped:>9} {cut_off:>9} {ended_otherwise:>9}"
        )
    }
}

/// A summary of a cassette: its calls, and their token usage by task and model.
#[derive(Debug, Serialize)]
pub struct CassetteListing {
    hash: String,
    golems: usize,
    first_tick: Option<u64>,
    last_tick: Option<u64>,
    all: Sum,
    by_task: BTreeMap<String, Sum>,
    by_model: BTreeMap<String, Sum>,
}

impl Cassette {
    /// Summarises all calls, with the token usage by task and by model.
    pub fn listing(&self) -> CassetteListing {
        let (mut all, mut by_task, mut by_model) = (Sum::default(), BTreeMap::new(), BTreeMap::new());
        for entry in self.entries() {
            all.add(entry);
            by_task.entry(entry.request.schema_name.clone()).or_insert_with(Sum::default).add(entry);
            by_model.entry(entry.request.model.clone()).or_insert_with(Sum::default).add(entry);
        }
        let golems: std::collections::BTreeSet<&str> =
            self.entries().map(|entry| entry.asker.golem.as_str()).collect();
        CassetteListing {
            hash: self.hash(),
            golems: golems.len(),
            first_tick: self.entries().map(|entry| entry.asker.tick).min(),
            last_tick: self.entries().map(|entry| entry.asker.tick).max(),
            all,
            by_task,
            by_model,
        }
    }

    /// Filters the calls: those whose keys begin so and whose first asker is this golem, as far as either is given, by tick. Calls of one
    /// tick are sorted by key, because threads ask in no fixed order.
    pub fn selected(&self, key: Option<&str>, golem: Option<&str>) -> EntryListing {
        let is_meant = |entry: &&CassetteEntry| {
            key.is_none_or(|key| entry.key.0.starts_with(&key.to_ascii_lowercase()))
                && golem.is_none_or(|golem| entry.asker.golem.eq_ignore_ascii_case(golem))
        };
        let mut calls: Vec<CassetteEntry> = self.entries().filter(is_meant).cloned().collect();
        calls.sort_by(|a, b| (a.asker.tick, &a.key).cmp(&(b.asker.tick, &b.key)));
        EntryListing { calls }
    }
}

impl View for CassetteListing {
    fn lines(&self) -> Vec<String> {
        let Self { hash, golems, first_tick, last_tick, all, by_task, by_model } = self;
        let ticks = first_tick.zip(*last_tick).map_or(String::new(), |(a, b)| format!(", ticks {a} to {b}"));
        let mut lines =
            vec![format!("{} calls of {golems} golems{ticks}; content {hash}", all.calls), String::new()];
        let names = ["calls", "tokens read", "written", "stopped", "cut off", "otherwise"];
        for (title, sums) in [("by task", by_task), ("by model", by_model)] {
            let [calls, read, written, stopped, cut, other] = names;
            lines.push(format!(
                "  {title:<24} {calls:>8} {read:>12} {written:>12} {stopped:>9} {cut:>9} {other:>9}"
            ));
            lines.extend(sums.iter().map(|(name, sum)| sum.line(name)));
            lines.push(String::new());
        }
        lines.push(all.line("all"));
        lines
    }
}

/// Calls in full, with prompts and completions, for review.
#[derive(Debug, Serialize)]
pub struct EntryListing {
    calls: Vec<CassetteEntry>,
}

impl EntryListing {
    /// Whether the filter met no call, which the command refuses.
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }
}

impl View for EntryListing {
    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for CassetteEntry { key, asker, request, reply } in &self.calls {
            lines.push(format!("call {key}"));
            lines.push(format!(
                "asked in {} at tick {}: task {}",
                asker.dream, asker.tick, request.schema_name
            ));
            let (model, temperature, most, seed) =
                (&request.model, request.temperature, request.max_tokens, request.seed);
            lines.push(format!(
                "model {model}, temperature {temperature}, at most {most} tokens, seed {seed}"
            ));
            for message in &request.messages {
                lines.push(format!("--- {}", message.role));
                lines.extend(message.content.lines().map(str::to_owned));
            }
            lines.push(format!(
                "--- reply of {} ({}; {} tokens read, {} written)",
                reply.model, reply.finish, reply.input_tokens, reply.output_tokens
            ));
            lines.extend(reply.text.lines().map(str::to_owned));
            lines.push(String::new());
        }
        lines
    }
}

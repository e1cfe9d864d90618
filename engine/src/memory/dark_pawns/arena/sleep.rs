//! The memory looks after itself: it keeps the time, sees wounds, dreams, and has something to read.

use super::{Clock, DarkPawns};
use crate::llm::Task;
use crate::memory::{Attended, Attention, MemorySummary, Upkeep, UpkeepKind};
use morta_memories::dark_pawns::{estimated_tokens, summary};

impl DarkPawns {
    /// In a waking moment: dreams when it is time and nothing is held; hands over a summary at birth, once something was inherited,
    /// and on waking, if reading it can be paid for.
    pub(in crate::memory) fn attend(&mut self, attention: &Attention<'_>) -> Attended {
        let Attention { tick, time_s, tick_seconds, equity, idle, .. } = *attention;
        self.clock = Some(Clock { tick, time_s, tick_seconds });
        self.peak = self.peak.max(equity);
        if !idle {
            self.lowest = Some(self.lowest.map_or(equity, |lowest| lowest.min(equity)));
        }
        let interval = u64::from(self.config.dream_interval_ticks);
        let due = *self.next_dream.get_or_insert(tick + interval);
        let mut attended = Attended::default();
        if idle && tick >= due {
            attended.upkeep.push(self.dream());
            attended.asleep_ticks = self.config.dream_ticks;
            self.next_dream = Some(tick + u64::from(self.config.dream_ticks) + interval);
        }
        attended.summary = self.something_to_read(attention);
        attended.reads = attended.summary.is_some() && self.asks_a_model();
        attended
    }

    /// All memories fade, the faint are forgotten, and so is what stood behind them. It needs no model.
    fn dream(&mut self) -> Upkeep {
        let seen = self.graph.len() as u32;
        let dropped = self.graph.consolidate(self.config.decay_rate, self.config.prune_threshold) as u32;
        let graph = &self.graph;
        self.traces.retain(|node, _| graph.node(node).is_some());
        self.wounds.retain(|id, _| graph.node(&super::MarketNode::Lived(*id)).is_some());
        self.unread = true;
        Upkeep {
            kind: UpkeepKind::Consolidation,
            seen,
            made: 0,
            merged: 0,
            promoted: 0,
            dropped,
            tokens: None,
        }
    }

    fn something_to_read(&mut self, attention: &Attention<'_>) -> Option<MemorySummary> {
        if !std::mem::take(&mut self.unread) {
            return None;
        }
        let text = summary(&self.graph, &self.config.rules(), self.config.summary_tokens);
        if text.is_empty() {
            return None;
        }
        let tokens = estimated_tokens(&text) as u32;
        let tier = self.config.summary_tier;
        let model = attention.llm.tier(tier);
        let (read, written) = if self.asks_a_model() {
            (model.tokens_read(Some(&text), &Task::Read), Task::Read.max_output_tokens())
        } else {
            (tokens, 0)
        };
        let affordable = model.price(read, written) <= attention.inference_left;
        affordable.then_some(MemorySummary { text, tokens, tier })
    }

    /// Where nothing is felt, or readings don't count, nothing is asked.
    fn asks_a_model(&self) -> bool {
        self.config.valence && self.config.reading_weight > 0.0
    }
}

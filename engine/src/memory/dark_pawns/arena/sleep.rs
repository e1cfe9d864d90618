//! Dreams, the summary that the golem reads, and the stances of its reader: decay and pruning of the graph (synaptic downscaling), then
//! a prompt-sized summary.
//!
//! Salience runs from 0 to 1, the summary is in tokens, stances run from −1 to 1. A dream is due 24 waking ticks after the last one by
//! default, waits until no position is held and no order is out, takes a tick in which nothing is decided, and costs no money. A summary is
//! due after a dream and after an inheritance; reading it costs money, and one that the purse can't pay is skipped until there is news
//! again. Faded memories are pruned, so that what is felt often stands out.

use super::DarkPawns;
use crate::llm::{Stance, Task};
use crate::memory::{Attention, MemorySummary, Reads, Upkeep, UpkeepKind};
use morta_memories::dark_pawns::{estimated_tokens, summary};

impl DarkPawns {
    /// Dreams: all memories lose salience, the faint are pruned, and with them their traces (digest section 5: −.1, pruned below .05). It
    /// needs no model.
    pub(super) fn dream(&mut self) -> Upkeep {
        let seen = self.graph.len() as u32;
        let dropped = self.graph.consolidate(self.config.decay_rate, self.config.prune_threshold) as u32;
        let graph = &self.graph;
        self.traces.retain(|node, _| graph.node(node).is_some());
        self.wounds.retain(|id, _| graph.node(&super::MarketNode::Lived(*id)).is_some());
        self.unread = true;
        Upkeep { dropped, ..Upkeep::new(UpkeepKind::Consolidation, seen) }
    }

    /// The summary for the golem, if there is news since the last one and the purse can pay for reading it. It is offered once, paid or
    /// not.
    pub(super) fn something_to_read(&mut self, attention: &Attention<'_>) -> Option<MemorySummary> {
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

    /// Whether a model is asked: not where nothing is felt, or readings have no weight.
    pub(super) fn asks_a_model(&self) -> bool {
        self.config.valence && self.config.reading_weight > 0.0
    }
}

impl Reads for DarkPawns {
    /// Replaces the stances on the last summary.
    fn receive_stances(&mut self, stances: Vec<Stance>) {
        self.read = stances;
    }
}

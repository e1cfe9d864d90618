//! The doors between a memory and its dreams: what a dream may read, and how its report comes in.

use super::Bardo;
use crate::base::Tick;
use crate::dream::integration::{self, IntegrationOutcome, Mind};
use crate::dream::{DreamConfig, DreamReport, DreamView};
use crate::llm::LlmConfig;
use crate::replay::ReplayContext;

impl Bardo {
    /// What a dream may read.
    pub fn dream_view<'a>(
        &'a self,
        now: ReplayContext<'a>,
        config: &'a DreamConfig,
        llm: &'a LlmConfig,
    ) -> DreamView<'a> {
        DreamView { grimoire: &self.grimoire, insights: &self.insights, now, config, llm }
    }

    /// Takes in what a dream concluded; replayed episodes gain `strengthen` of strength.
    pub fn integrate(&mut self, report: &mut DreamReport, now: Tick, strengthen: f64) -> IntegrationOutcome {
        let mut mind = Mind {
            grimoire: &mut self.grimoire,
            insights: &mut self.insights,
            staging: &mut self.staging,
            validated: &mut self.validated,
            tallies: &mut self.tallies,
            playbook: &mut self.playbook,
            next_rule: &mut self.next_rule,
        };
        let outcome =
            integration::integrate(report, self.golem, now, &mut mind, &self.consolidation, strengthen);
        self.unreplayed = 0;
        outcome
    }
}

//! The doors between a memory and its dreams: what a dream may read, and how its report comes in.

use super::{Bardo, DraftLesson};
use crate::base::{EpisodeId, Tick};
use crate::dream::cycle::Finding;
use crate::dream::integration::{self, IntegrationOutcome, Mind};
use crate::dream::micro::{self, MicroConfig, MicroOutcome, WakingMind};
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

    /// A waking glance at new episodes. The playbook is out of its reach.
    pub fn consolidate_awake(&mut self, fresh: &[EpisodeId], config: &MicroConfig) -> MicroOutcome {
        let mut mind = WakingMind { grimoire: &mut self.grimoire, insights: &mut self.insights };
        micro::consolidate(&mut mind, fresh, config)
    }

    /// Puts findings that won't be tested any more into the draft of the testament; a later one on the same subject replaces
    /// an earlier one.
    pub fn draft_testament(&mut self, findings: &[Finding]) {
        let (hypothesis, insight) =
            (self.consolidation.hypothesis_confidence, self.consolidation.insight_confidence);
        for Finding { pattern, hypothesis: imagined } in findings {
            self.draft.retain(|known| !known.claim.same_subject(&pattern.claim));
            self.draft.push(DraftLesson {
                claim: pattern.claim,
                confidence: if *imagined { hypothesis } else { insight },
                learned_from: pattern.learned_from.clone(),
            });
        }
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

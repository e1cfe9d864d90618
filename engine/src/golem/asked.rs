//! Questions of a golem to a model outside its dreams, and their answers: how it reads its memory, what it makes of recurring themes,
//! and how a happening feels.
//!
//! Answers come a tick later or more, so each question waits under a dream number of its own, and is matched by it. It is a table of
//! pending asynchronous requests with correlation ids. Costs are in dollars, latencies in ticks. The caller pays for an answer before it is
//! heard here; a dying golem neither hears nor pays it. Where no use can be made of a reply, memory stays as it was and the rule table
//! feels.

use crate::daimon::{Appraisal, Happening, MoodCause};
use crate::dream::cycle::Question;
use crate::event::EventKind;
use crate::golem::{Golem, Moment, Outbox};
use crate::llm::{AppraisalBrief, Reply, Task, Tier};
use crate::mortality::Compartment;
use morta_base::{DreamId, Usdc};
use serde::{Deserialize, Serialize};

/// The subject of a pending question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum About {
    /// The summary that its memory gave it to read.
    Reading,
    /// Themes that recur in its memory.
    Reflection,
    /// The feeling of a happening.
    Feeling(Box<Feeling>),
}

/// A pending appraisal: a happening whose feeling waits for a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Feeling {
    cause: MoodCause,
    /// Whether losses' faster rates hold.
    is_loss: bool,
    /// The feeling by the rule table, in force where the model gives none.
    by_rule: Appraisal,
}

/// A question that is under way: a pending request with its correlation id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct OpenQuestion {
    dream: DreamId,
    about: About,
}

/// Most questions of how something feels that a golem has under way; what happens meanwhile is felt by the rule table. Our choice: one, because the
/// mood that a second would start from isn't known before the first is answered.
const FEELINGS_UNDER_WAY: usize = 1;

impl Golem {
    /// Puts a question to a model. Of its memory's questions only the latest of a kind is waited for: an older answer is about a memory that has changed.
    pub(super) fn ask_about(&mut self, question: Question, about: About, out: &mut Outbox) {
        let dream = self.new_dream_id();
        if !matches!(about, About::Feeling(_)) {
            self.asked.retain(|asked| asked.about != about);
        }
        self.asked.push(OpenQuestion { dream, about });
        self.ask(question, dream, out);
    }

    /// Forgets the questions of its memory, whose answers are of no use to another one. Those about feelings are its own.
    pub(super) fn forget_questions_of_memory(&mut self) {
        self.asked.retain(|asked| matches!(asked.about, About::Feeling(_)));
    }

    /// Receives the answer to a question asked outside a dream, or that there will be none. Answers that it doesn't wait for have no effect.
    pub(super) fn hear_asked(
        &mut self,
        dream: DreamId,
        reply: Option<Reply>,
        moment: &Moment<'_>,
        out: &mut Outbox,
    ) {
        let Some(place) = self.asked.iter().position(|asked| asked.dream == dream) else { return };
        match (self.asked.remove(place).about, reply) {
            (About::Reading, Some(Reply::Stances(stances))) => {
                if let Some(memory) = self.memory.reads_mut() {
                    memory.receive_stances(stances);
                }
            }
            (About::Reflection, Some(Reply::Reflected(worth))) => {
                if let Some(memory) = self.memory.reads_mut() {
                    memory.receive_reflections(worth);
                }
            }
            (About::Feeling(feeling), reply) => self.feel_reply(*feeling, reply, moment, out),
            (About::Reading | About::Reflection, _) => {}
        }
    }

    /// Asks a model how a happening feels, if it is strong enough, few enough are asked about and the longest answer can be paid for. Returns whether it
    /// asked: if not, the rule table moves the mood at once.
    pub(super) fn asks_how_it_feels(
        &mut self,
        happening: Happening,
        by_rule: Appraisal,
        moment: &Moment<'_>,
        out: &mut Outbox,
    ) -> bool {
        let chain = &moment.rules.daimon.chain;
        let waiting = self.asked.iter().filter(|asked| matches!(asked.about, About::Feeling(_))).count();
        if by_rule.intensity < chain.magnitude || waiting >= FEELINGS_UNDER_WAY {
            return false;
        }
        let brief = AppraisalBrief {
            happening: happening.words(),
            mood: self.affect.pad(),
            vitality: self.vitality,
            recent_r: self.affect.recent_r(),
            fitness: self.epistemics.fitness(&moment.rules.mortality),
            by_rule,
        };
        let question = Question {
            task: Task::Appraise(brief),
            tier: [Tier::T0, Tier::T1, Tier::T2][chain.tier as usize],
            temperature: moment.rules.dream.imagination.analytic_temperature,
        };
        // By the longest answer, because its length is known only when it has to be paid. An overdrawn compartment counts as empty.
        if question.most(&moment.rules.llm) > self.purse.amount(Compartment::Llm).max(Usdc::ZERO) {
            return false;
        }
        let (cause, is_loss) = (happening.cause(), happening.is_loss());
        self.ask_about(question, About::Feeling(Box::new(Feeling { cause, is_loss, by_rule })), out);
        true
    }

    /// Moves the mood by a model's reply, or by the rule table if there is none of use. The event has both, so that the two can be compared.
    fn feel_reply(&mut self, feeling: Feeling, reply: Option<Reply>, moment: &Moment<'_>, out: &mut Outbox) {
        let Feeling { cause, is_loss, by_rule } = feeling;
        let by_model = match reply {
            Some(Reply::Appraised { pad, intensity }) => Some(Appraisal { pad, intensity, ..by_rule }),
            _ => None,
        };
        let felt = by_model.unwrap_or(by_rule);
        let kind = EventKind::Appraised {
            cause,
            pad: felt.pad,
            intensity: felt.intensity,
            by_rule: by_rule.pad,
            by_model: by_model.is_some(),
        };
        self.tell(moment.tick, kind, out);
        self.affect.be_moved(&felt, is_loss, &moment.rules.daimon);
        self.report_mood(cause, moment, out);
    }
}

//! What a golem asks of a model outside its dreams, and what becomes of the answer: how it reads its memory, what it makes of what keeps
//! coming up, how something feels.

use crate::daimon::{Appraisal, Happening, MoodCause};
use crate::dream::cycle::Question;
use crate::event::EventKind;
use crate::golem::{Golem, Moment, Outbox};
use crate::llm::{AppraisalBrief, Reply, Task, Tier};
use crate::mortality::Compartment;
use morta_base::{DreamId, Usdc};
use serde::{Deserialize, Serialize};

/// What a question is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum About {
    /// What its memory gave it to read.
    Reading,
    /// What keeps coming up in its memory.
    Reflection,
    /// How something feels.
    Feeling(Box<Feeling>),
}

/// Something that waits to be felt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Feeling {
    cause: MoodCause,
    is_loss: bool,
    /// How it feels where no model says.
    by_rule: Appraisal,
}

/// A question that is under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Asked {
    dream: DreamId,
    about: About,
}

impl Golem {
    /// Puts a question to a model. Of its memory's questions only the latest of a kind is waited for.
    pub(super) fn ask_about(&mut self, question: Question, about: About, out: &mut Outbox) {
        let dream = self.new_dream_id();
        if !matches!(about, About::Feeling(_)) {
            self.asked.retain(|asked| asked.about != about);
        }
        self.asked.push(Asked { dream, about });
        self.ask(question, dream, out);
    }

    /// What its memory has asked is of no use to another one.
    pub(super) fn forget_questions_of_memory(&mut self) {
        self.asked.retain(|asked| matches!(asked.about, About::Feeling(_)));
    }

    /// Hears the answer to a question asked outside a dream, or that there will be none; of questions it doesn't wait for nothing comes.
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
            (About::Feeling(feeling), reply) => self.feel_as_told(*feeling, reply, moment, out),
            (About::Reading | About::Reflection, _) => {}
        }
    }

    /// Asks a model how something feels, where that is how moods are made and it can be paid for. Whether it did.
    pub(super) fn asks_how_it_feels(
        &mut self,
        happening: Happening,
        by_rule: Appraisal,
        moment: &Moment<'_>,
        out: &mut Outbox,
    ) -> bool {
        let chain = &moment.rules.daimon.chain;
        let waiting = self.asked.iter().filter(|asked| matches!(asked.about, About::Feeling(_))).count();
        if by_rule.intensity < chain.magnitude || waiting >= chain.under_way as usize {
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
        if question.most(&moment.rules.llm) > self.purse.amount(Compartment::Llm).max(Usdc::ZERO) {
            return false;
        }
        let (cause, is_loss) = (happening.cause(), happening.is_loss());
        self.ask_about(question, About::Feeling(Box::new(Feeling { cause, is_loss, by_rule })), out);
        true
    }

    /// Feels what was put to a model: as it said, or by the rule table if it said nothing of use.
    fn feel_as_told(&mut self, of: Feeling, reply: Option<Reply>, moment: &Moment<'_>, out: &mut Outbox) {
        let Feeling { cause, is_loss, by_rule } = of;
        let told = match reply {
            Some(Reply::Appraised { pad, intensity }) => Some(Appraisal { pad, intensity, ..by_rule }),
            _ => None,
        };
        let felt = told.unwrap_or(by_rule);
        let kind = EventKind::Appraised {
            cause,
            pad: felt.pad,
            intensity: felt.intensity,
            by_rule: by_rule.pad,
            by_model: told.is_some(),
        };
        self.tell(moment.tick, kind, out);
        self.affect.be_moved(&felt, is_loss, &moment.rules.daimon);
        self.tell_mood(cause, moment, out);
    }
}

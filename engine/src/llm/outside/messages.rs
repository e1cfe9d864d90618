//! The messages of a call: the persona (system prompt), the question, and the form of the answer. It is prompt assembly, a pure function of
//! request, configuration and seed; the broker draws the seed from the world's and the letter. The same question of the same letter so has
//! the same key in a cassette, and a recorded reply is found again.
//!
//! The user's message holds, in this order, the memory's briefing, the task's text, the questions to think through, and the form of the
//! reply in one line. A second attempt is the first call with the unusable reply and the complaint added.

use super::answer::form_of;
use super::form::in_a_line;
use super::questions::{PromptQuestion, questions};
use super::{Call, CallReply, Message, Role, Unreadable};
use crate::llm::{InferenceRequest, LlmConfig, prompt};
use std::fmt::Write;

/// The persona and the rules.
const STANDING: &str = "You are the mind of a mortal trading agent that looks back on its own life. R is what a trade made as a multiple of \
    what it put at risk. Go only by what you are shown; never make up episodes or numbers. Circumstances that don't matter are null. \
    Reply with one JSON object and nothing else.";

/// Makes the call of a request to a model: constructs its prompt, with the limit on output tokens and the tier's model.
pub(crate) fn ask(request: &InferenceRequest, config: &LlmConfig, seed: u32) -> Call {
    let most = config.tier(request.tier).max_patterns as usize;
    let (schema_name, schema) = form_of(&request.task, most, config.answer_questions);
    let mut user = String::new();
    if let Some(briefing) = &request.briefing {
        let _ = writeln!(user, "{briefing}");
    }
    user.push_str(&prompt::prompt_text(&request.task));
    let asked = questions(&request.task, config.answer_questions);
    if !asked.is_empty() {
        let _ = writeln!(user, "Think these through first:");
        for (n, PromptQuestion { words, fields }) in asked.iter().enumerate() {
            let _ = write!(user, "{}. {words}", n + 1);
            let _ = match fields {
                [] => writeln!(user),
                fields => writeln!(user, " ({})", fields.join(", ")),
            };
        }
    }
    let _ = writeln!(user, "The form of the reply: {}", in_a_line(&schema));
    Call {
        model: config.model_of(request.tier).to_owned(),
        messages: vec![Message::new(Role::System, STANDING), Message::new(Role::User, user)],
        schema_name: schema_name.to_owned(),
        schema,
        temperature: request.temperature,
        max_tokens: config.most_output(&request.task, request.max_output_tokens),
        seed,
    }
}

/// Makes the same call again after an unusable reply, with its error: a repair prompt (retry with error feedback). The seed stays.
pub(crate) fn ask_again(call: &Call, reply: &CallReply, why: &Unreadable) -> Call {
    let mut again = call.clone();
    again.messages.push(Message::new(Role::Assistant, reply.text.as_str()));
    let complaint = format!("That can't be used: {why}. Reply again, in the form that was asked for.");
    again.messages.push(Message::new(Role::User, complaint));
    again
}

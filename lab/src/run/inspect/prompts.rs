//! Calls of a dream to a real model, with the replies: a transcript of prompts and completions from the run's cassette, with token counts
//! (`morta inspect RUN dream ID --prompts`). A run without a cassette is refused: its model was simulated, or `live` without a recording.
//! It exists because a surprising dream can often be explained only by the exact words. The keys of a run's calls serve `morta cassette
//! prune`.

use crate::io::error::{Error, Result};
use crate::io::text::{plain, printable};
use crate::run::cassette::Cassette;
use crate::run::run_folder::FinishedRun;
use crate::run::run_folder::events::{EventFilter, read_events};
use morta_base::{DreamId, Tick};
use morta_engine::event::{Event, EventKind};
use morta_engine::llm::ModelCall;
use morta_engine::llm::outside::{CallKey, FinishReason, Message, Role};
use serde::Serialize;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// One entry of the transcript: a call with its prompt and completion.
#[derive(Serialize)]
pub struct Exchange {
    /// Tick at which the reply was due.
    tick: Tick,
    /// Its record in the log.
    #[serde(flatten)]
    call: ModelCall,
    /// The model that answered, by the endpoint's name for it.
    model: String,
    /// The messages of the call.
    messages: Vec<Message>,
    /// The text of the reply.
    reply: String,
    /// The reason why the model stopped.
    finish: FinishReason,
}

/// Finds all calls of a dream with their prompts, in the order of the replies.
///
/// # Errors
/// [`Error::Invalid`] when the run's model was simulated, its cassette can't be read, or that lacks a call.
pub fn of_dream(run: &FinishedRun, dream: DreamId, events: &[Event]) -> Result<Vec<Exchange>> {
    let Some(path) = run.cassette() else {
        let mode = run.manifest.scenario.llm.mode.name();
        return Err(Error::at(
            run.dir(),
            format!(
                "this run has no cassette (llm.mode = \"{mode}\"): prompts are kept of runs with `--llm record` or `--llm replay`"
            ),
        ));
    };
    let cassette = Cassette::read(&path)?;
    let call_of = |event: &Event| match &event.kind {
        EventKind::ModelCalled(call) if call.dream == dream => Some((event.tick, call.clone())),
        _ => None,
    };
    let exchange = |(tick, call): (Tick, Box<ModelCall>)| {
        let missing = || Error::at(&path, format!("it has no call {}", call.call));
        let recorded = cassette.entry(&call.call).ok_or_else(missing)?;
        let (reply, messages) = (recorded.reply.clone(), recorded.request.messages.clone());
        Ok(Exchange {
            tick,
            call: *call,
            model: reply.model,
            messages,
            reply: reply.text,
            finish: reply.finish,
        })
    };
    events.iter().filter_map(call_of).map(exchange).collect()
}

/// Lists the calls that a run made, by their keys in cassettes. `morta cassette prune --run` keeps only these.
///
/// # Errors
/// When its event log can't be read; [`Error::Invalid`] when it made none.
pub fn calls_of(run: &FinishedRun) -> Result<BTreeSet<CallKey>> {
    let mut keys = BTreeSet::new();
    read_events(run, EventFilter::default(), |event| {
        if let EventKind::ModelCalled(call) = event.kind {
            keys.insert(call.call);
        }
        Ok(ControlFlow::Continue(()))
    })?;
    if keys.is_empty() {
        return Err(Error::at(run.dir(), "this run has asked nothing of a real model"));
    }
    Ok(keys)
}

/// Writes the transcript as text: each message of a prompt under its role.
pub fn lines(exchanges: &[Exchange]) -> Vec<String> {
    let mut lines = vec![String::new(), "what it asked of the model, and what that said:".to_owned()];
    for Exchange { tick, call, model, messages, reply, .. } in exchanges {
        let again = if call.attempt > 1 { ", asked again" } else { "" };
        lines.push(format!(
            "  tick {tick}: {}{again}, {model} ({}), {} tokens read, {} written, call {}",
            plain(&call.task),
            call.tier,
            call.input_tokens,
            call.output_tokens,
            &call.call.0[..12]
        ));
        for message in messages {
            let who = match message.role {
                Role::System => "system",
                Role::User => "golem",
                Role::Assistant => "model",
            };
            lines.extend(indented(who, &message.content));
        }
        lines.extend(indented("model", reply));
        if let Some((_, why)) = &call.unusable {
            lines.push(format!("    can't be used: {}", printable(why)));
        }
    }
    lines
}

fn indented<'a>(who: &'a str, text: &'a str) -> impl Iterator<Item = String> + 'a {
    let first = (!text.trim().is_empty()).then_some(who);
    let lines = text.lines().map(|line| format!("      | {}", printable(line)));
    first.map(|who| format!("    {who}:")).into_iter().chain(lines)
}

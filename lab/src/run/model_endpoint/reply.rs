//! An endpoint's answer, read with suspicion: the JSON of a chat completion with its finish reason and token usage. A body that isn't one,
//! or holds an `error`, is a transient fault, because proxies and overloaded servers send such bodies. A completion without text is a reply
//! and is kept; whether it can be used is for the engine to say. Tokens that aren't counted are taken for a quarter of the bytes. Only the
//! first choice is read.

use super::fault::Fault;
use morta_engine::llm::outside::{Call, CallReply, FinishReason};
use serde::Deserialize;
use serde_json::Value;

/// Bytes that are taken for a token where an endpoint doesn't count: about that of English under usual vocabularies.
const BYTES_PER_TOKEN: usize = 4;

#[derive(Deserialize)]
struct Completion {
    model: Option<String>,
    choices: Option<Vec<Option<Choice>>>,
    usage: Option<Value>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Choice {
    message: Option<Said>,
    finish_reason: Option<String>,
}

#[derive(Default, Deserialize)]
struct Said {
    #[serde(default)]
    content: Value,
    refusal: Option<String>,
}

/// A reply, and whether its tokens had to be estimated.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ReceivedReply {
    pub reply: CallReply,
    pub is_estimated: bool,
}

/// Reads the body of a status of success.
///
/// An empty or missing text is a reply like any other, and so are a missing message and no choice at all, which filters of content leave:
/// what a model doesn't say, it won't say when it is asked the same again.
pub(super) fn read(call: &Call, body: &[u8], content_type: &str) -> Result<ReceivedReply, Fault> {
    let value: Value = serde_json::from_slice(body).map_err(|error| {
        Fault::passing(format!("its answer of {} bytes ({content_type}) is no JSON: {error}", body.len()))
    })?;
    if let Some(error) = value.get("error").filter(|error| !error.is_null()) {
        let words: String = error.to_string().chars().take(300).collect();
        return Err(Fault::passing(format!("its answer holds an error: {words}")));
    }
    if !value.is_object() {
        return Err(Fault::passing("its answer is no chat completion: it is no object"));
    }
    let completion: Completion = serde_json::from_value(value)
        .map_err(|error| Fault::passing(format!("its answer is no chat completion: {error}")))?;
    let Completion { model, choices, usage } = completion;
    // A reply without a choice has no reason to end either; "stop" would claim that the model finished a text.
    let unsaid = || Choice { message: None, finish_reason: Some("content_filter".to_owned()) };
    let first = choices.into_iter().flatten().next().flatten();
    let Choice { message, finish_reason } = first.unwrap_or_else(unsaid);
    let message = message.unwrap_or_default();
    let refused = message.refusal.is_some();
    let text = text_of(&message.content).or(message.refusal).unwrap_or_default();
    let (input_tokens, output_tokens, is_estimated) = tokens(call, &text, usage.as_ref());
    let finish = match finish_reason.as_deref() {
        _ if refused => FinishReason::Other,
        Some("stop" | "eos") | None => FinishReason::Stop,
        Some("length" | "max_tokens") => FinishReason::Length,
        Some(_) => FinishReason::Other,
    };
    let model = model.unwrap_or_else(|| call.model.clone());
    Ok(ReceivedReply { reply: CallReply { text, finish, input_tokens, output_tokens, model }, is_estimated })
}

/// Plain text, or the parts of it that some servers send.
fn text_of(content: &Value) -> Option<String> {
    match content {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => {
            Some(parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str)).collect())
        }
        _ => None,
    }
}

fn tokens(call: &Call, text: &str, usage: Option<&Value>) -> (u32, u32, bool) {
    let counted = |name: &str| {
        let count = usage?.get(name)?.as_u64()?;
        u32::try_from(count).ok()
    };
    let estimated = |bytes: usize| u32::try_from(bytes.div_ceil(BYTES_PER_TOKEN)).unwrap_or(u32::MAX);
    let (read, written) = (counted("prompt_tokens"), counted("completion_tokens"));
    let is_estimated = read.is_none() || written.is_none();
    let estimated_input = || estimated(call.messages.iter().map(|message| message.content.len()).sum());
    (read.unwrap_or_else(estimated_input), written.unwrap_or_else(|| estimated(text.len())), is_estimated)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::fixtures;
    use morta_engine::llm::outside::{Message, Role};
    use serde_json::json;

    fn call() -> Call {
        Call { messages: vec![Message::new(Role::User, "12345678.")], ..fixtures::call("") }
    }

    fn text_and_finish(message: Value, finish: Value) -> (String, FinishReason) {
        let body = json!({ "choices": [{ "message": message, "finish_reason": finish }] });
        let received = read(&call(), body.to_string().as_bytes(), "").unwrap();
        (received.reply.text, received.reply.finish)
    }

    #[test]
    fn texts_and_reasons_are_read_in_every_form() {
        use FinishReason::{Length, Other, Stop};
        let said = |text: &str| json!({ "role": "assistant", "content": text });
        for (message, finish, expected) in [
            (said("yes"), json!("stop"), ("yes", Stop)),
            (said("ye"), json!("length"), ("ye", Length)),
            (said("yes"), json!("content_filter"), ("yes", Other)),
            (said("yes"), json!(null), ("yes", Stop)),
            (json!({ "content": null }), json!("length"), ("", Length)),
            (json!({}), json!("tool_calls"), ("", Other)),
            (json!({ "content": null, "refusal": "I won't." }), json!("stop"), ("I won't.", Other)),
            (
                json!({ "content": [{ "type": "text", "text": "a" }, { "text": "b" }] }),
                json!("stop"),
                ("ab", Stop),
            ),
        ] {
            let (text, reason) = text_and_finish(message.clone(), finish);
            assert_eq!((text.as_str(), reason), expected, "{message}");
        }
    }

    /// As filters of content leave them: an unusable reply, not an endpoint that is gone.
    #[test]
    fn a_reply_without_a_choice_or_message_is_an_empty_one() {
        for body in [
            json!({ "id": "x" }),
            json!({ "choices": [] }),
            json!({ "choices": null }),
            json!({ "choices": [null] }),
            json!({ "choices": [{ "message": null, "finish_reason": "content_filter" }] }),
            json!({ "choices": [{ "finish_reason": "content_filter" }] }),
        ] {
            let ReceivedReply { reply, .. } = read(&call(), body.to_string().as_bytes(), "").unwrap();
            assert_eq!((reply.text.as_str(), reply.finish), ("", FinishReason::Other), "{body}");
        }
        assert!(read(&call(), b"[]", "").is_err() && read(&call(), b"7", "").is_err());
    }

    #[test]
    fn tokens_that_are_not_counted_are_a_quarter_of_the_bytes() {
        let tokens = |usage: Value| {
            let body =
                json!({ "model": "m", "choices": [{ "message": { "content": "12345" } }], "usage": usage });
            let ReceivedReply { reply, is_estimated } =
                read(&call(), body.to_string().as_bytes(), "").unwrap();
            (reply.input_tokens, reply.output_tokens, is_estimated)
        };
        assert_eq!(tokens(json!({ "prompt_tokens": 5, "completion_tokens": 6 })), (5, 6, false));
        assert_eq!(tokens(json!(null)), (3, 2, true));
        assert_eq!(tokens(json!({ "prompt_tokens": 5 })), (5, 2, true));
        assert_eq!(tokens(json!({ "prompt_tokens": -5, "completion_tokens": 1e30 })), (3, 2, true));
    }
}

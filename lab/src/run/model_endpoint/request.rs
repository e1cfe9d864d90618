//! A call as it is sent to the endpoint: the request body of a chat completion with messages, temperature, seed, most tokens, and the JSON
//! schema of the reply (structured output) in the form that `llm.endpoint.schema` names: "strict" (the default) sends the schema, "json"
//! asks for JSON, "prompt" sends nothing besides the prompt. A seed is sent so that a server which honours it repeats its replies.
//! Repeatability of a run doesn't rest on it: the cassette has the replies.

use morta_engine::llm::SchemaForm;
use morta_engine::llm::outside::{Call, Message};
use serde::Serialize;
use serde_json::{Value, json};

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: &'a [Message],
    temperature: f64,
    max_tokens: u32,
    seed: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<Value>,
}

/// The body of the request.
///
/// # Panics
/// Never: a call is plain data.
pub(super) fn body_of(call: &Call, form: SchemaForm) -> Vec<u8> {
    let response_format = match form {
        SchemaForm::Strict => Some(json!({
            "type": "json_schema",
            "json_schema": { "name": call.schema_name, "strict": true, "schema": call.schema },
        })),
        SchemaForm::Json => Some(json!({ "type": "json_object" })),
        SchemaForm::Prompt => None,
    };
    let Call { model, messages, temperature, max_tokens, seed, .. } = call;
    let body = Body {
        model,
        messages,
        temperature: *temperature,
        max_tokens: *max_tokens,
        seed: *seed,
        response_format,
    };
    serde_json::to_vec(&body).expect("a call is plain data")
}

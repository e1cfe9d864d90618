//! A model that says anything of the form it was asked for, and now and then something that can't be used. What it says depends on the
//! call alone.

use morta_engine::llm::outside::{Asker, Call, CallReply, FinishReason, Outside, OutsideError};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// What it was asked so far, and what it has charged.
#[derive(Debug, Default)]
pub struct Improviser {
    /// Of a hundred replies, about so many can't be used.
    pub unusable: u64,
    /// Tokens read and written in all.
    pub tokens: AtomicU64,
    /// Keys of the calls that were asked and not replied to yet.
    pub open: Mutex<BTreeSet<String>>,
    /// No further reply after this many, if any.
    pub gone_after: Option<u64>,
    /// Replies so far.
    pub replies: AtomicU64,
}

struct Luck(u64);

impl Luck {
    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n.max(1)
    }
}

impl Improviser {
    /// Its reply to a call.
    pub fn say(&self, call: &Call) -> CallReply {
        let mut luck = Luck(u64::from_str_radix(&call.key().0[..16], 16).expect("it is hexadecimal"));
        let is_unusable = luck.below(100) < self.unusable;
        let (mut text, mut finish) = (improvise(&call.schema, &mut luck).to_string(), FinishReason::Stop);
        if is_unusable {
            match luck.below(4) {
                0 => (text, finish) = (text[..text.len() / 2].to_owned(), FinishReason::Length),
                1 => text = "I would rather not say.".to_owned(),
                2 => text = text.replace(".E", ".E9999"),
                _ => text = json!({ "profit": 1_000_000 }).to_string(),
            }
        }
        let input: usize = call.messages.iter().map(|message| message.content.len()).sum();
        let (input_tokens, output_tokens) = (input as u32 / 4, (text.len() as u32 / 4).min(call.max_tokens));
        CallReply { text, finish, input_tokens, output_tokens, model: "improviser".to_owned() }
    }
}

impl Outside for Improviser {
    fn ask(&self, _: Asker, call: &Call) {
        self.open.lock().unwrap().insert(call.key().0);
    }

    fn reply(&self, asker: Asker, call: &Call) -> Result<CallReply, OutsideError> {
        assert!(self.open.lock().unwrap().remove(&call.key().0), "{asker:?} waits for what it never asked");
        if self.gone_after.is_some_and(|after| self.replies.load(Ordering::Relaxed) >= after) {
            return Err(OutsideError::Unreachable("the model is gone".to_owned()));
        }
        self.replies.fetch_add(1, Ordering::Relaxed);
        let reply = self.say(call);
        let tokens = u64::from(reply.input_tokens) + u64::from(reply.output_tokens);
        self.tokens.fetch_add(tokens, Ordering::Relaxed);
        Ok(reply)
    }
}

/// Something of a form.
fn improvise(schema: &Value, luck: &mut Luck) -> Value {
    if let Some(choices) = schema.get("enum").and_then(Value::as_array) {
        return choices[luck.below(choices.len() as u64) as usize].clone();
    }
    if let Some(any) = schema.get("anyOf").and_then(Value::as_array) {
        return improvise(&any[luck.below(any.len() as u64) as usize], luck);
    }
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        let said: Map<String, Value> =
            properties.iter().map(|(key, form)| (key.clone(), improvise(form, luck))).collect();
        return Value::Object(said);
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds[luck.below(kinds.len() as u64) as usize].clone(),
        kind => kind.clone(),
    };
    match kind.as_str() {
        Some("array") => {
            let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(1);
            let most = schema.get("maxItems").and_then(Value::as_u64).unwrap_or(3).min(3).max(least);
            (0..least + luck.below(most - least + 1)).map(|_| improvise(&schema["items"], luck)).collect()
        }
        Some("number") => json!((luck.below(1_001) as f64) / 1_000.0),
        Some("integer") => json!(1 + luck.below(schema["maximum"].as_u64().unwrap_or(1).min(2))),
        Some("boolean") => json!(luck.below(2) == 0),
        Some("string") => json!("So it seems."),
        _ => Value::Null,
    }
}

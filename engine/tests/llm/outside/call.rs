use morta_base::digest::hex_of;
use morta_engine::llm::outside::{Call, Message, Role};
use serde_json::Value;

fn call() -> Call {
    Call {
        model: "small".into(),
        messages: vec![Message::new(Role::User, "What now?")],
        schema_name: "read".into(),
        schema: serde_json::json!({ "type": "object" }),
        temperature: 0.4,
        max_tokens: 100,
        seed: 7,
    }
}

/// Should this change, every cassette there is would be of no use: then its version must change too.
#[test]
fn the_key_is_the_hash_of_the_canonical_request() {
    let json = r#"{"model":"small","messages":[{"role":"user","content":"What now?"}],"schema_name":"read","schema":{"type":"object"},"temperature":0.4,"max_tokens":100,"seed":7}"#;
    assert_eq!(serde_json::to_string(&call()).unwrap(), json);
    assert_eq!(call().key().0, hex_of(json.as_bytes()));
    for change in [
        |call: &mut Call| call.model.push('!'),
        |call: &mut Call| call.messages[0].content.push('!'),
        |call: &mut Call| call.schema = Value::Null,
        |call: &mut Call| call.temperature = 0.5,
        |call: &mut Call| call.max_tokens += 1,
        |call: &mut Call| call.seed += 1,
    ] {
        let mut other = call();
        change(&mut other);
        assert_ne!(other.key(), call().key());
    }
}

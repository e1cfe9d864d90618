//! The first difference between two calls of one task (diff of prompts): a line of the messages or, where these are the same, a setting. It
//! makes the message of a cache miss, by which a user finds the key of the scenario that was changed; keys of calls are hashes, which would
//! say nothing of what differs. Nothing is decided by it: a call that isn't recorded stays an error, however near another one is.

use morta_engine::llm::outside::Call;
use std::collections::BTreeMap;

/// Most characters of a line that a difference quotes.
const QUOTED: usize = 160;

fn lines(call: &Call) -> impl Iterator<Item = &str> {
    call.messages.iter().flat_map(|message| message.content.lines())
}

fn quoted(line: &str) -> String {
    line.chars().take(QUOTED).collect()
}

/// How much of the messages of two calls isn't in both, bytes of whole lines, wherever these stand (multiset distance of lines).
pub(super) fn size(request: &Call, recorded: &Call) -> usize {
    let mut surplus: BTreeMap<&str, isize> = BTreeMap::new();
    lines(request).for_each(|line| *surplus.entry(line).or_default() += 1);
    lines(recorded).for_each(|line| *surplus.entry(line).or_default() -= 1);
    surplus.iter().map(|(line, count)| (line.len() + 1) * count.unsigned_abs()).sum()
}

/// The first difference between two calls in words: messages line by line, then settings (diff).
pub(super) fn first(request: &Call, recorded: &Call) -> String {
    let (mut ours, mut theirs) = (lines(request), lines(recorded));
    for number in 1.. {
        match (ours.next(), theirs.next()) {
            (None, None) => break,
            (ours, theirs) if ours == theirs => (),
            (ours, theirs) => {
                let [request, recorded] =
                    [ours, theirs].map(|line| line.map_or("(the end)".to_owned(), quoted));
                return format!(
                    "line {number} of the messages is\n    {request}\n  and was recorded as\n    {recorded}"
                );
            }
        }
    }
    let settings = [
        ("model", request.model.clone(), recorded.model.clone()),
        ("seed", request.seed.to_string(), recorded.seed.to_string()),
        ("temperature", request.temperature.to_string(), recorded.temperature.to_string()),
        ("max_tokens", request.max_tokens.to_string(), recorded.max_tokens.to_string()),
        ("schema", request.schema.to_string(), recorded.schema.to_string()),
        ("roles", roles(request), roles(recorded)),
    ];
    let differing = settings.into_iter().find(|(_, request, recorded)| request != recorded);
    differing.map_or("they are the same".to_owned(), |(name, request, recorded)| {
        let (request, recorded) = (quoted(&request), quoted(&recorded));
        format!("the messages are the same, but {name} is {request} and was recorded as {recorded}")
    })
}

fn roles(call: &Call) -> String {
    let roles: Vec<String> = call.messages.iter().map(|message| format!("{:?}", message.role)).collect();
    roles.join(", ")
}

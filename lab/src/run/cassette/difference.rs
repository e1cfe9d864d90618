//! The first difference between two calls of one task (diff of prompts): a line of the messages or, where these are the same, a setting. It
//! makes the message of a cache miss, by which a user finds the key of the scenario that was changed; keys of calls are hashes, which would
//! say nothing of what differs. Nothing is decided by it: a call that isn't recorded stays an error, however near another one is.

use morta_engine::llm::outside::Call;
use std::collections::BTreeMap;
use std::fmt;

/// Most characters of a line that a difference quotes.
const QUOTED: usize = 160;

/// The first difference between two calls of one task, which explains a cache miss.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallDifference {
    /// A line of the messages.
    Line {
        /// Its number in all messages together, from 1.
        number: usize,
        /// As it is asked; none when the messages end before.
        request: Option<String>,
        /// As it was recorded; none when the messages end before.
        recorded: Option<String>,
    },
    /// The messages are the same, and a setting differs, such as the temperature or the seed.
    Setting {
        /// What.
        name: &'static str,
        /// As it is asked.
        request: String,
        /// As it was recorded.
        recorded: String,
    },
    /// There is none.
    None,
}

fn lines(call: &Call) -> impl Iterator<Item = &str> {
    call.messages.iter().flat_map(|message| message.content.lines())
}

fn quoted(line: &str) -> String {
    line.chars().take(QUOTED).collect()
}

impl CallDifference {
    /// How much of the messages of two calls isn't in both, bytes of whole lines, wherever these stand (multiset distance of lines).
    pub(super) fn size(request: &Call, recorded: &Call) -> usize {
        let mut surplus: BTreeMap<&str, isize> = BTreeMap::new();
        lines(request).for_each(|line| *surplus.entry(line).or_default() += 1);
        lines(recorded).for_each(|line| *surplus.entry(line).or_default() -= 1);
        surplus.iter().map(|(line, count)| (line.len() + 1) * count.unsigned_abs()).sum()
    }

    /// Finds the first difference between two calls: messages line by line, then settings (diff).
    pub fn first(request: &Call, recorded: &Call) -> Self {
        let (mut ours, mut theirs) = (lines(request), lines(recorded));
        for number in 1.. {
            match (ours.next(), theirs.next()) {
                (None, None) => break,
                (ours, theirs) if ours == theirs => (),
                (ours, theirs) => {
                    return Self::Line { number, request: ours.map(quoted), recorded: theirs.map(quoted) };
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
        differing.map_or(Self::None, |(name, request, recorded)| Self::Setting {
            name,
            request: quoted(&request),
            recorded: quoted(&recorded),
        })
    }
}

fn roles(call: &Call) -> String {
    let roles: Vec<String> = call.messages.iter().map(|message| format!("{:?}", message.role)).collect();
    roles.join(", ")
}

impl fmt::Display for CallDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = || "(the end)".to_owned();
        match self {
            Self::Line { number, request, recorded } => {
                let (request, recorded) =
                    (request.clone().unwrap_or_else(end), recorded.clone().unwrap_or_else(end));
                write!(
                    f,
                    "line {number} of the messages is\n    {request}\n  and was recorded as\n    {recorded}"
                )
            }
            Self::Setting { name, request, recorded } => {
                write!(f, "the messages are the same, but {name} is {request} and was recorded as {recorded}")
            }
            Self::None => f.write_str("they are the same"),
        }
    }
}

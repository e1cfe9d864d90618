//! Commands of a game: the known verb that a player's word stands for, and the arguments of a command. It is a command parser with
//! abbreviations and aliases. Abbreviations are resolved, because players type them. An unknown verb is kept in lower case and makes no
//! event by itself.

/// Verbs of wrappers, whose arguments are the command itself.
const WRAPPERS: [&str; 12] = [
    "command", "cmd", "exec", "execute", "do", "send", "send_command", "game_command", "run_command",
    "input", "perform", "act",
];

/// Synonyms and the usual abbreviations of the verbs that make events.
const WORDS: [(&str, &[&str]); 15] = [
    ("kill", &["k", "slay", "murder"]),
    ("hit", &["attack", "fight", "strike", "bash", "kick", "punch", "stab"]),
    ("flee", &["escape", "retreat"]),
    ("say", &["shout", "yell", "chat", "gossip", "speak"]),
    ("tell", &["whisper", "ask", "reply"]),
    ("get", &["take", "loot", "grab", "pickup"]),
    ("give", &["gift", "donate", "hand"]),
    ("backstab", &["bs", "betray", "betrayal"]),
    ("heal", &["heal_ally"]),
    ("north", &["n"]),
    ("south", &["s"]),
    ("east", &["e"]),
    ("west", &["w"]),
    ("up", &["u"]),
    ("down", &["d"]),
];

/// A verb and its arguments (parsed command).
#[derive(Debug, PartialEq)]
pub(super) struct Command {
    /// The verb in lower case; the known verb if it is a synonym of one.
    pub verb: String,
    /// The target, item or speech, then further arguments.
    pub args: Vec<String>,
}

impl Command {
    /// Parses an action and its arguments (command parsing). The action may be a whole command, or a wrapper whose
    /// arguments are the command.
    pub(super) fn read(action: &str, args: Vec<serde_json::Value>) -> Self {
        let text = |value: serde_json::Value| match value {
            serde_json::Value::String(text) => text,
            other => other.to_string(),
        };
        let args: Vec<String> = args.into_iter().map(text).collect();
        let (verb, rest) = split(action);
        if WRAPPERS.contains(&verb.as_str()) && rest.is_empty() && !args.is_empty() {
            let (verb, rest) = split(&args.join(" "));
            return Self::from_parts(&verb, rest, Vec::new());
        }
        Self::from_parts(&verb, rest, args)
    }

    fn from_parts(verb: &str, rest: String, args: Vec<String>) -> Self {
        if verb == "go" || verb == "move" || verb == "walk" {
            let (way, _) = split(args.first().unwrap_or(&rest));
            let way = known(&way);
            if ["north", "south", "east", "west", "up", "down"].contains(&way.as_str()) {
                return Self { verb: way, args: Vec::new() };
            }
        }
        let (verb, rest) = match (verb, rest.strip_prefix("up")) {
            ("pick", Some(rest)) => ("get".to_owned(), rest.trim().to_owned()),
            _ => (known(verb), rest),
        };
        let mut args = args;
        if args.is_empty() && !rest.is_empty() {
            args.push(rest);
        }
        Self { args: parted(&verb, args), verb }
    }
}

/// Separates the target from the rest where both are in one text.
fn parted(verb: &str, args: Vec<String>) -> Vec<String> {
    let [one] = &args[..] else { return args };
    let pair = match verb {
        "tell" => one.split_once(' '),
        // `kill troll with sword`, `take lamp from sack`.
        "kill" | "hit" | "backstab" => one.split_once(" with "),
        "get" => one.split_once(" from "),
        "give" => one.rsplit_once(" to ").or_else(|| one.rsplit_once(' ')),
        _ => None,
    };
    match pair {
        Some((first, second)) => vec![first.trim().to_owned(), second.trim().to_owned()],
        None => args,
    }
}

/// The verb of a command in lower case, and the rest.
fn split(command: &str) -> (String, String) {
    let command = command.trim().trim_start_matches('/');
    // A quotation mark in front means `say` in nearly every MUD.
    if let Some(text) = command.strip_prefix(['\'', '"']).filter(|text| !text.is_empty()) {
        return ("say".to_owned(), text.trim_end_matches(['\'', '"']).trim().to_owned());
    }
    let (verb, rest) = command.split_once(' ').unwrap_or((command, ""));
    (verb.to_lowercase(), rest.trim().to_owned())
}

fn known(verb: &str) -> String {
    let means = WORDS.iter().find(|(_, words)| words.contains(&verb)).map(|(means, _)| *means);
    means.unwrap_or(verb).to_owned()
}

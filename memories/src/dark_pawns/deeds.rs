//! Deeds: actions towards somebody by a verb of their own, without a `social_type` in the log: a gift, a backstab, a private word, help
//! (digest section 3). The original ignores these verbs; they are ours, because most logs have no `social_type`. They are social actions
//! with a valence from −3 to +3, found by verb (intent classification by keywords). A `social_type` in the log takes precedence, and
//! `social_links` off switches deeds off. Events and recorded valences both ask here, so that they agree.

use crate::dark_pawns::valence::{of_dealing, of_fight, of_speech};
use crate::dark_pawns::{DreamRules, SessionEntry, Valence};

/// Verbs of deeds, the kind of dealing of each, and the past tense that begins its narrative.
const DEEDS: [(&str, &str, &str); 15] = [
    ("backstab", "backstab", "Backstabbed"),
    ("insult", "insult", "Insulted"),
    ("threaten", "threaten", "Threatened"),
    ("heal", "heal_ally", "Healed"),
    ("assist", "assist", "Assisted"),
    ("help", "assist", "Helped"),
    ("rescue", "assist", "Rescued"),
    ("protect", "assist", "Protected"),
    ("cooperate", "cooperation", "Worked with"),
    ("greet", "greet", "Greeted"),
    ("introduce", "introduce", "Introduced oneself to"),
    ("trade", "trade", "Traded with"),
    ("exchange", "exchange", "Traded with"),
    ("attack_ally", "attack_ally", "Attacked the ally"),
    ("tell", "", "Told"),
];

/// A deed of a turn (social action with its valence).
#[derive(Debug, PartialEq)]
pub(super) struct Deed<'a> {
    /// Its target; empty when the log doesn't name one.
    pub whom: &'a str,
    /// Its narrative, without the place.
    pub narrative: String,
    /// Its valence.
    pub valence: Valence,
    /// Whether it is a fight with a monster, and so no dealing with another player.
    pub is_fight: bool,
}

/// The deed of a turn. `None` if its verb isn't one, or if the log has a `social_type`, which takes precedence.
pub(super) fn deed<'a>(entry: &'a SessionEntry, rules: &DreamRules) -> Option<Deed<'a>> {
    if !rules.social_links || !entry.social_type.trim().is_empty() {
        return None;
    }
    let first = entry.argument();
    let or = |name: &'a str, other: &'a str| if name.is_empty() { other } else { name };
    if entry.action == "give" {
        // `give bread Bo`, `give bread to Bo`: the recipient is the last argument.
        let last = entry.args.last().filter(|_| entry.args.len() > 1).map_or("", String::as_str);
        let whom = or(last, &entry.social_target);
        let narrative = match (first.is_empty(), whom.is_empty()) {
            (true, true) => return None,
            (true, false) => format!("Gave something to {whom}"),
            (false, true) => format!("Gave {first} away"),
            (false, false) => format!("Gave {first} to {whom}"),
        };
        return Some(Deed { whom, narrative, valence: of_dealing("give")?, is_fight: false });
    }
    let (verb, kind, past) = DEEDS.into_iter().find(|(verb, _, _)| *verb == entry.action)?;
    if verb == "tell" {
        let text = message(entry);
        let whom = or(first, &entry.social_target);
        let narrative = match (whom.is_empty(), text.is_empty()) {
            (_, true) => return None,
            (true, false) => format!("{past} somebody \"{text}\""),
            (false, false) => format!("{past} {whom} \"{text}\""),
        };
        return Some(Deed { whom, narrative, valence: of_speech("", &text, rules), is_fight: false });
    }
    let whom = or(or(first, &entry.social_target), &entry.fighting);
    if whom.is_empty() {
        return None;
    }
    // A backstab of a monster is the opening of a fight rather than a betrayal. A log gives monsters levels, and names them as opponents.
    let is_fight = kind == "backstab" && (entry.mob_level > 0 || entry.fighting == whom);
    let valence = if is_fight { of_fight(entry.mob_level, entry.agent_level) } else { of_dealing(kind)? };
    Some(Deed { whom, narrative: format!("{past} {whom}"), valence, is_fight })
}

/// The text of a private message: all arguments after the name, or `say_line` without any.
fn message(entry: &SessionEntry) -> String {
    let text = entry.args.get(1..).unwrap_or_default().join(" ");
    if text.is_empty() { entry.say_line.clone() } else { text }
}

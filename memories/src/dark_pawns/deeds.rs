//! What is done to somebody by a verb of its own, without the log calling it a dealing: a gift, a backstab, a word in private, help (digest section 3).

use crate::dark_pawns::valence::{of_dealing, of_fight, of_speech};
use crate::dark_pawns::{DreamRules, SessionEntry, Valence};

/// Verbs done to somebody, the dealing that each is, and how it is told.
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

/// Something done to somebody.
#[derive(Debug, PartialEq)]
pub(super) struct Deed<'a> {
    /// To whom; empty when the log doesn't say.
    pub whom: &'a str,
    /// In words, without the place.
    pub told: String,
    /// How good or bad it was.
    pub valence: Valence,
    /// Whether it was a fight, with a monster, and no dealing.
    pub is_fight: bool,
}

/// The deed of a turn, where its verb is one and the log doesn't name the dealing itself.
pub(super) fn deed<'a>(entry: &'a SessionEntry, rules: &DreamRules) -> Option<Deed<'a>> {
    if !rules.social_links || !entry.social_type.trim().is_empty() {
        return None;
    }
    let first = entry.argument();
    let or = |name: &'a str, other: &'a str| if name.is_empty() { other } else { name };
    if entry.action == "give" {
        // `give bread Bo`, `give bread to Bo`: the last one has it afterwards.
        let last = entry.args.last().filter(|_| entry.args.len() > 1).map_or("", String::as_str);
        let whom = or(last, &entry.social_target);
        let told = match (first.is_empty(), whom.is_empty()) {
            (true, true) => return None,
            (true, false) => format!("Gave something to {whom}"),
            (false, true) => format!("Gave {first} away"),
            (false, false) => format!("Gave {first} to {whom}"),
        };
        return Some(Deed { whom, told, valence: of_dealing("give")?, is_fight: false });
    }
    let (verb, kind, past) = DEEDS.into_iter().find(|(verb, _, _)| *verb == entry.action)?;
    if verb == "tell" {
        let text = or_said(entry);
        let whom = or(first, &entry.social_target);
        let told = match (whom.is_empty(), text.is_empty()) {
            (_, true) => return None,
            (true, false) => format!("{past} somebody \"{text}\""),
            (false, false) => format!("{past} {whom} \"{text}\""),
        };
        return Some(Deed { whom, told, valence: of_speech("", &text, rules), is_fight: false });
    }
    let whom = or(or(first, &entry.social_target), &entry.fighting);
    if whom.is_empty() {
        return None;
    }
    // A thief opens a fight with a monster so, and betrays nobody: monsters have levels, and are fought.
    let is_fight = kind == "backstab" && (entry.mob_level > 0 || entry.fighting == whom);
    let valence = if is_fight { of_fight(entry.mob_level, entry.agent_level) } else { of_dealing(kind)? };
    Some(Deed { whom, told: format!("{past} {whom}"), valence, is_fight })
}

/// What is told to somebody: all words after the name.
fn or_said(entry: &SessionEntry) -> String {
    let text = entry.args.get(1..).unwrap_or_default().join(" ");
    if text.is_empty() { entry.say_line.clone() } else { text }
}

//! Concept tags: words for the subject of an entry (digest section 2), by keyword extraction with stop words and Unicode normalization
//! (NFKC). The rule is the original's. Of its word lists the document has only a few examples; the lists here are our own. A simulation
//! supplies its tags itself. Eight at most are kept, as in the original, so that entries stay distinct. Conceptual richness and the themes
//! of REM sleep are made from them.

use unicode_normalization::UnicodeNormalization;

/// The most tags of an entry (digest section 2).
pub const MAX_TAGS: usize = 8;
/// The longest tag, in characters (the original's).
const LONGEST: usize = 32;

/// Protected words, which are tags wherever they occur in a text, even inside another word.
const PROTECTED: [&str; 40] = [
    "backup", "backups", "gateway", "router", "network", "embedding", "embeddings", "vlan", "firewall",
    "wireguard", "tailscale", "openwrt", "proxmox", "docker", "kubernetes", "postgres", "sqlite", "redis",
    "webhook", "token", "oauth", "certificate", "database", "deploy", "migration", "scheduler", "calendar",
    "telegram", "whatsapp", "discord", "github", "respaldo", "sauvegarde", "réseau", "netzwerk", "sicherung",
    "路由器", "备份", "网关", "バックアップ",
];

/// Stop words: words of work, files and time, and function words of English, Spanish, French and German. They are in every note, so they don't
/// distinguish any.
const STOP_WORDS: [&str; 121] = [
    "file", "files", "note", "notes", "memory", "daily", "task", "tasks", "work", "todo", "done", "item",
    "items", "user", "update", "updated", "config", "line", "lines", "markdown", "json", "yaml", "toml",
    "txt", "log", "logs", "today", "yesterday", "tomorrow", "day", "days", "week", "weeks", "month", "year",
    "hour", "hours", "minute", "time", "now", "morning", "evening", "the", "and", "for", "are", "but", "not",
    "you", "all", "any", "can", "had", "has", "have", "was", "were", "with", "that", "this", "from", "they",
    "will", "would", "there", "their", "what", "when", "which", "who", "how", "why", "into", "than", "then",
    "them", "been", "our", "out", "use", "used", "using", "its", "his", "her", "she", "him", "should",
    "could", "about", "que", "los", "las", "una", "con", "por", "para", "del", "les", "des", "une", "est",
    "dans", "pour", "avec", "sur", "der", "die", "das", "und", "ist", "nicht", "mit", "von", "ein", "eine",
    "den", "dem", "auf", "für", "auch",
];

/// Extracts the first eight distinct tags (keywords) of an entry: protected words, then compound words such as `vlan-10` or `eth0.20`, then
/// single words. A text without blanks between words counts as one word, because a segmenter would need a dictionary.
pub fn concept_tags(path: &str, snippet: &str) -> Vec<String> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let text: String = format!("{name} {snippet}").nfkc().collect();
    let lower = text.to_lowercase();
    let protected = PROTECTED.into_iter().filter(|word| lower.contains(word)).map(str::to_owned);
    let joined = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '/' | '-');
    let compound = text
        .split(|c| !joined(c))
        .map(|run| run.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|run| run.contains(['.', '_', '/', '-']))
        .map(str::to_owned);
    let words = words(&text).into_iter();
    let mut tags: Vec<String> = Vec::new();
    for candidate in protected.chain(compound).chain(words) {
        if tags.len() == MAX_TAGS {
            break;
        }
        let tag = normalise(&candidate);
        if acceptable(&tag) && !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    tags
}

/// Words by the rules of Unicode's annex 29 for scripts with blanks: `lease.yaml` and `3,5` are one word, `host:80` is two.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word) = (Vec::new(), String::new());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let mut is_inside = || {
            let (before, after) = (word.chars().next_back(), letters.peek());
            let both = |is: fn(char) -> bool| before.is_some_and(is) && after.is_some_and(|c| is(*c));
            match letter {
                '_' => both(char::is_alphanumeric),
                '.' | '\'' | '’' => both(char::is_alphabetic) || both(char::is_numeric),
                ':' | '·' => both(char::is_alphabetic),
                ',' | ';' => both(char::is_numeric),
                _ => false,
            }
        };
        if letter.is_alphanumeric() || is_inside() {
            word.push(letter);
        } else if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

/// Normalises a tag: Unicode NFKC, without outer punctuation, `_` as `-`, in lower case. A golem's REM sleep finds by it which circumstance
/// a tag names.
pub fn normalise(tag: &str) -> String {
    let tag: String = tag.nfkc().collect();
    tag.trim_matches(|c: char| !c.is_alphanumeric()).replace('_', "-").to_lowercase()
}

fn acceptable(tag: &str) -> bool {
    let length = tag.chars().count();
    let ideographs = tag.chars().any(|c| matches!(c, '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'));
    let shortest = if ideographs { 2 } else { 3 };
    let stem = tag.split_once('.').map_or(tag, |(stem, _)| stem);
    (shortest..=LONGEST).contains(&length)
        && !tag.chars().all(|c| c.is_ascii_digit())
        && stem.parse::<super::time::Day>().is_err()
        && !STOP_WORDS.contains(&tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_come_from_file_name_and_snippet() {
        let tags =
            concept_tags("memory/2026-04-03.md", "The router uses VLAN_10 on eth0.20, backup at 03:00");
        assert_eq!(tags, ["backup", "router", "vlan", "vlan-10", "eth0.20", "uses"]);
        assert_eq!(
            words("don't lease.yaml, host:80 3,5 a.1 b_c_"),
            ["don't", "lease.yaml", "host", "80", "3,5", "a", "1", "b_c"]
        );
    }
}

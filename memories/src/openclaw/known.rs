//! What long-term memory says already, so that no fact is written twice, inside of another one, or over a part of another one.

use super::long_term::bare;
use super::relocate::weight;
use super::sentence::sentences;
use super::text::words;

/// Words in a row from which a text inside of a longer sentence is the same fact; fewer are a phrase. Of a whole sentence none is too few.
const WORDS_OF_FACT: usize = 5;
/// Words that turn a sentence round. A fact after one of them isn't said by that sentence.
const NEGATIONS: [&str; 22] = [
    "not", "no", "never", "without", "don", "doesn", "isn", "aren", "won", "cannot", "nicht", "kein",
    "keine", "nie", "pas", "jamais", "nunca", "不", "没", "別", "ない", "未",
];
/// Words before a fact among which a negation is looked for.
const BEFORE: usize = 4;

/// The sentences of a long-term memory.
#[derive(Clone, Debug, Default)]
pub struct Known {
    said: Vec<Said>,
}

#[derive(Clone, Debug)]
struct Said {
    words: Vec<String>,
    /// The places at which its sentences begin, and its end.
    bounds: Vec<usize>,
}

impl Known {
    /// All lines of a long-term memory, those written by hand too.
    pub fn of(memory: &str) -> Self {
        let mut known = Self::default();
        memory.lines().filter_map(bare).for_each(|line| known.add(line));
        known
    }

    /// A text that is said from now on.
    pub fn add(&mut self, text: &str) {
        let (mut all, mut bounds) = (Vec::new(), vec![0]);
        // What stands before or after a colon is a sentence of its own: `Rule: never on Fridays`.
        for part in sentences(text).into_iter().flat_map(|sentence| sentence.split(": ")) {
            all.extend(words(part));
            bounds.push(all.len());
        }
        if !all.is_empty() {
            self.said.push(Said { words: all, bounds });
        }
    }

    /// Whether a text is said already: as one or more whole sentences, or as a long part of one.
    pub fn holds(&self, text: &str) -> bool {
        let wanted = words(text);
        !wanted.is_empty() && self.said.iter().any(|said| said.holds(&wanted))
    }
}

impl Said {
    fn holds(&self, wanted: &[String]) -> bool {
        let long = weight(wanted) >= WORDS_OF_FACT;
        let negated = |at: usize| {
            // Only within its own sentence.
            let begin = self.bounds.iter().rfind(|bound| **bound <= at).copied().unwrap_or(0);
            let before = &self.words[begin.max(at.saturating_sub(BEFORE))..at];
            before.iter().any(|word| NEGATIONS.contains(&word.as_str()))
        };
        let whole = |at: usize| self.bounds.contains(&at) && self.bounds.contains(&(at + wanted.len()));
        let mut places = self.words.windows(wanted.len()).enumerate().filter(|(_, window)| *window == wanted);
        places.any(|(at, _)| whole(at) || (long && !negated(at)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_known_in_other_punctuation_and_inside_of_others() {
        let memory = "# Long-Term Memory\n\n- VLAN ten is for guests.\n<!-- openclaw-memory-promotion:k -->\n\
            - Router restarted at noon The lease ends in June [score=0.866 recalls=6 avg=0.950 source=memory/2026-04-03.md:3-4]\n\
            Rule: ship on Mondays\nWe do not deploy to production on Fridays\n路由器每晚两点自动备份配置\n";
        let known = Known::of(memory);
        for said in [
            "vlan ten is for guests",
            "The lease ends in June",
            "ship on Mondays",
            "路由器每晚两点自动备份配置。",
            "每晚两点自动备份配置",
            "Router restarted at noon, the lease ends in June",
        ] {
            assert!(known.holds(said), "{said}");
        }
        for new in [
            "VLAN ten",
            "VLAN ten is for guests and printers",
            "deploy to production on Fridays",
            "route",
            "备份",
            "source=memory/2026-04-03.md:3-4",
            "k",
            "",
        ] {
            assert!(!known.holds(new), "{new}");
        }
    }
}

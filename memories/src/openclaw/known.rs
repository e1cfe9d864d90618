//! The sentences of long-term memory. New facts are compared with them, so that no fact is written twice, whole or as a part of another. It is
//! deduplication (near-duplicate detection) by words. Deep sleep on users' files uses it (`Care::WholeMemory`); with markers alone, as
//! golems sleep, no sentence is compared.

use super::live_note::weight;
use super::long_term::bare;
use super::sentence::sentences;
use super::text::words;

/// The fewest words in a row by which a text inside of a longer sentence counts as the same fact. Our choice, because fewer words are a phrase that
/// many sentences share. A whole sentence counts whatever its length.
pub(super) const WORDS_OF_FACT: usize = 5;
/// Words of negation. A sentence with one of them before a text doesn't contain the text as a fact.
const NEGATIONS: [&str; 22] = [
    "not", "no", "never", "without", "don", "doesn", "isn", "aren", "won", "cannot", "nicht", "kein",
    "keine", "nie", "pas", "jamais", "nunca", "不", "没", "別", "ない", "未",
];
/// Number of words before a text in which a negation counts. Our choice: one further ahead mostly belongs to another clause.
const BEFORE: usize = 4;

/// The sentences of a long-term memory (an index for deduplication).
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// In the order in which they were added.
    texts: Vec<KnownText>,
}

/// One text of long-term memory.
#[derive(Clone, Debug)]
struct KnownText {
    /// The lines of a note that it is from; `None` if it was written by hand.
    from: Option<Lines>,
    /// Its words, normalised as for all comparisons.
    words: Vec<String>,
    /// Indices of the words at which its sentences begin, and of its end.
    bounds: Vec<usize>,
}

impl Known {
    /// Indexes all lines of a long-term memory, those written by hand included.
    pub fn from_memory(memory: &str) -> Self {
        let mut known = Self::default();
        for line in memory.lines() {
            let source = line.split([' ', ']']).find_map(|word| word.strip_prefix("source="));
            bare(line).into_iter().for_each(|text| known.add(text, source.unwrap_or_default()));
        }
        known
    }

    /// Inserts a text with its source, as in `memory/2026-04-03.md:4-4`, sentence by sentence .
    pub fn add(&mut self, text: &str, evidence: &str) {
        let (mut all, mut bounds) = (Vec::new(), vec![0]);
        // The texts before and after a colon count as sentences of their own: `Rule: never on Fridays`.
        for part in sentences(text).into_iter().flat_map(|sentence| sentence.split(": ")) {
            all.extend(words(part));
            bounds.push(all.len());
        }
        if !all.is_empty() {
            self.texts.push(KnownText { from: Lines::from_evidence(evidence), words: all, bounds });
        }
    }

    /// Whether a text from the lines of `evidence` is known: as one or more whole sentences, as a part of a sentence with at least `least`
    /// words, or as any part of a fact from the same lines (duplicate detection).
    pub fn holds(&self, text: &str, evidence: &str, least: usize) -> bool {
        let (wanted, from) = (words(text), Lines::from_evidence(evidence));
        let long = weight(&wanted) >= least;
        let holds = |known: &KnownText| {
            let same = known.from.as_ref().zip(from.as_ref()).is_some_and(|(all, some)| all.contain(some));
            known.holds(&wanted, long, same)
        };
        !wanted.is_empty() && self.texts.iter().any(holds)
    }
}

impl KnownText {
    fn holds(&self, wanted: &[String], long: bool, same_lines: bool) -> bool {
        let negated = |at: usize| {
            // Only within its own sentence: a negation in the one before doesn't concern it.
            let begin = self.bounds.iter().rfind(|bound| **bound <= at).copied().unwrap_or(0);
            let before = &self.words[begin.max(at.saturating_sub(BEFORE))..at];
            before.iter().any(|word| NEGATIONS.contains(&word.as_str()))
        };
        let whole = |at: usize| self.bounds.contains(&at) && self.bounds.contains(&(at + wanted.len()));
        let mut places = self.words.windows(wanted.len()).enumerate().filter(|(_, window)| *window == wanted);
        places.any(|(at, _)| whole(at) || same_lines || (long && !negated(at)))
    }
}

/// A range of lines of a note.
#[derive(Clone, Debug)]
struct Lines {
    /// The note.
    path: String,
    /// First line, from 1.
    first: u32,
    /// Last line.
    last: u32,
}

impl Lines {
    fn from_evidence(evidence: &str) -> Option<Self> {
        let (path, lines) = evidence.rsplit_once(':')?;
        let (first, last) = lines.split_once('-')?;
        Some(Self { path: path.to_owned(), first: first.parse().ok()?, last: last.parse().ok()? })
    }

    fn contain(&self, other: &Self) -> bool {
        self.path == other.path && self.first <= other.first && other.last <= self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_known_in_other_punctuation_and_inside_longer_ones() {
        let memory = "# Long-Term Memory\n\n- VLAN ten is for guests.\n<!-- openclaw-memory-promotion:k -->\n\
            - Router restarted at noon The lease ends in June [score=0.866 recalls=6 avg=0.950 source=memory/2026-04-03.md:3-4]\n\
            Rule: ship on Mondays\nWe do not deploy to production on Fridays\n路由器每晚两点自动备份配置\n";
        let known = Known::from_memory(memory);
        for said in [
            "vlan ten is for guests",
            "The lease ends in June",
            "ship on Mondays",
            "路由器每晚两点自动备份配置。",
            "每晚两点自动备份配置",
            "Router restarted at noon, the lease ends in June",
        ] {
            assert!(known.holds(said, "", WORDS_OF_FACT), "{said}");
        }
        // Four words, in a fact that was joined from two lines of a note.
        let noon = "Router restarted at noon";
        assert!(known.holds(noon, "memory/2026-04-03.md:3-3", WORDS_OF_FACT));
        assert!(!known.holds(noon, "", WORDS_OF_FACT));
        let negated = Known::from_memory(
            "- 状态: 未触发 分析: 收益率已在历史低位徘徊 [score=0.8 source=memory/2026-04-03.md:3-9]\n",
        );
        let line = "分析: 收益率已在历史低位徘徊";
        assert!(negated.holds(line, "memory/2026-04-03.md:4-4", WORDS_OF_FACT));
        assert!(!negated.holds(line, "", WORDS_OF_FACT));
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
            assert!(!known.holds(new, "memory/2026-04-03.md:5-5", WORDS_OF_FACT), "{new}");
        }
    }
}

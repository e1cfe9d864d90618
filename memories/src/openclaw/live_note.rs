//! A live note, split into lines, sentences and words for comparison (tokenization with positions). Lines are numbered from 1, as in the
//! store. Sentences are the unit, because a fragment of one may mean the opposite. Relocation and deep sleep read notes so.

use super::sentence::{is_heading, is_item, sentences, without_marks};
use super::text::{is_unspaced, words};

/// A note, split into sentences and words (tokenized document).
pub(super) struct Live {
    /// In the order of the note.
    pub sentences: Vec<Sentence>,
    /// Every word, with the index of its sentence.
    pub words: Vec<(String, usize)>,
}

/// A sentence of a note (span of tokens).
pub(super) struct Sentence {
    /// Its line, from 1.
    pub line: usize,
    /// Its text as the note has it.
    pub text: String,
    /// Range of its words: the first, and the one after the last.
    pub words: (usize, usize),
    /// Whether it is the last sentence of its line.
    pub ends_line: bool,
}

impl Live {
    /// Tokenizes lines: splits them into sentences and words.
    pub(super) fn from_lines(lines: Vec<String>) -> Self {
        let mut live = Self { sentences: Vec::new(), words: Vec::new() };
        for (line, text) in (1..).zip(lines) {
            let parts = sentences(&text);
            let last = parts.len().saturating_sub(1);
            for (place, part) in parts.into_iter().enumerate() {
                let from = live.words.len();
                live.words.extend(words(part).into_iter().map(|word| (word, live.sentences.len())));
                let words = (from, live.words.len());
                live.sentences.push(Sentence {
                    line,
                    text: part.to_owned(),
                    words,
                    ends_line: place == last,
                });
            }
        }
        live
    }

    /// Iterates over the words (tokens) of one sentence, in order.
    pub(super) fn words_of(&self, sentence: &Sentence) -> impl Iterator<Item = &String> {
        self.words[sentence.words.0..sentence.words.1].iter().map(|(word, _)| word)
    }
}

/// Whether one of the parts is a sentence: marks and headings alone aren't.
pub(super) fn says_something(parts: &[Part]) -> bool {
    parts.iter().any(|part| !is_heading(&part.text) && !words(&part.text).is_empty())
}

/// The number of words of a text. In scripts without blanks two letters count as one word, which is about their average length in Chinese.
pub(super) fn weight(words: &[String]) -> usize {
    let letters = words.iter().filter(|word| word.chars().next().is_some_and(is_unspaced)).count();
    words.len() - letters + letters / 2
}

/// A line or a sentence of a note: a text fragment with its line number (text span).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its line, from 1.
    pub line: u32,
    /// Its text.
    pub text: String,
}

/// Joins parts of a note to one text: sentences of a line as they are, items of a list with semicolons, headings with a colon. Without the
/// punctuation a list would read as one sentence.
pub fn joined(parts: &[Part]) -> String {
    const ENDS: [char; 9] = [';', ':', '.', '!', '?', '。', '！', '？', '；'];
    let mut text = String::new();
    let mut before: Option<&Part> = None;
    for part in parts.iter().filter(|part| !words(&part.text).is_empty()) {
        let inner = before.is_some();
        let titled = inner && is_heading(&part.text);
        let listed = inner && (titled || is_item(&part.text));
        let unspaced = |letter: char| is_unspaced(letter) || ENDS[5..].contains(&letter);
        if listed && !text.ends_with(ENDS) {
            text.push(';');
        }
        let same_line = before.is_some_and(|before| before.line == part.line);
        if inner && !(same_line && text.ends_with(unspaced)) {
            text.push(' ');
        }
        text.push_str(if listed { without_marks(&part.text) } else { &part.text });
        text.push_str(if titled { ":" } else { "" });
        before = Some(part);
    }
    text
}

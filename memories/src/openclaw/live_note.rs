//! A note as it is compared: by lines, sentences and words.

use super::sentence::{is_heading, is_item, sentences, without_marks};
use super::text::{is_unspaced, words};

/// A note by lines, sentences and words.
pub(super) struct Live {
    pub sentences: Vec<Sentence>,
    /// Every word with the sentence it is of.
    pub words: Vec<(String, usize)>,
}

/// One of them.
pub(super) struct Sentence {
    /// Its line, from 1.
    pub line: usize,
    pub text: String,
    /// Its words: the first, and the one after the last.
    pub words: (usize, usize),
    /// Whether nothing follows it on its line.
    pub ends_line: bool,
}

impl Live {
    pub fn of(lines: Vec<String>) -> Self {
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

    pub fn words_of(&self, sentence: &Sentence) -> impl Iterator<Item = &String> {
        self.words[sentence.words.0..sentence.words.1].iter().map(|(word, _)| word)
    }
}

/// Whether there is a sentence among them: a mark or a heading alone is none.
pub(super) fn says_something(parts: &[Part]) -> bool {
    parts.iter().any(|part| !is_heading(&part.text) && !words(&part.text).is_empty())
}

/// How many words a text has that stand for themselves: of scripts without blanks two letters make about one.
pub(super) fn weight(words: &[String]) -> usize {
    let letters = words.iter().filter(|word| word.chars().next().is_some_and(is_unspaced)).count();
    words.len() - letters + letters / 2
}

/// A line or a sentence of a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its line, from 1.
    pub line: u32,
    /// Its text.
    pub text: String,
}

/// Parts of a note as one text: sentences of a line as they stand, items of a list with semicolons between them, headings with a colon.
pub fn text_of(parts: &[Part]) -> String {
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

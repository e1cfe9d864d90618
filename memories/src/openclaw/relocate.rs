//! Finds a snippet in its live note before the snippet is promoted, because the user may have moved, changed or deleted it
//! (digest section 5, step 4).
//!
//! Notes are compared by words, sentence by sentence: marks of lists and headings, punctuation and case may differ between a snippet and its
//! note. The original compares characters instead, and accepts any line that is part of the snippet, even a lone dash.
//!
//! It is text anchoring (fuzzy matching of a quotation in a changed document). An entry whose snippet isn't found is stale: it stays in
//! the store and isn't promoted. Lines are counted from 1.

use super::live_note::{Live, Part, Sentence, joined, says_something, weight};
use super::sentence::{is_heading, is_item, sentences, without_head, without_marks};
use super::text::{collapse, words};

/// Lines of the largest window for a short snippet (digest section 5).
const USUAL_WINDOW: usize = 8;
/// Lines by which a window may be longer than the snippet was (digest section 5).
const LONGER_BY: usize = 3;
/// The fewest words of a line that counts as a part of a snippet without full stops. Our choice, because fewer words occur anywhere by chance.
const WORDS_OF_PART: usize = 3;
/// Characters from which a snippet may be cut off inside of a word. Our choice, well below the 700 characters of search results: a search
/// with a lower limit is recognised too, and a shorter snippet is taken at its word.
const CUT_OFF: usize = 280;

/// A snippet found in a note: the match result with its located lines (text anchor).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, not before the first.
    pub end_line: u32,
    /// The text in these lines, in one line.
    pub text: String,
    /// Its parts, each a whole line or sentence of the note.
    pub parts: Vec<Part>,
}

/// Finds a snippet that was at these lines; `None` if the note doesn't have it any more. It is a fuzzy text search (text anchoring).
///
/// If the text at the lines equals the snippet, it is found there. Otherwise the sentences of the note are searched for its words. A match of whole
/// sentences beats one inside of longer sentences, which are then returned whole; then the nearest first line decides, then the span closest to
/// the old one. A snippet that begins with the heading above it is found without the heading. Of a changed snippet its unchanged sentences are
/// found, never a fragment of one, because a fragment may mean the opposite. A snippet without text is the text at its lines now; one without a
/// word is never found.
pub fn relocate(note: &str, start_line: u32, end_line: u32, snippet: &str) -> Option<Found> {
    let lines: Vec<String> = note.lines().map(collapse).collect();
    let snippet = collapse(snippet);
    let (start, span) = (start_line as usize, end_line.saturating_sub(start_line) as usize + 1);
    let there = window(&lines, start, span);
    if snippet.is_empty() || there.as_ref().is_some_and(|there| *there == snippet) {
        return found_lines(&lines, start, span, there?);
    }
    let snippet = without_head(&snippet);
    let wanted = words(snippet);
    // Search results are cut off at 700 characters, and some end with an ellipsis then.
    let says_so = wanted.len() > WORDS_OF_PART && (snippet.ends_with("...") || snippet.ends_with('…'));
    let cut_off = says_so || snippet.chars().count() >= CUT_OFF;
    let live = Live::from_lines(lines);
    let search = Search { live: &live, start, span, cut_off };
    search
        .whole(&wanted, 0)
        .or_else(|| search.under_heading(snippet, &wanted))
        .or_else(|| search.sentences_of(snippet))
        .or_else(|| search.lines_of(&wanted))
}

/// Rank of a match, smaller is better: whether it is longer than the snippet, its distance from the old lines, and the difference of the spans.
type Rank = (bool, usize, usize);

/// A search for one snippet in one note.
struct Search<'a> {
    /// The note as it is now.
    live: &'a Live,
    /// First line of the snippet when it was found.
    start: usize,
    /// Lines that it had then.
    span: usize,
    /// Whether the snippet's last word may be the beginning of a longer one.
    cut_off: bool,
}

impl Search<'_> {
    fn widest(&self) -> usize {
        (self.span + LONGER_BY).max(USUAL_WINDOW)
    }

    /// The best match of all these words in a row, from a sentence on.
    fn whole(&self, wanted: &[String], from: usize) -> Option<Found> {
        let (live, first) = (self.live, wanted.first()?);
        let mut best: Option<(Rank, (usize, usize))> = None;
        let after = live.sentences.get(from).map_or(live.words.len(), |sentence| sentence.words.0);
        for at in after..(live.words.len() + 1).saturating_sub(wanted.len()) {
            let there = &live.words[at..at + wanted.len()];
            let (last, rest) = (wanted.len() - 1, there.iter().zip(wanted).take(wanted.len() - 1));
            let ends =
                there[last].0 == wanted[last] || self.cut_off && there[last].0.starts_with(&wanted[last]);
            if !ends
                || there[0].0 != *first && last > 0
                || rest.into_iter().any(|((word, _), wanted)| word != wanted)
            {
                continue;
            }
            let (a, b) = (there[0].1, there[wanted.len() - 1].1);
            let (one, other) = (&live.sentences[a], &live.sentences[b]);
            let span = other.line - one.line + 1;
            if span > self.widest() {
                continue;
            }
            let longer = one.words.0 != at || other.words.1 != at + wanted.len();
            let rank = (longer, one.line.abs_diff(self.start), span.abs_diff(self.span));
            if best.as_ref().is_none_or(|(known, _)| rank < *known) {
                best = Some((rank, (a, b)));
            }
        }
        let (_, (a, b)) = best?;
        self.found(&(a..=b).collect::<Vec<_>>(), None)
    }

    /// Finds a snippet that begins with a heading of the note and continues with text below it. Search engines put the heading before a result as
    /// context.
    fn under_heading(&self, snippet: &str, wanted: &[String]) -> Option<Found> {
        let live = self.live;
        for (place, heading) in live.sentences.iter().enumerate().filter(|(_, one)| is_heading(&one.text)) {
            let title: Vec<&String> = live.words_of(heading).collect();
            if title.is_empty()
                || title.len() >= wanted.len()
                || !title.iter().zip(wanted).all(|(a, b)| *a == b)
            {
                continue;
            }
            let Some(rest) = snippet.get(cut_words(snippet, title.len())..) else { continue };
            let wanted = &wanted[title.len()..];
            let items = |mut found: Found| {
                let items: Vec<&str> = found.parts.iter().map(|part| without_marks(&part.text)).collect();
                // Headings in between are in the text and not among the parts.
                let own = joined(&found.parts);
                let titles = found.text.strip_suffix(without_marks(&own)).filter(|head| head.ends_with(": "));
                found.text = titles.unwrap_or_default().to_owned() + &items.join("; ").replace(";;", ";");
                found
            };
            let whole = self.whole(wanted, place + 1).map(items);
            // The snippet may have a second heading below the first.
            let below = whole.or_else(|| self.under_heading(rest, wanted));
            if let Some(mut below) = below.or_else(|| self.sentences_of(rest).map(items)) {
                below.text = format!("{}: {}", without_marks(&heading.text), below.text);
                return Some(below);
            }
        }
        None
    }

    /// The sentences of a snippet that the note still has, each as a whole sentence or line.
    fn sentences_of(&self, snippet: &str) -> Option<Found> {
        let mut parts = sentences(snippet);
        if is_item(snippet) {
            // Items of a list that were joined to one line.
            parts = parts.into_iter().flat_map(|part| part.split(" - ")).collect();
        }
        if parts.len() < 2 {
            return None;
        }
        let mut found: Vec<usize> = Vec::new();
        for part in parts {
            let wanted = words(part);
            if weight(&wanted) < 2 {
                continue;
            }
            let near = found.last().map_or(self.start, |last| self.live.sentences[*last].line);
            let runs = (0..self.live.sentences.len()).filter_map(|first| self.run(first, &wanted));
            let nearest = runs.min_by_key(|run| self.live.sentences[run[0]].line.abs_diff(near));
            found.extend(nearest.into_iter().flatten());
        }
        found.sort_unstable();
        found.dedup();
        self.found(&found, Some(self.widest()))
    }

    /// The sentences from this one on whose words are exactly `wanted`.
    fn run(&self, first: usize, wanted: &[String]) -> Option<Vec<usize>> {
        let (mut run, mut left) = (Vec::new(), wanted);
        for (place, sentence) in self.live.sentences.iter().enumerate().skip(first) {
            let own: Vec<&String> = self.live.words_of(sentence).collect();
            if own.len() > left.len() || !own.iter().zip(left).all(|(a, b)| *a == b) {
                return None;
            }
            if !own.is_empty() {
                run.push(place);
            }
            left = &left[own.len()..];
            if left.is_empty() {
                return Some(run);
            }
        }
        None
    }

    /// The lines of a snippet without full stops that the note still has, in order; `None` if they are less than half of it. A snippet of one line is
    /// one sentence, which is found whole or not at all.
    fn lines_of(&self, wanted: &[String]) -> Option<Found> {
        if self.span < 2 {
            return None;
        }
        let (mut at, mut found, mut covered) = (0, Vec::new(), 0);
        while at < wanted.len() {
            let fits = |sentence: &&Sentence| {
                let own: Vec<&String> = self.live.words_of(sentence).collect();
                sentence.ends_line
                    && own.len() <= wanted.len() - at
                    && own.iter().zip(&wanted[at..]).all(|(a, b)| *a == b)
                    && weight(&wanted[at..at + own.len()]) >= WORDS_OF_PART
            };
            let last = found.last().map_or(0, |place| place + 1);
            let next = (last..self.live.sentences.len()).find(|place| fits(&&self.live.sentences[*place]));
            if let Some(place) = next {
                let (from, to) = self.live.sentences[place].words;
                (at, covered) = (at + to - from, covered + to - from);
                found.push(place);
            } else {
                at += 1;
            }
        }
        if 2 * covered < wanted.len() {
            return None;
        }
        self.found(&found, Some(self.widest()))
    }

    /// These sentences as one found text. Headings before the first sentence are context: they are in the text, but not in its lines.
    fn found(&self, places: &[usize], widest: Option<usize>) -> Option<Found> {
        let live = self.live;
        let sentences: Vec<&Sentence> = places.iter().map(|place| &live.sentences[*place]).collect();
        let part = |sentence: &&Sentence| Part { line: sentence.line as u32, text: sentence.text.clone() };
        let parts: Vec<Part> = sentences.iter().map(part).collect();
        if !says_something(&parts) {
            return None;
        }
        let context = parts.iter().take_while(|part| is_heading(&part.text)).count();
        let (start_line, end_line) = (parts[context].line, parts.last()?.line);
        if widest.is_some_and(|widest| (end_line - start_line) as usize >= widest) {
            return None;
        }
        let text = joined(&parts[context..]);
        let titles: Vec<&str> = parts[..context].iter().map(|part| without_marks(&part.text)).collect();
        let text =
            if titles.is_empty() { text } else { format!("{}: {}", titles.join(": "), without_marks(&text)) };
        let kept = parts.into_iter().skip(context).filter(|part| !words(&part.text).is_empty());
        Some(Found { start_line, end_line, text, parts: kept.collect() })
    }
}

/// The text of `span` lines from `first` on, in one line; `None` when the note is shorter.
fn window(lines: &[String], first: usize, span: usize) -> Option<String> {
    let lines = lines.get(first.checked_sub(1)?..first + span - 1)?;
    let filled: Vec<&str> = lines.iter().map(String::as_str).filter(|line| !line.is_empty()).collect();
    Some(filled.join(" "))
}

/// The text at these lines as found; `None` if it has no word or is a heading alone.
fn found_lines(lines: &[String], first: usize, span: usize, text: String) -> Option<Found> {
    let part = |line: usize| Part { line: line as u32, text: lines[line - 1].clone() };
    let filled = (first..first + span).filter(|line| !lines[line - 1].is_empty());
    let parts: Vec<Part> = filled.map(part).collect();
    let end_line = (first + span - 1) as u32;
    says_something(&parts).then_some(Found { start_line: first as u32, end_line, text, parts })
}

/// The byte index at which a text continues after `count` words.
fn cut_words(text: &str, count: usize) -> usize {
    let ends = text.char_indices().map(|(at, letter)| at + letter.len_utf8());
    let end = ends.clone().find(|end| words(&text[..*end]).len() > count);
    let after = end.unwrap_or(text.len());
    // `after` is behind the first letter of the next word, so the index is one letter before it.
    text[..after].char_indices().next_back().map_or(0, |(at, _)| if end.is_some() { at } else { after })
}

//! Sentiment of speech, by keywords (digest section 3). It is lexicon-based sentiment analysis in English; a text without any listed word
//! is 0. Keywords are the original's method; they are crude, and kept so that its figures can be repeated. A known `social_type` in
//! the log, where there is one, decides in place of the words.

use crate::dark_pawns::{Valence, WordMatching};

/// Words of gratitude, request, bond, approval and greeting: the original's list.
const POSITIVE: [&str; 12] = [
    "thank", "thanks", "help", "please", "friend", "ally", "good", "great", "well done", "nice", "hello",
    "hi",
];
/// Words of violence, insult, enmity and curse: the original's list.
const NEGATIVE: [&str; 10] =
    ["hate", "kill", "die", "stupid", "idiot", "fool", "enemy", "betray", "traitor", "curse"];

/// Analyses the sentiment of a text: +1 when it has more different positive words than negative ones, −1 when fewer, 0 when equal. How
/// often a word occurs doesn't count.
pub fn sentiment(text: &str, matching: WordMatching) -> Valence {
    let text = text.to_lowercase();
    let count = |words: &[&str]| words.iter().filter(|word| contains(&text, word, matching)).count();
    Valence::of_sign(count(&POSITIVE).cmp(&count(&NEGATIVE)) as i64)
}

fn contains(text: &str, word: &str, matching: WordMatching) -> bool {
    text.match_indices(word).any(|(start, _)| {
        let before = text[..start].chars().next_back();
        let after = text[start + word.len()..].chars().next();
        matching == WordMatching::Substring
            || ![before, after].into_iter().flatten().any(char::is_alphanumeric)
    })
}

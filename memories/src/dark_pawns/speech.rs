//! The feeling of what is said, by words (digest section 3).

use crate::dark_pawns::{Valence, WordMatching};

/// Words of gratitude, request, bond, approval and greeting.
const POSITIVE: [&str; 12] = [
    "thank", "thanks", "help", "please", "friend", "ally", "good", "great", "well done", "nice", "hello",
    "hi",
];
/// Words of violence, insult, enmity and curse.
const NEGATIVE: [&str; 10] =
    ["hate", "kill", "die", "stupid", "idiot", "fool", "enemy", "betray", "traitor", "curse"];

/// +1 when more different words of the lists are kind than are hostile, −1 when fewer, else 0.
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

use morta_memories::dark_pawns::{WordMatching, sentiment};

#[test]
fn words_are_counted_once_each() {
    for (text, whole, substring) in [
        ("good fool", 0, 0),
        ("GOOD good good fool idiot", -1, -1),
        ("thanks", 1, 1),
        ("well done, stupid ally", 1, 1),
        // The traps of substrings.
        ("this", 0, 1),
        ("really", 0, 1),
        ("soldier", 0, -1),
        ("skill", 0, -1),
        ("die, \u{130}stanbul", -1, -1),
    ] {
        assert_eq!(sentiment(text, WordMatching::WholeWord).get(), whole, "{text}");
        assert_eq!(sentiment(text, WordMatching::Substring).get(), substring, "{text}");
    }
}

use morta_memories::openclaw::block::{block_of, with_block, without_blocks};
use morta_memories::openclaw::schedule::Phase;

#[test]
fn a_phase_leaves_one_block() {
    let body = |text: &str| vec![format!("- {text}")];
    let first = with_block("# Sunday\n\nNothing new\n\n", Phase::Light, &body("one"));
    let expected = "# Sunday\n\nNothing new\n\n## Light Sleep\n<!-- openclaw:dreaming:light:start -->\n- one\n\
        <!-- openclaw:dreaming:light:end -->\n";
    assert_eq!(first, expected);
    let both = with_block(&first, Phase::Rem, &body("theme"));
    let later = format!("{both}\nWritten later\n");
    let fourth = with_block(&later, Phase::Light, &body("four"));
    assert_eq!(fourth, later.replace("- one", "- four"));
    assert_eq!(fourth.matches("## Light Sleep").count(), 1);
    let bodies = [Phase::Light, Phase::Rem].map(|phase| block_of(&fourth, phase));
    assert_eq!(bodies, [Some("- four"), Some("- theme")]);
    assert_eq!(block_of("# Sunday\n", Phase::Light), None);
    assert!(with_block("", Phase::Rem, &body("x")).starts_with("## REM Sleep\n"));
}

#[test]
fn blocks_are_blanked_and_every_other_line_stays_where_it_is() {
    let body = |text: &str| vec![format!("- Candidate: {text}")];
    let own = "# Sunday\n\nNothing new\n";
    let written = with_block(&with_block(own, Phase::Light, &body("gone")), Phase::Rem, &body("theme"));
    let written = format!("{written}\nWritten later\n");
    let bare = without_blocks(&written);
    assert_eq!(bare.lines().count(), written.lines().count());
    let filled: Vec<_> = bare.lines().enumerate().filter(|(_, line)| !line.is_empty()).collect();
    let later = written.lines().position(|line| line == "Written later").unwrap();
    assert_eq!(filled, [(0, "# Sunday"), (2, "Nothing new"), (later, "Written later")]);
    assert_eq!(without_blocks(own), own);
    let torn = "a\n<!-- openclaw:dreaming:light:start -->\nb\n<!-- openclaw:dreaming:rem:end --> c\nd";
    assert_eq!(without_blocks(torn), "a\n\nb\n\nd", "text that may be the user's own stays");
    let bare = "mine\n- Candidate: gone\n  - confidence: 0.58\n  - status: staged\n\n- status: mine\n- Candidate: a person\n";
    assert_eq!(without_blocks(bare), "mine\n\n\n\n\n- status: mine\n- Candidate: a person\n");
}

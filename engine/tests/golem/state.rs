use morta_engine::golem::Golem;

/// A population of millions must fit into memory: a golem takes less than 4 KB, the ring of its last clock readings and the
/// samples of its story included.
#[test]
fn a_golem_is_small() {
    use morta_engine::mortality::reading::READINGS;
    let ring = READINGS * size_of::<morta_engine::mortality::MortalityReading>();
    let story = 32 * size_of::<f32>();
    let whole = size_of::<Golem>() + ring + story;
    assert!(whole < 4_096, "{whole} bytes, {} of them at once", size_of::<Golem>());
    // The factors of its genome are 56 of these: they spare three exponentials a tick.
    assert!(size_of::<Golem>() <= 2_456, "{} bytes", size_of::<Golem>());
}

use morta_engine::mortality::reading::READINGS;
use morta_engine::mortality::{MortalityReading, ReadingRing};

#[test]
fn the_last_fifty_are_kept_in_order() {
    let mut ring = ReadingRing::default();
    let reading = |n: u32| MortalityReading { economic: n as f32, ..MortalityReading::default() };
    (0..3).for_each(|n| ring.keep(reading(n)));
    assert_eq!(ring.oldest_first().len(), 3);
    (3..127).for_each(|n| ring.keep(reading(n)));
    let kept: Vec<f32> = ring.oldest_first().iter().map(|reading| reading.economic).collect();
    let expected: Vec<f32> = (77..127).map(|n| n as f32).collect();
    assert_eq!(kept, expected);
    assert_eq!(size_of::<MortalityReading>() * READINGS, 1_000, "bytes on the heap");
}

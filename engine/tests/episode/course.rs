use crate::common::episodes::course;

/// From .2 R after eight ticks to −.4 R after 24, sixteen ticks of .01 R each: −.6 − .16.
#[test]
fn staying_costs_time() {
    let course = course(0, &[0.1, 0.2], -0.4, 0.01);
    assert!((course.stayed_r(&course.reviews[1]) + 0.76).abs() < 1e-12);
    assert_eq!(course.context_at(&course.reviews[1]).held, Some(course.reviews[1].held));
}

/// After 8 and 12 ticks it is half-way and ahead: one state, counted once.
#[test]
fn a_state_counts_once_in_a_course() {
    let course = course(0, &[0.1, 0.2, 0.3, 0.9], 1.0, 0.0);
    assert_eq!(course.first_visits().map(|review| review.tick).collect::<Vec<_>>(), [4, 8, 16]);
}

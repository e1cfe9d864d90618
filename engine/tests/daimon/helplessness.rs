use morta_engine::daimon::helplessness::DominanceWindow;

#[test]
fn two_hundred_ticks_are_averaged() {
    let mut window = DominanceWindow::default();
    (0..199).for_each(|_| window.note(-0.4, 200));
    assert_eq!(window.mean(), None);
    window.note(-0.4, 200);
    assert!((window.mean().unwrap() + 0.4).abs() < 1e-6);
    (0..100).for_each(|_| window.note(0.4, 200));
    assert!(window.mean().unwrap().abs() < 1e-6);
    (0..100).for_each(|_| window.note(0.4, 200));
    assert!((window.mean().unwrap() - 0.4).abs() < 1e-6);
}

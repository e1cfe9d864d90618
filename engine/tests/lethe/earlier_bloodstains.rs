use morta_base::GolemId;
use morta_engine::lethe::generations_crossed;

#[test]
fn generations_of_different_runs_are_not_compared() {
    let here = |generation| GolemId::of_run(0, 3, generation);
    let there = |generation| GolemId::of_run(1, 3, generation);
    assert_eq!(generations_crossed(here(2), here(4), here(5)), 3);
    assert_eq!(generations_crossed(here(2), here(2), here(2)), 1);
    assert_eq!(generations_crossed(there(38), there(40), here(0)), 3);
    assert_eq!(generations_crossed(there(40), here(2), here(3)), 3);
}

use morta_engine::lethe::CladeMap;

#[test]
fn clades_end_where_cohorts_do() {
    let map = CladeMap::new([25, 10], 20);
    let clades: Vec<_> = [0, 19, 20, 24, 25, 34, 35].into_iter().map(|slot| map.clade_of(slot)).collect();
    assert_eq!(clades, [Some(0), Some(0), Some(20), Some(20), Some(25), Some(25), None]);
    assert!(map.are_siblings(3, 4) && !map.are_siblings(19, 20) && !map.are_siblings(3, 3));
    assert!(!map.are_siblings(24, 25));
    assert_eq!(CladeMap::new([25], 0).clade_of(1), None);
}

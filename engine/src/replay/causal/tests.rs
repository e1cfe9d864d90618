//! A graph laid out by hand: the walk is breadth-first, bounded in depth, and multiplies confidences.

use super::*;

#[test]
fn the_walk_is_breadth_first_and_bounded() {
    let edge = |cause: usize, effect: usize, confidence: f64| CausalEdge {
        cause: MarketCondition::ALL[cause],
        effect: MarketCondition::ALL[effect],
        confidence,
        fired: 2,
        opportunities: 4,
        last_fired: 0,
        mean_lag_ticks: 1.0,
    };
    // 0 → 1 → 2 → 3 → 4 → 5 → 6, with a weaker way out of 0, and 7 → 8 beside it.
    let mut edges: Vec<_> = (0..6).map(|i| edge(i, i + 1, 0.5)).collect();
    edges.extend([edge(7, 8, 0.4), edge(0, 9, 0.3)]);
    let graph = CausalGraph { edges, ..CausalGraph::default() };
    let walked = graph.walk(&[MarketCondition::ALL[0], MarketCondition::ALL[7]], 5, |_| true);
    let reached: Vec<_> = walked.iter().map(|hop| (hop.edge.effect.index(), hop.depth)).collect();
    assert_eq!(reached, [(1, 1), (8, 1), (2, 2), (3, 3), (4, 4), (5, 5)]);
    assert!((walked[5].path_confidence - 0.031_25).abs() < 1e-12);
    assert!(graph.walk(&[MarketCondition::ALL[0]], 5, |edge| edge.confidence > 0.6).is_empty());
}

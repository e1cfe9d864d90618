//! The density of scores that no look has stopped yet, by Gauss–Legendre quadrature (Armitage, McPherson & Rowe 1969). It is the numerical
//! integration of a group sequential test. Scores are in standard deviations of the final one. It is integrated and not simulated, because
//! bounds need more digits than draws give. Bounds of looks are found by bisection over `share_beyond`.

use crate::distribution::normal_cdf;
use morta_base::math::exp;
use std::f64::consts::{PI, SQRT_2};

/// Nodes in (0, 1) of the rule of eight points, whose other half is their mirror, and their weights (Abramowitz & Stegun 25.4).
const RULE: [(f64, f64); 4] = [
    (0.1834346424956498, 0.362683783378362),
    (0.525532409916329, 0.3137066458778873),
    (0.7966664774136267, 0.2223810344533745),
    (0.9602898564975363, 0.1012285362903763),
];
/// Beyond so many standard deviations a normal density is below 1e-18 of its peak, which adding it to 1 wouldn't show.
const REACH: f64 = 9.0;

/// A place of the score, and the share of trials without effect that it carries.
struct Node {
    /// The score Z·√t.
    score: f64,
    /// Share of all trials at it.
    mass: f64,
}

/// Trials without effect that are still going on after a look (group sequential density).
pub(super) struct StillGoing {
    /// The share of the data at that look.
    fraction: f64,
    /// By ascending score.
    nodes: Vec<Node>,
}

impl StillGoing {
    /// The initial distribution, before the first look: all of it at score 0, without data.
    pub(super) fn at_start() -> Self {
        Self { fraction: 0.0, nodes: vec![Node { score: 0.0, mass: 1.0 }] }
    }

    /// The tail probability: the share beyond ±z at the next look, which has this share of the data (boundary crossing). Both sides have as
    /// much.
    pub(super) fn share_beyond(&self, fraction: f64, z: f64) -> f64 {
        let (score, deviation) = (z * fraction.sqrt(), (fraction - self.fraction).sqrt());
        let beyond = |node: &Node| node.mass * normal_cdf((node.score - score) / deviation);
        2.0 * self.nodes.iter().map(beyond).sum::<f64>()
    }

    /// Those within ±z at that look, on nodes dense enough for a following step of this length (conditional density).
    pub(super) fn after(&self, fraction: f64, z: f64, next_step: f64) -> Self {
        let (end, deviation) = (z * fraction.sqrt(), (fraction - self.fraction).sqrt());
        // Eight points a standard deviation of the narrower normal that meets here: error below 1e-15.
        let panels = (2.0 * end / deviation.min(next_step.sqrt())).ceil().max(1.0);
        let half = end / panels;
        let mut nodes = Vec::with_capacity(8 * panels as usize);
        for panel in 0..panels as usize {
            let centre = half * (2 * panel + 1) as f64 - end;
            let left = RULE.iter().rev().map(|(place, weight)| (-place, weight));
            let right = RULE.iter().map(|(place, weight)| (*place, weight));
            for (place, weight) in left.chain(right) {
                let score = centre + half * place;
                nodes.push(Node { score, mass: half * weight * self.density(score, deviation) });
            }
        }
        Self { fraction, nodes }
    }

    /// The density of scores one step later.
    fn density(&self, score: f64, deviation: f64) -> f64 {
        let first = self.nodes.partition_point(|node| node.score < score - REACH * deviation);
        let near = self.nodes[first..].iter().take_while(|node| node.score <= score + REACH * deviation);
        let normal = |node: &Node| {
            let away = (score - node.score) / (deviation * SQRT_2);
            node.mass * exp(-away * away)
        };
        near.map(normal).sum::<f64>() / (deviation * (2.0 * PI).sqrt())
    }
}

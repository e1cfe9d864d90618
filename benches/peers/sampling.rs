//! A batch drawn by priority, with its importance weights and contents, and new priorities for it: against cpprb.

use crate::Options;
use crate::peer::Peer;
use crate::table::{Row, clocked};
use morta_base::{Purpose, Stream, WorldSeed};
use morta_engine::replay::prioritization::{SumTree, proportional_weights};
use serde_json::json;
use std::hint::black_box;

const EXPONENT: f64 = 0.6;
const CORRECTION: f64 = 0.4;
/// What cpprb adds to every priority.
const FLOOR: f64 = 1e-4;
/// Batches of new priorities that are drawn beforehand, as for cpprb.
const PREPARED: usize = 64;

/// What is remembered of a step; the same fields as cpprb is given, each a column.
struct Contents {
    observation: Vec<[f32; 8]>,
    reward: Vec<f32>,
    done: Vec<f32>,
}

impl Contents {
    fn gathered(&self, places: &[u32]) -> Self {
        Self {
            observation: places.iter().map(|&place| self.observation[place as usize]).collect(),
            reward: places.iter().map(|&place| self.reward[place as usize]).collect(),
            done: places.iter().map(|&place| self.done[place as usize]).collect(),
        }
    }
}

fn weights(priorities: Vec<f64>) -> Vec<f32> {
    proportional_weights(priorities, FLOOR, EXPONENT).into_iter().map(|weight| weight as f32).collect()
}

fn uniforms(count: usize, stream: &mut Stream) -> Vec<f64> {
    (0..count).map(|_| stream.uniform()).collect()
}

pub fn measure(options: &Options, peer: &mut Peer, rows: &mut Vec<Row>) -> anyhow::Result<()> {
    for n in [100_000, 1_000_000].into_iter().filter(|&n| n <= options.most) {
        for batch in [64, 4_096] {
            let mut stream = WorldSeed(1).world(Purpose::Dream, 0, 0);
            let mut tree = SumTree::new(&weights(uniforms(n, &mut stream)));
            let contents = Contents {
                observation: (0..n).map(|_| [0.0; 8].map(|_: f32| stream.normal() as f32)).collect(),
                reward: (0..n).map(|_| stream.normal() as f32).collect(),
                done: vec![0.0; n],
            };
            let errors: Vec<Vec<f64>> = (0..PREPARED).map(|_| uniforms(batch, &mut stream)).collect();
            let mut turns = errors.iter().cycle();
            let mut ours = || {
                let places = tree.sample(batch, &mut stream);
                black_box(tree.importance(&places, CORRECTION));
                let gathered = contents.gathered(&places);
                black_box((gathered.observation, gathered.reward, gathered.done));
                let new = turns.next().expect("a cycle doesn't end").clone();
                tree.update(&places, &weights(new));
            };
            let case = json!({ "case": "cpprb_prioritized", "n": n, "batch": batch });
            rows.push(Row::alternate(
                format!("sample and update {batch} of {n}, cpprb"),
                options.rounds,
                |runs| clocked(runs, &mut ours),
                |runs| peer.measure(&case, runs),
            )?);
            peer.forget()?;
        }
    }
    Ok(())
}

//! At random in proportion to utility (Schaul et al. 2016, proportional prioritization). Utilities are 0 or more, α is .6. Only episodes
//! whose utility exceeds `min_utility` are candidates. It draws, because a fixed order never reaches episodes of little utility.

use super::draw::sampled;
use super::{EXPONENT, Ordered, power};
use morta_base::Stream;

/// Added to every priority, so that nothing is out of reach: Schaul et al.'s ε, which they leave unnamed. Our choice: a hundredth of the utility that an
/// episode must exceed to be chosen for it (`dream.replay.min_utility`).
const FLOOR: f64 = 0.001;

/// Weights each priority by (priority + floor)^α: the weight of its draw, an unnormalised probability. Priorities and floor are 0 or more,
/// α is from 0 to 2. It holds within a relative error of 10⁻⁹. The replication of prioritised replay (Schaul et al.) draws by it too, with
/// |TD error| as the priority.
pub fn proportional_weights(mut priorities: Vec<f64>, floor: f64, exponent: f64) -> Vec<f64> {
    priorities.iter_mut().for_each(|priority| *priority += floor);
    power::raise(&mut priorities, exponent);
    priorities
}

/// P(i) ∝ (utility + floor)^α. With α = 0 all are alike. With floor = 0 and α above 0, an episode without utility is drawn
/// only when nothing else is left: Schaul et al. add ε for that reason.
pub(super) fn first(count: usize, candidates: Vec<u32>, utilities: &[f64], stream: &mut Stream) -> Ordered {
    let priorities = candidates.iter().map(|&slot| utilities[slot as usize]).collect();
    let weights = proportional_weights(priorities, FLOOR, EXPONENT);
    let drawn = sampled(count, &weights, stream);
    Ordered {
        slots: drawn.places.iter().map(|&place| candidates[place]).collect(),
        importance: drawn.importance,
    }
}

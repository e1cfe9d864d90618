//! Random numbers for memories in Python: a pseudorandom number generator class (PRNG, RNG, a PyO3 wrapper of a random stream), keyed by
//! seed, golem, tick and call, so that no other golem's luck, thread or run changes them. Before each call the memory's `random` is
//! replaced by a fresh one; at a golem's last call the numbers go on.

use morta_base::{GolemId, Stream, WorldSeed};
use morta_lab::foreign_memory::messages::Part;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// `self.random` of a memory, during one call; in a unit test, `Random(7)`.
#[pyclass(module = "morta")]
pub struct Random(pub Stream);

#[pymethods]
impl Random {
    /// Lots of a seed.
    #[new]
    fn new(seed: u64) -> Self {
        let founder = GolemId { lineage: 0, generation: 0 };
        Self(Part::Observe.lots(WorldSeed(seed), founder, 0))
    }

    /// Uniform on [0, 1).
    fn uniform(&mut self) -> f64 {
        self.0.uniform()
    }

    /// A draw from the normal distribution of mean 0 and variance 1.
    fn normal(&mut self) -> f64 {
        self.0.normal()
    }

    /// True with the given probability.
    fn chance(&mut self, probability: f64) -> bool {
        self.0.chance(probability)
    }

    /// Uniform on 0..n.
    fn below(&mut self, n: usize) -> PyResult<usize> {
        if n == 0 {
            return Err(PyValueError::new_err("below(0): there is nothing to choose from"));
        }
        Ok(self.0.below(n))
    }
}

//! What a memory is told, as Python sees it.

use morta_base::Usdc;
use morta_engine::episode::{Conditions, Context};
use morta_engine::llm::LlmConfig;
use morta_engine::memory::{Attention, Candidate, DecisionContext, Experience};
use morta_lab::foreign_memory::words::tier;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The moment of a decision: the circumstances as the golem reads them. The market's true regime isn't among them.
#[pyclass(module = "morta", frozen)]
pub struct Moment {
    context: Context,
    conditions: Conditions,
    embedding: Box<[f32]>,
    /// Now.
    #[pyo3(get)]
    tick: u64,
    /// Simulated time, seconds since 1970.
    #[pyo3(get)]
    time_s: i64,
}

impl Moment {
    /// That of a decision.
    pub fn of(moment: &DecisionContext<'_>) -> Self {
        Self {
            context: moment.context,
            conditions: moment.conditions,
            embedding: moment.embedding.into(),
            tick: moment.tick,
            time_s: moment.time_s,
        }
    }
}

#[pymethods]
impl Moment {
    #[getter]
    fn regime(&self) -> &'static str {
        self.context.regime.name()
    }

    #[getter]
    fn volatility_quintile(&self) -> u8 {
        self.context.volatility_quintile
    }

    #[getter]
    fn liquidity(&self) -> &'static str {
        self.context.liquidity.name()
    }

    #[getter]
    fn gas(&self) -> &'static str {
        self.context.gas.name()
    }

    #[getter]
    fn session(&self) -> &'static str {
        self.context.session.name()
    }

    #[getter]
    fn asset(&self) -> u8 {
        self.context.asset
    }

    #[getter]
    fn shock(&self) -> bool {
        self.context.shock
    }

    #[getter]
    fn price(&self) -> f64 {
        self.conditions.price
    }

    #[getter]
    fn atr(&self) -> f64 {
        self.conditions.atr_fast
    }

    #[getter]
    fn spread_over_atr(&self) -> f64 {
        self.conditions.spread_over_atr
    }

    #[getter]
    fn drawdown(&self) -> f64 {
        self.conditions.drawdown
    }

    #[getter]
    fn embedding<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.embedding.iter().copied())
    }
}

/// What the golem could do now: a tuple for each attribute, all in one order.
#[pyclass(module = "morta", frozen)]
pub struct Candidates {
    candidates: Vec<Candidate>,
}

impl Candidates {
    /// These.
    pub fn of(candidates: &[Candidate]) -> Self {
        Self { candidates: candidates.to_vec() }
    }

    fn each<'py, T: IntoPyObject<'py>>(
        &self,
        py: Python<'py>,
        of: impl Fn(&Candidate) -> T,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let values: Vec<T> = self.candidates.iter().map(of).collect();
        PyTuple::new(py, values)
    }
}

#[pymethods]
impl Candidates {
    fn __len__(&self) -> usize {
        self.candidates.len()
    }

    #[getter]
    fn strategy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.each(py, |candidate| candidate.strategy.name())
    }

    #[getter]
    fn side<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.each(py, |candidate| candidate.side.name())
    }

    #[getter]
    fn strength<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.each(py, |candidate| candidate.signal.strength)
    }

    #[getter]
    fn stop_distance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.each(py, |candidate| candidate.signal.stop_distance)
    }

    #[getter]
    fn horizon_ticks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.each(py, |candidate| candidate.signal.horizon_ticks)
    }

    #[getter]
    fn prior_r<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.each(py, |candidate| candidate.prior_r)
    }

    #[getter]
    fn cost_r<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.each(py, |candidate| candidate.cost_r)
    }
}

/// An outcome.
#[pyclass(module = "morta", frozen, get_all)]
pub struct Outcome {
    kind: &'static str,
    strategy: &'static str,
    side: &'static str,
    asset: u8,
    regime: &'static str,
    volatility_quintile: u8,
    opened: u64,
    closed: u64,
    expected_r: f64,
    realised_r: f64,
    surprise: f64,
    significance: f64,
    regret: f64,
    better_strategy: Option<&'static str>,
    arousal: f64,
    stake_usdc: f64,
    pnl_usdc: f64,
    embedding: Vec<f32>,
    now: u64,
}

impl Outcome {
    /// That of an experience.
    pub fn of(experience: &Experience<'_>) -> Self {
        let Experience { episode, now, .. } = *experience;
        Self {
            kind: episode.kind.name(),
            strategy: episode.strategy.name(),
            side: episode.side.name(),
            asset: episode.asset,
            regime: episode.context.regime.name(),
            volatility_quintile: episode.context.volatility_quintile,
            opened: episode.opened,
            closed: episode.closed,
            expected_r: episode.expected_r,
            realised_r: episode.realised_r,
            surprise: episode.surprise,
            significance: episode.significance,
            regret: episode.regret,
            better_strategy: episode.better_strategy.map(|strategy| strategy.name()),
            arousal: episode.arousal,
            stake_usdc: episode.stake.dollars(),
            pnl_usdc: episode.pnl.dollars(),
            embedding: episode.embedding.to_vec(),
            now,
        }
    }
}

/// A waking moment in which a memory may look after itself.
#[pyclass(module = "morta", frozen)]
pub struct Waking {
    llm: LlmConfig,
    /// Now.
    #[pyo3(get)]
    tick: u64,
    /// Ticks since birth.
    #[pyo3(get)]
    age: u64,
    /// Simulated time, seconds since 1970.
    #[pyo3(get)]
    time_s: i64,
    /// All the golem has, dollars.
    #[pyo3(get)]
    equity_usdc: f64,
    /// What is left for inference, dollars.
    #[pyo3(get)]
    inference_left_usdc: f64,
    /// Whether nothing is held and no order is out.
    #[pyo3(get)]
    idle: bool,
}

impl Waking {
    /// That of an attention.
    pub fn of(attention: &Attention<'_>) -> Self {
        Self {
            llm: attention.llm.clone(),
            tick: attention.tick,
            age: attention.age,
            time_s: attention.time_s,
            equity_usdc: attention.equity.dollars(),
            inference_left_usdc: attention.inference_left.dollars(),
            idle: attention.idle,
        }
    }
}

#[pymethods]
impl Waking {
    /// What reading and writing so many tokens costs, dollars.
    fn price_usdc(&self, number: u32, read: u32, written: u32) -> PyResult<f64> {
        let tier = tier(number).map_err(PyValueError::new_err)?;
        let price: Usdc = self.llm.tier(tier).price(read, written);
        Ok(price.dollars())
    }
}

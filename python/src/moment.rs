//! The arguments of memories' methods as PyO3 classes (Python class, Python bindings): `Moment` and `Candidates` for `advise`, `Experience`
//! for `observe`, `Attention` for `sleep`. The Rust names of the last two are `Outcome` and `Waking`. In reinforcement learning they are
//! the observation (a market snapshot, the decision context), the available actions (action space), the reward (a trade outcome,
//! profit and loss) and a maintenance hook (housekeeping, with the inference budget). Results are in R, confidence and shares 0 to 1, times
//! in ticks, `time_s` in seconds since 1970, money in dollars. Regimes and other labels are the words of scenario files.
//!
//! They are frozen, picklable copies (pickle), so that a memory can't change the world. Each can be created in Python too, for unit tests
//! of memories; the defaults of the constructors serve only there.

use morta_base::Usdc;
use morta_base::keys::words::UnknownWord;
use morta_engine::episode::{Conditions, Context, EpisodeKind};
use morta_engine::llm::LlmConfig;
use morta_engine::market::{PositionSide, Regime, Signal, Strategy};
use morta_engine::memory::{Attention, Candidate, DecisionContext, Experience};
use morta_lab::foreign_memory::words::tier;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyTuple, PyType};
use std::str::FromStr;

/// Parses a name; the error names the argument.
fn named<T: FromStr<Err = UnknownWord>>(argument: &str, name: &str) -> PyResult<T> {
    name.parse().map_err(|error| PyValueError::new_err(format!("{argument} {name:?}: {error}")))
}

/// The values of these attributes, in their order.
fn values<'py>(this: &Bound<'py, PyAny>, attributes: &[&str]) -> PyResult<Vec<Bound<'py, PyAny>>> {
    attributes.iter().map(|name| this.getattr(*name)).collect()
}

/// The value of `__reduce__`, from which `pickle` creates an equal object: the class with its attributes as arguments.
fn reduce<'py>(this: &Bound<'py, PyAny>, attributes: &[&str]) -> PyResult<Bound<'py, PyTuple>> {
    let arguments = PyTuple::new(this.py(), values(this, attributes)?)?;
    PyTuple::new(this.py(), [this.get_type().into_any(), arguments.into_any()])
}

fn shown(this: &Bound<'_, PyAny>, attributes: &[&str]) -> PyResult<String> {
    let shown = attributes.iter().zip(values(this, attributes)?);
    let shown = shown.map(|(name, value)| Ok(format!("{name}={}", value.repr()?)));
    Ok(format!("{}({})", this.get_type().name()?, shown.collect::<PyResult<Vec<_>>>()?.join(", ")))
}

/// The moment of a decision: the circumstances as the golem reads them. The market's true regime isn't among them.
#[pyclass(module = "morta", frozen, eq)]
#[derive(PartialEq)]
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
    const ATTRIBUTES: [&str; 14] = [
        "tick", "time_s", "asset", "regime", "volatility_quintile", "liquidity", "gas", "session", "shock",
        "price", "atr", "spread_over_atr", "drawdown", "embedding",
    ];

    /// Converts the engine's decision context.
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
    #[new]
    #[pyo3(signature = (tick=0, time_s=0, asset=0, regime="range_bound", volatility_quintile=3, liquidity="normal", gas="normal",
        session="america", shock=false, price=100.0, atr=1.0, spread_over_atr=0.0, drawdown=0.0, embedding=Vec::new()))]
    #[allow(clippy::too_many_arguments, reason = "they are named in Python")]
    fn new(
        tick: u64,
        time_s: i64,
        asset: u8,
        regime: &str,
        volatility_quintile: u8,
        liquidity: &str,
        gas: &str,
        session: &str,
        shock: bool,
        price: f64,
        atr: f64,
        spread_over_atr: f64,
        drawdown: f64,
        embedding: Vec<f32>,
    ) -> PyResult<Self> {
        let context = Context {
            regime: named("regime", regime)?,
            volatility_quintile,
            liquidity: named("liquidity", liquidity)?,
            gas: named("gas", gas)?,
            session: named("session", session)?,
            asset,
            shock,
            after: None,
            held: None,
        };
        // `atr_slow` has no attribute in Python, so `atr_fast` stands for it.
        let conditions = Conditions { price, atr_fast: atr, atr_slow: atr, spread_over_atr, drawdown };
        Ok(Self { context, conditions, embedding: embedding.into(), tick, time_s })
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        reduce(this.as_any(), &Self::ATTRIBUTES)
    }

    fn __repr__(this: &Bound<'_, Self>) -> PyResult<String> {
        shown(this.as_any(), &Self::ATTRIBUTES)
    }

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

/// What the golem could do now: a tuple for each attribute, all in one order. Iterated it gives a `Candidate` each.
#[pyclass(module = "morta", frozen, eq, sequence)]
#[derive(PartialEq)]
pub struct Candidates {
    candidates: Vec<Candidate>,
}

impl Candidates {
    /// Converts the engine's candidates.
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

/// `morta.Candidate`, a named tuple.
fn candidate_class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "morta.memory", "Candidate")
}

/// The fields of `morta.Candidate`.
type CandidateFields = (String, String, f64, f64, u32, f64, f64);

#[pymethods]
impl Candidates {
    #[new]
    #[pyo3(signature = (candidates=Vec::new()))]
    fn new(candidates: Vec<CandidateFields>) -> PyResult<Self> {
        let read =
            |(strategy, side, strength, stop_distance, horizon_ticks, prior_r, cost_r): CandidateFields| {
                let strategy = named("strategy", &strategy)?;
                let signal = Signal { strength, stop_distance, horizon_ticks };
                Ok(Candidate { strategy, asset: 0, side: named("side", &side)?, signal, prior_r, cost_r })
            };
        Ok(Self { candidates: candidates.into_iter().map(read).collect::<PyResult<_>>()? })
    }

    fn __getitem__<'py>(&self, py: Python<'py>, place: isize) -> PyResult<Bound<'py, PyAny>> {
        let count = self.candidates.len();
        let place = if place < 0 { place.checked_add_unsigned(count) } else { Some(place) };
        let found = place.and_then(|place| self.candidates.get(usize::try_from(place).ok()?));
        let Candidate { strategy, side, signal, prior_r, cost_r, .. } =
            found.ok_or_else(|| PyIndexError::new_err(format!("there are {count} candidates")))?;
        let Signal { strength, stop_distance, horizon_ticks } = *signal;
        let fields =
            (strategy.name(), side.name(), strength, stop_distance, horizon_ticks, *prior_r, *cost_r);
        candidate_class(py)?.call1(fields)
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = this.py();
        let candidates = PyTuple::new(py, this.try_iter()?.collect::<PyResult<Vec<_>>>()?)?;
        PyTuple::new(py, [this.get_type().into_any(), PyTuple::new(py, [candidates])?.into_any()])
    }

    fn __repr__(this: &Bound<'_, Self>) -> PyResult<String> {
        let candidates = this.try_iter()?.map(|one| Ok(one?.repr()?.to_string()));
        Ok(format!("Candidates([{}])", candidates.collect::<PyResult<Vec<_>>>()?.join(", ")))
    }

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

/// An outcome: a trade that was closed, or what staying out of one came to.
#[pyclass(module = "morta", name = "Experience", frozen, eq, get_all)]
#[derive(PartialEq)]
pub struct Outcome {
    /// "trade", or "stayed_out" for what staying out of one came to.
    kind: &'static str,
    /// The strategy that was followed.
    strategy: &'static str,
    /// The position it took: "long", "short" or "liquidity".
    side: &'static str,
    /// Number of the asset.
    asset: u8,
    /// Regime as the golem read it when it decided.
    regime: &'static str,
    /// Volatility rank then, 1 (calm) to 5.
    volatility_quintile: u8,
    /// Tick at which it was opened.
    opened: u64,
    /// Tick at which it was closed.
    closed: u64,
    /// What was expected, R net of costs.
    expected_r: f64,
    /// What came of it, R net of costs.
    realised_r: f64,
    /// How far that is from what was expected, R.
    surprise: f64,
    /// How much it mattered, 0 to 1.
    significance: f64,
    /// What the best other strategy would have made more, R.
    regret: f64,
    /// Which that is; None where there is none.
    better_strategy: Option<&'static str>,
    /// Arousal when it was lived through.
    arousal: f64,
    /// What was staked, dollars.
    stake_usdc: f64,
    /// What was gained, dollars.
    pnl_usdc: f64,
    /// The market's embedding when it was decided.
    embedding: Vec<f32>,
    /// Now.
    now: u64,
}

impl Outcome {
    const ATTRIBUTES: [&str; 19] = [
        "kind", "strategy", "side", "asset", "regime", "volatility_quintile", "opened", "closed",
        "expected_r", "realised_r", "surprise", "significance", "regret", "better_strategy", "arousal",
        "stake_usdc", "pnl_usdc", "embedding", "now",
    ];

    /// Converts an experience of the engine, i.e. the outcome of a trade or an abstention.
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

#[pymethods]
impl Outcome {
    #[new]
    #[pyo3(signature = (kind="trade", strategy="trend_following", side="long", asset=0, regime="range_bound", volatility_quintile=3, opened=0,
        closed=0, expected_r=0.0, realised_r=0.0, surprise=None, significance=0.5, regret=0.0, better_strategy=None, arousal=0.0,
        stake_usdc=10.0, pnl_usdc=0.0, embedding=Vec::new(), now=None))]
    #[allow(clippy::too_many_arguments, reason = "they are named in Python")]
    fn new(
        kind: &str,
        strategy: &str,
        side: &str,
        asset: u8,
        regime: &str,
        volatility_quintile: u8,
        opened: u64,
        closed: u64,
        expected_r: f64,
        realised_r: f64,
        surprise: Option<f64>,
        significance: f64,
        regret: f64,
        better_strategy: Option<&str>,
        arousal: f64,
        stake_usdc: f64,
        pnl_usdc: f64,
        embedding: Vec<f32>,
        now: Option<u64>,
    ) -> PyResult<Self> {
        let strategy_name =
            |argument, name: &str| named::<Strategy>(argument, name).map(|strategy| strategy.name());
        Ok(Self {
            kind: named::<EpisodeKind>("kind", kind)?.name(),
            strategy: strategy_name("strategy", strategy)?,
            side: named::<PositionSide>("side", side)?.name(),
            asset,
            regime: named::<Regime>("regime", regime)?.name(),
            volatility_quintile,
            opened,
            closed,
            expected_r,
            realised_r,
            surprise: surprise.unwrap_or((realised_r - expected_r).abs()),
            significance,
            regret,
            better_strategy: better_strategy
                .map(|name| strategy_name("better_strategy", name))
                .transpose()?,
            arousal,
            stake_usdc,
            pnl_usdc,
            embedding,
            now: now.unwrap_or(closed),
        })
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        reduce(this.as_any(), &Self::ATTRIBUTES)
    }

    fn __repr__(this: &Bound<'_, Self>) -> PyResult<String> {
        shown(this.as_any(), &Self::ATTRIBUTES)
    }
}

/// A waking moment in which a memory may look after itself.
#[pyclass(module = "morta", name = "Attention", frozen)]
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
    /// Converts the engine's attention.
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
    /// One at the usual prices of inference.
    #[new]
    #[pyo3(signature = (tick=0, age=0, time_s=0, equity_usdc=100.0, inference_left_usdc=1.0, idle=true))]
    fn new(tick: u64, age: u64, time_s: i64, equity_usdc: f64, inference_left_usdc: f64, idle: bool) -> Self {
        Self { llm: LlmConfig::default(), tick, age, time_s, equity_usdc, inference_left_usdc, idle }
    }

    /// What reading and writing so many tokens costs, dollars.
    fn price_usdc(&self, number: u32, read: u32, written: u32) -> PyResult<f64> {
        let tier = tier(number).map_err(PyValueError::new_err)?;
        let price: Usdc = self.llm.tier(tier).price(read, written);
        Ok(price.dollars())
    }
}

"""What is written in Rust."""

from typing import Any, Callable, Iterator, List, Optional, Sequence, Tuple, Union

from .memory import Candidate

class Moment:
    """The moment of a decision: the circumstances as the golem reads them. The market's true regime isn't among them."""

    def __init__(
        self,
        tick: int = 0,
        time_s: int = 0,
        asset: int = 0,
        regime: str = "range_bound",
        volatility_quintile: int = 3,
        liquidity: str = "normal",
        gas: str = "normal",
        session: str = "america",
        shock: bool = False,
        price: float = 100.0,
        atr: float = 1.0,
        spread_over_atr: float = 0.0,
        drawdown: float = 0.0,
        embedding: Sequence[float] = (),
    ) -> None: ...
    @property
    def tick(self) -> int:
        """Now."""
    @property
    def time_s(self) -> int:
        """Simulated time, seconds since 1970-01-01 UTC."""
    @property
    def asset(self) -> int:
        """Number of the asset, in the order of `birth["symbols"]`."""
    @property
    def regime(self) -> str:
        """As the golem reads it: "trending_up", "trending_down", "range_bound" or "volatile"."""
    @property
    def volatility_quintile(self) -> int:
        """Volatility rank, 1 (calm) to 5."""
    @property
    def liquidity(self) -> str:
        """Depth of the pool: "crisis", "thin", "normal" or "deep"."""
    @property
    def gas(self) -> str:
        """How dear transactions are: "low", "normal", "elevated" or "spike"."""
    @property
    def session(self) -> str:
        """Time of day: "asia", "europe" or "america"."""
    @property
    def shock(self) -> bool:
        """Whether there was a big move of late."""
    @property
    def price(self) -> float:
        """Price, dollars a unit; above 0."""
    @property
    def atr(self) -> float:
        """Average true range, dollars; above 0."""
    @property
    def spread_over_atr(self) -> float:
        """Bid-ask spread over the average true range, 0 or more."""
    @property
    def drawdown(self) -> float:
        """How far the golem's equity is below its highest, as a share of that, 0 to 1."""
    @property
    def embedding(self) -> Tuple[float, ...]:
        """The market's standardised features; `birth["embedding_dimensions"]` numbers."""

class Candidates:
    """What the golem could do now: a tuple for each attribute, all in one order. Iterated it gives a `Candidate` each."""

    def __init__(self, candidates: Sequence[Candidate] = ()) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Candidate]: ...
    def __getitem__(self, place: int) -> Candidate: ...
    @property
    def strategy(self) -> Tuple[str, ...]:
        """The strategies that speak, such as "breakout"."""
    @property
    def side(self) -> Tuple[str, ...]:
        """The positions they want: "long", "short" or "liquidity"."""
    @property
    def strength(self) -> Tuple[float, ...]:
        """How strongly they speak, -1 to 1; below 0 for short positions."""
    @property
    def stop_distance(self) -> Tuple[float, ...]:
        """Distances of the protective stops, as shares of the entry price above 0."""
    @property
    def horizon_ticks(self) -> Tuple[int, ...]:
        """How long they mean to hold, ticks."""
    @property
    def prior_r(self) -> Tuple[float, ...]:
        """What to expect without any memory, R net of costs."""
    @property
    def cost_r(self) -> Tuple[float, ...]:
        """What a round trip would cost, R; it is taken off in `prior_r`."""

class Experience:
    """An outcome: a trade that was closed, or what staying out of one came to."""

    def __init__(
        self,
        kind: str = "trade",
        strategy: str = "trend_following",
        side: str = "long",
        asset: int = 0,
        regime: str = "range_bound",
        volatility_quintile: int = 3,
        opened: int = 0,
        closed: int = 0,
        expected_r: float = 0.0,
        realised_r: float = 0.0,
        surprise: Optional[float] = None,
        significance: float = 0.5,
        regret: float = 0.0,
        better_strategy: Optional[str] = None,
        arousal: float = 0.0,
        stake_usdc: float = 10.0,
        pnl_usdc: float = 0.0,
        embedding: Sequence[float] = (),
        now: Optional[int] = None,
    ) -> None:
        """`surprise` left out is `abs(realised_r - expected_r)`, `now` is `closed`."""
    @property
    def kind(self) -> str:
        """"trade", or "stayed_out" for what staying out of one came to."""
    @property
    def strategy(self) -> str:
        """The strategy that was followed."""
    @property
    def side(self) -> str:
        """The position it took: "long", "short" or "liquidity"."""
    @property
    def asset(self) -> int:
        """Number of the asset."""
    @property
    def regime(self) -> str:
        """Regime as the golem read it when it decided."""
    @property
    def volatility_quintile(self) -> int:
        """Volatility rank then, 1 (calm) to 5."""
    @property
    def opened(self) -> int:
        """Tick at which it was opened."""
    @property
    def closed(self) -> int:
        """Tick at which it was closed."""
    @property
    def expected_r(self) -> float:
        """What was expected, R net of costs."""
    @property
    def realised_r(self) -> float:
        """What came of it, R net of costs."""
    @property
    def surprise(self) -> float:
        """How far that is from what was expected, R."""
    @property
    def significance(self) -> float:
        """How much it mattered, 0 to 1."""
    @property
    def regret(self) -> float:
        """What the best other strategy would have made more, R."""
    @property
    def better_strategy(self) -> Optional[str]:
        """Which that is; None where there is none."""
    @property
    def arousal(self) -> float:
        """Arousal when it was lived through."""
    @property
    def stake_usdc(self) -> float:
        """What was staked, dollars."""
    @property
    def pnl_usdc(self) -> float:
        """What was gained, dollars."""
    @property
    def embedding(self) -> List[float]:
        """The market's embedding when it was decided."""
    @property
    def now(self) -> int:
        """Now, a tick."""

class Attention:
    """A waking moment in which a memory may look after itself."""

    def __init__(
        self,
        tick: int = 0,
        age: int = 0,
        time_s: int = 0,
        equity_usdc: float = 100.0,
        inference_left_usdc: float = 1.0,
        idle: bool = True,
    ) -> None:
        """One at the usual prices of inference."""
    @property
    def tick(self) -> int:
        """Now."""
    @property
    def age(self) -> int:
        """Ticks since birth."""
    @property
    def time_s(self) -> int:
        """Simulated time, seconds since 1970-01-01 UTC."""
    @property
    def equity_usdc(self) -> float:
        """All the golem has, dollars."""
    @property
    def inference_left_usdc(self) -> float:
        """What is left for inference, dollars; nothing that costs more may be begun."""
    @property
    def idle(self) -> bool:
        """Whether nothing is held and no order is out."""
    def price_usdc(self, number: int, read: int, written: int) -> float:
        """What reading and writing so many tokens costs at a tier, 0 to 2; dollars."""

class Random:
    """Lots of a memory, during one call; in a unit test, of a seed."""

    def __init__(self, seed: int) -> None: ...
    def uniform(self) -> float:
        """Uniform on [0, 1)."""
    def normal(self) -> float:
        """A draw from the normal distribution of mean 0 and variance 1."""
    def chance(self, probability: float) -> bool:
        """True with the given probability."""
    def below(self, n: int) -> int:
        """Uniform on 0..n."""

_Answer = Tuple[Optional[str], str, Optional[BaseException]]
_Progress = Union[None, Callable[[int, int], Any]]

def run(
    scenario: str, memory: Any, cohorts: Optional[List[str]], set: List[str], seed: Optional[int], ticks: Optional[int], out: Optional[str],
    threads: Optional[int], plain: bool, checkpoint_every: Optional[int], resume: bool, faults: Optional[str], progress: _Progress,
) -> _Answer: ...
def sweep(
    file: str, out: str, memories: Any, notes: List[Tuple[str, str]], profile: Optional[str], seeds: Optional[int], jobs: Optional[int],
    resume: bool, share: Optional[Tuple[int, int]], faults: Optional[str], progress: _Progress,
) -> _Answer: ...
def memories() -> List[str]: ...
def report(folder: str) -> Tuple[str, List[Tuple[str, str]]]: ...
def kaplan_meier(durations: List[float], died: List[bool], level: float) -> List[Tuple[float, float, Optional[Tuple[float, float]]]]: ...
def conformance(name: str, class_: Any, seed: int) -> _Answer: ...

"""What a memory written in Python is asked, and what it may answer."""

from __future__ import annotations

import ast
import re
from typing import Any, ClassVar, Dict, List, NamedTuple, Optional, Sequence, Tuple, Type, TypeVar, Union

from ._morta import Attention, Candidates, Experience, Moment, Random

_Self = TypeVar("_Self", bound="Memory")


class MemoryFault(RuntimeError):
    """A run or sweep was ended because memories raise: `__cause__` is what one raised, `run` what had been lived by then."""

    run: Any = None


class MemoryFaultWarning(RuntimeWarning):
    """A memory raised, which ended its golem's life and not the run."""


class MemorySaveWarning(UserWarning):
    """What a memory holds can't be written down by the `save` that it has by default."""


class Candidate(NamedTuple):
    """Something a golem could do now, as `Candidates` has it; in a unit test, what one is made of."""

    #: The strategy that speaks, such as "breakout".
    strategy: str
    #: The position it wants: "long", "short" or "liquidity".
    side: str
    #: How strongly it speaks, -1 to 1; below 0 for a short position.
    strength: float = 0.5
    #: Distance of the protective stop, as a share of the entry price above 0.
    stop_distance: float = 0.01
    #: How long it means to hold, ticks.
    horizon_ticks: int = 20
    #: What to expect without any memory, R net of costs.
    prior_r: float = 0.0
    #: What a round trip would cost, R; it is taken off in `prior_r`.
    cost_r: float = 0.0


class Advice(NamedTuple):
    """What memory says of a candidate. A plain number stands for one that only expects."""

    #: Expected result, R net of costs.
    expected_r: float
    #: How sure it is, 0 to 1.
    confidence: float = 0.0
    #: How much larger or smaller than usual the position should be, 0 or more.
    size: float = 1.0
    #: Whether it must not be done.
    veto: bool = False
    #: Ticks a position is expected to be held; None leaves that to the golem's experience.
    held_ticks: Optional[float] = None

    @classmethod
    def mean(cls, candidate: Candidate, prior_weight: float, outcomes: Tuple[int, float]) -> "Advice":
        """The mean of a candidate's prior, which counts as `prior_weight` outcomes (above 0), and of outcomes: their number, and their sum in R.

        Confidence is the share of real outcomes: a shrinkage estimator, as `Advice::mean` is in Rust.
        """
        count, sum_r = outcomes
        weight = prior_weight + count
        return cls((prior_weight * candidate.prior_r + sum_r) / weight, count / weight)


class Upkeep(NamedTuple):
    """What a memory did on itself; its golem pays for the tokens."""

    #: Items looked at, made, merged into others, given lasting weight, let go.
    seen: int = 0
    made: int = 0
    merged: int = 0
    promoted: int = 0
    dropped: int = 0
    #: The tier that was asked, 0 to 2, and the tokens it read and wrote; none for work without a model.
    tier: int = 0
    tokens_read: int = 0
    tokens_written: int = 0
    #: Ticks the golem doesn't decide from now on.
    asleep_ticks: int = 0


class Lesson(NamedTuple):
    """A conclusion that the dead leave to others: trades of a strategy, in a regime or in any, make so much."""

    strategy: str
    #: Expected result, R net of costs.
    expected_r: float
    #: "trending_up", "trending_down", "range_bound" or "volatile"; None for all of them.
    regime: Optional[str] = None
    #: The giver's trust, 0 to 1.
    confidence: float = 0.5
    #: Outcomes it rests on.
    outcomes: int = 0


class Memory:
    """A golem's memory. Subclass it and write `advise` and `observe`; the rest has a body for who has nothing to say.

    A memory is a function of what it was told. `random` is set before each call; in a unit test, set one: `memory.random = Random(7)`. Chance comes from `self.random` (`uniform()`, `normal()`, `below(n)`,
    `chance(p)`), which is keyed by the world's seed, the golem, the tick and the call; Python's `random`, clocks and the order
    of sets aren't repeatable. A memory that raises ends its golem's life by fault, not the run (see `on_fault` of `run`).

    `birth` is a dict: golem, lineage, generation, tick_seconds, endowment_usdc, symbols, embedding_dimensions, and parameters, the
    scenario's `[memory.own.NAME]`. A class that declares its `parameters` has them as attributes.
    """

    #: The name in scenarios and tables; left out: the class's own, in lower case with hyphens.
    name: ClassVar[Optional[str]] = None
    #: The version of what it does, a text of yours. Left out, a sweep tells versions apart by the code of the class, its bases and the
    #: functions they use; where that can't be read, or has to stay one while the code is moved about, this stands for it.
    version: ClassVar[Optional[str]] = None
    #: The keys that `[memory.own.NAME]` may have, with their defaults: each is an attribute after `__init__`, and any other key is refused. Left
    #: out, every key is taken, and a class reads `birth["parameters"]` by itself.
    parameters: ClassVar[Optional[Dict[str, Any]]] = None
    #: Lots, dealt anew before each call.
    random: Random

    def __init__(self, birth: Dict[str, Any]) -> None:
        self.birth = birth
        declared = type(self).parameters
        if declared is None:
            return
        # The hash of the class's code stands beside the keys of the scenario's author.
        given = {key: value for key, value in birth["parameters"].items() if key != "source_sha256"}
        table = f"memory.own.{name_of(type(self))}"
        for key, value in given.items():
            if key not in declared:
                raise ValueError(f"{table} has no key {key!r}: the class declares {', '.join(map(repr, declared)) or 'none'}")
            if declared[key] is not None and _kind(value) is not _kind(declared[key]):
                raise ValueError(f"{table}.{key} is {value!r}: its default, {declared[key]!r}, is of another type")
        vars(self).update({**declared, **given})

    def advise(self, moment: Moment, candidates: Candidates) -> Sequence[Union[float, Advice]]:
        """One `Advice` or number for each candidate, in their order.

        Called once for a golem, tick and asset. `candidates` has a tuple for each attribute: strategy, side, strength, stop_distance,
        horizon_ticks, prior_r, cost_r; its length is theirs.
        """
        raise NotImplementedError

    def observe(self, experience: Experience) -> None:
        """Takes in an outcome: a trade that was closed, or (kind "stayed_out") what staying out of one came to."""
        raise NotImplementedError

    def sleep(self, attention: Attention) -> Optional[Upkeep]:
        """Looks after itself; called in every waking tick where a class has it. Returns None or an `Upkeep`.

        Nothing that costs more than `attention.inference_left_usdc` may be begun; `attention.price_usdc(tier, read, written)` says what it
        would.
        """
        return None

    def bequeath(self) -> Sequence[Lesson]:
        """The lessons it leaves to others when its golem dies, the most telling first."""
        return []

    def inherit(self, lessons: List[Lesson]) -> None:
        """Takes in lessons drawn from the dead; called at birth where a class has it."""

    def save(self) -> bytes:
        """All it holds, in bytes. The default writes down every attribute that is made of numbers, text, tuples, lists and dicts."""
        state = {key: value for key, value in vars(self).items() if key != "random"}
        for key, value in state.items():
            try:
                _plain(value)
            except (TypeError, ValueError) as error:
                raise type(error)(f"{type(self).__name__}.{key}: {error}") from None
        return repr(state).encode()

    @classmethod
    def load(cls: Type[_Self], saved: bytes) -> _Self:
        """The memory that `save` wrote down."""
        memory = cls.__new__(cls)
        memory.__dict__.update(ast.literal_eval(saved.decode()))
        return memory


def name_of(memory: Type[Memory]) -> str:
    """The name a class is registered under: its `name`, or the class's own with hyphens (`MyMemory` is "my-memory")."""
    return memory.name or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", memory.__name__).lower()


def _kind(value: Any) -> type:
    """The type of a parameter; a whole number is a number."""
    return float if type(value) is int else type(value)


def _plain(value: Any) -> Any:
    """The value, if writing it down and reading it back gives the same; sets, whose order isn't, are refused."""
    if value is None or type(value) in (bool, int, str, bytes):
        return value
    if type(value) is float:
        if value != value or value in (float("inf"), float("-inf")):
            raise ValueError(f"{value} can't be written down")
        return value
    if type(value) in (list, tuple):
        for part in value:
            _plain(part)
        return value
    if type(value) is dict:
        for key, part in value.items():
            _plain(key), _plain(part)
        return value
    raise TypeError(f"{type(value).__name__} can't be written down by itself: write save() and load()")

"""What a memory written in Python is asked, and what it may answer."""

import ast
from typing import NamedTuple, Optional


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

    A memory is a function of what it was told. Chance comes from `self.random` (`uniform()`, `normal()`, `below(n)`,
    `chance(p)`), which is keyed by the world's seed, the golem, the tick and the call; Python's `random`, clocks and the order
    of sets aren't repeatable. A memory that raises ends its golem's life by fault, not the run.

    `birth` is a dict: golem, lineage, generation, tick_seconds, endowment_usdc, symbols, embedding_dimensions, and parameters, the
    scenario's `[memory.own.NAME]`.
    """

    #: The name in scenarios and tables; left out: the class's own, in lower case with hyphens.
    name: Optional[str] = None

    def __init__(self, birth):
        self.birth = birth

    def advise(self, moment, candidates):
        """One `Advice` or number for each candidate, in their order.

        Called once for a golem, tick and asset. `candidates` has a tuple for each attribute: strategy, side, strength, stop_distance,
        horizon_ticks, prior_r, cost_r; its length is theirs.
        """
        raise NotImplementedError

    def observe(self, experience):
        """Takes in an outcome: a trade that was closed, or (kind "stayed_out") what staying out of one came to."""
        raise NotImplementedError

    def sleep(self, attention):
        """Looks after itself; called in every waking tick where a class has it. Returns None or an `Upkeep`.

        Nothing that costs more than `attention.inference_left_usdc` may be begun; `attention.price_usdc(tier, read, written)` says what it
        would.
        """
        return None

    def bequeath(self):
        """The lessons it leaves to others when its golem dies, the most telling first."""
        return []

    def inherit(self, lessons):
        """Takes in lessons drawn from the dead; called at birth where a class has it."""

    def save(self):
        """All it holds, in bytes. The default writes down every attribute that is made of numbers, text, tuples, lists and dicts."""
        state = {key: value for key, value in vars(self).items() if key != "random"}
        return repr(_plain(state)).encode()

    @classmethod
    def load(cls, saved):
        """The memory that `save` wrote down."""
        memory = cls.__new__(cls)
        memory.__dict__.update(ast.literal_eval(saved.decode()))
        return memory


def _plain(value):
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

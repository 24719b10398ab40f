"""How a panel checks a record: the set that should settle the question first, the other one only if that holds."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from inspect_ai.model import CachePolicy, Model
from inspect_ai.util import collect

from refusalbench_tasks.collect.reading import FAILED, Reading, read_sources
from refusalbench_tasks.collect.record import Record
from refusalbench_tasks.collect.sizes import ARMS
from refusalbench_tasks.collect.verdicts import ArmFound, found_in, left_open, objection, settled, uses_distraction
from refusalbench_tasks.generators.kit.breaker import count_failure


@dataclass(frozen=True)
class Checked:
    """What a panel found: accepted or not (None: undecided), why, whether it is weak, and the readings."""

    accepted: bool | None
    reason: str | None
    weak: bool = False
    readings: tuple[Reading, ...] = ()
    found: dict[str, ArmFound] = field(default_factory=dict)


@dataclass(frozen=True)
class Panel:
    """Who checks records. `keep_weak` accepts a record whose ambiguous set still gives the gold answer, marked."""

    readers: Sequence[Model]
    policy: CachePolicy | bool = False
    keep_weak: bool = False

    async def check(self, record: Record, earlier: Sequence[Reading] = ()) -> Checked:
        """Return what came of a record. Earlier readings of the same text are not asked for again."""
        settling = [arm for arm in ARMS if record.settles[arm]]
        others = [arm for arm in ARMS if not record.settles[arm]]
        readings: list[Reading] = []
        for arm in settling:
            readings += await self._in_turn(record, arm, earlier)
            if not settled([one for one in readings if one.arm == arm])[0]:
                return decide(record, readings, self.keep_weak)
        for arm in others:
            readings += await collect(*(self._reading(model, record, arm, earlier) for model in self.readers))
        return decide(record, readings, self.keep_weak)

    async def _in_turn(self, record: Record, arm: str, earlier: Sequence[Reading]) -> list[Reading]:
        """Ask one reader after another until one objects."""
        readings: list[Reading] = []
        for model in self.readers:
            readings.append(await self._reading(model, record, arm, earlier))
            if objection(readings[-1]):
                break
        return readings

    async def _reading(self, model: Model, record: Record, arm: str, earlier: Sequence[Reading]) -> Reading:
        for one in earlier:
            same = (one.reader, one.arm, one.digest) == (str(model), arm, record.digest(arm))
            if same and one.verdict is not None:
                return one
        found = await read_sources(model, record, arm, self.policy)
        count_failure(model, found.failure if found.verdict is None else None)
        return found


def decide(record: Record, readings: Sequence[Reading], keep_weak: bool = False) -> Checked:
    """Return what readings make of a record.

    Any objection in a set that should settle the question rejects it; so does a reader that uses a distraction, and an
    ambiguous set on whose answer all agree (`weak`, unless such records are kept; `misleads`). Where nothing objects
    and a reading is missing, it is undecided.
    """
    by_arm = {arm: [one for one in readings if one.arm == arm] for arm in ARMS}
    found = {arm: found_in(ones) for arm, ones in by_arm.items() if ones}
    told = tuple(readings)
    undecided = False
    weak = False
    for arm, ones in by_arm.items():
        held, why = settled(ones) if record.settles[arm] else left_open(ones)
        distractions = [one["position"] for one in record.sources(arm) if one["category"] == "distraction"]
        if held is not False and uses_distraction(ones, distractions):
            return Checked(False, "distraction_used", False, told, found)
        if held is False and why == "weak" and keep_weak:
            weak = True
        elif held is False:
            return Checked(False, why, False, told, found)
        undecided = undecided or held is None
    return Checked(None, FAILED, weak, told, found) if undecided else Checked(True, None, weak, told, found)

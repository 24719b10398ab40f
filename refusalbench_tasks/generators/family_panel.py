"""How siblings, which were written in one call, are read and judged: each is read alone, and all in one call judged."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspect_ai.model import CachePolicy, Model

from refusalbench_tasks.generators.blind_reading import BlindReading, Use, read_blind
from refusalbench_tasks.generators.candidate import Candidate, candidate_of
from refusalbench_tasks.generators.cell import cell_of
from refusalbench_tasks.generators.checks import check
from refusalbench_tasks.generators.joint_verification import Item, verify_together
from refusalbench_tasks.generators.joint_writing import draft_of
from refusalbench_tasks.generators.kit.breaker import require_alive
from refusalbench_tasks.generators.levers import Lever
from refusalbench_tasks.generators.order import Order
from refusalbench_tasks.generators.relative_intensity import IntensityRank, rank_siblings
from refusalbench_tasks.generators.siblings import family
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.generators.verification import IntensityUse, ItemVote, count
from refusalbench_tasks.judging.ask import Spent
from refusalbench_tasks.taxonomy import Intensity

_FEWEST_RANKED = 2


@dataclass(frozen=True)
class Verdicts:
    """What was read and voted of one item."""

    reading: BlindReading | None
    votes: tuple[ItemVote, ...]
    ranking: IntensityRank | None


@dataclass(frozen=True)
class FamilyVerdicts:
    """What was read and voted of siblings, by intensity, and what all of it took."""

    of: Mapping[Intensity, Verdicts]
    spent: Spent


def standing(
    slot: Slot, candidate: Candidate, drafts: Mapping[str, Mapping[str, Any]], levers: Sequence[Lever]
) -> list[Item]:
    """Return the item and those of its siblings that were written in the same call and keep every rule."""
    found: list[Item] = []
    for one in family(slot):
        if one.intensity is slot.intensity:
            found.append((slot, candidate))
            continue
        draft = draft_of(dict(drafts.get(one.intensity.value, {})), one, levers)
        if draft is None or not draft.applicable:
            continue
        made = candidate_of(draft, one.base)
        if not check(one, made, cell_of(one, levers)):
            found.append((one, made))
    return found


@dataclass(frozen=True)
class FamilyPanel:
    """Who reads and judges siblings, and how. `shares` is by intensity: the whole panel judges where it is above 0."""

    judges: Sequence[Model]
    reader: Model | None
    reading: Use
    levers: Sequence[Lever]
    cache: CachePolicy | bool
    max_failures: int
    intensity: IntensityUse
    order: Order | None
    shares: Mapping[Intensity, float]

    async def judge(self, items: Sequence[Item]) -> FamilyVerdicts:
        """Return what the panel makes of siblings. Raises DataError if a model has failed too often in a row.

        A call of a verifier is shared by all, a reading by nobody. So a reading that can only reject comes last, and
        only for what no verifier failed; where it is to be recorded, or the whole panel votes, every item is read.
        """
        votes: dict[Intensity, list[ItemVote]] = {slot.intensity: [] for slot, _ in items}
        spent = await self._vote(items, votes)
        readings: dict[Intensity, BlindReading] = {}
        for slot, candidate in items:
            level = slot.intensity
            if self.reader and (self.reading == "record" or self.shares[level] or not _failed(votes[level])):
                read = await self._read(slot, candidate)
                spent += read.spent
                readings[level] = read.model_copy(update={"spent": Spent()})
        ranks, took = await self._rank([one for one in items if not _failed(votes[one[0].intensity])])
        made = {
            level: Verdicts(readings.get(level), tuple(self._by_name(votes[level])), ranks.get(level))
            for level in votes
        }
        return FamilyVerdicts(made, spent + took)

    async def _rank(self, items: Sequence[Item]) -> tuple[dict[Intensity, IntensityRank], Spent]:
        """Return the ranks of the siblings that no verifier failed, where they are asked for and there are two."""
        if self.intensity != "rank" or len(items) < _FEWEST_RANKED:
            return {}, Spent()
        ranks, spent = await rank_siblings(self.reader or self.judges[0], items, self.cache)
        return {slot.intensity: rank for (slot, _), rank in zip(items, ranks, strict=True)}, spent

    async def _vote(self, items: Sequence[Item], votes: dict[Intensity, list[ItemVote]]) -> Spent:
        """Add the votes of one verifier after another on those items that still need them; return what they took."""
        spent, by_name = Spent(), {str(judge): judge for judge in self.judges}
        names = self.order.of(list(by_name), items[0][0]) if self.order else list(by_name)
        for place, name in enumerate(names, 1):
            asked = [one for one in items if self.shares[one[0].intensity] or not _failed(votes[one[0].intensity])]
            if not asked:
                break
            found, took = await verify_together(by_name[name], asked, self.levers, self.cache, self.intensity)
            spent += took
            count(by_name[name], found[0])
            if found[0].passed is None:
                require_alive([by_name[name]], self.max_failures)
            for (slot, _), vote in zip(asked, found, strict=True):
                early = not self.shares[slot.intensity]
                votes[slot.intensity].append(vote.model_copy(update={"place": place if early else None}))
                if self.order and early and place == 1 and vote.passed is not None:
                    self.order.add(name, slot.perturbation, vote.passed)
        return spent

    async def _read(self, slot: Slot, candidate: Candidate) -> BlindReading:
        assert self.reader is not None
        read = await read_blind(self.reader, slot, candidate, self.cache)
        count_reading(self.reader, self.judges, read, self.max_failures)
        return read

    def _by_name(self, votes: Sequence[ItemVote]) -> list[ItemVote]:
        cast = {vote.verifier: vote for vote in votes}
        return [cast[name] for name in map(str, self.judges) if name in cast]


def count_reading(who: Model, judges: Sequence[Model], read: BlindReading, max_failures: int) -> None:
    """Count a missing reading as a failure of its model. Raises DataError if there were too many in a row."""
    done = True if read.label is not None else None
    if done and who in judges:
        return  # a verifier that reads and casts no vote is still failing
    count(who, ItemVote(verifier=str(who), digest=read.digest, passed=done, failure=read.failure))
    if not done:
        require_alive([who], max_failures)


def _failed(votes: Sequence[ItemVote]) -> bool:
    return any(vote.passed is False for vote in votes)

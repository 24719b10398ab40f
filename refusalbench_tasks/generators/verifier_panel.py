"""How the models of a panel are asked about one candidate."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from inspect_ai.model import CachePolicy, Model, get_model_info
from inspect_ai.util import collect

from refusalbench_tasks.generators.candidate import Candidate
from refusalbench_tasks.generators.kit.breaker import require_alive
from refusalbench_tasks.generators.levers import Lever
from refusalbench_tasks.generators.order import Order
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.generators.verification import IntensityUse, ItemVote, count, verify

Verify = Literal["until_fail", "all"]
Ask = Callable[[Model, Slot, Candidate, Sequence[Lever], CachePolicy | bool, IntensityUse], Awaitable[ItemVote]]


@dataclass(frozen=True)
class Panel:
    """Who judges which candidate, and how. Without an order, verifiers are asked as they are given."""

    judges: Sequence[Model]
    slot: Slot
    candidate: Candidate
    cell: Sequence[Lever]
    cache: CachePolicy | bool
    max_failures: int
    intensity: IntensityUse = "record"
    order: Order | None = None
    ask: Ask = verify
    """How one of them is asked."""

    async def votes(self, kept: Sequence[ItemVote], mode: Verify) -> list[ItemVote]:
        """Return the votes on the candidate: those that are kept, and those that are asked for now."""
        names = [str(judge) for judge in self.judges]
        usable = [v for v in kept if v.digest == self.candidate.digest and v.passed is not None]
        votes = {v.verifier: v for v in usable if v.verifier in names}
        if mode == "all":
            missing = [judge for judge in self.judges if str(judge) not in votes]
            for vote in await collect(*(self.vote(judge) for judge in missing)):
                votes[vote.verifier] = vote
            return [votes[name] for name in names if name in votes]
        await self._until_fail(names, votes)
        return [votes[name] for name in names if name in votes]

    async def _until_fail(self, names: Sequence[str], votes: dict[str, ItemVote]) -> None:
        by_name = {str(judge): judge for judge in self.judges}
        learns = self.order is not None and not votes
        for name in self.order.of(names, self.slot) if self.order else names:
            if any(vote.passed is False for vote in votes.values()):
                return
            if name in votes:
                continue
            place = len(votes) + 1
            vote = (await self.vote(by_name[name])).model_copy(update={"place": place})
            votes[name] = vote
            if self.order and learns and place == 1 and vote.passed is not None:
                self.order.add(name, self.slot.perturbation, vote.passed)

    async def vote(self, judge: Model) -> ItemVote:
        """Return a judge's vote. Raises DataError if it has failed too often in a row."""
        found = await self.ask(judge, self.slot, self.candidate, self.cell, self.cache, self.intensity)
        count(judge, found)
        if found.passed is None:
            require_alive([judge], self.max_failures)
        return found


def prices_of(judges: Sequence[Model]) -> dict[str, float]:
    """Return the price of a million input tokens by verifier, where Inspect knows it (`--model-cost-config`)."""
    costs = {str(judge): info.cost for judge in judges if (info := get_model_info(judge)) and info.cost}
    return {name: cost.input for name, cost in costs.items()}

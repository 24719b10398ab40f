"""How a candidate is written for a slot: with its siblings or alone, by the planned
lever or by the next.
"""

from dataclasses import dataclass, field
from typing import Self

from inspect_ai.model import get_model
from inspect_ai.solver import TaskState

from refusalbench_tasks.judging.ask import Cache, Spent

from .checks import candidate_problems
from .draft import (
    Candidate,
    Draft,
    EditDraft,
    candidate_of,
)
from .kit import once_a_run
from .kit.calls import SharedCalls, cache_policy
from .kit.progress import show_progress
from .levers import Levers, load_levers
from .perturb_record import Declined, Generation
from .perturb_settings import CandidateSettings
from .prompt_parts import planned_lever
from .slot import ItemSlot
from .writing import Written, draft_for, write


@dataclass(frozen=True)
class Perturbing:
    """How a run writes, and which checks it makes."""

    settings: CandidateSettings
    levers: Levers
    cache: Cache
    shared: SharedCalls[Written] = field(default_factory=SharedCalls)

    @classmethod
    def by(cls, settings: CandidateSettings) -> Self:
        """Return the writing of some settings. Raises DataError for bad levers."""
        levers = once_a_run(
            load_levers,
            settings.lever_file,
            settings.ground,
        )
        return cls(
            settings,
            levers,
            cache_policy(settings.cache, settings.seed),
        )

    async def solve(self, state: TaskState) -> TaskState:
        """Write a candidate and note it in the store; where the writer declines a
        lever, try the next alternative.
        """
        slot: ItemSlot | None = state.metadata_as(ItemSlot)
        stored = state.store_as(Generation)
        while slot is not None:
            show_progress("perturb", f"{slot.sample_id} ({slot.lever})")
            written, stored.siblings = await self._written(slot, state.epoch)
            stored.spent += written.spent
            stored.failure = written.failure
            draft = draft_for(
                slot,
                written.drafts,
                self.settings.write,
            )
            if not isinstance(draft, EditDraft) or draft.applicable:
                self._keep(
                    stored,
                    state,
                    slot,
                    draft,
                    written,
                )
                break
            declined = Declined(lever=slot.lever, why=draft.why_not.strip())
            stored.declined = [*stored.declined, declined]
            stored.siblings = {}
            state.output.completion = written.raw
            slot = slot.with_next_lever()
            if slot is not None:
                state.metadata = state.metadata | slot.model_dump(mode="json")
        return state

    def _keep(
        self,
        stored: Generation,
        state: TaskState,
        slot: ItemSlot,
        draft: Draft | None,
        written: Written,
    ) -> None:
        if draft is None:
            stored.failure = written.failure or "not_written"
            state.output.completion = written.raw
            return
        candidate = candidate_of(draft, slot.base)
        if self.settings.checks != "off":
            stored.broken = candidate_problems(
                slot,
                candidate,
                self.levers,
            )
        stored.candidate = with_alternatives(
            slot,
            candidate,
            self.levers,
        )
        state.output.completion = "\n\n".join((candidate.query, *candidate.passages))

    async def _written(
        self,
        slot: ItemSlot,
        epoch: int,
    ) -> tuple[Written, dict[str, dict[str, object]]]:
        """Return what is written for a slot: with its siblings if it has any, alone if
        that gave no valid draft.
        """
        spent = Spent()
        if slot.siblings:
            slots = slot.family
            key = (str(get_model()), slot.base.item_id, slot.perturbation, epoch)
            together, is_first = await self.shared.take(
                key,
                lambda: write(
                    get_model(),
                    slots,
                    self.levers,
                    self.cache,
                ),
                len(slots),
            )
            if is_first:
                spent = together.spent
            siblings = dict(together.drafts)
            if siblings.pop(slot.intensity.value, None):
                return together.model_copy(update={"spent": spent}), siblings
        form = self.settings.write
        alone = await write(
            get_model(),
            [slot],
            self.levers,
            self.cache,
            form,
        )
        return alone.model_copy(update={"spent": spent + alone.spent}), {}


def with_alternatives(
    slot: ItemSlot,
    candidate: Candidate,
    levers: Levers,
) -> Candidate:
    """Return a candidate with the other codes that its lever accepts."""
    alternatives = planned_lever(slot, levers).accepted_alternatives
    return candidate.model_copy(update={"accepted_alternatives": alternatives})

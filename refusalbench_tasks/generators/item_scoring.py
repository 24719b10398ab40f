"""How candidates are annotated and judged, and the score that follows: accepted,
rejected or undecided.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

from inspect_ai.model import CachePolicy, Model, get_model
from inspect_ai.scorer import Score
from inspect_ai.solver import TaskState

from refusalbench_tasks.generators.checks import check
from refusalbench_tasks.generators.draft import EditDraft, candidate_of
from refusalbench_tasks.generators.kit import once_a_run
from refusalbench_tasks.generators.kit.annotator import (
    Annotation,
    annotate,
    objection,
)
from refusalbench_tasks.generators.kit.calls import SharedCalls, cache_policy
from refusalbench_tasks.generators.kit.maker import (
    as_number,
    made_score,
    outcome_text,
)
from refusalbench_tasks.generators.kit.panel import (
    Failures,
    JudgePanel,
    annotator_of,
    consensus,
    failed_by_any,
)
from refusalbench_tasks.generators.levers import Lever, load_levers
from refusalbench_tasks.generators.perturb_record import PERTURB, Generation, Noted
from refusalbench_tasks.generators.perturb_settings import CandidateSettings
from refusalbench_tasks.generators.perturbing import with_alternatives
from refusalbench_tasks.generators.slot import ItemSlot
from refusalbench_tasks.generators.verification import (
    ItemVote,
    PlannedItem,
    reasons,
    verify,
)
from refusalbench_tasks.generators.writing import draft_for
from refusalbench_tasks.judging.ask import Spent
from refusalbench_tasks.taxonomy import Intensity, Label


@dataclass
class JudgedItems:
    """What was annotated and voted of items, by intensity, and what the calls about
    several of them took.
    """

    votes: dict[Intensity, list[ItemVote]]
    annotations: dict[Intensity, Annotation] = field(default_factory=dict)
    spent: Spent = field(default_factory=Spent)


@dataclass(frozen=True)
class Judging:
    """Who judges and how."""

    settings: CandidateSettings
    panel: JudgePanel
    levers: Sequence[Lever]
    cache: CachePolicy | bool
    shared: SharedCalls[JudgedItems] = field(default_factory=SharedCalls)

    @classmethod
    def by(cls, failures: Failures, settings: CandidateSettings) -> Self:
        """Return the judging of some settings. Raises DataError for bad levers."""
        return cls(
            settings,
            JudgePanel(
                include_writer=settings.self_votes,
                max_failures=settings.max_failures,
                failures=failures,
            ),
            once_a_run(load_levers, settings.lever_file, settings.ground),
            cache_policy(settings.cache, settings.seed),
        )

    async def score(self, state: TaskState) -> Score:
        """Return the score of a sample's candidate.

        Raises DataError if a model failed too often in a row.
        """
        slot = state.metadata_as(ItemSlot)
        stored = state.store_as(Generation)
        if stored.candidate is None:
            reason = stored.failure or (
                "not_applicable" if stored.declined else "not_written"
            )
            return self._score(slot, stored, None, reason, ())
        if stored.broken and self.settings.checks == "gate":
            return self._score(slot, stored, False, None, tuple(stored.broken.values()))
        judges = self.panel.judges()
        items = self._standing(slot, stored)
        if len(items) > 1 and not stored.votes and not PERTURB.earlier(state):
            digests = [candidate.digest for _, candidate in items]
            key = (str(get_model()), state.epoch, *digests)
            judged, mine = await self.shared.take(
                key, lambda: self._judge(items, judges, [], None), len(items)
            )
        else:
            kept, read = _earlier(state, stored)
            alone = [(slot, stored.candidate)]
            judged = await self._judge(alone, judges, kept, read)
            mine = False
        stored.votes = judged.votes[slot.intensity]
        stored.reading = judged.annotations.get(slot.intensity)
        stored.shared_spent += judged.spent if mine else Spent()
        stored.panel_share = float(self._every(judges))
        return self._decided(slot, stored, [str(judge) for judge in judges])

    def _every(self, judges: Sequence[Model]) -> bool:
        return self.settings.verify == "all" or len(judges) == 1

    def _standing(self, slot: ItemSlot, stored: Generation) -> list[PlannedItem]:
        """Return the item and those of its siblings that were written in the same call
        and may be judged.
        """
        assert stored.candidate is not None
        items: list[PlannedItem] = []
        gates = self.settings.checks == "gate"
        for sibling in slot.family if stored.siblings else [slot]:
            if sibling.intensity is slot.intensity:
                items.append((slot, stored.candidate))
                continue
            draft = draft_for(sibling, stored.siblings)
            if not isinstance(draft, EditDraft) or not draft.applicable:
                continue
            candidate = candidate_of(draft, sibling.base)
            if not gates or not check(sibling, candidate, self.levers):
                candidate = with_alternatives(sibling, candidate, self.levers)
                items.append((sibling, candidate))
        return items

    async def _judge(
        self,
        items: Sequence[PlannedItem],
        judges: Sequence[Model],
        kept: Sequence[ItemVote],
        read: Annotation | None,
    ) -> JudgedItems:
        """Return what annotator and panel make of items.

        A call of a verifier is shared by all items, an annotation by none. So of
        several items those are annotated last that no verifier failed, and one item
        first, since an objection saves the whole panel.
        """
        whole = self._every(judges)
        gates = self.settings.reading == "gate"
        judged = JudgedItems({slot.intensity: list(kept) for slot, _ in items})
        alone = len(items) == 1
        if self.settings.reading == "record" or (gates and alone):
            await self._annotate(items, judges, judged, read)
        against = gates and alone and _against(items[0][0], judged)
        if whole or not against:
            await self._vote(items, judges, judged, whole)
        if gates and not alone:
            left = [
                (slot, candidate)
                for slot, candidate in items
                if whole or not failed_by_any(judged.votes[slot.intensity])
            ]
            await self._annotate(left, judges, judged, None)
        return judged

    async def _annotate(
        self,
        items: Sequence[PlannedItem],
        judges: Sequence[Model],
        judged: JudgedItems,
        kept: Annotation | None,
    ) -> None:
        reader = annotator_of(judges)
        for slot, candidate in items:
            if kept and kept.digest == candidate.digest and kept.label is not None:
                judged.annotations[slot.intensity] = kept
                continue
            annotation = await annotate(
                reader,
                candidate.query,
                candidate.passages,
                slot.base.answers,
                self.cache,
            )
            judged.annotations[slot.intensity] = annotation
            if annotation.label is None:
                self.panel.count(reader, annotation.failure or "no label")
                self.panel.require_alive([reader])
            # a verifier that annotates and casts no vote is still failing
            elif reader not in judges:
                self.panel.count(reader, None)

    async def _vote(
        self,
        items: Sequence[PlannedItem],
        judges: Sequence[Model],
        judged: JudgedItems,
        whole: bool,
    ) -> None:
        """Ask the panel: all at once where the whole of it votes, else one after
        another.
        """

        async def ask(judge: Model, levels: Sequence[Intensity]) -> list[ItemVote]:
            asked = [item for item in items if item[0].intensity in levels]
            votes, spent = await verify(
                judge, asked, self.levers, self.cache, self.settings.intensity
            )
            if len(asked) == 1:
                return [vote.model_copy(update={"spent": spent}) for vote in votes]
            judged.spent += spent
            return votes

        judged.votes = await self.panel.ask_together(
            judges, ask, judged.votes, stop=not whole
        )
        self.panel.require_alive(judges)

    def _decided(
        self, slot: ItemSlot, stored: Generation, names: Sequence[str]
    ) -> Score:
        """Return the score that annotation and votes give: one objection rejects, a
        missing one leaves undecided.
        """
        gates = self.settings.reading == "gate"
        read = stored.reading
        against = (
            objection(read, slot.expected is Label.ANSWER) if gates and read else None
        )
        problems = reasons(stored.votes)
        if against:
            return self._score(slot, stored, False, None, (against, *problems))
        outcome = consensus(stored.votes, names)
        unread = gates and (read is None or read.label is None)
        if outcome == "undecided" or (unread and outcome == "accepted"):
            return self._score(slot, stored, None, "undecided", ())
        return self._score(slot, stored, outcome == "accepted", None, problems)

    def _score(
        self,
        slot: ItemSlot,
        stored: Generation,
        accepted: bool | None,
        reason: str | None,
        why: tuple[str, ...],
    ) -> Score:
        spent = sum(
            (vote.spent for vote in stored.votes), stored.spent + stored.shared_spent
        )
        if stored.reading:
            spent += stored.reading.spent
        written = stored.candidate is not None
        checked = written and self.settings.checks != "off"
        noted = Noted(
            slot_id=slot.slot_id,
            candidate=stored.candidate,
            declined=tuple(stored.declined),
            broken=tuple(sorted(stored.broken)),
            reasons=why,
            votes=tuple(stored.votes),
            writer=str(get_model()),
            panel_share=stored.panel_share if stored.votes else 0.0,
            reading=stored.reading,
        )
        values = {
            "accepted": as_number(accepted),
            "written": float(written),
            "checks_passed": as_number(not stored.broken if checked else None),
        }
        return made_score(
            noted, spent, outcome_text(accepted), values, reason, "\n".join(why)
        )


def _earlier(
    state: TaskState, stored: Generation
) -> tuple[list[ItemVote], Annotation | None]:
    """Return the votes and the annotation of this text that the log holds; those of an
    earlier scoring win.
    """
    assert stored.candidate is not None
    noted = PERTURB.earlier(state)
    votes = [*stored.votes, *(noted.votes if noted else ())]
    newest = {vote.verifier: vote for vote in votes}
    digest = stored.candidate.digest
    kept = [
        vote
        for vote in newest.values()
        if vote.digest == digest and vote.passed is not None
    ]
    reading = noted.reading if noted and noted.reading else stored.reading
    return kept, reading


def _against(slot: ItemSlot, judged: JudgedItems) -> str | None:
    read = judged.annotations.get(slot.intensity)
    return objection(read, slot.expected is Label.ANSWER) if read else None

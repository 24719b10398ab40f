"""How candidates are annotated and judged, and the score that follows: accepted,
rejected or undecided.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

from inspect_ai.model import CachePolicy, Model, get_model
from inspect_ai.scorer import Score
from inspect_ai.solver import TaskState
from inspect_ai.util import collect

from refusalbench_tasks.generators.checks import check
from refusalbench_tasks.generators.draft import EditDraft, candidate_of
from refusalbench_tasks.generators.kit.annotator import (
    Annotation,
    annotate,
    objection,
)
from refusalbench_tasks.generators.kit.calls import SharedCalls, cache_policy
from refusalbench_tasks.generators.kit.panel import (
    annotator_of,
    consensus,
    count_failure,
    earlier_note,
    panel_of,
    require_alive,
)
from refusalbench_tasks.generators.levers import Lever, load_levers
from refusalbench_tasks.generators.noted import SCORER, Generation, Noted
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

NAN = float("nan")


@dataclass(frozen=True)
class JudgedItems:
    """What was annotated and voted of items, by intensity, and what the calls about
    several of them took.
    """

    annotations: dict[Intensity, Annotation]
    votes: dict[Intensity, list[ItemVote]]
    spent: Spent


@dataclass(frozen=True)
class Judging:
    """Who judges and how."""

    settings: CandidateSettings
    levers: Sequence[Lever]
    cache: CachePolicy | bool
    shared: SharedCalls[JudgedItems] = field(default_factory=SharedCalls)

    @classmethod
    def by(cls, settings: CandidateSettings) -> Self:
        """Return the judging of some settings. Raises DataError for bad levers."""
        levers = load_levers(settings.lever_file, settings.ground)
        return cls(settings, levers, cache_policy(settings.cache, settings.seed))

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
        judges = panel_of(include_writer=self.settings.self_votes)
        items = self._standing(slot, stored)
        if len(items) > 1 and not stored.votes and not earlier_note(state, SCORER):
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
        standing: list[PlannedItem] = []
        gates = self.settings.checks == "gate"
        for member in slot.family if stored.siblings else [slot]:
            if member.intensity is slot.intensity:
                standing.append((slot, stored.candidate))
                continue
            draft = draft_for(member, stored.siblings)
            if not isinstance(draft, EditDraft) or not draft.applicable:
                continue
            candidate = candidate_of(draft, member.base)
            if not gates or not check(member, candidate, self.levers):
                candidate = with_alternatives(member, candidate, self.levers)
                standing.append((member, candidate))
        return standing

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
        judged = JudgedItems(
            {}, {slot.intensity: list(kept) for slot, _ in items}, Spent()
        )
        who = annotator_of(judges) if self.settings.reading != "off" else None
        alone = len(items) == 1
        if who and (alone or self.settings.reading == "record"):
            judged = await self._annotate(items, who, judges, judged, read)
        gates = self.settings.reading == "gate"
        against = alone and gates and _against(items[0][0], judged)
        if not against or whole:
            judged = await self._vote(items, judges, judged, whole)
        if who and not alone and gates:
            left = [
                (slot, candidate)
                for slot, candidate in items
                if whole or not _failed(judged.votes[slot.intensity])
            ]
            judged = await self._annotate(left, who, judges, judged, None)
        return judged

    async def _annotate(
        self,
        items: Sequence[PlannedItem],
        who: Model,
        judges: Sequence[Model],
        judged: JudgedItems,
        kept: Annotation | None,
    ) -> JudgedItems:
        annotations = dict(judged.annotations)
        for slot, candidate in items:
            if (
                kept is not None
                and kept.digest == candidate.digest
                and kept.label is not None
            ):
                annotations[slot.intensity] = kept
                continue
            annotation = await annotate(
                who, candidate.query, candidate.passages, slot.base.answers, self.cache
            )
            annotations[slot.intensity] = annotation
            if annotation.label is None:
                count_failure(who, annotation.failure or "no label")
                require_alive([who], self.settings.max_failures)
            elif (
                who not in judges
            ):  # a verifier that annotates and casts no vote is still failing
                count_failure(who, None)
        return JudgedItems(annotations, judged.votes, judged.spent)

    async def _vote(
        self,
        items: Sequence[PlannedItem],
        judges: Sequence[Model],
        judged: JudgedItems,
        whole: bool,
    ) -> JudgedItems:
        """Return the votes of the panel: of all at once where the whole of it votes,
        else of one after another.
        """
        votes = {
            slot.intensity: {v.verifier: v for v in judged.votes[slot.intensity]}
            for slot, _ in items
        }

        async def ask(judge: Model) -> Spent:
            asked = [
                (slot, candidate)
                for slot, candidate in items
                if str(judge) not in votes[slot.intensity]
                and (whole or not _failed(list(votes[slot.intensity].values())))
            ]
            if not asked:
                return Spent()
            cast, took = await verify(
                judge, asked, self.levers, self.cache, self.settings.intensity
            )
            missing = next((vote for vote in cast if vote.passed is None), None)
            count_failure(judge, (missing.failure or "no verdict") if missing else None)
            alone = len(asked) == 1
            for (slot, _), vote in zip(asked, cast, strict=True):
                votes[slot.intensity][str(judge)] = vote.model_copy(
                    update={"spent": took if alone else Spent()}
                )
            return Spent() if alone else took

        spent = judged.spent
        if whole:
            spent = sum(await collect(*(ask(judge) for judge in judges)), spent)
            require_alive(judges, self.settings.max_failures)
        else:
            for judge in judges:
                spent += await ask(judge)
                require_alive([judge], self.settings.max_failures)
        names = [str(judge) for judge in judges]
        ordered = {
            level: [by_name[name] for name in names if name in by_name]
            for level, by_name in votes.items()
        }
        return JudgedItems(judged.annotations, ordered, spent)

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
        failures = reasons(stored.votes)
        if against:
            return self._score(slot, stored, False, None, (against, *failures))
        outcome = consensus(stored.votes, names)
        unread = gates and (read is None or read.label is None)
        if outcome == "undecided" or (unread and outcome == "accepted"):
            return self._score(slot, stored, None, "undecided", ())
        return self._score(slot, stored, outcome == "accepted", None, failures)

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
        spent += stored.reading.spent if stored.reading else Spent()
        written = stored.candidate is not None
        return Score(
            value={
                "accepted": NAN if accepted is None else float(accepted),
                "written": float(written),
                "checks_passed": float(not stored.broken)
                if written and self.settings.checks != "off"
                else NAN,
                "calls": float(spent.calls),
                "tokens": float(spent.tokens),
                "unscored": float(accepted is None),
            },
            answer=None if accepted is None else "accepted" if accepted else "rejected",
            explanation="\n".join(why) or None,
            reason=reason,
            metadata=Noted(
                slot_id=slot.slot_id,
                candidate=stored.candidate,
                declined=tuple(stored.declined),
                broken=tuple(sorted(stored.broken)),
                reasons=why,
                votes=tuple(stored.votes),
                writer=str(get_model()),
                panel_share=stored.panel_share if stored.votes else 0.0,
                reading=stored.reading,
            ).model_dump(mode="json"),
        )


def _earlier(
    state: TaskState, stored: Generation
) -> tuple[list[ItemVote], Annotation | None]:
    """Return the votes and the annotation of this text that the log holds; those of an
    earlier scoring win.
    """
    assert stored.candidate is not None
    scored = Noted.model_validate({"slot_id": ""} | earlier_note(state, SCORER))
    votes = {vote.verifier: vote for vote in (*stored.votes, *scored.votes)}
    kept = [
        vote
        for vote in votes.values()
        if vote.digest == stored.candidate.digest and vote.passed is not None
    ]
    return kept, scored.reading or stored.reading


def _against(slot: ItemSlot, judged: JudgedItems) -> str | None:
    read = judged.annotations.get(slot.intensity)
    return objection(read, slot.expected is Label.ANSWER) if read else None


def _failed(votes: Sequence[ItemVote]) -> bool:
    return any(vote.passed is False for vote in votes)

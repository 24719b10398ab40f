"""How candidates are annotated and judged, and the score that follows: accepted,
rejected or undecided.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

from inspect_ai.model import Model, get_model
from inspect_ai.scorer import Score
from inspect_ai.solver import TaskState

from refusalbench_tasks.judging.ask import Cache, Spent
from refusalbench_tasks.taxonomy import Intensity, Label

from .checks import candidate_problems
from .draft import Candidate, EditDraft, candidate_of
from .kit import once_a_run
from .kit.annotator import (
    Annotation,
    annotate,
    objection,
)
from .kit.calls import SharedCalls, cache_policy
from .kit.maker import as_number, outcome_text
from .kit.panel import (
    Failures,
    JudgePanel,
    annotator_of,
    consensus,
    failed_by_any,
)
from .levers import Levers, load_levers
from .perturb_record import PERTURB, Generation, Noted
from .perturb_settings import CandidateSettings
from .perturbing import with_alternatives
from .slot import ItemSlot
from .verification import (
    ItemVote,
    PlannedItem,
    objections,
    verify,
)
from .writing import draft_for


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
    levers: Levers
    cache: Cache
    shared: SharedCalls[JudgedItems] = field(default_factory=SharedCalls)

    @classmethod
    def by(
        cls,
        failures: Failures,
        settings: CandidateSettings,
    ) -> Self:
        """Return the judging of some settings. Raises DataError for bad levers."""
        panel = JudgePanel(
            include_writer=settings.self_votes,
            max_failures=settings.max_failures,
            failures=failures,
        )
        levers = once_a_run(
            load_levers,
            settings.lever_file,
            settings.ground,
        )
        return cls(
            settings,
            panel,
            levers,
            cache_policy(settings.cache, settings.seed),
        )

    async def score(self, state: TaskState) -> Score:
        """Return the score of a sample's candidate.

        Raises DataError if a model failed too often in a row.
        """
        slot = state.metadata_as(ItemSlot)
        stored = state.store_as(Generation)
        if stored.candidate is None:
            reason = "not_applicable" if stored.declined else "not_written"
            return self._score(
                slot,
                stored,
                None,
                stored.failure or reason,
            )
        if stored.broken and self.settings.checks == "gate":
            problems = tuple(stored.broken.values())
            return self._score(
                slot,
                stored,
                False,
                why=problems,
            )
        judges = self.panel.judges()
        items = self._standing(
            slot,
            stored,
            stored.candidate,
        )
        kept, reading = _earlier(
            state,
            stored,
            stored.candidate,
        )
        if len(items) > 1 and not stored.votes and not PERTURB.earlier(state):
            digests = [candidate.digest for _, candidate in items]
            key = (str(state.model), state.epoch, *digests)
            judged, is_first = await self.shared.take(
                key,
                lambda: self._judge(
                    items,
                    judges,
                    [],
                    None,
                ),
                len(items),
            )
        else:
            alone = [(slot, stored.candidate)]
            judged = await self._judge(
                alone,
                judges,
                kept,
                reading,
            )
            is_first = False
        stored.votes = judged.votes[slot.intensity]
        stored.reading = judged.annotations.get(slot.intensity)
        if is_first:
            stored.shared_spent += judged.spent
        stored.panel_share = float(self._every(judges))
        return self._decided(
            slot,
            stored,
            list(map(str, judges)),
        )

    def _every(self, judges: Sequence[Model]) -> bool:
        return self.settings.verify == "all" or len(judges) == 1

    def _standing(
        self,
        slot: ItemSlot,
        stored: Generation,
        candidate: Candidate,
    ) -> list[PlannedItem]:
        """Return the item and those of its siblings that were written in the same call
        and may be judged.
        """
        items = []
        for sibling in slot.family if stored.siblings else [slot]:
            if sibling.intensity is slot.intensity:
                items.append((slot, candidate))
                continue
            draft = draft_for(sibling, stored.siblings)
            if not isinstance(draft, EditDraft) or not draft.applicable:
                continue
            written = candidate_of(draft, sibling.base)
            problems = candidate_problems(
                sibling,
                written,
                self.levers,
            )
            if not problems or self.settings.checks != "gate":
                written = with_alternatives(
                    sibling,
                    written,
                    self.levers,
                )
                items.append((sibling, written))
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
        use = self.settings.reading
        gates_last = use == "gate" and len(items) > 1
        judged = JudgedItems({slot.intensity: list(kept) for slot, _ in items})
        rejection = None
        if use != "off" and not gates_last:
            await self._annotate(
                items,
                judges,
                judged,
                read,
            )
            slot = items[0][0]
            rejection = self._objection(slot, judged.annotations.get(slot.intensity))
        if whole or not rejection:
            await self._vote(
                items,
                judges,
                judged,
                whole,
            )
        if gates_last:
            left = [
                item
                for item in items
                if whole or not failed_by_any(judged.votes[item[0].intensity])
            ]
            await self._annotate(
                left,
                judges,
                judged,
                None,
            )
        return judged

    def _objection(
        self,
        slot: ItemSlot,
        annotation: Annotation | None,
    ) -> str | None:
        """Return why the annotation of an item rejects it, if it may."""
        if annotation is None or self.settings.reading != "gate":
            return None
        return objection(annotation, slot.expected is Label.ANSWER)

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
                judge,
                asked,
                self.levers,
                self.cache,
                self.settings.intensity,
            )
            if len(asked) > 1:
                judged.spent += spent
                return votes
            return [vote.model_copy(update={"spent": spent}) for vote in votes]

        judged.votes = await self.panel.ask_together(
            judges,
            ask,
            judged.votes,
            stop=not whole,
        )
        self.panel.require_alive(judges)

    def _decided(
        self,
        slot: ItemSlot,
        stored: Generation,
        names: Sequence[str],
    ) -> Score:
        """Return the score that annotation and votes give: one objection rejects, a
        missing one leaves undecided.
        """
        rejection = self._objection(slot, stored.reading)
        problems = objections(stored.votes)
        if rejection:
            return self._score(
                slot,
                stored,
                False,
                why=(rejection, *problems),
            )
        outcome = consensus(stored.votes, names)
        unread = stored.reading is None or stored.reading.label is None
        missing = unread and self.settings.reading == "gate"
        if outcome == "undecided" or (missing and outcome == "accepted"):
            return self._score(
                slot,
                stored,
                None,
                "undecided",
            )
        return self._score(
            slot,
            stored,
            outcome == "accepted",
            why=problems,
        )

    def _score(
        self,
        slot: ItemSlot,
        stored: Generation,
        accepted: bool | None,
        reason: str | None = None,
        why: tuple[str, ...] = (),
    ) -> Score:
        votes = tuple(stored.votes)
        noted = Noted(
            slot_id=slot.slot_id,
            candidate=stored.candidate,
            declined=tuple(stored.declined),
            broken=tuple(sorted(stored.broken)),
            reasons=why,
            votes=votes,
            writer=str(get_model()),
            panel_share=stored.panel_share if votes else 0.0,
            reading=stored.reading,
        )
        spent = sum((vote.spent for vote in votes), stored.spent + stored.shared_spent)
        if stored.reading:
            spent += stored.reading.spent
        checked = stored.candidate is not None and self.settings.checks != "off"
        values = {
            "accepted": as_number(accepted),
            "written": float(stored.candidate is not None),
            "checks_passed": as_number(not stored.broken if checked else None),
        }
        return PERTURB.score(
            noted,
            spent,
            outcome_text(accepted),
            values,
            reason,
            "\n".join(why),
        )


def _earlier(
    state: TaskState,
    stored: Generation,
    candidate: Candidate,
) -> tuple[list[ItemVote], Annotation | None]:
    """Return the votes and the annotation of this text that the log holds; those of an
    earlier scoring win.
    """
    noted = PERTURB.earlier(state)
    votes = [*stored.votes, *(noted.votes if noted else ())]
    newest = {vote.verifier: vote for vote in votes}
    kept = []
    for vote in newest.values():
        if vote.digest == candidate.digest and vote.passed is not None:
            kept.append(vote)
    reading = noted.reading if noted and noted.reading else stored.reading
    return kept, reading

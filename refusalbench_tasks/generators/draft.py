"""What a writer returns, and the question and passages that follow from it."""

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import cache, reduce
from operator import or_
from typing import Any, Literal, NamedTuple

from pydantic import (
    BaseModel,
    Field,
    create_model,
    model_validator,
)

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.judging.ask import Submission
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass

from .evidence import Evidence, evidence_of
from .kit.calls import text_digest
from .perturb_settings import WriteForm

Numbers = tuple[int, ...]
Change = tuple[int, int, str]
"""Where a text changes, and to what."""

_LAST_NUMBER = 1_000_000


class Replacement(Submission, frozen=True):
    """One change to the passage."""

    find: str = Field(
        min_length=1,
        description=(
            "Copied word for word from the original, and long enough to stand there"
            " exactly once."
        ),
    )
    replace: str = Field(
        description=(
            "What stands there instead; to add something, repeat `find` in it; to cut,"
            " empty."
        )
    )

    @property
    def number(self) -> int:
        """Return the number of its passage, from 1."""
        return 1


class PassageReplacement(Replacement):
    """One change to one of several passages."""

    passage: int = Field(ge=-_LAST_NUMBER, le=_LAST_NUMBER)
    """The passage's number as shown, from 1."""

    @property
    def number(self) -> int:
        """Return the number of its passage, from 1."""
        return self.passage


class Edited(NamedTuple):
    """The changed passages, and the numbers (from 1) of the changes that could not be
    made.
    """

    passages: tuple[str, ...]
    not_found: Numbers = ()
    no_passage: Numbers = ()
    """Passage numbers that do not exist."""


def edited(passages: Sequence[str], changes: Sequence[Replacement]) -> Edited:
    """Return the passages after all changes; each is found in the original, not in what
    another one left.

    A change whose `find` does not stand exactly once in its passage, or overlaps an
    earlier change, is not made. Spacing inside `find` does not matter where it cannot
    be found as it is. Two spaces that a cut leaves become one.
    """
    spans: dict[int, list[Change]] = defaultdict(list)
    not_found = []
    no_passage = []
    for number, change in enumerate(changes, 1):
        k = change.number - 1
        if not 0 <= k < len(passages):
            no_passage.append(change.number)
            continue
        span = _span(passages[k], change.find)
        if span is None or any(
            span[0] < end and start < span[1] for start, end, _ in spans[k]
        ):
            not_found.append(number)
        else:
            spans[k].append((*span, change.replace))
    new = tuple(_with_changes(text, spans[k]) for k, text in enumerate(passages))
    return Edited(
        new,
        tuple(not_found),
        tuple(dict.fromkeys(no_passage)),
    )


def _span(text: str, find: str) -> tuple[int, int] | None:
    """Return where a text is found that stands exactly once."""
    if text.count(find) == 1:
        start = text.index(find)
        return start, start + len(find)
    words = find.split()
    if not words or find in text:
        return None
    matches = list(re.finditer(r"\s+".join(map(re.escape, words)), text))
    return matches[0].span() if len(matches) == 1 else None


def _with_changes(text: str, spans: Sequence[Change]) -> str:
    if not spans:
        return text
    new = text
    for start, end, instead in sorted(spans, reverse=True):
        new = new[:start] + instead + new[end:]
    if "  " not in text:
        new = re.sub(r" {2,}", " ", new)
    return new.strip()


_EVIDENCE = "What the item rests on; null only if the lever is not applicable."


def _all_required(schema: dict[str, Any]) -> None:
    # a draft without an analysis is as good; but a field that may be left out is left
    # out
    schema["required"] = list(schema["properties"])


class WholePassage(Submission, str_strip_whitespace=True):
    """One passage as it should read."""

    passage: int = Field(ge=-_LAST_NUMBER, le=_LAST_NUMBER)
    """The passage's number, from 1."""
    text: str = Field(min_length=1)
    """The whole new text of the passage."""


class Draft(Submission, json_schema_extra=_all_required):
    """A writer's output for one item, whatever its form."""

    analysis: str = ""
    """First: what the answer rests on, and where and how the lever changes it."""
    lever: str = ""
    """The name of the lever that was used."""
    perturbed_query: str = ""
    """The whole question, changed or not."""
    reasoning: str = ""
    """Two sentences: what was changed, and why the expected behaviour follows."""

    @model_validator(mode="after")
    def _whole(self) -> "Draft":
        if not getattr(self, "applicable", True):
            return self
        for name in ("lever", "perturbed_query"):
            if not getattr(self, name).strip():
                raise ValueError(f"{name}: required for every item")
        return self


class WholeDraft(Draft):
    """An item as whole texts, as the paper has it."""

    passages: list[WholePassage]
    """The passages that change, each with its number and whole text."""


class EditDraft(Draft):
    """An item as changes with their evidence, or why the lever cannot be applied."""

    applicable: bool = Field(
        True,
        description=(
            "False if the lever cannot be done on this item within its target, not even"
            " by force."
        ),
    )
    why_not: str = ""
    """If it is not applicable: one sentence why. Else empty."""
    edits: list[Replacement] = Field(default_factory=list)
    """The changes; empty if no passage changes."""
    evidence: Evidence | None = Field(None, description=_EVIDENCE)
    ground_added: str = Field(
        "",
        description=(
            "Only for a lever that allows it: one sentence to be added to the passage,"
            " which denies what the question assumes. Else empty."
        ),
    )

    @model_validator(mode="after")
    def _stands(self) -> "EditDraft":
        if not self.applicable and not self.why_not.strip():
            raise ValueError("why_not: say why the lever is not applicable")
        if self.applicable and self.evidence is None:
            raise ValueError("evidence: required where applicable is true")
        return self


class ItemDrafts(Submission):
    """What a writer returns: an item for each planned intensity."""

    items: list[Draft]
    """One entry for each intensity that is planned."""


class Candidate(BaseModel, frozen=True):
    """A perturbed question with its passages.

    `out_of_range` are passage numbers that do not exist or occur twice.

    What was written in edits also has the numbers of those that could not be made, and
    the evidence. `ground_added` is a sentence that ends one of the
    passages (`ground_passage`, from 0). `accepted_alternatives` are those of its lever.
    """

    query: str
    passages: tuple[str, ...]
    lever: str
    reasoning: str
    out_of_range: Numbers = ()
    not_found: Numbers = ()
    evidence: Evidence | None = None
    ground_added: str = ""
    ground_passage: int = 0
    accepted_alternatives: tuple[Label, ...] = ()

    @property
    def ungrounded(self) -> tuple[str, ...]:
        """Return the passages without the sentence that was added."""
        if not self.ground_added:
            return self.passages
        passages = list(self.passages)
        grounded = passages[self.ground_passage]
        passages[self.ground_passage] = grounded.removesuffix(
            self.ground_added
        ).rstrip()
        return tuple(passages)

    @property
    def digest(self) -> str:
        """Return what identifies the model input, for votes and annotations."""
        return text_digest(self.query, *self.passages)


@cache
def drafts_schema(
    perturbation: PerturbationClass,
    levels: tuple[Intensity, ...],
    several: bool,
    form: WriteForm,
) -> type[ItemDrafts]:
    """Return the schema of a writer's output: the evidence is that of the class and of
    these intensities alone.
    """
    known = tuple(level.value for level in levels)
    fields: dict[str, Any] = {
        "intensity": (Literal[known], Field(description="Which of the items this is."))
    }
    base: type[Draft] = WholeDraft
    if form == "edits":
        base = EditDraft
        change: Any = PassageReplacement if several else Replacement
        kinds = {evidence_of(perturbation, level): None for level in levels}
        evidence: Any = reduce(or_, kinds)
        about = EditDraft.model_fields["edits"].description
        fields["edits"] = (list[change], Field(default_factory=list, description=about))
        fields["evidence"] = (evidence | None, Field(None, description=_EVIDENCE))
    entry: Any = create_model(
        f"{perturbation.short}{base.__name__}", __base__=base, **fields
    )
    items = Field(description=ItemDrafts.model_fields["items"].description)
    return create_model(
        f"{perturbation.short}Drafts",
        __base__=ItemDrafts,
        items=(list[entry], items),
    )


def candidate_of(draft: Draft, base: RefusalItem) -> Candidate:
    """Return the candidate that a draft describes; the base is never changed."""
    stated = {
        "query": draft.perturbed_query.strip(),
        "lever": draft.lever.strip(),
        "reasoning": draft.reasoning.strip(),
    }
    if isinstance(draft, WholeDraft):
        whole = dict(enumerate(base.passages, 1))
        left = set(whole)
        wrong = []
        for passage in draft.passages:
            number = passage.passage
            if number in left:
                left.remove(number)
                whole[number] = passage.text.strip()
            else:
                wrong.append(number)
        return Candidate(
            passages=tuple(whole.values()),
            out_of_range=tuple(wrong),
            **stated,
        )
    assert isinstance(draft, EditDraft)
    result = edited(base.passages, draft.edits)
    at = min(base.signal, default=0)
    ground = " ".join(draft.ground_added.split())
    new = list(result.passages)
    if ground:
        new[at] = f"{new[at]} {ground}"
    return Candidate(
        passages=tuple(new),
        out_of_range=result.no_passage,
        not_found=result.not_found,
        evidence=draft.evidence,
        ground_added=ground,
        ground_passage=at,
        **stated,
    )

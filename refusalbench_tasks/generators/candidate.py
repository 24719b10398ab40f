"""What a writer returns, and the question and passages that follow from it."""

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.edit_draft import EditDraft, GroundedDraft
from refusalbench_tasks.generators.edits import Change, PassageReplacement, edited
from refusalbench_tasks.generators.evidence import Evidence
from refusalbench_tasks.generators.kit.text_digest import text_digest
from refusalbench_tasks.taxonomy import Label


def _all_required(schema: dict[str, Any]) -> None:
    # a draft without an analysis is as good; but a field that may be left out is left out
    schema["required"] = list(schema["properties"])


_FORM = ConfigDict(extra="forbid", str_strip_whitespace=True, json_schema_extra=_all_required)
_ANALYSIS = "First: what the answer rests on, and where and how the lever changes it."


class SingleDraft(BaseModel):
    """A writer's output for one passage."""

    model_config = _FORM

    analysis: str = Field("", description=_ANALYSIS)
    lever: str = Field(description="The name of the lever that was used.")
    perturbed_query: str = Field(min_length=1, description="The question, changed or not.")
    perturbed_context: str = Field(min_length=1, description="The whole passage, changed or not.")
    reasoning: str = Field(description="Two sentences: what was changed, and why the expected behaviour follows.")


_LAST_NUMBER = 1_000_000


class Edit(BaseModel):
    """One passage as it should read."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    passage: int = Field(ge=-_LAST_NUMBER, le=_LAST_NUMBER, description="The passage's number as shown, from 1.")
    text: str = Field(min_length=1, description="The whole new text of the passage.")


class MultiDraft(BaseModel):
    """A writer's output for several passages: only those that change."""

    model_config = _FORM

    analysis: str = Field("", description=_ANALYSIS)
    lever: str = Field(description="The name of the lever that was used.")
    perturbed_query: str = Field(min_length=1, description="The question, changed or not.")
    edits: list[Edit] = Field(description="The passages that change, each with its number and whole new text.")
    reasoning: str = Field(description="Two sentences: what was changed, and why the expected behaviour follows.")


Draft = SingleDraft | MultiDraft | EditDraft


class Candidate(BaseModel):
    """A perturbed question with its passages. `out_of_range` are passage numbers that do not exist or occur twice.

    What was written in edits also has the changes, the numbers of those that could not be made, and the evidence.
    `ground_added` is a sentence that ends one of the passages (`ground_passage`, from 0). `accepted_alternatives`
    are those of its lever.
    """

    model_config = ConfigDict(frozen=True)

    query: str
    passages: tuple[str, ...]
    lever: str
    reasoning: str
    out_of_range: tuple[int, ...] = ()
    changes: tuple[Change, ...] = ()
    not_found: tuple[int, ...] = ()
    evidence: Evidence | None = None
    ground_added: str = ""
    ground_passage: int = 0
    accepted_alternatives: tuple[Label, ...] = ()

    @property
    def ungrounded(self) -> tuple[str, ...]:
        """Return the passages without the sentence that was added."""
        passages = list(self.passages)
        if self.ground_added:
            passages[self.ground_passage] = passages[self.ground_passage].removesuffix(self.ground_added).rstrip()
        return tuple(passages)

    @property
    def digest(self) -> str:
        """Return what identifies the model input, for votes and duplicates."""
        return text_digest(self.query, *self.passages)


def candidate_of(draft: Draft, base: RefusalItem) -> Candidate:
    """Return the candidate that a draft describes; the base is never changed."""
    if isinstance(draft, EditDraft):
        return _from_edits(draft, base)
    query, lever, reasoning = draft.perturbed_query.strip(), draft.lever.strip(), draft.reasoning.strip()
    if isinstance(draft, SingleDraft):
        return Candidate(query=query, passages=(draft.perturbed_context.strip(),), lever=lever, reasoning=reasoning)
    passages, wrong = _edited(base.passages, draft.edits)
    return Candidate(query=query, passages=passages, lever=lever, reasoning=reasoning, out_of_range=wrong)


def _edited(passages: Sequence[str], edits: Sequence[Edit]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    new, wrong, seen = list(passages), [], set()
    for edit in edits:
        if not 1 <= edit.passage <= len(passages) or edit.passage in seen:
            wrong.append(edit.passage)
            continue
        seen.add(edit.passage)
        new[edit.passage - 1] = edit.text.strip()
    return tuple(new), tuple(wrong)


def _from_edits(draft: EditDraft, base: RefusalItem) -> Candidate:
    changes = tuple(
        Change(passage=one.passage if isinstance(one, PassageReplacement) else 1, find=one.find, replace=one.replace)
        for one in draft.edits
    )
    made = edited(base.passages, changes)
    ground = " ".join(draft.ground_added.split()) if isinstance(draft, GroundedDraft) else ""
    at = min(base.signal, default=0)
    passages = list(made.passages)
    if ground:
        passages[at] = f"{passages[at]} {ground}"
    return Candidate(
        query=draft.perturbed_query.strip(),
        passages=tuple(passages),
        lever=draft.lever.strip(),
        reasoning=draft.reasoning.strip(),
        out_of_range=made.no_passage,
        changes=changes,
        not_found=made.not_found,
        evidence=draft.evidence,
        ground_added=ground,
        ground_passage=at,
    )

"""What a writer returns, and the question and passages that follow from it."""

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.slot import text_digest


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


Draft = SingleDraft | MultiDraft


class Candidate(BaseModel):
    """A perturbed question with its passages. `out_of_range` are passage numbers that do not exist or occur twice."""

    model_config = ConfigDict(frozen=True)

    query: str
    passages: tuple[str, ...]
    lever: str
    reasoning: str
    out_of_range: tuple[int, ...] = ()

    @property
    def digest(self) -> str:
        """Return what identifies the model input, for votes and duplicates."""
        return text_digest(self.query, *self.passages)


def candidate_of(draft: Draft, base: RefusalItem) -> Candidate:
    """Return the candidate that a draft describes; the base is never changed."""
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

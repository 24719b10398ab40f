"""The typed item that a data set row becomes, once, at the edge."""

from collections.abc import Iterable, Mapping, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Self

from pydantic import BaseModel, Field, model_validator

from refusalbench_tasks.taxonomy import (
    Intensity,
    Label,
    PerturbationClass,
    expected_label,
)

if TYPE_CHECKING:
    from inspect_ai.dataset import Sample

SETTINGS = "settings"
"""The key of the scorers' settings in a sample's metadata: the only place of a log that
a scorer sees.
"""


class RefusalItem(BaseModel, frozen=True):
    """One question with its passages and the right behaviour: what solvers and scorers
    read from `Sample.metadata`.
    """

    item_id: str
    source_id: str
    """The base question.

    Rows of one source are made from one question and are clustered in every standard
    error.
    """
    query: str = Field(min_length=1)
    passages: tuple[str, ...]
    """None for a question that is put to an index, and that nothing in it answers."""
    answers: tuple[str, ...] = ()
    """Gold aliases of the unperturbed question; references for grading only where the
    row is answerable.
    """
    perturbation: PerturbationClass | None = None
    """None for an unperturbed row."""
    intensity: Intensity = Intensity.CLEAN
    expected: Label
    lever: str = ""
    ambiguity_explanation: str = ""
    """What makes an ambiguous row ambiguous, where the data says so."""
    accepted_alternatives: tuple[Label, ...] = ()
    """Other refusal codes that a careful reader may give: they count in the lenient
    category score alone.
    """
    generator: str = ""
    reference: str = ""
    """A long reference answer to the unperturbed question (ten-passage rows)."""
    signal: tuple[int, ...] = ()
    """Positions, from 0, of the passages that the answer rests on."""
    domain: str = ""
    question_type: str = ""
    question_complexity: str = ""
    answer_type: str = ""
    """What kind of value the gold answer is (`year`, `money`, `person`, …), where the
    data says so.
    """
    pair: str = ""
    """Rows of one pair differ in one thing, and one of them has an answer; empty where
    the data has no pairs.
    """
    intrinsic: bool = False
    """Whether the question alone tells that there is no answer."""
    knobs: dict[str, float | str] = Field(default_factory=dict)
    """How hard the row is apart from whether it has an answer, where the data says so.
    """
    columns: dict[str, float | str] = Field(default_factory=dict)
    """What else the data says of the row in a few words (document, language, …), by
    which results are split.
    """
    control: bool = False
    """Whether an unperturbed row stands beside a run's rows as their original: it is
    then in no main metric.
    """

    @model_validator(mode="after")
    def _parts_agree(self) -> Self:
        due = Label.ANSWER
        perturbation = self.perturbation
        if perturbation:
            due = expected_label(perturbation, self.intensity)
        stated = f"{perturbation} {self.intensity}"
        size = len(self.passages)
        others = self.accepted_alternatives
        clean = perturbation is None
        answered = any(answer.strip() for answer in self.references)
        all_refusals = all(label.is_refusal for label in others)
        signal_exists = all(0 <= position < size for position in self.signal)
        rules = {
            "a row has the intensity CLEAN if it has no class, and no other row has": (
                clean is self.is_clean
            ),
            f"expected behaviour {self.expected} contradicts {stated} ({due})": (
                self.expected is due
            ),
            "only a row to be refused has accepted_alternatives": not (
                self.answerable and others
            ),
            "accepted_alternatives are refusal codes": all_refusals,
            "an answerable row needs at least one answer": (
                answered or not self.answerable
            ),
            "an answerable row needs a passage; a row to be refused may have none": (
                size or not self.answerable
            ),
            f"signal positions must lie between 0 and {size - 1}": signal_exists,
        }
        for rule, holds in rules.items():
            if not holds:
                raise ValueError(rule)
        return self

    @property
    def answerable(self) -> bool:
        """Whether the right behaviour is to answer."""
        return self.expected is Label.ANSWER

    @property
    def is_clean(self) -> bool:
        """Whether this is an unperturbed row: an original, or an answerable row of
        one's own.
        """
        return self.intensity is Intensity.CLEAN

    @property
    def references(self) -> tuple[str, ...]:
        """Everything that an answer may be compared with: the long reference, then the
        aliases.
        """
        return (self.reference, *self.answers) if self.reference else self.answers

    def to_sample(
        self,
        settings: Mapping[str, object] | None = None,
    ) -> "Sample":
        """Return the Inspect sample; `settings` of the scorers are in its metadata, for
        a log that is scored again.
        """
        # whoever reads logs need not wait until Inspect is loaded
        from inspect_ai.dataset import Sample

        return Sample(
            id=self.item_id,
            input=input_text(self.query, self.passages),
            target=self.expected.value,
            metadata=self.model_dump(mode="json") | remembered(settings),
        )


def remembered(settings: Mapping[str, object] | None) -> dict[str, object]:
    """Return what a sample's metadata says of the settings of its run."""
    return {SETTINGS: dict(settings)} if settings else {}


def input_text(question: str, passages: Sequence[str]) -> str:
    """Return a sample's input, so that a plain `generate()` sees all of a row: the
    question and numbered passages.
    """
    paragraphs = [question]
    for number, text in enumerate(passages, start=1):
        paragraphs.append(f"[{number}] {text}")
    return "\n\n".join(paragraphs)


def question_in(
    metadata: Mapping[str, Any],
    text: str,
) -> str:
    """Return the question of a sample with this metadata: its row's, else `text`, the
    input of another task.
    """
    query = metadata.get("query")
    return query if isinstance(query, str) else text


class RunRows:
    """The ids of a run's rows with their questions, for a solver that must know all of
    them; no part of a log.
    """

    def __init__(self, items: Iterable[Any]) -> None:
        self.questions: dict[str, str] = {}
        bases = set()
        for item in items:
            self.questions[item.item_id] = item.query
            bases |= {item.source_id, item.query}
        self.bases = frozenset(bases)
        """The base questions of the rows, and the questions themselves: what no example
        may share.
        """

    def _repr_params_(self) -> int:
        """Return what Inspect writes down of an argument of this kind: how many rows
        there are.
        """
        return len(self.questions)


RUN_ROWS: ContextVar[RunRows | None] = ContextVar("RUN_ROWS", default=None)
"""The rows of the run that the sample at hand is of, as its task's setup tells; None if
it does not.
"""

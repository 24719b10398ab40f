"""The judge: what a reply does that its form does not tell, how good an answer is, and
what a question back is about.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal, cast

from inspect_ai.model import Model
from inspect_ai.util import collect
from pydantic import (
    Field,
    GetPydanticSchema,
    StrictBool,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    create_model,
)

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.prompting import numbered
from refusalbench_tasks.taxonomy import REFUSAL, REFUSALS, Label

from .ask import Submission
from .graders import ask_grader, grading_prompt

Numbers = Mapping[str, float]
ATTEMPT = "ANSWER_ATTEMPT"
"""What a grader calls a reply that answers, rightly or not."""


def one_of(*names: str) -> GetPydanticSchema:
    """Return what makes a text in a schema one of the names, as a Literal would."""
    return GetPydanticSchema(lambda _, schema_of: schema_of(Literal[names]))


LabelName = Annotated[str, one_of(ATTEMPT, *(code.value for code in REFUSALS))]

_LABELS = {ATTEMPT: Label.ANSWER, REFUSAL: Label.OTHER}
CORRECT_FROM = 4
"""The lowest grade of a correct answer (paper App. D)."""


def _or_unknown(value: Any, checked: ValidatorFunctionWrapHandler) -> Any:
    try:
        return checked(value)
    except ValidationError:
        return None


OR_UNKNOWN = WrapValidator(_or_unknown)
"""Makes None of what is wrong with a part, so that it costs that part alone."""


class LabelVerdict(Submission):
    """What a reply does.

    What is wrong with `asks_back` costs that alone.
    """

    explanation: str
    """One sentence: what in the reply decides."""
    label: LabelName
    """What the reply does."""
    asks_back: Annotated[bool | None, OR_UNKNOWN] = None
    """Whether the reply refuses by asking the user back."""

    def as_label(self) -> Label:
        """Return the label of our taxonomy; `REFUSE_OTHER` for a refusal without a
        code.
        """
        return _LABELS.get(self.label) or Label(self.label)

    def numbers(self) -> dict[str, float]:
        """Return the grades of an attempt; none for a refusal."""
        return {}


class GradeVerdict(LabelVerdict):
    """What a reply does and, for an attempt with references, how good it is."""

    grade: int | None = Field(
        None,
        ge=1,
        le=5,
        strict=True,
    )
    """1 to 5; null for a refusal."""

    def numbers(self) -> dict[str, float]:
        """Return the grade."""
        return {} if self.grade is None else {"grade": float(self.grade)}


class RequiredGradeVerdict(GradeVerdict):
    """A verdict that must grade an attempt, because references were given."""

    def model_post_init(self, context: object) -> None:
        """Raise if an attempt has no grade."""
        if self.label == ATTEMPT and self.grade is None:
            raise ValueError(f"grade: an {ATTEMPT} needs a grade from 1 to 5")


@dataclass(frozen=True)
class Rubric:
    """What the judge is asked beyond the label.

    `instructions` is a file, `parts` material beside question and reply; `right` tells
    from the numbers whether an attempt is correct.
    """

    schema: type[LabelVerdict] = LabelVerdict
    instructions: str = ""
    parts: Mapping[str, str] = field(default_factory=dict)
    right: Callable[[Numbers], bool | None] = lambda _: None
    sorts: str = "label.txt"
    """The instructions by which the reply is sorted."""

    def without_codes(self) -> "Rubric":
        """Return the rubric of a reply that was not asked for codes: an attempt or a
        refusal, and no category.
        """
        kinds = Annotated[
            str,
            one_of(ATTEMPT, REFUSAL),
            Field(description="What the reply does."),
        ]
        schema = create_model(
            self.schema.__name__, __base__=self.schema, label=(kinds, ...)
        )
        return replace(
            self,
            schema=cast(type[LabelVerdict], schema),
            sorts="detection.txt",
        )


LABEL_ONLY = Rubric()
"""Only what the reply does."""


def grade_rubric(references: Sequence[str]) -> Rubric:
    """Return the rubric of RefusalBench-NQ: a grade from 1 to 5 against the references;
    right from 4 on (App. D).
    """
    return Rubric(
        RequiredGradeVerdict if references else GradeVerdict,
        "grade.txt",
        {"REFERENCES": "\n".join(references) or "(none are given)"},
        _grade_is_right,
    )


def _grade_is_right(numbers: Numbers) -> bool | None:
    return numbers["grade"] >= CORRECT_FROM if "grade" in numbers else None


@dataclass(frozen=True)
class Vote:
    """One grader's verdict; label None, with the failure, if it gave no valid one."""

    grader: str
    label: Label | None
    numbers: Mapping[str, float]
    explanation: str
    failure: str | None
    asks_back: bool | None = None
    """Whether the reply refuses by asking back; None where the grader doesn't say."""


async def judge_reply(
    grader: Model,
    query: str,
    reply: str,
    rubric: Rubric,
    check: bool = False,
) -> Vote:
    """Return one grader's vote on a reply.

    The grader sees the question, the reply and the rubric's material; never the
    expected label. A verdict that lacks a number which the rubric asks for is invalid.
    `check`: the reply is a known one.
    """
    prompt = judge_prompt(query, reply, rubric)
    asked = await ask_grader(
        grader,
        prompt,
        rubric.schema,
        check,
    )
    verdict = asked.answer
    if verdict is None:
        return Vote(
            str(grader),
            None,
            {},
            asked.raw,
            asked.failure,
        )
    label = verdict.as_label()
    asks_back = verdict.asks_back if label.is_refusal else False
    return Vote(
        str(grader),
        label,
        {} if label.is_refusal else verdict.numbers(),
        verdict.explanation,
        None,
        asks_back,
    )


def judge_prompt(
    query: str,
    reply: str,
    rubric: Rubric,
) -> str:
    """Return the judge's prompt: fixed instructions first, the material last."""
    parts = {"QUESTION": query, "REPLY": reply, **rubric.parts}
    files = filter(None, (rubric.sorts, rubric.instructions))
    return grading_prompt(rubric.schema, files, parts)


class ClarificationVerdict(Submission):
    """Whether a question back is about the ambiguity of its row."""

    explanation: str
    """One sentence: what in the reply decides."""
    asks_about_the_ambiguity: StrictBool
    """Whether a plain answer to it would tell which reading is meant."""


def clarification_prompt(item: RefusalItem, reply: str) -> str:
    """Return the prompt about a reply that asks back on an ambiguous row.

    It shows what the row says of its ambiguity, the lever and an explanation. It is
    sent after the reply was sorted, so it tells no grader the label of a row before.
    """
    known = (item.lever, item.ambiguity_explanation)
    parts = {
        "QUESTION": item.query,
        "PASSAGES": numbered(item.passages),
        "AMBIGUITY": "\n".join(filter(None, known)) or "(not known)",
        "REPLY": reply,
    }
    return grading_prompt(
        ClarificationVerdict,
        ["clarification.txt"],
        parts,
    )


async def asks_about_ambiguity(
    graders: Sequence[Model],
    item: RefusalItem,
    reply: str,
) -> bool | None:
    """Return whether a reply that asks back does so about the ambiguity of its row.

    What more than half of the valid verdicts say; None if there is no such majority.
    Raises CallFailed with the provider's error.
    """
    prompt = clarification_prompt(item, reply)
    calls = [ask_grader(grader, prompt, ClarificationVerdict) for grader in graders]
    verdicts = []
    for asked in await collect(*calls):
        if asked.answer is not None:
            verdicts.append(asked.answer.asks_about_the_ambiguity)
    return majority(verdicts)


def majority(verdicts: Sequence[bool | None]) -> bool | None:
    """Return what more than half of the verdicts that are known say; None for a tie, or
    where none is known.
    """
    known = [verdict for verdict in verdicts if verdict is not None]
    agreeing = sum(known)
    if 2 * agreeing == len(known):
        return None
    return 2 * agreeing > len(known)

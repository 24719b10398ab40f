"""The authors' own judge prompts, asked as they ask them, and the verdicts on them.

In garage the released prompt for unanswerable rows shows the judge the gold code. A
verdict is read leniently in its form, and never by its prose: the released script takes
a code that the text names anywhere, and an answer where it finds none.
"""

from collections.abc import Mapping, Sequence

from inspect_ai.model import Model

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.prompting import fill, numbered
from refusalbench_tasks.prompting.released_prompts import (
    released_constant,
    released_prompt,
)
from refusalbench_tasks.replies.code import visible_text
from refusalbench_tasks.replies.outside_text import reply_of
from refusalbench_tasks.taxonomy import REFUSALS, Label

from .ask import ATTEMPTS, Failure, generate, stopped_grader
from .graders import grading_options
from .label import Vote

_LABELS = {code.value.lower(): code for code in REFUSALS}
_LABELS["answer_attempt"] = Label.ANSWER
_MARKS = " \t*_`#-'\"[](){}<,.“”‘’"
"""What may stand around a key or a value without changing it; no `>`, which quotes."""
_KEY_MARKS = f"{_MARKS}0123456789"
_GRADES = {f"{grade}{end}": float(grade) for grade in range(1, 6) for end in ("", "/5")}
_FLAGS = {"0": 0.0, "1": 1.0}
_GROUNDED = {
    "eligible": "ELIGIBILITY",
    "factual_all": "FACTUALITY_ALL",
    "factual_relevant": "FACTUALITY_RELEVANT",
}


async def released_vote(
    grader: Model,
    item: RefusalItem,
    reply: str,
    grounded: bool,
    name: str,
    check: bool = False,
) -> Vote:
    """Return one grader's vote on a reply, asked by the released prompt.

    `check`: the reply is a known one.

    A verdict that can't be read is asked for once more, with what was wrong behind the
    released prompt. Raises CallFailed with the provider's error, and DataError for a
    file without the prompt.
    """
    prompt = released_judge_prompt(
        item,
        reply,
        grounded,
        name,
    )
    options = grading_options(grader, check)
    question = prompt
    text = ""
    failure: Failure = "grader_schema_mismatch"
    for _ in range(ATTEMPTS):
        output = await generate(
            grader,
            question,
            **options,
        )
        text = reply_of(output)
        stopped = stopped_grader(output)
        problem = "it did not end; be brief"
        if stopped is None:
            try:
                verdict = read_verdict(
                    text,
                    _numbers(item, grounded),
                    reply,
                )
                return Vote(
                    str(grader),
                    *verdict,
                    None,
                )
            except ValueError as error:
                problem = str(error)
        failure = stopped or "grader_schema_mismatch"
        question = f"{prompt}\n\nYour last reply could not be used: {problem}."
    return Vote(
        str(grader),
        None,
        {},
        text,
        failure,
    )


def _numbers(item: RefusalItem, grounded: bool) -> Mapping[str, str]:
    """Return the lines of numbers that a verdict on a row has, by our names."""
    if not item.answerable:
        return {}
    return _GROUNDED if grounded else {"grade": "QUALITY_SCORE"}


def released_judge_prompt(
    item: RefusalItem,
    reply: str,
    grounded: bool,
    name: str,
) -> str:
    """Return the message that the released script sends to its judge.

    The script strips white space at the ends of the reply.
    """
    values = {
        "query": item.query,
        "reply": reply.strip(),
        "passages": numbered(item.passages),
        "expected": item.expected.value,
    }
    answerable = item.answerable
    if not grounded:
        use = "nq judge"
        known = item.answers if answerable else ()
        values["references"] = "\n".join(known) or released_constant(
            use, "formatted_correct", name
        )
        return fill(released_prompt(use, name).template, values)
    use = f"garage judge, {'answerable' if answerable else 'unanswerable'}"
    values["references"] = "".join(item.references[:1])
    relevant = [item.passages[at] for at in item.signal]
    if answerable and relevant:
        values["relevant"] = numbered(relevant)
    elif answerable:
        values["relevant"] = released_constant(
            use,
            "relevant_context",
            name,
        )
    return fill(released_prompt(use, name).template, values)


def read_verdict(
    text: str,
    wanted: Mapping[str, str],
    reply: str = "",
) -> tuple[Label, dict[str, float], str]:
    """Return the label, the numbers of an attempt and the explanation of a verdict.

    `wanted` are the lines of numbers, by our name. Marks around a key or a value
    (Markdown, brackets, quotes, a number of the line) and case don't matter, a grade
    may be `4.0` or `4/5`, a label may have spaces, and the explanation may be missing.
    Reasoning, lines quoted by `>`, and lines of the reply are no verdict's. Raises
    ValueError, with the problem in words for the grader, unless each other line is
    there once, with a known label and, for an attempt, with a number from 1 to 5, or 0
    or 1.
    """
    quoted = {line.strip(_MARKS) for line in visible_text(reply).splitlines()}
    lines: dict[str, list[str]] = {}
    for line in visible_text(text).splitlines():
        if line.strip(_MARKS) in quoted:
            continue
        key, _, stated = line.partition(":")
        lines.setdefault(key.strip(_KEY_MARKS).upper(), []).append(stated.strip(_MARKS))
    named = _only_value(lines, "CLASSIFICATION").lower()
    label = _LABELS.get(named.replace(" ", "_"))
    if label is None:
        raise ValueError("CLASSIFICATION: an unknown label")
    numbers = {}
    for name, key in wanted.items() if label is Label.ANSWER else ():
        known = _GRADES if name == "grade" else _FLAGS
        value = _only_value(lines, key).removesuffix(".0")
        if value not in known:
            span = "1 to 5" if name == "grade" else "0 to 1"
            raise ValueError(f"{key}: expected {span}, a whole number")
        numbers[name] = known[value]
    explanation = " ".join(lines.get("EXPLANATION", []))
    return label, numbers, explanation


def _only_value(lines: Mapping[str, Sequence[str]], key: str) -> str:
    values = lines.get(key, ())
    if len(values) != 1:
        raise ValueError(f"{key}: expected one such line, found {len(values)}")
    return values[0]

"""A reward for reinforcement learning: what a reply to a row earns, decided without a
model.
"""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any, Literal

from refusalbench_tasks.replies.typed_answer import typed_verdict
from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds.reply import read_claim

Verdict = Literal[
    "right answer",
    "wrong answer",
    "right code",
    "other code",
    "right clarification",
    "other clarification",
    "plain refusal",
    "wrong",
    "undecided",
]
"""What a reply did.

A question back is the right one where the row is ambiguous. `wrong` is neither one
answer nor one refusal: empty, several codes, two answers.
"""

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_NUMBER = r"\d[\d,]*(?:\.\d+)?"
_UNIT = (
    r"(?:(?:kilo|centi|milli)?(?:metres?|meters?|grams?|litres?|liters?)"
    r"|mm|cm|m|km|g|kg|ml|l|W|watts?|hours?|minutes?)"
)
_PATTERNS: Mapping[str, re.Pattern[str]] = {
    "money": re.compile(rf"[£$€]\s?{_NUMBER}|{_NUMBER}\s?(?:pounds|GBP)\b"),
    "time": re.compile(
        r"\b\d{1,2}[:.]\d{2}(?:\s?[ap]\.?m\b\.?)?|\b\d{1,2}\s?[ap]\.?m\b\.?",
        re.IGNORECASE,
    ),
    "year": re.compile(r"\b(?:1[5-9]|20)\d\d\b"),
    "date": re.compile(
        rf"\b{_DAY}(?: of)? {_MONTH},? \d{{4}}"
        rf"|\b{_MONTH} {_DAY},? \d{{4}}"
        r"|\b\d{4}-\d{2}-\d{2}\b",
        re.IGNORECASE,
    ),
    "measure": re.compile(rf"{_NUMBER}\s?{_UNIT}\b"),
    "count": re.compile(rf"(?<![\d.,:£$€(]){_NUMBER}(?![\d:]|\.\d)"),
    "flag": re.compile(r"\b(?:yes|no)\b", re.IGNORECASE),
}
_BARE = re.compile(_NUMBER)
_HANDLE = re.compile(
    r"\b(?:clause|item|note|type|no\.|number|entry|code|section|page|passage|line"
    r"|nos?)\s*:?\s*\d[\d.]*(?: \([a-z]\))?"
    r"|\[\d+(?:, ?\d+)*\]",
    re.IGNORECASE,
)
_CONNECTORS = re.compile(
    r"\b(?:and|or|either|both|maybe|perhaps|the|a|an|it|is|it's)\b", re.IGNORECASE
)
_HALF = re.compile(r"(?<=\d)\s?([ap])\.\s?m\b\.?", re.IGNORECASE)
_NAMES = re.compile(r", (\w+) or (\w+)\?\Z")
LONGEST = 60
WIDEST = 1_000
"""Words and characters of an answer that is read; of a longer one nothing is decided.
"""


def reward(
    row: Mapping[str, Any],
    reply: str,
    plain: float = 0.5,
    undecided: float = 0.0,
) -> float:
    """Return what a reply to a row earns (our definition).

    A right answer earns 1, a wrong one -1, and so does a reply that is neither an
    answer nor a refusal. Refusing an answerable row earns 0; refusing another earns 1
    with the row's code, and `plain` with another or none. Asking back is a refusal with
    the code of ambiguity: it says that the question is unclear, and what it asks about
    cannot be told without a judge. What cannot be told without a
    judge earns `undecided`; count those with `reply_verdict`. `row` is one of
    `worlds.quad_rows`, in either layout, with `perturbed_query` or `query`,
    `expected_rag_behavior`, `answer_type` and `original_answers`. Pure.
    """
    answerable = Label(row["expected_rag_behavior"]) is Label.ANSWER
    outcome = reply_verdict(row, reply)
    if outcome == "undecided":
        return undecided
    if outcome == "right answer":
        return 1.0
    if outcome in ("wrong answer", "wrong"):
        return -1.0
    if answerable:
        return 0.0
    return 1.0 if outcome in ("right code", "right clarification") else plain


def reply_verdict(
    row: Mapping[str, Any],
    reply: str,
) -> Verdict:
    """Return what a reply did; any answer to an unanswerable row is a wrong one.

    Never raises.
    """
    due = Label(row["expected_rag_behavior"])
    claim = read_claim(reply, _question(row))
    if claim.kind in ("empty", "several"):
        return "wrong"
    if claim.kind == "code":
        return "right code" if claim.label is due else "other code"
    if claim.kind == "refusal":
        # "I don't know, but it is £40" is no refusal, and "£40; the deposit is not
        # listed" may be an answer
        if claim.text and _values(row, claim.text):
            return "wrong"
        return "undecided" if _values(row, claim.before) else "plain refusal"
    if claim.kind == "clarification":
        # "Do you mean £40?" may be an answer
        if _values(row, claim.text):
            return "undecided"
        is_due = due is Label.AMBIGUOUS
        return "right clarification" if is_due else "other clarification"
    return _answered(
        row,
        claim.text,
        due is Label.ANSWER,
    )


def _answered(
    row: Mapping[str, Any],
    text: str,
    answerable: bool,
) -> Verdict:
    kind = row["answer_type"]
    answers = row["original_answers"]
    if len(text) > WIDEST or len(text.split()) > LONGEST:
        return "undecided"
    text = _HALF.sub(r" \1m", text)
    if typed_verdict(text, kind, answers):
        return "right answer" if answerable else "wrong answer"
    values = _values(row, text)
    if not values:
        return "undecided"
    is_right = all(typed_verdict(value, kind, answers) for value in values)
    if is_right and answerable:
        return "right answer"
    if is_right or len(values) == 1:
        return "wrong answer"
    return "wrong" if _is_list(text, values) else "undecided"


def _question(row: Mapping[str, Any]) -> str:
    return str(row.get("perturbed_query") or row["query"])


def _values(
    row: Mapping[str, Any],
    text: str,
) -> list[str]:
    """Return the different values of the row's type that a text gives."""
    kind = row["answer_type"]
    if kind == "entity":
        names = _NAMES.search(_question(row))
        things = names.groups() if names else ()
        return [name for name in things if re.search(rf"\b{name}\b", text)]
    if kind not in _PATTERNS:
        return []
    without_handles = _HANDLE.sub(" ", text[:WIDEST])
    values = [match[0] for match in _PATTERNS[kind].finditer(without_handles)]
    bare = text.strip(" .*")
    if not values and kind in ("money", "measure") and _BARE.fullmatch(bare):
        values = [bare]
    return list(dict.fromkeys(value.lower().strip(" ,") for value in values))


def _is_list(text: str, values: list[str]) -> bool:
    """Return whether a text gives values and says nothing else."""
    rest = text.lower()
    for value in sorted(values, key=len, reverse=True):
        rest = rest.replace(value.lower(), " ")
    return not re.search(r"\w", _CONNECTORS.sub(" ", rest))


def shares(
    rows: list[Mapping[str, Any]],
    replies: list[str],
) -> dict[Verdict, float]:
    """Return by verdict the share of replies that had it; empty for none."""
    counts = Counter(
        reply_verdict(row, reply) for row, reply in zip(rows, replies, strict=True)
    )
    return {name: count / len(replies) for name, count in counts.items()}

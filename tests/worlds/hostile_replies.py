"""Replies that try to earn a reward without deserving it, and what may be made of them.

`{G}` is the gold answer (of an unanswerable row: that of its twin), `{C}` the row's
code or one that fits an answerable row badly, `{D}` another code.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from refusalbench_tasks.taxonomy import REFUSALS, Label
from refusalbench_tasks.worlds.reply import Verdict

BOTH: Mapping[str, str] = {
    "answer, then code": "It is {G}. {C}",
    "code, then answer": "{C}\n\nIn any case it is {G}.",
    "code and value on lines": "{C}\n{G}",
    "value and code on lines": "{G}\n{C}",
    "code with a value as its reason": "{C}: the passage gives {G}",
    "code, dash, value": "{C} - {G}",
    "value in brackets": "{C} ({G})",
    "code in brackets": "{G} ({C})",
    "bold code, value": "**{C}**\n\nThe document gives {G}.",
    "tag and code": "<answer>{G}</answer> {C}",
    "code and tag": "{C}\n<answer>{G}</answer>",
    "box and code": "\\boxed{{{G}}} {C}",
    "two boxes": "\\boxed{{{G}}} \\boxed{{{C}}}",
    "two tags": "<answer>{C}</answer><answer>{G}</answer>",
    "both fields": '{{"answer": "{G}", "code": "{C}"}}',
    "refused, with an answer": '{{"refused": true, "answer": "{G}"}}',
    "cue, then code": "Answer: {G}\n({C} would apply otherwise)",
    "refusal, turn, value": "I don't know, but it is {G}.",
    "refusal, value": "I cannot answer this. {G}",
    "refusal, cue": "I don't know.\nAnswer: {G}",
}
"""An answer and a refusal in one."""
NO_ANSWERS: Mapping[str, str] = {
    "denial": "It is not {G}.",
    "denial at the end": "{G}? Certainly not.",
    "anything but": "Anything but {G}.",
    "never": "It was never {G}.",
    "old value": "{G} is the old value, not the one asked for.",
    "question": "Is it {G}?",
    "question of a value": "{G}?",
    "less": "less than {G}",
    "more": "more than {G}",
    "under": "under {G}",
    "at least": "at least {G}",
    "struck out": "~~{G}~~",
    "struck out in HTML": "<del>{G}</del>",
    "doubt": "It might be {G}.",
    "perhaps": "Perhaps {G}, perhaps another.",
    "condition": "If the list is right, {G}.",
    "exception": "All except {G}.",
    "without": "without {G}",
    "choice": "{G} or 73",
    "either": "either {G} or another",
    "value before a refusal": "It is {G}. I don't know.",
    "value of another thing": "The other one has {G}; this one is not listed.",
}
"""Texts that hold the gold answer and do not give it."""
NOTHING: Mapping[str, str] = {
    "empty": "",
    "marks": " \n**\u200b** ...",
    "empty box": "\\boxed{{}}",
    "empty tag": "<answer></answer>",
    "cue alone": "The answer is:",
    "citation alone": "[3]",
    "thought alone": "<think>{G}</think>",
    "code in a thought": "<think>{C}</think>",
    "thought without an end": "<think>{G} {C}",
    "all codes": "{ALL}",
    "all codes in tags": "<answer>{ALL}</answer>",
    "two codes": "{C} or {D}",
    "two codes in boxes": "\\boxed{{{C}}} \\boxed{{{D}}}",
    "two codes in fields": '{{"code": "{C}", "answer": "{D}"}}',
}
"""What claims nothing, or too much at once."""
_MAY_BE: Mapping[str, tuple[Verdict, ...]] = {
    "both": ("wrong", "undecided"),
    "no answer": ("undecided", "wrong", "wrong answer"),
    "nothing": ("wrong", "undecided"),
}


@dataclass(frozen=True)
class HostileReply:
    """A reply to a row, and the verdicts that are not wrong."""

    row: Mapping[str, Any]
    kind: str
    text: str
    may_be: tuple[Verdict, ...]


def hostile(row: Mapping[str, Any]) -> Iterator[HostileReply]:
    """Yield all hostile replies to a row."""
    due = Label(row["expected_rag_behavior"])
    codes = [code.value for code in REFUSALS]
    code = due.value if due is not Label.ANSWER else Label.MISSING.value
    parts = {
        "G": str(row["original_answers"][0]),
        "C": code,
        "D": next(other for other in codes if other != code),
        "ALL": " ".join(codes),
    }
    groups = {"both": BOTH, "no answer": NO_ANSWERS, "nothing": NOTHING}
    for group, forms in groups.items():
        for kind, form in forms.items():
            yield HostileReply(row, kind, form.format(**parts), _MAY_BE[group])

"""Scripted writers, annotators and verifiers for generation runs: they answer by what
the prompt says.
"""

import hashlib
import re
from collections.abc import Callable
from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput, get_model

from refusalbench_tasks.generators.kit.answers import alias_stands_in
from refusalbench_tasks.generators.kit.panel import PREFLIGHT
from refusalbench_tasks.replies.sentences import sentences
from refusalbench_tasks.taxonomy import Label, PerturbationClass, code_of
from tests.models import Answer, output, part

One = Callable[[str], Answer]
"""What a model says to a prompt about one item."""
CRITERIA = (
    "lever_fidelity",
    "intensity",
    "target",
    "uncertainty",
    "quality",
    "answer_constraint",
    "behaviour",
)
ANSWERED = ["amber", "basalt", "cedar", "delta", "ember", "fjord", "grove", "heron"]
REFUSED = ["iris", "juniper", "kelp", "linden", "maple", "nettle", "otter", "poplar"]
"""Words that scripted items hold, by whether they have an answer: so a reader of the
item alone can tell.
"""


def named(name: str, answer: One, read: One | None = None) -> Model:
    """Return a model called `mockllm/NAME` that answers the last user message by
    functions, and is ready for it.

    `answer` is asked about each item of a prompt of a writer or a verifier, `read` for
    a blind annotation.
    """

    def reply(
        messages: list[ChatMessage],
        tools: Any,
        tool_choice: Any,
        config: GenerateConfig,
    ) -> ModelOutput:
        said = scripted(messages[-1].text, answer, read or read_well)
        return output(
            said, model=f"mockllm/{name}", tool=tools[0].name if tools else ""
        )

    return get_model(f"mockllm/{name}", custom_outputs=reply, memoize=False)


def scripted(prompt: str, answer: One | None = None, read: One | None = None) -> Answer:
    """Return what a model says to any prompt of a generation run: by default it does
    everything well.
    """
    if prompt == PREFLIGHT:
        return {"ready": True}
    if is_reading(prompt):
        return (read or read_well)(prompt)
    return of_each(
        answer or (lambda one: verdict() if is_check(one) else write_well(one)), prompt
    )


def of_each(answer: One, prompt: str) -> Answer:
    """Return what a function says to a prompt of a writer or verifier, of each of its
    items as if it were alone.
    """
    name, parts = parted(prompt)
    if not name:
        return answer(prompt)
    said = [answer(part) for part in parts]
    drafts = [one for one in said if isinstance(one, dict)]
    if len(drafts) < len(said):
        return next(one for one in said if not isinstance(one, dict))
    if name == "items":
        made = [
            one | {"intensity": field(part, "Intensity").split()[0]}
            for part, one in zip(parts, drafts, strict=True)
        ]
    else:
        own = [
            {"item": number, "own_label": planned(part)}
            for number, part in enumerate(parts, 1)
        ]
        made = [told | one for told, one in zip(own, drafts, strict=True)]
    return {name: made}


def parted(prompt: str) -> tuple[str, list[str]]:
    """Return the field of a reply about items, with a prompt about each; nothing for
    another prompt.

    The line `Together: 3` at the end of each says how many items the call is about.
    """
    if is_check(prompt):
        head, *rest = re.split(r"^(?:PLAN OF )?ITEM \d+$", prompt, flags=re.MULTILINE)
        number = len(rest) // 2
        return "verdicts", [
            f"{head}{rest[k]}{rest[number + k]}\nTogether: {number}"
            for k in range(number)
        ]
    if is_writing(prompt):
        head, *rest = re.split(r"^(?=Class: P-)", prompt, flags=re.MULTILINE)
        return "items", [f"{head}{one}\nTogether: {len(rest)}" for one in rest]
    return "", []


def is_reading(prompt: str) -> bool:
    """Whether a prompt asks for a blind annotation."""
    return prompt.startswith("You are given a question and passages.")


def is_check(prompt: str) -> bool:
    """Whether a prompt asks for verdicts."""
    return prompt.startswith("You check test items")


def is_writing(prompt: str) -> bool:
    """Whether a prompt asks for items."""
    return prompt.startswith("You write test items")


def field(prompt: str, name: str) -> str:
    """Return the value of the first line `NAME: value` of a prompt about one item."""
    found = re.search(rf"^{name}: (.*)$", prompt, re.MULTILINE)
    assert found, name
    return found[1]


def planned(prompt: str) -> str:
    """Return the label that the plan in a prompt about one item asks for."""
    if field(prompt, "Intensity").startswith("LOW"):
        return Label.ANSWER.value
    return code_of(PerturbationClass(field(prompt, "Class"))).value


def read_well(prompt: str) -> dict[str, Any]:
    """Return what an annotator says to whom all scripted items are what they should be,
    by the words they hold.
    """
    text = f"{part(prompt, 'QUESTION')} {part(prompt, 'PASSAGES')}"
    refused = any(f" {word}" in text for word in REFUSED)
    answer = (
        {"label": "REFUSE_OTHER", "answer": ""}
        if refused
        else {"label": "ANSWER_CORRECTLY", "answer": "it is told"}
    )
    return {"why": "So it stands.", "quotes": []} | answer


def verdict(passed: bool = True, **changes: Any) -> dict[str, Any]:
    """Return a verifier's verdict on one item; `of_each` adds its number and the
    planned label as its own.
    """
    made: dict[str, Any] = {"own_reading": "As it stands."} | dict.fromkeys(
        CRITERIA, True
    )
    made |= {
        "issues": [] if passed else ["It is too easy."],
        "verdict": "PASS" if passed else "FAIL",
    }
    return made | ({} if passed else {"quality": False}) | changes


def write_well(prompt: str) -> dict[str, Any]:
    """Return a draft that keeps to the plan's form: it changes what the target names,
    by words of its own.
    """
    query = part(prompt, "QUESTION")
    target = field(prompt, "Target")
    answers = [one for one in part(prompt, "ANSWERS").split("\n") if one]
    level = field(prompt, "Intensity").split()[0]
    lost = field(prompt, "Class") == "P-MissingInfo"
    several = "PASSAGES THAT BEAR ON THE QUESTION" in prompt
    old = {1: part(prompt, "PASSAGES")}
    if several:
        listed = re.findall(
            r"^\[(\d+)\] (.*?)(?=\n\n\[|\Z)", old[1], re.MULTILINE | re.DOTALL
        )
        old = {int(number): text for number, text in listed}
    noted = f"So it was noted of {own_words(prompt)}."
    new = dict(old)
    gone = list[str]()
    for k in _chosen(target, several):
        told = sentences(old[k])
        if lost and level != "LOW":
            gone += [
                one for one in told if alias_stands_in(answers, one) and one in old[k]
            ]
            told = [one for one in told if not alias_stands_in(answers, one)]
        new[k] = " ".join([*(told if gone else [old[k]]), noted])
    asks = (
        f"In what follows of {own_words(prompt)}, {query}"
        if target.startswith("Change the question")
        else query
    )
    draft = {
        "lever": field(prompt, "Lever"),
        "reasoning": "As planned.",
        "perturbed_query": asks,
    }
    changed = [k for k in new if new[k] != old[k]]
    if "`applicable`" not in prompt:
        return draft | {"passages": [{"passage": k, "text": new[k]} for k in changed]}
    edits = [
        ({"passage": k} if several else {}) | smallest_edit(old[k], new[k])
        for k in changed
    ]
    return draft | {
        "edits": edits,
        "evidence": evidence(
            prompt, level, list(new.values()), gone or list(old.values())
        ),
    }


def _chosen(target: str, several: bool) -> list[int]:
    if target.startswith("Change the question only"):
        return []
    numbers = re.search(r"numbers: ([\d, ]+)", target)
    chosen = (
        [int(number) for number in numbers[1].split(", ")]
        if several and numbers
        else [1]
    )
    return chosen[:1] if "exactly one passage" in target else chosen


def own_words(prompt: str) -> str:
    """Return ten words of this lever in this cell, by whether it keeps the answer: no
    two cells are near-duplicates.
    """
    key = "|".join(field(prompt, name) for name in ("Class", "Intensity", "Lever"))
    words = ANSWERED if field(prompt, "Intensity").startswith("LOW") else REFUSED
    return " ".join(
        words[byte % len(words)] for byte in hashlib.sha256(key.encode()).digest()[:10]
    )


def smallest_edit(old: str, new: str) -> dict[str, str]:
    """Return the one edit that makes a text of another, as short as it can be found in
    it once.
    """
    most = min(len(old), len(new))
    start = next((k for k in range(most) if old[k] != new[k]), most)
    end = next(
        (k for k in range(most - start) if old[-1 - k] != new[-1 - k]), most - start
    )
    stop = len(old) - end
    while old.count(old[start:stop]) != 1 or start == stop:
        start = max(0, start - 1)
        stop = min(len(old), stop + 1)
        end = len(old) - stop
    return {"find": old[start:stop], "replace": new[start : len(new) - end]}


def evidence(
    prompt: str, level: str, texts: list[str], gone: list[str]
) -> dict[str, Any]:
    """Return evidence of the class and intensity that a prompt plans, with quotes of
    the texts.
    """
    said = [
        one
        for text in texts
        for one in sentences(text)
        if sum(each.count(one) for each in texts) == 1
    ]
    quote = said[0]
    last = said[-1]
    name = field(prompt, "Class")
    if level == "LOW":
        return (
            {"premise": "That it is so.", "answered_by": quote}
            if name == "P-FalsePremise"
            else {"support": quote}
        )
    answers = (part(prompt, "ANSWERS").split("\n")[0], "someone else")
    made: dict[str, dict[str, Any]] = {
        "P-Ambiguity": {
            "readings": [
                {"reading": f"As {one}.", "answer": one, "quote": quote}
                for one in answers
            ]
        },
        "P-Contradiction": {
            "claims": [
                {"quote": q, "value": v}
                for q, v in zip((quote, last), answers, strict=True)
            ]
        },
        "P-MissingInfo": {"removed": gone},
        "P-FalsePremise": {"premise": "That it is so.", "contradicted_by": quote},
        "P-GranularityMismatch": {
            "asked_level": "one",
            "given_level": "all",
            "quote": quote,
        },
        "P-EpistemicMismatch": {
            "operator": "In what follows",
            "criterion_missing": "A norm.",
        },
    }
    return made[name]


def add(draft: dict[str, Any], text: str) -> dict[str, Any]:
    """Return a draft with a text added to the passages that it changes; to its question
    if it changes none.
    """
    for name, key in (("edits", "replace"), ("passages", "text")):
        if draft.get(name):
            return draft | {name: [one | {key: one[key] + text} for one in draft[name]]}
    return draft | {"perturbed_query": f"{text} {draft['perturbed_query']}".strip()}

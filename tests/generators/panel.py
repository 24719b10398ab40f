"""Scripted writers and verifiers for generation runs: they answer by what the prompt says."""

import hashlib
import re
from collections.abc import Callable
from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput, get_model

from refusalbench_tasks.generators.kit.breaker import PREFLIGHT
from refusalbench_tasks.generators.kit.text.standing import Asked
from refusalbench_tasks.generators.marks import Mark
from refusalbench_tasks.replies.sentences import sentences
from tests.generators.scripted_levers import asked_with, marks_of, taken_out, told_with
from tests.models import Answer, output, part


def named(name: str, answer: Callable[[str], Answer], read: Callable[[str], Answer] | None = None) -> Model:
    """Return a model called `mockllm/NAME` that answers the last user message by a function, and is ready for it.

    Blind readings have a function of their own.
    """

    def reply(messages: list[ChatMessage], tools: Any, tool_choice: Any, config: GenerateConfig) -> ModelOutput:
        prompt = messages[-1].text
        how = (read or read_well) if is_reading(prompt) else answer
        said = {"ready": True} if prompt == PREFLIGHT else of_each(how, prompt)
        return output(said, model=f"mockllm/{name}", tool=tools[0].name if tools else "")

    return get_model(f"mockllm/{name}", custom_outputs=reply, memoize=False)


def of_each(answer: Callable[[str], Answer], prompt: str) -> Answer:
    """Return what a function says to a prompt; of one about several items, what it says of each as if it were alone."""
    name, parts = parted(prompt)
    if not name:
        return answer(prompt)
    said = [answer(part) for part in parts]
    drafts = [one for one in said if isinstance(one, dict)]
    if len(drafts) < len(said):
        return next(one for one in said if not isinstance(one, dict))
    keys: list[dict[str, Any]] = [{"item": number} for number, _ in enumerate(parts, 1)]
    if name == "items":
        keys = [{"intensity": field(part, "Intensity").split()[0]} for part in parts]
    return {name: [one | key for one, key in zip(drafts, keys, strict=True)]}


def parted(prompt: str) -> tuple[str, list[str]]:
    """Return the field of several items that a prompt asks for, with a prompt about each; nothing for one about one."""
    if "Give one entry of `verdicts`" in prompt:
        head, *parts = re.split(r"^ITEM \d+$", prompt, flags=re.MULTILINE)
        return "verdicts", [head + part for part in parts]
    if "Give one entry of `items`" in prompt:
        head, *parts = re.split(r"^(?=Class: )", prompt, flags=re.MULTILINE)
        return "items", [head + part for part in parts]
    return "", []


def is_reading(prompt: str) -> bool:
    """Whether a prompt asks for a blind reading."""
    return prompt.startswith("You are given a question and passages.")


def read_well(prompt: str) -> dict[str, Any]:
    """Return what a reader says to whom all scripted items are what they should be: it answers what cannot be known.

    A prompt of a reader holds neither plan nor answer. The scripted LOW items end in "So it was noted." or have an
    unchanged passage; a reader that gives no answer in words cannot be held to one.
    """
    return {"why": "So it stands.", "label": "ANSWER_CORRECTLY", "answer": ""}


def field(prompt: str, name: str) -> str:
    """Return the value of a line `NAME: value` of a prompt."""
    found = re.search(rf"^{name}: (.*)$", prompt, re.MULTILINE)
    assert found, name
    return found[1]


def write_well(prompt: str) -> dict[str, Any]:
    """Return a draft that keeps to the plan's form: it changes what the target names."""
    query, passages = part(prompt, "QUESTION"), part(prompt, "PASSAGES")
    answers = part(prompt, "ANSWERS").split("\n")
    target = field(prompt, "Target")
    may_change_query = target.startswith("Change the question")
    judged = "in everyone's opinion, " if "P-Epistemic" in field(prompt, "Class") else ""
    draft: dict[str, Any] = {"lever": field(prompt, "Lever"), "reasoning": "As planned."}
    own = _own_words(prompt)
    opening = f"In what follows of {own}, {judged}"
    lever = field(prompt, "Lever")
    draft["perturbed_query"] = asked_with(lever, opening, query) if may_change_query else query
    several = "PASSAGES THAT BEAR ON THE QUESTION" in prompt
    texts = {1: passages}
    if several:
        numbered = re.findall(r"^\[(\d+)\] (.*?)(?=\n\n\[|\Z)", passages, re.MULTILINE | re.DOTALL)
        texts = {int(number): text for number, text in numbered}
    removed = Asked(query, tuple(answers), tuple(texts.values())) if _removes_answer(prompt) else None
    noted = f"{own}: {query}"
    if field(prompt, "Class").startswith("P-MissingInfo") and "must stay right" in prompt:
        noted = own.split()[0]  # a detail goes, and next to nothing comes
    new = {}
    for k in _chosen(prompt, target, several):
        text = "" if Mark.NO_NAME_OF_QUESTION in marks_of(lever) else taken_out(lever, texts[k], answers)
        new[k] = changed(text, noted if text else f"{own} " * (len(texts[k]) // 120 + 1), removed) + told_with(lever)
        if field(prompt, "Class").startswith(("P-Ambiguity", "P-Contradiction")) and "must stay right" not in prompt:
            new[k] += " It was 9,999,777 in 1743."
    if "`applicable`" in prompt:
        return draft | _in_edits(prompt, texts, new, several)
    if several:
        return draft | {"edits": [{"passage": k, "text": text} for k, text in new.items()]}
    return draft | {"perturbed_context": new.get(1, passages)}


def _chosen(prompt: str, target: str, several: bool) -> list[int]:
    if target.startswith("Change the question only"):
        return []
    numbers = re.search(r"numbers: ([\d, ]+)", target)
    if not several or not numbers:
        return [1]
    chosen = [int(number) for number in numbers[1].split(", ")]
    return chosen[:1] if "exactly one passage" in target else chosen


def changed(text: str, query: str, removed: Asked | None) -> str:
    """Return a changed passage that speaks of the question; without the sentences that give an answer, if asked for."""
    if removed:
        text = " ".join(said for said in sentences(text) if not removed.given_in([said]))
    # as a statement: no passage may hold the question itself
    noted = f"{text} So it was noted on: {query.rstrip().rstrip('?')}"
    return noted if noted.endswith(".") else f"{noted}."


def _own_words(prompt: str) -> str:
    """Return fourteen words of this lever in this cell: items with different labels are no near-duplicates."""
    digest = hashlib.sha256("|".join(field(prompt, name) for name in ("Class", "Intensity", "Lever")).encode()).digest()
    words = [
        "amber",
        "basalt",
        "cedar",
        "delta",
        "ember",
        "fjord",
        "grove",
        "heron",
        "iris",
        "juniper",
        "kelp",
        "linden",
        "maple",
        "nettle",
        "otter",
        "poplar",
    ]
    return " ".join(words[byte % len(words)] for byte in digest[:14])


def _removes_answer(prompt: str) -> bool:
    return field(prompt, "Class").startswith("P-MissingInfo") and "must stay right" not in prompt


def _in_edits(prompt: str, texts: dict[int, str], new: dict[int, str], several: bool) -> dict[str, Any]:
    found = {k: smallest_edit(texts[k], text) for k, text in new.items()}
    edits = [({"passage": k} if several else {}) | edit for k, edit in found.items()]
    return {"edits": edits, "evidence": evidence(prompt, texts, texts | new)}


def smallest_edit(old: str, new: str) -> dict[str, str]:
    """Return the one edit that makes a text of another, as short as it can be found in it once."""
    most = min(len(old), len(new))
    start = next((k for k in range(most) if old[k] != new[k]), most)
    end = next((k for k in range(most - start) if old[-1 - k] != new[-1 - k]), most - start)
    stop = len(old) - end
    while old.count(old[start:stop]) != 1 or start == stop:
        start, stop = max(0, start - 1), min(len(old), stop + 1)
        end = len(old) - stop
    return {"find": old[start:stop], "replace": new[start : len(new) - end]}


def evidence(prompt: str, old: dict[int, str], new: dict[int, str]) -> dict[str, Any]:
    """Return evidence of the class that a prompt plans, with quotes of the texts."""
    answers = [answer for answer in part(prompt, "ANSWERS").split("\n") if answer]
    quote = next((_around(text, answer) for answer in answers for text in new.values() if answer in text), "")
    quote = quote or min(new.values(), key=len)[:60]
    spans = [_around(text, one, 0) for one in answers for k, text in old.items() if one in text and one not in new[k]]
    name = field(prompt, "Class").split()[0]
    if field(prompt, "Intensity").startswith("LOW"):
        return {"premise": "That it is so.", "answered_by": quote} if name == "P-FalsePremise" else {"support": quote}
    readings = [{"reading": f"The {k}.", "answer": k, "quote": quote} for k in (answers[0], "someone else")]
    claims = [
        {"quote": quote, "value": answers[0]},
        {"quote": max(new.values(), key=len)[-25:].strip(), "value": "someone"},
    ]
    made: dict[str, dict[str, Any]] = {
        "P-Ambiguity": {"readings": readings},
        "P-Contradiction": {"claims": claims},
        "P-MissingInfo": {"removed": spans or [next(iter(old.values()))]},
        "P-FalsePremise": {"premise": "That it is so.", "contradicted_by": quote},
        "P-GranularityMismatch": {"asked_level": "one", "given_level": "all", "quote": quote},
        "P-EpistemicMismatch": {"operator": "In what", "criterion_missing": "A norm."},
    }
    return made[name]


def _around(text: str, span: str, more: int = 20) -> str:
    at = text.index(span)
    return text[max(0, at - more) : at + len(span) + more].strip()


def add(draft: dict[str, Any], text: str) -> dict[str, Any]:
    """Return a draft with a text added to the passages that it changes; to its question if it changes none."""
    if draft.get("edits"):
        name = "text" if "text" in draft["edits"][0] else "replace"
        return draft | {"edits": [edit | {name: edit[name] + text} for edit in draft["edits"]]}
    if "perturbed_context" in draft:
        return draft | {"perturbed_context": draft["perturbed_context"] + text}
    return draft | {"perturbed_query": f"{text} {draft['perturbed_query']}".strip()}


def verdict(passed: bool = True, **changes: Any) -> dict[str, Any]:
    """Return a verifier's verdict."""
    criteria = ("lever_fidelity", "intensity", "target", "uncertainty", "quality", "answer_constraint", "behaviour")
    made: dict[str, Any] = {"own_reading": "I would refuse."} | dict.fromkeys(criteria, True)
    made |= {"issues": [] if passed else ["It is too easy."], "verdict": "PASS" if passed else "FAIL"}
    if not passed:
        made["quality"] = False
    return made | changes

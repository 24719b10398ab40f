"""Scripted models for the walk-through without a key: rules and a table play every
part.

No model is behind them.

`python -m examples.scripted_models --port 8377` serves them under an OpenAI-compatible
address, whatever model a request names. What they give is good for a look at the way,
and says nothing about any system.
"""

import argparse
import json
import re
import time
from pathlib import Path
from typing import Any

from refusalbench_tasks.generators.kit.panel import PREFLIGHT
from refusalbench_tasks.judging.grader_check import known_replies
from refusalbench_tasks.own.questions.chunk_text import matter, span_of
from refusalbench_tasks.replies.sentences import sentences
from tests.generators.panel import is_check, is_reading, is_writing, read_well, scripted
from tests.models import part
from tests.provider.call import Call
from tests.provider.reply import Reply
from tests.provider.server import Server

TABLE: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "scripted_questions.json").read_text("utf-8")
)
"""Questions about the invented company: those that its documents answer, with the
answers, and others.
"""
ANSWERS = {one["question"]: one["answer"] for one in TABLE}
SUPPORTS = {one["question"]: one["support"] for one in TABLE}
KNOWN = {known.item.query: known.item for known in known_replies()}
"""The rows by whose questions a run checks its readers."""
SHARE = 0.45
"""The share of a question's words from which on the assistant's model believes that a
sentence answers it.
"""
ASKING = matter(
    "what when where which does many much long have from with that this there"
)
"""Words that ask, and say nothing of what is asked about."""
CANNOT = "I'm sorry, I cannot find that in the documents."


def said(call: Call) -> Reply:
    """Return the reply to a request, by what its prompt asks for."""
    text = call.text
    if text == PREFLIGHT:
        return Reply(arguments={"ready": True})
    if text.startswith("You are the assistant of a firm"):
        return Reply(assistant(text))
    if text.startswith("You write questions for a test"):
        return Reply(arguments={"questions": questions(part(text, "PASSAGE"), text)})
    if text.startswith("Below stand a question, its answer"):
        return Reply(
            arguments={"why": "As it stands.", "standalone": True, "another": []}
        )
    if text.startswith("You sort replies"):
        return Reply(arguments=judge(text))
    if is_writing(text) or is_check(text):
        made = scripted(text)
        return Reply(arguments=made if isinstance(made, dict) else {})
    if is_reading(text):
        return Reply(arguments=reader(text))
    return Reply(CANNOT)


def assistant(prompt: str) -> str:
    """Return the sentence of the passages that shares the most words with the question,
    or that none does.
    """
    _, _, rest = prompt.partition("PASSAGES\n\n")
    passages, _, question = rest.rpartition("\n\nQUESTION\n\n")
    asked = matter(question) - ASKING
    told = [
        one
        for block in passages.split("\n\n")
        for one in sentences(block)
        if not one.strip().endswith("?")
    ]
    best = max(told, key=lambda one: len(asked & matter(one)), default="")
    enough = asked and len(asked & matter(best)) >= SHARE * len(asked)
    return " ".join(best.split()) if enough else CANNOT


def questions(passage: str, prompt: str) -> list[dict[str, Any]]:
    """Return the questions of the table that stand at a passage and are of a kind that
    a prompt asks for.
    """
    wanted = [
        one
        for one in TABLE
        if f"of the kind {one['kind']}" in prompt or one["kind"] == "answerable"
    ]
    fields = ("kind", "question", "answer", "support")
    return [
        {"aliases": one.get("aliases", [])} | {name: one[name] for name in fields}
        for one in wanted
        if span_of(passage, one.get("beside", one["support"]))
    ]


def reader(prompt: str) -> dict[str, Any]:
    """Return the table's answer where the passage still says it; of what is not in the
    table what is right for it.
    """
    asked = part(prompt, "QUESTION")
    passages = part(prompt, "PASSAGES")
    if asked in KNOWN:
        known = KNOWN[asked]
        answer = known.answers[0] if known.answerable else ""
        return _reading(known.expected.value, answer)
    if asked not in ANSWERS or (
        ANSWERS[asked] and not span_of(passages, SUPPORTS[asked])
    ):
        return read_well(prompt)
    label = "ANSWER_CORRECTLY" if ANSWERS[asked] else "REFUSE_INFO_MISSING_IN_CONTEXT"
    return _reading(label, ANSWERS[asked])


def _reading(label: str, answer: str) -> dict[str, Any]:
    return {"why": "So it stands.", "label": label, "answer": answer, "quotes": []}


def judge(prompt: str) -> dict[str, Any]:
    """Return whether a reply declines, by its words, and a grade by whether it holds a
    reference.
    """
    reply = part(prompt, "REPLY")
    if re.search(r"\b(cannot|can't|could not) (find|answer|say)\b", reply):
        return {"explanation": "It declines.", "label": "REFUSAL"}
    made: dict[str, Any] = {"explanation": "It answers.", "label": "ANSWER_ATTEMPT"}
    if "BEGIN REFERENCES" in prompt:
        references = [one for one in part(prompt, "REFERENCES").split("\n") if one]
        made["grade"] = 5 if any(_holds(reply, one) for one in references) else 2
    return made


def _holds(reply: str, reference: str) -> bool:
    words = matter(reference)
    return span_of(reply, reference) is not None or (
        len(words) > 4 and words <= matter(reply)
    )


def main() -> None:
    """Serve until Ctrl-C."""
    parser = argparse.ArgumentParser(
        description="Scripted models behind an OpenAI-compatible address."
    )
    parser.add_argument("--port", type=int, default=8377)
    with Server(said, port=parser.parse_args().port) as server:
        print(
            f"scripted models, no real ones, on {server.openai_url}; stop with Ctrl-C."
            " In another terminal:"
        )
        print(f"  export OPENAI_API_KEY=none OPENAI_BASE_URL={server.openai_url}")
        try:
            while True:
                time.sleep(3600)
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()

"""Scripted models for the walk-through without a key: rules and a table play every part. No model is behind them.

`python -m examples.scripted_models --port 8377` serves them under an OpenAI-compatible address, whatever model a
request names. What they give is good for a look at the way, and says nothing about any system.
"""

import argparse
import json
import re
import time
from pathlib import Path
from typing import Any

from refusalbench_tasks.generators.kit.breaker import PREFLIGHT
from refusalbench_tasks.generators.kit.text.content_words import content_words
from refusalbench_tasks.own.questions.passage import span_of
from refusalbench_tasks.replies.sentences import sentences
from tests.generators.panel import is_reading, read_well, verdict, write_well
from tests.models import part
from tests.provider.call import Call
from tests.provider.reply import Reply
from tests.provider.server import Server

TABLE: list[dict[str, Any]] = json.loads((Path(__file__).parent / "scripted_questions.json").read_text("utf-8"))
"""Questions about the invented company, with their answers."""
ANSWERS = {one["question"]: one["answer"] for one in TABLE}
SHARE = 0.45
"""The share of a question's words from which on the assistant's model believes that a sentence answers it."""
CANNOT = "I'm sorry, I cannot find that in the documents."


def said(call: Call) -> Reply:
    """Return the reply to a request, by what its prompt asks for."""
    text = call.text
    if text == PREFLIGHT:
        return Reply(arguments={"ready": True})
    if text.startswith("You are the assistant of a firm"):
        return Reply(assistant(text))
    if text.startswith("You write questions for a test"):
        return Reply(arguments={"questions": questions(part(text, "PASSAGE"))})
    if text.startswith("Below stand a question and one passage"):
        return Reply(arguments=reader(part(text, "QUESTION"), part(text, "PASSAGE")))
    if text.startswith("You sort replies"):
        return Reply(arguments=judge(text))
    if text.startswith("You write test items"):
        return Reply(arguments=write_well(text))
    if text.startswith("You check test items"):
        return Reply(arguments=verdict())
    if is_reading(text):
        return Reply(arguments=read_well(text))
    return Reply(CANNOT)


def assistant(prompt: str) -> str:
    """Return the sentence of the passages that shares the most words with the question, or that none does."""
    _, _, rest = prompt.partition("PASSAGES\n\n")
    passages, _, question = rest.rpartition("\n\nQUESTION\n\n")
    asked = content_words(question)
    told = [one for block in passages.split("\n\n") for one in sentences(block) if not one.strip().endswith("?")]
    best = max(told, key=lambda one: len(asked & content_words(one)), default="")
    enough = asked and len(asked & content_words(best)) >= SHARE * len(asked)
    return " ".join(best.split()) if enough else CANNOT


def questions(passage: str) -> list[dict[str, Any]]:
    """Return the questions of the table whose support stands in a passage."""
    return [{"aliases": []} | one for one in TABLE if span_of(passage, one["support"])]


def reader(question: str, passage: str) -> dict[str, Any]:
    """Return the answer of the table, if it stands in the passage."""
    answer = ANSWERS.get(question, "")
    found = bool(answer) and span_of(passage, answer) is not None
    return {"why": "So it stands." if found else "It is not told.", "answered": found, "answer": answer * found}


def judge(prompt: str) -> dict[str, Any]:
    """Return whether a reply declines, by its words, and a grade by whether it holds a reference."""
    reply = part(prompt, "REPLY")
    if re.search(r"\b(cannot|can't|could not) (find|answer|say)\b", reply):
        return {"explanation": "It declines.", "label": "REFUSAL"}
    made: dict[str, Any] = {"explanation": "It answers.", "label": "ANSWER_ATTEMPT"}
    if "BEGIN REFERENCES" in prompt:
        references = [one for one in part(prompt, "REFERENCES").split("\n") if one]
        made["grade"] = 5 if any(_holds(reply, one) for one in references) else 2
    return made


def _holds(reply: str, reference: str) -> bool:
    words = content_words(reference)
    return span_of(reply, reference) is not None or (len(words) > 4 and words <= content_words(reply))


def main() -> None:
    """Serve until Ctrl-C."""
    parser = argparse.ArgumentParser(description="Scripted models behind an OpenAI-compatible address.")
    parser.add_argument("--port", type=int, default=8377)
    with Server(said, port=parser.parse_args().port) as server:
        print(f"scripted models, no real ones, on {server.openai_url}; stop with Ctrl-C. In another terminal:")
        print(f"  export OPENAI_API_KEY=none OPENAI_BASE_URL={server.openai_url}")
        try:
            while True:
                time.sleep(3600)
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()

"""Scripted writers and readers of questions: they answer by what the prompt says."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from inspect_ai import eval
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput, get_model

from refusalbench_tasks.generators.kit.panel import PREFLIGHT
from refusalbench_tasks.judging.grader_check import known_replies
from refusalbench_tasks.own.documents.corpus import load_corpus, write_corpus
from refusalbench_tasks.own.questions.question_scoring import (
    JudgedQuestion,
    NotedQuestions,
)
from refusalbench_tasks.own.questions.question_settings import SCORER
from refusalbench_tasks.tasks.question import question
from tests.models import Answer, metrics_of, output, part

WRITES = "You write questions for a test"
READS = "You are given a question and passages"
REVIEWS = "Below stand a question, its answer"


def ask(
    question: str,
    answer: str,
    support: str,
    aliases: Sequence[str] = (),
    kind: str = "answerable",
) -> dict[str, Any]:
    """Return a draft as a writer gives it."""
    return {
        "kind": kind,
        "question": question,
        "answer": answer,
        "support": support,
        "aliases": list(aliases),
    }


YARD = ask(
    "In which year was the Sula built at the Kessel yard?",
    "1998",
    "The Sula was built at the Kessel yard in 1998 and joined the fleet of Lannet"
    " Ferries in March 2004.",
)
CREW = ask(
    "How many passengers does the Sula carry?",
    "180",
    "She carries 180 passengers and a crew of five at a speed of 16 knots.",
    ("180 passengers",),
)
CAPTAIN = ask(
    "Who is the captain of the Morwen?",
    "Ines Falk",
    "Her captain is Ines Falk, who had been mate of the Sula for nine years.",
    ("Captain Falk",),
)
GOOD = {"Sula": [YARD, CREW], "Morwen": [CAPTAIN]}
"""Questions that pass the checks, by the last heading of their chunk in the bundled
corpus.
"""
GOLD = {
    str(one["question"]): str(one["answer"])
    for drafts in GOOD.values()
    for one in drafts
}
NEAR_MISS = ask(
    "In which year was the Tilda built at the Kessel yard?",
    "",
    YARD["support"],
    kind="near miss",
)
DETAIL = ask(
    "What is the name of the engineer of the Sula?",
    "",
    CREW["support"],
    kind="missing detail",
)
PREMISE = ask(
    "Why was the Sula sold to the navy?", "", YARD["support"], kind="false premise"
)
ELSEWHERE = ask(
    "What does a cinema ticket cost in Varn?", "", "", kind="plainly outside"
)
OUTSIDE = [NEAR_MISS, DETAIL, PREMISE, ELSEWHERE]
"""Questions of the chunk on the Sula that nothing answers."""


def model(name: str, answer: Callable[[str], Answer]) -> Model:
    """Return a model called `mockllm/NAME` that answers the last user message by a
    function, and is ready for it.
    """

    def reply(
        messages: list[ChatMessage],
        tools: Any,
        tool_choice: Any,
        config: GenerateConfig,
    ) -> ModelOutput:
        prompt = messages[-1].text
        answered = (
            {"ready": True}
            if prompt == PREFLIGHT
            else right_reading(prompt) or answer(prompt)
        )
        return output(
            answered, model=f"mockllm/{name}", tool=tools[0].name if tools else ""
        )

    return get_model(f"mockllm/{name}", custom_outputs=reply, memoize=False)


def right_reading(prompt: str) -> dict[str, Any] | None:
    """Return the right answer to a known question of the check at the start; None for
    any other prompt.
    """
    if not prompt.startswith(READS):
        return None
    answers = {
        known.item.query: "" if known.refuses else known.item.answers[0]
        for known in known_replies()
    }
    question = part(prompt, "QUESTION")
    return said(answers[question]) if question in answers else None


def heading(prompt: str) -> str:
    """Return the last heading of the chunk that a prompt shows."""
    return part(prompt, "TITLE AND HEADINGS").rpartition(" > ")[2]


def write_well(prompt: str) -> dict[str, Any]:
    """Return the good questions of the chunk that a prompt shows, of the kinds that it
    asks for; none for any other.
    """
    about = heading(prompt)
    wanted = [
        one
        for one in OUTSIDE
        if about == "Sula" and f"of the kind {one['kind']}" in prompt
    ]
    return {"questions": [*GOOD.get(about, []), *wanted]}


def said(answer: str) -> dict[str, Any]:
    """Return a reader's answer; an empty one is a refusal."""
    label = "ANSWER_CORRECTLY" if answer else "REFUSE_INFO_MISSING_IN_CONTEXT"
    return {"why": "So it stands.", "label": label, "answer": answer, "quotes": []}


def read_well(prompt: str) -> dict[str, Any]:
    """Return what a reader says that finds every answer in its passages, and no rival
    in others.
    """
    if prompt.startswith(REVIEWS):
        return rivals()(prompt)
    known = right_reading(prompt)
    if known is not None:
        return known
    answer = GOLD.get(part(prompt, "QUESTION"), "")
    return said(answer if answer in part(prompt, "PASSAGES") else "")


def rivals(*headings: str, standalone: bool = True) -> Callable[[str], dict[str, Any]]:
    """Return a reader's function to which passages under some headings answer
    otherwise, and that reads well.
    """

    def read(prompt: str) -> dict[str, Any]:
        if not prompt.startswith(REVIEWS):
            return read_well(prompt)
        shown = range(1, prompt.count("BEGIN PASSAGE ") + 1)
        named = {
            k: part(prompt, f"TITLE AND HEADINGS {k}").rpartition(" > ")[2]
            for k in shown
        }
        return {
            "why": "",
            "standalone": standalone,
            "another": [k for k, name in named.items() if name in headings],
        }

    return read


def writer(answer: Callable[[str], Answer] = write_well) -> Model:
    """Return a writer."""
    return model("w", answer)


def reader(name: str = "r", answer: Callable[[str], Answer] = read_well) -> Model:
    """Return a reader."""
    return model(name, answer)


def run(
    written_by: Model, read_by: Sequence[Model], logs: str = "logs", **task: Any
) -> EvalLog:
    """Run `question` on one document of the bundled corpus, or on what is given; nobody
    looks for other answers.
    """
    options = {
        key: task.pop(key)
        for key in ("fail_on_error", "max_samples", "limit")
        if key in task
    }
    settings: dict[str, Any] = {"corpus": fleet(), "cache": False, "rivals": 0} | task
    roles: Any = {"reader": list(read_by)}
    (log,) = eval(
        question(**settings),
        model=written_by,
        model_roles=roles,
        log_dir=logs,
        display="none",
        **options,
    )
    return log


def fleet() -> str:
    """Write the three chunks of one bundled document to a file in the current folder,
    and return its path.
    """
    path = Path(
        "fleet.jsonl"
    ).resolve()  # whole, because a retried run need not start in the same folder
    write_corpus(
        path, [chunk for chunk in load_corpus("sample") if chunk.source == "fleet.md"]
    )
    return str(path)


def metrics(log: EvalLog) -> dict[str, float]:
    """Return the metrics of a run that ended well."""
    return metrics_of(log, SCORER)


def chunk_of(name: str) -> Any:
    """Return the chunk of the bundled corpus whose last heading has a name."""
    return next(chunk for chunk in load_corpus("sample") if chunk.headings[-1] == name)


def outcomes(log: EvalLog) -> list[JudgedQuestion]:
    found = [(s.scores or {})[SCORER].metadata for s in log.samples or [] if s.scores]
    return [
        one for about in found for one in NotedQuestions.model_validate(about).questions
    ]


def reasons(log: EvalLog) -> dict[str, tuple[bool | None, str | None]]:
    return {one.text: (one.accepted, one.reason) for one in outcomes(log)}

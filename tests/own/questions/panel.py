"""Scripted writers and readers of questions: they answer by what the prompt says."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from inspect_ai import eval
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput, get_model

from refusalbench_tasks.generators.kit.breaker import PREFLIGHT
from refusalbench_tasks.own.documents.corpus import load_corpus, write_corpus
from refusalbench_tasks.own.questions.outcome import NotedQuestions, Outcome
from refusalbench_tasks.own.questions.question_scorer import SCORER
from refusalbench_tasks.tasks.question import question
from tests.models import Answer, metrics_of, output, part

WRITES, REPAIRS = "You write questions for a test", "Your questions were checked by rules"
READS, RECALLS, MARKS = (
    "Below stand a question and one",
    "Below stands a question, and no",
    "Below stand a question, its",
)


def ask(question: str, answer: str, support: str, aliases: Sequence[str] = (), kind: str = "which") -> dict[str, Any]:
    """Return a draft as a writer gives it."""
    return {"question": question, "answer": answer, "support": support, "aliases": list(aliases), "kind": kind}


YARD = ask(
    "In which year was the Sula built at the Kessel yard?",
    "1998",
    "The Sula was built at the Kessel yard in 1998 and joined the fleet of Lannet Ferries in March 2004.",
    kind="when",
)
CREW = ask(
    "How many passengers does the Sula carry?",
    "180",
    "She carries 180 passengers and a crew of five at a speed of 16 knots.",
    ("180 passengers",),
    "how many",
)
CAPTAIN = ask(
    "Who is the captain of the Morwen?",
    "Ines Falk",
    "Her captain is Ines Falk, who had been mate of the Sula for nine years.",
    ("Captain Falk",),
    "who",
)
GOOD = {"Sula": [YARD, CREW], "Morwen": [CAPTAIN]}
"""Questions that keep the rules, by the last heading of their chunk in the bundled corpus."""
GOLD = {str(one["question"]): str(one["answer"]) for drafts in GOOD.values() for one in drafts}


def model(name: str, answer: Callable[[str], Answer]) -> Model:
    """Return a model called `mockllm/NAME` that answers the last user message by a function, and is ready for it."""

    def reply(messages: list[ChatMessage], tools: Any, tool_choice: Any, config: GenerateConfig) -> ModelOutput:
        prompt = messages[-1].text
        said = {"ready": True} if prompt == PREFLIGHT else answer(prompt)
        return output(said, model=f"mockllm/{name}", tool=tools[0].name if tools else "")

    return get_model(f"mockllm/{name}", custom_outputs=reply, memoize=False)


def heading(prompt: str) -> str:
    """Return the last heading of the chunk that a prompt shows."""
    return part(prompt, "TITLE AND HEADINGS").rpartition(" > ")[2]


def write_well(prompt: str) -> dict[str, Any]:
    """Return the good questions of the chunk that a prompt shows; none for any other."""
    return {"questions": GOOD.get(heading(prompt), [])}


def said(answer: str) -> dict[str, Any]:
    """Return a reader's answer; an empty one is none."""
    return {"why": "So it stands.", "answered": bool(answer), "answer": answer}


def read_well(prompt: str) -> dict[str, Any]:
    """Return what a reader says that finds every answer in its passage, knows nothing else, and sees no rival."""
    if prompt.startswith(MARKS):
        return {"marks": [{"passage": number, "mark": "none"} for number in range(1, passages(prompt) + 1)]}
    if prompt.startswith(RECALLS):
        return said("")
    asked = part(prompt, "QUESTION")
    answer = GOLD.get(asked, "")
    return said(answer if answer in part(prompt, "PASSAGE") else "")


def passages(prompt: str) -> int:
    """Return how many numbered passages a prompt shows."""
    return prompt.count("BEGIN PASSAGE ")


def writer(answer: Callable[[str], Answer] = write_well) -> Model:
    """Return a writer."""
    return model("w", answer)


def reader(name: str = "r", answer: Callable[[str], Answer] = read_well) -> Model:
    """Return a reader."""
    return model(name, answer)


def run(written_by: Model, read_by: Sequence[Model], logs: str = "logs", **task: Any) -> EvalLog:
    """Run `question` on one document of the bundled corpus, on all of it for ten passages, or on what is given."""
    options = {key: task.pop(key) for key in ("fail_on_error", "max_samples", "limit") if key in task}
    corpus = "sample" if task.get("passages") == 10 else fleet()
    settings: dict[str, Any] = {"corpus": corpus, "cache": False} | task
    roles: Any = {"reader": list(read_by)}
    (log,) = eval(question(**settings), model=written_by, model_roles=roles, log_dir=logs, display="none", **options)
    return log


def fleet() -> str:
    """Write the three chunks of one bundled document to a file in the current folder, and return its path."""
    path = Path("fleet.jsonl").resolve()  # whole, because a retried run need not start in the same folder
    write_corpus(path, [chunk for chunk in load_corpus("sample") if chunk.source == "fleet.md"])
    return str(path)


def metrics(log: EvalLog) -> dict[str, float]:
    """Return the metrics of a run that ended well."""
    return metrics_of(log, SCORER)


def chunk_of(name: str) -> Any:
    """Return the chunk of the bundled corpus whose last heading has a name."""
    return next(chunk for chunk in load_corpus("sample") if chunk.headings[-1] == name)


def outcomes(log: EvalLog) -> list[Outcome]:
    found = [(s.scores or {})[SCORER].metadata for s in log.samples or [] if s.scores]
    return [one for about in found for one in NotedQuestions.model_validate(about).questions]


def reasons(log: EvalLog) -> dict[str, tuple[bool | None, str | None]]:
    return {one.text: (one.accepted, one.reason) for one in outcomes(log)}

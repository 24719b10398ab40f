"""Scripted writers and readers of records on locks: they answer by what the prompt
says.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import yaml
from inspect_ai import eval
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput, get_model
from inspect_ai.tool import ToolInfo

from refusalbench_tasks.collect.record import NotedRecord
from refusalbench_tasks.collect.settings import SCORER
from refusalbench_tasks.generators.kit.panel import PREFLIGHT
from refusalbench_tasks.tasks.collect import collect
from tests.collect.pages import TRUST, Lock
from tests.models import Answer, metrics_of, output, part

LISTS = "You plan a data set"
ASKS = "You write a question for a test"
READS = "Below stand a question and numbered sources"
_WEIGHT = re.compile(r"[\d,]+ tonnes")


def queries(prompt: str) -> dict[str, Any]:
    """Return two queries about the lock that is the field."""
    name = part(prompt, "FIELD")
    return {
        "queries": [
            f"heaviest barge that the {name} takes",
            f"{name} gates visitors and their engineers",
        ]
    }


def question(prompt: str) -> dict[str, Any]:
    """Return the question on the weight, as the passage gives it."""
    passage = " ".join(part(prompt, "PASSAGE").split())
    found = _WEIGHT.search(passage)
    assert found
    support = next(one for one in re.split(r"(?<=\.) ", passage) if found[0] in one)
    name = re.search(r"[A-Z]\w+ lock", passage)
    assert name
    return {
        "question": f"What is the greatest weight of a barge that the {name[0]} takes?",
        "answer": found[0],
        "support": support,
        "aliases": [],
        "neighbour_query": "meadow grass hay herbs and wild bees",
    }


def write(prompt: str) -> dict[str, Any]:
    """Return what a good writer gives for any prompt of web sources."""
    return queries(prompt) if prompt.startswith(LISTS) else question(prompt)


def sources_of(prompt: str) -> list[str]:
    """Return the sources that a reader is shown."""
    return [
        part(prompt, f"SOURCE {n}")
        for n in range(1, prompt.count("\nBEGIN SOURCE ") + 1)
    ]


def read(prompt: str) -> dict[str, Any]:
    """Return what a reader says that goes by three sources or more which agree, and by
    no fewer.
    """
    given: dict[str, list[int]] = {}
    for number, text in enumerate(sources_of(prompt), 1):
        for weight in _WEIGHT.findall(text):
            given.setdefault(weight, []).append(number)
    agreed = Counter(
        {weight: len(places) for weight, places in given.items()}
    ).most_common(1)
    if agreed and agreed[0][1] >= 3:
        weight = agreed[0][0]
        return said("answer", weight, given[weight])
    return said(
        "conflict" if len(given) > 1 else "missing",
        "",
        [n for places in given.values() for n in places],
    )


def said(verdict: str, answer: str = "", used: Sequence[int] = ()) -> dict[str, Any]:
    """Return a reader's verdict."""
    return {
        "why": "So it stands.",
        "verdict": verdict,
        "answer": answer,
        "used": list(used),
    }


def model(name: str, answer: Callable[[str], Answer]) -> Model:
    """Return a model called `mockllm/NAME` that answers the last user message by a
    function, and is ready for it.
    """

    def reply(
        messages: list[ChatMessage],
        tools: list[ToolInfo],
        choice: Any,
        config: GenerateConfig,
    ) -> ModelOutput:
        text = messages[-1].text
        name = tools[0].name
        return output({"ready": True} if text == PREFLIGHT else answer(text), tool=name)

    return get_model(f"mockllm/{name}", custom_outputs=reply, memoize=False)


def writer(answer: Callable[[str], Answer] = write) -> Model:
    return model("w", answer)


def reader(name: str = "r", answer: Callable[[str], Answer] = read) -> Model:
    return model(name, answer)


def set_up(locks: int = 3) -> dict[str, Any]:
    """Write topics and a trust list to the current folder, and return the arguments
    that name them.
    """
    names = [Lock(number).name for number in range(locks)]
    Path("topics.yaml").write_text(yaml.safe_dump({"topics": {"locks": names}}))
    Path("trust.yaml").write_text(TRUST)
    # whole paths: a retried run need not start in the same folder
    topics, trust, archive = (
        str(Path(name).resolve()) for name in ("topics.yaml", "trust.yaml", "archive")
    )
    return {
        "topics": topics,
        "trust": f"bundled,{trust}",
        "archive": archive,
        "n": locks,
        "delay": 0.0,
    }


def run(
    search: str,
    written_by: Model | None = None,
    read_by: Sequence[Model] = (),
    logs: str = "logs",
    searcher: Model | None = None,
    **task: Any,
) -> EvalLog:
    """Run `collect` on a few locks, one record each, or with what is given."""
    settings: dict[str, Any] = (
        {"search": search, "cache": False} | set_up(task.pop("locks", 3)) | task
    )
    roles: Any = {"verifier": list(read_by) or [reader("a"), reader("b"), reader("c")]}
    roles |= {"searcher": searcher} if searcher else {}
    model_ = written_by or writer()
    (log,) = eval(
        collect(**settings),
        model=model_,
        model_roles=roles,
        log_dir=logs,
        display="none",
    )
    return log


def metrics(log: EvalLog) -> dict[str, float]:
    """Return the metrics of a run that ended well."""
    return metrics_of(log, SCORER)


def noted(log: EvalLog) -> list[NotedRecord]:
    """Return what a run noted of its records when they were last scored."""
    scored = (list(one.scores.values())[-1] for one in log.samples or [] if one.scores)
    return [NotedRecord.model_validate(one.metadata) for one in scored]

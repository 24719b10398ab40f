"""The texts of samples, read from a log without the events that are most of it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from inspect_ai.log import read_eval_log_samples
from pydantic_core import from_json

from refusalbench_tasks.files.archive import members
from refusalbench_tasks.files.log_members import check_members, local_path
from refusalbench_tasks.logs.run import Key

_EVENTS = b'"events":'
"""What comes after the fields that are read, in a sample as Inspect writes it."""


@dataclass(frozen=True)
class SampleText:
    """What was asked, with the passages and what is right, and what was replied, with the words of who decided."""

    question: str
    passages: tuple[str, ...]
    gold: str
    reply: str
    words: str
    source: str
    control: bool


def read_texts(name: str) -> dict[Key, SampleText]:
    """Return the texts of the samples of a log; those that can't be read are left out."""
    # a log that was read before may be gone by now, and a page without texts is still a page
    try:
        check_members(name)
        return {(str(one["id"]), int(one["epoch"])): _text(one) for one in _samples(name)}
    except Exception:
        return {}


def _samples(name: str) -> Iterator[Mapping[str, Any]]:
    path = local_path(name)
    if path.suffix != ".eval" or not path.is_file():
        yield from (sample.model_dump() for sample in read_eval_log_samples(name, all_samples_required=False))
        return
    with path.open("rb") as file:
        for member in members(path):
            if member.name.startswith(b"samples/") and member.name.endswith(b".json"):
                yield _without_events(member.read(file))


def _without_events(raw: bytes) -> Mapping[str, Any]:
    """Return a sample's fields up to its events; all of it where these are not behind the fields that are needed."""
    sample = from_json(raw[: end if (end := raw.find(_EVENTS)) >= 0 else len(raw)], allow_partial=True)
    if not {"id", "epoch", "output", "scores", "metadata"} <= set(sample):
        sample = from_json(raw)
    whole: Mapping[str, Any] = sample
    return whole


def _text(sample: Mapping[str, Any]) -> SampleText:
    facts, scores = sample.get("metadata") or {}, sample.get("scores") or {}
    passages = facts.get("passages") or [_source(one) for one in facts.get("sources") or ()]
    gold = [*(facts.get("answers") or ()), facts.get("reference") or "", facts.get("answer") or ""]
    last: Mapping[str, Any] = next(reversed(list(scores.values())), {})
    return SampleText(
        question=str(facts.get("query") or ""),
        passages=tuple(map(str, passages)),
        gold=" | ".join(str(one) for one in gold if one),
        reply=str((sample.get("output") or {}).get("completion") or ""),
        words=str(last.get("explanation") or ""),
        source=str(facts.get("source_id") or ""),
        control=bool(facts.get("control")),
    )


def _source(source: Any) -> str:
    if not isinstance(source, Mapping):
        return str(source)
    return "\n".join(str(source[key]) for key in ("title", "text") if source.get(key))

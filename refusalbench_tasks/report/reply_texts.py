"""The texts of samples, read from a log without the events that are most of it."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from pydantic_core import from_json

from refusalbench_tasks.files.archive import Member, entries, newest_members
from refusalbench_tasks.files.log_members import check_members, local_path, read_samples
from refusalbench_tasks.files.narrow_json import Members, Parse, narrow_parser
from refusalbench_tasks.results.logs.run import Key

_EVENTS = b'"events":'
"""What comes after the fields that are read, in a sample as Inspect writes it."""
_FACTS = ("query", "passages", "sources", "answers", "reference", "answer", "source_id", "control")
_READ: Members = {
    "id": None,
    "epoch": None,
    "output": {"completion": None},
    "scores": None,
    "metadata": dict.fromkeys(_FACTS),
}
_NEEDED = frozenset(_READ)


@dataclass(frozen=True)
class SampleText:
    """What was asked, with the passages and what is right, and what was replied, with the words of who decided."""

    reply: str
    words: str
    question: str = ""
    passages: tuple[str, ...] = ()
    gold: str = ""
    source: str = ""
    control: bool = False


def texts_of(names: Iterable[str], most: int | None = None) -> dict[str, dict[Key, SampleText]]:
    """Return the texts of logs over the same rows, by log, sample and epoch; of each at most so many samples.

    What was asked is in the first log that has the sample, and is blank in the others. What can't be read is left out.
    """
    asked: set[Key] = set()
    found = {}
    for name in names:
        found[name] = read_texts(name, asked, most)
        asked |= found[name].keys()
    return found


def read_texts(name: str, asked: Collection[Key] = (), most: int | None = None) -> dict[Key, SampleText]:
    """Return the texts of the samples of a log, or of `most` of them spread over it; those of `asked` without question.

    Those that can't be read are left out.
    """
    # a log that was read before may be gone by now, and a page without texts is still a page
    try:
        check_members(name)
        found = (((str(one["id"]), int(one["epoch"])), one) for one in _samples(name, most))
        return {key: _reply(one) if key in asked else _text(one) for key, one in found}
    except Exception:
        return {}


def read_chosen(name: str, keys: Collection[Key]) -> dict[Key, SampleText]:
    """Return the texts of those of the samples of a log, by id and epoch, that can be read."""
    path = local_path(name)
    found: dict[Key, SampleText] = {}
    if path.suffix == ".eval" and path.is_file():
        with suppress(Exception):
            check_members(name)
            names = {f"samples/{key}_epoch_{epoch}.json".encode(): (key, epoch) for key, epoch in keys}
            there = newest_members(path, names)
            with path.open("rb") as file:
                for member, key in names.items():
                    # one bad sample must not lose the others, and anything can be wrong with a file
                    with suppress(Exception):
                        found[key] = _text(_without_events(there[member].read(file)))
        return found
    return {key: _text(sample.model_dump()) for key, sample in read_samples(name, keys).items()}


def _samples(name: str, most: int | None) -> Iterator[Mapping[str, Any]]:
    path = local_path(name)
    if path.suffix != ".eval" or not path.is_file():
        from inspect_ai.log import read_eval_log_samples

        yield from (sample.model_dump() for sample in read_eval_log_samples(name, all_samples_required=False))
        return
    every = (one for one in entries(path) if one[0].startswith(b"samples/") and one[0].endswith(b".json"))
    there = [Member(*one) for one in every]
    # by their names, so that logs of the same rows give the same samples
    chosen = there if most is None else sorted(there, key=lambda one: one.name)[:: max(1, len(there) // most)]
    with path.open("rb") as file:
        for member in chosen:
            yield _without_events(member.read(file))


def _without_events(raw: bytes) -> Mapping[str, Any]:
    """Return the fields that are read of a sample, from what stands before its events.

    All of it where these are not behind the fields that are needed.
    """
    end = raw.find(_EVENTS)
    before = raw if end < 0 else raw[:end].rstrip().removesuffix(b",") + b"}"
    with suppress(ValueError):
        sample = _parser()(b"[" + before + b"]")[0]
        if set(sample) >= _NEEDED:
            found: Mapping[str, Any] = sample
            return found
    whole: Mapping[str, Any] = from_json(raw)
    return whole


@cache
def _parser() -> Parse:
    return narrow_parser(_READ)


def _text(sample: Mapping[str, Any]) -> SampleText:
    facts = sample.get("metadata") or {}
    passages = facts.get("passages") or [_source(one) for one in facts.get("sources") or ()]
    gold = [*(facts.get("answers") or ()), facts.get("reference") or "", facts.get("answer") or ""]
    return replace(
        _reply(sample),
        question=str(facts.get("query") or ""),
        passages=tuple(map(str, passages)),
        gold=" | ".join(str(one) for one in gold if one),
        source=str(facts.get("source_id") or ""),
        control=bool(facts.get("control")),
    )


def _reply(sample: Mapping[str, Any]) -> SampleText:
    last: Mapping[str, Any] = next(reversed(list((sample.get("scores") or {}).values())), {})
    reply, words = (sample.get("output") or {}).get("completion"), last.get("explanation")
    return SampleText(reply=str(reply or ""), words=str(words or ""))


def _source(source: Any) -> str:
    if not isinstance(source, Mapping):
        return str(source)
    return "\n".join(str(source[key]) for key in ("title", "text") if source.get(key))

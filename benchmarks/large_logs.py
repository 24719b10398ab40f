"""Logs of very many samples, written directly in Inspect's layout: those of a small run, again and again."""

import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Inspect's packing of members is known to Python's zipfile once this is imported
import inspect_ai.log

assert inspect_ai.log
_LEVEL = 1
"""Of packing: as fast as may be."""
ID, SOURCE = "@@id@@", "@@source@@"


@dataclass(frozen=True)
class Template:
    """A small run: its header, and each sample and summary as text with marks where its id and its base stand."""

    header: dict[str, Any]
    samples: tuple[str, ...]
    summaries: tuple[str, ...]
    bases: tuple[int, ...]
    """The number of the base question of each sample."""


Parts = Callable[[dict[str, Any]], dict[str, Any]]


def template_of(log: Path, small: Parts = lambda sample: sample) -> Template:
    """Return the template of a log that Inspect wrote. `small` may take fields off each sample."""
    with zipfile.ZipFile(log) as archive:
        header = json.loads(archive.read("header.json"))
        named = [name for name in archive.namelist() if name.startswith("samples/")]
        samples = sorted((json.loads(archive.read(name)) for name in named), key=_key)
        summaries = sorted(json.loads(archive.read("summaries.json")), key=_key)
    bases = sorted({_base(one) for one in samples})
    return Template(
        header,
        tuple(_marked(small(one), one) for one in samples),
        tuple(_marked(one, one) for one in summaries),
        tuple(bases.index(_base(one)) for one in samples),
    )


def write_large(
    path: Path, template: Template, rows: int, first: int = 0, change: Callable[[dict[str, Any]], None] | None = None
) -> None:
    """Write a log of so many samples; `first` is the number of its first one, so that shards do not overlap.

    `change` may change the header. Sample k is that of place k in the template, with an id of its own; the samples of
    one pass over the template share its bases.
    """
    header = json.loads(json.dumps(template.header))
    header["eval"]["dataset"] |= {"samples": rows, "sample_ids": [_name(k) for k in range(first, first + rows)]}
    header["results"] |= {"total_samples": rows, "completed_samples": rows}
    if change is not None:
        change(header)
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL) as archive:
        start = {name: header[name] for name in ("version", "eval", "plan")}
        archive.writestr("_journal/start.json", json.dumps(start))
        for k, text in _texts(template, template.samples, first, rows):
            archive.writestr(f"samples/{_name(k)}_epoch_1.json", text)
        summaries = _texts(template, template.summaries, first, rows)
        archive.writestr("summaries.json", b"".join(_array(text for _, text in summaries)))
        archive.writestr("reductions.json", b"[]")
        archive.writestr("header.json", json.dumps(header))


def _texts(template: Template, texts: tuple[str, ...], first: int, rows: int) -> Iterator[tuple[int, bytes]]:
    of_pass = len(texts)
    for k in range(first, first + rows):
        turn, place = divmod(k, of_pass)
        source = f"base-{turn}-{template.bases[place]}"
        yield k, texts[place].replace(ID, _name(k)).replace(SOURCE, source).encode()


def _array(texts: Iterator[bytes]) -> Iterator[bytes]:
    between = b"["
    for text in texts:
        yield between + text
        between = b","
    yield b"]"


def _marked(kept: dict[str, Any], sample: dict[str, Any]) -> str:
    text = json.dumps(kept, separators=(",", ":"))
    return text.replace(sample["id"], ID).replace(json.dumps(_base(sample)), json.dumps(SOURCE))


def _name(k: int) -> str:
    return f"row-{k:09d}"


def _base(sample: dict[str, Any]) -> str:
    return str(sample["metadata"]["source_id"])


def _key(sample: dict[str, Any]) -> tuple[str, int]:
    return sample["id"], sample["epoch"]

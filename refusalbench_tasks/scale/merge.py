"""One log out of the logs of a run's shards."""

import secrets
import tempfile
import zipfile
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import IO, Any

import numpy as np

# Inspect's packing of members is known to Python's zipfile once this is imported
from inspect_ai.log import EvalLog, EvalShardEntry, EvalShards
from inspect_ai.model import ModelUsage
from pydantic_core import from_json, to_json

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.files.archive import Member, entries, members
from refusalbench_tasks.files.json_stream import inner
from refusalbench_tasks.files.log_members import top_members
from refusalbench_tasks.results.logs.shard_paths import shards_folder
from refusalbench_tasks.results.logs.stored import many_objects, pieces_of
from refusalbench_tasks.scale.merged_metrics import MergedMetrics
from refusalbench_tasks.scale.shard_set import ShardLog, ShardSet
from refusalbench_tasks.scale.storage import exists, lay, local_copy, size_and_time, written
from refusalbench_tasks.scale.zip_join import ZipJoin

_PIECE = 1 << 20
_IDS = f"ids of all shards {secrets.token_hex(16)}"
"""Stands in a header for ids that are written from where they are: it is in no text that was written before."""
_OF_SHARD = {"shard", "of", "whole_rows", "whole_fingerprint"}


def merge(found: ShardSet, target: str | Path, progress: Callable[[int], object] = lambda _: None) -> EvalLog:
    """Write one log of all samples of the shards, and lay the shards beside it; return its header.

    `target` is NAME.eval, a path or a URL; the shards are linked (or copied) to NAME.shards/K/, as Inspect's viewer and
    `inspect ctl` expect. Samples are copied as they are packed; scores alone are unpacked, to compute the metrics anew
    over all of them. Files that are not on this machine are copied to it one at a time. `progress` is called with the
    number of samples of each shard that is done. The header that is returned is without ids. The log has its name once
    all of it is written. Raises DataError for a target that exists and for a damaged shard.
    """
    place = str(target)
    if exists(place):
        raise DataError(f"{place}: exists already; choose another name for the merged log")
    with written(place) as file:
        header = _write(found, file, place, progress)
        for log in found.shards:
            lay(log.name, f"{shards_folder(place)}/{log.shard}/{log.file}")
    return header


def _write(found: ShardSet, file: IO[bytes], target: str, progress: Callable[[int], object]) -> EvalLog:
    archive = ZipJoin(file)
    metrics = MergedMetrics(found.shards[0].header)
    numbers: list[int] = []
    # on disk, because a run has a summary for each sample
    with tempfile.TemporaryFile() as summaries:
        for log in found.shards:
            before = metrics.samples
            _copy_shard(log, archive, summaries, metrics)
            numbers.append(metrics.samples - before)
            progress(numbers[-1])
        header = _merged_header(found, numbers)
        metrics.compute(header)
        if header.results is not None:
            header.results.total_samples = sum(_total(log) for log in found.shards)
        header.location = target
        start = {"version": header.version, "eval": header.eval, "plan": header.plan}
        archive.write("_journal/start.json", _with_ids(found, _packed(start)))
        archive.write("summaries.json", _array(summaries))
        archive.write("reductions.json", [_packed(header.reductions or [])])
        whole = _packed(header, exclude={"samples", "reductions", "location", "etag"})
        archive.write("header.json", _with_ids(found, whole))
        archive.close()
    header.eval.dataset.sample_ids = None
    return header


def _with_ids(found: ShardSet, header: bytes) -> Iterator[bytes]:
    """Yield JSON of a header with the ids of all shards in the place of the mark, a shard at a time."""
    before, _, after = header.partition(to_json([_IDS]))
    yield before + b"["
    between = b""
    for log in found.shards:
        if len(log.ids):
            yield between + log.ids.json()[1:-1]
            between = b","
    yield b"]" + after


def _packed(value: Any, exclude: set[str] | None = None) -> bytes:
    return to_json(value, exclude=exclude, exclude_none=True, inf_nan_mode="constants", fallback=str)


def _copy_shard(log: ShardLog, archive: ZipJoin, summaries: IO[bytes], metrics: MergedMetrics) -> None:
    """Copy a shard's samples, note its summaries a line each, and give each sample to the metrics."""
    try:
        with local_copy(log.name) as path, path.open("rb") as raw, many_objects():
            for member in _samples(path):
                archive.copy(raw, member)
                metrics.add_stored(member.read(raw))
            _copy_summaries(path, raw, summaries)
    except (OSError, ValueError, KeyError, NotImplementedError, zipfile.BadZipFile) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"{log.name}: a sample cannot be read ({error}); run the shard again") from None


def _samples(path: Path) -> Iterator[Member]:
    """Yield the samples of a log; one that was written twice as it was written last."""
    hashes = array("q", (hash(entry[0]) for entry in entries(path)))
    if len(np.unique(np.frombuffer(hashes, np.int64))) == len(hashes):
        every: Iterable[Member] = members(path)
    else:
        every = {member.name: member for member in members(path)}.values()
    return (member for member in every if member.name.startswith(b"samples/"))


def _array(elements: IO[bytes]) -> Iterator[bytes]:
    """Yield elements of JSON with the commas between them as one JSON array."""
    elements.seek(0)
    yield b"["
    while piece := elements.read(_PIECE):
        yield piece
    yield b"]"


def _copy_summaries(path: Path, raw: IO[bytes], summaries: IO[bytes]) -> None:
    """Add the summaries of a log to the others, as they are written, with a comma between; the file is at its end."""
    found = top_members(str(path)).get(b"summaries.json")
    pieces = inner(pieces_of(found.open(raw))) if found is not None else (_packed(one) for one in _noted(path, raw))
    between = b"," if summaries.tell() else b""
    for piece in pieces:
        summaries.write(between + piece)
        between = b"" if found is not None else b","


def _noted(path: Path, raw: IO[bytes]) -> Iterator[Any]:
    """Yield the summaries that are in the journal of a log that was not finished."""
    parts = {one.name: one for one in members(path) if one.name.startswith(b"_journal/summaries/")}
    places = sorted(parts, key=lambda name: int(Path(name.decode()).stem))
    every = chain.from_iterable(from_json(parts[place].open(raw).read()) for place in places)
    yield from {(one["id"], one["epoch"]): one for one in every}.values()


def _merged_header(found: ShardSet, numbers: list[int]) -> EvalLog:
    """Return the header of the whole: the first shard's, without what says that it is one; a mark for its ids."""
    header = found.shards[0].header.model_copy(deep=True)
    spec, about = header.eval, dict(header.eval.metadata or {})
    ids = sum(len(log.ids) for log in found.shards)
    header.eval = spec.model_copy(
        update={
            "eval_id": _id(found, "eval"),
            "run_id": _id(found, "run"),
            "task_id": _id(found, "task"),
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "task_args": _without(spec.task_args),
            "task_args_passed": _without(spec.task_args_passed),
            "dataset": spec.dataset.model_copy(update={"samples": ids, "sample_ids": [_IDS]}),
            "metadata": _metadata(found, about, ids),
            "shards": EvalShards(
                selection="ids", ledger=[_entry(log, n) for log, n in zip(found.shards, numbers, strict=True)]
            ),
        }
    )
    header.status = "success" if not found.missing else "cancelled"
    header.error = None
    header.stats = _stats(found, header)
    return header


def _metadata(found: ShardSet, about: Mapping[str, Any], ids: int) -> dict[str, Any]:
    """Return what the task noted of its data, as a run that was never cut notes it."""
    noted = {key: value for key, value in about.items() if key not in _OF_SHARD}
    if "selected_fingerprint" in noted:
        noted |= {"selected_rows": ids, "selected_fingerprint": _fingerprint(found, about)}
    if "planned" in noted:
        noted["planned"] = sum(int((log.header.eval.metadata or {})["planned"]) for log in found.shards)
    return noted


def _fingerprint(found: ShardSet, about: Mapping[str, Any]) -> str:
    """Return the fingerprint of the selected rows as a whole run has it; of a part, one of its own."""
    if not found.missing:
        return str(about["whole_fingerprint"])
    parts = "|".join([str(about["whole_fingerprint"]), *(str(log.shard) for log in found.shards)])
    return sha256(parts.encode()).hexdigest()[:16]


def _stats(found: ShardSet, header: EvalLog) -> Any:
    every = [log.header.stats for log in found.shards]
    return header.stats.model_copy(
        update={
            "started_at": min((one.started_at for one in every if one.started_at), default=""),
            "completed_at": max((one.completed_at for one in every if one.completed_at), default=""),
            "model_usage": _summed(one.model_usage for one in every),
            "role_usage": _summed(one.role_usage for one in every),
        }
    )


def _summed(usages: Iterable[Mapping[str, ModelUsage]]) -> dict[str, ModelUsage]:
    total: dict[str, ModelUsage] = {}
    for usage in usages:
        for name, one in usage.items():
            total[name] = total[name] + one if name in total else one
    return total


def _entry(log: ShardLog, samples: int) -> EvalShardEntry:
    stats = log.header.stats
    size, changed = size_and_time(log.name)
    return EvalShardEntry(
        shard=str(log.shard),
        log=log.file,
        eval_set_id=log.header.eval.eval_set_id,
        status=log.header.status,
        error=log.header.error,
        samples=samples,
        selected=len(log.ids),
        selection_digest=sha256(log.ids.json()).hexdigest(),
        started_at=stats.started_at,
        completed_at=stats.completed_at,
        model_usage=stats.model_usage,
        role_usage=stats.role_usage,
        size=size,
        mtime=changed,
    )


def _id(found: ShardSet, kind: str) -> str:
    """Return an id that follows from the shards, so that merging them again gives the same."""
    told = "|".join([kind, *(log.header.eval.eval_id for log in found.shards)])
    return sha256(told.encode()).hexdigest()[:22]


def _total(log: ShardLog) -> int:
    return log.header.results.total_samples if log.header.results else len(log.ids)


def _without(arguments: Mapping[str, Any] | None) -> dict[str, Any]:
    return {name: value for name, value in (arguments or {}).items() if name not in ("shard", "stream")}

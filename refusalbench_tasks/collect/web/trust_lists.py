"""Lists of hosts by name: the bundled one, YAML files in our layout, and CSV files."""

import csv
import io
from collections import defaultdict
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import get_args

from pydantic import ValidationError

from refusalbench_tasks.bounded_reading import file_at, read_text, yaml_value
from refusalbench_tasks.collect.web.trust import Label, TrustEntry, TrustList, host_of
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.sheets import LONGEST_CELL

LABELS: tuple[Label, ...] = get_args(Label)
HOSTS = ("domain", "url", "site", "host")
_KNOWN = "bundled, FILE.yaml, FILE.csv, unreliable:FILE.csv, reliable:FILE.csv"


def trust_lists(names: str) -> tuple[TrustList, ...]:
    """Return the lists that an argument names, separated by commas. Nothing is fetched.

    `bundled` is ours; `FILE.yaml` has its layout. A `FILE.csv` has a column `label` (reliable, unreliable or mixed);
    of `unreliable:FILE.csv` every host has that label, and `reliable:` and `mixed:` likewise. Raises DataError for a
    name that is none of these, a list named twice, and a file that can't be read.
    """
    lists = tuple(_list(name.strip()) for name in names.split(",") if name.strip())
    known = [one.name for one in lists]
    twice = next((name for name in known if known.count(name) > 1), None)
    if twice or not lists:
        problem = f"two lists have the name '{twice}'" if twice else f"name at least one list: {_KNOWN}"
        raise DataError(f"trust: {problem}")
    return lists


def _list(name: str) -> TrustList:
    if name == "bundled":
        text = files("refusalbench_tasks.collect.web").joinpath("data/trust.yaml").read_text(encoding="utf-8")
        return yaml_list(text, "the bundled list")
    how, _, rest = name.partition(":")
    label = next((one for one in LABELS if one == how), None)
    if rest and label:
        return csv_list(_text(rest), rest, label)
    if name.lower().endswith(".csv"):
        return csv_list(_text(name), name)
    if name.lower().endswith((".yaml", ".yml")):
        return yaml_list(_text(name), name)
    raise DataError(f"trust: unknown list '{name[:200]}'; use {_KNOWN}")


def _text(name: str) -> str:
    return read_text(file_at(Path(name).expanduser(), "trust"), f"trust: {name}")


def yaml_list(text: str, source: str) -> TrustList:
    """Return a list in our layout (`TrustList`). Raises DataError, naming the field, for what isn't as it should be."""
    try:
        found = TrustList.model_validate(yaml_value(text, source))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise DataError(f"trust: {source}, field '{place}': {first['msg']}") from None
    if not found.suffixes and not found.entries:
        raise DataError(f"trust: {source}: has neither 'entries' nor 'suffixes'")
    return found


def csv_list(text: str, source: str, label: Label | None = None) -> TrustList:
    """Return the hosts of a CSV file whose header has a column `domain`, `url`, `site` or `host`, in any case.

    All have one label, or (None) a column `label` tells; a host whose rows differ is `mixed`. Rows without a host, or
    with a public suffix in its place, are skipped. Raises DataError for a missing column, another label, and a file
    without a usable row.
    """
    labels: dict[str, set[Label]] = defaultdict(set)
    for row in _rows(text, source, ("label",) if label is None else ()):
        host = host_of(next(row[name] for name in HOSTS if name in row))
        if host is not None and host.name != host.suffix:
            labels[host.name].add(label or _label(row["label"], source))
    if not labels:
        raise DataError(f"trust: {source}: no row has a host")
    entries = [
        TrustEntry(domain=host, label=min(found) if len(found) == 1 else "mixed") for host, found in labels.items()
    ]
    return TrustList(
        name=Path(source).stem, version="as given", licence="see its publisher", source=source, entries=tuple(entries)
    )


def _rows(text: str, source: str, needed: Sequence[str]) -> list[dict[str, str]]:
    """Return the rows by the names of columns in small letters; a short row has empty cells."""
    csv.field_size_limit(LONGEST_CELL)  # of the process: whoever reads CSV sets the same
    delimiter = max(",;\t", key=text.split("\n", 1)[0].count)
    try:
        lines = list(csv.reader(io.StringIO(text), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise DataError(f"trust: {source}: not valid CSV ({error})") from None
    header = [name.strip().lower() for name in lines[0]] if lines else []
    missing = [name for name in needed if name not in header]
    missing += [] if set(HOSTS) & set(header) else [" or ".join(HOSTS)]
    if missing:
        raise DataError(f"trust: {source}: lacks the column '{missing[0]}', has {', '.join(header)[:300] or 'none'}")
    blank = [""] * len(header)
    return [dict(zip(header, (*(cell.strip() for cell in cells), *blank), strict=False)) for cells in lines[1:]]


def _label(text: str, source: str) -> Label:
    found = next((one for one in LABELS if one == text.lower()), None)
    if found is None:
        raise DataError(f"trust: {source}, column 'label': expected one of {', '.join(LABELS)}, found '{text[:100]}'")
    return found

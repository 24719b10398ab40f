"""Lists of hosts by name: the bundled one, YAML files in our layout, and CSV files."""

import csv
import io
from collections import defaultdict
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

from pydantic import ValidationError

from refusalbench_tasks.bounded_reading import file_at, read_text, yaml_value
from refusalbench_tasks.collect.web.trust import Label, TrustList, host_of
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.sheets import LONGEST_CELL

LABELS: tuple[Label, ...] = get_args(Label)
HOSTS = ("domain", "url", "site", "host")
_KNOWN = "bundled, FILE.yaml, FILE.csv, unreliable:FILE.csv, reliable:FILE.csv"


def trust_lists(names: str) -> tuple[TrustList, ...]:
    """Return the lists that an argument names, separated by commas. Nothing is fetched.

    `bundled` is ours; `FILE.yaml` has its layout (`TrustList`). A `FILE.csv` has a column `label` (reliable, unreliable
    or mixed); of `unreliable:FILE.csv` every host has that label, and `reliable:` and `mixed:` likewise. Raises
    DataError for a name that is none of these, a list named twice, and a file that isn't as it should be.
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
        path: Any = files("refusalbench_tasks.collect.web").joinpath("data/trust.yaml")
        return made_list(yaml_value(path.read_text(encoding="utf-8"), name), name)
    how, _, rest = name.partition(":")
    label = how if rest and how in LABELS else ""
    source = rest if label else name
    kind = Path(source).suffix.lower()
    if kind not in ((".csv",) if label else (".csv", ".yaml", ".yml")):
        raise DataError(f"trust: unknown list '{name[:200]}'; use {_KNOWN}")
    text = read_text(file_at(Path(source).expanduser(), "trust"), f"trust: {source}")
    return made_list(csv_value(text, source, label) if kind == ".csv" else yaml_value(text, source), source)


def made_list(value: object, source: str) -> TrustList:
    """Return a list in our layout. Raises DataError, naming the field, for what isn't as it should be."""
    try:
        return TrustList.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise DataError(f"trust: {source}, field '{place}': {first['msg']}") from None


def csv_value(text: str, source: str, label: str = "") -> dict[str, Any]:
    """Return a list in our layout of a CSV file whose header has a column `domain`, `url`, `site` or `host`.

    All hosts have one label, or ("") a column `label` tells; a host whose rows differ is `mixed`. Rows without a host,
    or with a public suffix in its place, are skipped. Raises DataError for a missing column and an invalid file.
    """
    csv.field_size_limit(LONGEST_CELL)  # of the process: whoever reads CSV sets the same
    delimiter = max(",;\t", key=text.split("\n", 1)[0].count)
    labels: dict[str, set[str]] = defaultdict(set)
    try:
        reader = csv.DictReader(io.StringIO(text), delimiter=delimiter, strict=True, restval="")
        reader.fieldnames = [name.strip().lower() for name in reader.fieldnames or ()]
        column = next((name for name in HOSTS if name in reader.fieldnames), " or ".join(HOSTS))
        missing = [name for name in (column, *(() if label else ("label",))) if name not in reader.fieldnames]
        if missing:
            there = ", ".join(reader.fieldnames)[:300] or "none"
            raise DataError(f"trust: {source}: lacks the column '{missing[0]}', has {there}")
        for row in reader:
            host = host_of(row[column])
            if host is not None and host.name != host.suffix:
                labels[host.name].add(label or row["label"].strip().lower())
    except csv.Error as error:
        raise DataError(f"trust: {source}: not valid CSV ({error})") from None
    entries = [{"domain": host, "label": found.pop() if len(found) == 1 else "mixed"} for host, found in labels.items()]
    about = {"version": "as given", "licence": "see its publisher", "source": source}
    return {"name": Path(source).stem, **about, "entries": entries}

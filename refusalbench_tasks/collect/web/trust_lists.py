"""Lists of hosts by name: the bundled one, YAML files in our layout, and CSV files."""

import csv
import io
from collections import defaultdict
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from statistics import fmean
from typing import get_args

from pydantic import ValidationError

from refusalbench_tasks.bounded_reading import file_at, read_text, yaml_value
from refusalbench_tasks.collect.web.trust import Label, TrustEntry, TrustList, host_path
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.sheets import LONGEST_CELL

RELIABLE_QUALITY, RELIABLE_BIAS, UNRELIABLE_QUALITY = 40.0, 10.0, 16.0
"""Where the released builder of BLUFF-1000 cut the means of Ad Fontes' scores."""
LABELS: tuple[Label, ...] = get_args(Label)
HOSTS = ("domain", "url", "site", "host")
_KNOWN = "bundled, FILE.yaml, FILE.csv, unreliable:FILE.csv, reliable:FILE.csv, adfontes:FILE.csv"


def trust_lists(names: str) -> tuple[TrustList, ...]:
    """Return the lists that an argument names, separated by commas. Nothing is fetched.

    `bundled` is ours; `FILE.yaml` has its layout. A `FILE.csv` has a column `label` (reliable, unreliable or mixed);
    of `unreliable:FILE.csv` every host has that label, and `reliable:` and `mixed:` likewise; `adfontes:FILE.csv` is
    Ad Fontes' table of rated articles. Raises DataError for a name that is none of these, a list named twice, and a
    file that can't be read.
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
    if rest and how in (*LABELS, "adfontes"):
        return csv_list(_text(rest), rest, how)
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


def csv_list(text: str, source: str, how: str = "") -> TrustList:
    """Return the hosts of a CSV file whose header has a column `domain`, `url`, `site` or `host`, in any case.

    `how` is a label for all, `adfontes`, or "": a column `label` tells. Rows without a host, or with a public suffix in
    its place, are skipped; a host whose rows differ in their label is `mixed`. Raises DataError for a missing column,
    another label, and a file without a usable row.
    """
    labels: dict[str, set[Label]] = defaultdict(set)
    scores: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for place, row in _rows(text, source, _columns(how)):
        if how == "adfontes":
            scores[place.partition("/")[0]] += _scores(row)
        else:
            labels[place].add(_label(how or row["label"].lower(), source))
    labels |= {host: {_rated(rated)} for host, rated in scores.items() if rated}
    if not labels:
        raise DataError(f"trust: {source}: no row has a host and what else is needed: {', '.join(_columns(how))}")
    entries = tuple(
        TrustEntry(domain=place, label=min(found) if len(found) == 1 else "mixed") for place, found in labels.items()
    )
    return TrustList(
        name=Path(source).stem, version="as given", licence="see its publisher", source=source, entries=entries
    )


def _columns(how: str) -> tuple[str, ...]:
    return {"": ("label",), "adfontes": ("quality", "bias")}.get(how, ())


def _rows(text: str, source: str, needed: Sequence[str]) -> list[tuple[str, Mapping[str, str]]]:
    """Return the rows that have a host, as HOST/PATH, each with its cells by the names of columns in small letters."""
    csv.field_size_limit(LONGEST_CELL)  # of the process: whoever reads CSV sets the same
    delimiter = max(",;\t", key=text.split("\n", 1)[0].count)
    try:
        lines = list(csv.reader(io.StringIO(text), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise DataError(f"trust: {source}: not valid CSV ({error})") from None
    header = [name.strip().lower() for name in lines[0]] if lines else []
    host = next((name for name in HOSTS if name in header), None)
    missing = [name for name in needed if name not in header] if host else [" or ".join(HOSTS)]
    if host is None or missing:
        raise DataError(f"trust: {source}: lacks the column '{missing[0]}', has {', '.join(header)[:300] or 'none'}")
    rows = [dict(zip(header, (*map(str.strip, cells), *[""] * len(header)), strict=False)) for cells in lines[1:]]
    places = ((host_path(row[host]), row) for row in rows)
    return [(f"{place.host}{place.path}", row) for place, row in places if place and place.host != place.suffix]


def _label(text: str, source: str) -> Label:
    found = next((one for one in LABELS if one == text), None)
    if found is None:
        raise DataError(f"trust: {source}, column 'label': expected one of {', '.join(LABELS)}, found '{text[:100]}'")
    return found


def _scores(row: Mapping[str, str]) -> list[tuple[float, float]]:
    try:
        return [(float(row["quality"]), float(row["bias"]))]
    except ValueError:
        return []


def _rated(scores: Sequence[tuple[float, float]]) -> Label:
    """Return an outlet's label by the means of its articles' scores (source: the released builder's thresholds)."""
    quality, bias = fmean(one for one, _ in scores), fmean(other for _, other in scores)
    if quality <= UNRELIABLE_QUALITY:
        return "unreliable"
    return "reliable" if quality >= RELIABLE_QUALITY and abs(bias) <= RELIABLE_BIAS else "mixed"

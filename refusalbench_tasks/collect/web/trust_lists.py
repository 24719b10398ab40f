"""Lists of hosts by name: the bundled one, files in our layout, and CSV files."""

from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

from refusalbench_tasks.bounded_reading import file_at, read_text, yaml_value
from refusalbench_tasks.collect.web.domains import place_of
from refusalbench_tasks.collect.web.trust import LABELS, Entry, Label, Suffix, TrustList
from refusalbench_tasks.collect.web.trust_columns import Columns, Table
from refusalbench_tasks.collect.web.trust_tables import LAYOUTS
from refusalbench_tasks.errors import DataError

BUNDLED = "bundled"
_KNOWN = f"bundled, FILE.yaml, {', '.join(f'{layout}:FILE' for layout in LAYOUTS)}"
LARGEST = 50_000_000


def trust_lists(names: str, columns: str = "") -> tuple[TrustList, ...]:
    """Return the lists that an argument names, separated by commas.

    `bundled` is ours. `FILE.yaml` has our layout; `iffy:FILE`, `adfontes:FILE` and `cred1:FILE` are CSV files as their
    publishers give them, and `csv:FILE` is one of the user's (columns: see `trust_tables`). `columns` names columns of
    the CSV files that are called otherwise: `host=Site,quality=Score`. Nothing is fetched. Raises DataError for a name
    that is none of these, a list named twice, a file that can't be read as what it is said to be, and a column that no
    file has.
    """
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    if not wanted:
        raise DataError(f"trust: name at least one list: {_KNOWN}")
    given, tables = Columns.of(columns), dict[str, Table]()
    for name in wanted:
        layout, _, rest = name.partition(":")
        if layout in LAYOUTS and rest:
            tables[name] = Table(_text(rest), rest, given)
    given.require_used(list(tables.values()))
    lists = tuple(LAYOUTS[name.partition(":")[0]](tables[name]) if name in tables else _list(name) for name in wanted)
    twice = {one.name for one in lists if [other.name for other in lists].count(one.name) > 1}
    if twice:
        raise DataError(f"trust: two lists have the name '{min(twice)}'")
    return lists


def _list(name: str) -> TrustList:
    if name == BUNDLED:
        path = files("refusalbench_tasks.collect.web").joinpath("data/trust.yaml")
        return own_list(path.read_text(encoding="utf-8"), "the bundled list")
    if name.lower().endswith((".yaml", ".yml")):
        return own_list(_text(name), name)
    raise DataError(f"trust: unknown list '{name[:200]}'; use {_KNOWN}")


def _text(name: str) -> str:
    path = file_at(Path(name).expanduser(), "trust")
    if path.stat().st_size > LARGEST:
        raise DataError(f"trust: {name} is larger than {LARGEST:,} bytes")
    return read_text(path, f"trust: {name}")


def own_list(text: str, source: str) -> TrustList:
    """Return a list in our YAML layout.

    Keys `name`, `version`, `licence` and `source`; `suffixes`: `name`, `label`, `about`; `entries`: `domain` (a host,
    or a host with a path), `label` (reliable, unreliable or mixed) and `about` (why, or whose it is). Strict: raises
    DataError for a missing key, an unknown label, something that is no host, a public suffix among the entries.
    """
    data = yaml_value(text, source)
    if not isinstance(data, dict) or not all(isinstance(data.get(key), str | int | float) for key in _FACTS):
        raise DataError(f"{source}: expected the keys {', '.join(_FACTS)}, each with a text")
    entries = tuple(_own_entry(row, source, place) for place, row in _listed(data, "entries", source))
    suffixes = tuple(_own_suffix(row, source, place) for place, row in _listed(data, "suffixes", source))
    if not entries and not suffixes:
        raise DataError(f"{source}: has neither 'entries' nor 'suffixes'")
    name, version, licence, origin = (str(data[key]) for key in _FACTS)
    return TrustList(name, version, licence, origin, entries, suffixes)


_FACTS = ("name", "version", "licence", "source")


def _listed(data: Mapping[str, Any], key: str, source: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    rows = data.get(key) or []
    if not isinstance(rows, list):
        raise DataError(f"{source}: '{key}' is not a list")
    for number, row in enumerate(rows, start=1):
        place = f"{key}, number {number}"
        if not isinstance(row, dict):
            raise DataError(f"{source}, {place}: expected an object")
        if row.get("label") not in LABELS:
            raise DataError(f"{source}, {place}, field 'label': expected one of {', '.join(get_args(Label))}")
        yield place, row


def _own_entry(row: Mapping[str, Any], source: str, where: str) -> Entry:
    place = place_of(str(row.get("domain", "")))
    if place is None:
        raise DataError(f"{source}, {where}, field 'domain': expected a host, not '{str(row.get('domain'))[:100]}'")
    if place.host == place.suffix:
        raise DataError(f"{source}, {where}, field 'domain': {place.host} is a public suffix; list it in 'suffixes'")
    return Entry(place, row["label"], str(row.get("about", "")))


def _own_suffix(row: Mapping[str, Any], source: str, where: str) -> Suffix:
    name = str(row.get("name", "")).lower().strip(".")
    if (
        not name
        or name.startswith("*")
        or not all(part.replace("-", "a").isalnum() or part == "*" for part in name.split("."))
    ):
        raise DataError(f"{source}, {where}, field 'name': expected a public suffix such as gov or ac.*")
    return Suffix(name, row["label"], str(row.get("about", "")))

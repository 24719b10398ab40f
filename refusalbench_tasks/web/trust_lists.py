"""Lists of hosts from files: our own, and public ones that users fetch themselves."""

import csv
import io
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from statistics import fmean
from typing import Any, get_args

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.files.documents import file_at, read_text, yaml_value
from refusalbench_tasks.files.spreadsheet import LONGEST_CELL
from refusalbench_tasks.web.domains import Place, place_of
from refusalbench_tasks.web.trust import LABELS, Entry, Label, Suffix, TrustList

BUNDLED = "bundled"
RELIABLE_QUALITY, RELIABLE_BIAS, UNRELIABLE_QUALITY = 40.0, 10.0, 16.0
"""Where the released builder of BLUFF-1000 cut the means of Ad Fontes' scores."""
UNRELIABLE_SCORE = 0.5
"""Below this score of CRED-1 a host is unreliable, else mixed (our definition)."""
LARGEST = 50_000_000


def trust_lists(names: str) -> tuple[TrustList, ...]:
    """Return the lists that an argument names, separated by commas.

    `bundled` is ours. `FILE.yaml` has our layout; `iffy:FILE`, `adfontes:FILE` and `cred1:FILE` are CSV files as their
    publishers give them (columns: see the readers below). Nothing is fetched. Raises DataError for a name that is none
    of these, a list named twice, and a file that can't be read as what it is said to be.
    """
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    if not wanted:
        raise DataError("trust: name at least one list: bundled, FILE.yaml, iffy:FILE, adfontes:FILE or cred1:FILE")
    lists = tuple(_list(name) for name in wanted)
    twice = {one.name for one in lists if [other.name for other in lists].count(one.name) > 1}
    if twice:
        raise DataError(f"trust: two lists have the name '{min(twice)}'")
    return lists


def _list(name: str) -> TrustList:
    if name == BUNDLED:
        path = files("refusalbench_tasks.web").joinpath("data/trust.yaml")
        return own_list(path.read_text(encoding="utf-8"), "the bundled list")
    layout, _, rest = name.partition(":")
    if layout in _CSV and rest:
        return _CSV[layout](_text(rest), rest)
    if name.lower().endswith((".yaml", ".yml")):
        return own_list(_text(name), name)
    raise DataError(
        f"trust: unknown list '{name[:200]}'; use bundled, FILE.yaml, iffy:FILE, adfontes:FILE or cred1:FILE"
    )


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


def iffy(text: str, source: str) -> TrustList:
    """Return the Iffy index: every host in it is unreliable, as the published builder took it.

    Assumed of the CSV: a header with a column `Domain` (or `URL`, `Site`), in any case; other columns are not read.
    """
    rows = _rows(text, source, ("domain", "url", "site"))
    return _foreign("iffy", "as its publisher states (CC BY 4.0 at last sight)", source, rows, lambda _: "unreliable")


def cred1(text: str, source: str) -> TrustList:
    """Return CRED-1, a list of hosts of low credibility: unreliable, but mixed from a score of 0.5 on.

    Assumed of the CSV: a header with a column `domain` and perhaps `credibility_score` or `score`, from 0 (worst) to
    1; a host without a score is unreliable. The threshold is ours. No host becomes reliable by this list.
    """
    rows = list(_rows(text, source, ("domain", "url")))

    def label(row: Mapping[str, str]) -> Label:
        score = _number(row.get("credibility_score") or row.get("score"))
        return "mixed" if score is not None and score >= UNRELIABLE_SCORE else "unreliable"

    return _foreign("cred1", "CC BY 4.0", source, iter(rows), label)


def adfontes(text: str, source: str) -> TrustList:
    """Return the outlets of Ad Fontes' table of rated articles, by the means of their articles' scores.

    Reliable: mean quality 40 or more and mean signed bias within ±10; unreliable: mean quality 16 or less; else mixed
    (source: the released builder's thresholds). Assumed of the CSV: a header with `url`, `quality` (or `reliability`)
    and `bias`; one row an article or an outlet. Rows without both numbers are skipped.
    """
    found: dict[Place, list[tuple[float, float]]] = defaultdict(list)
    skipped = 0
    for row in _rows(text, source, ("url", "domain")):
        place = _host(row, ("url", "domain"))
        quality, bias = _number(row.get("quality") or row.get("reliability")), _number(row.get("bias"))
        if place is None or quality is None or bias is None:
            skipped += 1
        else:
            found[replace(place, path="")].append((quality, bias))
    entries = [Entry(place, _rated(scores), f"{len(scores)} rated") for place, scores in found.items()]
    return _made("adfontes", "proprietary: for your own use only", source, entries, skipped)


def _rated(scores: list[tuple[float, float]]) -> Label:
    quality, bias = fmean(one for one, _ in scores), fmean(other for _, other in scores)
    if quality <= UNRELIABLE_QUALITY:
        return "unreliable"
    return "reliable" if quality >= RELIABLE_QUALITY and abs(bias) <= RELIABLE_BIAS else "mixed"


_CSV: dict[str, Callable[[str, str], TrustList]] = {"iffy": iffy, "adfontes": adfontes, "cred1": cred1}


def _rows(text: str, source: str, one_of: tuple[str, ...]) -> Iterator[dict[str, str]]:
    """Yield the rows of a CSV with column names in small letters. Raises DataError if none of the columns is there."""
    delimiter = max(",;\t", key=text.split("\n", 1)[0].count)
    csv.field_size_limit(LONGEST_CELL)  # of the process: whoever reads CSV sets the same
    reader = csv.reader(io.StringIO(text), delimiter=delimiter, strict=True)
    try:
        names = [name.strip().lower().replace(" ", "_") for name in next(reader, [])]
        if not set(one_of) & set(names):
            wanted = " or ".join(f"'{name}'" for name in one_of)
            raise DataError(f"trust: {source}: expected a column {wanted}, found {', '.join(names)[:300] or 'none'}")
        for row in reader:
            if any(cell.strip() for cell in row):
                yield dict(zip(names, (cell.strip() for cell in row), strict=False))
    except csv.Error as error:
        raise DataError(f"trust: {source}, line {reader.line_num}: not valid CSV ({error})") from None


def _foreign(
    name: str, licence: str, source: str, rows: Iterator[dict[str, str]], label: Callable[[Mapping[str, str]], Label]
) -> TrustList:
    entries: list[Entry] = []
    skipped = 0
    for row in rows:
        place = _host(row, ("domain", "url", "site"))
        if place is None:
            skipped += 1
        else:
            entries.append(Entry(place, label(row)))
    return _made(name, licence, source, entries, skipped)


def _made(name: str, licence: str, source: str, entries: list[Entry], skipped: int) -> TrustList:
    if not entries:
        raise DataError(f"trust: {source}: no row can be read as a host ({skipped} rows skipped)")
    return TrustList(name, "as given", licence, source, tuple(dict.fromkeys(entries)), skipped=skipped)


def _host(row: Mapping[str, str], columns: tuple[str, ...]) -> Place | None:
    """Return the place in the first filled column; a public suffix is none, for it would cover everyone below it."""
    text = next((row[name] for name in columns if row.get(name)), "")
    place = place_of(text)
    return None if place is None or place.host == place.suffix else place


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if abs(number) < 1e6 else None

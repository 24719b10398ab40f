"""Lists of hosts as CSV files: public ones that users fetch themselves, and their own."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace
from statistics import fmean

from refusalbench_tasks.collect.web.domains import Place, place_of
from refusalbench_tasks.collect.web.trust import LABELS, Entry, Label, TrustList
from refusalbench_tasks.collect.web.trust_columns import Row, Table, first
from refusalbench_tasks.errors import DataError

RELIABLE_QUALITY, RELIABLE_BIAS, UNRELIABLE_QUALITY = 40.0, 10.0, 16.0
"""Where the released builder of BLUFF-1000 cut the means of Ad Fontes' scores."""
UNRELIABLE_SCORE = 0.5
"""Below this score of CRED-1 a host is unreliable, else mixed (our definition)."""
_SITE = ("domain", "url", "site")


def iffy(table: Table) -> TrustList:
    """Return the Iffy index: every host in it is unreliable, as the published builder took it.

    Assumed of the CSV: a header with a column `Domain` (or `URL`, `Site`), in any case; other columns are not read.
    """
    return _labelled("iffy", "as its publisher states (CC BY 4.0 at last sight)", table, lambda _: "unreliable")


def cred1(table: Table) -> TrustList:
    """Return CRED-1, a list of hosts of low credibility: unreliable, but mixed from a score of 0.5 on.

    Assumed of the CSV: a header with a column `domain` and perhaps `credibility_score` or `score`, from 0 (worst) to
    1; a host without a score is unreliable. The threshold is ours. No host becomes reliable by this list.
    """
    scores = table.find("score", ("credibility_score", "score"))

    def label(row: Row) -> Label:
        score = _number(first(row, scores))
        return "mixed" if score is not None and score >= UNRELIABLE_SCORE else "unreliable"

    return _labelled("cred1", "CC BY 4.0", table, label)


def own_table(table: Table) -> TrustList:
    """Return a list of the user's: a header with a column `domain` (or `url`, `site`) and one `label`.

    Raises DataError for a label that is none of reliable, unreliable and mixed (in any case).
    """
    labels = table.require("label", ("label",))

    def label(row: Row) -> Label:
        given = first(row, labels)
        found = next((one for one in LABELS if one == given.lower()), None)
        if found is None:
            raise DataError(
                f"trust: {table.source}, host '{first(row, table.find('host', _SITE))[:100]}', column '{labels[0]}': "
                f"expected one of {', '.join(LABELS)}, found '{given[:100]}'"
            )
        return found

    return _labelled("csv", "your own", table, label)


def adfontes(table: Table) -> TrustList:
    """Return the outlets of Ad Fontes' table of rated articles, by the means of their articles' scores.

    Reliable: mean quality 40 or more and mean signed bias within ±10; unreliable: mean quality 16 or less; else mixed
    (source: the released builder's thresholds). Assumed of the CSV: a header with `url`, `quality` (or `reliability`)
    and `bias`; one row an article or an outlet. Rows without both numbers are skipped.
    """
    hosts = table.require("host", ("url", "domain"))
    qualities, biases = table.require("quality", ("quality", "reliability")), table.require("bias", ("bias",))
    found: dict[Place, list[tuple[float, float]]] = defaultdict(list)
    skipped = {"no host": 0, "no number": 0}
    for row in table.rows():
        place, quality, bias = _host(row, hosts), _number(first(row, qualities)), _number(first(row, biases))
        if place is None:
            skipped["no host"] += 1
        elif quality is None or bias is None:
            skipped["no number"] += 1
        else:
            found[replace(place, path="")].append((quality, bias))
    entries = [Entry(place, _rated(scores), f"{len(scores)} rated") for place, scores in found.items()]
    missing = {"no host": hosts, "no number": (*qualities, *biases)}
    return _made("adfontes", "proprietary: for your own use only", table, entries, skipped, missing)


def _rated(scores: list[tuple[float, float]]) -> Label:
    quality, bias = fmean(one for one, _ in scores), fmean(other for _, other in scores)
    if quality <= UNRELIABLE_QUALITY:
        return "unreliable"
    return "reliable" if quality >= RELIABLE_QUALITY and abs(bias) <= RELIABLE_BIAS else "mixed"


LAYOUTS: Mapping[str, Callable[[Table], TrustList]] = {
    "iffy": iffy,
    "adfontes": adfontes,
    "cred1": cred1,
    "csv": own_table,
}
"""The layouts of CSV files, by what the argument calls them."""


def _labelled(name: str, licence: str, table: Table, label: Callable[[Row], Label]) -> TrustList:
    hosts = table.require("host", _SITE)
    entries: list[Entry] = []
    skipped = 0
    for row in table.rows():
        place = _host(row, hosts)
        if place is None:
            skipped += 1
        else:
            entries.append(Entry(place, label(row)))
    return _made(name, licence, table, entries, {"no host": skipped}, {"no host": hosts})


def _made(
    name: str,
    licence: str,
    table: Table,
    entries: list[Entry],
    skipped: Mapping[str, int],
    columns: Mapping[str, tuple[str, ...]],
) -> TrustList:
    """Return the list; raise DataError if it is empty, saying what its rows lack and in which columns."""
    if not entries:
        lack = "; ".join(
            f"{n} of its rows have {what} in {' or '.join(map(repr, columns[what]))}"
            for what, n in skipped.items()
            if n
        )
        raise DataError(
            f"trust: {table.source}: no row can be used ({lack or 'it has none'}); if other columns are meant, name "
            "them by trust_columns=host=COLUMN,…"
        )
    return TrustList(
        name, "as given", licence, table.source, tuple(dict.fromkeys(entries)), skipped=sum(skipped.values())
    )


def _host(row: Row, columns: tuple[str, ...]) -> Place | None:
    """Return the place in the first filled column; a public suffix is none, for it would cover everyone below it."""
    place = place_of(first(row, columns))
    return None if place is None or place.host == place.suffix else place


def _number(text: str) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if abs(number) < 1e6 else None

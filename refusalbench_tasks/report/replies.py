"""All replies of a section as the page's browser of replies reads them, as large as a page may be."""

import base64
import gzip
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from refusalbench_tasks.metrics.grounding import kind_of
from refusalbench_tasks.metrics.hedging import WRONG_BELOW
from refusalbench_tasks.metrics.hedging_row import HedgingRow
from refusalbench_tasks.metrics.refusal_rows import RefusalRow, RefusalRows
from refusalbench_tasks.report.reply_texts import SampleText, texts_of
from refusalbench_tasks.results.logs.keyed_rows import KeyedRows, keyed
from refusalbench_tasks.results.logs.parallel import each_of
from refusalbench_tasks.results.logs.run import AnyRun, Key

FIELDS = ("class", "intensity", "domain", "generator", "lever", "topic", "sources")
"""What replies are filtered by, beside what they are."""
_MANY = 3_000
"""From so many replies on, other processes share the work."""
MOST = 100_000
"""Of more replies none is on the page: their texts would take as much memory as a machine has."""
_PROBED = 100
"""So many rows of a section tell how large it will be."""
_PIECE = 400
"""Rows, or texts, of a piece that the browser reads at a time."""
Texts = Mapping[str, Mapping[Key, SampleText]]
"""The texts of each run, by the name of its log."""


@dataclass(frozen=True)
class Limits:
    """How many letters of a text a page shows."""

    passage: int
    reply: int
    words: int


STEPS = (
    Limits(6000, 4000, 1000),
    Limits(2000, 1500, 500),
    Limits(800, 800, 300),
    Limits(300, 400, 150),
    Limits(0, 200, 80),
    Limits(0, 60, 0),
)
"""From whole texts, for almost all data, down to beginnings, for more rows than a page can hold."""


@dataclass(frozen=True)
class Packed:
    """The replies of one section: lines of gzip in Base64, and the limits that its texts were cut at."""

    key: str
    data: str
    limits: Limits


@dataclass(frozen=True)
class Browsable:
    """The runs of a section by label, and the number of the colour and mark of each."""

    key: str
    runs: Mapping[str, AnyRun]
    looks: Mapping[str, int]


def packed(sections: Sequence[Browsable], budget: int) -> list[Packed]:
    """Return the replies of each section, cut at one of `STEPS` at which all of them fit into `budget` bytes.

    It is the first such step for few replies; for many it may be the one after it. Nothing if even the last step is too
    large, or if there are more than `MOST`; without bytes to fill no log is read.
    """
    if budget <= 0 or _rows(sections) > MOST:
        return []
    for step in range(_likely_step(sections, budget), len(STEPS)):
        data = each_of(_pack_of, (sections, step), range(len(sections)), "replies", _rows(sections) >= _MANY)
        if sum(map(len, data)) <= budget:
            return [Packed(one.key, text, STEPS[step]) for one, text in zip(sections, data, strict=True)]
    return []


def _rows(sections: Sequence[Browsable]) -> int:
    return sum(len(run.rows) for section in sections for run in section.runs.values())


def _likely_step(sections: Sequence[Browsable], budget: int) -> int:
    """Return the first step that is not too large by a part of the replies: to pack all of them at each takes long."""
    if _rows(sections) < _MANY:
        return 0
    of_part = [_Part.of(section) for section in sections]
    fits = (k for k, limits in enumerate(STEPS) if sum(one.size(limits) for one in of_part) <= budget)
    return next(fits, len(STEPS) - 1)


@dataclass(frozen=True)
class _Part:
    """Some rows of a section with their texts, and how many times as many rows the section has."""

    section: Browsable
    texts: Texts
    times: float

    @classmethod
    def of(cls, section: Browsable) -> Self:
        texts = texts_of([run.name for run in section.runs.values()], _PROBED)
        part = replace(section, runs={label: _some(run, texts[run.name]) for label, run in section.runs.items()})
        return cls(part, texts, _rows([section]) / max(1, _rows([part])))

    def size(self, limits: Limits) -> float:
        """Return about how many bytes the section has at these limits."""
        return self.times * len(_pack(browsed(self.section, self.texts, limits)))


def _some(run: AnyRun, keys: Iterable[Key]) -> AnyRun:
    rows: Any = {key: run.rows[key] for key in keys if key in run.rows}
    return replace(run, rows=rows)


def _pack_of(given: tuple[Sequence[Browsable], int], place: int) -> str:
    sections, step = given
    names = [run.name for run in sections[place].runs.values()]
    return _pack(browsed(sections[place], texts_of(names), STEPS[step]))


def browsed(section: Browsable, texts: Texts, limits: Limits) -> dict[str, Any]:
    """Return the replies of a section as JSON: rows once, and the reply of each run to each row, null for none.

    Texts that several rows share are written once. A row is the positions of its fields in `names`, and of its passages
    and those of its original (a control of the same question) in `texts`.
    """
    runs = section.runs
    order = sorted({sample for run in runs.values() for sample in run.rows})
    held: list[KeyedRows[Any]] = [keyed(run.rows) for run in runs.values()]
    pool, units = _Pool(), _Pool()
    names = {field: _Pool() for field in (*FIELDS, "verdict", "expected")}
    about = {one: _about(one, runs, texts) for one in order}
    originals = {text.source: text for text in about.values() if text and text.control}
    rows = []
    for one in order:
        text = about[one]
        rows_of = next(known for known in held if one in known.places)
        row = rows_of.kind(one)
        original = originals.get(text.source) if text and not text.control else None
        rows.append(
            {
                "id": f"{one[0]} (epoch {one[1]})" if one[1] > 1 else one[0],
                "s": one,
                "u": units.place(_unit(rows_of, one)),
                "q": text.question if text else "",
                "p": [pool.place(_cut(p, limits.passage)) for p in text.passages] if text and limits.passage else [],
                "g": _cut(text.gold, limits.reply) if text else "",
                "f": [names[field].place(value) for field, value in zip(FIELDS, _fields(row), strict=True)],
                "e": names["expected"].place(_expected(row)),
            }
            | (
                {"oq": original.question, "op": [pool.place(_cut(p, limits.passage)) for p in original.passages]}
                if original and limits.passage
                else {}
            )
        )
    replies = [
        [
            _reply(known.kind(one), of_run.get(one), names["verdict"].place, limits) if one in known.places else None
            for one in order
        ]
        for known, of_run in zip(held, (texts.get(run.name, {}) for run in runs.values()), strict=True)
    ]
    return {
        "key": section.key,
        "models": [
            {
                "label": label,
                "model": run.model,
                "look": section.looks[label],
                "log": _file(run.name),
            }
            for label, run in runs.items()
        ],
        "names": {field: pool_of.texts for field, pool_of in names.items()},
        "texts": pool.texts,
        "rows": rows,
        "replies": replies,
    }


def replies_note(packed: Sequence[Packed]) -> str:
    """Return what a reader of the browser must know of texts that were cut."""
    if not packed:
        return (
            "These runs have more replies than a page can hold: `refusalbench rows` gives a table of all of them, "
            "`inspect view` their texts."
        )
    if packed[0].limits == STEPS[0]:
        return "Every reply of these runs."
    limits = packed[0].limits
    cut = f"replies are cut at {limits.reply:,} letters, the judge's words at {limits.words:,}"
    passages = f"passages at {limits.passage:,}" if limits.passage else "passages are left out"
    return f"Every reply of these runs. To keep this page small, {cut}, {passages}; the logs have the whole texts."


class _Pool:
    """Texts, each once, and the place of each."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def place(self, text: str) -> int:
        return self._places.setdefault(text, len(self._places))

    @property
    def texts(self) -> list[str]:
        return list(self._places)


def _file(name: str) -> str:
    return name.rstrip("/").rpartition("/")[2]


def _about(sample: Key, runs: Mapping[str, AnyRun], texts: Texts) -> SampleText | None:
    return next((found for run in runs.values() if (found := texts.get(run.name, {}).get(sample))), None)


def _fields(row: RefusalRow | HedgingRow) -> Sequence[str]:
    if isinstance(row, HedgingRow):
        return ("", "", "", "", "", row.topic, row.arm)
    return (*(row.facts.group(name) for name in FIELDS[:5]), "", "")


def _unit(rows: KeyedRows[Any], sample: Key) -> str:
    """Return what is taken for independent of other rows: the base question, or the row where its run was told so."""
    row = rows.kind(sample)
    if row.cluster == "row":
        return f"{sample[0]}#{sample[1]}"
    if isinstance(row, HedgingRow):
        return row.asked
    held = rows.in_places
    return held.question(rows.places[sample]) if isinstance(held, RefusalRows) else row.outcome.cluster


def _expected(row: RefusalRow | HedgingRow) -> str:
    return "" if isinstance(row, HedgingRow) else str(row.outcome.expected)


def _reply(
    row: RefusalRow | HedgingRow, text: SampleText | None, place: Callable[[str], int], limits: Limits
) -> list[Any]:
    """Return what a reply is, its label, who decided, the reply and the words of who decided."""
    return [
        place(_verdict(row)),
        "" if isinstance(row, HedgingRow) else row.outcome.given,
        row.decided_by or row.reason or "",
        _cut(text.reply, limits.reply) if text else "",
        _cut(text.words, limits.words) if text else "",
    ]


def _verdict(row: RefusalRow | HedgingRow) -> str:
    if not isinstance(row, HedgingRow):
        return kind_of(row.outcome).replace("_", " ")
    if row.numbers["unscored"]:
        return "undecided"
    if not row.answered:
        return "refusal"
    grade = row.numbers["correctness"]
    return "ungraded answer" if grade != grade else "wrong answer" if grade < WRONG_BELOW else "right answer"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]} …"


def _pack(data: Mapping[str, Any]) -> str:
    """Return the replies of a section, a line per piece: a browser reads one after the other and stays awake."""
    whole = {name: value for name, value in data.items() if name not in ("rows", "texts", "replies")}
    pieces: list[Mapping[str, Any]] = [whole]
    for name in ("rows", "texts"):
        pieces += [{name: data[name][k : k + _PIECE]} for k in range(0, len(data[name]), _PIECE)]
    pieces += [{"replies": [of_run]} for of_run in data["replies"]]
    return "\n".join(map(_packed_piece, pieces))


def _packed_piece(piece: Mapping[str, Any]) -> str:
    raw = json.dumps(piece, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    # a lone surrogate is no text that a browser reads; equal logs give equal files, so no time is in them
    return base64.b64encode(gzip.compress(raw.encode("utf-8", "replace"), 6, mtime=0)).decode()

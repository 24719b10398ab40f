"""Replies that a person should read."""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest

import numpy as np

from refusalbench_tasks.datasets.turns import take_turns
from refusalbench_tasks.metrics.grounding import kind_of
from refusalbench_tasks.metrics.hedging import WRONG_BELOW
from refusalbench_tasks.metrics.refusal_rows import RefusalRow, RefusalRows
from refusalbench_tasks.report.hedging_tally import HedgingTally
from refusalbench_tasks.report.reply_texts import SampleText, read_chosen
from refusalbench_tasks.report.tally import Tally
from refusalbench_tasks.results.logs.keyed_rows import keyed
from refusalbench_tasks.results.logs.run import Key
from refusalbench_tasks.stats.cluster import Mask
from refusalbench_tasks.tables import Table, TableRow
from refusalbench_tasks.taxonomy import Label

SIZE = 20
_EXCERPT = 600
_UNREAD = "(this sample cannot be read in the log)"


@dataclass(frozen=True)
class Pick:
    """One reply: of which run, of which sample, what is wrong with it, and what labels all runs give."""

    tally: Tally
    key: Key
    kind: str
    row: RefusalRow
    labels: Counter[str]


def reading_list(tallies: Sequence[Tally], size: int = SIZE, seed: int = 0) -> Table:
    """Return replies that disagree with their row's label, with the reply's text, spread over the kinds of error.

    Rows on which the runs disagree come first; the rest is drawn by seed. Whole samples are read for these alone.
    """
    picks = draw_picks(tallies, size, seed)
    samples = _samples([(pick.tally.run.name, pick.key) for pick in picks])
    rows = [_with_text(pick, samples.get((pick.tally.run.name, pick.key))) for pick in picks]
    note = (
        "Replies that differ from their row's label, spread over the kinds of error; rows on which the models disagree "
        "come first. Is the model wrong, the judge, or the row?"
    )
    return Table("to-read", "Replies to read by hand", rows, note)


def draw_picks(tallies: Sequence[Tally], size: int, seed: int = 0) -> list[Pick]:
    """Return up to `size` wrong replies, taken in turn from each kind of error."""
    labels = _labels(tallies) if len(tallies) > 1 else {}
    kinds: dict[str, list[tuple[float, float, int, Pick]]] = defaultdict(list)
    rng, number = random.Random(seed), 0
    for tally in tallies:
        held, rows = keyed(tally.run.rows), tally.run.every_row
        order = held.order[_is_wrong(rows)[held.order]]
        draws = np.array([rng.random() for _ in range(len(order))])
        shares = np.ones(len(order))
        if labels:
            given = rows.each(lambda row: row.outcome.given)[order]
            of_keys = (labels[held.key(place)] for place in order.tolist())
            shares = np.array([one[label] / one.total() for one, label in zip(of_keys, given, strict=True)])
        names, kind_of_each = rows.grouped(lambda row: kind_of(row.outcome).replace("_", " "))
        for k, kind in enumerate(names):
            # a log may have a million wrong replies, of which no more of a kind are looked at than can be drawn
            mine = np.flatnonzero(kind_of_each[order] == k)
            for place in mine[np.lexsort((mine, draws[mine], shares[mine]))][:size].tolist():
                key = held.key(order[place])
                row = rows[int(order[place])]
                pick = Pick(tally, key, kind, row, labels.get(key, Counter([row.outcome.given])))
                kinds[kind].append((float(shares[place]), float(draws[place]), number + place, pick))
        number += len(order)
    queues = [[pick for *_, pick in sorted(kinds[kind], key=lambda one: one[:3])] for kind in sorted(kinds)]
    return take_turns(queues)[:size]


def _is_wrong(rows: RefusalRows) -> Mask:
    return rows.mask(lambda row: not row.is_control and row.outcome.right is False)


def _labels(tallies: Sequence[Tally]) -> Mapping[Key, Counter[str]]:
    counts: dict[Key, Counter[str]] = defaultdict(Counter)
    for tally in tallies:
        rows = tally.run.every_row
        given = rows.each(lambda row: row.outcome.given)
        for key, label, decided in zip(tally.run.rows, given, rows.decided, strict=True):
            if decided:
                counts[key][label] += 1
    return counts


def _samples(wanted: Iterable[tuple[str, Key]]) -> dict[tuple[str, Key], SampleText]:
    """Return the texts of the samples that can be read, by log and key; each log is opened once."""
    by_log: dict[str, list[Key]] = defaultdict(list)
    for name, key in wanted:
        by_log[name].append(key)
    return {(name, key): one for name, keys in by_log.items() for key, one in read_chosen(name, keys).items()}


def _with_text(pick: Pick, sample: SampleText | None) -> TableRow:
    return {
        "kind": pick.kind,
        "model": pick.tally.label,
        "sample": f"{pick.key[0]} (epoch {pick.key[1]})" if pick.key[1] > 1 else pick.key[0],
        "row's label": str(pick.row.outcome.expected),
        "given label": pick.row.outcome.given,
        "decided by": str(pick.row.decided_by),
        "all models": ", ".join(f"{label} {n}" for label, n in pick.labels.most_common())
        if pick.labels.total() > 1
        else "",
        "question": _excerpt(sample.question if sample else ""),
        "gold answers": _excerpt(sample.gold) if sample and pick.row.outcome.expected is Label.ANSWER else "",
        "reply": _excerpt(sample.reply) if sample else _UNREAD,
    }


def _excerpt(text: str) -> str:
    return text if len(text) <= _EXCERPT else f"{text[:_EXCERPT]} …"


def hedging_reading_list(tallies: Sequence[HedgingTally], size: int = SIZE) -> Table:
    """Return the wrong answers of `bluff` runs that sound surest: the most confident first, then the least hedged."""
    wrong = [
        (-_known(row.numbers["confidence"]), row.density, t.label, key, t, row)
        for t in tallies
        for key, row in t.run.rows.items()
        if row.answered and row.numbers["correctness"] < WRONG_BELOW
    ]
    rows: list[TableRow] = []
    picks = nsmallest(size, wrong, key=lambda one: one[:4])
    samples = _samples((tally.run.name, key) for *_, key, tally, _ in picks)
    for *_, label, key, tally, row in picks:
        sample = samples.get((tally.run.name, key))
        rows.append(
            {
                "model": label,
                "sample": key[0],
                "sources": row.arm,
                "confidence": row.numbers["confidence"],
                "hedges": row.numbers["hedges"],
                "correctness": row.numbers["correctness"],
                "question": _excerpt(sample.question) if sample else "",
                "reply": _excerpt(sample.reply) if sample else _UNREAD,
            }
        )
    return Table("to-read", "Replies to read by hand", rows, "Answers graded wrong, the surest first.")


def _known(confidence: float) -> float:
    return -1.0 if math.isnan(confidence) else confidence

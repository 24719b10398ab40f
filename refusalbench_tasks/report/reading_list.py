"""Replies that a person should read."""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappush, heapreplace, nsmallest
from itertools import count

from refusalbench_tasks.datasets.turns import take_turns
from refusalbench_tasks.logs.keyed_rows import in_order
from refusalbench_tasks.logs.run import Key
from refusalbench_tasks.metrics.grounding import kind_of
from refusalbench_tasks.metrics.hedging import WRONG_BELOW
from refusalbench_tasks.metrics.refusal_rows import RefusalRow
from refusalbench_tasks.report.hedging_tally import HedgingTally
from refusalbench_tasks.report.reply_texts import SampleText, read_chosen
from refusalbench_tasks.report.tally import Tally
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
    rng, number = random.Random(seed), count()
    for tally in tallies:
        for key, row in in_order(tally.run.rows):
            if row.is_control or row.outcome.right is not False:
                continue
            given, draw = row.outcome.given, rng.random()
            share = labels[key][given] / labels[key].total() if labels else 1.0
            kind = kind_of(row.outcome).replace("_", " ")
            found, place = kinds[kind], (-share, -draw, -next(number))
            # no more of a kind are held than can be drawn: a log may have a million wrong replies
            if len(found) < size:
                heappush(found, (*place, Pick(tally, key, kind, row, labels.get(key, Counter([given])))))
            elif place > found[0][:3]:
                heapreplace(found, (*place, Pick(tally, key, kind, row, labels.get(key, Counter([given])))))
    queues = [[pick for *_, pick in sorted(kinds[kind], reverse=True)] for kind in sorted(kinds)]
    return take_turns(queues)[:size]


def _labels(tallies: Sequence[Tally]) -> Mapping[Key, Counter[str]]:
    counts: dict[Key, Counter[str]] = defaultdict(Counter)
    for tally in tallies:
        for key, row in tally.run.rows.items():
            if row.outcome.predicted is not None:
                counts[key][row.outcome.given] += 1
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

"""How well `read_reply` reads labelled replies.

`python -m benchmarks.reply_reading` prints the tables of docs/reading-replies.md: of
test replies by language (`--half open`, `sealed` or `all`), or with `--real` of replies
of real models; with `--recorded` of those in examples/replies, which no model here has
learnt from, and with `--languages` of those to the rows of nq in six languages.
`--model` takes a model that `benchmarks.train_replies --without FAMILY` wrote, and
`--family` then tests on the replies that it has not seen.
"""

import argparse
import hashlib
import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.labelled_replies import LabelledReply, real, test_replies
from refusalbench_tasks.replies import ngrams
from refusalbench_tasks.replies.readers import (
    DEFAULT_READER,
    find_reader,
    reader_source,
)
from refusalbench_tasks.replies.reading import (
    Kind,
    ReplyReading,
)

DATA = ngrams.MODEL.parent
KINDS: tuple[Kind, ...] = ("refusal", "answer", "clarification", "undecided")
DECLINING = ("refusal", "clarification")
"""Kinds that the main metrics count as refusals."""
Case = tuple[LabelledReply, ReplyReading]
HEAD = (
    "refusals",
    "answers",
    "questions back",
    "flips",
    "neither stays undecided",
)


def in_half(row: LabelledReply, half: str) -> bool:
    """Return whether a row is in a half of the test set: the open one if the reply's
    hash begins with an even digit.
    """
    even = int(hashlib.sha256(row.reply.encode()).hexdigest()[0], 16) % 2 == 0
    return half == "all" or even == (half == "open")


def cells(cases: Sequence[Case]) -> list[str]:
    """Return the cells of a row: the share of each kind that was read as such, flips
    between answer and refusal, and the share of neither that stayed undecided; each
    with its n.
    """
    counts = Counter((row.kind, reading.kind) for row, reading in cases)
    totals = Counter(row.kind for row, _ in cases)
    shares = {
        kind: f"{counts[kind, kind] / totals[kind]:.2f}/{totals[kind]}"
        for kind in KINDS
        if totals[kind]
    }
    flips = counts["answer", "refusal"] + counts["refusal", "answer"]
    both = totals["answer"] + totals["refusal"]
    decided = [shares.get(kind, "–") for kind in KINDS]
    return [*decided[:3], f"{flips}/{both}", decided[3]]


def print_table(
    cases: Sequence[Case],
    name: Callable[[LabelledReply], str],
    styles: Sequence[str] = ("",),
) -> None:
    """Print a table with a row for each name and for all, and columns for each style of
    replies; a style "" holds all.
    """
    head = [f"{style} {column}".strip() for style in styles for column in HEAD]
    print(f"\n| | {' | '.join(head)} |\n|{'---|' * (len(head) + 1)}")
    names = sorted({name(row) for row, _ in cases})
    for wanted in [*names, "all"]:
        chosen = [case for case in cases if wanted in (name(case[0]), "all")]
        row = [
            cell
            for style in styles
            for cell in cells([case for case in chosen if style in ("", case[0].style)])
        ]
        print(f"| {wanted} | {' | '.join(row)} |")


def print_confusions(cases: Sequence[Case]) -> None:
    """Print what each kind of replies was read as, and how often `right` was told."""
    print(f"\n| | {' | '.join(KINDS)} |\n|{'---|' * (len(KINDS) + 1)}")
    for label in sorted({row.label for row, _ in cases}):
        counts = Counter(read.kind for row, read in cases if row.label == label)
        print(f"| {label} | {' | '.join(str(counts[kind]) for kind in KINDS)} |")
    print(
        "right:",
        dict(
            Counter(
                (read.right, row.label) for row, read in cases if read.right is not None
            )
        ),
    )
    print("by:", dict(Counter(str(read.decided_by) for _, read in cases)))


def write_errors(cases: Sequence[Case], path: Path) -> None:
    """Write how often a reading was wrong into the package, whose bounds hold it."""
    declined = [row.kind for row, read in cases if read.kind in DECLINING]
    answered = [row.kind for row, read in cases if read.kind == "answer"]
    found = {
        "no_refusal": sum(kind not in DECLINING for kind in declined),
        "refusals": len(declined),
        "no_answer": sum(kind != "answer" for kind in answered),
        "answers": len(answered),
    }
    path.write_text(json.dumps(found) + "\n", encoding="utf-8")
    print(path.name, found)


def read_all(rows: Sequence[LabelledReply], reader: str) -> list[Case]:
    """Return the readings of replies and print the speed, with gold answers and
    without.
    """
    read_reply = find_reader(reader)
    read_reply("The model is loaded once, before the clock starts.")
    cases: list[Case] = []
    for golds in (False, True):
        start = time.process_time()
        cases = [
            (
                row,
                read_reply(
                    row.reply,
                    question=row.question,
                    gold=row.golds if golds else None,
                    context=row.passages,
                ),
            )
            for row in rows
        ]
        rate = len(rows) / (time.process_time() - start)
        print(f"{'with' if golds else 'without'} gold: {rate:,.0f} replies a second")
    return cases


def main() -> None:
    """Read the labelled replies and print the tables."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks.reply_reading", description=__doc__
    )
    parser.add_argument("--half", choices=("open", "sealed", "all"), default="open")
    parser.add_argument("--real", action="store_true", help="replies of real models")
    parser.add_argument(
        "--recorded", action="store_true", help="recorded replies of real models"
    )
    parser.add_argument(
        "--languages", action="store_true", help="those to rows in six languages"
    )
    parser.add_argument("--family", default="", help="with --real: of these models")
    parser.add_argument("--model", type=Path, help="another model of n-grams")
    parser.add_argument("--reader", default=DEFAULT_READER)
    parser.add_argument("--write", action="store_true", help="write the errors")
    arguments = parser.parse_args()
    if arguments.model:
        ngrams.MODEL = arguments.model
    if arguments.languages:
        cases = read_all(real("languages.jsonl"), arguments.reader)
        print_table(cases, lambda row: f"{row.lang}, {row.model}")
    elif arguments.real or arguments.recorded:
        file = "recorded.jsonl" if arguments.recorded else "real.jsonl"
        rows = [row for row in real(file) if row.model.startswith(arguments.family)]
        cases = read_all(rows, arguments.reader)
        print_table(cases, lambda row: row.model)
    else:
        rows = [row for row in test_replies() if in_half(row, arguments.half)]
        cases = read_all(rows, arguments.reader)
        print_table(cases, lambda row: row.lang, ("plain", "hard"))
    print_confusions(cases)
    if arguments.write:
        write_errors(cases, DATA / reader_source(arguments.reader).errors)


if __name__ == "__main__":
    main()

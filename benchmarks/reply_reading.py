"""How well `read_reply` reads labelled replies: `python -m benchmarks.reply_reading
FILE [...] [--half sealed]`.
"""

import argparse
import hashlib
import json
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from refusalbench_tasks.replies.reading import THRESHOLD, Kind, ReplyReading, read_reply

ERRORS = (
    Path(__file__).parent.parent
    / "refusalbench_tasks"
    / "replies"
    / "data"
    / "reading_errors.json"
)
KINDS: tuple[Kind, ...] = ("answer", "refusal", "undecided")
Case = tuple[dict[str, Any], ReplyReading]


def in_half(row: dict[str, Any], half: str) -> bool:
    """Return whether a row is in a half of the test set: the open one if the reply's
    hash begins with an even digit.
    """
    even = int(hashlib.sha256(row["reply"].encode()).hexdigest()[0], 16) % 2 == 0
    return half == "all" or even == (half == "open")


def rates(cases: Iterable[Case]) -> str:
    """Return one row of the table: decided refusals and answers, and flips, each with
    its denominator.
    """
    kinds = Counter[tuple[str, str]](
        (row["kind"], reading.kind) for row, reading in cases
    )
    parts = []
    for kind in KINDS[:2]:
        total = sum(kinds[kind, read] for read in KINDS)
        parts += [f"{kinds[kind, kind] / total:.2f} of {total}" if total else "–"]
    total = sum(number for (kind, _), number in kinds.items() if kind in KINDS[:2])
    flips = kinds["answer", "refusal"] + kinds["refusal", "answer"]
    return f"{parts[1]} | {parts[0]} | {flips} of {total} ({flips / max(total, 1):.1%})"


def print_tables(cases: Sequence[Case]) -> None:
    """Print the table by language and style, the confusions, and how often `right` is
    wrong.
    """
    print(
        "| language | style | refusals decided | answers decided | flips"
        " |\n|---|---|---|---|---|"
    )
    for lang in [*sorted({row["lang"] for row, _ in cases}), "all"]:
        for style in ("plain", "hard"):
            chosen = [
                one
                for one in cases
                if lang in (one[0]["lang"], "all") and one[0]["style"] == style
            ]
            print(f"| {lang} | {style} | {rates(chosen)} |")
    for style in ("plain", "hard"):
        print(
            f"\n{style}: rows are the labels, columns what was read\n\n| |"
            f" {' | '.join(KINDS)} |\n|---|---|---|---|"
        )
        for kind in KINDS:
            counts = Counter(
                read.kind
                for row, read in cases
                if row["kind"] == kind and row["style"] == style
            )
            print(f"| {kind} | {' | '.join(str(counts[read]) for read in KINDS)} |")
    said = [(row, read) for row, read in cases if read.right is not None]
    wrong = sum(read.right != row.get("right") for row, read in said)
    right = sum(row.get("right") is True for row, _ in cases)
    found = sum(read.right is True and row.get("right") is True for row, read in said)
    print(
        f"\n`right` was told of {len(said)} replies, {wrong} wrongly; {found} of"
        f" {right} right answers found"
    )
    print(
        "by:",
        dict(
            Counter(
                (read.decided_by, read.kind, row["kind"])
                for row, read in cases
                if read.decided_by
            )
        ),
    )


def write_errors(cases: Sequence[Case]) -> None:
    """Write how often a reading was wrong into the package, whose bounds hold it."""
    read = Counter((reading.kind, row["kind"]) for row, reading in cases)
    refusals, answers = (
        sum(read[kind, own] for own in KINDS) for kind in ("refusal", "answer")
    )
    found = {
        "no_refusal": refusals - read["refusal", "refusal"],
        "refusals": refusals,
        "no_answer": answers - read["answer", "answer"],
        "answers": answers,
    }
    ERRORS.write_text(json.dumps(found) + "\n", encoding="utf-8")
    print(ERRORS.name, found)


def main() -> None:
    """Read the files and print the tables of a half, with the speed."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks.reply_reading", description=__doc__
    )
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--half", choices=("open", "sealed", "all"), default="open")
    parser.add_argument("--threshold", type=float, nargs="*", default=[THRESHOLD])
    parser.add_argument(
        "--write", action="store_true", help="write the errors into the package"
    )
    arguments = parser.parse_args()
    rows = [
        json.loads(line)
        for file in arguments.files
        for line in file.read_text(encoding="utf-8").splitlines()
        if line
    ]
    rows = [row for row in rows if in_half(row, arguments.half)]
    read_reply("The model is loaded once, before the clock starts.")
    for threshold in arguments.threshold:
        start = time.process_time()
        readings = [
            read_reply(
                row["reply"],
                question=row["question"],
                gold=row["gold"],
                threshold=threshold,
            )
            for row in rows
        ]
        print(
            f"\nthreshold {threshold}: {len(rows) / (time.process_time() - start):,.0f}"
            " replies a second\n"
        )
        cases = list(zip(rows, readings, strict=True))
        print_tables(cases)
        if arguments.write:
            write_errors(cases)


if __name__ == "__main__":
    main()

"""Fill the table and draw the picture of docs/worlds.md from what
`examples/train_worlds.py` wrote: `python -m benchmarks.worlds_training [FOLDER]`.

FOLDER is collected into `worlds_training.jsonl`, without the texts of the replies.
"""

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.models_table import ROOT, filled
from refusalbench_tasks.safe_writing import write_whole
from refusalbench_tasks.stats.cluster import ClusterIndex, cluster_sums, places_of
from refusalbench_tasks.stats.estimate import (
    Estimate,
    mean_estimates,
    ratio_estimates,
)

DATA = Path(__file__).with_name("worlds_training.jsonl")
PAGE = ROOT / "docs" / "worlds.md"
PICTURE = ROOT / "docs" / "images" / "worlds-training.svg"


class Share(NamedTuple):
    """The share of rows of a test, with an answer or without, whose reply did this."""

    rows: str
    answerable: bool
    did: str


SHARES = {
    "right answers": Share("worlds", True, "right"),
    "false refusals": Share("worlds", True, "refuses"),
    "refusals due": Share("worlds", False, "refuses"),
    "false refusals, nq": Share("nq", True, "refuses"),
    "answers, nq": Share("nq", True, "gives"),
    "answers, no passage": Share("plain", True, "gives"),
}
COLOURS = {"default": "#0b6e99", "control": "#c2571a"}
STAGES = ("before", "between", "after")
ENDS = ("default-0", "default-1", "control-0", "control-1")
ORDER = ("before", "one-0", "one-1", "two-0", "two-1", *ENDS)
"""The runs of the settings with each seed, and of all stages."""
LOOKS: Any = {"svg.hashsalt": "worlds", "svg.fonttype": "none", "font.size": 8}
Line = dict[str, Any]


def collect(folder: Path) -> list[Line]:
    """Return the lines of all runs of a folder, without the texts of the replies."""
    lines = []
    for file in sorted(folder.glob("*.jsonl")):
        for text in file.read_text(encoding="utf-8").splitlines():
            line = json.loads(text)
            line.pop("reply", None)
            lines.append({"run": file.stem, **line})
    return lines


def saved() -> list[Line]:
    """Return the lines of the runs that the page shows."""
    texts = DATA.read_text(encoding="utf-8").splitlines()
    return [json.loads(text) for text in texts]


def clusters(line: Line) -> ClusterIndex:
    """Return what each row of an evaluation was made from: its quad or its source."""
    return places_of(re.sub(r"\.\d+$|_P-.*", "", name) for name in line["id"])


def share(line: Line, asked: Share) -> Estimate:
    """Return a share of the rows of an evaluation."""
    is_asked = np.array(line["answerable"]) == asked.answerable
    did = np.array(line[asked.did]) & is_asked
    columns = np.column_stack([did, is_asked]).astype(float)
    sums = cluster_sums(columns, clusters(line))
    return ratio_estimates(["share"], sums)["share"]


def earned(line: Line) -> Estimate:
    """Return the mean reward of an evaluation under the default payoffs."""
    return mean_estimates({"": np.array(line["earned"])}, clusters(line))[""]


def estimates(lines: Sequence[Line], run: str) -> dict[str, Estimate]:
    """Return the numbers of a run at its end, by the name of their column."""
    tests = {
        line["rows"]: line for line in lines if line["run"] == run and "rows" in line
    }
    numbers = {
        title: share(tests[asked.rows], asked) for title, asked in SHARES.items()
    }
    return numbers | {"reward": earned(tests["worlds"])}


def runs(lines: Sequence[Line]) -> list[str]:
    """Return the names of the runs that end in tests, stage by stage."""
    names = {line["run"] for line in lines if "rows" in line}
    return [run for run in ORDER if run in names]


def cell(number: Estimate) -> str:
    """Return a number with its CI, for the page."""
    text = f"{number.value:.2f} [{number.low:.2f}, {number.high:.2f}]"
    return text.replace("-", "−")


def table(lines: Sequence[Line]) -> str:
    """Return the table in Markdown, with the rows that a column is of in brackets."""
    rows: list[list[str]] = []
    for run in runs(lines):
        numbers = estimates(lines, run)
        if not rows:
            heads = [f"{title} ({number.n:.0f})" for title, number in numbers.items()]
            rows += [["after", *heads], ["---"] * (len(heads) + 1)]
        rows.append([run, *map(cell, numbers.values())])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def path(end: str) -> list[str]:
    """Return the runs that lead to a run of the last stage, itself the last."""
    seed = end[-1]
    return ["before", f"one-{seed}", f"two-{seed}", end]


def draw(lines: Sequence[Line], file: Path) -> None:
    """Write the picture: in each panel a line for each run of the last stage."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(LOOKS):
        canvas = Figure(figsize=(11, 5), layout="constrained")
        losses, rewards, *panels = canvas.subplots(2, 4).flat
        losses.set_title("loss, by supervised step")
        rewards.set_title("mean reward of samples, by step")
        for ax, title in zip(panels, SHARES, strict=True):
            ax.set_title(title)
            ax.set_ylim(-0.05, 1.05)
        for end in ENDS:
            names = path(end)
            losses.plot(values(lines, names[:-1]), **look(end))
            rewards.plot(values(lines, [end]), **look(end))
            tested = [estimates(lines, name) for name in (names[0], *names[-2:])]
            for ax, title in zip(panels, SHARES, strict=True):
                shares = [numbers[title].value for numbers in tested]
                ax.plot(STAGES, shares, marker="o", **look(end))
        handles = rewards.get_lines()
        canvas.legend(handles=handles, loc="outside lower center", ncols=len(ENDS))
        canvas.savefig(file, metadata={"Date": None})


def look(end: str) -> dict[str, Any]:
    """Return how the line of a run is drawn: settings by colour, seeds by dashes."""
    return {
        "color": COLOURS[end[:-2]],
        "linestyle": "-" if end.endswith("0") else "--",
        "label": end,
        "alpha": 0.7,
    }


def values(lines: Sequence[Line], names: Sequence[str]) -> list[float]:
    """Return the loss or reward of each step of some runs."""
    steps = [line for line in lines if "value" in line]
    return [line["value"] for name in names for line in steps if line["run"] == name]


def main() -> None:
    """Collect a folder, if one is named; fill the table and draw the picture."""
    if len(sys.argv) > 1:
        lines = collect(Path(sys.argv[1]))
        write_whole(DATA, "".join(json.dumps(line) + "\n" for line in lines))
    page = PAGE.read_text(encoding="utf-8")
    write_whole(PAGE, filled(page, {"training": table(saved())}))
    draw(saved(), PICTURE)


if __name__ == "__main__":
    main()

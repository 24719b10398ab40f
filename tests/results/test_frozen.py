"""Numbers of `show`, `compare`, `gate` and `reproduce` on frozen runs equal those of
the commands before the table.

Replies that the model failed to give were undecided then. Here they are read so too
(`as_then`): what still differs is listed in `CHANGED` with its reason, and everything
else is equal to 1e-9.
"""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from refusalbench_tasks import outcome
from refusalbench_tasks.cli import main

HERE = Path(__file__).parent / "frozen"
SAID: dict[str, dict[str, list[Any]]] = json.loads((HERE / "said.json").read_text())
LOW = 3
HIGH = 4
DETECTABLE = 6
POINT = "the CI of a difference is never a point"
FEW = "no CI rests on fewer than five base questions"
OWN = (
    "the standard error is that of the questions that have a row of the metric (a"
    " jackknife finding)"
)
SIDES = (
    "detection needs rows of both sides: a resample without answerable rows has none"
)
COVERED = (
    "there is no headline or answer accuracy where less than half of its rows, or of"
    " its pairs, is known"
)
CHANGED: dict[tuple[str, str], str] = {
    ("show", "headline"): COVERED,
    (
        "show",
        "hybrid_score",
    ): "it is weighted by the rows of the data, and not by those that are decided",
    ("show", "ci"): f"{FEW}; {SIDES}",
    ("compare", "ci"): f"{POINT}; {FEW}; {SIDES}",
    ("compare", "detectable"): OWN,
    ("reproduce", "ci"): f"numbers that were shown without a CI have one; {FEW}",
}
"""What of each command may differ, and why; other values, n and tests never do."""
HEADLINES = ("asi", "calibrated_refusal_score", "answer_accuracy")
DETECTION = ("detection_f1", "hierarchical_score")


@pytest.fixture
def as_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcome, "_NO_REPLY", frozenset())


def command(*words: str) -> dict[str, Any]:
    given = [
        str(HERE / f"{word}.eval") if (HERE / f"{word}.eval").is_file() else word
        for word in words
    ]
    made = CliRunner().invoke(main, [*given, "--format", "json"])
    assert made.exit_code in (0, 1, 3), made.output
    found: dict[str, Any] = json.loads(made.stdout)
    return found


def equal(one: Any, other: Any) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)


def due(what: str) -> dict[str, list[Any]]:
    return SAID[what]


@pytest.mark.usefixtures("as_then")
@pytest.mark.parametrize("what", [name for name in SAID if name.startswith("show")])
def test_what_show_prints_is_what_it_printed(what: str) -> None:
    rows = command(*what.split())["summary"]
    found = {
        row["metric"]: [row["value"], row["95 % low"], row["95 % high"], row["n"]]
        for row in rows
    }
    shared = [name for name in due(what) if name in found and name != "errors"]
    assert len(shared) >= 6
    for name in shared:
        value, low, high, n = found[name]
        if (value is None and name in HEADLINES) or ("show", name) in CHANGED:
            continue
        assert (equal(value, due(what)[name][0]), n) == (True, due(what)[name][3]), name
        if not all(map(equal, (low, high), due(what)[name][1:3])):
            # a CI is withheld, or wider, and never narrower
            assert (
                low is None or name in DETECTION or low <= due(what)[name][1] + 1e-9
            ), name


@pytest.mark.usefixtures("as_then")
@pytest.mark.parametrize("what", [name for name in SAID if name.startswith("compare")])
def test_what_compare_prints_is_what_it_printed(what: str) -> None:
    made = command(*what.split())
    columns = (
        "A",
        "B",
        "B - A",
        "95 % low",
        "95 % high",
        "n A",
        "minimum detectable difference",
    )
    found = {
        row["metric"]: [row[name] for name in columns] for row in made["differences"]
    }
    tests = ("A only", "B only", "n", "p (McNemar)", "p by question")
    found |= {row["reply is"]: [row[name] for name in tests] for row in made["tests"]}
    for name, then in due(what).items():
        differing = {
            k
            for k, pair in enumerate(zip(found[name], then, strict=True))
            if not equal(*pair)
        }
        if name in ("refused", "right"):
            assert not differing, name
            continue
        assert differing <= {LOW, HIGH, DETECTABLE}, name
        if differing & {LOW, HIGH}:
            withheld = found[name][LOW] is None or then[LOW] == then[HIGH]
            assert withheld or name in DETECTION, (name, CHANGED["compare", "ci"])


@pytest.mark.usefixtures("as_then")
def test_what_gate_holds_is_what_it_held() -> None:
    limits = {
        "gate nq_cascade": [
            "false_refusal_rate<0.5",
            "refusal_accuracy>0.3",
            "detection_f1>0.5",
            "ece<0.5",
        ],
        "gate bluff_logprob": ["refusal_rate<0.6", "answer_correctness>0.9"],
    }
    for what, rules in limits.items():
        given = [
            f"--max={rule.replace('<', '=')}"
            if "<" in rule
            else f"--min={rule.replace('>', '=')}"
            for rule in rules
        ]
        made = command(*what.split(), "--max=unscored=1", *given)["runs"][0]["checks"][
            3:
        ]
        found = {
            one["rule"]: [
                one[k] for k in ("value", "95 % low", "95 % high", "n", "needed_rows")
            ]
            for one in made
        }
        assert set(found) == set(due(what))
        for name, then in due(what).items():
            assert all(map(equal, found[name], then)), name


@pytest.mark.usefixtures("as_then")
def test_what_reproduce_measures_is_what_it_measured() -> None:
    given = ("reproduce", "--as", "mockllm/alpha=GPT-4o", "nq_cascade", "bluff_logprob")
    rows = command(*given)["reproduction"]
    keys = (
        " / ".join((row["task"], row["model"], row["metric"], row["where"]))
        for row in rows
    )
    found = {key: row["measured"] for key, row in zip(keys, rows, strict=True)}
    shared = [name for name in due("reproduce") if name in found]
    assert len(shared) > 50
    for name in shared:
        headline = found[name] is None and any(one in name for one in HEADLINES)
        assert headline or equal(found[name], due("reproduce")[name][0]), name


def test_a_reply_that_the_model_failed_to_give_counts_as_not_right() -> None:
    # 8 of 54 replies are empty, cut off or stopped: they were in no denominator
    def n(metric: str) -> int:
        rows = {row["metric"]: row for row in command("show", "nq_cascade")["summary"]}
        return int(rows[metric]["n"])

    before = due("show nq_cascade")
    assert n("refusal_accuracy") + n("answer_accuracy") == 51
    assert (
        n("refusal_accuracy") + n("answer_accuracy")
        > before["refusal_accuracy"][3] + before["answer_accuracy"][3]
    )

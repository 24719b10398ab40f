"""Logs that a gate is held against, and `refusalbench gate` as tests call it."""

from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result
from inspect_ai.log import EvalSample

from refusalbench_tasks.cli import main
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass
from tests.results.synthetic import hedging_sample, row, write_log

HOSTILE = 'org/<b>&"|`\x1b[31m\ud800\uffff]]>'


def answerable(refused: int, n: int = 40, unscored: int = 0) -> list[EvalSample]:
    """Return answerable rows of as many questions: first those that are refused."""
    clear: Any = (PerturbationClass.AMBIGUITY, Intensity.LOW)
    made = [
        row(f"a{k:03d}", Label.MISSING if k < refused else Label.ANSWER, *clear)
        for k in range(n)
    ]
    return [*made, *(row(f"u{k}", None, *clear) for k in range(unscored))]


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["gate", *map(str, words)])


def hostile(folder: Path) -> Path:
    """Write a log with a failed, an undecided and a held rule, whose names mean
    something to every format.
    """
    return write_log(
        folder,
        HOSTILE.replace("\ud800", ""),
        answerable(3),
        data=HOSTILE[:9],
    )


RULES = (
    "--max=false_refusal_rate=0.1",
    "--max=refusal_rate=0.9",
    "--min=refusal_rate=0.5",
    "--max=unscored=0",
)


LIMIT = "--max=false_refusal_rate=0.1"


def log(folder: Path, refused: int, model: str = "m", **options: Any) -> Path:
    return write_log(folder, model, answerable(refused, **options))


def bluff(n: int = 40) -> list[EvalSample]:
    return [
        hedging_sample(f"q{k}", arm, refused=float(arm == "ambiguous" and k % 2))
        for k in range(n)
        for arm in ("clear", "ambiguous")
    ]


def only_line(result: Result) -> str:
    assert result.exit_code == 2, result.output
    (line,) = result.stderr.strip().splitlines()
    assert not result.stdout
    return line

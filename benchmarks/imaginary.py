"""`python -m benchmarks.imaginary DIR`: logs of three imaginary models, for the worked
example of docs/reading.md.

No model is behind them. Rules with a seed write replies to made rows (240, whose labels
are computed), and our own commands score them. The shares below are what the rules aim
at; what the page shows is what was measured.
"""

import json
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from inspect_ai.log import read_eval_log, write_eval_log

from refusalbench_tasks.cli import main
from refusalbench_tasks.taxonomy import Label

Row = Mapping[str, Any]
ROWS = 240
SEED = 9_100
VAGUE = "The passage touches on this, though one would have to look at it more closely."
"""A reply that no rule can read: without a judge it is undecided."""


@dataclass(frozen=True)
class Imaginary:
    """A made-up model: shares of its rows, each from 0 to 1."""

    name: str
    right: float
    """Answerable rows that it answers rightly."""
    refused: float
    """Answerable rows that it refuses; the rest is answered wrongly."""
    caught: float
    """Unanswerable rows that it refuses; the rest is answered."""
    named: float
    """Of these, those that it gives the right code; the rest gets MISSING, or OTHER
    where MISSING is right.
    """
    vague: float = 0.0
    """Rows of either kind with a reply that nobody can read without a judge."""


MODELS = (
    Imaginary("careful", right=0.88, refused=0.08, caught=0.85, named=0.8),
    Imaginary("eager", right=0.95, refused=0.01, caught=0.3, named=0.6, vague=0.08),
    Imaginary("anxious", right=0.4, refused=0.58, caught=0.97, named=0.25),
)


def replies(model: Imaginary, rows: Sequence[Row]) -> Iterator[dict[str, str]]:
    """Yield a model's reply to each row; the draws hang on the model's name and the
    row's id alone.
    """
    answers = [str(row["original_answers"][0]) for row in rows]
    for k, row in enumerate(rows):
        rng = random.Random(f"{model.name} {row['id']}")
        others = [
            a
            for a, r in zip(answers, rows, strict=True)
            if r["answer_type"] == row["answer_type"]
        ]
        wrong = [a for a in others if a != answers[k]]
        text = _reply(
            model,
            Label(row["expected_rag_behavior"]),
            answers[k],
            rng.choice(wrong or [VAGUE]),
            rng,
        )
        yield {"id": str(row["id"]), "reply": text}


def _reply(
    model: Imaginary, due: Label, right: str, wrong: str, rng: random.Random
) -> str:
    vague = rng.random()
    drawn = rng.random()
    coded = rng.random()
    if vague < model.vague:
        return VAGUE
    if due is Label.ANSWER:
        if drawn < model.right:
            return right
        return Label.MISSING.value if drawn < model.right + model.refused else wrong
    if drawn >= model.caught:
        return right
    other = Label.OTHER if due is Label.MISSING else Label.MISSING
    return due.value if coded < model.named else other.value


def command(*words: str, passes: Sequence[int] = (0,)) -> str:
    """Return what `refusalbench` prints.

    Raises RuntimeError with it for any other exit status.
    """
    done = CliRunner().invoke(main, list(words))
    if done.exit_code not in passes:
        raise RuntimeError(
            f"refusalbench {' '.join(words)}: {done.output or done.exception}"
        )
    return done.output


def write_logs(folder: Path, number: int = ROWS) -> list[Path]:
    """Write rows, replies and logs into a folder, and return the logs: one a model, in
    the order of `MODELS`.

    The logs name the rows' file without its folder, so that they read alike wherever
    they are made.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with chdir(folder):
        Path("logs").mkdir(exist_ok=True)
        command("worlds", "-n", str(number), "--seed", str(SEED), "-o", "rows.jsonl")
        rows = [
            json.loads(line)
            for line in Path("rows.jsonl").read_text(encoding="utf-8").splitlines()
        ]
        return [folder / _log(model, rows) for model in MODELS]


def _log(model: Imaginary, rows: Sequence[Row]) -> Path:
    said = Path(f"{model.name}.jsonl")
    log = Path("logs", f"{model.name}.eval")
    said.write_text(
        "".join(json.dumps(one) + "\n" for one in replies(model, rows)),
        encoding="utf-8",
    )
    command(
        "score", str(said), "--task", "nq", "--data", "rows.jsonl", "--log", str(log)
    )
    return _named(log, model)


def _named(path: Path, model: Imaginary) -> Path:
    """Give a log the name of its model: that of recorded replies is `replay`."""
    log = read_eval_log(str(path))
    log.eval.model = f"imaginary/{model.name}"
    write_eval_log(log, str(path))
    return path


if __name__ == "__main__":
    careful, eager, _ = map(str, write_logs(Path(sys.argv[1])))
    print(command("show", str(Path(careful).parent)))
    print(command("compare", careful, eager))
    print(command("gate", careful, "--max", "false_refusal_rate=0.1", passes=(0, 3)))

"""Train a small model on rows of worlds: supervised steps, then a policy gradient whose
baseline is the mean reward of a group of samples; on a CPU, with the extra `train`.

`python examples/train_worlds.py MODEL` runs each setting with each seed. A run writes
its curves and weights to FOLDER/SETTING-SEED, a file a stage; the same command goes on
after the last finished stage. MODEL is a folder, a name on the hub, or a .gguf file.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator
from importlib import resources
from itertools import count, islice
from pathlib import Path
from typing import Any, NamedTuple

import torch
from worlds_policy import Policy

from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds.quad_rows import CELLS, row
from refusalbench_tasks.worlds.reply import due_label, reply_verdict
from refusalbench_tasks.worlds.reward import Payoffs, reward

SETTINGS = {"default": Payoffs(), "control": Payoffs(refused_answerable=0)}
HELD_OUT = 9_000
GROUP, ROWS, WORDS = 6, 8, 120
"""Samples of a row, rows of a supervised step, words of a document."""
DATA = resources.files("refusalbench_tasks.datasets") / "data" / "nq_sample.jsonl"
PLAIN = Path(__file__).parent / "plain_questions.jsonl"


class Stage(NamedTuple):
    """Steps of one kind, on rows that ask for so many relations (0: for any)."""

    is_supervised: bool
    steps: int
    relations: int
    rate: float


CURRICULUM = (
    Stage(True, 20, 1, 1e-4),
    Stage(True, 20, 2, 1e-4),
    Stage(True, 20, 0, 1e-4),
    Stage(False, 40, 0, 2e-5),
)


def quads(seed: int, relations: int = 0) -> Iterator[list[dict[str, Any]]]:
    """Yield quads of short documents; of any relation, with classes as frequent."""
    numbers: Counter[str] = Counter()
    known: set[str] = set()
    for start in count(0, CELLS):
        quad = [row(seed, start + place) for place in range(CELLS)]
        relation = re.findall("relation=(.+?), word=", quad[0]["logical_form"])[0]
        kind = quad[0]["perturbation_class"]
        if max(item["knobs"]["words"] for item in quad) > WORDS:
            continue
        if len(known) < relations:
            known.add(relation)
        is_rare = numbers[kind] <= min(numbers.values(), default=0)
        if relation in known if relations else is_rare:
            numbers[kind] += 1
            yield quad


def gold(item: dict[str, Any]) -> str:
    """Return the right reply to a row."""
    due = due_label(item)
    return str(item["original_answers"][0]) if due is Label.ANSWER else due.value


def learn(policy: Policy, stage: Stage, rows: list[Any], payoffs: Payoffs) -> float:
    """Add the gradient of a step; return its loss or its mean reward."""
    if stage.is_supervised:
        golds = list(map(gold, rows))
        return float(policy.learn(rows, golds, torch.ones(len(rows))))
    samples = [item for item in rows[:2] for _ in range(GROUP)]
    replies = policy.replies(rows[:2], GROUP)
    pairs = zip(samples, replies, strict=True)
    earned = torch.tensor([reward(item, reply, payoffs) for item, reply in pairs])
    groups = earned.view(-1, GROUP)
    advantage = (groups - groups.mean(1, True)) / (groups.std(1, keepdim=True) + 0.1)
    policy.learn(samples, replies, advantage.view(-1))
    return float(earned.mean())


def evaluated(policy: Policy, name: str, rows: list[Any]) -> dict[str, Any]:
    """Return what greedy replies to rows did."""
    parts = [rows[start : start + ROWS] for start in range(0, len(rows), ROWS)]
    replies = [reply for part in parts for reply in policy.replies(part)]
    verdicts: Counter[str] = Counter()
    for item, reply in zip(rows, replies, strict=True):
        due = "answerable" if due_label(item) is Label.ANSWER else "unanswerable"
        verdicts[f"{due}: {reply_verdict(item, reply)}"] += 1
    earned = sum(map(reward, rows, replies)) / len(rows)
    return {"rows": name, "reward": earned, "verdicts": verdicts, "replies": replies}


def run(policy: Policy, name: str, seed: int, folder: Path, tests: Any) -> None:
    """Run the stages of a setting that are not finished."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, stage in enumerate((Stage(True, 0, 0, 0), *CURRICULUM)):
        weights = folder / f"{number}.pt"
        if weights.exists():
            policy.load(weights)
            continue
        torch.manual_seed(seed)
        optimizer = torch.optim.AdamW(policy.learns, lr=stage.rate, weight_decay=0)
        source = quads(10 * seed + number, stage.relations)
        curve = []
        for _ in range(stage.steps):
            batch = [item for quad in islice(source, ROWS // CELLS) for item in quad]
            curve.append({"value": learn(policy, stage, batch, SETTINGS[name])})
            torch.nn.utils.clip_grad_norm_(policy.learns, 1.0)
            optimizer.step()
            optimizer.zero_grad()
            print(name, seed, number, curve[-1], flush=True)
        curve += [evaluated(policy, test, rows) for test, rows in tests.items()]
        lines = [json.dumps(line, ensure_ascii=False) + "\n" for line in curve]
        (folder / f"{number}.jsonl").write_text("".join(lines), encoding="utf-8")
        policy.save(weights)


def main() -> None:
    """Run every setting with every seed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--settings", nargs="*", default=list(SETTINGS))
    parser.add_argument("--seeds", nargs="*", type=int, default=[0, 1])
    parser.add_argument("--rows", type=int, default=80, help="held-out rows of worlds")
    parser.add_argument("--folder", type=Path, default=Path("trained"))
    args = parser.parse_args()
    held_out = islice(quads(HELD_OUT), args.rows // CELLS)
    tests = {
        "worlds": [item for quad in held_out for item in quad],
        "nq": [json.loads(line) for line in DATA.read_text("utf-8").splitlines()],
        "plain": [json.loads(line) for line in PLAIN.read_text("utf-8").splitlines()],
    }
    for seed in args.seeds:
        for name in args.settings:
            policy = Policy(args.model)
            run(policy, name, seed, args.folder / f"{name}-{seed}", tests)


if __name__ == "__main__":
    main()

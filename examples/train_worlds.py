"""Train a small model on rows of worlds: supervised steps, then a policy gradient whose
baseline is the mean reward of a group of samples; on a CPU, with the extra `train`.

`python examples/train_worlds.py MODEL` runs each setting with each seed. A stage writes
its curve, the replies of its tests and its weights to FOLDER; the same command goes on
after the last finished stage. MODEL is a folder, a name on the hub, or a .gguf file.
"""

import argparse
import json
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import torch
from worlds_policy import Policy
from worlds_rows import BATCH, batches, gold, outcomes, tests

from refusalbench_tasks.worlds.quad_rows import CELLS
from refusalbench_tasks.worlds.reward import Payoffs, reward

SETTINGS = {"default": Payoffs(), "control": Payoffs(refused_answerable=0)}
SAMPLES = 6
"""Samples of a row."""


class Stage(NamedTuple):
    """Steps, over and over on the rows of so many quads."""

    name: str
    steps: int
    relations: int
    quads: int
    rate: float
    is_tested: bool = True


CURRICULUM = (
    Stage("before", 0, 2, 0, 0),
    Stage("one", 30, 1, 12, 2e-4, is_tested=False),
    Stage("two", 30, 2, 30, 3e-4),
    Stage("{}", 8, 2, 16, 5e-5),
)
"""The last stage follows the reward; `{}` is the setting."""


def follow(policy: Policy, rows: list[Any], payoffs: Payoffs) -> float:
    """Add the gradient of samples against the mean of their row; return the mean."""
    samples = [item for item in rows for _ in range(SAMPLES)]
    replies = policy.replies(rows, SAMPLES)
    pairs = zip(samples, replies, strict=True)
    earned = torch.tensor([reward(item, reply, payoffs) for item, reply in pairs])
    groups = earned.view(-1, SAMPLES)
    advantages = (groups - groups.mean(1, True)) / (groups.std(1, keepdim=True) + 0.1)
    # equal samples are read once
    weights: dict[tuple[int, str], float] = {}
    for place, advantage in enumerate(advantages.view(-1).tolist()):
        key = place // SAMPLES, replies[place]
        weights[key] = weights.get(key, 0) + advantage
    chosen = {key: weight for key, weight in weights.items() if abs(weight) > 1e-3}
    if chosen:
        read = policy.read([rows[n] for n, _ in chosen], [text for _, text in chosen])
        policy.learn(read, torch.tensor(list(chosen.values())) / len(samples))
    return float(earned.mean().item())


def run(policy: Policy, number: int, seed: int, name: str) -> list[dict[str, Any]]:
    """Run a stage and return its curve: the loss, or the mean reward, of each step."""
    stage = CURRICULUM[number]
    torch.manual_seed(seed)
    optimizer = torch.optim.AdamW(policy.learns, lr=stage.rate, weight_decay=0)
    parts = batches(10 * seed + number, stage.relations, stage.quads)
    is_supervised = stage.name != "{}"
    reads = []
    if is_supervised:
        reads = [policy.read(rows, list(map(gold, rows))) for rows in parts]
    curve = []
    for step in range(stage.steps):
        place = step % len(parts)
        if is_supervised:
            value = policy.learn(reads[place], torch.ones(BATCH))
        else:
            value = follow(policy, parts[place][:CELLS], SETTINGS[name])
        torch.nn.utils.clip_grad_norm_(policy.learns, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        curve.append({"step": step, "value": round(value, 4)})
        print(stage.name.format(name), seed, curve[-1], flush=True)
    return curve


def evaluated(policy: Policy, rows: list[Any]) -> dict[str, list[Any]]:
    """Return what greedy replies to rows did."""
    parts = [rows[first : first + BATCH] for first in range(0, len(rows), BATCH)]
    replies = [reply for part in parts for reply in policy.replies(part)]
    columns: dict[str, list[Any]] = outcomes(rows, replies)
    return columns


def main() -> None:
    """Run every setting with every seed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--settings", nargs="*", default=list(SETTINGS))
    parser.add_argument("--seeds", nargs="*", type=int, default=[0, 1])
    parser.add_argument("--quads", type=int, default=10, help="held-out quads")
    parser.add_argument("--folder", type=Path, default=Path("trained"))
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    held_out = tests(args.quads)
    policy = Policy(args.model)
    for seed, name in product(args.seeds, args.settings):
        for number, stage in enumerate(CURRICULUM):
            # payoffs change nothing in supervised stages, nor the seed before all
            stem = f"{stage.name}-{seed}" if number else stage.name
            file = args.folder / f"{stem.format(name)}.pt"
            if not file.exists():
                curve = run(policy, number, seed, name)
                for test, rows in held_out.items():
                    if stage.is_tested:
                        curve += [{"rows": test, **evaluated(policy, rows)}]
                text = "".join(json.dumps(line) + "\n" for line in curve)
                file.with_suffix(".jsonl").write_text(text, encoding="utf-8")
                policy.save(file)
            policy.load(file)


if __name__ == "__main__":
    main()

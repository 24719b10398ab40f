"""Rows as an environment of the library `verifiers` (0.4 or later), for training with
reinforcement learning.

Install `environments/refusalbench_worlds`, by whose name the library finds the taskset.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import count
from typing import Any, Literal

import verifiers.v1 as vf
from pydantic import Field

from refusalbench_tasks.arguments import names_of
from refusalbench_tasks.datasets.benchmarks import GARAGE, NQ, Benchmark
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.prompting.refusal_template import filled_prompt, prompt_text
from refusalbench_tasks.taxonomy import Label

from .document import known_domains
from .quad_rows import CELLS, Layout, quad_rows
from .reply import due_label, reply_verdict
from .reward import Payoffs, reward

HELD_OUT = 9_000
"""Seeds from here on are never trained on: they are those of the validation split."""
RIGHT = ("right answer", "right code", "right clarification")
CLARIFIED = ("right clarification", "other clarification")
REFUSED = ("right code", "other code", "plain refusal", *CLARIFIED)
_REWARDED = (
    "id",
    "pair_id",
    "perturbed_query",
    "query",
    "perturbed_context",
    "grounding",
    "expected_rag_behavior",
    "answer_type",
    "original_answers",
    "perturbation_class",
    "intensity",
)
"""The columns of a row that its reward, or a reader of traces, needs."""


class WorldsTaskConfig(Payoffs, vf.TaskConfig):
    """What each kind of reply earns."""


class WorldsTasksetConfig(vf.TasksetConfig):
    """Which rows there are."""

    task: WorldsTaskConfig = WorldsTaskConfig()
    split: Literal["train", "validation"] = "train"
    seed: int = Field(
        0,
        ge=0,
        lt=1_000,
    )
    """Which endless run of rows; those of the validation split are others for each
    seed.
    """
    domains: str = ""
    """Comma list of domains; all documents without it."""
    layout: Layout = "context"
    """One passage, ten (`grounding`), or ten with two steps to an answer (`hard`)."""
    quads: bool = False
    """Whether a task is a quad: four rows, asked one by one, whose consistency is
    measured.
    """
    ask: bool = False
    """Whether the model is told that it may ask back where the question is unclear."""


class WorldsData(vf.TaskData):
    """One row, or the four of a quad, with their prompts."""

    rows: list[dict[str, Any]]
    prompts: list[str]


def _data(
    rows: list[dict[str, Any]],
    prompts: list[str],
) -> WorldsData:
    return WorldsData(
        id=rows[0]["id"],
        prompt=prompts[0],
        rows=rows,
        prompts=prompts,
    )


class WorldsTask(vf.Task[WorldsData, vf.State, WorldsTaskConfig]):
    """A row with its reward.

    A quad is taken apart by the environment before it is asked.
    """

    def single(self, position: int) -> "WorldsTask":
        """Return the task of one of its rows."""
        data = _data([self.data.rows[position]], [self.data.prompts[position]])
        return WorldsTask(data, self.config)

    async def validate(self, runtime: object) -> bool:
        """Return whether the right replies to its rows are read as right."""
        for row in self.data.rows:
            due = due_label(row)
            gold = row["original_answers"][0] if due is Label.ANSWER else due
            if reply_verdict(row, str(gold)) not in RIGHT:
                return False
        return True

    @vf.reward
    async def earned(self, trace: vf.Trace) -> float:
        """Return the reward, from -1 to 1."""
        return reward(
            self.data.rows[0],
            trace.last_reply or "",
            self.config,
        )

    @vf.metric
    async def outcome(
        self,
        trace: vf.Trace,
    ) -> dict[str, float]:
        """Return what the reply did; the rates of refusals are their means over that of
        (un)answerable rows.
        """
        row = self.data.rows[0]
        verdict = reply_verdict(row, trace.last_reply or "")
        answerable = due_label(row) is Label.ANSWER
        missed = verdict not in (*REFUSED, "undecided")
        return {
            "answerable": float(answerable),
            "false_refusal": float(answerable and verdict in REFUSED),
            "missed_refusal": float(not answerable and missed),
            "right": float(verdict in RIGHT),
            "clarification": float(verdict in CLARIFIED),
            "unneeded_clarification": float(answerable and verdict in CLARIFIED),
            "undecided": float(verdict == "undecided"),
        }


class WorldsTaskset(vf.Taskset[WorldsTask, WorldsTasksetConfig]):
    """Endless rows; those of training and validation have different seeds."""

    INFINITE = True

    def load(self) -> Iterator[WorldsTask]:
        """Yield the tasks of the split in order.

        Raises DataError for an unknown domain.
        """
        config = self.config
        if config.quads and config.layout != "context":
            raise DataError("quads: goes with layout=context")
        seed = config.seed + (HELD_OUT if config.split == "validation" else 0)
        domains = known_domains(names_of(config.domains))
        size = CELLS if config.quads else 1
        for start in count(0, size):
            rows = list(
                quad_rows(
                    seed,
                    start,
                    start + size,
                    domains,
                    config.layout,
                )
            )
            prompts = [_prompt(item, config.layout, config.ask) for item in rows]
            needed = []
            for item in rows:
                needed.append({name: item[name] for name in _REWARDED if name in item})
            data = _data(needed, prompts)
            yield WorldsTask(data, config.task)


class WorldsEnvConfig(vf.EnvConfig):
    """The model that replies, in a plain chat without tools; the chat runs here, where
    nothing is executed.
    """

    agent: vf.AgentConfig = vf.AgentConfig(
        harness={"id": "null"}, runtime={"type": "subprocess"}
    )


class WorldsEnv(vf.Env[WorldsEnvConfig]):
    """Asks each row of a task, and measures whether the rows of a
    pair are all right.
    """

    async def run(
        self,
        task: vf.Task,
        agents: vf.Agents,
    ) -> None:
        """Ask the rows one by one, without a memory of each other."""
        for position in range(len(task.data.rows)):
            await agents.agent.run(task.single(position))

    async def finalize(
        self,
        task: vf.Task,
        episode: vf.Episode,
    ) -> None:
        """Record `pair_consistency` on the rows of each pair that is complete."""
        by_pair: dict[str, list[vf.Trace]] = {}
        for trace in episode.traces:
            by_pair.setdefault(trace.task.data.rows[0]["pair_id"], []).append(trace)
        for traces in by_pair.values():
            if len(traces) < CELLS // 2:
                continue
            all_right = all(trace.metrics.get("right") == 1 for trace in traces)
            for trace in traces:
                trace.record_metric("pair_consistency", float(all_right))


@cache
def _template(benchmark: Benchmark, ask: bool) -> str:
    return prompt_text(base=benchmark.prompt, ask=ask)


def _prompt(
    item: Mapping[str, Any],
    layout: Layout,
    ask: bool,
) -> str:
    benchmark = NQ if layout == "context" else GARAGE
    passages = item.get("grounding") or [{"text": item.get("perturbed_context")}]
    question = item.get("perturbed_query") or item["query"]
    texts = [passage["text"] for passage in passages]
    return filled_prompt(
        _template(benchmark, ask),
        question,
        texts,
        benchmark.grounded,
    )


__all__ = ["WorldsEnv", "WorldsTaskset"]

"""A run on a Ray cluster of several nodes, one of which is lost half-way."""

import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log
from inspect_ai.model import get_model

from refusalbench_tasks.tasks.nq import nq
from tests.provider import Server
from tests.provider.plausible import plausible

SETTINGS: Any = {"data": "sample", "judge": "offline"}
ROWS = 72
SHARDS = 4
PATIENCE = 5


def found(log: EvalLog) -> tuple[dict[str, str], dict[str, float]]:
    """Return the replies and the numbers of a log."""
    assert log.results
    values = {
        f"{s.name}/{k}": m.value
        for s in log.results.scores
        for k, m in s.metrics.items()
    }
    return {str(one.id): one.output.completion for one in log.samples or []}, values


def finished_in(name: str) -> set[str]:
    """Return the prompts of the samples that a log holds as finished."""
    log = read_eval_log(name)
    return {
        str(one.messages[-2].text)
        for one in log.samples or []
        if one.error is None and one.output.completion
    }


def started_cluster() -> tuple[Any, list[Any]]:
    """Return a cluster on this machine, and its two nodes for shards."""
    from ray.cluster_utils import Cluster

    for _ in range(PATIENCE):
        cluster: Any = Cluster()
        try:
            cluster.add_node(num_cpus=0)
            return cluster, [cluster.add_node(num_cpus=1) for _ in range(2)]
        except (
            Exception
        ):  # Ray gives a node 30 s to start, which a busy machine may need longer for
            cluster.shutdown()
    pytest.skip(f"Ray did not start in {PATIENCE} tries")


class Loss:
    """Kills a node that works on a shard, as a machine is lost, once its log has
    finished samples.
    """

    def __init__(self, cluster: Any, nodes: list[Any], folder: Path) -> None:
        self._cluster, self._nodes, self._folder = cluster, nodes, folder
        self.paid: set[str] = set()
        """The prompts of the samples that were finished when the node was lost."""
        self._thread = threading.Thread(target=self._lose)

    def __enter__(self) -> "Loss":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join(300)

    def _lose(self) -> None:
        end = time.monotonic() + 300
        while time.monotonic() < end:
            time.sleep(0.5)
            begun = [one for one in self._paid().values() if len(one) >= 3]
            if len(begun) == len(self._nodes):
                break
        self._cluster.remove_node(self._nodes[0], allow_graceful=False)
        self.paid = set().union(*self._paid().values())

    def _paid(self) -> dict[str, set[str]]:
        found = {}
        for place in self._folder.glob("nq.shards/*/*.eval"):
            try:
                found[place.name] = finished_in(str(place))
            except Exception:  # it is being written
                continue
        return found


@pytest.mark.slow
def test_a_lost_node_costs_no_finished_sample_and_changes_no_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ray")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    cluster, nodes = started_cluster()
    try:
        with Server(plausible(), latency=0.7) as server:
            monkeypatch.setenv("OPENAI_BASE_URL", server.openai_url)
            with Loss(cluster, nodes, tmp_path) as loss:
                line = (
                    f"cluster nq --model openai/gpt-4o --shards {SHARDS} --log-dir"
                    f" {tmp_path} -T data=sample "
                )
                line += (
                    f"-T judge=offline --address {cluster.address} --env OPENAI_API_KEY"
                    " --env OPENAI_BASE_URL -- "
                )
                # a process of its own, in which names are those of the installed suite
                command = [
                    str(Path(sys.executable).with_name("refusalbench")),
                    *line.split(),
                    "--max-connections",
                    "2",
                ]
                done = subprocess.run(
                    command, capture_output=True, text=True, timeout=600, check=True
                )
            calls = Counter(call.text for call in server.calls)
            peak = server.peak
            server.latency = 0
            model = get_model("openai/gpt-4o", memoize=False)
            (whole,) = eval(
                nq(**SETTINGS),
                model=model,
                log_dir=str(tmp_path / "whole"),
                display="none",
            )
    finally:
        cluster.shutdown()
    assert f"{ROWS} samples of {SHARDS} shards" in done.stdout
    merged = read_eval_log(str(tmp_path / "nq.eval"))
    (replies, values), (due, numbers) = found(merged), found(whole)
    assert replies == due
    assert values == pytest.approx(numbers, nan_ok=True)
    assert len(loss.paid) >= 6
    assert {calls[prompt] for prompt in loss.paid} == {1}
    assert sum(calls.values()) - ROWS <= 4  # what was under way when the node was lost
    assert peak <= 4
    attempts = [
        len(list_eval_logs(str(tmp_path / "nq.shards" / str(shard))))
        for shard in range(1, SHARDS + 1)
    ]
    assert sum(attempts) > SHARDS

"""The work list as jobs of Kubernetes."""

import re
import shlex
from collections.abc import Sequence
from math import ceil
from typing import Any

import yaml

from refusalbench_tasks.scale.command_line import cluster_command
from refusalbench_tasks.scale.resources import Resources
from refusalbench_tasks.scale.work_list import WorkList

SECRET = "refusalbench"
"""The secret whose keys are the variables of `--env`."""
_LONGEST = 50


def kubernetes_jobs(
    work: WorkList,
    resources: Resources,
    at_once: int,
    max_connections: int | None,
    image: str,
    variables: Sequence[str],
) -> str:
    """Return two jobs as YAML: an indexed one with a pod for each shard, and a suspended one that merges.

    `variables` are names of environment variables, taken from the secret `refusalbench`.
    """
    name = _label(work.name)
    words = shlex.join(cluster_command(work, at_once, max_connections))
    options = f" {shlex.join(('--', *work.options))}" if work.options else ""
    shard = f'exec {words} --only "$((JOB_COMPLETION_INDEX + 1))"{options}'
    shards = _job(name, _container(image, shard, resources, variables))
    shards["spec"] |= {
        "completionMode": "Indexed",
        "completions": work.shards,
        "parallelism": min(at_once, work.shards),
        "backoffLimitPerIndex": resources.retries,
        "maxFailedIndexes": work.shards,
    }
    merged = f"exec {words} --local-processes 1{options}"
    merge = _job(f"{name}-merge", _container(image, merged, Resources(), variables))
    merge["spec"] |= {"suspend": True, "backoffLimit": 1}
    told = (
        f"# kubectl apply -f THIS_FILE\n"
        f"# kubectl wait --for=condition=complete --timeout=-1s job/{name}\n"
        f'# kubectl patch job/{name}-merge --type=merge -p \'{{"spec": {{"suspend": false}}}}\'\n'
    )
    return told + yaml.safe_dump_all([shards, merge], sort_keys=False, allow_unicode=True, width=1_000)


def _job(name: str, container: dict[str, Any]) -> dict[str, Any]:
    pod = {"restartPolicy": "Never", "terminationGracePeriodSeconds": 120, "containers": [container]}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": name, "labels": {"app.kubernetes.io/name": "refusalbench-tasks"}},
        "spec": {"template": {"spec": pod}},
    }


def _container(image: str, script: str, resources: Resources, variables: Sequence[str]) -> dict[str, Any]:
    asked: dict[str, Any] = {"requests": {"cpu": f"{resources.cpus:g}"}}
    if resources.gpus:
        asked["limits"] = {"nvidia.com/gpu": f"{ceil(resources.gpus)}"}
    found: dict[str, Any] = {"name": "shard", "image": image, "command": ["/bin/sh", "-c", script], "resources": asked}
    if variables:
        found["env"] = [
            {"name": name, "valueFrom": {"secretKeyRef": {"name": SECRET, "key": name}}} for name in variables
        ]
    return found


def _label(name: str) -> str:
    """Return a name of a job: small letters, digits and dashes."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:_LONGEST].strip("-")

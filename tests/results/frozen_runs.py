"""Runs of the frozen logs, and their groups in a report."""

from pathlib import Path

from refusalbench_tasks.report.groups import Group, groups_of
from refusalbench_tasks.results.table import Run, read_logs


def frozen_run(path: Path) -> Run:
    [found] = read_logs([str(path)], texts=True).runs
    return found


def group_of(*runs: Run) -> Group:
    [group] = groups_of(runs)
    return group

"""Which versions a log was written with."""

from collections.abc import Iterable

from refusalbench_tasks.files.log_header import AnyHeader

NAMES = {"refusalbench-tasks": "refusalbench-tasks", "inspect_ai": "Inspect"}
"""Packages as Inspect notes them, and what they are called in a sentence."""


def versions_of(header: AnyHeader) -> str:
    """Return the versions of the suite and of Inspect in a log's header, as far as it has them; else blank."""
    noted = header.eval.packages or {}
    return ", ".join(f"{name} {noted[package]}" for package, name in NAMES.items() if package in noted)


def all_versions(versions: Iterable[str]) -> str:
    """Return the distinct versions of some logs for a caption; blank if no log tells."""
    return " and ".join(sorted({one for one in versions if one}))

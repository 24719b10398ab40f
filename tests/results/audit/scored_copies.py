"""Scored copies of one run, as `audit` reads them."""

from pathlib import Path

from refusalbench_tasks.results.run_selection import refusal_runs
from refusalbench_tasks.results.table import Run


def read(path: str) -> Run:
    return refusal_runs([path])[0]


def filled(path: Path, *ids: str) -> Path:
    lines = [f"{name},q,r,x,answer,no\n" for name in ids]
    path.write_text(f"id,question,references,reply,label,correct\n{''.join(lines)}")
    return path

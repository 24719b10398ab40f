"""What a task notes of its data in the header of a log."""

from dataclasses import dataclass

from refusalbench_tasks.files.log_header import AnyHeader


@dataclass(frozen=True)
class TaskFacts:
    """Where the rows of a run come from, and what they were asked by; blank (or 0) where a log does not tell."""

    data: str = ""
    """The argument `data`: `sample`, `hub`, or a path; of a run that makes questions, its corpus or sources."""
    blob: str = ""
    """The git blob of a file of rows."""
    fingerprint: str = ""
    """That of all rows."""
    selected_fingerprint: str = ""
    """That of the rows that the run was given."""
    selected_rows: int = 0
    prompt: str = ""
    """The hash of the prompt."""


def task_facts(header: AnyHeader) -> TaskFacts:
    """Return what the task of a log noted."""
    noted = header.eval.metadata or {}
    rows = noted.get("selected_rows")
    return TaskFacts(
        data=str(noted.get("data") or noted.get("corpus") or noted.get("sources") or ""),
        blob=str(noted.get("blob") or ""),
        fingerprint=str(noted.get("fingerprint") or ""),
        selected_fingerprint=str(noted.get("selected_fingerprint") or ""),
        selected_rows=rows if isinstance(rows, int) else 0,
        prompt=str(noted.get("prompt_sha256") or ""),
    )

"""A record: a row in the released layout, what its sets should let a reader do, and how its answer may be written."""

from typing import Any

from pydantic import BaseModel, ConfigDict

from refusalbench_tasks.generators.kit.text_digest import text_digest


class Record(BaseModel):
    """A record before its check. `settles` says of each arm whether a careful reader reaches the gold answer there.

    `answers` are the forms of the gold answer. The row is in the released layout, with the fields of our own data.
    """

    model_config = ConfigDict(frozen=True)

    row: dict[str, Any]
    answers: tuple[str, ...]
    settles: dict[str, bool] = {"clear": True, "ambiguous": False}

    @property
    def question(self) -> str:
        """Return the question."""
        return str(self.row["question"])

    def sources(self, arm: str) -> list[dict[str, Any]]:
        """Return the sources of an arm in their order."""
        found: list[dict[str, Any]] = self.row["source_sets"][arm]
        return found

    def digest(self, arm: str) -> str:
        """Return what identifies what a reader of an arm is shown and compared with."""
        shown = (part for one in self.sources(arm) for part in (one["title"], one["url"], one["date"], one["text"]))
        return text_digest(self.question, "\n".join(self.answers), *shown)

"""Eight replies of which everybody can tell whether they answer, to try a grader on
before a run.
"""

from functools import lru_cache
from importlib import resources

from pydantic import BaseModel

from refusalbench_tasks.datasets.item import RefusalItem


class KnownReply(BaseModel, frozen=True, extra="forbid"):
    """A reply to a row; it answers the rows that have an answer, and refuses the
    others.
    """

    item: RefusalItem
    reply: str

    @property
    def refuses(self) -> bool:
        """Whether the reply is a refusal."""
        return not self.item.answerable


@lru_cache(1)
def known_replies() -> tuple[KnownReply, ...]:
    """Return the bundled replies: four answers, then four refusals."""
    file = (
        resources.files("refusalbench_tasks.judging") / "data" / "known_replies.jsonl"
    )
    lines = file.read_text(encoding="utf-8").splitlines()
    return tuple(KnownReply.model_validate_json(line) for line in lines)

"""What was found for a record: its gold source, its candidates, and what became of every address that was looked at."""

from collections.abc import Mapping
from datetime import UTC, datetime

from pydantic import BaseModel, ConfigDict

SHOWN = 60


def moment() -> str:
    """Return the present moment in UTC, as a record has it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def one_line(text: str) -> str:
    """Return a text in one line: no line of it can pass for one of a prompt's own."""
    return " ".join(text.split())


class FoundSource(BaseModel):
    """A page that was read. `slot` is what the trust lists make of it, and `because` by which of their entries.

    `date` is the day of publication as the page states it, `fetched` the moment of collection in UTC.
    """

    model_config = ConfigDict(frozen=True)

    url: str
    host: str
    title: str
    text: str
    date: str = ""
    author: str = ""
    slot: str | None = None
    because: tuple[str, ...] = ()
    query: str = ""
    fetched: str = ""


class Looked(BaseModel):
    """What was looked at: searches, hits, pages that were asked for, and why others are not used, by reason."""

    searches: int = 0
    hits: int = 0
    pages: int = 0
    left_out: dict[str, int] = {}

    def __add__(self, other: "Looked") -> "Looked":
        """Return both together."""
        counts: Mapping[str, int] = {
            name: self.left_out.get(name, 0) + other.left_out.get(name, 0) for name in (*self.left_out, *other.left_out)
        }
        return Looked(
            searches=self.searches + other.searches,
            hits=self.hits + other.hits,
            pages=self.pages + other.pages,
            left_out=dict(counts),
        )

    def leave_out(self, reason: str) -> None:
        """Count an address that is not used."""
        self.left_out[reason] = self.left_out.get(reason, 0) + 1


class GoldSource(BaseModel):
    """The page that a question is written from; None if no query led to one that can be relied on."""

    source: FoundSource | None = None
    passage: str = ""
    looked: Looked = Looked()


class Candidates(BaseModel):
    """Pages that may fill the slots of a record, by slot, and pages on a neighbouring subject."""

    sources: tuple[FoundSource, ...] = ()
    neighbours: tuple[FoundSource, ...] = ()
    looked: Looked = Looked()

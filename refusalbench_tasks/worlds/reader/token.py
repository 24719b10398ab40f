"""What the reader marks in a sentence before it reads it: names, numbers, dates and sources."""

from dataclasses import dataclass
from typing import Literal

Mark = Literal["thing", "name", "year", "date", "month", "time", "number", "source"]
"""`thing` is a name with a type noun of the domain, `name` any other invented name."""

LETTER: dict[Mark, str] = {
    "thing": "E",
    "name": "N",
    "year": "Y",
    "date": "D",
    "month": "M",
    "time": "T",
    "number": "Q",
    "source": "S",
}


@dataclass(frozen=True, slots=True)
class Token:
    """One marked piece of a sentence, in the masked text `<E0>`, `<Y1>`, …"""

    mark: Mark
    tag: str
    content: int | float | str | tuple[str, ...]
    """Several names if the token may be any of several things."""
    unit: str = ""
    kind: str = ""
    """Of a thing its kind, of a source its rank."""

    @property
    def number(self) -> int | float:
        """Return the content as a number, whole if it can be. Raises TypeError if it is none."""
        if not isinstance(self.content, int | float):
            raise TypeError(f"'{self.content}' is no number")
        return int(self.content) if self.content == int(self.content) else self.content

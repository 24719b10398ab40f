"""A passage of a document, with the place where it stands."""

import hashlib

from pydantic import BaseModel, ConfigDict, Field, model_validator

from refusalbench_tasks.generators.kit.words import word_count


class Chunk(BaseModel):
    """A passage of a document; one line of a corpus file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(min_length=1)
    """Depends on the document's path and the passage's text alone."""
    doc_id: str = Field(min_length=1)
    """Depends on the document's path alone."""
    source: str = Field(min_length=1)
    """The document's path relative to its folder, with `/`."""
    title: str = ""
    headings: tuple[str, ...] = ()
    """The headings that the passage stands under, outermost first.

    They are not in its text.
    """
    page: int | None = Field(default=None, ge=1)
    """The page on which it begins, where the format has pages."""
    start: int = Field(ge=0)
    end: int
    """Offsets in the text that was taken from the document: `text` is
    `document_text[start:end]`.
    """
    text: str = Field(min_length=1)
    licence: str = ""
    """Empty if unknown."""
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    """Of the document's bytes."""

    @model_validator(mode="after")
    def _offsets_span_the_text(self) -> "Chunk":
        if self.end - self.start != len(self.text):
            raise ValueError(
                f"start and end span {self.end - self.start} characters, text has"
                f" {len(self.text)}"
            )
        return self

    @property
    def words(self) -> int:
        """Return the number of words."""
        return word_count(self.text)


def document_id(source: str) -> str:
    """Return the id of the document at a path."""
    return f"doc-{_digest(source)}"


def chunk_id(source: str, text: str, occurrence: int = 0) -> str:
    """Return the id of a passage; `occurrence` counts, from 0, the passages of one
    document with this very text.
    """
    return f"chunk-{_digest(source, text, *([str(occurrence)] if occurrence else []))}"


def _digest(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode("utf-8")).hexdigest()[:16]

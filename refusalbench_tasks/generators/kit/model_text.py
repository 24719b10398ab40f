"""Text that a model gives, as a type of a schema's fields: valid, and on one line."""

from typing import Annotated

from pydantic import AfterValidator

from refusalbench_tasks.replies.outside_text import well_formed


def _one_spaced(text: str) -> str:
    return " ".join(well_formed(text).split())


def _filled(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(text for text in texts if text)


ModelText = Annotated[str, AfterValidator(_one_spaced)]
ModelTexts = Annotated[tuple[ModelText, ...], AfterValidator(_filled)]
"""Texts of which none is empty."""

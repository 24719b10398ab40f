"""Text that a model gives, as a type of a schema's fields: valid, and on one line."""

from typing import Annotated

from pydantic import AfterValidator

from refusalbench_tasks.replies.outside_text import well_formed

ModelText = Annotated[
    str, AfterValidator(lambda text: " ".join(well_formed(text).split()))
]
ModelTexts = Annotated[
    tuple[ModelText, ...], AfterValidator(lambda texts: tuple(filter(None, texts)))
]
"""Texts of which none is empty."""

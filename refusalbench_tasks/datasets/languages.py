"""Twins: the same row in several languages, which its column `language` tells apart."""

from collections.abc import Sequence
from dataclasses import replace

from refusalbench_tasks.errors import DataError

from .item import RefusalItem
from .rows import Row, bundled_rows

ENGLISH = "en"
LANGUAGES = (ENGLISH, "de", "fr", "es", "pl", "ar", "zh")
"""The languages of the bundled twins and of their prompts."""


def bundled_twins(name: str) -> list[Row]:
    """Return the bundled rows of an English file in every language.

    A twin says what differs from its English row, and shares its base question; its id
    is that row's with `@` and its language.
    """
    rows = []
    for language in LANGUAGES:
        file = name if language == ENGLISH else name.replace(".", f"_{language}.")
        for english, twin in zip(bundled_rows(name), bundled_rows(file), strict=True):
            rows.append(
                replace(
                    twin, values={"language": ENGLISH, **english.values, **twin.values}
                )
            )
    return rows


def language_of(item: RefusalItem) -> str:
    """Return what the column `language` of a row says; empty without one."""
    return str(item.columns.get("language", ""))


def twin_id(item: RefusalItem) -> str:
    """Return what the id of a row and those of its twins have in common."""
    return item.item_id.removesuffix(f"@{language_of(item)}")


def in_languages(rows: Sequence[Row], languages: Sequence[str]) -> Sequence[Row]:
    """Return the rows in some languages, every one for none or `all`.

    Raises DataError for a language that no row is in.
    """
    if not languages or "all" in languages:
        return rows
    spoken = {str(row.values.get("language", "")) for row in rows}
    for name in languages:
        if name not in spoken:
            known = ", ".join(filter(None, sorted(spoken))) or "none is stated"
            raise DataError(f"language: no row in '{name}'; languages: {known}")
    return [row for row in rows if row.values.get("language") in languages]


def asked_by(
    items: Sequence[RefusalItem], twins: Sequence[RefusalItem]
) -> list[RefusalItem]:
    """Return the items with the questions of their twins in another language, and the
    gold answers of both.

    Raises DataError for an item without a twin.
    """
    by_id = {twin_id(twin): twin for twin in twins}
    asked = []
    for item in items:
        twin = by_id.get(twin_id(item))
        if twin is None:
            raise DataError(
                f"question_language: row '{item.item_id}' has no twin in it"
            )
        changes = {
            "query": twin.query,
            "answers": item.answers + twin.answers,
            "columns": item.columns | {"question_language": language_of(twin)},
        }
        asked.append(item.model_copy(update=changes))
    return asked

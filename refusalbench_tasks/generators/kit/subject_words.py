"""Lists of words that show what a text is about."""

import re
from functools import cache, lru_cache
from importlib import resources

import yaml


@cache
def subject_words() -> dict[str, frozenset[str]]:
    """Return the bundled lists by name, in lower case and in the singular."""
    file = resources.files("refusalbench_tasks.generators") / "words" / "subjects.yaml"
    lists = yaml.load(file.read_text(encoding="utf-8"), yaml.CSafeLoader)
    return {name: frozenset(words.split()) for name, words in lists.items()}


def has_word_of(name: str, text: str) -> bool:
    """Return whether a text in lower case has a word of a list, in the singular or with a plural ending."""
    return not subject_words()[name].isdisjoint(_words(text))


@lru_cache(maxsize=64)
def _words(text: str) -> frozenset[str]:
    words = set(re.findall(r"[\w°]+(?:[-/][\w°]+)*", text))
    words |= {word.removesuffix("s") for word in words} | {word.removesuffix("es") for word in words}
    return frozenset(words | {f"{word.removesuffix('ies')}y" for word in words if word.endswith("ies")})

"""Lists of expressions as they are written: the bundled ones, and those of a file."""

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib import resources

import yaml

from refusalbench_tasks.bounded_reading import read_list_file
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.lexicon import Lexicon
from refusalbench_tasks.replies.normal_words import normal_words
from refusalbench_tasks.replies.term_patterns import Patterns
from refusalbench_tasks.replies.term_rules import TermRule

HEDGES = {"v1": "hedges", "v2": "hedges_v2"}
"""The files of our lists of hedges, by version."""
BUNDLED: Mapping[str, str] = HEDGES | {"hedges": "hedges", "boosters": "boosters"}
"""The files of all bundled lists, by what the arguments call them; `hedges` is version
1, as in earlier logs.
"""


@cache
def bundled_lexicon(name: str) -> Lexicon:
    """Return a lexicon shipped with the package: `v1` or `v2` of the hedges (six
    dimensions), or `boosters`.
    """
    folder = resources.files("refusalbench_tasks.replies") / "data"
    text = (folder / f"{BUNDLED[name]}.yaml").read_text(encoding="utf-8")
    content = yaml.load(text, yaml.CSafeLoader)
    patterns = Patterns(content)
    terms: list[tuple[str, str]] = []
    rules: dict[str, tuple[TermRule, ...]] = {}
    for dimension, entries in content["dimensions"].items():
        for term, rule in patterns.rules(dimension, entries):
            if term not in rules:
                terms.append((term, dimension))
            if rule != TermRule(dimension):
                rules[term] = (*rules.get(term, ()), rule)
    return Lexicon(
        tuple(terms),
        tuple(patterns.expanded(content.get("not_terms", []))),
        frozenset(content.get("only_before_number", [])),
        rules,
        sha256(text.encode()).hexdigest(),
    )


def load_lexicon(name: str, argument: str = "lexicon") -> Lexicon:
    """Return a bundled lexicon, or one from a text file: a term a line, `#` starts a
    comment.

    Raises DataError, which names the argument, for a missing or malformed file.
    """
    name = str(name)  # a number, if the command line was given one
    if name in BUNDLED:
        return bundled_lexicon(name)
    text = read_list_file(name, argument, f"bundled lists: {', '.join(BUNDLED)}")
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    terms = [line for line in lines if line]
    is_structured = name.lower().endswith((".yaml", ".yml", ".json"))
    if is_structured or not terms or not all(map(normal_words, terms)):
        raise DataError(
            f"{argument}: '{name}': give a text file with one term a line, each with a"
            " word in it"
        )
    digest = sha256(text.encode()).hexdigest()
    return Lexicon(tuple((term, "listed") for term in terms), sha256=digest)

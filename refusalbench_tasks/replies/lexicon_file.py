"""Lists of expressions as they are written: the bundled ones, and those of a file."""

from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib import resources
from pathlib import PurePath

from refusalbench_tasks.bounded_reading import read_list_file, yaml_value
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.lexicon import Lexicon
from refusalbench_tasks.replies.term_patterns import Patterns, texts
from refusalbench_tasks.replies.term_rules import TermRule

HEDGES = {"v1": "hedges", "v2": "hedges_v2"}
"""The files of our lists of hedges, by version."""
BUNDLED: Mapping[str, str] = HEDGES | {"hedges": "hedges", "boosters": "boosters"}
"""The files of all bundled lists, by what the arguments call them; `hedges` is version
1, as in earlier logs.
"""
_MOST = 20_000


@cache
def bundled_lexicon(name: str) -> Lexicon:
    """Return a lexicon shipped with the package: `v1` or `v2` of the hedges (six
    dimensions), or `boosters`.
    """
    file = f"{BUNDLED[name]}.yaml"
    folder = resources.files("refusalbench_tasks.replies") / "data"
    return _from_yaml((folder / file).read_text(encoding="utf-8"), f"'{file}'")


def load_lexicon(name: str, argument: str = "lexicon") -> Lexicon:
    """Return a bundled lexicon, or one from a file.

    A YAML or JSON file has the layout of the bundled ones; any other file has one term
    a line (`#` starts a comment). Raises DataError, which names the argument, for a
    missing or malformed file.
    """
    name = str(name)  # a number, if the command line was given one
    if name in BUNDLED:
        return bundled_lexicon(name)
    text = read_list_file(name, argument, f"bundled lists: {', '.join(BUNDLED)}")
    origin = f"{argument}: '{name}'"
    if PurePath(name).suffix.lower() in (".yaml", ".yml", ".json"):
        return _from_yaml(text, origin)
    lines = (line.split("#")[0].strip() for line in text.splitlines())
    return _checked(
        {"dimensions": {"listed": [line for line in lines if line]}}, origin, text
    )


def _from_yaml(text: str, origin: str) -> Lexicon:
    return _checked(yaml_value(text, origin), origin, text)


def _checked(content: object, origin: str, text: str) -> Lexicon:
    if not isinstance(content, Mapping) or not isinstance(
        content.get("dimensions"), Mapping
    ):
        raise DataError(
            f"{origin} needs 'dimensions', a mapping of dimension to a list of terms"
        )
    patterns = Patterns.of(content, origin)
    terms: list[tuple[str, str]] = []
    rules: dict[str, tuple[TermRule, ...]] = {}
    for term, rule in _rules(content["dimensions"], patterns):
        if term not in rules:
            terms.append((term, rule.dimension))
        if rule != TermRule(rule.dimension):
            rules[term] = (*rules.get(term, ()), rule)
        if len(terms) > _MOST:
            raise DataError(f"{origin} has more than {_MOST:,} terms")
    if not terms:
        raise DataError(f"{origin} has no terms")
    return Lexicon(
        tuple(terms),
        tuple(
            patterns.expanded(
                texts(content.get("not_terms", []), "not_terms", origin), "not_terms"
            )
        ),
        frozenset(
            texts(content.get("only_before_number", []), "only_before_number", origin)
        ),
        rules,
        sha256(text.encode()).hexdigest(),
    )


def _rules(
    dimensions: Mapping[object, object], patterns: Patterns
) -> Iterator[tuple[str, TermRule]]:
    """Yield every term with its rule; a dimension lists terms, groups of terms with
    what they share, or both.
    """
    for name, listed in dimensions.items():
        field = f"dimensions.{name}"
        entries = (
            listed
            if isinstance(listed, list)
            else texts(listed, field, patterns.origin)
        )
        plain = texts(
            [entry for entry in entries if not isinstance(entry, Mapping)],
            field,
            patterns.origin,
        )
        for term in patterns.expanded(plain, field):
            yield term, TermRule(str(name))
        for k, group in enumerate(entries):
            if isinstance(group, Mapping):
                yield from patterns.group(group, str(name), f"{field}[{k}]")

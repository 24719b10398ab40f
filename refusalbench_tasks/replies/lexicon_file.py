"""Lists of expressions as they are written: the bundled ones, those of a file, and the
ones of the released BLUFF evaluator.
"""

import ast
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256

from refusalbench_tasks.bounded_reading import (
    data_text,
    data_yaml,
    read_list_file,
)
from refusalbench_tasks.datasets.remote import PinnedFile, fetch, git_blob
from refusalbench_tasks.errors import DataError

from .faithfulness import StopWords
from .lexicon import Lexicon
from .normal_words import normal_words
from .term_patterns import Patterns
from .term_rules import TermRule

Terms = tuple[str, ...]

HEDGES = {"v1": "hedges", "v2": "hedges_v2"}
"""The files of our lists of hedges, by version."""
BUNDLED = HEDGES | {"hedges": "hedges", "boosters": "boosters"}
"""The files of all bundled lists, by what the arguments call them; `hedges` is version
1, as in earlier logs.
"""


@cache
def bundled_lexicon(name: str) -> Lexicon:
    """Return a lexicon shipped with the package: `v1` or `v2` of the hedges (six
    dimensions), or `boosters`.
    """
    file = f"{BUNDLED[name]}.yaml"
    text = data_text("replies", file)
    content = data_yaml("replies", file)
    patterns = Patterns(content)
    terms = []
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
    text = read_list_file(
        name,
        argument,
        f"bundled lists: {', '.join(BUNDLED)}",
    )
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


MODULE = PinnedFile(
    repo="rzharzhavsky/Bluff-1000",
    commit="028a84b",
    path="metrics_bluff_rag.py",
    blob="69f0393bee722852883a2c7fa0f93fb22710689a",
)


@dataclass(frozen=True)
class OfficialLists:
    """The four lists of the released evaluator, and the git blob id of the module that
    they were read from.
    """

    hedges: Lexicon
    boosters: Lexicon
    stop_words: StopWords
    blob: str

    @property
    def released(self) -> bool:
        """Whether the lists are from the pinned module itself."""
        return self.blob == MODULE.blob


def load_official_lists(name: str) -> OfficialLists:
    """Return the lists of `hub` (the authors' public module at a pinned commit) or of a
    Python file of its shape.

    Raises DataError, one line, for a file that cannot be had or does not have the
    lists.
    """
    path = str(fetch(MODULE, instead="official_lists=PATH")) if name == "hub" else name
    return parse_official_lists(
        read_list_file(path, "official_lists", "give 'hub' or the path of the module"),
        name,
    )


@lru_cache(maxsize=4)
def parse_official_lists(source: str, name: str) -> OfficialLists:
    """Return the lists that a module's source states.

    `HEDGE_TERMS` at the top, and anywhere `confident_terms` and two different
    `stop_words`: the larger is for overlap, the smaller for claims (as in the released
    evaluator). Every one is a list, tuple or set of texts. The source is only parsed:
    nothing in it runs. Raises DataError, which names the line.
    """
    origin = f"official_lists: '{name}'"
    tree = _parsed(source, origin)
    hedges = _only_list(tree.body, "HEDGE_TERMS", origin)
    boosters = _only_list(
        ast.walk(tree),
        "confident_terms",
        origin,
    )
    stop_lists = _lists(
        ast.walk(tree),
        "stop_words",
        origin,
    )
    stop = sorted(map(frozenset, stop_lists), key=len)
    claims = stop[0]
    overlap = stop[-1]
    if len(set(stop)) != 2 or len(claims) == len(overlap):
        sizes = ", ".join(str(len(words)) for words in dict.fromkeys(stop))
        raise DataError(
            f"{origin}: expected two sets 'stop_words' of different size, found {sizes}"
        )
    return OfficialLists(
        hedges=_lexicon(hedges),
        boosters=_lexicon(boosters),
        stop_words=StopWords(overlap=overlap, claims=claims),
        blob=git_blob(source.encode()),
    )


def _lexicon(terms: Iterable[str]) -> Lexicon:
    return Lexicon(tuple((term, "released") for term in terms))


def _parsed(source: str, origin: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            # a string with an odd escape is no business of the user's
            warnings.simplefilter("ignore")
            return ast.parse(source.removeprefix("\ufeff"))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else "nested too deeply"
        raise DataError(
            f"{origin} is not a readable Python module ({reason})"
        ) from None


def _lists(
    nodes: Iterable[ast.AST],
    name: str,
    origin: str,
) -> list[Terms]:
    """Return the different lists that are assigned to a name. Raises DataError without
    any.
    """
    lists = []
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=value):
                pass
            case ast.AnnAssign(target=ast.Name(id=target), value=ast.expr() as value):
                pass
            case _:
                continue
        if target != name:
            continue
        where = f"{origin}, line {value.lineno}, '{name}'"
        match value:
            case ast.Call(func=ast.Name(), args=[inner], keywords=[]):
                value = inner
        if not isinstance(value, ast.List | ast.Tuple | ast.Set):
            raise DataError(
                f"{where}: expected a list of texts, found {type(value).__name__}"
            )
        texts = [getattr(element, "value", None) for element in value.elts]
        if not all(isinstance(text, str) and text.strip() for text in texts or [""]):
            raise DataError(f"{where}: expected a list of texts, none of them empty")
        lists.append(tuple(map(str, texts)))
    if not lists:
        raise DataError(
            f"{origin}: no list '{name}'; is this the evaluator's metrics module?"
        )
    return list(dict.fromkeys(lists))


def _only_list(
    nodes: Iterable[ast.AST],
    name: str,
    origin: str,
) -> Terms:
    lists = _lists(nodes, name, origin)
    if len(lists) > 1:
        raise DataError(f"{origin}: {len(lists)} different lists '{name}'")
    return lists[0]

"""The word lists of BLUFF's released evaluator, read from its module as data.

The module is never run.
"""

import ast
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from refusalbench_tasks.bounded_reading import read_list_file
from refusalbench_tasks.datasets.remote import PinnedFile, fetch, git_blob
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.faithfulness import StopWords
from refusalbench_tasks.replies.lexicon import Lexicon

MODULE = PinnedFile(
    repo="rzharzhavsky/Bluff-1000",
    commit="028a84b",
    path="metrics_bluff_rag.py",
    blob="69f0393bee722852883a2c7fa0f93fb22710689a",
)
_DISPLAYS = (ast.List, ast.Tuple, ast.Set)
_BUILDERS = ("list", "tuple", "set", "frozenset")


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
    tree = _parsed(source, name)
    origin = f"official_lists: '{name}'"
    hedges = _one(_lists(tree.body, "HEDGE_TERMS", origin), "HEDGE_TERMS", origin)
    boosters = _one(
        _lists(ast.walk(tree), "confident_terms", origin), "confident_terms", origin
    )
    stop_lists = _lists(ast.walk(tree), "stop_words", origin)
    stop = sorted(set(map(frozenset, stop_lists)), key=len)
    if len(stop) != 2 or len(stop[0]) == len(stop[1]):
        sizes = ", ".join(str(len(words)) for words in stop) or "none"
        raise DataError(
            f"{origin}: expected two sets 'stop_words' of different size, found {sizes}"
        )
    return OfficialLists(
        hedges=_lexicon(hedges),
        boosters=_lexicon(boosters),
        stop_words=StopWords(overlap=stop[1], claims=stop[0]),
        blob=git_blob(source.encode()),
    )


def _lexicon(terms: Iterable[str]) -> Lexicon:
    return Lexicon(tuple((term, "released") for term in terms))


def _parsed(source: str, name: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            # a string with an odd escape is no business of the user's
            warnings.simplefilter("ignore")
            return ast.parse(source.removeprefix("\ufeff"))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else "nested too deeply"
        raise DataError(
            f"official_lists: '{name}' is not a readable Python module ({reason})"
        ) from None


def _lists(nodes: Iterable[ast.AST], name: str, origin: str) -> list[tuple[str, ...]]:
    return [
        _texts(value, f"{origin}, line {value.lineno}, '{name}'")
        for value in _assigned(nodes, name)
    ]


def _assigned(nodes: Iterable[ast.AST], name: str) -> list[ast.expr]:
    values = []
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=value):
                pass
            case ast.AnnAssign(target=ast.Name(id=target), value=ast.expr() as value):
                pass
            case _:
                continue
        if target == name:
            values.append(value)
    return values


def _texts(value: ast.expr, origin: str) -> tuple[str, ...]:
    """Return the texts that a list, tuple or set is written with, or one inside
    `set(...)` and the like.
    """
    match value:
        case ast.Call(func=ast.Name(id=builder), args=[inner], keywords=[]) if (
            builder in _BUILDERS
        ):
            value = inner
    if not isinstance(value, _DISPLAYS):
        raise DataError(
            f"{origin}: expected a list of texts, found {type(value).__name__}"
        )
    entries = []
    for element in value.elts:
        if not (
            isinstance(element, ast.Constant)
            and isinstance(element.value, str)
            and element.value.strip()
        ):
            raise DataError(
                f"{origin}: expected a list of texts, found an entry that is not one"
            )
        entries.append(element.value)
    if not entries:
        raise DataError(f"{origin}: the list is empty")
    return tuple(entries)


def _one(lists: list[tuple[str, ...]], name: str, origin: str) -> tuple[str, ...]:
    if not lists:
        raise DataError(
            f"{origin}: no list '{name}'; is this the evaluator's metrics module?"
        )
    if len(set(lists)) > 1:
        raise DataError(f"{origin}: {len(set(lists))} different lists '{name}'")
    return lists[0]

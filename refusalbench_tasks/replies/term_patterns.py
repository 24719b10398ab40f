"""The pattern language of the bundled lists: sets of words, contexts made of them, and
terms with `{set}` in them; `data/hedges_v2.yaml` explains it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from .normal_words import normal_words
from .term_rules import Context, TermRule

_SLOT = re.compile(r"\{(\w+)(\??)\}")


class Patterns:
    """The terms of a list, with its sets put in their places.

    A set may have `{set}` in it if that one stands above it.
    """

    def __init__(self, content: Mapping[str, Any]) -> None:
        self._sets: dict[str, list[str]] = {}
        for name, entries in content.get("sets", {}).items():
            self._sets[name] = list(self.expanded(entries))
        self._contexts: dict[str, Context] = {}
        for name, layout in content.get("contexts", {}).items():
            self._contexts[name] = self._context(**layout)

    def expanded(self, terms: Iterable[str]) -> Iterator[str]:
        """Yield each term once for every choice from the sets in it: `{x}` one of x,
        `{x?}` one or nothing.
        """
        for term in terms:
            beginnings = [""]
            end = 0
            for slot in _SLOT.finditer(term):
                text = term[end : slot.start()]
                choices = list(self._sets[slot[1]])
                if slot[2]:
                    choices.append("")
                endings = [f"{text}{choice}" for choice in choices]
                beginnings = list(map("".join, product(beginnings, endings)))
                end = slot.end()
            for beginning in beginnings:
                yield " ".join(f"{beginning}{term[end:]}".split())

    def rules(
        self, dimension: str, entries: Iterable[str | Mapping[str, Any]]
    ) -> Iterator[tuple[str, TermRule]]:
        """Yield the terms of a dimension with their rule; a group of terms states what
        they share.
        """
        for entry in entries:
            if isinstance(entry, str):
                entry = {"terms": [entry]}
            hindrances = _listed(entry.get("unless", []))
            through = self._named(entry.get("through", []))
            strength = entry.get("strength")
            rule = TermRule(
                dimension,
                None if strength is None else float(strength),
                self._named(entry.get("needs", [])),
                tuple(map(self._named, hindrances)),
                next(iter(through), None),
            )
            for term in self.expanded(entry["terms"]):
                yield term, rule

    def _named(self, names: str | Sequence[str]) -> tuple[Context, ...]:
        return tuple(self._contexts[name] for name in _listed(names))

    def _context(
        self,
        within: int,
        before: str | Sequence[str] = (),
        after: str | Sequence[str] = (),
        across: str | None = None,
        stops: str = "",
    ) -> Context:
        """Return a context; `before` and `after` are the steps, each by its sets."""
        crossed = self._words(across) if across else None
        return Context(
            "before" if before else "after",
            tuple(map(self._words, _listed(before or after))),
            within,
            crossed,
            self._words(stops),
        )

    def _words(self, names: str) -> frozenset[str]:
        """Return the words of sets, each as it stands in `normal_words`."""
        words = set()
        for name in names.split():
            for entry in self._sets[name]:
                words.add(entry if entry == "#" else " ".join(normal_words(entry)))
        return frozenset(words)


def _listed(value: Any) -> Sequence[Any]:
    """Return a list; a name that stands alone is a list of one."""
    return [value] if isinstance(value, str) else value

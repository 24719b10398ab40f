"""The pattern language of a list: sets of words, contexts made of them, and terms with
`{set}` in them.
"""

import re
import reprlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.normal_words import normal_words
from refusalbench_tasks.replies.term_rules import WIDEST, Context, TermRule

_SLOT = re.compile(r"\{(\w+)(\??)\}")
_MOST = 20_000
_GROUP = frozenset({"strength", "terms", "needs", "unless", "through"})


@dataclass(frozen=True)
class Patterns:
    """The sets and contexts of one list, by name; `origin` is what an error calls the
    list.
    """

    sets: Mapping[str, tuple[str, ...]]
    contexts: Mapping[str, Context]
    origin: str

    @classmethod
    def of(cls, content: Mapping[object, object], origin: str) -> "Patterns":
        """Return those that a list defines; a set may have `{set}` in it if that one
        stands above it.
        """
        patterns = cls({}, {}, origin)
        for name, listed in mapping(content.get("sets", {}), "sets", origin).items():
            field = f"sets.{name}"
            entries = tuple(
                patterns.expanded(texts(listed, field, origin, number_sign=True), field)
            )
            patterns = cls({**patterns.sets, str(name): entries}, {}, origin)
        defined = mapping(content.get("contexts", {}), "contexts", origin)
        contexts = {
            str(name): patterns._context(given, f"contexts.{name}")
            for name, given in defined.items()
        }
        return cls(patterns.sets, contexts, origin)

    def expanded(self, terms: Iterable[str], field: str) -> Iterator[str]:
        """Yield each term once for every choice from the sets in it: `{x}` one of x,
        `{x?}` one or nothing.
        """
        for term in terms:
            parts = _SLOT.split(term)
            choices: list[Sequence[str]] = [[text] for text in parts[::3]]
            slots = [
                self._choices(name, mark, field)
                for name, mark in zip(parts[1::3], parts[2::3], strict=True)
            ]
            size = 1
            for slot in slots:
                size *= len(slot)
            if size > _MOST:
                raise DataError(
                    f"{self.origin}, field '{field}': '{term}' stands for more than"
                    f" {_MOST:,} terms"
                )
            ordered = [
                part
                for pair in zip(choices, [*slots, [""]], strict=True)
                for part in pair
            ]
            yield from (
                " ".join("".join(chosen).split()) for chosen in product(*ordered)
            )

    def group(
        self, given: Mapping[object, object], dimension: str, field: str
    ) -> Iterator[tuple[str, TermRule]]:
        """Yield the terms of a group with the rule that the group states."""
        unknown = sorted(str(key) for key in given if key not in _GROUP)
        if unknown:
            raise DataError(
                f"{self.origin}, field '{field}': unknown '{unknown[0]}'; known:"
                f" {', '.join(sorted(_GROUP))}"
            )
        through = self._named(given.get("through", []), f"{field}.through")
        if len(through) > 1 or any(context.side != "after" for context in through):
            raise DataError(
                f"{self.origin}, field '{field}.through': expected one context with"
                " 'after'"
            )
        rule = TermRule(
            dimension,
            self._strength(given.get("strength"), f"{field}.strength"),
            self._named(given.get("needs", []), f"{field}.needs"),
            self._groups(given.get("unless", []), f"{field}.unless"),
            next(iter(through), None),
        )
        for term in self.expanded(
            texts(given.get("terms"), f"{field}.terms", self.origin), f"{field}.terms"
        ):
            yield term, rule

    def _strength(self, given: object, field: str) -> float | None:
        if given is None:
            return None
        if (
            isinstance(given, bool)
            or not isinstance(given, int | float)
            or not 0 <= given <= 1
        ):
            shown = reprlib.repr(given)
            raise DataError(
                f"{self.origin}, field '{field}': expected a number from 0 to 1, found"
                f" {shown}"
            )
        return float(given)

    def _named(self, names: object, field: str) -> tuple[Context, ...]:
        listed = (
            [names]
            if isinstance(names, str)
            else list(texts(names, field, self.origin))
        )
        for name in listed:
            if name not in self.contexts:
                raise DataError(f"{self.origin}, field '{field}': no context '{name}'")
        return tuple(self.contexts[name] for name in listed)

    def _groups(self, names: object, field: str) -> tuple[tuple[Context, ...], ...]:
        """Return the groups of contexts that together hinder a term; a single name is a
        group of one.
        """
        listed = names if isinstance(names, list) else [names]
        return tuple(self._named(entry, field) for entry in listed)

    def _context(self, given: object, field: str) -> Context:
        about = mapping(given, field, self.origin)
        side: Literal["before", "after"] = "before" if "before" in about else "after"
        unknown = sorted(
            str(key) for key in about if key not in (side, "within", "across", "stops")
        )
        within = about.get("within")
        if (
            side not in about
            or unknown
            or isinstance(within, bool)
            or not isinstance(within, int)
        ):
            raise DataError(
                f"{self.origin}, field '{field}': expected 'before' or 'after',"
                " 'within' (a number of words), and perhaps 'across' and 'stops'"
            )
        if not 1 <= within <= WIDEST:
            raise DataError(
                f"{self.origin}, field '{field}.within': expected 1 to {WIDEST}, found"
                f" {within}"
            )
        steps = (
            [about[side]]
            if isinstance(about[side], str)
            else texts(about[side], f"{field}.{side}", self.origin)
        )
        across = (
            self._words(about["across"], f"{field}.across")
            if "across" in about
            else None
        )
        stops = self._words(about.get("stops", []), f"{field}.stops")
        words = tuple(self._words(step, f"{field}.{side}") for step in steps)
        if not words:
            raise DataError(f"{self.origin}, field '{field}.{side}': names no set")
        return Context(side, words, within, across, stops)

    def _words(self, names: object, field: str) -> frozenset[str]:
        """Return the words of sets, each as it stands in `normal_words`."""
        listed = (
            names.split()
            if isinstance(names, str)
            else texts(names, field, self.origin)
        )
        entries = [entry for name in listed for entry in self._choices(name, "", field)]
        words = {
            "#" if entry == "#" else " ".join(normal_words(entry)) for entry in entries
        }
        for word in words:
            if " " in word:
                raise DataError(
                    f"{self.origin}, field '{field}': '{word}' is more than one word"
                )
        return frozenset(words)

    def _choices(self, name: str, mark: str, field: str) -> Sequence[str]:
        if name not in self.sets:
            raise DataError(f"{self.origin}, field '{field}': no set '{name}' above")
        return [*self.sets[name], *([""] if mark else [])]


def mapping(given: object, field: str, origin: str) -> Mapping[object, object]:
    """Return a mapping of a list's file, or raise DataError."""
    if not isinstance(given, Mapping):
        shown = reprlib.repr(given)
        raise DataError(f"{origin}, field '{field}': expected a mapping, found {shown}")
    return given


def texts(
    listed: object, field: str, origin: str, number_sign: bool = False
) -> Sequence[str]:
    """Return the terms of a list, or raise DataError; `number_sign` allows "#", which
    is no word.
    """
    if not isinstance(listed, Iterable) or isinstance(listed, str | Mapping):
        raise DataError(f"{origin}, field '{field}': expected a list of terms")
    entries = list(listed)
    for entry in entries:
        if not isinstance(entry, str) or not (
            normal_words(entry) or (number_sign and entry == "#")
        ):
            shown = reprlib.repr(entry)
            raise DataError(
                f"{origin}, field '{field}': expected a term with a word in it, found"
                f" {shown}"
            )
    return entries

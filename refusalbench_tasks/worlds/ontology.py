"""What everyone knows about a domain."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ontology:
    """What everyone knows about the kinds of things of a domain, whatever a text says.

    `subjects`: the kinds that a relation can be asked of; `many`: relations with several values at once; `before`:
    pairs of relations of which the first is never later than the second.
    """

    subjects: dict[str, str]
    many: frozenset[str] = frozenset()
    before: frozenset[tuple[str, str]] = frozenset()

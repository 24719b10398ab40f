"""Kinds of documents: what their files must hold, and which domains there are."""

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.worlds.document import (
    DOCUMENTS,
    DOMAINS,
    document,
    form,
    known_domains,
)


@pytest.mark.parametrize("domain", DOCUMENTS)
def test_a_kind_of_document_has_enough_to_draw_from(domain: str) -> None:
    kind = document(domain)
    nouns = {relation.noun for relation in kind.values}
    assert {noun for pair in kind.order for noun in pair} <= nouns
    assert len(nouns) >= 6
    assert len(kind.parts) >= 4
    assert len(kind.general) >= 3
    assert len(kind.events) >= 2
    assert form(kind.form).layouts


@pytest.mark.parametrize("domain", DOCUMENTS)
def test_relations_of_all_groups_have_limits(domain: str) -> None:
    kind = document(domain)
    for group in ("values", "figures", "uses", "parts"):
        for relation in kind.relations(group):
            assert relation.low < relation.high
            assert relation.noun
            assert relation.group == group
            assert relation.ask or kind.words[group].question
    assert [relation.noun for relation in kind.relations("uses")] == [*kind.uses.nouns]


def test_domains_have_one_order_and_unknown_ones_are_named() -> None:
    assert known_domains(()) == DOCUMENTS
    assert known_domains(("opinions", "halls")) == ("halls", "opinions")
    assert known_domains(DOMAINS[::-1]) == DOMAINS
    with pytest.raises(DataError, match="unknown 'moon'; known: halls"):
        known_domains(("halls", "moon"))

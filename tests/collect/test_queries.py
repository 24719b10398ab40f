"""The queries with which a record begins."""

from refusalbench_tasks.collect.queries import queries_prompt, usable_queries
from refusalbench_tasks.collect.record_plan import (
    PlannedRecord,
)
from tests.models import part


def test_records_of_one_field_ask_for_lists_about_other_parts_of_it() -> None:
    alone = PlannedRecord(id="a", topic="public_health", field="vaccines")
    prompt = queries_prompt(alone)
    assert "Give 2 queries." in prompt
    assert "This is list" not in prompt
    assert part(prompt, "TOPIC") == "public health"
    third = alone.model_copy(update={"place": 2, "of": 3})
    assert "Give 2 queries. This is list 3 of 3; each" in queries_prompt(third)


def test_queries_that_ask_the_same_or_break_a_rule_are_not_used() -> None:
    asked = [
        "how deep is the Karsby lock",
        "how deep is Karsby lock",
        "gates of Ostrel",
        "news of 2024",
        "?",
        "a b " * 15,
    ]
    assert usable_queries(asked) == ["how deep is the Karsby lock", "gates of Ostrel"]

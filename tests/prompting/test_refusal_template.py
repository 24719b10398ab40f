"""The prompt has every element of the protocol, and outside text cannot reach its
slots.
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.prompting import fill, from_file
from refusalbench_tasks.prompting.refusal_template import SLOTS, prompt_text
from refusalbench_tasks.replies.confidence import LEVELS
from refusalbench_tasks.taxonomy import REFUSALS


def test_the_prompt_names_each_code_and_level_and_ends_with_the_item() -> None:
    text = prompt_text()
    for label in REFUSALS:
        assert text.count(label.value) == 1
    assert text.count("\nWhen: ") == 7
    for asked in (text, prompt_text(confidence=True)):
        assert asked.endswith("QUESTION\n{{query}}\n\nPASSAGES\n{{context}}\n\nANSWER:")
    assert all(level.value in prompt_text(confidence=True) for level in LEVELS)


def test_a_users_prompt_is_used_with_and_without_confidence(tmp_path: Path) -> None:
    path = tmp_path / "p.txt"
    path.write_text("Q {{query}} C {{context}} {not a slot}")
    assert prompt_text(str(path)) == "Q {{query}} C {{context}} {not a slot}"
    assert prompt_text(str(path), confidence=True).endswith(
        "Q {{query}} C {{context}} {not a slot}"
    )


@pytest.mark.parametrize(
    "text", ["no slots", "{{query}} only", "{{query}} {{context}} {{label}}"]
)
def test_a_prompt_with_missing_or_unknown_slots_is_an_error(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "p.txt"
    path.write_text(text)
    with pytest.raises(DataError, match="needs the slots {{context}}, {{query}}"):
        from_file(str(path), SLOTS)
    with pytest.raises(DataError, match="no such file"):
        from_file(str(tmp_path / "other.txt"), SLOTS)


@given(st.text(), st.text())
def test_values_are_never_substituted_again(query: str, context: str) -> None:
    filled = fill(
        "{{query}}|{{context}}",
        {"query": query + "{{context}}{0}", "context": context + "{{query}}"},
    )
    assert filled == f"{query}{{{{context}}}}{{0}}|{context}{{{{query}}}}"


@pytest.mark.parametrize(
    "base", ["nq.txt", "nq_free.txt", "garage.txt", "garage_free.txt"]
)
def test_the_permission_to_ask_back_stands_before_the_item_and_the_confidence(
    base: str,
) -> None:
    permission = "you may ask back instead of refusing"
    assert permission not in prompt_text(base=base)
    text = prompt_text(confidence=True, base=base, ask=True)
    head, heading, item = text.partition("QUESTION\n{{query}}")
    assert heading
    assert permission not in item
    assert 0 < head.index(permission) < head.index("CONFIDENCE: LEVEL")

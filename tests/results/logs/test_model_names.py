"""Short names of models."""

from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.results.logs.model_names import short_names

NAMES = st.lists(st.text("ab/ ", max_size=6), max_size=8)


def test_the_provider_goes_first() -> None:
    names = ["openai-api/fake/meta-llama/Llama-3.1-8B-Instruct", "openai-api/fake/meta-llama/Llama-3.3-70B-Instruct"]
    assert list(short_names(names).values()) == ["Llama-3.1-8B-Instruct", "Llama-3.3-70B-Instruct"]


def test_one_model_at_two_providers_keeps_them() -> None:
    assert short_names(["openai/gpt-4o", "azure/gpt-4o", "openai/gpt-4o-mini"]) == {
        "openai/gpt-4o": "openai/gpt-4o",
        "azure/gpt-4o": "azure/gpt-4o",
        "openai/gpt-4o-mini": "gpt-4o-mini",
    }


def test_a_name_that_ends_another_stays() -> None:
    assert short_names(["gpt-4o", "openai/gpt-4o", "gpt-4o"]) == {"gpt-4o": "gpt-4o", "openai/gpt-4o": "openai/gpt-4o"}


@given(NAMES)
def test_different_names_stay_different(names: list[str]) -> None:
    short = short_names(names)
    assert set(short) == set(names)
    assert len(set(short.values())) == len(set(names))
    assert all(name.endswith(ending) for name, ending in short.items())
    assert all(short[name].strip() for name in names if name.strip(" /"))

"""A task and the model of its settings say the same: names, kinds and defaults; and a
task hands every argument on.
"""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import pytest
from pydantic import TypeAdapter

from refusalbench_tasks.arguments import Arguments
from refusalbench_tasks.collect.settings import CollectSettings
from refusalbench_tasks.generators.perturb_settings import PerturbSettings
from refusalbench_tasks.own.questions.question_settings import QuestionSettings
from refusalbench_tasks.search.search_settings import SearchSettings
from refusalbench_tasks.tasks.bluff import BluffSettings
from refusalbench_tasks.tasks.refusal_task import RefusalSettings

LIMITS = {
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "title",
    "description",
    "default",
}
"""What a schema says beside the kind of a value."""


@dataclass(frozen=True)
class Pair:
    """A task and the model of its settings."""

    task: str
    settings: type[Arguments]
    required: Mapping[str, str] = field(default_factory=dict)
    lacks: frozenset[str] = frozenset()
    """Settings that are not the task's."""

    @property
    def parameters(self) -> dict[str, inspect.Parameter]:
        *named, others = inspect.signature(self.function).parameters.values()
        assert others.kind is inspect.Parameter.VAR_KEYWORD
        return {parameter.name: parameter for parameter in named}

    @property
    def function(self) -> Any:
        return getattr(self.module, self.task)

    @property
    def module(self) -> Any:
        return import_module(f"refusalbench_tasks.tasks.{self.task}")


LANGUAGES = frozenset({"language", "question_language"})
PAIRS = (
    Pair("nq", RefusalSettings, lacks=frozenset({"raf"})),
    Pair("garage", RefusalSettings, lacks=LANGUAGES | {"prompt_language"}),
    Pair("bluff", BluffSettings),
    Pair("perturb", PerturbSettings, {"bases": "rows.jsonl"}),
    Pair("question", QuestionSettings, {"corpus": "chunks.jsonl"}),
    Pair("collect", CollectSettings, {"search": "brave"}),
    Pair("search", SearchSettings, lacks=LANGUAGES | {"raf"}),
)


@pytest.fixture(params=PAIRS, ids=lambda pair: pair.task)
def pair(request: pytest.FixtureRequest) -> Pair:
    chosen: Pair = request.param
    return chosen


def kind_of(schema: dict[str, Any]) -> Any:
    """What kind of value a schema is for, without its limits."""
    if "anyOf" in schema:
        return {str(kind_of(part)) for part in schema["anyOf"]}
    return {key: value for key, value in schema.items() if key not in LIMITS}


def test_a_task_has_the_settings_of_its_model(pair: Pair) -> None:
    assert set(pair.parameters) == set(pair.settings.model_fields) - pair.lacks


def test_an_argument_is_of_the_kind_that_its_model_takes(pair: Pair) -> None:
    taken = pair.settings.model_json_schema()["properties"]
    for name, parameter in pair.parameters.items():
        kind = parameter.annotation
        if name in pair.required:
            # without it the model says what it may be
            assert parameter.default is None
            kind = str
        written = TypeAdapter(kind).json_schema()
        assert kind_of(written) == kind_of(taken[name]), name


def test_the_defaults_of_a_task_are_those_of_its_model(pair: Pair) -> None:
    defaults = {name: one.default for name, one in pair.parameters.items()}
    assert pair.settings(**{**defaults, **pair.required}) == pair.settings(
        **pair.required
    )


def test_a_task_hands_every_argument_to_its_model(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    class HandedError(Exception):
        pass

    def record(**values: object) -> None:
        raise HandedError(values)

    monkeypatch.setattr(pair.module, pair.settings.__name__, record)
    given = {name: object() for name in pair.parameters}
    with pytest.raises(HandedError) as handed:
        pair.function(**given)
    assert handed.value.args[0] == given


def test_an_argument_that_a_task_lacks_is_told_before_all_others(pair: Pair) -> None:
    with pytest.raises(ValueError, match=f"^{pair.task}: unknown argument 'colour'; "):
        pair.function(colour="red", seed="blue")

"""Files of rules: what they may say, and how they are told what is wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.gate.rules import (
    Rule,
    Rules,
    number_of,
    read_rules,
    stated_rule,
)


def test_a_file_of_rules() -> None:
    text = """
max_unscored: 0.02
rules:
  - {metric: false_refusal_rate, max: 0.1}
  - metric: refusal_accuracy
    min: 0.6
    task: nq
    where: {class: P-Ambiguity}
  - {metric: refusal_accuracy, no_worse_than: 0.03}
  - {metric: refusal_rate, no_worse_than: 0, better: lower}
"""
    found = read_rules(text, "gate.yaml")
    assert found.max_unscored == 0.02
    assert [rule.limits for rule in found.rules] == [
        [("max", 0.1)],
        [("min", 0.6)],
        [],
        [],
    ]
    assert [found.loss_of(rule) for rule in found.rules] == [
        None,
        None,
        ("min", -0.03),
        ("max", 0),
    ]
    assert found.rules[1].where == {"class": "P-Ambiguity"}
    assert found.need_baseline


@pytest.mark.parametrize(
    "text, told",
    [
        ("", "gate.yaml: expected `rules:`"),
        ("rules: []", "gate.yaml, field 'rules': no rule"),
        (
            "rules: [{metric: a, max: lots}]",
            "gate.yaml, rule 1, field 'max': Input should be a valid number",
        ),
        (
            "rules: [{metric: a, max: .nan}]",
            "gate.yaml, rule 1, field 'max': Input should be a finite number",
        ),
        (
            "rules: [{metric: a, max: 1}, {max: 1}]",
            "gate.yaml, rule 2, field 'metric': Field required",
        ),
        (
            "rules: [{metric: a, maximum: 1}]",
            "gate.yaml, rule 1, field 'maximum': no such field; known: metric, max",
        ),
        (
            "rules: [{metric: a, max: 1, by: document, where: {source_document: x}}]",
            "gate.yaml, rule 1: by and where are about one column (document)",
        ),
        (
            "rules: [{metric: a}]",
            "gate.yaml, rule 1: a rule needs max, min or no_worse_than",
        ),
        (
            "rules: [{metric: a, min: 2, max: 1}]",
            "gate.yaml, rule 1: min (2) is above max (1)",
        ),
        (
            "rules: [{metric: refusal_rate, no_worse_than: 0.1}]",
            "gate.yaml, rule 1: say which is better",
        ),
        (
            "max_unscored: 5\nrules: [{metric: a, max: 1}]",
            "gate.yaml, field 'max_unscored': Input should be less",
        ),
        (
            "unscored: 5\nrules: []",
            "gate.yaml, field 'unscored': no such field; known: rules, max_no_reply",
        ),
        ("rules: [", "gate.yaml: not valid YAML (line 1"),
        ("a: 1\na: 2", "gate.yaml: not valid YAML (line 1: a key is there twice"),
    ],
)
def test_a_bad_file_is_told_by_its_name_rule_and_field(text: str, told: str) -> None:
    with pytest.raises(DataError) as error:
        read_rules(text, "gate.yaml")
    assert str(error.value).startswith(told)
    assert "\n" not in str(error.value)


@given(st.text())
def test_no_text_ends_in_another_error(text: str) -> None:
    with pytest.raises(DataError):
        read_rules(text, "gate.yaml")


def test_limits_of_a_command_line() -> None:
    assert stated_rule("false_refusal_rate = 0.1", "max") == Rule(
        metric="false_refusal_rate", max=0.1
    )
    for bad in ("false_refusal_rate", "=0.1", "a=", "a=nan", "a=inf", "a=1=2"):
        with pytest.raises(DataError, match="^--max: "):
            stated_rule(bad, "max")
    assert number_of("1e-3", "--no-worse-than") == 0.001


def test_a_loss_for_every_limit_takes_the_direction_of_the_limit() -> None:
    rules = Rules(
        rules=(
            Rule(metric="refusal_rate", max=0.3, task="nq"),
            Rule(metric="refusal_rate", min=0.1),
            Rule(metric="answer_accuracy", min=0.1, where={"class": "x"}),
            Rule(metric="answer_accuracy", min=0.1, max=0.9),
            Rule(metric="answer_accuracy", no_worse_than=0.2),
        )
    )
    assert not rules.model_copy(update={"rules": rules.rules[:4]}).need_baseline
    rules = rules.model_copy(update={"no_worse_than": 0.03})
    assert [rules.loss_of(rule) for rule in rules.rules] == [
        ("max", 0.03),
        ("min", -0.03),
        None,
        None,
        ("min", -0.2),
    ]


def test_rules_by_retrieved_document_need_the_texts_of_a_log() -> None:
    rules = read_rules(
        "rules: [{metric: refusal_rate, max: 1, by: retrieved_document}]", "f"
    )
    assert rules.need_texts
    assert not read_rules("rules: [{metric: refusal_rate, max: 1}]", "f").need_texts

"""The table of metrics: what a row must say, and the pages that define each."""

import re
from collections.abc import Collection
from pathlib import Path

import refusalbench_tasks
from refusalbench_tasks.metrics.feature_rows import feature_metrics
from refusalbench_tasks.metrics.hedging_metrics import HEDGING_METRICS
from refusalbench_tasks.metrics.metric import OURS
from refusalbench_tasks.metrics.metric_table import (
    ARM_METRICS,
    METRICS,
    label_of,
    metric_named,
)
from refusalbench_tasks.metrics.refusal_metrics import RATES, REFUSAL_METRICS
from refusalbench_tasks.metrics.spending import SPENDING
from refusalbench_tasks.replies.confidence import LEVELS

DOCS = Path(refusalbench_tasks.__file__).parents[1] / "docs"
NAME = re.compile(r"`([\w/]+)`")


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def table_rows(text: str) -> list[tuple[list[str], str]]:
    """Return the names and the definition of each line of the tables with a column
    `metric`.
    """
    rows = []
    column = None
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|"):
            column = None
        elif "metric" in cells:
            column = cells.index("metric")
        elif column is not None and NAME.search(cells[column]):
            rows.append((NAME.findall(cells[column]), cells[-1]))
    return rows


def defined_in(*pages: str) -> list[str]:
    return [
        name for file in pages for names, _ in table_rows(page(file)) for name in names
    ]


def pattern(name: str) -> str:
    """Return a name as a page has it, one for all levels of confidence."""
    level, slash, what = name.partition("/")
    return f"LEVEL/{what}" if slash and level in LEVELS else name


def assert_defined_once(metrics: Collection[str], names: list[str]) -> None:
    assert sorted(names) == sorted({pattern(name) for name in metrics})


def test_the_pages_define_every_metric_once_and_no_other() -> None:
    assert_defined_once(REFUSAL_METRICS, defined_in("metrics.md", "garage.md"))
    assert_defined_once(HEDGING_METRICS, defined_in("bluff.md"))
    assert_defined_once(feature_metrics(), defined_in("search.md"))
    by_arm = page("bluff.md").partition("### By arm")[2].partition("\n#")[0]
    assert set(ARM_METRICS) <= set(NAME.findall(by_arm))
    assert set(SPENDING) <= set(NAME.findall(page("compare.md")))


def test_the_page_says_of_each_rate_whether_it_is_the_papers() -> None:
    for names, definition in table_rows(page("metrics.md"))[: len(RATES)]:
        for name in names:
            ours = name in RATES and RATES[name].source == OURS
            assert ours == ("(ours)" in definition), name


def test_a_name_that_two_kinds_of_tasks_have_is_told_alike() -> None:
    both = set(HEDGING_METRICS) & set(REFUSAL_METRICS)
    assert both == {"refusal_rate", "no_reply_rate", "unscored_rate", "ece", "brier"}
    for name in both:
        one, other = HEDGING_METRICS[name], REFUSAL_METRICS[name]
        assert (one.better, one.bounded, one.graded, one.label) == (
            other.better,
            other.bounded,
            other.graded,
            other.label,
        )
    assert not set(SPENDING) & (set(HEDGING_METRICS) | set(REFUSAL_METRICS))


def test_an_arm_has_the_row_of_its_metric_and_a_difference_is_no_share() -> None:
    clear = metric_named("ece_clear")
    gap = metric_named("refusal_rate_difference")
    assert clear
    assert gap
    assert (clear.better, clear.label) == ("lower", "ECE clear")
    assert (gap.better, gap.bounded) == ("neither", False)
    assert metric_named("no_such_metric") is None


def test_errors_are_better_lower_wherever_they_are_counted() -> None:
    errors = ("uncited_answers", "hallucination", "kind_false_refusal", "ece_answers")
    assert {METRICS[name].better for name in (*errors, *SPENDING)} == {"lower"}
    assert METRICS["control_false_refusal_rate"].better == "lower"


def test_what_rests_on_grades_says_so_and_what_is_counted_does_not() -> None:
    graded = ("answer_accuracy", "kind_good_answer", "raf_attempts", "vui", "brier")
    assert all(METRICS[name].graded for name in graded)
    counted = ("false_refusal_rate", "citation_existence", "retrieved_k", "asi")
    assert not any(METRICS[name].graded for name in (*counted, *SPENDING))


def test_headings_have_words_and_names_in_capitals_where_the_field_has_them() -> None:
    names = ("vui", "brier", "detection_f1", "answer_accuracy", "CONFIDENT/share")
    assert [label_of(name) for name in names] == [
        "VUI",
        "Brier score",
        "detection F1",
        "answer accuracy",
        "CONFIDENT: share",
    ]
    assert label_of("output_tokens") == "output tokens"

"""What became of the questions to a system of one's own, beside its last run."""

from refusalbench_tasks.report.question_counts import counts_sentence
from refusalbench_tasks.report.section import section_of
from refusalbench_tasks.taxonomy import Label
from tests.report.own_runs import BEFORE, NO, NOW, A, own_group, own_run, sample
from tests.results.synthetic import row, run

UNDECIDED = row("u3", None)
UNDECIDED.metadata["codes"] = False


def test_the_sentence_counts_in_four_and_says_what_it_was_before() -> None:
    group = own_group()
    [system] = group.shown
    assert system.label == "assistant"
    assert counts_sentence(group, system) == (
        "Of the 4 questions that the documents answer: answered right 1; answered wrong"
        " 0 (1 before); declined wrongly 0 (1 before); no reply to 1 (0 before);"
        " answered, ungraded 2 (1 before). Of the 2 questions that the documents don't"
        " answer: declined rightly 0 (1 before); made up an answer to 2 (95\u00a0% CI"
        " 34\u00a0% to 100\u00a0%; 1 before)."
    )


def test_without_an_earlier_run_the_counts_stand_alone() -> None:
    group = own_group(BEFORE)
    sentence = counts_sentence(group, group.shown[0])
    assert "before" not in sentence
    assert sentence.endswith(
        "made up an answer to 1 (95\u00a0% CI 9\u00a0% to 91\u00a0%)."
    )


def test_a_ci_says_of_how_many_questions_it_is_where_some_are_not_known() -> None:
    group = own_group(own_run("03", sample("u1", A), sample("u2", NO), UNDECIDED))
    assert "(95\u00a0% CI 9\u00a0% to 91\u00a0% of the 2 known)" in counts_sentence(
        group, group.shown[0]
    )


def test_a_system_that_is_silent_on_everything_is_said_to_be() -> None:
    silent = own_run("03", sample("a1", None), sample("u1", None))
    group = own_group(silent)
    assert counts_sentence(group, group.shown[0]) == (
        "Of the 1 question that the documents answer: no reply to 1. Of the 1"
        " question that the documents don't answer: no reply to 1."
    )


def test_the_page_of_ones_own_system_has_none_of_the_papers_figures() -> None:
    section = section_of(own_group())
    assert [figure.key for figure in section.figures] == ["counts", "trend"]
    assert [figure.source for figure in section.figures] == ["", ""]
    assert section.undrawn == []
    assert section.tables[0].title == "What changed since the last run"
    assert section.details[0].key == "overview"


def test_a_model_is_no_system_of_ones_own() -> None:
    model = run([row("a", Label.MISSING)])
    assert not own_group(model).own
    assert own_group(NOW).own

"""The figures of what writers made and verifiers voted."""

from refusalbench_tasks.report.figures import generation
from refusalbench_tasks.results.verifier_panel import panel_of
from refusalbench_tasks.taxonomy import Intensity
from tests.report.figures.drawn import shown
from tests.results.voted_logs import AMBIGUITY, RUNS, A, B, item, run

PANEL = panel_of(RUNS)
ONE_VERIFIER = panel_of([run(A, item(A, "1", AMBIGUITY, Intensity.LOW, b=True))])


def test_figures_show_rates_by_writer_verifier_and_class() -> None:
    assert shown(generation.verdicts(PANEL)).panels[""][A, B].value == 2 / 3
    shares = shown(generation.self_and_cross(PANEL)).series
    assert [share.value for share in shares["self"]] == [2 / 3, 1.0]
    bias = shown(generation.self_bias_by_class(PANEL)).series
    assert bias[A][0].value == 0.5
    agreement = shown(generation.kappa(PANEL)).panels[""]
    assert agreement[A, B] == agreement[B, A]


def test_classes_stand_in_the_papers_order() -> None:
    figure = generation.pass_rates_by("class")(PANEL)
    assert shown(figure).rows == ["P-Ambiguity", "P-EpistemicMismatch"]


def test_what_votes_do_not_allow_says_why() -> None:
    for figure in (
        generation.self_and_cross(ONE_VERIFIER),
        generation.self_bias_by_class(ONE_VERIFIER),
    ):
        assert "no writer is a verifier" in str(figure)
    assert "fewer than two verifiers" in str(generation.kappa(ONE_VERIFIER))

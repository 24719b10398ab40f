"""What searching came to, in two figures."""

from pathlib import Path

import pytest

from refusalbench_tasks.report.figures import searching
from refusalbench_tasks.report.figures.catalogue import figures_of
from refusalbench_tasks.report.groups import Group, groups_of
from refusalbench_tasks.results.table import read_logs
from refusalbench_tasks.search.search_baselines import search_endless, search_oracle
from refusalbench_tasks.solvers.baselines import always_refuse
from refusalbench_tasks.taxonomy import Label
from tests.report.figures.drawn import group, low, shown
from tests.search.searching import searched


@pytest.fixture(scope="module")
def agents(tmp_path_factory: pytest.TempPathFactory) -> Group:
    folder = tmp_path_factory.mktemp("agents")
    for number, solver in enumerate(
        (search_oracle(), always_refuse(), search_endless())
    ):
        searched(folder / str(number), solver=solver)
    [only] = groups_of(read_logs([str(folder)]).runs)
    return only


def test_what_happened_to_the_rows_of_each_system_is_a_share_of_the_answerable(
    agents: Group,
) -> None:
    chart = shown(searching.what_happened(agents))
    happened = {}
    for name, counts in chart.counts.items():
        [happened[name]] = counts
    assert happened == {
        "search_oracle": "found and answered",
        "always_refuse": "gave up early",
        "search_endless": "ran out, or no reply",
    }
    assert len({chart.n(name) for name in chart.counts}) == 1


def test_right_replies_are_counted_by_the_searches_that_they_took(
    agents: Group,
) -> None:
    lines = shown(searching.by_budget(agents)).lines
    answers = [point.y.value for point in lines["search_oracle: right answers"]]
    assert answers[0] == 0
    assert 0 < answers[1] < 1
    assert answers[2] == 1
    [refusals] = lines["always_refuse: right refusals"]
    assert 0 < refusals.y.value < 1
    assert {point.y.value for point in lines["search_endless: right answers"]} == {0}


def test_runs_that_did_not_search_have_no_such_figure(tmp_path: Path) -> None:
    plain = group(tmp_path, {"m": [low("1", Label.ANSWER), low("2", Label.ANSWER)]})
    figures, undrawn = figures_of(plain)
    assert "searching" not in {figure.key for figure in figures}
    assert not [name for name, _ in undrawn if "search" in name]

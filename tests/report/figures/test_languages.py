"""Error rates by language, in a figure."""

from pathlib import Path

from refusalbench_tasks.report.charts import Figure
from refusalbench_tasks.report.figures.catalogue import figures_of
from refusalbench_tasks.report.groups import groups_of
from refusalbench_tasks.results.table import read_logs
from tests.report.figures.drawn import shown
from tests.tasks.test_languages import CODE, run


def keys(logs: Path) -> dict[str, Figure]:
    """Return the figures of the one group of some logs, by key."""
    [group] = groups_of(read_logs([str(logs)], texts=True).runs)
    return {figure.key: figure for figure in figures_of(group)[0]}


def test_each_language_stands_beside_english(tmp_path: Path) -> None:
    def reply(prompt: str) -> str:
        return CODE if " der " in prompt else "42"

    run(tmp_path, reply, language="en,de")
    chart = shown(keys(tmp_path)["languages"])
    names = [name.rpartition(", ")[2] for name in chart.names]
    assert sorted(names) == ["de", "en"]
    german, english = names.index("de"), names.index("en")
    for values in chart.series.values():
        assert values[german].known
    [_, missed] = chart.series.values()
    assert missed[english].value == 1 > missed[german].value
    for title, values in chart.series.items():
        assert chart.marks[title] == [values[english].value] * 2


def test_rows_of_one_language_have_no_such_figure(tmp_path: Path) -> None:
    run(tmp_path, language="de")
    assert "languages" not in keys(tmp_path)

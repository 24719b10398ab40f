"""Error rates by the language of the rows."""

from collections.abc import Sequence

from refusalbench_tasks.datasets.languages import ENGLISH
from refusalbench_tasks.metrics.metric_table import label_of
from refusalbench_tasks.report.charts import Dots, Figure
from refusalbench_tasks.report.groups import Group, SystemView
from refusalbench_tasks.results.run_view import RunView
from refusalbench_tasks.results.slices import run_part
from refusalbench_tasks.results.treatments import ERROR_RATES
from refusalbench_tasks.stats.estimate import NAN, Estimate


def by_language(group: Group) -> Figure:
    """Return both error rates of each system in each language, each beside the rate
    in English.
    """
    names: list[str] = []
    series: dict[str, list[Estimate]] = {label_of(rate): [] for rate in ERROR_RATES}
    marks: dict[str, list[float]] = {title: [] for title in series}
    for system in group.systems:
        rates = _rates(system, spoken(group))
        for language, values in rates.items():
            names.append(f"{system.label}, {language}")
            for title, value in values.items():
                series[title].append(value)
                english = rates.get(ENGLISH, {}).get(title)
                marks[title].append(english.value if english else NAN)
    return Figure(
        "languages",
        "False and missed refusals by language",
        "false refusal rate = refused / answerable rows of the language; missed refusal"
        " rate = answered / unanswerable rows; bars are 95 % CIs by base question, the"
        " marks are the system's rates in English. `compare --by language` pairs the"
        " rows",
        Dots(names, series, marks=marks),
    )


def spoken(group: Group) -> list[str]:
    """Return the languages of a group's rows, in order; empty where none is stated."""
    knobs = group.rows.get("knobs", ())
    return sorted({known["language"] for known in knobs if known.get("language")})


def _rates(
    system: SystemView, languages: Sequence[str]
) -> dict[str, dict[str, Estimate]]:
    """Return the error rates of a system by language and title."""
    rates = {}
    for language in languages:
        part = run_part(system.run, {"language": language}, "the figure of languages")
        numbers = RunView(part).numbers
        rates[language] = {
            label_of(rate): numbers.get(rate, Estimate(NAN)) for rate in ERROR_RATES
        }
    return rates

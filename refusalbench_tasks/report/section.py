"""One part of a report: the runs over one data set, what was found, their tables and
figures.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from refusalbench_tasks.tables import Table

from .charts import Figure
from .figures.catalogue import figures_of
from .figures.data_sets import one_against_ten
from .findings import Finding, findings
from .fix_first import fix_first
from .groups import Group, SystemView
from .hedging_tables import hedging_overview, hedging_tables
from .question_counts import counts_sentence
from .refusal_tables import more_tables, overview
from .sentences import hedging_sentence, refusal_sentence
from .styles import Looks
from .turned_rows import turned_rows


@dataclass(frozen=True)
class Section:
    """A part of the page: tables at its head, figures, what can't be drawn and why, and
    tables that are folded.
    """

    key: str
    title: str
    warnings: Sequence[str] = ()
    findings: Sequence[Finding] = ()
    tables: Sequence[Table] = ()
    figures: Sequence[Figure] = ()
    undrawn: Sequence[tuple[str, str]] = ()
    details: Sequence[Table] = ()
    looks: Looks = field(default_factory=dict)


def section_of(group: Group) -> Section:
    """Return the section of runs of one task over the same rows."""
    figures, undrawn = figures_of(group)
    sentence_of: Callable[[SystemView], str] = hedging_sentence
    if group.systems[0].run.refusal:
        sentence_of = refusal_sentence
        if group.own:
            sentence_of = partial(counts_sentence, group)
        turned = [turned_rows(group, system) for system in group.shown if group.own]
        tables = [*[table for table in turned if table.rows], *fix_first(group)]
        details = more_tables(group)
        # a model is compared by these, a system of one's own by what became of its
        # questions
        (details if group.own else tables).insert(0, overview(group))
    else:
        tables = [hedging_overview(group)]
        details = hedging_tables(group)
    looks = {system.label: system.look for system in group.systems}
    return Section(
        group.key,
        group.title,
        group.warnings,
        findings(group, sentence_of),
        tables,
        figures,
        [] if group.own else undrawn,
        [table for table in details if table.rows],
        looks,
    )


def sections_of(groups: Sequence[Group]) -> list[Section]:
    """Return the sections of runs, and that of models that were run on both `nq` and
    `garage`.
    """
    sections = list(map(section_of, groups))
    figure = one_against_ten(groups)
    if figure:
        sections.append(Section("nq-garage", "nq and garage", figures=[figure]))
    return sections

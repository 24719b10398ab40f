"""What to fix first: documents and kinds of question by lost answers and by
hallucinations that got through.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from refusalbench_tasks.bounded_reading import data_yaml
from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.tables import Table, TableRow
from refusalbench_tasks.taxonomy import Label

from .groups import Group, SystemView

_MOST = 4
"""Lines of a system and of each kind of part."""
_EXAMPLES = 3
_LONGEST = 120
"""Letters of a question or a reply in an example."""
_TEXTS = data_yaml("report", "fix_first.yaml")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def fix_first(group: Group) -> list[Table]:
    """Return where each system of `nq` or `garage` fails most often, and by which
    documents it was misled, the most failures first, with examples.

    Parts are source documents where rows name them, the retrieved documents that
    replies rest on, and kinds of question; parts without a failure are left out, and
    baselines beside a system. No table without any.
    """
    systems = [system for system in group.shown if not system.run.baseline]
    systems = systems or group.shown
    parts = []
    misled = []
    for system in systems:
        about = {"system": system.label} if len(systems) > 1 else {}
        parts += [about | line for line in _worst_parts(system)]
        misled += [about | line for line in _misled(system)]
    tables = [_table("fix-first", parts), _table("misled", misled)]
    return [table for table in tables if table.rows]


def _table(key: str, rows: Sequence[TableRow]) -> Table:
    """Return a table whose caption speaks of the columns with a value alone."""
    texts = _TEXTS["tables"][key]
    notes = []
    for name, note in texts["notes"].items():
        if any(row[name] != "" for row in rows):
            notes.append(note)
    return Table(
        key,
        texts["title"],
        rows,
        " ".join(notes),
    )


def _worst_parts(system: SystemView) -> Iterator[TableRow]:
    replies = system.rows[system.rows["outcome"] != "unscored"]
    due = replies["expected"] == Label.ANSWER
    answered = replies["predicted"] == Label.ANSWER
    lost = due & (~answered | (replies["right"] == 0))
    through = ~due & answered
    failures = replies.assign(
        due=due,
        lost=lost,
        through=through,
        failed=lost | through,
        ungraded=due & answered & replies["right"].isna(),
        document=replies["source_document"].fillna(""),
        question=_kinds(replies),
    )
    failures["retrieved document"] = replies["retrieved_document"].fillna("")
    for what in ("document", "retrieved document", "question"):
        failed = failures[failures["failed"] & (failures[what] != "")]
        counts = failed.groupby(what).size().sort_values(ascending=False, kind="stable")
        for name in counts.index[:_MOST]:
            yield _line(
                what,
                str(name),
                failures[failures[what] == name],
            )


def _misled(system: SystemView) -> Iterator[TableRow]:
    """Yield a line for each retrieved document that answers rest on in place of the
    row's own, those of right answers left out.
    """
    rows = system.rows.fillna({"retrieved_document": "", "source_document": ""})
    answered = rows[(rows["predicted"] == Label.ANSWER) & (rows["right"] != 1)]
    answered = answered[answered["retrieved_document"] != ""]
    due = answered["expected"] == Label.ANSWER
    answered.loc[~due, ["source_document", "contradicted_by"]] = ""
    pairs = answered.groupby(["retrieved_document", "source_document"])
    for (rested_on, own), part in sorted(pairs, key=lambda pair: -len(pair[1])):
        others = sorted({*part["contradicted_by"]} - {""})
        outdated = part["outdated"].dropna() != ""
        if rested_on == own and not (others or outdated.any()):
            continue
        years = [max(_YEAR.findall(name), default="") for name in (rested_on, own)]
        yield {
            "rests on": rested_on,
            "in place of": own or "(no document answers it)",
            "replies": len(part),
            "wrong": int((part["right"] == 0).sum()),
            "ungraded": int(part["right"].isna().sum()),
            "years": f"{years[0]}, not {years[1]}" * ("" < years[0] < years[1]),
            "outdated": _count_of(outdated, len(outdated)),
            "contradicted by": ", ".join(others),
            "examples": _examples(part),
        }


def _kinds(replies: "pd.DataFrame") -> "pd.Series[str]":
    """Return the kind of question in plain words: by the class of the row, else as the
    data name it.
    """
    kinds = _TEXTS["classes"]
    named = replies["question_type"].where(replies["question_type"] != "", kinds[""])
    by_class = replies["class"].map(kinds).where(replies["class"] != "", named)
    unanswered = replies["question_type"].map(_TEXTS["unanswered"])
    return unanswered.fillna(by_class).fillna("")


def _line(what: str, name: str, part: "pd.DataFrame") -> TableRow:
    known = part[part["lost"]]["gold_retrieved"].dropna()
    graded = part["due"] & ~part["ungraded"]
    ungraded = ""
    if part["ungraded"].any():
        ungraded = _count_of(part["ungraded"], part["due"].sum())
    return {
        "part": what,
        "where": name,
        "lost answers": _count_of(part["lost"], graded.sum()),
        "ungraded": ungraded,
        "retrieved": _count_of(known, len(known)),
        "made up": _count_of(part["through"], (~part["due"]).sum()),
        "examples": _examples(part[part["failed"]]),
    }


def _examples(replies: "pd.DataFrame") -> str:
    lines = []
    examples = replies.head(_EXAMPLES)
    for question, reply in zip(
        examples["question_text"], examples["reply"], strict=True
    ):
        lines.append(
            f"{short_text(question) or '?'} → {short_text(reply) or '(no reply)'}"
        )
    return "\n".join(lines)


def _count_of(hits: "pd.Series[Any]", among: int) -> str:
    return f"{int(hits.sum())} of {among}" if among else ""


def short_text(text: str | None) -> str:
    """Return a question or a reply on one line, cut."""
    plain = one_line(text or "")
    return plain if len(plain) <= _LONGEST else f"{plain[:_LONGEST]} …"

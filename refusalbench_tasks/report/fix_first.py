"""What to fix first: documents and kinds of question by lost answers and by
hallucinations that got through.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.report.groups import Group, SystemView
from refusalbench_tasks.tables import Table, TableRow
from refusalbench_tasks.taxonomy import Label, PerturbationClass

if TYPE_CHECKING:
    import pandas as pd

_MOST = 4
_EXAMPLES = 3
_LONGEST = 80
"""Lines of a system and of each kind of part, examples of a line, and letters of a
question or a reply in one.
"""
_KINDS: Mapping[str, str] = {
    "": "plain questions",
    PerturbationClass.AMBIGUITY: "questions with several meanings",
    PerturbationClass.CONTRADICTION: "documents that contradict each other",
    PerturbationClass.MISSING_INFO: "details that the documents lack",
    PerturbationClass.FALSE_PREMISE: "questions that take something false for granted",
    PerturbationClass.GRANULARITY: (
        "questions that are finer or coarser than the documents"
    ),
    PerturbationClass.EPISTEMIC: "opinions and forecasts",
}
_UNANSWERED: Mapping[str, str] = {
    "near miss": "facts of another product, person or place",
    "plainly outside": "questions on another subject",
}
"""What the data call questions that nothing in an index answers, where the class says
less.
"""
_NOTE = (
    "Lost answers: of the questions that the documents answer, those to which the reply"
    " refuses, is empty or is wrong; answers that were not graded are counted apart."
    " Let through: of the questions that they don't, those to which the reply answers."
    " Retrieved: of the lost answers, those whose passage had been found, so that the"
    " reply is to blame and not the search; blank if unknown."
)


def fix_first(group: Group) -> list[Table]:
    """Return where each system of `nq` or `garage` fails most often, the most failures
    first, with examples.

    Parts are source documents where rows name them, and kinds of question; parts
    without a failure are left out, and baselines beside a system. No table without any.
    """
    own = [one for one in group.systems if not one.run.baseline]
    shown = own or group.systems
    rows = [
        {"system": one.label} | line if len(shown) > 1 else line
        for one in shown
        for line in _lines(one)
    ]
    return [Table("fix-first", "What to fix first", rows, _NOTE)] if rows else []


def _lines(system: SystemView) -> list[TableRow]:
    replies = system.rows[system.rows["outcome"] != "unscored"]
    due = replies["expected"] == Label.ANSWER.value
    lost = due & (
        (replies["predicted"] != Label.ANSWER.value) | (replies["right"] == 0)
    )
    answered = replies["predicted"] == Label.ANSWER.value
    ungraded = due & answered & replies["right"].isna()
    through = ~due & answered
    failed = replies.assign(due=due, lost=lost, through=through, ungraded=ungraded)
    lines = []
    for what, parts in (
        ("document", failed["source_document"].fillna("")),
        ("question", _kinds(failed)),
    ):
        named = failed[parts != ""].groupby(parts[parts != ""])
        worst = sorted(
            named,
            key=lambda part: (
                -int(part[1]["lost"].sum() + part[1]["through"].sum()),
                part[0],
            ),
        )
        lines += [
            _line(what, str(name), part)
            for name, part in worst[:_MOST]
            if (part.lost | part.through).any()
        ]
    return lines


def _kinds(replies: "pd.DataFrame") -> "pd.Series[str]":
    """Return the kind of question in plain words: by the class of the row, else as the
    data name it.
    """
    named = replies["question_type"].where(replies["question_type"] != "", _KINDS[""])
    by_class = (
        replies["class"].map(_KINDS).where(replies["class"] != "", named).fillna("")
    )
    return replies["question_type"].map(_UNANSWERED).fillna(by_class)


def _line(what: str, name: str, part: "pd.DataFrame") -> TableRow:
    known = part[part["lost"]]["gold_retrieved"].dropna()
    examples = part[part["lost"] | part["through"]].head(_EXAMPLES)
    return {
        "part": what,
        "where": name,
        "lost answers": _of(part["lost"], (part["due"] & ~part["ungraded"]).sum()),
        "not graded": (
            _of(part["ungraded"], part["due"].sum()) if part["ungraded"].any() else ""
        ),
        "retrieved": _of(known, len(known)),
        "let through": _of(part["through"], (~part["due"]).sum()),
        "examples": "\n".join(
            map(_example, examples["question_text"], examples["reply"])
        ),
    }


def _of(found: "pd.Series[Any]", among: int) -> str:
    return f"{int(found.sum())} of {among}" if among else ""


def _example(question: str | None, reply: str | None) -> str:
    return " → ".join((_short(question) or "?", _short(reply) or "(no reply)"))


def _short(text: str | None) -> str:
    plain = one_line(text or "")
    return plain if len(plain) <= _LONGEST else f"{plain[:_LONGEST]} …"

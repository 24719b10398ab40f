"""What to fix first: documents and kinds of question by lost answers and by hallucinations that got through."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from refusalbench_tasks.report.system import Group, ShownSystem
from refusalbench_tasks.tables import Table, TableRow
from refusalbench_tasks.taxonomy import Label, PerturbationClass

if TYPE_CHECKING:
    import pandas as pd

_MOST, _EXAMPLES, _LONGEST = 4, 3, 80
"""Lines of a system and of each kind of part, examples of a line, and letters of a question or a reply in one."""
_KINDS: Mapping[str, str] = {
    "": "plain questions",
    PerturbationClass.AMBIGUITY: "questions with several meanings",
    PerturbationClass.CONTRADICTION: "documents that contradict each other",
    PerturbationClass.MISSING_INFO: "details that the documents lack",
    PerturbationClass.FALSE_PREMISE: "questions that take something false for granted",
    PerturbationClass.GRANULARITY: "questions that are finer or coarser than the documents",
    PerturbationClass.EPISTEMIC: "opinions and forecasts",
}
_UNANSWERED: Mapping[str, str] = {
    "near miss": "facts of another product, person or place",
    "plainly outside": "questions on another subject",
}
"""What the data call questions that nothing in an index answers, where the class says less."""
_NOTE = (
    "Lost answers: the documents answer the question, and the reply refuses, is empty or is wrong. Let through: they "
    "do not, and the reply answers all the same. Retrieved: of the lost answers, those whose passage had been found, "
    "so that the reply is to blame and not the search; blank where nothing told."
)


def fix_first(group: Group) -> list[Table]:
    """Return where each system of `nq` or `garage` fails most often, the most failures first, with examples.

    Parts are source documents where rows name them, and kinds of question; parts without a failure are left out, and
    baselines beside a system. No table without any.
    """
    own = [one for one in group.systems if not one.run.baseline]
    rows = [line for one in own or group.systems for line in _lines(one)]
    return [Table("fix-first", "What to fix first", rows, _NOTE)] if rows else []


def _lines(system: ShownSystem) -> list[TableRow]:
    replies = system.rows[system.rows["outcome"] != "unscored"]
    due = replies["expected"] == Label.ANSWER.value
    lost = due & ((replies["predicted"] != Label.ANSWER.value) | (replies["right"] == 0))
    through = ~due & (replies["predicted"] == Label.ANSWER.value)
    failed = replies.assign(due=due, lost=lost, through=through)
    lines = []
    for what, parts in (("document", failed["source_document"].fillna("")), ("question", _kinds(failed))):
        named = failed[parts != ""].groupby(parts[parts != ""])
        worst = sorted(named, key=lambda part: (-int(part[1]["lost"].sum() + part[1]["through"].sum()), part[0]))
        lines += [
            _line(system, what, str(name), part) for name, part in worst[:_MOST] if (part.lost | part.through).any()
        ]
    return lines


def _kinds(replies: "pd.DataFrame") -> "pd.Series[str]":
    """Return the kind of question in plain words: by the class of the row, else as the data name it."""
    named = replies["question_type"].where(replies["question_type"] != "", _KINDS[""])
    by_class = replies["class"].map(_KINDS).where(replies["class"] != "", named).fillna("")
    return replies["question_type"].map(_UNANSWERED).fillna(by_class)


def _line(system: ShownSystem, what: str, name: str, part: "pd.DataFrame") -> TableRow:
    known = part[part["lost"]]["gold_retrieved"].dropna()
    examples = part[part["lost"] | part["through"]].head(_EXAMPLES)
    return {
        "system": system.label,
        "part": what,
        "where": name,
        "lost answers": int(part["lost"].sum()),
        "of questions with an answer": int(part["due"].sum()),
        "retrieved": f"{int(known.sum())} of {len(known)}" if len(known) else "",
        "let through": int(part["through"].sum()),
        "of questions without one": int((~part["due"]).sum()),
        "examples": "\n".join(map(_example, examples["question_text"], examples["reply"])),
    }


def _example(question: str | None, reply: str | None) -> str:
    return " → ".join((_short(question) or "?", _short(reply) or "(no reply)"))


def _short(text: str | None) -> str:
    plain = " ".join((text or "").split())
    return plain if len(plain) <= _LONGEST else f"{plain[:_LONGEST]} …"

"""The data card of base questions that were made from documents."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from refusalbench_tasks.generators.kit.card_front import front_matter
from refusalbench_tasks.generators.kit.card_parts import bullets, markdown
from refusalbench_tasks.own.questions.distinct import DistinctQuestions
from refusalbench_tasks.own.questions.question_logs import QuestionRun

NAME = "Questions from documents"
_SETTINGS = (
    "corpus", "corpus_fingerprint", "chunks", "documents", "planned", "questions", "kinds", "passages", "rivals",
    "closed_book", "keep_known", "self_reads", "seed",
)  # fmt: skip


def question_card(
    runs: Sequence[QuestionRun],
    distinct: DistinctQuestions,
    rows: Sequence[Mapping[str, Any]],
    settings: Mapping[str, Any],
    licence: str,
    strangers: int,
) -> str:
    """Return the card in Markdown: front matter, licence, provenance, composition, yield, what was left out, limits."""
    writers = sorted({run.header.eval.model for run in runs})
    ten = bool(rows) and "grounding" in rows[0]
    parts = [
        front_matter(NAME, licence, len(rows), writers, {"bases": "bases.jsonl"}),
        "# Data card",
        f"{len(rows)} questions with {'ten passages' if ten else 'one passage'} each, made from documents with "
        "`refusalbench_tasks/question` and exported with `refusalbench export`. All of them are answerable. They are "
        "base questions for `refusalbench_tasks/perturb`, and run in `nq` or `garage` as they are.",
        f"**Licence: {licence}** (of the documents; each row states its own).",
        "## Provenance",
        *(bullets(_run_lines(run)) for run in runs),
        "The export:",
        bullets([f"{name}: {value}" for name, value in settings.items()]),
        "## Composition",
        _counts(rows, "question_type", "kind"),
        _counts(rows, "split", "part"),
        f"Documents asked about: {len({row['document'] for row in rows})}. The parts share none of them.",
        f"Rows with a passage of a document that the other part asks about: {strangers}." if ten else "",
        "## Yield",
        "What came of every question that was written, by the first reason that spoke against it.",
        _reasons(runs),
        "## Left out",
        f"Of the accepted questions {distinct.repeats} repeat another one, and {distinct.conflicts} ask in the same "
        "words for different answers.",
        "## Limits",
        "Questions were written and read by models. Readers of one family share blind spots, and no person has "
        "checked these rows.",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _run_lines(run: QuestionRun) -> list[str]:
    noted = run.header.eval.metadata or {}
    readers = sorted({name for item in run.accepted for name in item.readers})
    lines = [f"writer: {run.header.eval.model}", f"readers: {', '.join(readers) or 'not noted'}"]
    lines.append(f"run: {run.header.eval.run_id}, {run.header.eval.created}, chunks with a score: {run.chunks}")
    lines += [f"{name}: {noted[name]}" for name in _SETTINGS if name in noted]
    prompts = noted.get("prompts") or {}
    return [*lines, *([f"prompts: {', '.join(f'{k} {v}' for k, v in prompts.items())}"] if prompts else [])]


def _reasons(runs: Sequence[QuestionRun]) -> str:
    outcomes = [one for run in runs for one in run.outcomes]
    names = {True: "accepted", False: "rejected", None: "undecided"}
    counts = Counter((names[one.accepted], one.reason or "") for one in outcomes)
    rows = [{"outcome": name, "reason": why, "questions": n} for (name, why), n in sorted(counts.items())]
    return markdown(rows) or "Nothing was written."


def _counts(rows: Sequence[Mapping[str, Any]], column: str, name: str) -> str:
    counts = Counter(str(row[column]) for row in rows)
    return markdown([{name: value, "questions": n} for value, n in sorted(counts.items())])

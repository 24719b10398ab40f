"""The data card of an exported set."""

from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from refusalbench_tasks.generators.agreement import panel_tables
from refusalbench_tasks.generators.balance import Distinct
from refusalbench_tasks.generators.generation_logs import Generated, GenerationRun
from refusalbench_tasks.generators.judged import Row
from refusalbench_tasks.prompting import bundled
from refusalbench_tasks.tables import Table
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED

PROMPTS = ("writer.txt", "writer_edits.txt", "writer_whole.txt", "reader.txt", "verifier.txt")


def data_card(
    runs: Sequence[GenerationRun],
    distinct: Distinct,
    rows: Sequence[Mapping[str, Any]],
    settings: Mapping[str, Any],
    licence: str,
) -> str:
    """Return the card in Markdown: licence, provenance, composition, yields, agreement."""
    items = [item for run in runs for item in run.items]
    parts = [
        "# Data card",
        f"{len(rows)} perturbed rows and their unperturbed originals, made with `refusalbench_tasks/perturb` and "
        "exported with `refusalbench export`.",
        f"**Licence: {licence}** (inherited from the base questions).",
        "## Provenance",
        _list([f"writer `{run.header.eval.model}`, {_about(run)}" for run in runs]),
        _list([f"prompt `{name}`: sha256 {_digest(name)}" for name in PROMPTS]),
        _list([f"{name}: {value}" for name, value in settings.items()]),
        "## Composition",
        _composition(rows),
        "## Yield",
        "A slot is a planned item; each attempt at it is a candidate. `yield` is accepted slots / slots.",
        _markdown(_yields(runs)),
        f"Of the accepted items {distinct.repeats} repeat another's input and {distinct.conflicts} share an input with "
        "an item of another label; both kinds are left out.",
        "## Agreement of the verifiers",
        _agreement(items),
        "## Limits",
        "Labels follow from class and intensity. Items were written and verified by models; the sheet in this folder "
        "is for validation by people, whose result is not part of this card.",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _about(run: GenerationRun) -> str:
    header = run.header
    roles = header.eval.model_roles or {}
    bound = roles.get("verifier", [])
    names = [str(model.model) for model in (bound if isinstance(bound, list) else [bound])]
    facts = header.eval.metadata or {}
    return (
        f"verifiers {', '.join(names) or '(none)'}, {header.eval.created[:10]}, seed {facts.get('seed')}, coverage "
        f"{facts.get('coverage')}, attempts {facts.get('attempts')}, verify {facts.get('verify')}, audit share "
        f"{facts.get('audit_share')}, bases `{facts.get('bases_fingerprint')}`, "
        f"task version {header.eval.task_version}"
    )


def _yields(runs: Sequence[GenerationRun]) -> list[Row]:
    rows: list[Row] = []
    for run in runs:
        accepted = [item.slot.slot_id for item in run.items if item.accepted]
        rows.append(
            {
                "writer": run.header.eval.model,
                "slots": run.slots,
                "candidates": len(run.items),
                "accepted": len(accepted),
                "accepted slots": len(set(accepted)),
                "undecided": sum(item.accepted is None for item in run.items),
                "yield": len(set(accepted)) / run.slots if run.slots else float("nan"),
            }
        )
    return rows


def _agreement(items: Sequence[Generated]) -> str:
    panel = panel_tables(items)
    if panel.note:
        return f"{panel.note[:1].upper()}{panel.note[1:]}."
    return _markdown(panel.tables["kappa"]) or "One verifier only."


def _composition(rows: Sequence[Mapping[str, Any]]) -> str:
    counts = Counter((row["perturbation_class"], row["intensity"]) for row in rows)
    table: list[Row] = [
        {"class": name.value, **{level.value: counts[name.value, level.value] for level in PERTURBED}}
        for name in CLASSES
    ]
    return _markdown(table)


def _digest(name: str) -> str:
    return sha256(bundled("refusalbench_tasks.generators", name).encode()).hexdigest()[:16]


def _list(lines: Sequence[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _markdown(rows: Sequence[Row]) -> str:
    return Table("", "", rows).as_markdown().rstrip()

"""How complete the runs of a section are, and who decided."""

from collections import Counter
from collections.abc import Iterable

from refusalbench_tasks.metrics.hedging_pairs import pairs
from refusalbench_tasks.report.system import Group, ShownSystem
from refusalbench_tasks.tables import Table, TableRow


def completeness(group: Group) -> Table:
    """Return how complete each run is, who decided and who graded; of `bluff` also why pairs are left out."""
    deciders = sorted({name for one in group.systems for name in one.run.main["decided_by"]} - {""})
    return Table("completeness", "Completeness, and who decided", [_complete(one, deciders) for one in group.systems])


def _complete(system: ShownSystem, deciders: Iterable[str]) -> TableRow:
    run, rows = system.run, system.run.main
    outcomes, by = Counter(rows["outcome"]), Counter(rows["decided_by"])
    return (
        {"system": system.label, "replies": len(rows), "controls": len(run.controls), "unscored": outcomes["unscored"]}
        | {"why": _listed(Counter(rows.loc[rows["outcome"] == "unscored", "reason"]))}
        | {"no reply": outcomes["no_reply"], "errors": len(run.lost), "never run": run.never_run}
        | (_of_refusal(system) if run.refusal else _of_hedging(system))
        | {f"by {decider}": by[decider] for decider in deciders}
        | {"self-graded": int(run.replies["self_graded"].sum()), "graders": ", ".join(sorted(run.graders)) or "none"}
        | {"status": run.status}
    )


def _of_refusal(system: ShownSystem) -> TableRow:
    rows = system.run.main
    ungraded = (rows["outcome"] == "decided") & rows["right"].isna()
    return {"ungraded": int(ungraded.sum()), "confidence unreadable": system.without_level[0]}


def _of_hedging(system: ShownSystem) -> TableRow:
    rows, dropped = system.rows, pairs(system.rows)["dropped"]
    ungraded = (rows["refused"] == 0) & rows["correctness"].isna()
    left_out = _listed(Counter(dropped[dropped != ""]))
    return {"ungraded": int(ungraded.sum()), "pairs": len(dropped), "pairs left out": left_out}


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{reason.replace('_', ' ')} {n}" for reason, n in sorted(counts.items()))

"""What was found of runs of `bluff`, and their tables."""

from collections.abc import Sequence

from refusalbench_tasks.metrics.metric_table import label_of
from refusalbench_tasks.metrics.source_factors import Effect
from refusalbench_tasks.report.estimate_cells import cells, row_of, row_of_system
from refusalbench_tasks.report.findings import Finding, Findings, findings, unscored
from refusalbench_tasks.report.groups import Group, SystemView
from refusalbench_tasks.report.sentences import hedging_sentence
from refusalbench_tasks.tables import Table, TableRow

_MAIN = (
    "asi",
    "confidence_drop",
    "hedging_difference",
    "vui",
    "hedge_precision",
    "hedge_recall",
    "source_set_on_hedging",
    "lexical_overconfidence",
    "refusal_rate",
    "refusal_count",
    "refusal_sensitivity",
    "missed_refusals",
    "answer_correctness",
    "faithfulness",
    "overlap",
    "attribution",
    "hallucination",
    "grounding",
    "ece",
    "brier",
    "confidence_accuracy_correlation",
    "no_reply_rate",
    "unscored_rate",
)
_SIGNS = (
    "auroc_confidence",
    "auroc_hedging",
    "aurc_confidence",
    "aurc_hedging",
    "hedged_correctness",
    "plain_correctness",
    "hedged_correctness_difference",
    "source_awareness",
    "source_diversity",
)
_WORDED = ("decisiveness", "named_conflict", "named_gap")
_NOTES = {
    "arms": (
        "Whether ambiguous sources make a difference at all. Hedge rate = answers with"
        " a hedge / answers; p20 = replies whose confidence is below the 20th"
        " percentile of the run; 95 % CIs resample questions."
    ),
    "signs": (
        "AUROC: the chance that a wrong answer has the lower confidence, or hedges more"
        " densely, than a right one (0.5 tells nothing). AURC: mean risk over coverages"
        " (1 - correctness tells nothing)."
    ),
    "wording": (
        "Of the answers that a grader was asked about: how firmly they are put (0 to"
        " 1), and the share that names a conflict or a gap of the sources; difference ="
        " ambiguous - clear. A list that agrees with the grader has correlations"
        " near -1."
    ),
    "factors": (
        "Of one factor: mean difference, doubtful - sound, between two sets of sources"
        " for one question that differ in it alone. Of two: by how much more the first"
        " moves the measure where the second gives cause for doubt. n counts"
        " differences."
    ),
    "conflicts": (
        "The effect of conflict, over those pairs of sets alone whose conflict is about"
        " this."
    ),
}


def hedging_findings(group: Group) -> Findings:
    """Return what was found in runs of `bluff`."""
    return findings(group, [_found(system) for system in group.systems])


def _found(system: SystemView) -> Finding:
    shown = {
        "ASI": "asi",
        "answer correctness": "answer_correctness",
        "refusals, clear sources": "refusal_rate_clear",
        "refusals, ambiguous sources": "refusal_rate_ambiguous",
        "calibration error": "ece",
    }
    values = {column: system.number(name) for column, name in shown.items()}
    return Finding(system, values, *unscored(system), hedging_sentence(system))


def hedging_overview(group: Group) -> Table:
    """Return the published table of metrics (Figure 2 of BLUFF-1000)."""
    rows = [row_of_system(system, _MAIN) for system in group.systems]
    return Table(
        "overview",
        "Main metrics (BLUFF-1000, Figure 2)",
        rows,
        "95 % CIs resample questions.",
    )


def hedging_tables(group: Group) -> list[Table]:
    """Return the tables behind the figures: by arm, factor and kind, signs, wording."""
    systems = group.systems
    rows = {
        "arms": ("By arm", [row for one in systems for row in _arms(one)]),
        "signs": (
            "What confidence and hedges tell",
            [row_of_system(one, _SIGNS) for one in systems],
        ),
        "wording": (
            "Wording, as the grader reads it",
            [row_of_system(one, n) for one in systems if (n := _wording(one))],
        ),
        "factors": (
            "What moves hedging",
            [row for one in systems for row in _effects(one, "factor", one.effects)],
        ),
        "conflicts": (
            "What a conflict is about",
            [row for one in systems for row in _conflicts(one)],
        ),
    }
    return [
        Table(key, title, found, _NOTES[key]) for key, (title, found) in rows.items()
    ]


def _wording(system: SystemView) -> list[str]:
    asked = f"{_WORDED[0]}_clear" in system.numbers
    return (
        [
            f"{name}_{part}"
            for name in _WORDED
            for part in ("clear", "ambiguous", "difference")
        ]
        if asked
        else []
    )


def _arms(system: SystemView) -> list[TableRow]:
    arms = system.by_arm
    return [
        row_of(
            {
                "system": system.label,
                "arm": "ambiguous - clear" if arm == "difference" else arm,
            },
            {measure: of[arm] for measure, of in arms.items()},
        )
        for arm in next(iter(arms.values()))
    ]


def _effects(
    system: SystemView, what: str, effects: Sequence[Effect]
) -> list[TableRow]:
    rows: dict[str, TableRow] = {}
    for one in effects:
        name = one.about or one.name
        rows.setdefault(name, {"system": system.label, what: name}).update(
            cells(one.found, label_of(one.measure))
        )
    return list(rows.values())


def _conflicts(system: SystemView) -> list[TableRow]:
    return _effects(system, "conflict about", system.conflict_effects)

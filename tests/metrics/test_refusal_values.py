"""The values that a log of the refusal tasks gets, from eleven scores, worked by hand."""

import math
from typing import Any

import pytest
from inspect_ai.scorer import SampleScore, Score

from refusalbench_tasks.metrics import refusal_groups
from refusalbench_tasks.metrics.grounding import BUCKETS
from refusalbench_tasks.metrics.refusal import METRICS, count_rows, rates
from refusalbench_tasks.metrics.refusal_calibration import calibration
from refusalbench_tasks.metrics.refusal_groups import by_group
from refusalbench_tasks.metrics.refusal_rows import RefusalRows, refusal_row
from refusalbench_tasks.metrics.refusal_values import (
    grounding,
    intervals,
    kinds,
    main_rates,
    replies_of,
    row_counts,
)
from refusalbench_tasks.metrics.score_reading import plain, refusal_rows
from refusalbench_tasks.metrics.scored_row import Scored
from refusalbench_tasks.outcome import Cluster
from refusalbench_tasks.stats.cluster import bounded_bootstrap, cluster_sums
from refusalbench_tasks.stats.uncertainty import ENDINGS, uncertainty

NAN = math.nan
A, M, X = "ANSWER_CORRECTLY", "REFUSE_INFO_MISSING_IN_CONTEXT", "REFUSE_AMBIGUOUS_QUERY"
F = "REFUSE_FALSE_PREMISE_IN_QUERY"
AMBIGUITY, PREMISE = "P-Ambiguity", "P-FalsePremise"
TOP, HIGH, SOME = "VERY_CONFIDENT", "CONFIDENT", "SOMEWHAT_CONFIDENT"


def one(source: str, expected: str, predicted: str | None, right: float, about: Any, **facts: Any) -> SampleScore:
    reason = about if predicted is None else None
    decided = {} if predicted is None else dict(zip(("decided_by", "level", "self_graded"), about, strict=False))
    numbers = {"right": right, "unscored": float(predicted is None)}
    score = Score(value=numbers, answer=predicted or "", metadata={"confidence_asked": True, **decided})
    score = score.model_copy(update={"reason": reason})
    return SampleScore(score=score, sample_metadata={"source_id": source, "expected": expected, **facts})


def kind(perturbation: str, intensity: str, generator: str = "", **more: str) -> dict[str, str]:
    return {"perturbation": perturbation, "intensity": intensity, "generator": generator, **more}


SCORES = [
    one("a", A, A, 1, ("judge", TOP), **kind(AMBIGUITY, "LOW", "g1", domain="Health")),
    one("b", A, A, 0, ("judge", TOP, True), **kind(AMBIGUITY, "LOW", "g2")),
    one("b", A, M, 0, ("parse", SOME), **kind(PREMISE, "LOW", "g1")),
    one("c", A, A, NAN, ("alias", TOP), **kind(PREMISE, "LOW")),
    one("a", X, X, 1, ("parse", HIGH), **kind(AMBIGUITY, "HIGH", "g1", question_type="set")),
    one("b", X, M, 0, ("parse",), **kind(AMBIGUITY, "HIGH", "g2", question_complexity="simple")),
    one("b", F, A, 0, ("judge", HIGH), **kind(PREMISE, "MEDIUM")),
    one("c", F, None, NAN, "truncated", **kind(PREMISE, "MEDIUM")),
    one("a", A, A, 1, ("judge", TOP), intensity="CLEAN"),
    one("b", A, M, 0, ("parse", TOP), intensity="CLEAN"),
    one("d", A, None, NAN, "no_response", intensity="CLEAN"),
]


def by_protocol(protocol: str) -> list[SampleScore]:
    return [
        SampleScore(
            score=one.score.model_copy(update={"metadata": {**(one.score.metadata or {}), "protocol": protocol}}),
            sample_metadata=one.sample_metadata,
        )
        for one in SCORES
    ]


def test_the_main_rates_and_those_of_the_controls() -> None:
    assert main_rates(refusal_rows(SCORES)) == pytest.approx(
        {
            "answer_accuracy": 1 / 3,
            "refusal_accuracy": 1 / 3,
            "calibrated_refusal_score": 1 / 3,
            "false_refusal_rate": 1 / 4,
            "missed_refusal_rate": 1 / 3,
            "refusal_rate": 3 / 7,
            "correct_refusal_rate": 2 / 3,
            "detection_recall": 2 / 3,
            "detection_precision": 2 / 3,
            "detection_f1": 2 / 3,
            "category_accuracy": 1 / 2,
            "hierarchical_score": 1 / 3,
            "macro_refusal_accuracy": (1 / 2 + 0) / 2,
            "no_reply_rate": 0,
            "unscored_rate": 1 / 8,
            "control_answer_accuracy": 1 / 2,
            "control_false_refusal_rate": 1 / 2,
        }
    )
    assert not [name for name in main_rates(refusal_rows(SCORES[:8])) if "control" in name]


def test_the_protocol_of_the_scores_decides_about_rows_and_never_about_controls() -> None:
    m = main_rates(refusal_rows(by_protocol("official-code")))
    # the ungraded attempt and the unscored row are in the denominators; of three controls one is undecided
    assert (m["answer_accuracy"], m["refusal_accuracy"]) == pytest.approx((1 / 4, 1 / 4))
    assert m["control_answer_accuracy"] == 1 / 2
    n = intervals(refusal_rows(by_protocol("official-code")), 10, 0, "question")
    assert (n["answer_accuracy_n"], n["refusal_accuracy_n"], n["control_answer_accuracy_n"]) == (4, 4, 2)


def test_the_counts() -> None:
    assert row_counts(refusal_rows(SCORES)) == {
        "n": 11,
        "n_answerable": 4,
        "n_unanswerable": 4,
        "n_controls": 3,
        "n_clusters": 4,
        "n_unscored": 2,
        "n_truncated": 1,
        "n_no_response": 1,
        "n_ungraded": 1,
        "n_self_graded": 1,
        "n_by_parse": 4,
        "n_by_alias": 1,
        "n_by_type": 0,
        "n_by_judge": 4,
    }


def test_the_standard_errors_of_rows_and_of_questions() -> None:
    # false refusals 1 of 4; without question a: 1/3, without b: 0/2, without c: 1/3
    m = intervals(refusal_rows(SCORES), 50, 0, "question")
    assert m["false_refusal_rate_stderr"] == pytest.approx(2 / 9)
    # without one of the eight rows: 0/3 once, 1/3 three times, 1/4 four times; the mean is 1/4
    rows = intervals(refusal_rows(SCORES), 50, 0, "row")
    assert rows["false_refusal_rate_stderr"] == pytest.approx(math.sqrt(7 / 8 * (1 / 16 + 3 / 144)))


@pytest.mark.parametrize("cluster", ["question", "row"])
def test_the_intervals_are_those_of_the_resampled_questions_or_rows(cluster: Cluster) -> None:
    m = intervals(refusal_rows(SCORES), 60, 7, cluster)
    names = {
        "": [name for name in METRICS if name != "hybrid_score"],
        "control_": ("answer_accuracy", "false_refusal_rate"),
    }
    parts = ("n", "stderr", "bootstrap_stderr", "ci_low", "ci_high")
    assert set(m) == {f"{start}{name}_{part}" for start, group in names.items() for name in group for part in parts}
    for start, scores in (("", SCORES[:8]), ("control_", SCORES[8:])):
        outcomes = [refusal_row(one.sample_metadata or {}, plain(one.score)).outcome for one in scores]
        units = [o.cluster for o in outcomes] if cluster == "question" else [str(k) for k in range(len(outcomes))]
        found = bounded_bootstrap(cluster_sums(count_rows(outcomes), units), rates, 60, 7)
        for name in names[start]:
            drawn = [m[f"{start}{name}_{part}"] for part in ("ci_low", "ci_high", "bootstrap_stderr")]
            at = METRICS.index(name)
            assert drawn == pytest.approx([found.low[at], found.high[at], found.stderr[at]], nan_ok=True), name
    assert (m["answer_accuracy_n"], m["false_refusal_rate_n"], m["refusal_accuracy_n"]) == (3, 4, 3)
    assert m["control_answer_accuracy_n"] == 2


def _values(found: dict[str, float]) -> dict[str, float]:
    """Return numbers without what stands beside them."""
    beside = tuple(f"_{ending}" for ending in ("n", *ENDINGS))
    whole = ("confidence_n", "kinds_n")
    return {name: value for name, value in found.items() if name in whole or not name.endswith(beside)}


def test_the_groups() -> None:
    # answer accuracy, refusal accuracy, false and correct refusal rate, n; None is not in the log
    groups = {
        AMBIGUITY: (1 / 2, 1 / 2, 0, 1, 4),
        PREMISE: (0, 0, 1 / 2, 0, 4),
        "LOW": (1 / 3, None, 1 / 4, None, 4),
        "MEDIUM": (None, 0, None, 0, 2),
        "HIGH": (None, 1 / 2, None, 1, 2),
        "g1": (1 / 2, 1, 1 / 2, 1, 3),
        "g2": (0, 0, 0, 1, 2),
        "Health": (1, None, 0, None, 1),
        "set": (None, 1, None, 1, 1),
        "simple": (None, 0, None, 1, 1),
    }
    names = ("answer_accuracy", "refusal_accuracy", "false_refusal_rate", "correct_refusal_rate", "n")
    cells = {f"{group}/{name}": value for group, row in groups.items() for name, value in zip(names, row, strict=True)}
    found = by_group(refusal_rows(SCORES), resamples=10)
    assert _values(found) == pytest.approx({name: value for name, value in cells.items() if value is not None})
    assert by_group(refusal_rows(by_protocol("official-code")))["LOW/answer_accuracy"] == 1 / 4


@pytest.mark.parametrize("cluster", ["question", "row"])
def test_one_resampling_serves_the_groups_of_every_kind(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def counted(*given: Any, **more: Any) -> dict[str, float]:
        made.append(given)
        return uncertainty(*given, **more)

    monkeypatch.setattr(refusal_groups, "uncertainty", counted)
    rows = refusal_rows(SCORES)
    found = by_group(rows, 60, 7, cluster)
    assert len(made) == 1
    perturbed = rows.perturbed
    names = ("answer_accuracy", "refusal_accuracy", "false_refusal_rate", "correct_refusal_rate")
    for kind_of, group in (("class", PREMISE), ("intensity", "LOW"), ("domain", "Health")):
        inside = [[float(name == group)] for name in perturbed.groups(kind_of)]
        sums = cluster_sums(perturbed.counts * inside, perturbed.units(cluster))
        expected = uncertainty(names, sums, lambda totals: rates(totals, names=names), 60, 7)
        for name in names:
            for ending in ENDINGS:
                stated = f"{group}/{name}" in found
                assert (f"{group}/{name}_{ending}" in found) is stated
                if stated:
                    value = found[f"{group}/{name}_{ending}"]
                    assert value == pytest.approx(expected[f"{name}_{ending}"], nan_ok=True)


def test_the_calibration_of_what_is_known_and_has_a_level() -> None:
    # .95: 1 of 2 right, .80: 1 of 2, .60: 0 of 1; the ungraded, the unscored and the controls are out
    found = calibration(refusal_rows(SCORES), resamples=10)
    expected = {
        "confidence_n": 5,
        "confidence_unparsed": 1,
        "ece": (2 * 0.45 + 2 * 0.30 + 0.60) / 5,
        # the replies that answer are two at .95 and a wrong one at .80, those that refuse a right .80 and a wrong .60
        "ece_answers": (2 * 0.45 + 0.80) / 3,
        "ece_refusals": (0.20 + 0.60) / 2,
        "ece_answerable": (2 * 0.45 + 0.60) / 3,
        "ece_unanswerable": 0.30,
        "brier": (0.05**2 + 0.95**2 + 0.60**2 + 0.20**2 + 0.80**2) / 5,
    }
    for level, n, accuracy in ((TOP, 2, 0.5), (HIGH, 2, 0.5), (SOME, 1, 0.0)):
        expected |= {f"{level}/share": n / 5, f"{level}/accuracy": accuracy, f"{level}/n": n}
    for level in ("UNCERTAIN", "VERY_UNCERTAIN"):
        expected |= {f"{level}/share": 0, f"{level}/accuracy": NAN, f"{level}/n": 0}
    assert _values(found) == pytest.approx(expected, nan_ok=True)
    assert [found[f"{name}_n"] for name in ("ece", "ece_answers", "ece_unanswerable", "brier")] == [5, 3, 2, 5]


def test_without_a_question_for_confidence_there_is_no_calibration() -> None:
    numbers, facts = {"right": 1.0, "unscored": 0.0}, {"source_id": "a", "expected": A}
    assert calibration(refusal_rows([SampleScore(score=Score(value=numbers, answer=A), sample_metadata=facts)])) == {}
    assert calibration(refusal_rows(SCORES[8:])) == {}
    silent = calibration(refusal_rows(SCORES[7:8]))
    assert (silent["confidence_n"], silent["confidence_unparsed"]) == (0, 0)
    assert math.isnan(silent[f"{TOP}/share"])


def test_a_grounded_row_has_what_the_judge_said_and_its_citations() -> None:
    numbers = {"right": 1.0, "unscored": 0.0, "eligible": 1.0, "factual_all": 0.0}
    cited = {"citations": 4.0, "citations_existing": 3.0, "citations_signal": 2.0}
    facts = {"source_id": "a", "expected": A}
    row = refusal_row(facts, Scored(numbers | cited, A))
    bare = refusal_row(facts, Scored({"right": 1.0, "unscored": 0.0, "eligible": NAN}, A))
    found = replies_of(RefusalRows([row, bare]))
    assert found.outcomes == [row.outcome, bare.outcome]
    columns = (found.eligible, found.factual_all, found.citations, found.existing, found.signal)
    assert [column[0] for column in columns] == [1.0, 0.0, 4, 3, 2]
    assert [column[1] for column in columns] == pytest.approx([NAN, NAN, 0, 0, 0], nan_ok=True)


def test_the_answer_quality_and_the_kinds_of_reply_leave_controls_out() -> None:
    found = grounding(refusal_rows(SCORES))
    assert found["answer_quality"] == pytest.approx(1 / 3)
    assert "citation_precision" in found
    # six replies are known to be right or wrong, and each is of another kind
    assert _values(kinds(refusal_rows(SCORES), resamples=10)) == pytest.approx(
        dict.fromkeys(BUCKETS, 1 / 6) | {"kinds_n": 6}
    )


def test_a_row_is_read_from_its_score() -> None:
    facts = {"source_id": 7, "expected": A}
    row = refusal_row(facts, Scored({"right": 1.0, "unscored": 0.0}, A))
    assert (row.outcome.cluster, row.outcome.correct, row.outcome.right, row.reason) == ("7", True, True, None)
    assert (row.facts.source, row.facts.expected, row.numbers["right"]) == ("7", A, 1.0)
    assert (row.decided_by, row.level, row.graders, row.protocol) == (None, None, (), None)
    assert (row.self_graded, row.confidence_asked) == (False, False)
    # an answer beside an unscored value is no prediction, and a right refusal is no correct attempt
    unscored = refusal_row(facts, Scored({"right": NAN, "unscored": 1.0}, A))
    assert (unscored.outcome.predicted, unscored.outcome.correct) == (None, None)
    hit = refusal_row({"source_id": "q", "expected": M}, Scored({"right": 1.0, "unscored": 0.0}, M))
    assert (hit.outcome.correct, hit.outcome.right) == (None, True)

"""Tables of writers and verifiers, worked by hand over the matched set."""

import math
from typing import Any

import pytest

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.agreement import panel_tables
from refusalbench_tasks.generators.candidate import Candidate
from refusalbench_tasks.generators.generation_logs import Generated
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.generators.verification import ItemVote
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass

AMBIGUITY, MISSING = PerturbationClass.AMBIGUITY, PerturbationClass.MISSING_INFO
LOW, HIGH = Intensity.LOW, Intensity.HIGH


def item(
    writer: str, source: str, one: PerturbationClass, level: Intensity, votes: str, share: float = 1.0
) -> Generated:
    """Return a candidate by votes such as `a+ b-`; without votes a rule rejected it."""
    base = RefusalItem(
        item_id=source, source_id=source, query="q", passages=("p",), answers=("a",), expected=Label.ANSWER
    )
    cast = tuple(ItemVote(verifier=vote[0], digest="d", passed=vote[1] == "+") for vote in votes.split())
    candidate = Candidate(query="q?", passages=("p.",), lever="x", reasoning="r")
    accepted = bool(cast) and all(vote.passed for vote in cast)
    return Generated(
        writer, Slot(base=base, perturbation=one, intensity=level), candidate, cast, accepted, share,
        () if cast else ("unchanged",),
    )  # fmt: skip


ITEMS = [
    item("a", "1", AMBIGUITY, LOW, "a+ b+ c+"),
    item("b", "1", AMBIGUITY, LOW, "a- b+ c+"),
    item("a", "2", MISSING, HIGH, "a+ b- c+"),
    item("b", "2", MISSING, HIGH, "a- b- c+"),
    # b's item broke a rule, so a's votes on the same slot say nothing of a comparison
    item("a", "3", AMBIGUITY, HIGH, "a- b- c+"),
    item("b", "3", AMBIGUITY, HIGH, ""),
]
TABLES: dict[str, list[dict[str, Any]]] = dict(panel_tables(ITEMS).tables)


def row(table: str, **wanted: str) -> dict[str, Any]:
    (found,) = [one for one in TABLES[table] if all(one[name] == value for name, value in wanted.items())]
    return found


def test_a_class_is_ranked_by_its_matched_votes_over_all_pairs_with_the_share_of_broken_rules() -> None:
    # ambiguity: slot 1 alone is matched, with 3 + 2 of 6 votes; missing info: 2 + 1 of 6
    assert [(one["rank"], one["class"]) for one in TABLES["class_ranking"]] == [(1, AMBIGUITY), (2, MISSING)]
    ambiguity, missing = (row("class_ranking", **{"class": name}) for name in (AMBIGUITY, MISSING))
    assert (ambiguity["pass_rate"], ambiguity["n"]) == (pytest.approx(5 / 6), 2)
    assert (missing["pass_rate"], missing["n"]) == (pytest.approx(3 / 6), 2)
    # one of four written ambiguity items broke a rule
    assert (ambiguity["broken"], ambiguity["written"]) == (1 / 4, 4)
    assert missing["broken"] == 0


def test_intensities_and_writers_are_ranked_alike() -> None:
    assert [one["intensity"] for one in TABLES["intensity_ranking"]] == ["LOW", "HIGH"]
    assert row("intensity_ranking", intensity="HIGH")["n"] == 2
    # a: 3 + 2 of 6 votes; b: 2 + 1 of 6
    assert [(one["writer"], one["pass_rate"]) for one in TABLES["writer_ranking"]] == [
        ("a", pytest.approx(5 / 6)),
        ("b", pytest.approx(3 / 6)),
    ]
    best = row("writer_ranking", writer="a")
    assert best["ci_low"] <= 5 / 6 <= best["ci_high"]


def test_pass_rates_by_class_and_writer_are_those_of_the_matched_set() -> None:
    # a's third item has 1 of 3 votes, and does not count
    assert row("by_class", group=AMBIGUITY, writer="a")["pass_rate"] == 1.0
    assert row("by_class", group=AMBIGUITY, writer="b")["broken"] == 1 / 2
    assert math.isnan(float(panel_tables(ITEMS[4:]).tables["by_class"][0]["pass_rate"]))


def test_self_and_cross_rates_their_means_and_the_bias_by_class() -> None:
    # a passes 2 of its own 2, b and c pass 1 and (0 + 1) / 2; b passes 1 of its own 2, a and c 1/2 and 1/2
    a, b = row("self_against_cross", writer="a"), row("self_against_cross", writer="b")
    assert (a["self"], a["cross"], a["gap"]) == (1.0, 0.75, 0.25)
    assert (b["self"], b["cross"], b["gap"]) == (0.5, 0.5, 0.0)
    (means,) = TABLES["self_and_cross_means"]
    assert (means["writers"], means["self"], means["cross"], means["gap"]) == (2, 0.75, 0.625, 0.125)
    assert means["gap_low"] <= 0.125 <= means["gap_high"]
    by_class = {(one["class"], one["writer"]): one["gap"] for one in TABLES["self_against_cross_by_class"]}
    assert by_class == {
        (AMBIGUITY, "a"): 0.0, (AMBIGUITY, "b"): 0.5, (MISSING, "a"): 0.5, (MISSING, "b"): -0.5,
    }  # fmt: skip


def test_an_audited_slot_stands_for_as_many_as_its_share_says() -> None:
    # slot 1 stands for one, slot 2 for two: (3 + 2 * 2) of (3 + 2 * 3) votes
    items = [item("a", "1", AMBIGUITY, LOW, "a+ b+ c+"), item("a", "2", AMBIGUITY, LOW, "a+ b- c+", share=0.5)]
    (one,) = panel_tables(items).tables["writer_ranking"]
    assert one["pass_rate"] == pytest.approx(7 / 9)
    assert one["n"] == 2


def test_agreement_with_a_verifier_that_passes_everything_is_undefined() -> None:
    assert math.isnan(float(row("kappa", verifier="a", other="c")["kappa"]))
    # a: + - + - -, b: + + - - -: 3 of 5 agree, by chance (2 * 2 + 3 * 3) / 25 would
    assert row("kappa", verifier="a", other="b")["kappa"] == pytest.approx((3 / 5 - 13 / 25) / (12 / 25))


def test_without_a_writer_who_votes_nothing_is_said_of_bias() -> None:
    tables = panel_tables([item("w", "1", AMBIGUITY, LOW, "a+ b+")]).tables
    assert tables["self_and_cross_means"] == tables["self_against_cross_by_class"] == []

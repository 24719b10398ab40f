"""Comparisons of bluff logs whose right answers are known by construction."""

import math
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai.log import EvalSample

from refusalbench_tasks.cli import main
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.compare.comparison import compare
from refusalbench_tasks.results.logs.find import newest_run
from refusalbench_tasks.results.logs.run import AnyRun
from refusalbench_tasks.taxonomy import Label
from tests.results.logs.synthetic import NAN, hedging_sample, row, write_log


def replies(drop: float, hedges: float = 0.0, n: int = 10, **numbers: float) -> list[EvalSample]:
    """Return both arms of n questions: confidence falls by `drop`, the ambiguous arm has `hedges` in ten words."""
    made = []
    for k in range(n):
        wobble = 0.01 * (k % 3)
        made.append(hedging_sample(f"q{k}", "clear", **({"confidence": 0.9} | numbers)))
        made.append(
            hedging_sample(f"q{k}", "ambiguous", **({"confidence": 0.9 - drop - wobble, "hedges": hedges} | numbers))
        )
    return made


def read(path: Path) -> AnyRun:
    run = newest_run(str(path)).run
    assert run is not None
    return run


def found(tmp_path: Path, a: list[EvalSample], b: list[EvalSample], **options: Any) -> dict[str, Any]:
    paths = [
        write_log(tmp_path / name, name, own, task="bluff", scorer="hedging_scores")
        for name, own in (("a", a), ("b", b))
    ]
    first, other = (read(path) for path in paths)
    (made,) = compare(first, [other], **options)
    return {d.metric: d for d in made.differences} | {d.name: d for d in made.tests} | {"made": made}


def test_paired_measures_differ_by_what_was_built_in(tmp_path: Path) -> None:
    got = found(tmp_path, replies(0.1), replies(0.5, hedges=2.0))
    assert got["confidence_drop"].difference == pytest.approx(0.4)
    assert got["hedging_difference"].difference == pytest.approx(0.2)
    assert got["asi"].difference == pytest.approx((0.4 + 0.2) / 2)
    assert got["asi"].low == pytest.approx(got["asi"].high)
    assert (got["made"].n, got["made"].clusters) == (20, 10)


@pytest.mark.parametrize(("told", "p"), [(("row", "row"), 2 / 2**2), (("row", "question"), 1.0), (("", ""), 1.0)])
def test_rows_are_independent_where_both_logs_were_told_so(tmp_path: Path, told: tuple[str, str], p: float) -> None:
    # in the other log both replies to one question refuse: two rows of two sides, or one question
    a, b = replies(0.1, n=4), replies(0.1, n=3)
    b += [hedging_sample("q3", arm, refused=1.0) for arm in ("clear", "ambiguous")]
    for cluster, side in zip(told, (a, b), strict=True):
        for sample in side:
            for score in (sample.scores or {}).values():
                (score.metadata or {})["cluster"] = cluster
    got = found(tmp_path, a, b)
    assert got["refused"].p_clusters == pytest.approx(p, abs=0.05)
    assert got["made"].clusters == 4
    # the refusals of both arms cancel within their question, and among rows do not
    width = got["refusal_sensitivity"].high - got["refusal_sensitivity"].low
    assert (width > 0) is (told == ("row", "row"))


def test_rates_and_tests(tmp_path: Path) -> None:
    a, b = replies(0.1), replies(0.1)
    for k in range(6):
        b[2 * k + 1] = hedging_sample(f"q{k}", "ambiguous", refused=1.0)
    b[0] = hedging_sample("q0", "clear", correctness=0.0)
    got = found(tmp_path, a, b)
    assert got["refusal_sensitivity"].difference == pytest.approx(0.6)
    assert got["answer_correctness"].b == pytest.approx(13 / 14)
    assert (got["refused"].mcnemar.only_first, got["refused"].mcnemar.only_second) == (0, 6)
    assert got["refused"].mcnemar.p == pytest.approx(2 / 2**6)
    assert (got["right"].mcnemar.only_first, got["right"].mcnemar.only_second, got["right"].mcnemar.n) == (7, 0, 20)
    # pairs with a refusal in one log are in neither's index
    assert got["asi"].difference == pytest.approx(0.0)


def test_an_answer_ungraded_in_one_log_is_graded_in_none(tmp_path: Path) -> None:
    a, b = replies(0.1), replies(0.1)
    a[0] = hedging_sample("q0", "clear", correctness=0.0, confidence=0.9)
    b[0] = hedging_sample("q0", "clear", correctness=NAN, confidence=0.9)
    got = found(tmp_path, a, b)
    assert got["answer_correctness"].a == got["answer_correctness"].b == 1.0
    assert got["right"].mcnemar.n == 19


def test_a_refusal_gets_no_credit_where_the_other_answer_is_ungraded(tmp_path: Path) -> None:
    a, b = replies(0.1), replies(0.1)
    for k in range(5):
        a[2 * k] = hedging_sample(f"q{k}", "clear", refused=1.0)
        b[2 * k] = hedging_sample(f"q{k}", "clear", correctness=NAN)
    for one in (*a, *b):
        assert one.scores
        next(iter(one.scores.values())).metadata["protocol"] = "official-code"  # type: ignore[index]
    got = found(tmp_path, a, b)
    assert got["answer_correctness"].a == got["answer_correctness"].b == 1.0
    assert (got["answer_correctness"].n, got["refusal_sensitivity"].n, got["made"].ungraded) == (15, 20, 5)
    assert got["asi"].n == 5


def test_undecided_replies_leave_both_logs(tmp_path: Path) -> None:
    a, b = replies(0.1), replies(0.3)
    a[1] = hedging_sample("q0", "ambiguous", unscored=1.0, refused=NAN, correctness=NAN)
    got = found(tmp_path, a, b)
    assert (got["made"].n, got["made"].undecided) == (19, 1)
    assert got["confidence_drop"].difference == pytest.approx(0.2, abs=0.002)


def test_without_faithfulness_it_is_undefined(tmp_path: Path) -> None:
    assert math.isnan(found(tmp_path, replies(0.1), replies(0.2))["faithfulness"].difference)
    other = found(tmp_path / "x", replies(0.1, faithfulness=0.5), replies(0.1, faithfulness=0.75))
    assert other["faithfulness"].difference == pytest.approx(0.25)


def test_other_kinds_of_logs_are_refused(tmp_path: Path) -> None:
    hedging = write_log(tmp_path, "a", replies(0.1), task="bluff", scorer="hedging_scores")
    refusal = write_log(tmp_path, "b", [row("1", Label.MISSING)])
    with pytest.raises(DataError, match="a run of nq, but"):
        compare(read(hedging), [read(refusal)])


def test_on_the_command_line(tmp_path: Path) -> None:
    paths = [
        str(write_log(tmp_path, name, replies(drop), task="bluff", scorer="hedging_scores"))
        for name, drop in (("a", 0.1), ("b", 0.5))
    ]
    result = CliRunner().invoke(main, ["compare", *paths])
    assert result.exit_code == 0, result.output
    assert "20 samples of 10 questions are decided in both" in result.output
    assert "confidence_drop" in result.output
    contamination = CliRunner().invoke(main, ["compare", "--static", paths[0], "--fresh", paths[1]])
    assert contamination.exit_code == 1
    assert "needs one of nq or garage" in contamination.output


def test_hedges_that_were_counted_by_other_lists_are_not_compared(tmp_path: Path) -> None:
    def by(name: str, lists: dict[str, str] | None) -> AnyRun:
        samples = replies(0.1)
        for one in samples:
            assert one.scores
            one.scores["hedging_scores"].metadata |= {"word_lists": lists} if lists else {}  # type: ignore[operator]
        return read(write_log(tmp_path / name, name, samples, task="bluff", scorer="hedging_scores"))

    second = by("second", {"hedges": "v2", "hedges_sha256": "89abcdef00"})
    mine = by("mine", {"hedges": "my.txt", "hedges_sha256": "0123456789ab"})
    assert [run.lexicon for run in (second, mine)] == ["v2 (89abcdef)", "my.txt (01234567)"]
    # a log from before there were versions was counted by the first
    assert by("old", {"hedges": "bundled"}).lexicon == by("first", {"hedges": "v1"}).lexicon == "v1"
    with pytest.raises(DataError, match="hedges were counted by v1, those of .* by v2 .89abcdef.; score both again"):
        compare(second, [by("again", {"hedges": "v1"})])
    with pytest.raises(DataError, match="counted by an unknown list"):
        compare(second, [by("none", None)])
    mended = by("mended", {"hedges": "v2", "hedges_sha256": "76543210"})
    with pytest.raises(DataError, match=r"by v2 \(76543210\), those of .* by v2 \(89abcdef\); score both again"):
        compare(second, [mended])
    assert compare(second, [by("same", {"hedges": "v2", "hedges_sha256": "89abcdef00"})])

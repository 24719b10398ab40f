"""The tables of runs of `nq` and `garage`."""

from pathlib import Path

from inspect_ai.log import EvalSample

from refusalbench_tasks.report.refusal_tables import by_part, overview
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass
from tests.report.reporting import report, table
from tests.results.frozen_runs import group_of
from tests.results.synthetic import NAN, row, run, write_log

LOW = Intensity.LOW


def test_the_overview_has_intervals_n_and_the_models_that_treat_all_alike(
    written: tuple[Path, str],
) -> None:
    rows = {one["system"]: one for one in table(written[0], "nq-overview")}
    assert (rows["good"]["refusal accuracy"], rows["good"]["refusal accuracy n"]) == (
        "1.0",
        "10",
    )
    # ten questions that are all right: Wilson's interval, not a point
    assert 0.6 < float(rows["good"]["refusal accuracy low"]) < 0.8
    assert rows["always answers"]["missed refusal rate"] == "1.0"
    assert rows["always refuses"]["refusal accuracy"] == "1.0"
    assert rows["always answers"]["answer accuracy"] == ""


def test_a_baseline_is_listed_once() -> None:
    refused = [row("u", Label.MISSING), row("a", Label.MISSING, intensity=LOW)]
    table = overview(group_of(run(refused, "none/none")))
    assert [line["system"] for line in table.rows][1:] == ["always answers"]
    assert table.note.endswith("Models that treat every row alike: always answers.")
    model = overview(group_of(run(refused)))
    names = [line["system"] for line in model.rows]
    assert names[1:] == ["always answers", "always refuses"]


def test_the_overview_says_how_many_answers_could_be_graded_offline() -> None:
    level = Intensity.LOW
    samples = [row(f"a{k}", Label.ANSWER, intensity=level) for k in range(7)]
    graded = overview(group_of(run(samples)))
    assert "offline" not in graded.note
    other_words = row("b", Label.ANSWER, intensity=level, numbers={"right": NAN})
    table = overview(group_of(run([*samples, other_words])))
    assert "m has no answer accuracy: 7 of 8 replies to answerable rows" in table.note


def rows_of(document: str, undecided: int, n: int = 20) -> list[EvalSample]:
    """Return unanswerable rows about a document, half of which are missed, and the
    first few undecided.
    """
    level = Intensity.HIGH if document == "a.md" else Intensity.MEDIUM
    samples = []
    for k in range(n):
        label = Label.ANSWER if k % 2 else Label.MISSING
        given = None if k < undecided else label
        samples.append(row(f"{document}{k}", given, intensity=level, document=document))
    return samples


def test_parts_have_the_accuracies_of_their_rows_alone() -> None:
    domains = {"news": Label.MISSING, "law": Label.ANSWER}
    samples = []
    for domain, given in domains.items():
        samples += [row(f"{domain}{k}", given, domain=domain) for k in range(3)]
    made = by_part(group_of(run(samples)), "domain", ["law", "news", "none of these"])
    accuracies = [(line["domain"], line["refusal accuracy"]) for line in made.rows]
    assert accuracies == [("law", 0.0), ("news", 1.0)]


def test_parts_that_differ_in_what_is_decided_lead_with_their_bounds() -> None:
    group = group_of(run([*rows_of("a.md", 8), *rows_of("b.md", 0)]))
    made = by_part(group, "intensity", ["MEDIUM", "HIGH"])
    names = made.columns
    bounds = "missed refusal rate bounds"
    assert names.index(bounds) == names.index("missed refusal rate") - 1
    assert [line[bounds] for line in made.rows] == ["", "0.300 to 0.700"]
    assert "(60 to 100 %): compare the bounds" in made.note


def test_parts_that_are_alike_in_what_is_decided_have_values_alone() -> None:
    group = group_of(run([*rows_of("a.md", 1), *rows_of("b.md", 1)]))
    made = by_part(group, "intensity", ["MEDIUM", "HIGH"])
    assert not [name for name in made.columns if name.endswith("bounds")]
    assert "compare" not in made.note


def test_questions_back_have_a_table_where_there_are_any(
    tmp_path: Path, written: tuple[Path, str]
) -> None:
    assert not (written[0] / "tables" / "nq-clarifications.csv").exists()
    ambiguous = (PerturbationClass.AMBIGUITY, Intensity.HIGH)
    asking = [
        row(str(k), Label.OTHER, *ambiguous, numbers={"asks_back": float(k < 5)})
        for k in range(10)
    ]
    write_log(tmp_path, "asks", asking)
    write_log(tmp_path, "silent", [row(str(k), Label.OTHER) for k in range(10)])
    result = report(tmp_path, to=tmp_path / "out")
    assert result.exit_code == 0, result.output
    [line] = table(tmp_path / "out", "nq-clarifications")
    assert (line["system"], line["clarification rate"]) == ("asks", "0.5")
    assert line["clarification rate n"] == "10"
    assert line["unneeded clarification rate"] == ""

"""What to fix first: where a system fails most, in plain words, with examples."""

from refusalbench_tasks.report.fix_first import fix_first
from refusalbench_tasks.report.groups import groups_of
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass
from tests.results.synthetic import NAN, row, run

LOW = Intensity.LOW


def test_the_worst_documents_and_kinds_of_question_come_first() -> None:
    made = run(
        [
            *(
                row(
                    f"a{k}",
                    Label.OTHER,
                    intensity=LOW,
                    document="terms.pdf",
                    reply=f"No idea {k}.",
                )
                for k in range(4)
            ),
            row("b", Label.ANSWER, intensity=LOW, document="faq.md"),
            row("c", Label.ANSWER, document="faq.md", reply="It is 4."),
            row("d", Label.ANSWER, intensity=LOW, document="good.md"),
            row("e", None, intensity=LOW, document="good.md"),
            row("f", Label.AMBIGUOUS, PerturbationClass.AMBIGUITY, document="good.md"),
        ]
    )
    [table] = fix_first(groups_of([made])[0])
    of_documents = [line for line in table.rows if line["part"] == "document"]
    assert [line["where"] for line in of_documents] == ["terms.pdf", "faq.md"]
    worst, second = of_documents
    assert (worst["lost answers"], worst["made up"]) == ("4 of 4", "")
    assert (second["lost answers"], second["made up"]) == ("0 of 1", "1 of 1")
    assert "system" not in worst
    assert worst["examples"].splitlines()[0] == "question a0 → No idea 0."
    assert len(worst["examples"].splitlines()) == 3
    of_kinds = {
        line["where"]: line for line in table.rows if line["part"] == "question"
    }
    assert set(of_kinds) == {"details that the documents may lack"}


def test_a_system_without_a_failure_has_none() -> None:
    assert (
        fix_first(
            groups_of(
                [run([row("a", Label.MISSING), row("b", Label.ANSWER, intensity=LOW)])]
            )[0]
        )
        == []
    )


def test_questions_on_another_subject_are_a_kind_of_their_own() -> None:
    kinds = ("plainly outside", "missing detail")
    made = run(
        [
            row(kind, Label.ANSWER, reply="It is 4.", question_type=kind)
            for kind in kinds
        ]
    )
    [table] = fix_first(groups_of([made])[0])
    assert [line["where"] for line in table.rows] == [
        "details that the documents may lack",
        "questions on another subject",
    ]


def test_answers_that_nobody_graded_are_not_counted_as_not_lost() -> None:
    ungraded = {"right": NAN}
    made = run(
        [
            row("a", Label.ANSWER, intensity=LOW, document="faq.md", numbers=ungraded),
            row("b", Label.ANSWER, intensity=LOW, document="faq.md", numbers=ungraded),
            row("c", Label.ANSWER, document="faq.md"),
            row(
                "d", Label.ANSWER, intensity=LOW, document="terms.pdf", numbers=ungraded
            ),
            row("e", Label.OTHER, intensity=LOW, document="terms.pdf"),
        ]
    )
    [table] = fix_first(groups_of([made])[0])
    cells = {
        line["where"]: (line["lost answers"], line["ungraded"]) for line in table.rows
    }
    assert "Ungraded:" in table.note
    assert "Retrieved:" not in table.note
    assert cells["faq.md"] == ("", "2 of 2")
    assert cells["terms.pdf"] == ("1 of 1", "1 of 2")


def test_the_documents_that_misled_are_named_with_what_they_stood_in_for() -> None:
    old = "prices-2024.pdf"
    new = "prices-2026.html"
    passages = {
        old: "A ticket costs 5.60 euro.",
        new: "A ticket costs 6.20 euro.",
        "pool.md": "The pool is warm.",
    }
    given = [
        ("a", LOW, "It is 5.60 euro.", False, new),
        ("b", LOW, "It is 6.20 euro.", True, new),
        ("c", LOW, "It is warm.", True, "pool.md"),
        ("d", LOW, "It is 5.60 euro.", True, old),
        ("u", Intensity.HIGH, "It is 5.60 euro.", False, ""),
    ]
    samples = []
    for key, level, reply, correct, document in given:
        sample = row(
            key,
            Label.ANSWER,
            intensity=level,
            reply=reply,
            correct=correct,
            document=document,
            passages=[passages[document]] if document else [],
        )
        sample.store = {"refusalbench_retrieved": list(passages.values())}
        samples.append(sample)
    worst, misled = fix_first(groups_of([run(samples)])[0])
    lines = [
        (line["rests on"], line["in place of"], line["replies"], line["years"])
        for line in misled.rows
    ]
    assert "Years:" in misled.note
    assert "Contradicted by:" not in misled.note
    assert sorted(lines) == [
        (old, "(no document answers it)", 1, ""),
        (old, new, 1, "2024, not 2026"),
    ]
    parts = {line["where"]: line for line in worst.rows if "retrieved" in line["part"]}
    # no passage tells its last day
    assert [line["outdated"] for line in misled.rows] == ["", ""]
    assert (parts[old]["lost answers"], parts[old]["made up"]) == (
        "1 of 2",
        "1 of 1",
    )


def test_outdated_passages_and_documents_with_the_right_number_are_named() -> None:
    old = {
        "text": "A ticket costs 5.60 euro.",
        "source": "prices.html",
        "valid_until": "2025-12-31",
    }
    new = {"text": "A ticket costs 6.20 euro.", "source": "leaflet.pdf"}
    sample = row(
        "a",
        Label.ANSWER,
        intensity=LOW,
        reply="It is 5.60 euro.",
        correct=False,
        document="prices.html",
        answers=["6.20 euro"],
    )
    # what a question has no answer to is contradicted by none
    made_up = row("u", Label.ANSWER, reply="It is 5.60 euro.", answers=["6.20 euro"])
    for answered in (sample, made_up):
        answered.store = {"refusalbench_retrieved": [new, old]}
    _, misled = fix_first(groups_of([run([sample, made_up])])[0])
    other, line = sorted(misled.rows, key=lambda line: line["in place of"])
    assert (other["outdated"], other["contradicted by"]) == ("1 of 1", "")
    # even where the row's own document has misled, by an old version
    assert (line["rests on"], line["in place of"]) == ("prices.html", "prices.html")
    assert (line["outdated"], line["contradicted by"]) == ("1 of 1", "leaflet.pdf")


def test_an_answer_that_nobody_graded_is_not_among_those_that_are_not_wrong() -> None:
    sample = row(
        "a",
        Label.ANSWER,
        intensity=LOW,
        reply="It is 5.60 euro.",
        document="new.md",
        passages=["A ticket costs 6.20 euro."],
        numbers={"right": NAN},
    )
    sample.store = {"refusalbench_retrieved": ["A ticket is 5.60 euro."]}
    [misled] = fix_first(groups_of([run([sample])])[0])
    assert (misled.rows[0]["wrong"], misled.rows[0]["ungraded"]) == (0, 1)

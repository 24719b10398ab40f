"""Sources that a model writes for invented facts, held to what their briefs say."""

from refusalbench_tasks.collect.planned import PlannedRecord
from refusalbench_tasks.collect.written import (
    WrittenPages,
    brief_row,
    briefs,
    page_problems,
    plan_written,
    written_record,
)
from refusalbench_tasks.datasets.bluff_rows import BluffRecord

PLANNED = PlannedRecord(id="x", topic="t", place=0)


def test_the_plain_texts_of_the_briefs_keep_the_rules() -> None:
    for place in range(36):
        row = brief_row(PLANNED.model_copy(update={"place": place}), 5)
        assert page_problems(row, WrittenPages(pages=[one["text"] for one in briefs(row)])) == {}


def test_what_a_page_may_not_do_is_told_by_rule_and_page() -> None:
    row = brief_row(PLANNED, 5)
    texts = [one["text"] for one in briefs(row)]
    speaks = next(k for k, one in enumerate(briefs(row)) if one["stance"] == "states")
    silent = next(k for k, one in enumerate(briefs(row)) if one["stance"] == "silent")

    def told(place: int, text: str) -> set[str]:
        return set(page_problems(row, WrittenPages(pages=[text if k == place else one for k, one in enumerate(texts)])))

    assert f"value_lost/{speaks + 1}" in told(speaks, texts[speaks].replace(briefs(row)[speaks]["quote"], ""))
    assert f"value_added/{silent + 1}" in told(silent, f"{texts[silent]} {briefs(row)[speaks]['quote']}")
    evidence = briefs(row)[speaks]["cues"]["evidence"]
    assert f"cue_lost/{speaks + 1}" in told(speaks, texts[speaks].replace(evidence, "I heard of it."))
    assert f"length/{speaks + 1}" in told(speaks, f"{briefs(row)[speaks]['quote']}")
    assert set(page_problems(row, WrittenPages(pages=texts[1:]))) == {"pages_missing"}


def test_bounds_are_kept_letter_by_letter_and_none_of_them_is_added() -> None:
    planned = next(one for one in plan_written(36, 5) if brief_row(one, 5)["ambiguity_type"] == "vague")
    row = brief_row(planned, 5)
    texts = [one["text"] for one in briefs(row)]
    vague = next(k for k, one in enumerate(briefs(row)) if one["stance"] == "vague")
    silent = next(k for k, one in enumerate(briefs(row)) if one["stance"] == "silent")
    low, high = briefs(row)[vague]["bounds"]
    moved = [text.replace(f"between {low}", f"between {high}") if k == vague else text for k, text in enumerate(texts)]
    assert f"cue_lost/{vague + 1}" in page_problems(row, WrittenPages(pages=moved))
    added = [f"{text} {briefs(row)[vague]['quote']}" if k == silent else text for k, text in enumerate(texts)]
    assert f"value_added/{silent + 1}" in page_problems(row, WrittenPages(pages=added))


def test_a_written_record_keeps_what_is_known_of_its_briefs() -> None:
    for planned in plan_written(8, 5):
        row = brief_row(planned, 5)
        made = written_record(row, [one["text"] for one in briefs(row)])
        BluffRecord.model_validate(made.row)
        assert made.row["factors"] == row["factors"]
        assert all(one["quote"] in one["text"] for one in made.sources("ambiguous"))
        for arm, one in row["readings"].items():
            assert made.settles[arm] == (one["weighed"] == row["gold_answer"])

"""What stands beside the answer: the same value again, settled clashes, premises taken back, figures that disagree."""

import pytest

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.candidate import Candidate
from refusalbench_tasks.generators.checks import check
from refusalbench_tasks.generators.levers import bundled_levers, select_levers
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.taxonomy import Label

UNITS, TOTAL, INLINE = "Conflicting Numerical Units", "Explicit Total Line", "Inline Unit Conversion"
STOPPED, EXCISED, RENT = "Stopped vs. Never Started", "Answer Clause Excised", "Average From Individual"
CANAL = ("How long is the canal?", "42 km", "The canal is 42 km long. It was dug in 1810 by 900 men.")
TREES = ("How many trees were planted?", "12", "They planted 12 trees in all. It rained.")
ROPE = ("How long is the rope?", "10 metres", "The rope is 10 metres long. It is red.")
STALLS = ("What is the mean rent of the stalls?", "45", "The mean rent is 45 crowns. The stalls are green.")
ORGAN = ("Who built the organ?", "Johann Kessler", "The organ was built by Johann Kessler. It has 900 pipes.")
BRIDGE = (
    "When was the Tarn Bridge opened to traffic?",
    "14 June 1932",
    "The Tarn Bridge was opened to traffic on 14 June 1932. It is green.",
)
BREAD = ("What is brenn bread made of?", "buckwheat", "Brenn bread is made of buckwheat. It is flat.")
SOAP = (
    "Which agent is safe for marble?",
    "soft soap",
    "Soft soap is free of acid and safe for marble; vinegar eats it.",
)
BRIX = ("Where did Brix learn?", "Ash", "Brix learned at Ash. He never gambled.")


def broken(lever_name: str, base: tuple[str, str, str], query: str | None = None, text: str | None = None) -> set[str]:
    question, answer, passage = base
    [lever] = select_levers(bundled_levers(), names=[lever_name])
    item = RefusalItem(
        item_id="b", source_id="b", query=question, passages=(passage,), answers=(answer,), expected=Label.ANSWER
    )
    slot = Slot(base=item, perturbation=lever.perturbation, intensity=lever.intensity, lever=lever.name)
    made = Candidate(query=query or question, passages=(text or passage,), lever=lever.name, reasoning="")
    return set(check(slot, made, [lever]))


@pytest.mark.parametrize(
    ("more", "again"),
    [
        # 42 / 1.609 = 26.1: rounded to whole miles it is the same length
        (" In miles the canal is 26 miles long.", True),
        (" In miles the canal is 27 miles long.", False),
        (" The canal is 42 kilometres long, they say.", True),
        (" The canal is 40 kilometres long, they say.", False),
        (" The canal is 42 km long, or else 50 km.", False),
        # a denial clashes although it names no other value
        (" The canal is not 42 km long.", False),
        (" The canal has no length that was ever measured.", False),
    ],
)
def test_a_value_that_clashes_is_another_one(more: str, again: bool) -> None:
    assert ("same_value_again" in broken(UNITS, CANAL, text=CANAL[2] + more)) is again


@pytest.mark.parametrize(
    ("organ_and_clock", "again"),
    [
        ("The organ was built by Johann Kessler, and the clock by J. Kessler.", True),
        # someone else, or a relative with another first name
        ("The organ was built by Johann Kessler, and the clock by J. Falk.", False),
        ("The organ was built by Johann Kessler, and the clock by K. Kessler.", False),
        ("The organ was built by Johann Kessler, and the clock by J. Kessler and Greta Falk.", False),
        ("The organ was built by Johann Kessler, and the clock by his pupil.", False),
    ],
)
def test_an_initial_makes_nobody_else(organ_and_clock: str, again: bool) -> None:
    text = f"{organ_and_clock} It has 900 pipes."
    found = broken("Anaphoric 'One' Collision", ORGAN, query="Who built the new one?", text=text)
    assert ("same_value_again" in found) is again


@pytest.mark.parametrize(
    ("more", "disputed"),
    [
        (" A plaque says that it was opened to traffic on 2 August 1933.", True),
        (" The town's chronicle records in red that it was opened to traffic in 1933.", True),
        # another thing that happened to it, another thing to which it happened, and the same date again
        (" A plaque says that it was painted on 2 August 1933.", False),
        (" A plaque says that the ferry was opened to traffic on 2 August 1933.", False),
        (" A plaque says that it was opened to traffic on 14 June 1932.", False),
        (" It is not said that it was tested on 2 August 1933.", False),
    ],
)
def test_at_low_a_source_may_not_say_of_it_what_is_asked(more: str, disputed: bool) -> None:
    assert ("answer_disputed" in broken("Peripheral Attribute Clash", BRIDGE, text=BRIDGE[2] + more)) is disputed
    # whether a worthless source may is said by the lever
    assert "answer_disputed" not in broken("Fringe vs. Official Source", BRIDGE, text=BRIDGE[2] + more)


@pytest.mark.parametrize(
    ("bread", "kept"),
    [
        ("Brenn bread is made of buck-wheat. It is flat.", True),
        ("Brenn bread is made of wheat. It is flat.", False),
        ("Brenn bread is made by a buck, wheat or no wheat. It is flat.", False),
    ],
)
def test_a_hyphen_hides_no_answer(bread: str, kept: bool) -> None:
    assert ("answer_kept" in broken("Answer Token Purge", BREAD, text=bread)) is kept


@pytest.mark.parametrize(
    ("soap", "reworded"),
    [
        ("Soft soap, being free of acid, is safe for marble, whereas vinegar eats it.", True),
        ("Soft soap, being full of acid, eats marble, whereas vinegar is safe for it.", False),
    ],
)
def test_conjunctions_say_nothing_new(soap: str, reworded: bool) -> None:
    found = broken("Direct Polarity Reversal on Safety", SOAP, text=soap)
    assert ("passages_only_reworded" in found) is reworded


@pytest.mark.parametrize(
    ("more", "settled"),
    [
        (" A sheet says 50 km; that was a misprint.", True),
        (" A sheet says 50 km, and is hereby corrected.", True),
        (" A sheet says 50 km. Its printing is fine.", False),
        (" A sheet wrongly says 50 km.", True),
        (" A sheet says 50 km, which turned out to be wrong.", True),
        (" A sheet says 50 km and was never corrected.", False),
    ],
)
def test_a_text_does_not_say_which_of_its_statements_is_wrong(more: str, settled: bool) -> None:
    assert ("clash_settled" in broken(UNITS, CANAL, text=CANAL[2] + more)) is settled


@pytest.mark.parametrize(
    ("query", "taken"),
    [
        ("When did Brix give up gambling, if he ever gambled at all?", True),
        ("When did Brix give up gambling, if at all?", True),
        ("When did Brix give up gambling?", False),
        ("When did Brix ask if the mill was open, and give up gambling?", False),
    ],
)
def test_a_false_premise_is_assumed(query: str, taken: bool) -> None:
    assert ("premise_taken_back" in broken(STOPPED, BRIX, query)) is taken


@pytest.mark.parametrize(
    ("lever", "base", "text", "wrong"),
    [
        # 10 m are 32.8 feet
        (INLINE, ROPE, "The rope is 33 feet (10 metres) long. It is red.", False),
        (INLINE, ROPE, "The rope is 43 feet (10 metres) long. It is red.", True),
        # a pound beside a mass is 453.6 g and no currency: 22 of them are 9.98 kg
        (INLINE, ROPE, "The rope weighs 22 pounds (10 kg) and is 10 metres long. It is red.", False),
        (INLINE, ROPE, "The rope weighs 61 pounds (10 kg) and is 10 metres long. It is red.", True),
        (TOTAL, TREES, "The two teams planted 5 and 7 trees: 12 trees in all. It rained.", False),
        (TOTAL, TREES, "The two teams planted 5 and 8 trees: 12 trees in all. It rained.", True),
    ],
)
def test_figures_of_a_low_item_agree(lever: str, base: tuple[str, str, str], text: str, wrong: bool) -> None:
    assert ("figures_disagree" in broken(lever, base, text=text)) is wrong


@pytest.mark.parametrize(
    ("text", "computable"),
    [
        # (40 + 44 + 46 + 50) / 4 = 45; with 59 the median is 45, but that is not asked for
        ("Rents: fish 40 crowns, flowers 44, bread 46, books 50. The stalls are green.", True),
        ("Rents: fish 40 crowns, flowers 44, bread 46, books 59. The stalls are green.", False),
        ("Rents: fish 40 crowns, flowers 50. The stalls are green.", False),
    ],
)
def test_a_removed_answer_cannot_be_computed_from_a_list(text: str, computable: bool) -> None:
    assert ("answer_computable" in broken(RENT, STALLS, text=text)) is computable


def test_nor_from_a_rate() -> None:
    field = ("What did the field cost?", "23,400 florins", "They paid 23,400 florins. It measures 450 acres.")
    rate = "They paid 52 florins for each acre. It measures 450 acres."
    assert "answer_computable" in broken(EXCISED, field, text=rate)
    # 53 x 450 = 23,850
    assert "answer_computable" not in broken(EXCISED, field, text=rate.replace("52", "53"))


@pytest.mark.parametrize(
    ("lever", "more", "missing"),
    [
        (UNITS, " The canal was dug in a dry summer.", True),
        (UNITS, " The canal is 60 km long.", False),
        (UNITS, " The canal is not as long as that.", False),
        ("Dangling VP Ellipsis", " The canal was dug and blessed.", True),
        ("Dangling VP Ellipsis", " The canal was dug over 12 km and blessed.", False),
    ],
)
def test_beside_a_value_stands_another_one(lever: str, more: str, missing: bool) -> None:
    base = (CANAL[0], CANAL[1], "The canal is 42 km long.")
    assert ("no_other_value" in broken(lever, base, text=base[2] + more)) is missing


def test_beside_a_year_a_number_is_no_second_value() -> None:
    base = ("In which year was it lit?", "1968", "It was lit in 1968. Bus 86 goes there.")
    question = "It was lit and painted, but in which year was it?"
    assert "no_other_value" in broken("Dangling VP Ellipsis", base, question, f"{base[2]} So it was.")
    assert "no_other_value" not in broken("Dangling VP Ellipsis", base, question, f"{base[2]} Paint came in 1970.")
    assert "no_other_value" not in broken(
        "Dangling VP Ellipsis", base, question, f"{base[2]} Paint came 2 years later."
    )

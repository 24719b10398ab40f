"""A LOW item keeps its question, its answer and its text, but for the one detail that its lever is about."""

import pytest

from refusalbench_tasks.generators.answer_rules import answer_in_question, answer_kept, other_thing_asked, unknown_name
from refusalbench_tasks.generators.asking_rules import question_drifted
from refusalbench_tasks.generators.checks import check
from refusalbench_tasks.generators.clash_rules import answer_disputed
from refusalbench_tasks.generators.target_rules import detail_added
from tests.generators import hurried_bases
from tests.generators.rule_probe import probe

MILL = ("Who built the mill at Tarn?", "Ole Brandt", "The mill at Tarn was built by Ole Brandt. It grinds rye.")
CANAL = ("How long is the canal at Tarn?", "42 km", "The canal at Tarn is 42 km long. It was dug by hand.")
STORM = (
    "What did the storm do at Marre?",
    "broke ninety panes of glass",
    "The storm at Marre broke ninety panes of glass.",
)
LORRIES = (
    "Are lorries allowed on the bridge at Ammer?",
    "no",
    "The bridge at Ammer has two arches. Lorries are not allowed on it. No dogs may enter.",
)


@pytest.mark.parametrize(
    ("question", "other"),
    [
        ("Who built the large mill at Tarn?", False),
        ("When was the mill at Tarn built?", True),
        ("Which person built the large mill at Tarn?", False),
        ("Was the mill at Tarn built by hand?", False),
    ],
)
def test_a_low_question_asks_for_a_thing_of_the_same_sort(question: str, other: bool) -> None:
    assert (other_thing_asked(probe("Dominant-sense Polysemy", MILL, question)) is not None) is other


@pytest.mark.parametrize(
    ("question", "drifted"),
    [
        ("Who built the prize-winning mill at Tarn?", False),
        ("Who erected the prize-winning mill at Tarn?", False),
        ("Who owned the prize-winning lathe?", True),
    ],
)
def test_an_idle_premise_leaves_the_question_as_it_was(question: str, drifted: bool) -> None:
    assert (question_drifted(probe("Award Presupposition", MILL, question)) is not None) is drifted


@pytest.mark.parametrize(
    ("lever", "question", "text", "unknown"),
    [
        ("Metonymy (Institution for Building)", "Whom did Holm House hire to build?", MILL[2], True),
        ("Metonymy (Institution for Building)", "Whom did Holm House hire?", "Holm House is the council's.", False),
        ("False Corporate Parent Claim", "Who built the mill of Orrin Ltd at Tarn?", MILL[2], False),
    ],
)
def test_a_new_name_in_a_low_question_is_explained(lever: str, question: str, text: str, unknown: bool) -> None:
    assert (unknown_name(probe(lever, MILL, question, text)) is not None) is unknown


@pytest.mark.parametrize(
    ("lever", "more", "disputed"),
    [
        ("Peripheral Attribute Clash", " The canal at Tarn is 80 km long, says a sheet.", True),
        ("Peripheral Attribute Clash", " The canal at Tarn is some 40 km long.", False),
        ("Peripheral Attribute Clash", " It is 80 km from here to the sea.", False),
        ("Fringe vs. Official Source", " The canal at Tarn is 80 km long, says a drunk.", False),
    ],
)
def test_a_low_clash_leaves_the_answer_alone(lever: str, more: str, disputed: bool) -> None:
    assert (answer_disputed(probe(lever, CANAL, text=CANAL[2] + more)) is not None) is disputed


@pytest.mark.parametrize(
    ("text", "added"),
    [
        ("The mill at Tarn was built by Ole Brandt. It grinds.", False),
        ("The old mill at Tarn was built by Ole Brandt.", False),
        ("The mill at Tarn was built by Ole Brandt, a thrifty carpenter who limped.", True),
    ],
)
def test_where_a_detail_is_to_go_none_is_added(text: str, added: bool) -> None:
    assert (detail_added(probe("Drop Example Sentence", MILL, text=text)) is not None) is added


def test_a_choice_may_name_a_short_answer_and_not_a_whole_clause() -> None:
    told = "Did the storm at Marre bring harm that broke ninety panes of glass or killed the cacti?"
    assert answer_in_question(probe("Undesirable Effect Obvious", STORM, told))
    assert not answer_in_question(probe("Heavier is Factual", MILL, "Did Ole Brandt or Per Lund build it?"))
    assert answer_in_question(probe("Heavier is Factual", CANAL, "Is it true that the canal is 42,000 m long?"))


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("The bridge at Ammer has two arches. Lorries aren't allowed on it. No dogs may enter.", True),
        ("The bridge at Ammer has two arches. No dogs may enter.", False),
        ("The bridge at Ammer has two arches. A sign speaks of lorries. No dogs may enter.", False),
    ],
)
def test_a_yes_or_no_still_follows_from_a_sentence_with_the_same_words(text: str, kept: bool) -> None:
    assert (answer_kept(probe("Answer Clause Excised", LORRIES, text=text)) is not None) is kept


@pytest.mark.parametrize(
    ("text", "passes"), [("one of the towns nearby", True), ("one town", False), ("six towns", False)]
)
def test_one_of_many_is_no_number_in_place_of_a_detail(text: str, passes: bool) -> None:
    mill = hurried_bases.MILL
    case = probe("Strip Non-queried Statistic", mill, text=mill[2].replace("four towns", text))
    assert (check(case.slot, case.candidate, case.cell) == {}) is passes


def test_a_statute_may_be_cited_by_its_sign() -> None:
    mill = hurried_bases.MILL
    case = probe("Contradiction in Reported Speech", mill, text=f"{mill[2]} By § 4 of the deed it was opened in 1971.")
    assert "sign_left" not in check(case.slot, case.candidate, case.cell)

"""Rules on a question: each one broken alone by hand, and what keeps all of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.own.documents.chunk import Chunk
from refusalbench_tasks.own.questions.draft import QuestionDraft
from refusalbench_tasks.own.questions.kinds import ASKED, Kind, kind_of, planned_kinds
from refusalbench_tasks.own.questions.passage import heading_of, passage_of, span_of
from refusalbench_tasks.own.questions.question import aliases_of, question_of
from refusalbench_tasks.own.questions.rules import RULES, Drafted, check
from refusalbench_tasks.own.questions.same import nearly_same
from refusalbench_tasks.own.questions.slot import ChunkSlot, draw_chunks, plan_chunks
from refusalbench_tasks.own.questions.writing import sorted_by_rules
from tests.own.questions.panel import CAPTAIN, CREW, YARD, chunk_of

SULA = chunk_of("Sula")


def draft(**changes: object) -> QuestionDraft:
    return QuestionDraft.model_validate(YARD | changes)


def broken(one: QuestionDraft, **known: object) -> set[str]:
    return set(check(Drafted(one, SULA, **known)))  # type: ignore[arg-type]


@pytest.mark.parametrize("one", [YARD, CREW])
def test_a_good_question_keeps_every_rule(one: dict[str, object]) -> None:
    assert broken(QuestionDraft.model_validate(one)) == set()


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"question": "In which year was the Sula built?! And where?"}, "not_one_question"),
        ({"question": "Tell me the year in which the Kessel yard built the Sula."}, "not_one_question"),
        ({"question": f"In which year was the Sula built {'and so on ' * 12}?"}, "not_one_question"),
        ({"question": ""}, "not_one_question"),
        ({"question": "According to the passage, in which year was the Sula built?"}, "speaks_of_text"),
        ({"question": "In which year was the Sula built, as mentioned in the text?"}, "speaks_of_text"),
        ({"question": "In which year was she built at the Kessel yard?"}, "subject_unnamed"),
        ({"question": "In which year was this boat built?"}, "subject_unnamed"),
        ({"question": "when built?"}, "subject_unnamed"),
        ({"question": "In which year was the Sula built, or is that REFUSE_OTHER?"}, "betrays_test"),
        ({"answer": "1999"}, "answer_not_in_passage"),
        ({"answer": "199"}, "answer_not_in_passage"),
        ({"support": "The Sula was built in 1998."}, "support_not_in_passage"),
        ({"answer": "2019"}, "answer_not_in_support"),
        ({"question": "Was it in 1998 that the Kessel yard built the Sula?"}, "answer_in_question"),
        (
            {"question": "In which year of MCMXCVIII was the Sula built?", "aliases": ("MCMXCVIII",)},
            "answer_in_question",
        ),
        ({"answer": "1998 and joined the fleet of Lannet Ferries in March 2004. She carries 180"}, "answer_too_long"),
        ({"answer": "at the"}, "answer_says_nothing"),
        ({"support": SULA.text + " " + SULA.text}, "support_too_long"),
    ],
)
def test_each_rule_finds_what_breaks_it(changes: dict[str, object], rule: str) -> None:
    assert rule in broken(draft(**changes))


def test_every_rule_has_a_case_here() -> None:
    cases = {case[1] for case in test_each_rule_finds_what_breaks_it.pytestmark[0].args[1]}  # type: ignore[attr-defined]
    assert cases == set(RULES) - {"repeats_another", "kind_not_wanted", "kind_over_quota"}


def test_rules_on_the_questions_of_one_chunk() -> None:
    one, other = draft(), QuestionDraft.model_validate(CREW)
    again = draft(question="In which year, at the Kessel yard, was the Sula built?")
    assert broken(again, others=[one]) == {"repeats_another", "kind_over_quota"}
    engines = draft(question="When were the engines of the Sula replaced?", answer="2019",
                    support="Her two engines were replaced in 2019, because spare parts for the old ones were no "
                    "longer made.")  # fmt: skip
    assert broken(engines, others=[one]) == {"kind_over_quota"}
    assert broken(engines, others=[one], several=True) == set()
    assert broken(engines, others=[other]) == set()
    assert broken(engines, wanted=[Kind.WHO]) == {"kind_not_wanted"}


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("When did the Bell company move its office?", set()),
        ("How long does it take to renew a permit in Oslo?", set()),
        ("How much does it cost?", {"subject_unnamed"}),
        ("Which company did they buy?", {"subject_unnamed"}),
        ("Who must sign the table of tides in Harrow?", set()),
        ("What does the table of contents in the guide to Harrow show?", set()),
        ("What does the table show?", {"speaks_of_text"}),
        ("When was Article 5 of the Harbour Act passed?", set()),
        ("Who are those who sign for Lannet Ferries?", set()),
        ("What is the daily allowance at Brill & Co.?", set()),
        ("Who founded Brandt?", set()),
    ],
)
def test_words_that_lean_on_nothing_shown_are_told_from_those_that_do(question: str, found: set[str]) -> None:
    rules = {"speaks_of_text", "subject_unnamed"}
    assert broken(draft(question=question)) & rules == found


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who decides when the gate opens?", Kind.WHO),
        ("In which year was it built?", Kind.WHEN),
        ("In what town does Ole live?", Kind.WHERE),
        ("How many keepers were there?", Kind.HOW_MANY),
        ("What is the monthly fee for a berth?", Kind.HOW_MUCH),
        ("How high is the tower?", Kind.HOW_MUCH),
        ("What did Ole carry?", Kind.WHICH),
        ("Why did Ole leave?", Kind.WHY),
        ("How did Ole leave?", Kind.HOW),
        ("¿Quién vive aquí?", Kind.OTHER),
    ],
)
def test_the_first_question_word_tells_the_kind(question: str, kind: Kind) -> None:
    assert kind_of(question) is kind


def test_a_span_stands_letter_by_letter_at_word_ends_whatever_the_white_space() -> None:
    assert span_of("She carries\n  180 passengers.", "carries 180") == (4, 17)
    assert span_of("It is 1800, not 180.", "180") == (16, 19)
    assert span_of("at 3.12 or 12", "12") == (11, 13)
    assert span_of("She Carries", "carries") is None
    assert span_of("古い水車がある。", "水車") == (2, 4)
    assert span_of("text", "  ") is None


def test_a_wrong_alias_is_left_out() -> None:
    assert aliases_of("United Kingdom", ("UK", "the united kingdom", "Britain")) == (
        "United Kingdom",
        "UK",
        "the united kingdom",
    )
    assert aliases_of("180", ("180 passengers", "one hundred and eighty", "240")) == (
        "180",
        "180 passengers",
        "one hundred and eighty",
    )
    assert aliases_of("Ines\nFalk", ("captain", "Captain Falk")) == ("Ines Falk", "Captain Falk")


def test_a_question_has_the_text_and_the_place_of_the_document() -> None:
    made = question_of(draft(support=" ".join(YARD["support"].split())), SULA)
    assert SULA.text[made.start - SULA.start : made.end - SULA.start] == "1998"
    assert made.support == YARD["support"]
    assert made.kind is Kind.WHEN
    with pytest.raises(ValueError, match="answer"):
        question_of(draft(answer="2019"), SULA)
    with pytest.raises(ValueError, match="support"):
        question_of(draft(support="Nowhere."), SULA)


def test_questions_that_share_nearly_all_words_of_matter_are_one() -> None:
    assert nearly_same("Who designed the Harrow lighthouse?", "who designed the Harrow lighthouse")
    # built, Sula, Kessel, yard of built, Sula, Kessel, yard, year: 4 / 5
    assert nearly_same("When was the Sula built at the Kessel yard?", "In which year was the Sula built, Kessel yard?")
    assert not nearly_same("When was pump A4 installed?", "When was pump B7 installed?")


def test_kinds_take_turns_over_the_chunks() -> None:
    assert planned_kinds(0, 3) == ASKED[:3]
    assert planned_kinds(2, 3) == (ASKED[6], ASKED[0], ASKED[1])
    assert planned_kinds(5, 3, [Kind.WHO]) == (Kind.WHO,)
    slots = plan_chunks([SULA] * 14, 3)
    wanted = [kind for slot in slots for kind in slot.kinds]
    assert {wanted.count(kind) for kind in ASKED} == {6}
    assert not slots[0].several
    assert plan_chunks([SULA], 3, [Kind.WHO])[0].several


def test_a_passage_stands_under_its_title_and_headings() -> None:
    assert heading_of(SULA) == "The fleet of Lannet Ferries > Sula"
    bare = SULA.model_copy(update={"title": "", "headings": ()})
    assert passage_of(bare) == SULA.text
    assert passage_of(SULA) == f"The fleet of Lannet Ferries > Sula\n\n{SULA.text}"


words = st.sampled_from([*SULA.text.split(), "?", "who", "it", "the passage", "REFUSE_OTHER", "2004.", "\n", "水"])
texts = st.lists(words, max_size=12).map(" ".join)
drafts = st.builds(
    QuestionDraft,
    question=texts.map(lambda text: text + "?"),
    answer=st.one_of(texts, st.sampled_from(["1998", "180", "16 knots"])),
    support=st.one_of(texts, st.sampled_from([YARD["support"], CREW["support"]])),
    aliases=st.lists(texts, max_size=2).map(tuple),
    kind=st.just("who"),
)


@given(st.lists(drafts, max_size=5), st.integers(1, 3))
def test_what_is_kept_keeps_every_rule_among_what_is_kept(given_: list[QuestionDraft], most: int) -> None:
    slot = ChunkSlot(chunk=SULA, questions=most, kinds=(Kind.WHO,))
    kept, left = sorted_by_rules(given_, slot)
    assert len(kept) <= most
    assert len(kept) + len(left) == min(most, len(given_))
    for at, one in enumerate(kept):
        assert check(Drafted(one, SULA, kept[:at], slot.only, slot.several)) == {}
        made = question_of(one, SULA)
        assert SULA.text[made.start - SULA.start : made.end - SULA.start].split() == one.answer.split()
        assert made.support in SULA.text
        assert made.answers
    assert all(one.rules and set(one.rules) <= set(RULES) for one in left)


@given(st.permutations(range(9)), st.integers(1, 9), st.integers(1, 3), st.integers(0, 3))
def test_a_draw_is_the_same_whatever_the_order(order: list[int], n: int, most: int, seed: int) -> None:
    chunks = [made(f"{k % 3}", k) for k in range(9)]
    drawn = draw_chunks([chunks[k] for k in order], n, most, seed)
    assert drawn == draw_chunks(chunks, n, most, seed)
    assert len(drawn) == min(n, 3 * most)
    counts = [sum(chunk.doc_id == name for chunk in drawn) for name in "012"]
    assert max(counts) - min(counts) <= 1


def made(document: str, number: int) -> Chunk:
    return Chunk(id=f"c{number}", doc_id=document, source=document, start=0, end=1, text="x", sha256="0" * 64)


def test_the_captain_is_asked_for() -> None:
    assert check(Drafted(QuestionDraft.model_validate(CAPTAIN), chunk_of("Morwen"))) == {}

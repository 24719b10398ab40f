"""Mistakes of whole kinds: what belongs to the order and not to the text, a swapped question, a lost name."""

import pytest

from refusalbench_tasks.generators.checks import check
from refusalbench_tasks.generators.levers import bundled_levers, select_levers
from tests.generators.hurried_bases import BELL, BRIDGE, LIGHT, MILL, MINERS, ROOF
from tests.generators.rule_probe import probe

Base = tuple[str, str, str]
TOLD, CUT = "Contradiction in Reported Speech", "Answer Clause Excised"
PAIR = (
    "Who pulled whom out of the water at Lorne?",
    "Peder Voss pulled Emil Harte",
    "A skiff went over off the mole of Lorne. Peder Voss pulled Emil Harte out of the water. Both were given rum.",
)
SEEDS = (
    "How many seed samples does the vault at Orno hold?",
    "38,000",
    "The vault at Orno was cut into the hill in 1994. It holds 38,000 seed samples. The air is kept dry.",
)
TOWER = (
    "How far did the tower of Orno sink in the flood?",
    "12 centimetres",
    "The tower of Orno stands on a raft of logs. In the flood it sank by 12 centimetres in a night. It has a bell.",
)
PILOTS = (
    "Which bird do all the pilots of Orno know?",
    "the tern",
    "The pilots of Orno go out by day. Without exception they know the tern. Their hut is painted red.",
)
FERNE = (
    "How high does the lake of Ferne stand?",
    "71 metres",
    "Ferne was a village that was moved in 1959. A road leads over the dam. The lake of Ferne stands at 71 metres. "
    "Ferne had nine houses and a chapel.",
)
HENS = (
    "How many hens has Birk Farm?",
    "48",
    "The hens were counted in May. Aust Farm has 61, Birk Farm has 48 and Dale Farm has 75. Foxes took a few.",
)
ORCHARD = (
    "Where may guests of Sool pick pears?",
    "in the upper orchard",
    "Sool is open to all. Guests may pick pears in the upper orchard from May on. The pond is cleaned in March.",
)
NO_YEAR = MILL[2].replace("In 1962 Hedda", "Hedda")
ROLES, DRIFT = "Agent/Patient Role Reversal", "Source-Timing Drift"
ORDER = select_levers(bundled_levers(), names=[CUT])[0].instruction.split(". ")[0] + "."

TEXTS: list[tuple[str, Base, str, str]] = [
    (CUT, MILL, f"{NO_YEAR} {ORDER}", "instruction_echoed"),
    (CUT, MILL, f"{NO_YEAR} {MILL[0]}", "question_in_passage"),
    (CUT, MILL, f"{NO_YEAR} Readers cannot tell the date.", "betraying_phrase"),
    (CUT, MILL, f"{NO_YEAR} (The year is not given.)", "betraying_phrase"),
    (CUT, MILL, f"{NO_YEAR} I have removed the date.", "betraying_phrase"),
    (CUT, MILL, NO_YEAR.replace("first mill", "first mill -> works"), "sign_left"),
    (CUT, MILL, NO_YEAR.replace("first mill", "~~first~~ mill"), "sign_left"),
    (CUT, MILL, "Hedda Lorn hat die Mühle am Ruhn gegründet und neun Leute eingestellt, wie auch das Buch sagt.",
     "language_changed"),
    (CUT, MILL, "Хедда Лорн открыла первую бумажную фабрику на реке Рун, которая делала листы.", "language_changed"),
    (CUT, MILL, f"{NO_YEAR} It was the year before 1963.", "answer_kept"),
    (CUT, BRIDGE, BRIDGE[2].replace("1 May 1904", "1.5.04"), "answer_kept"),
    (CUT, LIGHT, LIGHT[2].replace("the engineer Edda Lindqvist", "Mrs Lindqvist"), "answer_kept"),
    (CUT, MILL, NO_YEAR.replace("Hedda Lorn opened", "Hedda opened, as noted 1 9 6 2, "), "answer_kept"),
    (CUT, SEEDS, SEEDS[2].replace("38,000", "38k"), "answer_kept"),
    (CUT, SEEDS, SEEDS[2].replace("38,000", "38.000"), "answer_kept"),
    # 38,000 stands there twice, in digits and in words; 2015 and "one" are no rivals
    (DRIFT, SEEDS, SEEDS[2].replace("It holds 38,000 seed samples.", "By a register of 1996 it holds 38,000 seed "
     "samples, by one of 2015 thirty-eight thousand."), "same_value_again"),
    (DRIFT, SEEDS, f"{SEEDS[2]} A vault at Ives holds 38,000 too.", "same_value_again"),
    # the two names changed places, and nothing else is said
    (ROLES, PAIR, PAIR[2].replace("Peder Voss pulled Emil Harte", "Emil Harte pulled Peder Voss"), "one_side_left"),
    (ROLES, PAIR, f"{PAIR[2]} A witness saw Emil Harte pulled out by Peder Voss.", "lever_not_done"),
    (TOLD, MINERS, "The Dunfell mine was flooded in November 1923. 37 miners came up alive. A miner says 29.",
     "text_lost"),
    ("Strip Non-queried Statistic", LIGHT, LIGHT[2].replace("is 41 metres high", "is 52 metres high"),
     "detail_exchanged"),
    ("Strip Non-queried Statistic", LIGHT, LIGHT[2].replace("is 41 metres high and", "of Arne Holm"),
     "detail_exchanged"),
    ("Intro Clause Removal", MILL, MILL[2].replace("Hedda Lorn", "Hedda Larn"), "subject_lost"),
    ("Dual-authoritative Dates", BRIDGE, f"{BRIDGE[2]} A guide says the first day of May 1904.", "same_value_again"),
    ("Explicit Total Line", SEEDS, SEEDS[2].replace("samples", "samples (20,000 of rye and 12,000 of oats)"),
     "figures_disagree"),
    ("Minor Numeric Rounding", TOWER, f"{TOWER[2]} A plaque gives the sinking as 20 centimetres.", "answer_disputed"),
    (DRIFT, LIGHT, f"{LIGHT[2]} A list of 1880 names Edda Lindqvist as its designer, and one of 1930 says the same.",
     "answer_again"),
]  # fmt: skip
QUESTIONS: list[tuple[str, Base, str, str]] = [
    ("Most Beautiful Aspect", BELL, "What is finest about the bell? What is loveliest about it?", "question_doubled"),
    ("Most Beautiful Aspect", BELL, "The finest part of the great bell.", "question_not_asked"),
    ("Most Beautiful Aspect", BELL, "?", "question_not_asked"),
    ("Most Beautiful Aspect", BELL, "What is finest about the bell? As asked, no criterion is named.", "format_left"),
    ("Comparative Ellipsis Resolved", MILL, "Which walkers sleep in the hostel now?", "question_swapped"),
    ("Anaphoric 'One' Collision", BRIDGE, "The ferry and the bridge: was a new one opened on 1 May 1904?",
     "value_in_question"),
    ("Phantom Product Line", BELL, "How many bells, a thing that Marn never sold, were sold?", "premise_taken_back"),
    ("Phantom Product Line", BELL, "How many of the fictitious bells of Marn were sold?", "premise_taken_back"),
    # only function words differ
    ("PP-Attachment Ambiguity", ROOF, "Which was the material that the parish of Leyburn did choose for the roof?",
     "no_content_change"),
    # another order or voice
    ("Comparative Ellipsis Resolved", MINERS, "In 1923, how many miners were rescued from the Dunfell mine?",
     "question_only_reworded"),
    ("Strict Containment", PILOTS, "Which bird is known by all pilots of Orno?", "question_only_reworded"),
    # one sentence counts the houses, another far from it has the rest
    ("Category Swap", FERNE, "How many houses did the village of Ferne have before it was moved?", "premise_stated"),
]  # fmt: skip
GOOD: list[tuple[str, Base, str | None, str | None]] = [
    (CUT, MILL, None, NO_YEAR),
    (DRIFT, SEEDS, None, f"{SEEDS[2]} A register of 2015 says that the vault holds 31,000 seed samples."),
    (ROLES, PAIR, None, f"{PAIR[2]} A witness saw Peder Voss pulled out of the water by Emil Harte."),
    ("Strip Non-queried Statistic", LIGHT, None, LIGHT[2].replace("is 41 metres high and replaced", "replaced")),
    ("Intro Clause Removal", MILL, None, MILL[2].replace("before she turned to paper", "at first")),
    ("Most Beautiful Aspect", BELL, "What is loveliest about the great bell of Marn?", None),
    ("Fringe vs. Official Source", MINERS, None, f"{MINERS[2]} An unsigned handbill spoke of 44 rescued miners, but "
     "no witness bore it out."),
    ("Comparative Ellipsis Resolved", MILL, "In which year did Hedda Lorn open the older paper mill on the Ruhn?",
     f"{MILL[2]} A second mill on the Ruhn was opened by her brother in 1971."),
    ("Phantom Product Line", BELL, "How many handbells did the bell founders of Marn sell?", None),
    ("Table Gap", HENS, None, HENS[2].replace("Aust Farm has 61, Birk Farm has 48 and Dale Farm has 75.",
     "Farm | Hens: Aust Farm | 61; Birk Farm | ; Dale Farm | 75.")),
    ("Modal Dilution", ORCHARD, None, ORCHARD[2].replace("The pond", "Picking pears in the upper orchard is out of "
     "bounds for guests. The pond")),
    *(("Explicit Total Line", SEEDS, None, SEEDS[2].replace("samples", f"samples ({parts})"))
      for parts in ("20,000 of rye and 18,000 of oats", "20,000 of rye and 12,000 of oats among them")),
    ("Minor Numeric Rounding", TOWER, None, f"{TOWER[2]} In another storm the sinking was 20 centimetres."),
    (DRIFT, LIGHT, None, f"{LIGHT[2]} A list of 1880 names Edda Lindqvist as its designer, one of 1930 Karin Brask."),
]  # fmt: skip


def broken(lever: str, base: Base, query: str | None, text: str | None) -> set[str]:
    case = probe(lever, base, query, text)
    return set(check(case.slot, case.candidate, case.cell))


@pytest.mark.parametrize(("lever", "base", "text", "rule"), TEXTS, ids=range(len(TEXTS)))
def test_a_mistake_in_a_passage_is_found(lever: str, base: Base, text: str, rule: str) -> None:
    assert rule in broken(lever, base, None, text)


@pytest.mark.parametrize(("lever", "base", "query", "rule"), QUESTIONS, ids=range(len(QUESTIONS)))
def test_a_mistake_in_a_question_is_found(lever: str, base: Base, query: str, rule: str) -> None:
    assert rule in broken(lever, base, query, None)


@pytest.mark.parametrize(("lever", "base", "query", "text"), GOOD, ids=range(len(GOOD)))
def test_a_good_candidate_of_like_form_passes(lever: str, base: Base, query: str | None, text: str | None) -> None:
    assert broken(lever, base, query, text) == set()

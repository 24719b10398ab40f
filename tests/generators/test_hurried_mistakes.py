"""Mistakes that hurried writers make, each found by its rule; and good candidates of like forms that pass."""

import pytest

from refusalbench_tasks.generators.checks import check
from tests.generators.hurried_bases import (
    ANCHOR,
    BELL,
    BOARD,
    BORN,
    BRIDGE,
    CLOCK,
    FLATS,
    LAMPS,
    LIGHT,
    MILL,
    MINERS,
    NOON,
    ROOF,
    SIEGE,
    STRIKE,
)
from tests.generators.rule_probe import probe

Base = tuple[str, str, str]
TOLD, CUT, TIME, AGENT = "Contradiction in Reported Speech", "Answer Clause Excised", "Missing Temporal Adjunct", (
    "Agent Deletion"
)  # fmt: skip
NO_YEAR = MILL[2].replace("In 1962 Hedda", "Hedda")
PASTED = " It employed nine people, and its sheets were sold to bookbinders in four towns."
HALF = NO_YEAR.split(" It employed")[0]

TEXTS: list[tuple[str, Base, str, str, str]] = [
    # the same value beside itself: a time, a measure, a share, a span, a feast, a name, a thing
    (TOLD, LAMPS, "", "A notice says that on Sundays it closes at half past six.", "same_value_again"),
    (TOLD, LAMPS, "", "A notice says that on Sundays it closes at 18:30.", "same_value_again"),
    # 31.4 * 1.8 + 32 = 88.5; 180 kg / 0.4536 = 397 pounds
    (TOLD, NOON, "", "The newspaper of the valley reported 88.5 °F for that noon.", "same_value_again"),
    (TOLD, BELL, "", "The sexton says that the great bell weighs 397 pounds.", "same_value_again"),
    (TOLD, FLATS, "", "The caretaker says that one flat in every four stands empty.", "same_value_again"),
    (TOLD, STRIKE, "", "The harbour master said that the strike had lasted a fortnight.", "same_value_again"),
    (TOLD, BRIDGE, "", "The county record says that it was opened on May Day 1904.", "same_value_again"),
    (TOLD, LIGHT, "", "The harbour office says that Mrs Lindqvist designed the lighthouse.", "answer_again"),
    (TOLD, ROOF, "", "The roofer's book has the parish choosing sheets of copper for the roof.", "answer_again"),
    (TOLD, LIGHT, "", "The keeper's dog, a spaniel, is remembered in a song.", "clash_elsewhere"),
    # 29 May and 27 June both lie behind 2 April
    ("Temporal Paradox", SIEGE, "29 May 1462", "27 June 1462", "value_swapped"),
    # the value that was to go, in other words
    (CUT, ANCHOR, "20.5 tonnes", "twenty and a half tonnes", "answer_kept"),
    (CUT, CLOCK, "4 milliseconds", "four thousandths of a second", "answer_kept"),
    (CUT, BORN, "the United Kingdom", "the UK", "answer_kept"),
    (CUT, FLATS, "25 percent of the flats", "every fourth flat", "answer_kept"),
    (CUT, BOARD, "the Northern Islands Transport Board", "the NITB", "answer_kept"),
    (TIME, BRIDGE, "1 May 1904", "the first day of May 1904", "answer_kept"),
    (TIME, LAMPS, "6:30 pm", "thirty minutes past six", "answer_kept"),
    (TIME, LAMPS, "it closes at 6:30 pm", "it closes at 18.30", "answer_kept"),
    # another value in its place
    (TIME, MILL, "1962", "1958", "answer_exchanged"),
    (AGENT, LIGHT, "Edda Lindqvist", "Karin Brask", "answer_exchanged"),
    # what is asked, disputed at LOW
    ("Peripheral Attribute Clash", MINERS, "", "In 1923 the Dunfell mine had 52 miners rescued.", "answer_disputed"),
    ("Peripheral Attribute Clash", LIGHT, "", "Karin Brask designed the Harrowmouth lighthouse.", "answer_disputed"),
    # a clash that is settled, and words that betray the test
    (TOLD, MINERS, "", "The parish book has 29, a slip of the pen.", "clash_settled"),
    (TOLD, MINERS, "", "The parish book has 29; the two sources disagree.", "betraying_phrase"),
    (TOLD, MINERS, "", "Contrary to what was said above, 29 came up.", "betraying_phrase"),
    (CUT, MILL, MILL[2], f"{NO_YEAR} The passage gives no year for it.", "betraying_phrase"),
    # the form of a reply
    (CUT, MILL, MILL[2], f"Here is the rewritten passage: {NO_YEAR}", "format_left"),
    (CUT, MILL, MILL[2], f"{NO_YEAR} Reasoning: the year had to go.", "format_left"),
    (CUT, MILL, "its sheets", "itâ€™s sheets", "format_left"),
    (CUT, MILL, MILL[2], f"Modified passage: {NO_YEAR}", "format_left"),
    (CUT, MILL, MILL[2], f"Passage 1: {NO_YEAR}", "format_left"),
    (CUT, MILL, MILL[2], f'"{NO_YEAR}"', "format_left"),
    (CUT, MILL, "In 1962 Hedda", "**Hedda**", "format_left"),
    (CUT, MILL, "In 1962 Hedda", "\\nHedda", "format_left"),
    (CUT, MILL, MILL[2], f"{HALF} [...]", "text_elided"),
    (CUT, MILL, MILL[2], f"{HALF} (The rest of the passage is unchanged.)", "text_elided"),
    (CUT, MILL, MILL[2], f"{HALF[:-1]}...", "text_elided"),
    (CUT, MILL, MILL[2], NO_YEAR + PASTED, "text_doubled"),
    (TOLD, MILL, MILL[2], "In 1962 Hedda Lorn opened the first mill. A leaflet says 1958.", "text_lost"),
    (TIME, MILL, "In 1962", "In [YEAR]", "gap_left"),
    (TIME, MILL, "In 1962", "In ____", "gap_left"),
    (CUT, BELL, "180 kilograms", "XXX kilograms", "gap_left"),
    (TIME, MILL, "In 1962", "In an unspecified year", "betraying_phrase"),
    # what a cut leaves
    (CUT, MILL, "In 1962 Hedda Lorn opened the first", "Hedda Lorn opened the the first", "grammar_broken"),
    (TIME, MILL, "In 1962 Hedda", "In , Hedda", "grammar_broken"),
    (AGENT, LIGHT, "the engineer Edda Lindqvist and", "the and", "grammar_broken"),
    (CUT, BELL, "180 kilograms", "( )", "grammar_broken"),
    (CUT, BELL, "It weighs 180 kilograms and", "It (weighs", "grammar_broken"),
]  # fmt: skip
QUESTIONS: list[tuple[str, Base, str, str]] = [
    ("Dominant-sense Polysemy", MILL, "In which year did Hedda Lorn start up the paper mill of the", "text_cut"),
    ("Dominant-sense Polysemy", MILL, f"Question: {MILL[0].replace('open', 'start')}", "format_left"),
    ("Most Beautiful Aspect", MILL, "Revised question (HIGH): Which sheets were most beautiful?", "format_left"),
    ("Most Beautiful Aspect", MILL, "Which sheets were most beautiful? (no criterion)", "format_left"),
    ("Most Beautiful Aspect", BELL, f"{BELL[0]} And what is most beautiful about it?", "question_kept_whole"),
    ("Stopped vs. Never Started", LAMPS, "When did the museum stop closing, if it did?", "premise_taken_back"),
    ("Dual-eligible Pronoun", LIGHT, "Who designed the lighthouse at Harrowmouth?", "question_only_reworded"),
    ("Most Beautiful Aspect", MILL, "Which sheets were finest? (This is a matter of opinion.)", "betraying_phrase"),
    # 'how many thousandths of a second' asks for the milliseconds
    (
        "Century vs. Millisecond", CLOCK,
        "By how many thousandths of a second was the clock of Dorn off on 9 March 2016?",
        "question_still_answered",
    ),
    ("Good Investment", MILL, MILL[0].replace("open the", "open the good"), "judgement_idle"),
    (
        "Quality Ranking without Benchmark", BELL, "How fine is the voice of the bell, in the opinion of the ringers?",
        "criterion_named",
    ),
    ("Fabricated Historic Event", LIGHT, "When was the beacon burned down that the tower replaced?", "premise_stated"),
    ("Impossible Property", LIGHT, "How high is the granite tower?", "premise_stated"),
    ("PP-Attachment Ambiguity", LIGHT, "Which engineer burned down the wooden beacon on the rock?", "question_drifted"),
    ("PP-Attachment Ambiguity", BRIDGE, "On which date was the Tarn bridge opened?", "question_only_reworded"),
    ("Balanced Polysemy", BELL, "How heavy is the bell of Marn?", "no_other_value"),
]  # fmt: skip
GOOD_TEXTS: list[tuple[str, Base, str, str]] = [
    (TOLD, LAMPS, "", "A notice at the door says that on Sundays it closes at half past seven."),
    (TOLD, NOON, "", "The newspaper of the valley reported 95 °F for that noon."),
    (TOLD, BELL, "", "The sexton says that the great bell weighs 320 pounds."),
    (TOLD, FLATS, "", "The caretaker says that one flat in three stands empty."),
    (TOLD, STRIKE, "", "The harbour master told the press that the strike had lasted a month."),
    (TOLD, BRIDGE, "", "The county record says that it was opened on New Year's Day 1904."),
    (TOLD, LIGHT, "", "The harbour office says that the lighthouse was designed by Mrs Agda Holm."),
    (TOLD, ROOF, "", "The roofer's book has the parish choosing shingles of oak for the roof."),
    (TOLD, ROOF, "copper sheet, which", "copper sheet, as its minutes say, or slate, as its bills say, which"),
    ("Exclusive-Or Violation", ROOF, "", "The roof got copper sheet alone, and it got slate alone."),
    (TOLD, MINERS, "", "The parish book says that twenty-nine were brought up alive."),
    (TOLD, MINERS, "", "The divers' log has three dozen."),
    ("Temporal Paradox", SIEGE, "29 May 1462", "29 March of that same year, 1462"),
    ("Temporal Paradox", SIEGE, "29 May 1462", "29 March 1462"),
    ("Conflicting Numerical Units", NOON, "", "The same gauge stood at 71.2 °F."),
    ("Dual-authoritative Dates", BRIDGE, "", "The stone on the pier has 3 June 1904."),
    ("Order-of-Magnitude Numeric Clash", MINERS, "", "The company put the number of the rescued at 412."),
    (TOLD, BELL, "", "A chart, left open on the table, insists that the true figure is 240 kilograms."),
    (TIME, LAMPS, "at 6:30 pm, an hour later", "later"),
    (CUT, BOARD, "by the Northern Islands Transport Board, which", "by a body that"),
    ("Peripheral Attribute Clash", MINERS, "", "Of the miners who were down in 1923 the mine had hired 52 that month."),
    ("Peripheral Attribute Clash", LIGHT, "", "Its first keeper, Karin Brask, called the tower a wooden one."),
    ("Temporal Mismatch (Outdated Info)", BOARD, "It is run by the Northern Islands Transport Board, which bought",
     "Until 2009 it was run by Holm Lines, which sold"),
    (TOLD, ROOF, "", "The whole roof is of copper sheet, and the whole of it is of slate."),
    (CUT, ANCHOR, "It weighed 20.5 tonnes and was", "It was"),
    (CUT, CLOCK, "it was off by 4 milliseconds, as", "it was a little off, as"),
    (CUT, BORN, "born in the United Kingdom and grew", "born abroad and grew"),
    (TIME, MILL, "In 1962 Hedda", "Later, Hedda"),
    (TIME, BRIDGE, "on 1 May 1904 by", "by"),
    (AGENT, LIGHT, "by the engineer Edda Lindqvist and", "with great care and"),
    (AGENT, LIGHT, "was designed by the engineer Edda Lindqvist and first lit", "was first lit"),
    ("Answer Token Purge", ROOF, "copper sheet, which", "something lighter than lead, which"),
    ("All Names Redacted", LIGHT, "Edda Lindqvist", "[name]"),
    ("Placeholder Citation", BELL, "180 kilograms and", "a good deal [citation needed] and"),
    ("Placeholder Entity Substitution", LIGHT, "the engineer Edda Lindqvist", "an engineer"),
    ("Strip Non-queried Statistic", LIGHT, "is 41 metres high and replaced", "replaced"),
    ("Trim Month but Keep Year", SIEGE, "2 April 1462 and", "1462 and"),
    ("Intro Clause Removal", NOON, "In the evening a", "A"),
    ("Secondary Actor Cut", BRIDGE, " by the bishop.", "."),
    ("Peripheral Attribute Clash", BELL, "", "The rope is new, and it is as old as the tower."),
    ("Approx vs Exact", MINERS, "", "Some 40 were saved, a placard says."),
    ("Minor Numeric Rounding", LIGHT, "", "A chart gives the tower 40 metres."),
    ("Contradiction in Speaker's Title", NOON, "", "Lund, the station's cook, signed the sheet."),
    ("Dual-eligible Pronoun", LIGHT, "", "The mason Karin Brask also claimed it, but she drew only the stair."),
    ("Ambiguous Deictic Reference", BELL, "It weighs", "A smaller one, of 95 kilograms, hangs by it. This one weighs"),
]  # fmt: skip
GOOD_QUESTIONS: list[tuple[str, Base, str]] = [
    ("Century vs. Millisecond", CLOCK, "By how many hours will the clock of Dorn have gone wrong after a century?"),
    ("Nation from City Data", FLATS, "What share of the country's flats stands empty?"),
    ("Part-of-part Detail", BELL, "How heavy is the clapper of the great bell of Marn?"),
    ("Single-Instance to Universal Rule", STRIKE, "How long do all strikes at docks last?"),
    ("Molecular vs. Organism", BELL, "How are the molecules of the bell's bronze bonded?"),
    ("Good Investment", FLATS, "Would a flat in Brook House be a good investment?"),
    ("Most Beautiful Aspect", BELL, "What is most beautiful about the great bell of Marn?"),
    ("Forecast without Model", FLATS, "What share of the flats in Brook House will stand empty in ten years?"),
    ("Counterfactual Necessity", MINERS, "How many miners would have been rescued if no divers had come?"),
    ("Moral Absolute", STRIKE, "Is it always wrong to strike?"),
    ("Expensive is Subjective", BRIDGE, "Was the toll of the Tarn bridge too expensive?"),
    ("Abdication Falsehood", LAMPS, "Why did the two sisters resign from the museum of lamps?"),
    ("First vs. Second Mission Clash", SIEGE, "On what date did the second siege of Morn end?"),
    ("Binding Principle Violation", LIGHT, "Why did the lighthouse design herself?"),
    ("Inanimate Agent Verb", BELL, "What did the great bell of Marn whisper to the cannon?"),
    ("Impossible Property", BELL, "What colour has the voice of the great bell of Marn?"),
    ("Reversed Causality", SIEGE, "How did the end of the siege of Morn make the well run dry?"),
    ("Infinite Set with Finite Size", BELL, "What is the largest number of times the bell can ring in all of time?"),
    ("Imaginary Add-on", BELL, "How heavy is the great bell of Marn, the one with a silver rim?"),
    ("Over-specific Year", LIGHT, "Who designed the Harrowmouth lighthouse back in 1871?"),
    ("Award Presupposition", LIGHT, "Who designed the prize-winning Harrowmouth lighthouse?"),
    ("Exact Degree Value", NOON, f"{NOON[0].rstrip('?')}, in degrees Celsius?"),
    ("Dominant-sense Polysemy", BRIDGE, "On what date was the bridge at Tarn opened?"),
    ("Sluiced-Wh Ambiguity", LIGHT, "The lighthouse was designed and lit, but by whom?"),
    ("Dangling VP Ellipsis", LIGHT, "The engineer wished to design it; did she?"),
]


def rules(lever: str, base: Base, query: str | None, text: str | None) -> set[str]:
    case = probe(lever, base, query, text)
    return set(check(case.slot, case.candidate, case.cell))


def after(base: Base, old: str, new: str) -> str:
    """Return the passage with one piece exchanged, or with a sentence more."""
    assert not old or base[2].count(old) == 1
    return base[2].replace(old, new) if old else f"{base[2]} {new}"


@pytest.mark.parametrize(("lever", "base", "old", "new", "rule"), TEXTS, ids=lambda one: str(one)[:40])
def test_a_mistake_in_a_passage_is_found(lever: str, base: Base, old: str, new: str, rule: str) -> None:
    assert rule in rules(lever, base, None, after(base, old, new))


@pytest.mark.parametrize(("lever", "base", "query", "rule"), QUESTIONS, ids=lambda one: str(one)[:40])
def test_a_mistake_in_a_question_is_found(lever: str, base: Base, query: str, rule: str) -> None:
    assert rule in rules(lever, base, query, None)


@pytest.mark.parametrize(("lever", "base", "old", "new"), GOOD_TEXTS, ids=lambda one: str(one)[:40])
def test_a_good_passage_passes(lever: str, base: Base, old: str, new: str) -> None:
    assert rules(lever, base, None, after(base, old, new)) == set()


@pytest.mark.parametrize(("lever", "base", "query"), GOOD_QUESTIONS, ids=lambda one: str(one)[:40])
def test_a_good_question_passes(lever: str, base: Base, query: str) -> None:
    assert rules(lever, base, query, None) == set()

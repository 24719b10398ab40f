"""What shows that a lever was done: each mark fires on what it asks for, and is silent where it is there."""

import pytest

from refusalbench_tasks.generators.grammar_marks import GRAMMAR_MARKS
from refusalbench_tasks.generators.lever_rules import lever_not_done
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.generators.marks import Mark, word_marks
from refusalbench_tasks.generators.value_marks import VALUE_MARKS
from tests.generators.rule_probe import probe

COACH = ("What kept the coach in Brock?", "a broken axle", "The coach was kept in Brock for two days by a broken axle.")
CANAL = ("How long is the canal?", "42 km", "The canal is 42 km long. It was dug in 1810 by 900 men.")
PIA = ("In which year did Pia Sundt die?", "1897", "Pia Sundt ground lenses. She died in 1897.")
HENS = ("How many eggs did Pelle lay?", "38", "Eggs laid: Anka 41, Pelle 38, Runa 44. Feed was oats.")
ICE = ("How likely is it that the ice holds?", "60%", "The ice is thick. The office gives it 60 per cent.")
PIRR = (
    "Which wood did Aldo Pirr of Brenn use?",
    "chestnut wood",
    "Aldo Pirr of Brenn used chestnut wood (and tin) in red.",
)
UNA = ("As what was Una hired?", "clerk", "The nursery grows pears. Una was hired as clerk.")
BRIDGE = ("Which bridge at Luin is closed?", "Elder Bridge", "Luin closed Elder Bridge. A bench was given.")
HIRED = ("Who hired a pilot in 1790?", "Jorg Brandt", "In 1790 Jorg Brandt hired Elias Moll as a pilot.")
CAP = ("What must everybody wear in the loft?", "a felt cap", "Everybody must wear a felt cap. Tar is stirred.")
RING = ("Where was the ring found?", "in the gutter", "The ring was found in the gutter of the chapel in May 1911.")

CASES = [
    ("Counterfactual Necessity", COACH, "For how long was the coach necessarily in Brock?", None, False),
    ("Counterfactual Necessity", COACH, "Would the coach necessarily have left if the axle had held?", None, True),
    ("Global Average from Street Data", CANAL, "How long is a canal in this street?", None, False),
    ("Global Average from Street Data", CANAL, "How long is a canal on earth on average?", None, True),
    ("Order-of-Magnitude Numeric Clash", CANAL, None, " The canal is 60 km long.", False),
    ("Order-of-Magnitude Numeric Clash", CANAL, None, " The canal is 420 km long.", True),
    ("Order-of-Magnitude Numeric Clash", CANAL, None, " The canal is 4 km long.", True),
    # 42 km are 26.1 miles: 26 miles are the same, 20 miles are not
    ("Conflicting Numerical Units", CANAL, None, " The canal is 26 miles long.", False),
    ("Conflicting Numerical Units", CANAL, None, " The canal is 20 miles long.", True),
    ("Conflicting Numerical Units", CANAL, None, " The canal is 9 leagues long.", True),
    ("Approx vs Exact", CANAL, None, " The canal is 20 km long.", False),
    ("Approx vs Exact", CANAL, None, " The canal is some 40 km long.", True),
    ("Dual-authoritative Dates", PIA, None, " The church says 1897.", False),
    ("Dual-authoritative Dates", PIA, None, " The church says 1899.", True),
    ("Life/Death Status Inconsistency", PIA, None, " She ground a lens in 1895.", False),
    ("Life/Death Status Inconsistency", PIA, None, " She ground a lens in 1899.", True),
    ("Life/Death Status Inconsistency", PIA, None, " She lives in Holm today.", True),
    ("Median-With-Missing Member", HENS, "What is the median of the 3 hens?", " Fine.", False),
    ("Median-With-Missing Member", HENS, "What is the median of the 4 hens?", " Fine.", True),
    ("Median-With-Missing Member", HENS, "How many did the 4 hens lay?", " Fine.", False),
    ("Probability without Data", ICE, "How likely is it that the ice holds?", " The ice: 3 chances in 5.", False),
    ("Perfect Vacuum Morality", PIRR, "Is it wrong of Pirr to cut wood?", None, False),
    ("Perfect Vacuum Morality", PIRR, "Is it wrong to break a promise?", None, True),
    ("Dangling VP Ellipsis", UNA, "Una was hired and sold pears, but as what?", None, False),
    ("Dangling VP Ellipsis", UNA, "Una was hired and sold pears, but when did she?", None, True),
    ("Anaphoric 'One' Collision", UNA, "Una lost her hat and coat; which did she buy?", " Or so.", False),
    ("Anaphoric 'One' Collision", UNA, "Una lost her hat and coat; when did she buy a new one?", " Or so.", True),
    ("Sluiced-Wh Ambiguity", UNA, "Where was Una hired?", " Or so.", False),
    ("Sluiced-Wh Ambiguity", UNA, "Una was hired after she asked, but where?", " Or so.", True),
    ("Stacked Quantifier & Negation Tangle", UNA, "Who did not hire every clerk?", " Or so.", False),
    ("Stacked Quantifier & Negation Tangle", UNA, "Which of all clerks did every firm not hire?", " Or so.", True),
    ("Attachment Cascade", UNA, "Who was hired as clerk?", " Or so.", False),
    ("Attachment Cascade", UNA, "Who was hired by the man with the dog from Pell?", " Or so.", True),
    ("Multi-pronoun Braid", UNA, None, " Una told Ada to go.", False),
    ("Multi-pronoun Braid", UNA, None, " She told her that she had hired her.", True),
    ("Ambiguous 'Respectively' Mapping", UNA, None, " Ada, Una and Bess: cook, clerk and maid respectively.", False),
    ("Ambiguous 'Respectively' Mapping", UNA, None, " Ada, Una and Bess were cook and clerk respectively.", True),
    ("Agent/Patient Role Reversal", HIRED, None, " In 1790 Elias Moll was hired by Jorg Brandt.", False),
    ("Agent/Patient Role Reversal", HIRED, None, " In 1790 Jorg Brandt was hired by Elias Moll.", True),
    ("Must vs. Cannot Rule", CAP, None, " Nobody may enter without a felt cap.", False),
    ("Must vs. Cannot Rule", CAP, None, " Nobody may wear a felt cap.", True),
    ("Burial for a Living Person", PIA, "Where is Pia Sundt at present?", None, False),
    ("Burial for a Living Person", PIA, "Who spoke at the grave of Pia Sundt?", None, True),
    ("Evaluative Term with Explicit Threshold", BRIDGE, None, " Over 5 is unsafe: Mill 9, Elder Bridge 2.", False),
    ("Evaluative Term with Explicit Threshold", BRIDGE, None, " More than 5 is unsafe: Elder Bridge 9, Mill 2.", True),
    ("Heavier is Factual", BRIDGE, "Is the longer one Elder Bridge?", " Elder Bridge is 20 m. Mill is 90 m.", False),
    ("Heavier is Factual", BRIDGE, "Is the shorter one Elder Bridge?", " Elder Bridge is 20 m. Mill is 90 m.", True),
]  # fmt: skip
TAKEN_OUT = [
    ("Answer Token Purge", PIRR, "Aldo Pirr of Brenn used what he had. A chestnut grew there.", False),
    ("Answer Token Purge", PIRR, "Aldo Pirr of Brenn used what he had.", True),
    ("Entirely Irrelevant Context", PIRR, "Aldo Pirr hands out towels at the baths.", False),
    ("Entirely Irrelevant Context", PIRR, "The baths open at six and close at nine.", True),
    ("Delete Color Adjective", PIRR, "Aldo Pirr of Brenn used chestnut wood in red.", False),
    ("Delete Color Adjective", PIRR, "Aldo Pirr of Brenn used chestnut wood (and tin).", True),
    ("Parenthetical Excise", PIRR, "Aldo Pirr of Brenn used chestnut wood (and tin).", False),
    ("Parenthetical Excise", PIRR, "Aldo Pirr of Brenn used chestnut wood in red.", True),
    ("Trim Month but Keep Year", RING, "The ring was found in the gutter of the chapel in May.", False),
    ("Trim Month but Keep Year", RING, "The ring was found in the gutter of the chapel in 1911.", True),
    ("Strip Non-queried Statistic", CANAL, "The canal is 42 km long. It was cut in 1810 by 900 men.", False),
    ("Strip Non-queried Statistic", CANAL, "The canal is 42 km long. It was dug in 1810.", True),
    ("Placeholder Entity Substitution", RING, "The ring was found in the [redacted] of the chapel in May 1911.", False),
    ("Placeholder Entity Substitution", RING, "The ring was found in some part of the chapel in May 1911.", True),
    ("Placeholder Citation", RING, "The ring was found somewhere in May 1911.", False),
    ("Placeholder Citation", RING, "The ring was found [citation needed] in May 1911.", True),
    ("Pronoun w/o Antecedent", PIRR, "The cooper made casks of tin.", False),
    ("Pronoun w/o Antecedent", PIRR, "He made casks of tin.", True),
    ("Probability without Data", ICE, "The ice is thick. The office says nothing.", True),
]


@pytest.mark.parametrize(("lever", "base", "query", "more", "done"), CASES)
def test_a_mark_of_what_is_added(
    lever: str, base: tuple[str, str, str], query: str | None, more: str | None, done: bool
) -> None:
    case = probe(lever, base, query, None if more is None else base[2] + more)
    assert (lever_not_done(case) is None) is done


@pytest.mark.parametrize(("lever", "base", "text", "done"), TAKEN_OUT)
def test_a_mark_of_what_is_taken_out(lever: str, base: tuple[str, str, str], text: str, done: bool) -> None:
    assert (lever_not_done(probe(lever, base, text=text)) is None) is done


def test_every_mark_is_told_in_one_way_and_used_by_a_lever() -> None:
    told = [*word_marks(), *GRAMMAR_MARKS, *VALUE_MARKS]
    assert sorted(told) == sorted(Mark)
    assert {mark for lever in bundled_levers() for mark in lever.marks} == set(Mark)


def test_the_reason_names_what_is_missing_and_where() -> None:
    case = probe("Counterfactual Necessity", COACH, "For how long was the coach in Brock?")
    assert lever_not_done(case) == 'The lever is not done: it needs an "if", a "would" or the like in the question.'


def test_a_mark_is_a_whole_word_unless_it_is_a_sign() -> None:
    assert not word_marks()[Mark.DEATH].stands_in("a graveled diet")
    assert word_marks()[Mark.DEATH].stands_in("He DIED.")
    assert word_marks()[Mark.TABULAR].stands_in("name|age")

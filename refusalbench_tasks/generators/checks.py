"""Rules that a candidate must meet before any verifier is paid for: one function each, with its reason."""

from collections.abc import Sequence

from refusalbench_tasks.generators.again_rules import answer_again, clash_elsewhere, one_side_left, value_swapped
from refusalbench_tasks.generators.answer_rules import (
    answer_exchanged,
    answer_in_question,
    answer_kept,
    answer_lost,
    other_thing_asked,
    unknown_name,
)
from refusalbench_tasks.generators.asking_rules import (
    criterion_named,
    judgement_idle,
    premise_stated,
    question_drifted,
    question_kept_whole,
    question_off_subject,
    question_only_reworded,
    question_still_answered,
)
from refusalbench_tasks.generators.candidate import Candidate
from refusalbench_tasks.generators.case import Case, Rule
from refusalbench_tasks.generators.clash_rules import answer_disputed, clash_settled, no_other_value
from refusalbench_tasks.generators.computed_rules import answer_computable, figures_disagree
from refusalbench_tasks.generators.echo_rules import instruction_echoed, question_doubled, question_in_passage
from refusalbench_tasks.generators.evidence_rules import EVIDENCE_RULES
from refusalbench_tasks.generators.form_rules import (
    format_left,
    gap_left,
    grammar_broken,
    sentences_lost,
    text_cut,
    text_doubled,
    text_elided,
    text_lost,
)
from refusalbench_tasks.generators.language_rules import language_changed, question_not_asked
from refusalbench_tasks.generators.lever_rules import lever_not_done
from refusalbench_tasks.generators.levers import Lever
from refusalbench_tasks.generators.name_rules import detail_exchanged, subject_lost
from refusalbench_tasks.generators.noise_rules import unrelated_change
from refusalbench_tasks.generators.premise_rules import premise_confirmed, premise_idle, premise_taken_back
from refusalbench_tasks.generators.same_value_rules import same_value_again
from refusalbench_tasks.generators.sign_rules import sign_left
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.generators.swap_rules import question_swapped, value_in_question
from refusalbench_tasks.generators.target_rules import (
    bad_passage_number,
    detail_added,
    no_content_change,
    nothing_changed,
    passages_changed,
    passages_only_reworded,
    passages_unchanged,
    question_changed,
    question_unchanged,
    wrong_lever,
)
from refusalbench_tasks.generators.wording_rules import betraying_phrase, label_in_text, length_out_of_range

RULES: dict[str, Rule] = {
    rule.__name__: rule
    for rule in (
        nothing_changed,
        no_content_change,
        wrong_lever,
        lever_not_done,
        bad_passage_number,
        question_changed,
        question_unchanged,
        question_only_reworded,
        question_off_subject,
        question_drifted,
        question_still_answered,
        question_kept_whole,
        criterion_named,
        judgement_idle,
        question_swapped,
        question_doubled,
        question_not_asked,
        value_in_question,
        passages_changed,
        passages_unchanged,
        passages_only_reworded,
        detail_added,
        detail_exchanged,
        subject_lost,
        unrelated_change,
        answer_lost,
        answer_kept,
        answer_exchanged,
        answer_in_question,
        other_thing_asked,
        unknown_name,
        length_out_of_range,
        text_cut,
        text_elided,
        text_doubled,
        text_lost,
        sentences_lost,
        format_left,
        sign_left,
        gap_left,
        grammar_broken,
        label_in_text,
        betraying_phrase,
        instruction_echoed,
        question_in_passage,
        language_changed,
        same_value_again,
        answer_again,
        clash_elsewhere,
        one_side_left,
        value_swapped,
        clash_settled,
        answer_disputed,
        no_other_value,
        premise_taken_back,
        premise_confirmed,
        premise_idle,
        premise_stated,
        figures_disagree,
        answer_computable,
    )
}


def check(slot: Slot, candidate: Candidate, cell: Sequence[Lever]) -> dict[str, str]:
    """Return the rules that a candidate breaks, each with a sentence for the writer; empty if it may be verified."""
    case = Case(slot, candidate, cell)
    broken = {}
    for name, rule in (RULES | EVIDENCE_RULES).items():
        problem = rule(case)
        if problem:
            broken[name] = problem
    return broken

"""Consensus is unanimity; a missing vote neither accepts nor rejects."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.generators.consensus import consensus, reasons
from refusalbench_tasks.generators.verification import ItemVote

VOTES = st.lists(st.sampled_from([True, False, None]), min_size=1, max_size=6)


def votes(values: list[bool | None]) -> list[ItemVote]:
    return [ItemVote(verifier=str(k), digest="d", passed=value) for k, value in enumerate(values)]


@given(VOTES)
def test_accepted_only_if_all_pass_and_rejected_if_any_fails(values: list[bool | None]) -> None:
    outcome = consensus(votes(values), [str(k) for k in range(len(values))])
    assert (outcome == "accepted") is all(values)
    assert (outcome == "rejected") is (False in values)


@given(VOTES)
def test_a_needed_verifier_without_a_vote_leaves_it_undecided(values: list[bool | None]) -> None:
    outcome = consensus(votes(values), [*(str(k) for k in range(len(values))), "absent"])
    assert outcome == ("rejected" if False in values else "undecided")


def test_votes_of_others_do_not_count_and_nobody_is_no_consent() -> None:
    assert consensus(votes([True, False]), ["0"]) == "accepted"
    with pytest.raises(ValueError, match="at least one"):
        consensus([], [])


def test_reasons_are_the_issues_of_those_who_reject() -> None:
    cast = [
        ItemVote(verifier="a", digest="d", passed=False, issues=("too easy", "odd")),
        ItemVote(verifier="b", digest="d", passed=False, failed_criteria=("intensity",)),
        ItemVote(verifier="c", digest="d", passed=False, issues=("odd",)),
        ItemVote(verifier="d", digest="d", passed=True, issues=("fine",)),
    ]
    assert reasons(cast) == ("too easy", "odd", "intensity is not met")

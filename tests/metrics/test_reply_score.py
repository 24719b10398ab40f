"""What is noted of a decided reply."""

import math

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.metrics.reply_score import reply_score, score_number
from refusalbench_tasks.metrics.reply_table import reply_row
from refusalbench_tasks.replies.decision import ReplyDecision
from refusalbench_tasks.taxonomy import REFUSAL, Intensity, Label, PerturbationClass

ITEM = RefusalItem(
    item_id="i",
    source_id="s",
    query="When?",
    passages=("p",),
    perturbation=PerturbationClass.MISSING_INFO,
    intensity=Intensity.HIGH,
    expected=Label.MISSING,
)


def test_a_refusal_in_words_has_no_known_code() -> None:
    words = ReplyDecision("No.", "free text", label=Label.OTHER, coded=False)
    score = reply_score(ITEM, words, {})
    assert score.answer == REFUSAL
    assert score.value["refused"] == 1
    assert math.isnan(score.value["hit"])
    assert math.isnan(score.value["right"])
    without_codes = reply_score(ITEM, words, {}, codes=False)
    assert without_codes.value["right"] == 1
    assert reply_row(ITEM.model_dump(), without_codes)["codes"] is False


def test_a_missing_reply_is_wrong_and_an_undecided_one_unknown() -> None:
    empty = reply_score(ITEM, ReplyDecision("", "empty", reason="no_response"), {})
    assert [empty.value[name] for name in ("refused", "right", "unscored")] == [0, 0, 0]
    undecided = ReplyDecision("Hm.", "free text", reason="undecided_offline")
    values = reply_score(ITEM, undecided, {}).value
    assert math.isnan(values["refused"])
    assert math.isnan(values["right"])
    assert values["unscored"] == 1


def test_citations_of_an_answer_are_counted_by_the_passages_that_were_seen() -> None:
    seen = ITEM.model_copy(update={"passages": ("p", "q"), "signal": (1,)})
    answer = ReplyDecision("1987 [2][3].", "free text", label=Label.ANSWER)
    values = reply_score(seen, answer, {"eligible": 1.0}, grounded=True).value
    names = ("eligible", "citations", "citations_existing", "citations_signal")
    assert [values[name] for name in names] == [1, 2, 1, 1]
    assert math.isnan(values["factual_all"])


def test_what_is_unknown_is_no_number() -> None:
    assert (score_number(True), score_number(0.5)) == (1.0, 0.5)
    assert math.isnan(score_number(None))

"""The scorer of written questions by itself: when the corpus is read."""

from unittest.mock import patch

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.own.documents import corpus
from refusalbench_tasks.own.questions.question_scorer import question_scores
from tests.own.questions.panel import metrics, reader, run, writer


def test_a_run_reads_its_corpus_once() -> None:
    with patch.object(corpus, "read_corpus", wraps=corpus.read_corpus) as read:
        log = run(writer(), [reader("a")], rivals=1)
    assert metrics(log)["n_questions"]
    paths = [str(call.args[0]) for call in read.call_args_list]
    assert sum(path.endswith("fleet.jsonl") for path in paths) == 1


def test_a_corpus_that_cannot_be_read_is_told_before_any_sample() -> None:
    with pytest.raises(DataError, match="none.jsonl"):
        question_scores(corpus="none.jsonl")


def test_without_a_corpus_of_its_own_it_waits_for_that_of_the_run() -> None:
    assert callable(question_scores(rivals=3))

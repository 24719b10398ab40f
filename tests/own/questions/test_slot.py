"""Which chunks a run asks about."""

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.own.documents.corpus import Chunk, load_corpus
from refusalbench_tasks.own.questions.slot import draw_chunks, plan_chunks
from refusalbench_tasks.tasks.question import question


@given(st.permutations(range(9)), st.integers(1, 9), st.integers(0, 3))
def test_a_draw_is_the_same_whatever_the_order(
    order: list[int], n: int, seed: int
) -> None:
    chunks = [made(f"{k % 3}", k) for k in range(9)]
    drawn = draw_chunks([chunks[k] for k in order], n, seed)
    assert drawn == draw_chunks(chunks, n, seed)
    assert len(drawn) == n
    counts = [sum(chunk.doc_id == name for chunk in drawn) for name in "012"]
    assert max(counts) - min(counts) <= 1


def test_the_kinds_that_nothing_answers_take_turns() -> None:
    whole, plan = plan_chunks([made("d", k) for k in range(4)], 2, 2, None, 0)
    assert [kind for slot in whole for kind in slot.outside] == 2 * [
        "near miss",
        "missing detail",
        "false premise",
        "plainly outside",
    ]
    assert [slot.chunk for slot in plan] == [slot.chunk for slot in whole]
    assert {(slot.planned, slot.shard) for slot in plan} == {(4, 0)}


def made(document: str, number: int) -> Chunk:
    return Chunk(
        id=f"c{number}",
        doc_id=document,
        source=document,
        start=0,
        end=1,
        text="x",
        sha256="0" * 64,
    )


def test_the_draw_takes_documents_in_turn_and_does_not_depend_on_the_order(
    tmp_path: Path,
) -> None:
    chunks = load_corpus("sample")
    lines = [json.dumps(chunk.model_dump(mode="json")) for chunk in reversed(chunks)]
    (tmp_path / "turned.jsonl").write_text("\n".join(lines) + "\n")
    drawn = [s.id for s in question("sample", n=6, seed=4).dataset]
    assert drawn == [s.id for s in question("turned.jsonl", n=6, seed=4).dataset]
    by_id = {chunk.id: chunk.source for chunk in chunks}
    assert len({by_id[str(name)] for name in drawn[:4]}) == 4
    assert drawn != [s.id for s in question("sample", n=6, seed=5).dataset]

"""What a run will take: calls by hand, and prompts with all that is sent."""

from refusalbench_tasks.generators.cell import cell_of
from refusalbench_tasks.generators.estimate import Usage, estimate
from refusalbench_tasks.generators.kit.bases import load_bases
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.generators.plan import make_plan
from refusalbench_tasks.generators.siblings import with_siblings
from refusalbench_tasks.generators.verification import FORM, ItemVerdict, verifier_instructions
from refusalbench_tasks.generators.writer import schema_of, writer_prompt
from refusalbench_tasks.judging.ask import Form, offered

LEVERS = bundled_levers()
SLOTS = make_plan(load_bases("nq_sample")[:1], LEVERS)


def by_role(writers: str, verifiers: str, attempts: int = 1) -> dict[tuple[str, str], Usage]:
    return {(u.model, u.role): u for u in estimate(SLOTS, LEVERS, writers.split(), verifiers.split(), attempts)}


def test_nobody_judges_its_own_items_and_the_first_verifier_reads_them_all() -> None:
    n = len(SLOTS)
    found = by_role("a b", "a c")
    assert {key: usage.calls for key, usage in found.items()} == {
        ("a", "writer"): n, ("b", "writer"): n, ("a", "reader"): 2 * n, ("a", "verifier"): n, ("c", "verifier"): 2 * n,
    }  # fmt: skip


def test_the_papers_panel_judges_its_own_items_too_and_nobody_reads_blind() -> None:
    n = len(SLOTS)
    found = estimate(SLOTS, LEVERS, ["a", "b"], ["a", "c"], self_votes=True, read=False)
    assert {(one.model, one.role): one.calls for one in found} == {
        ("a", "writer"): n, ("b", "writer"): n, ("a", "verifier"): 2 * n, ("c", "verifier"): 2 * n,
    }  # fmt: skip


def test_further_attempts_multiply_the_calls_and_lengthen_the_writers_prompts() -> None:
    one, three = by_role("a", "c"), by_role("a", "c", 3)
    assert all(three[key].calls == 3 * one[key].calls for key in one)
    # each estimate is rounded
    assert abs(three["c", "verifier"].input_tokens - 3 * one["c", "verifier"].input_tokens) <= 3
    assert three["a", "writer"].input_tokens > 3 * one["a", "writer"].input_tokens


def test_siblings_share_the_calls_of_the_first_attempt_but_for_the_reading() -> None:
    slots = with_siblings(SLOTS)
    classes = {slot.perturbation for slot in slots}
    one, two = ({(u.model, u.role): u for u in estimate(slots, LEVERS, ["a"], ["c"], attempts)} for attempts in (1, 2))
    n, calls = len(slots), len(classes)
    assert {key: usage.calls for key, usage in one.items()} == {
        ("a", "writer"): calls, ("c", "reader"): n, ("c", "verifier"): calls,
    }  # fmt: skip
    assert {key: usage.calls for key, usage in two.items()} == {
        ("a", "writer"): calls + n, ("c", "reader"): 2 * n, ("c", "verifier"): calls + n,
    }  # fmt: skip
    alone = by_role("a", "c")
    for role in (("a", "writer"), ("c", "verifier")):
        assert one[role].input_tokens < 0.7 * alone[role].input_tokens
        assert one[role].output_tokens == alone[role].output_tokens


def test_a_ranking_is_one_more_call_for_each_family() -> None:
    slots = with_siblings(SLOTS)
    rows = estimate(slots, LEVERS, ["a", "b"], ["c"], ranked=True)
    (ranker,) = [row for row in rows if row.role == "ranker"]
    assert (ranker.model, ranker.calls) == ("c", 2 * len({slot.perturbation for slot in slots}))
    assert not [row for row in estimate(SLOTS, LEVERS, ["a"], ["c"], ranked=True) if row.calls and row.role == "ranker"]


def test_the_schema_of_the_tool_is_counted_with_every_call() -> None:
    slot = SLOTS[0]
    cell = cell_of(slot, LEVERS)
    (writer, *_) = estimate([slot], LEVERS, ["a"], ["c"])
    sent = len(writer_prompt(slot, cell)) + len(_schema(schema_of(slot, cell), "item"))
    assert writer.input_tokens == round(sent / 4)


def _schema(schema: type, thing: str) -> str:
    return offered(schema, Form(thing)).model_dump_json(exclude_none=True)


def test_what_all_items_share_is_long_enough_for_providers_to_keep() -> None:
    schema = offered(ItemVerdict, FORM).model_dump_json(exclude_none=True)
    for use in ("record", "veto"):
        shared = verifier_instructions(use)
        # 1,024 tokens, at four characters each: a rough count that the margin must cover
        assert (len(shared) + len(schema)) / 4 > 1.1 * 1024
    one, other = (writer_prompt(slot, cell_of(slot, LEVERS)) for slot in SLOTS[:2])
    assert one[:4096] == other[:4096]

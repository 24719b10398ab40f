"""Runs whose siblings are written and judged in one call: the same items for fewer
calls, whatever goes wrong.
"""

from collections import Counter
from typing import Any

from inspect_ai.log import EvalLog
from inspect_ai.model import Model

from refusalbench_tasks.generators.curation import curate
from refusalbench_tasks.generators.generation_logs import read_runs
from refusalbench_tasks.taxonomy import Intensity
from tests.generators.panel import field, named, read_well, verdict, write_well
from tests.tasks import generation
from tests.tasks.generation import anew, answers, few_bases, metrics


def run(
    judges: list[Model], writer: Any = write_well, options: Any = None, **task: Any
) -> EvalLog:
    settings: dict[str, Any] = {
        "classes": "MissingInfo",
        "max_failures": 0,
        "together": True,
    } | task
    log = generation.run(
        writer, judges, options=options, bases=few_bases(2), **settings
    )
    assert log.status == "success", log.error
    return log


def judge(name: str, *failed: str) -> Model:
    """Return a verifier that fails items of some intensities."""
    return named(
        name,
        lambda prompt: verdict(field(prompt, "Intensity").split()[0] not in failed),
    )


def test_the_same_items_are_accepted_for_fewer_calls() -> None:
    panel = [judge("a", "HIGH"), judge("b", "LOW"), judge("c")]
    together = run(panel)
    alone = run(panel, together=False)
    assert answers(together) == answers(alone)
    m = metrics(together)
    # two families: a writer call and three of verifiers each, and a reading of the one
    # item that all pass
    assert (m["calls"], m["n_accepted"], m["n_items"]) == (2 * (1 + 3 + 1), 2, 6)
    # alone: six of the writer and six readings; the verifiers whose turn it is first
    # differ by item
    assert metrics(alone)["calls"] >= 6 + 6 + 6 + 2 + 2
    (found,) = [
        run
        for run in read_runs(["logs"]).runs
        if run.header.eval.task_args.get("together")
    ]
    votes = {
        item.slot.intensity: [vote.together for vote in item.votes]
        for item in found.items
    }
    assert votes[Intensity.MEDIUM][0] == 3
    assert all(max(places) <= 3 for places in votes.values())


def test_a_missing_draft_is_written_alone_and_a_declined_one_gives_way() -> None:
    alone: list[str] = []

    def write(prompt: str) -> Any:
        level = field(prompt, "Intensity").split()[0]
        if field(prompt, "Together") == "1":
            alone.append(level)
            return write_well(prompt)
        if level == "HIGH":
            return {"applicable": False, "why_not": "No such thing."}
        return write_well(prompt) | (
            {"evidence": {"support": "x"}} if level == "MEDIUM" else {}
        )

    m = metrics(run([judge("a")], write))
    assert Counter(alone) == {"MEDIUM": 2, "HIGH": 2}
    assert (m["n_declined"], m["n_accepted"]) == (2, 6)


def test_a_joint_reply_that_cannot_be_used_costs_its_calls_and_no_item() -> None:
    m = metrics(
        run(
            [judge("a")],
            lambda prompt: (
                "no" if field(prompt, "Together") == "3" else write_well(prompt)
            ),
        )
    )
    # two bad replies for each of two families, then six written, judged and read alone
    assert (m["calls"], m["n_accepted"], m["n_unscored"]) == (2 * 2 + 3 * 6, 6, 0)


def test_missing_verdicts_leave_all_undecided_and_are_asked_for_one_by_one() -> None:
    broken = named(
        "a", lambda prompt: "no" if field(prompt, "Together") == "3" else verdict()
    )
    log = run([broken])
    assert (metrics(log)["n_undecided"], metrics(log)["n_items"]) == (6, 6)
    assert set(answers(anew(log, verifier=[broken])).values()) == {"accepted"}


def test_a_rejected_sibling_is_asked_for_again_alone() -> None:
    seen: list[int] = []

    def vote(prompt: str) -> Any:
        return verdict(
            "So it was told" in prompt
            or not field(prompt, "Intensity").startswith("HIGH")
        )

    def write(prompt: str) -> Any:
        seen.append(int(field(prompt, "Together")))
        made = write_well(prompt)
        if "This is attempt 2" in prompt:
            made["edits"][0]["replace"] += " So it was told."
        return made

    m = metrics(run([named("a", vote)], write, attempts=2))
    assert (m["n_candidates"], m["n_accepted"]) == (8, 6)
    assert Counter(seen) == {3: 6, 1: 2}


def test_a_reader_that_finds_the_answer_rejects_what_all_verifiers_passed() -> None:
    gold = curate("nq_sample").items[0].references[0]

    def read(prompt: str) -> Any:
        return read_well(prompt) | {"label": "ANSWER_CORRECTLY", "answer": gold}

    log = run(
        [named("a", lambda prompt: verdict(), read), judge("b")],
        intensities="MEDIUM,HIGH",
    )
    told = {
        score.explanation
        for one in log.samples or []
        for score in (one.scores or {}).values()
        if score.answer == "rejected"
    }
    assert told == {f"A reader who knew only the item still answered it: '{gold}'."}

"""Every prompt is pinned: a change of wording is a change of task version."""

from hashlib import sha256
from pathlib import Path

import pytest

import refusalbench_tasks
from refusalbench_tasks.generators.criteria import class_table
from refusalbench_tasks.generators.kit.annotator import code_table
from refusalbench_tasks.judging.label import LABEL_ONLY, judge_prompt
from refusalbench_tasks.solvers.refusal_prompt import prompt_text
from refusalbench_tasks.tasks.bluff import VERSION as BLUFF_VERSION
from refusalbench_tasks.tasks.collect import VERSION as COLLECT_VERSION
from refusalbench_tasks.tasks.garage import VERSION as GARAGE_VERSION
from refusalbench_tasks.tasks.nq import VERSION as NQ_VERSION
from refusalbench_tasks.tasks.perturb import VERSION as PERTURB_VERSION
from refusalbench_tasks.tasks.question import VERSION as QUESTION_VERSION
from refusalbench_tasks.taxonomy import CODES, WHEN_TO_REFUSE

ROOT = Path(refusalbench_tasks.__file__).parent
VERSIONS = ("1-A",) * 6
PINNED = {
    "collect/panel_reader.txt": "20e04eb9ca49",
    "collect/queries.txt": "94999a1a9b51",
    "collect/question.txt": "c59962c6cecb",
    "collect/search.txt": "c2db50779d47",
    "generators/kit/annotator.txt": "db7e287a3316",
    "generators/several.yaml": "0be3c7a0f99e",
    "generators/verifier.txt": "f65bb3d50c5d",
    "generators/verifier_record.txt": "adca45353524",
    "generators/verifier_veto.txt": "1f5d42633437",
    "generators/writer.txt": "c1a54bfc814c",
    "generators/writer_edits.txt": "30cdf649af77",
    "generators/writer_whole.txt": "5c579df2e88f",
    "judging/attribution.txt": "e413e9a71d8d",
    "judging/claims.txt": "1b124e1c8df7",
    "judging/correctness.txt": "db9a83e0cef7",
    "judging/correctness_official.txt": "623d78216b42",
    "judging/detection.txt": "ced6af23949e",
    "judging/grade.txt": "1c571bf7e247",
    "judging/grounding.txt": "b8f51afd92ea",
    "judging/hedging.txt": "ed83ad77569e",
    "judging/label.txt": "ca6d3633e435",
    "judging/material.txt": "e27452b77d53",
    "own/questions/review.txt": "007ce1a55e6f",
    "own/questions/writer.txt": "c225972bd6cb",
    "solvers/bluff.txt": "f46051d944fb",
    "solvers/bluff_no_sources.txt": "ed295d3e120e",
    "solvers/bluff_sources.txt": "d826fac18040",
    "solvers/check.txt": "58ac4a4b37ec",
    "solvers/check_answer.txt": "abc4111d519b",
    "solvers/confidence.txt": "1bc5e51f688c",
    "solvers/critique.txt": "83b3da1ec486",
    "solvers/evidence_first.txt": "73acc8f4e1e2",
    "solvers/final_reply.txt": "24f2c6099179",
    "solvers/garage.txt": "ac428703f03c",
    "solvers/garage_free.txt": "d72dc61efb29",
    "solvers/nq.txt": "dfe5e59bc09b",
    "solvers/nq_free.txt": "142780ed72fb",
    "solvers/ptrue.txt": "660051eea628",
    "solvers/ptrue_swapped.txt": "2cd5371960b2",
    "solvers/verbal.txt": "90ed9b8408c1",
    "taxonomy": "e1c10068204c",
}


def test_a_changed_prompt_needs_a_new_task_version() -> None:
    found = {
        str(path.relative_to(ROOT)).replace("prompts/", ""): sha256(path.read_bytes()).hexdigest()[:12]
        for path in sorted(ROOT.rglob("prompts/*.*"))
    }
    versions = (NQ_VERSION, GARAGE_VERSION, BLUFF_VERSION, PERTURB_VERSION, QUESTION_VERSION, COLLECT_VERSION)
    found["taxonomy"] = sha256(str((*CODES, WHEN_TO_REFUSE)).encode()).hexdigest()[:12]
    assert versions == VERSIONS
    assert found == PINNED, "prompts changed: raise VERSION in the task, and pin the new hashes"


@pytest.mark.parametrize(
    "prompt",
    [
        prompt_text(base="nq.txt"),
        prompt_text(base="garage.txt"),
        judge_prompt("When?", "It was 1931.", LABEL_ONLY),
        code_table(),
        class_table(),
    ],
)
def test_model_grader_writer_annotator_and_verifier_are_told_alike_what_a_code_is_for(prompt: str) -> None:
    assert prompt.count(WHEN_TO_REFUSE) == 1

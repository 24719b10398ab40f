"""Every prompt is pinned: a change of wording is a change of task version."""

from hashlib import sha256
from pathlib import Path

import refusalbench_tasks
from refusalbench_tasks.tasks.bluff import VERSION as BLUFF_VERSION
from refusalbench_tasks.tasks.collect import VERSION as COLLECT_VERSION
from refusalbench_tasks.tasks.garage import VERSION as GARAGE_VERSION
from refusalbench_tasks.tasks.nq import VERSION as NQ_VERSION
from refusalbench_tasks.tasks.perturb import VERSION as PERTURB_VERSION
from refusalbench_tasks.tasks.question import VERSION as QUESTION_VERSION

ROOT = Path(refusalbench_tasks.__file__).parent
VERSIONS = ("1-A", "2-A", "3-A", "4-A", "1-A", "1-A")
PINNED = {
    "collect/panel_reader.txt": "20e04eb9ca49",
    "collect/queries.txt": "94999a1a9b51",
    "collect/question.txt": "6d91bfbd831e",
    "collect/repair.txt": "ecce720f2402",
    "collect/search.txt": "c2db50779d47",
    "collect/sources.txt": "a453dfc24551",
    "generators/ranking.txt": "d5134099d069",
    "generators/reader.txt": "3651753d494f",
    "generators/several.yaml": "0be3c7a0f99e",
    "generators/verifier.txt": "002d3a5e7970",
    "generators/verifier_record.txt": "adca45353524",
    "generators/verifier_together.txt": "67cf2bf0e2e1",
    "generators/verifier_veto.txt": "1f5d42633437",
    "generators/writer.txt": "8701d6235f87",
    "generators/writer_edits.txt": "33adf3ef0fb5",
    "generators/writer_together.txt": "c51983ca7df1",
    "generators/writer_whole.txt": "7a44a156b905",
    "judging/attribution.txt": "e413e9a71d8d",
    "judging/claims.txt": "1b124e1c8df7",
    "judging/correctness.txt": "db9a83e0cef7",
    "judging/correctness_official.txt": "623d78216b42",
    "judging/detection.txt": "ced6af23949e",
    "judging/grade.txt": "1c571bf7e247",
    "judging/grounding.txt": "b8f51afd92ea",
    "judging/hedging.txt": "ed83ad77569e",
    "judging/label.txt": "a1838def29ae",
    "judging/material.txt": "e27452b77d53",
    "own/questions/closed_book_reader.txt": "2e795192ccab",
    "own/questions/passage_reader.txt": "c37ceaab60c1",
    "own/questions/repair.txt": "619dbc838d62",
    "own/questions/rivals.txt": "1a004a977522",
    "own/questions/writer.txt": "c82dc7c9666f",
    "solvers/bluff.txt": "f46051d944fb",
    "solvers/bluff_no_sources.txt": "ed295d3e120e",
    "solvers/bluff_sources.txt": "d826fac18040",
    "solvers/confidence.txt": "1bc5e51f688c",
    "solvers/garage.txt": "d5ac0b809015",
    "solvers/garage_free.txt": "d72dc61efb29",
    "solvers/nq.txt": "8f079d58158b",
    "solvers/nq_free.txt": "142780ed72fb",
    "solvers/ptrue.txt": "660051eea628",
    "solvers/ptrue_swapped.txt": "2cd5371960b2",
    "solvers/verbal.txt": "90ed9b8408c1",
}


def test_a_changed_prompt_needs_a_new_task_version() -> None:
    found = {
        str(path.relative_to(ROOT)).replace("prompts/", ""): sha256(path.read_bytes()).hexdigest()[:12]
        for path in sorted(ROOT.rglob("prompts/*.*"))
    }
    versions = (NQ_VERSION, GARAGE_VERSION, BLUFF_VERSION, PERTURB_VERSION, QUESTION_VERSION, COLLECT_VERSION)
    assert versions == VERSIONS
    assert found == PINNED, "prompts changed: raise VERSION in the task, and pin the new hashes"

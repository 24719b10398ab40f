"""Every prompt is pinned: a change of wording is a change of task version."""

from hashlib import sha256
from importlib import import_module
from pathlib import Path

import pytest

import refusalbench_tasks
from refusalbench_tasks.collect.panel import ReaderVerdict
from refusalbench_tasks.collect.queries import QueryList
from refusalbench_tasks.collect.question import SourcedQuestion
from refusalbench_tasks.generators.criteria import class_table
from refusalbench_tasks.generators.draft import EditDraft, WholeDraft
from refusalbench_tasks.generators.kit.annotator import AnnotatorSays, code_table
from refusalbench_tasks.generators.verification import ItemVerdict
from refusalbench_tasks.judging.correctness import (
    AttributionVerdict,
    CorrectnessVerdict,
    HedgingVerdict,
)
from refusalbench_tasks.judging.grounding import ClaimsVerdict, GroundingVerdict
from refusalbench_tasks.judging.label import (
    LABEL_ONLY,
    ClarificationVerdict,
    GradeVerdict,
    judge_prompt,
)
from refusalbench_tasks.prompting.refusal_template import prompt_text
from refusalbench_tasks.taxonomy import CODES, WHEN_TO_REFUSE

ROOT = Path(refusalbench_tasks.__file__).parent
VERSIONS = dict.fromkeys(
    ("nq", "garage", "bluff", "perturb", "question", "collect", "search"), "1-A"
) | {"nq": "2-A", "garage": "3-A"}
PINNED = {
    "collect": "502231c17b15",
    "generators": "0f723cbc87e1",
    "judging": "46132c23fd91",
    "own": "a8f596aa89fa",
    "search": "4f688f28cf2f",
    "solvers": "30bd674a7eb4",
    "taxonomy": "e1c10068204c",
}
SUBMITTED = (
    AnnotatorSays,
    AttributionVerdict,
    ClaimsVerdict,
    ClarificationVerdict,
    CorrectnessVerdict,
    EditDraft,
    GradeVerdict,
    GroundingVerdict,
    HedgingVerdict,
    ItemVerdict,
    QueryList,
    ReaderVerdict,
    SourcedQuestion,
    WholeDraft,
)
"""What models are to submit: the texts beneath the fields are part of the prompt."""
FIELDS = "48ff7b76b020"


def digest(package: str) -> str:
    """Return the hash of a package's prompts and their names."""
    files = sorted((ROOT / package).rglob("prompts/*.*"))
    return sha256(
        b"".join(path.name.encode() + path.read_bytes() for path in files)
    ).hexdigest()[:12]


def test_a_changed_prompt_needs_a_new_task_version() -> None:
    packages = {path.relative_to(ROOT).parts[0] for path in ROOT.rglob("prompts/*.*")}
    found = {package: digest(package) for package in packages}
    found["taxonomy"] = sha256(str((*CODES, WHEN_TO_REFUSE)).encode()).hexdigest()[:12]
    assert {
        task: import_module(f"refusalbench_tasks.tasks.{task}").VERSION
        for task in VERSIONS
    } == VERSIONS
    assert found == PINNED, (
        "prompts changed: raise VERSION in the task, and pin the new hashes"
    )


def test_fields_to_submit_are_described_and_their_texts_are_part_of_the_prompt() -> (
    None
):
    texts = []
    for schema in SUBMITTED:
        for name, field in schema.model_fields.items():
            assert field.description, (schema, name)
            texts.append(f"{schema.__name__}.{name}: {field.description}")
    assert sha256("\n".join(texts).encode()).hexdigest()[:12] == FIELDS


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
def test_every_role_is_told_alike_what_a_code_is_for(
    prompt: str,
) -> None:
    assert prompt.count(WHEN_TO_REFUSE) == 1

"""Where base questions come from."""

from pathlib import Path
from typing import Any

import pytest

from refusalbench_tasks.generators.base_sources import SOURCES
from refusalbench_tasks.generators.curation import curate


def hub_folder(path: Path, split: str, *rows: dict[str, Any]) -> str:
    """Return a folder in the layout of a repository on the hub, read by the hub's own
    client.
    """
    (path / "data").mkdir(parents=True)
    pa_table = pytest.importorskip("pyarrow").Table.from_pylist(list(rows))
    pytest.importorskip("pyarrow.parquet").write_table(
        pa_table, path / "data" / f"{split}-00000-of-00001.parquet"
    )
    return str(path)


@pytest.fixture(name="cache")
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", str(tmp_path / "cache"))


@pytest.mark.usefixtures("cache")
def test_natural_questions_come_from_the_hub_without_tags(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = {
        "subset": "NaturalQuestionsShort",
        "qid": "q1",
        "question": "Who built it?",
        "answers": ["Ole Brandt"],
    }
    rows = [
        row | {"context": "<P> It was built by Ole Brandt . </P>"},
        row | {"subset": "SQuAD", "context": "x"},
    ]
    # nobody's own row, so that it ends no run
    rows.append(rows[0] | {"qid": "q2", "answers": []})
    repo = hub_folder(tmp_path / "repo", "validation", *rows)
    monkeypatch.setitem(
        SOURCES, "nq-upstream", SOURCES["nq-upstream"]._replace(repo=repo)
    )
    found = curate("nq-upstream")
    (item,) = found.items
    assert list(found.left_out.values()) == [["row 3"]]
    assert (item.item_id, item.passages, item.answers) == (
        "q1",
        ("It was built by Ole Brandt .",),
        ("Ole Brandt",),
    )

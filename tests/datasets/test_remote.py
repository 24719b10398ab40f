"""Sets of the hub, and files at a pinned commit: what is read, kept, and not used."""

import http.server
import json
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from refusalbench_tasks.datasets.benchmarks import NQ
from refusalbench_tasks.datasets.draw import fingerprint
from refusalbench_tasks.datasets.remote import PinnedFile, fetch, git_blob, read_hub
from refusalbench_tasks.datasets.rows import bundled_rows
from refusalbench_tasks.errors import DataError

SAMPLE = Path(__file__).parents[2] / "refusalbench_tasks/datasets/data/nq_sample.jsonl"
CONTENT = json.dumps([{"id": "history_000", "question": "When?"}])


@pytest.fixture
def host(tmp_path: Path) -> Iterator[str]:
    """Serve a folder as the public host does: /REPO/COMMIT/PATH."""
    folder = tmp_path / "served" / "who" / "what" / "abc"
    folder.mkdir(parents=True)
    (folder / "rows.json").write_text(CONTENT)
    handler = partial(
        http.server.SimpleHTTPRequestHandler, directory=tmp_path / "served"
    )
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def pinned() -> PinnedFile:
    return PinnedFile("who/what", "abc", "rows.json", git_blob(CONTENT.encode()))


def test_the_hub_client_reads_a_folder_in_the_layout_of_a_hub_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # the client's cache goes by the folder's name, and an earlier run of the tests may
    # have had a folder of that name
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "cache")
    (tmp_path / "repo" / "data").mkdir(parents=True)
    shutil.copy(SAMPLE, tmp_path / "repo" / "data" / "test.jsonl")
    (tmp_path / "repo" / "README.md").write_text(
        "---\nlicense: apache-2.0\nconfigs:\n- config_name: default\n  data_files:\n"
        "  - split: test\n    path: data/test.jsonl\n---\n"
    )
    read, commit = read_hub(str(tmp_path / "repo"), "test")
    bundled = bundled_rows(NQ.sample)
    assert (len(read), commit) == (len(bundled), None)
    assert fingerprint(NQ.items_of(read)) == fingerprint(NQ.items_of(bundled))


def test_a_hub_that_cannot_be_reached_ends_in_one_line_with_a_way_out(
    tmp_path: Path,
) -> None:
    with pytest.raises(DataError, match="cannot load .*data=sample or data=PATH"):
        read_hub(str(tmp_path / "nowhere"), "test")


def test_the_pinned_file_is_fetched_once_and_then_cached(
    host: str, tmp_path: Path
) -> None:
    local = fetch(pinned(), host, tmp_path / "cache")
    assert local.read_text() == CONTENT
    assert fetch(pinned(), "http://127.0.0.1:9", tmp_path / "cache") == local


def test_a_damaged_cache_is_fetched_again(host: str, tmp_path: Path) -> None:
    local = fetch(pinned(), host, tmp_path / "cache")
    local.write_text("[]")
    assert fetch(pinned(), host, tmp_path / "cache").read_text() == CONTENT


def test_other_content_than_pinned_is_never_used(host: str, tmp_path: Path) -> None:
    wrong = PinnedFile("who/what", "abc", "rows.json", "0" * 40)
    with pytest.raises(DataError, match="not the pinned file"):
        fetch(wrong, host, tmp_path / "cache")
    assert not list((tmp_path / "cache").rglob("*.json"))


def test_an_unreachable_host_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(
        DataError,
        match=r"cannot fetch http://127.0.0.1:9/who/what/abc/rows.json: .*data=sample",
    ):
        fetch(pinned(), "http://127.0.0.1:9", tmp_path)
    with pytest.raises(DataError, match="or use official_lists=PATH$"):
        fetch(pinned(), "http://127.0.0.1:9", tmp_path, "official_lists=PATH")

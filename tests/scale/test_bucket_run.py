"""A run in shards whose logs are in a bucket from the first sample on."""

from pathlib import Path

import pytest
from inspect_ai.log import list_eval_logs, read_eval_log

from tests.provider import Server
from tests.provider.plausible import plausible
from tests.scale.bucket import BUCKET, bucket
from tests.scale.typed import typed


@pytest.mark.slow
def test_shards_and_their_merged_log_are_written_to_a_bucket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    command = [
        "cluster", "nq", "--model", "openai/gpt-4o", "--shards", "2", "--log-dir", f"{BUCKET}/runs",
        "-T", "data=sample", "-T", "judge=offline", "-T", "per_stratum=1", "--local-processes", "2",
    ]  # fmt: skip
    with bucket(), Server(plausible()) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.openai_url)
        status, said = typed(command)
        assert status == 0, said
        calls = len(server.calls)
        log = read_eval_log(f"{BUCKET}/runs/nq.eval")
        assert log.status == "success"
        assert len(log.samples or []) == calls == 18
        assert len(list_eval_logs(f"{BUCKET}/runs/nq.shards")) == 2
        assert "done before" in typed(command)[1]
        assert len(server.calls) == calls
        assert "shards of another run: task arguments" in typed([*command, "-T", "seed=2"])[1]
    assert list(tmp_path.iterdir()) == []

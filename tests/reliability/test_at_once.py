"""Two runs at once into one folder of logs, and two commands at once into one folder of
results.
"""

import json
from pathlib import Path

from inspect_ai.log import list_eval_logs, read_eval_log

from refusalbench_tasks.generators.curation import curate
from refusalbench_tasks.generators.kit.bases import base_row
from refusalbench_tasks.safe_writing import write_rows
from tests.commands import run, start
from tests.provider import Server
from tests.provider.plausible import plausible

NQ = (
    "inspect eval refusalbench_tasks/nq --model-role grader=openai/gpt-4o-mini -T"
    " data=sample --limit 12"
)
PERTURB = (
    "inspect eval refusalbench_tasks/perturb --model-role verifier=openai/gpt-4o-mini"
    " -T bases=bases.jsonl -T classes=MissingInfo -T intensities=LOW"
)
WRITERS = ("gpt-4o", "gpt-4.1")


def logs_of_two(line: str, folder: Path) -> int:
    """Run a task by two models at once into one folder of logs, and return how many
    samples each log holds.
    """
    with Server(plausible(), latency=0.02) as server:
        environment = {"OPENAI_BASE_URL": server.openai_url, "OPENAI_API_KEY": "none"}
        runs = [
            start(
                f"{line} --model openai/{model} --display none --log-dir logs",
                folder,
                **environment,
            )
            for model in WRITERS
        ]
        assert [fork.ended()[0] for fork in runs] == [0, 0]
    logs = [read_eval_log(info.name) for info in list_eval_logs(str(folder / "logs"))]
    assert {log.eval.model for log in logs} == {f"openai/{model}" for model in WRITERS}
    assert [log.status for log in logs] == ["success", "success"]
    (number,) = {len(log.samples or []) for log in logs}
    return number


def test_two_runs_of_nq_at_once_keep_their_logs_and_show_reads_both(
    tmp_path: Path,
) -> None:
    assert logs_of_two(NQ, tmp_path) == 12
    shown = json.loads(run("refusalbench show logs --format json", tmp_path))
    assert all(model in json.dumps(shown) for model in WRITERS)
    reports = [start("refusalbench report logs -o report", tmp_path) for _ in WRITERS]
    assert [fork.ended()[0] for fork in reports] == [0, 0]
    page = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert page.rstrip().endswith("</html>")
    assert not [
        entry for entry in tmp_path.iterdir() if entry.name.startswith(".report")
    ]


def test_two_runs_of_perturb_at_once_are_exported_together(tmp_path: Path) -> None:
    write_rows(tmp_path / "bases.jsonl", map(base_row, curate("nq_sample").items[:4]))
    assert logs_of_two(PERTURB, tmp_path) == 4
    exports = [
        start("refusalbench export logs -o set --all", tmp_path) for _ in WRITERS
    ]
    assert [fork.ended()[0] for fork in exports] == [0, 0]
    twice = (tmp_path / "set" / "rows.jsonl").read_text(encoding="utf-8")
    run("refusalbench export logs -o alone --all", tmp_path)
    assert twice == (tmp_path / "alone" / "rows.jsonl").read_text(encoding="utf-8")
    # both write the same texts, of which each is kept once; the card names both
    card = (tmp_path / "set" / "README.md").read_text(encoding="utf-8")
    assert all(f"openai/{model}" in card for model in WRITERS)

"""A small run of `nq` through Inspect, which large logs are made of."""

from pathlib import Path
from typing import Any

from inspect_ai import eval
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput, ModelUsage, get_model

from benchmarks.large_logs import Template, template_of
from refusalbench_tasks.tasks.nq import nq
from refusalbench_tasks.taxonomy import Label

SAID = (Label.MISSING.value, "It was opened in 1911.", Label.OTHER.value, "The passage does not tell us, it seems.")
_LEFT_OUT = ("events", "messages", "attachments", "store", "timelines")


def small_run(folder: Path) -> Template:
    """Return the template of the bundled rows: 72 samples of 20 kB, of which those without events are 3 kB."""
    answers = iter(range(10**9))

    def reply(*_: Any) -> ModelOutput:
        made = ModelOutput.from_content("mockllm/model", SAID[next(answers) % len(SAID)])
        made.usage = ModelUsage(input_tokens=900, output_tokens=9, total_tokens=909)
        return made

    log: EvalLog = eval(
        nq(data="sample", judge="offline", shard="1/1"), model=get_model("mockllm/model", custom_outputs=reply),
        log_dir=str(folder), display="none", score_display=False,
    )[0]  # fmt: skip
    assert log.status == "success"
    return template_of(Path(log.location.removeprefix("file://")), without_events)


def without_events(sample: dict[str, Any]) -> dict[str, Any]:
    """Return a sample without what was said and done: a small one."""
    return {name: value for name, value in sample.items() if name not in _LEFT_OUT}

"""The shipped run configs are valid for their tasks."""

from importlib import resources

import yaml

from refusalbench_tasks.tasks.perturb import perturb


def test_the_papers_generation_run_asks_for_every_lever_and_every_vote() -> None:
    text = (
        resources.files("refusalbench_tasks") / "run_configs" / "perturb-paper.yaml"
    ).read_text(encoding="utf-8")
    config = yaml.safe_load(text)
    task = perturb(bases="nq_sample", **config["task"]["args"])
    noted = task.metadata or {}
    # 176 levers for each of 18 base questions
    assert noted["planned"] == 176 * 18
    told = [
        noted[name]
        for name in (
            "write",
            "verify",
            "self_votes",
            "reading",
            "intensity",
            "checks",
            "ground",
        )
    ]
    assert told == ["whole", "all", True, "off", "veto", "record", False]
    assert config["generate_config"] == {"temperature": 1.0, "top_p": 1.0}

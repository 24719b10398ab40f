"""`refusalbench tasks`: the tasks of this package, for Inspect and for
lm-evaluation-harness.
"""

from importlib import resources

import click


@click.command("tasks")
@click.option(
    "--lm-eval",
    is_flag=True,
    help="Print the folder of the tasks for lm-evaluation-harness.",
)
def tasks(lm_eval: bool) -> None:
    """List the tasks as `inspect eval` names them, or print the folder for
    --include_path of lm-evaluation-harness.

    \b
    Example: refusalbench tasks --lm-eval
    """
    import yaml

    package = resources.files("refusalbench_tasks")
    if lm_eval:
        click.echo(package / "lm_eval")
        return
    listed = yaml.safe_load((package / "eval.yaml").read_text(encoding="utf-8"))
    for task in listed["tasks"]:
        click.echo(f"refusalbench_tasks/{task['name']}")

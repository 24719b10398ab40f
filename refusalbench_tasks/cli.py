"""The `refusalbench` command."""

import click

from refusalbench_tasks.export_command import export
from refusalbench_tasks.generators.commands.bases import bases
from refusalbench_tasks.generators.commands.levers import levers
from refusalbench_tasks.generators.commands.plan import plan
from refusalbench_tasks.generators.commands.validation import validation
from refusalbench_tasks.own.commands.documents import documents
from refusalbench_tasks.own.commands.unanswerable import unanswerable
from refusalbench_tasks.report.command import report
from refusalbench_tasks.results.commands.audit import audit
from refusalbench_tasks.results.commands.compare import compare
from refusalbench_tasks.results.commands.gate import gate
from refusalbench_tasks.results.commands.reproduce import reproduce
from refusalbench_tasks.results.commands.rows import rows
from refusalbench_tasks.results.commands.score import score
from refusalbench_tasks.results.commands.show import show
from refusalbench_tasks.scale.commands import cluster, merge
from refusalbench_tasks.worlds.command import worlds


@click.group()
@click.version_option(package_name="refusalbench-tasks")
def main() -> None:
    """Work with RefusalBench and BLUFF-1000 logs and settings."""


for command in (
    audit,
    bases,
    cluster,
    compare,
    documents,
    export,
    gate,
    levers,
    merge,
    plan,
    report,
    reproduce,
    rows,
    score,
    show,
    unanswerable,
    validation,
    worlds,
):
    main.add_command(command)

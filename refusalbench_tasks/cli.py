"""The `refusalbench` command."""

import click

from refusalbench_tasks.commands.agreement import agreement
from refusalbench_tasks.commands.audit import audit
from refusalbench_tasks.commands.bases import bases
from refusalbench_tasks.commands.cite import cite
from refusalbench_tasks.commands.cluster import cluster
from refusalbench_tasks.commands.compare import compare
from refusalbench_tasks.commands.documents import documents
from refusalbench_tasks.commands.export import export
from refusalbench_tasks.commands.gate import gate
from refusalbench_tasks.commands.levers import levers
from refusalbench_tasks.commands.merge import merge
from refusalbench_tasks.commands.plan import plan
from refusalbench_tasks.commands.report import report
from refusalbench_tasks.commands.reproduce import reproduce
from refusalbench_tasks.commands.rows import rows
from refusalbench_tasks.commands.run_config import run_config
from refusalbench_tasks.commands.score import score
from refusalbench_tasks.commands.show import show
from refusalbench_tasks.commands.unanswerable import unanswerable
from refusalbench_tasks.commands.validation import validation
from refusalbench_tasks.commands.worlds import worlds


@click.group()
@click.version_option(package_name="refusalbench-tasks")
def main() -> None:
    """Work with RefusalBench and BLUFF-1000 logs and settings."""


for command in (
    agreement,
    audit,
    bases,
    cite,
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
    run_config,
    score,
    show,
    unanswerable,
    validation,
    worlds,
):
    main.add_command(command)

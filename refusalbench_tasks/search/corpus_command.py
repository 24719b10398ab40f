"""`refusalbench corpus`: what the rows of `search` search, for an application that has
an index of its own.
"""

from pathlib import Path
from typing import Any

import click


@click.command("corpus")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder: passages.jsonl and rows.jsonl.",
)
@click.option(
    "--data",
    default="sample",
    help="The rows: sample, hub, worlds or a file.",
)
@click.option(
    "--corpus",
    default="worlds",
    help="What stands beside them: worlds, rows or a file.",
)
@click.option("--n", type=click.IntRange(4), help="Rows of worlds.")
def corpus_command(output: Path, **arguments: Any) -> None:
    """Write the passages that `search` searches, and what each row sees of them.

    rows.jsonl says for each row which shared passages its index must be without, and
    which further ones it must be with.

    \b
    Example: refusalbench corpus --data sample -o corpus
    """
    from refusalbench_tasks.corpus.passage_id import passage_id
    from refusalbench_tasks.safe_writing import write_rows

    from .search_settings import SearchSettings
    from .search_task import search_rows

    rows = search_rows(SearchSettings(**arguments))
    output.mkdir(parents=True, exist_ok=True)
    shared_passages = rows.corpus.passages
    texts = {passage.text: True for passage in shared_passages}
    views = []
    for item in rows.whole:
        view = rows.view(item)
        for text in view.row_passages:
            texts.setdefault(text, False)
        without = [shared_passages[position].id for position in view.hidden]
        added = [passage_id(text) for text in view.row_passages]
        row = {"id": item.item_id, "question": item.query}
        views.append({**row, "without": without, "with": added})
    passages = []
    for text, shared in texts.items():
        passages.append({"id": passage_id(text), "text": text, "shared": shared})
    write_rows(output / "passages.jsonl", passages)
    write_rows(output / "rows.jsonl", views)
    click.echo(
        f"{len(shared_passages):,} shared passages and {len(rows.whole):,} rows in"
        f" {output}"
    )

"""The corpus of a run as a folder."""

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from refusalbench_tasks.cli import main
from refusalbench_tasks.search.search_settings import SearchSettings
from refusalbench_tasks.search.search_task import search_rows


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_an_index_can_be_built_for_each_row_that_holds_what_the_row_sees(
    tmp_path: Path,
) -> None:
    done = CliRunner().invoke(main, ["corpus", "-o", str(tmp_path / "corpus")])
    assert done.exit_code == 0, done.output
    passages = read(tmp_path / "corpus" / "passages.jsonl")
    views = {row["id"]: row for row in read(tmp_path / "corpus" / "rows.jsonl")}
    texts = {passage["id"]: passage["text"] for passage in passages}
    shared = {passage["id"] for passage in passages if passage["shared"]}
    assert len(texts) == len(passages)
    rows = search_rows(SearchSettings(data="sample"))
    assert len(views) == len(rows.whole) == 72
    for item in rows.whole:
        view = views[item.item_id]
        seen = (shared - set(view["without"])) | set(view["with"])
        shown = rows.view(item).nearest(item.query, len(passages))
        assert set(shown) <= {texts[name] for name in seen}
        for position in rows.view(item).hidden:
            hidden = rows.corpus.passages[position]
            assert hidden.id not in seen or hidden.text in item.passages
        assert view["question"] == item.query


def test_what_is_no_corpus_is_one_line(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text('{"title": "no text"}\n')
    args = ["corpus", "-o", str(tmp_path / "out"), "--corpus", str(empty)]
    done = CliRunner().invoke(main, args)
    assert done.exit_code != 0
    assert "empty.jsonl, line 1, field 'text': expected the text" in str(
        done.output or done.exception
    )

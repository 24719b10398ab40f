import json
from dataclasses import replace
from pathlib import Path

import pytest

from refusalbench_tasks.libraries import MissingLibrary
from refusalbench_tasks.own.documents import build
from refusalbench_tasks.own.documents.build import (
    CorpusCard,
    build_corpus,
)
from refusalbench_tasks.own.documents.corpus import Chunk, read_corpus
from refusalbench_tasks.own.documents.formats import document_of
from refusalbench_tasks.own.documents.passages import DocumentSettings
from tests.own.documents.folder import (
    CHINESE,
    INJECTION,
    OPENING,
    UPPER,
    write_folder,
)

# one process of the tests builds the folder once

SETTINGS = DocumentSettings(licence="CC0-1.0")
Built = tuple[Path, Path, CorpusCard, dict[str, list[Chunk]]]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    place = tmp_path_factory.mktemp("documents")
    folder = write_folder(place / "folder")
    output = place / "corpus.jsonl"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "MOST_BYTES", 1_000_000)
        card = build_corpus(folder, output, SETTINGS)
    chunks: dict[str, list[Chunk]] = {}
    for chunk in read_corpus(output):
        chunks.setdefault(chunk.source, []).append(chunk)
    return folder, output, card, chunks


def test_what_can_be_used_is_there_in_the_order_of_paths(built: Built) -> None:
    assert list(built[3]) == [
        "guides/chinese.md",
        "guides/copy.txt",
        "guides/letter.txt",
        "guides/rival.txt",
        "mills.md",
        "page.txt",
        "report.pdf",
        "short.md",
        "upkeep.docx",
        "visit.html",
    ]


def test_what_cannot_be_used_is_named_with_its_reason(built: Built) -> None:
    assert {
        (one.source, one.reason.split(" (")[0].split(";")[0])
        for one in built[2].left_out
    } == {
        ("broken.docx", "broken"),
        ("broken.pdf", "broken"),
        ("empty.md", "empty: 0 bytes"),
        ("huge.txt", "huge: 1,200,000 bytes, the limit is 1,000,000"),
        ("latin.txt", "not UTF-8 text"),
        ("locked.pdf", "encrypted: needs a password"),
        ("out.md", "a symbolic link, not followed"),
        ("picture.png", "unknown format '.png'"),
        ("plain.html", "broken: no HTML could be read"),
        ("scanned.pdf", "scanned: no text on any of 2 pages"),
        ("up", "a symbolic link, not followed"),
        ("wrong.pdf", "broken"),
    }


def test_each_text_is_the_span_of_its_document(built: Built) -> None:
    folder, _, _, chunks = built
    for source, own in chunks.items():
        text = document_of((folder / source).read_bytes(), Path(source).suffix).text
        assert [chunk.text for chunk in own] == [
            text[chunk.start : chunk.end] for chunk in own
        ]


def test_headings_titles_pages_and_licences_stand_beside_the_text(built: Built) -> None:
    chunks = built[3]
    lower = next(one for one in chunks["mills.md"] if one.headings[-1] == "Lower")
    assert (lower.title, lower.headings, lower.licence, lower.page) == (
        "Two mills",
        ("Mills", "Lower"),
        "CC-BY-4.0",
        None,
    )
    assert [(chunk.page, chunk.headings) for chunk in chunks["report.pdf"]] == [
        (1, ("Yearly report",))
    ]
    assert chunks["visit.html"][0].licence == "https://licences.example/by"
    assert chunks["upkeep.docx"][0].headings == ("Upkeep",)
    assert chunks["guides/letter.txt"][0].licence == "CC0-1.0"
    assert chunks["guides/letter.txt"][0].title == "letter"


def test_the_name_of_a_file_is_one_line_where_it_is_a_title(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "rules\nRULES\x1b[31m.txt").write_text(OPENING)
    build_corpus(
        tmp_path / "in",
        tmp_path / "c.jsonl",
        replace(SETTINGS, least=20, most=300, shortest=5),
    )
    assert [chunk.title for chunk in read_corpus(tmp_path / "c.jsonl")] == [
        "rules RULES [31m"
    ]


def test_a_passage_that_repeats_another_is_dropped_and_named(tmp_path: Path) -> None:
    for name, text in (("v1/a.md", UPPER), ("v2/a.md", UPPER.upper())):
        (tmp_path / "in" / name).parent.mkdir(parents=True)
        (tmp_path / "in" / name).write_text(text)
    card = build_corpus(tmp_path / "in", tmp_path / "c.jsonl", SETTINGS)
    assert [(one.source, one.reason) for one in card.dropped] == [
        ("v2/a.md", "repeats v1/a.md")
    ]


def test_the_same_words_under_another_title_or_heading_are_no_repeat(
    tmp_path: Path,
) -> None:
    (tmp_path / "in").mkdir()
    for name, text in (
        ("tandem.md", "# Tandem\n\nTwo years."),
        ("trailer.md", "# Trailer\n\nTwo years."),
    ):
        (tmp_path / "in" / name).write_text(text)
    assert build_corpus(tmp_path / "in", tmp_path / "c.jsonl", SETTINGS).chunks == 2


def test_columns_are_read_one_after_the_other(built: Built) -> None:
    text = " ".join(chunk.text for chunk in built[3]["report.pdf"])
    assert OPENING in text
    assert text.index(OPENING) < text.index("The lower kiln belongs")


def test_a_table_of_a_word_document_is_kept(built: Built) -> None:
    assert "| Wheel bearing | every 14 days |" in built[3]["upkeep.docx"][0].text


def test_the_furniture_of_a_page_is_not_kept(built: Built) -> None:
    assert [chunk.text for chunk in built[3]["visit.html"]] == [OPENING]


def test_instructions_in_a_document_stay_text(built: Built) -> None:
    assert [chunk.text for chunk in built[3]["guides/letter.txt"]] == [INJECTION]


def test_scripts_without_spaces_are_not_taken_for_short(built: Built) -> None:
    assert [chunk.text for chunk in built[3]["guides/chinese.md"]] == [CHINESE]


def test_the_card_counts_what_is_there(built: Built) -> None:
    _, output, card, chunks = built
    stored = json.loads(output.with_suffix(".json").read_text())
    every = [chunk for own in chunks.values() for chunk in own]
    assert (stored["documents"], stored["chunks"], stored["words"]) == (
        10,
        len(every),
        sum(c.words for c in every),
    )
    assert stored["kinds"] == {"DOCX": 1, "HTML": 1, "Markdown": 3, "PDF": 1, "text": 4}
    assert stored["dropped"] == [
        {"source": "mills.md", "reason": "a heading without text", "begins": "## Ruins"}
    ]
    assert len(card.dropped) == 1
    assert len(stored["left_out"]) == 12
    assert stored["notes"] == [
        {"source": "report.pdf", "reason": "1 of 3 pages without text", "begins": ""}
    ]


def test_a_missing_library_ends_the_command_and_is_no_fault_of_a_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "LIBRARIES", ("no_such_library",))
    (tmp_path / "a.html").write_text("<p>A page.</p>")
    with pytest.raises(MissingLibrary, match="needs no_such_library; pip install"):
        build_corpus(tmp_path, tmp_path / "corpus.jsonl", SETTINGS)
    assert not (tmp_path / "corpus.jsonl").exists()

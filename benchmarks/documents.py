"""Documents: pages a second from PDF files to a corpus, and the memory that it takes."""

import random
import tempfile
import time
from pathlib import Path

from benchmarks.alone import alone
from benchmarks.result import Result
from refusalbench_tasks.own.documents.build import DocumentSettings, Job, read_document
from tests.own.documents.files import column, pdf

PAGES_A_FILE, FILES, WORDS = 50, 20, 450
PROCESSES = 2
SEED = 11
_PROGRAM = """
import sys, time
from pathlib import Path
from refusalbench_tasks.own.documents.build import DocumentSettings, build_corpus
from refusalbench_tasks.own.documents.corpus import read_corpus
if __name__ == "__main__":
    start = time.perf_counter()
    card = build_corpus(Path(sys.argv[1]), Path(sys.argv[2]), DocumentSettings(processes=int(sys.argv[3])))
    print(card.pages, time.perf_counter() - start, len(read_corpus(Path(sys.argv[2]))))
"""


def results() -> list[Result]:
    """Return all measures; about a minute on two quiet cores."""
    with tempfile.TemporaryDirectory() as place:
        folder, output = Path(place, "in"), Path(place, "corpus.jsonl")
        _write(folder)
        taken = alone(_PROGRAM, str(folder), str(output), str(PROCESSES))
        number, seconds, chunks = (float(one) for one in taken.said.split())
        of_one_core = _pages_a_processor_second(folder)
    pages = f"{number:,.0f} synthetic PDF pages of {WORDS} words"
    method = f"{pages} in {FILES} files, {chunks:,.0f} passages, {PROCESSES} processes"
    return [
        Result("documents: PDF pages a second", f"{number / seconds:,.0f}", "30", f"{method}, wall clock"),
        Result(
            "documents: PDF pages a second of one core", f"{of_one_core:,.0f}", "30", "one file of them, processor time"
        ),
        Result("documents: memory of the main process", f"{taken.megabytes:,.0f} MB", "500 MB at most", method),
    ]


def _pages_a_processor_second(folder: Path) -> float:
    def read(number: int) -> object:
        return read_document(Job(folder, f"{number:03}.pdf", DocumentSettings(most_bytes=10**9)))

    read(0)
    start = time.process_time()
    read(1)
    return PAGES_A_FILE / (time.process_time() - start)


def _write(folder: Path) -> None:
    """Write files of pages with words of a made-up language, so that no two passages are alike."""
    folder.mkdir()
    chance = random.Random(SEED)
    syllables = [first + vowel for first in "bdfgklmnprstvz" for vowel in "aeiou"]
    words = ["".join(chance.choices(syllables, k=chance.randint(1, 4))) for _ in range(5_000)]
    for number in range(FILES):
        pages = [
            column(" ".join(_sentence(chance, words) for _ in range(WORDS // 15)), width=80)
            for _ in range(PAGES_A_FILE)
        ]
        (folder / f"{number:03}.pdf").write_bytes(pdf(pages))


def _sentence(chance: random.Random, words: list[str]) -> str:
    return " ".join(chance.choices(words, k=15)).capitalize() + "."

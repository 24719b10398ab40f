"""The pages for readers: every link leads somewhere."""

import re
from pathlib import Path

import pytest

from refusalbench_tasks.taxonomy import CODES

ROOT = Path(__file__).parents[1]
REASONS = ROOT / "docs" / "refusal-reasons.md"
PAGES = [
    ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")
] + sorted((ROOT / "docs").glob("*.md"))


def anchors(text: str) -> set[str]:
    """Return the anchors of a page's headings as GitHub makes them."""
    heads = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_within_the_repository_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if target.startswith("https://"):
            continue
        name, _, anchor = target.partition("#")
        file = page.parent / name if name else page
        assert file.is_file(), target
        assert not anchor or anchor in anchors(file.read_text(encoding="utf-8")), target


def test_each_reason_has_a_message_and_somebody_who_mends_it() -> None:
    text = REASONS.read_text(encoding="utf-8")
    assert len(text.split()) <= 250
    rows = [line.split("|") for line in text.splitlines() if line.startswith("| `")]
    assert sorted(cells[1].strip(" `") for cells in rows) == sorted(
        code.label for code in CODES
    )
    owners = ("documents", "retrieval", "prompt", "question")
    for _, _, message, mends, _ in rows:
        assert message.strip().startswith('"')
        assert mends.strip().startswith(owners)

"""What to cite, as BibTeX: the suite, the papers whose protocols it follows, and the data of runs."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from refusalbench_tasks.tables import latex_text

REFUSALBENCH = "RefusalBench: Generative Evaluation of Selective Refusal in Grounded Language Models"
ARXIV = "2510.10390"
DOI = "10.18653/v1/2026.eacl-long.321"
AUTHORS = ("Aashiq Muhamed", "Leonardo F. R. Ribeiro", "Markus Dreyer", "Virginia Smith", "Mona T. Diab")
BLUFF = "BLUFF-1000: Measuring Uncertainty Expression in RAG"
BLUFF_PAPER = "https://openreview.net/forum?id=iK1YFKZI4M"
BLUFF_URL = "https://github.com/rzharzhavsky/Bluff-1000"


@dataclass(frozen=True)
class Entry:
    """One entry of BibTeX: its kind, key and fields, as plain text."""

    kind: str
    key: str
    fields: Mapping[str, str]

    def as_bibtex(self) -> str:
        """Return the entry, with text that LaTeX sets as it is; addresses are left as they are, for \\url."""
        lines = [f"  {name} = {{{_field(name, value)}}}" for name, value in self.fields.items() if value]
        key = re.sub(r"\W", "", self.key, flags=re.ASCII)
        return f"@{self.kind}{{{key},\n" + ",\n".join(lines) + "\n}\n"


def suite_entry(version: str) -> Entry:
    """Return the entry of the suite."""
    note = "Inspect evaluations of selective refusal and hedging"
    fields = {"title": "refusalbench_tasks", "author": "The refusalbench_tasks maintainers", "version": version}
    return Entry("software", "refusalbench_tasks", fields | {"note": note})


def paper_entries() -> list[Entry]:
    """Return the entries of both papers; who wrote the second is in its OpenReview entry."""
    refusal = {
        "title": REFUSALBENCH, "author": " and ".join(AUTHORS), "year": "2026", "pages": "6811-6856",
        "booktitle": "Proceedings of EACL 2026 (Volume 1: Long Papers)", "doi": DOI, "eprint": ARXIV,
        "archiveprefix": "arXiv", "url": f"https://arxiv.org/abs/{ARXIV}",
    }  # fmt: skip
    hedging = {"title": BLUFF, "author": "The authors of BLUFF-1000", "note": f"Data: {BLUFF_URL}", "url": BLUFF_PAPER}
    return [Entry("inproceedings", "refusalbench", refusal), Entry("misc", "bluff1000", hedging)]


def data_entry(task: str, facts: Mapping[str, str]) -> Entry:
    """Return the entry of the rows of a run, by what its log notes.

    These are `data`, `repo`, `revision`, `fingerprint` and `licence`. Rows that are nobody's release are named by
    where they came from and by their fingerprint.
    """
    repo, fingerprint = facts.get("repo", ""), facts.get("fingerprint", "")
    title = repo or (f"Rows bundled with refusalbench_tasks for {task}" if facts.get("data") == "sample" else "")
    parts = [
        f"revision {facts['revision']}" if facts.get("revision") else "",
        f"rows {fingerprint}" if fingerprint else "",
        f"licence {facts['licence']}" if facts.get("licence") else "",
    ]
    fields = {
        "title": title or f"Rows for {task} ({facts.get('data') or 'unknown data'})",
        "note": ", ".join(part for part in parts if part),
        "url": _repo_url(repo),
    }
    return Entry("misc", f"{task}_data_{fingerprint[:8] or 'unknown'}", fields)


def _repo_url(repo: str) -> str:
    if not repo or repo.startswith("https://"):
        return repo
    return BLUFF_URL if BLUFF_URL.endswith(repo) else f"https://huggingface.co/datasets/{repo}"


def _field(name: str, value: str) -> str:
    if name == "url":
        return _address(value)
    # else BibTeX takes a group for a person, and makes small letters of a title's capitals
    kept = name == "title" or (name == "author" and " and " not in value)
    return f"{{{latex_text(value)}}}" if kept else latex_text(value)


def _address(url: str) -> str:
    return "".join(character for character in url if character.isprintable() and character not in "{}\\ ")

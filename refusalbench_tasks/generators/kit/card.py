"""The data card of an exported set: one template for every pipeline."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import eq
from typing import Any

import yaml
from inspect_ai.log import EvalLog
from inspect_ai.model import GenerateConfig, ModelUsage

from refusalbench_tasks.stats.agreement import cohen_kappa
from refusalbench_tasks.tables import Table, TableRow

CardRows = list[TableRow]

HUB_LICENCES = (
    "apache-2.0",
    "mit",
    "cc0-1.0",
    "cc-by-4.0",
    "cc-by-sa-4.0",
    "cc-by-nc-4.0",
    "cc-by-nc-sa-4.0",
)
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))
_APART = ("prompts", "own_levers")
"""Settings in a log that are no line of their own."""
_NOBODY = (
    "Nobody has checked these rows: labels follow from the plan, and models wrote and"
    " verified them."
)


@dataclass(frozen=True)
class DataCard:
    """What a card says.

    `files` are the parts of the set by name, the first one the default.

    `runs` are the headers of the logs that it was made of: provenance, prompts and
    price come from them. `people` is what those found who checked rows, in Markdown.
    """

    name: str
    about: str
    licence: str
    rows: int
    files: Mapping[str, str]
    runs: Sequence[EvalLog]
    settings: Mapping[str, Any]
    sections: Sequence[tuple[str, Sequence[str]]] = ()
    people: str = ""
    language: Sequence[str] = ("en",)
    limits: str = ""

    def markdown(self) -> str:
        """Return the card: front matter, licence, provenance, what the pipeline says,
        people, price, limits.
        """
        settings = [f"{name}: {value}" for name, value in self.settings.items()]
        parts = [
            self._front_matter(),
            "# Data card",
            self.about,
            f"**Licence: {self.licence}**. Language: {', '.join(self.language)}.",
            "## Provenance",
            *map(bullets, map(run_lines, self.runs)),
            "The export:",
            bullets(settings),
        ]
        for title, paragraphs in self.sections:
            parts += (f"## {title}", *paragraphs)
        parts += [
            "## Checked by people",
            self.people or _NOBODY,
            "## Price",
            "Tokens as billed, and their cost where a run knew prices:",
            markdown_table(usage(self.runs)) or "Not noted.",
            "## Limits",
            "Questions and texts were written and verified by models; models of one"
            f" family share blind spots. {self.limits}".strip(),
        ]
        return "\n\n".join(filter(None, parts)) + "\n"

    def _front_matter(self) -> str:
        licence = {"license": self.licence.lower()}
        if licence["license"] not in HUB_LICENCES:
            licence = {"license": "other", "license_name": self.licence}
        sizes = [size for limit, size in _SIZES if self.rows < limit]
        configs: list[dict[str, object]] = []
        for name, path in self.files.items():
            parts = [{"split": "test", "path": path}]
            first = not configs
            configs.append({"config_name": name, "default": first, "data_files": parts})
        values = {
            "pretty_name": self.name,
            "language": list(self.language),
            **licence,
            "task_categories": ["question-answering"],
            "size_categories": [*sizes, "100K<n<1M"][:1],
            "tags": ["refusalbench", "selective-refusal", "synthetic"],
            "annotations_creators": ["machine-generated"],
            "language_creators": ["machine-generated"],
            "configs": configs,
            "writers": sorted({run.eval.model for run in self.runs}),
        }
        return f"---\n{yaml.safe_dump(values, sort_keys=False, allow_unicode=True)}---"


def run_lines(header: EvalLog) -> list[str]:
    """Return what a run was made by, a line each: models, settings, prompts' digests,
    versions.
    """
    facts = {**(header.eval.metadata or {}), **header.eval.task_args}
    settings = []
    for name, value in facts.items():
        if name not in _APART:
            text = str(value)
            cut = text if len(text) <= 200 else f"{text[:200]}…"
            settings.append(f"{name} {cut}")
    versions = {**header.eval.packages, "task": header.eval.task_version}
    revision = header.eval.revision
    if revision:
        changed = " (changed)" if getattr(revision, "dirty", False) else ""
        versions["commit"] = f"{revision.commit}{changed}"
    prompts = facts.get("prompts") or {}
    digests = [f"{name} `{digest}`" for name, digest in prompts.items()]
    writer = f"writer `{header.eval.model}` ({_config(header.plan.config)})"
    lines = [f"{writer}, {header.eval.created[:10]}"]
    for role, bound in sorted((header.eval.model_roles or {}).items()):
        models = bound if isinstance(bound, list) else [bound]
        named = [f"`{model.model}` ({_config(model.config)})" for model in models]
        lines.append(f"{role}: {'; '.join(named)}")
    return [
        *lines,
        f"settings: {', '.join(settings)}",
        f"prompts, sha256: {', '.join(digests) or 'not noted'}",
        f"versions: {', '.join(f'{name} {value}' for name, value in versions.items())}",
    ]


def usage(runs: Sequence[EvalLog]) -> CardRows:
    """Return the tokens that each model was billed for over all runs, as the logs count
    them, and their cost in dollars: NaN for a model of which a log does not note it.
    """
    totals: dict[str, ModelUsage] = {}
    unpriced = set()
    for run in runs:
        for model, used in run.stats.model_usage.items():
            totals[model] = totals.get(model, ModelUsage()) + used
            if used.total_cost is None:
                unpriced.add(model)
    table = []
    for model, total in sorted(totals.items()):
        row = {
            "model": model,
            "input": total.input_tokens,
            "cache read": total.input_tokens_cache_read or 0,
            "cache write": total.input_tokens_cache_write or 0,
            "output": total.output_tokens,
            "cost ($)": math.nan if model in unpriced else total.total_cost,
        }
        table.append(row)
    return table


def bullets(lines: Sequence[str]) -> str:
    """Return a list with one line an entry."""
    return "\n".join(f"- {' '.join(line.split())}" for line in lines)


def counts_table(keys: Iterable[tuple[str, ...]], *columns: str) -> str:
    """Return a table of how often each key occurs; the last column has the number."""
    rows = []
    for key, number in sorted(Counter(keys).items()):
        rows.append(dict(zip(columns, (*key, number), strict=True)))
    return markdown_table(rows)


def agreement_row(pairs: Sequence[tuple[bool, bool]]) -> TableRow:
    """Return how two judges agree over the n things that both judged."""
    first, second = zip(*pairs, strict=True)
    return {
        "n": len(pairs),
        "agreement": sum(map(eq, first, second)) / len(pairs),
        "kappa": cohen_kappa(first, second),
    }


def markdown_table(rows: Sequence[TableRow]) -> str:
    """Return a table in Markdown, without a title; no text if it has no rows."""
    return Table("", "", rows).as_markdown().rstrip()


def _config(config: GenerateConfig) -> str:
    given = config.model_dump(exclude_none=True, mode="json")
    settings = [f"{name} {value}" for name, value in given.items()]
    return ", ".join(settings) or "default settings"

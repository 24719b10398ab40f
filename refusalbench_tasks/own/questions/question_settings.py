"""The arguments of `question`.

Every `inspect` command imports this module, so it imports no work.
"""

from typing import Literal

from pydantic import Field

from refusalbench_tasks.arguments import Count, Natural, Switch, Text, Whole
from refusalbench_tasks.datasets.draw import ShardArgument
from refusalbench_tasks.generators.kit.panel import LONGEST_RUN
from refusalbench_tasks.scorers.run_settings import ScorerSettings

SCORER = "question_scores"
ROLE = "reader"
RIVALS = 8
"""Other chunks that a reader looks at for each question."""
Conflicts = Literal["drop", "keep"]


class ReadingSettings(ScorerSettings):
    """How written questions are read: what `question` and its scorer take alike."""

    corpus: Text = Field(
        description=(
            "chunks, as `refusalbench documents` writes them, or `sample`: -T"
            " corpus=FILE"
        )
    )
    """A file of chunks, as `refusalbench documents` writes it, or `sample`."""
    rivals: Natural = RIVALS
    """At how many other chunks a reader looks for other answers to a question; 0 leaves
    that out.
    """
    conflicts: Conflicts = "drop"
    """What to do with a question that another chunk answers otherwise: drop it, or keep
    it and mark its row.
    """
    cache: Switch = True
    """Keep finished calls for a week, so that a killed run pays for none twice."""
    max_failures: Natural = LONGEST_RUN
    """Failures of one reader in a row that stop the run; 0 allows any number, and
    leaves out the call to each reader at the start.
    """
    seed: Whole = 0
    """Seed of the draw and of the cache."""


class QuestionSettings(ReadingSettings):
    """The arguments of `question`."""

    n: Count | None = None
    """Draw this many chunks; all without it."""
    questions: Natural = 3
    """How many questions a chunk may have that it answers."""
    outside: Natural = 0
    """How many a chunk may have that nothing in the corpus answers, of four kinds that
    take turns.
    """
    shard: ShardArgument = None
    """The part of the chunks that this process takes, as `2/8`: the second of eight
    (docs/scale.md).
    """

"""The arguments of `perturb`.

Every `inspect` command imports this module, so it imports no work.
"""

from typing import Literal, Self

from pydantic import Field, model_validator

from refusalbench_tasks.arguments import Count, Names, Natural, Switch, Text, Whole
from refusalbench_tasks.datasets.draw import ShardArgument
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.scorers.run_settings import ScorerSettings

from .kit.panel import LONGEST_RUN

Coverage = Literal["balanced", "all"]
WriteForm = Literal["edits", "whole"]
Use = Literal["gate", "record", "off"]
Verify = Literal["until_fail", "all"]
IntensityUse = Literal["record", "veto"]


class CandidateSettings(ScorerSettings):
    """How a candidate is written, checked and judged: what the solver and the scorer of
    `perturb` take.
    """

    lever_file: Text | None = None
    """A YAML or JSON file of levers to add to the bundled ones."""
    seed: Whole = 0
    """Seed of the plan and of the cache."""
    write: WriteForm = "edits"
    """`edits` (the writer gives changes and the evidence for them, and may decline a
    lever) or `whole` (whole texts, as the paper).
    """
    checks: Use = "gate"
    """Whether a candidate that breaks one of the checks is rejected (`gate`), only
    noted (`record`), or not checked (`off`).
    """
    ground: Switch = True
    """Whether levers of FalsePremise may add a sentence to the passages that denies the
    premise; the paper changes the question alone.
    """
    reading: Use = "gate"
    """Whether a model (role `reader`, else the first verifier) annotates each item
    blind: `gate` rejects a LOW item that is not answered as before, and any other
    that is answered at all; `record`; `off`.
    """
    verify: Verify = "until_fail"
    """`until_fail` stops at the first FAIL, `all` keeps every vote, for agreement."""
    intensity: IntensityUse = "record"
    """Whether a verifier's view of the intensity is only written down (`record`) or
    decides (`veto`).
    """
    self_votes: Switch = False
    """Whether the writer may vote on its own candidates."""
    cache: Switch = True
    """Keep finished calls for a week, so that an interrupted run pays for none twice.
    """
    max_failures: Natural = LONGEST_RUN
    """Failures of one verifier in a row that stop the run; 0 allows any number, and
    leaves out the call to each verifier at the start.
    """


class PerturbSettings(CandidateSettings):
    """The arguments of `perturb`."""

    bases: Text = Field(
        description=(
            "a file of base questions, `nq_sample` or `garage_sample`: -T bases=FILE"
        )
    )
    """A file of base questions, as `refusalbench plan --bases SOURCE -o FILE` writes
    it, or `nq_sample` / `garage_sample`.
    """
    classes: Names = ()
    """Comma list of perturbation classes."""
    intensities: Names = ()
    """Comma list of LOW, MEDIUM, HIGH."""
    levers: Names = ()
    """Comma list of lever names."""
    coverage: Coverage = "balanced"
    """`balanced` (one lever that fits per base and cell, evenly spread), `all` (every
    lever for each base).
    """
    attempts: Count = 1
    """Maximum attempts at an item; later ones state the reasons of earlier rejections.
    """
    together: Switch = False
    """Whether the LOW, MEDIUM and HIGH items of a base and a class are written in one
    call and judged in one call of each verifier; further attempts and other levers
    go one at a time.
    """
    shard: ShardArgument = None
    """The part of the base questions that this process takes, as `2/8`: the second of
    eight (docs/scale.md).
    """

    @model_validator(mode="after")
    def _siblings_are_edits(self) -> Self:
        if self.together and self.write != "edits":
            raise DataError(
                "together=true needs write=edits: whole texts are written one by one"
            )
        return self

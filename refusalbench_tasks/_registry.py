"""What Inspect's entry point loads.

Only light modules: every `inspect` command imports this.
"""
# ruff: noqa: F401

from refusalbench_tasks.collect.scorer import collection_metrics, collection_scores
from refusalbench_tasks.generators.inspect_entry import (
    consensus_scores,
    generation_metrics,
    perturbation,
)
from refusalbench_tasks.generators.kit.panel import require_verifiers
from refusalbench_tasks.own.applications.solvers import application_callable, endpoint
from refusalbench_tasks.own.questions.question_scorer import (
    question_metrics,
    question_scores,
)
from refusalbench_tasks.scorers.hedging import (
    hedging_correct,
    hedging_metrics,
    hedging_scores,
)
from refusalbench_tasks.scorers.refusal import (
    grounded_scores,
    refusal_correct,
    refusal_metrics,
    refusal_scores,
)
from refusalbench_tasks.scorers.row_facts import row_facts
from refusalbench_tasks.search.search_agents import search_lines
from refusalbench_tasks.search.search_annotator import search_annotator
from refusalbench_tasks.search.search_baselines import (
    search_endless,
    search_guess,
    search_once,
    search_oracle,
)
from refusalbench_tasks.search.search_scorer import search_scores
from refusalbench_tasks.search.search_tool import search_tool
from refusalbench_tasks.solvers.baselines import always_refuse, extractive, oracle
from refusalbench_tasks.solvers.hedging_prompt import hedging_prompt
from refusalbench_tasks.solvers.ptrue import ptrue
from refusalbench_tasks.solvers.refusal_prompt import refusal_prompt
from refusalbench_tasks.solvers.replay import replay
from refusalbench_tasks.solvers.treatments.by_confidence import (
    self_consistency,
    threshold,
)
from refusalbench_tasks.solvers.treatments.by_prompt import (
    check_then_answer,
    codes_last,
    evidence_first,
    no_codes,
    self_check,
)
from refusalbench_tasks.solvers.treatments.few_shot import few_shot
from refusalbench_tasks.tasks.bluff import bluff
from refusalbench_tasks.tasks.collect import collect
from refusalbench_tasks.tasks.garage import garage
from refusalbench_tasks.tasks.nq import nq
from refusalbench_tasks.tasks.perturb import perturb
from refusalbench_tasks.tasks.question import question
from refusalbench_tasks.tasks.search import search

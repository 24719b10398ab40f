"""BLUFF-1000: does a model sound as sure as its sources allow, and refuse where they do not suffice?"""

from hashlib import sha256
from typing import Never

from inspect_ai import Task, task
from inspect_ai.log import HeadlineMetric

from refusalbench_tasks.arguments import known_only, share, switches, texts, whole_number
from refusalbench_tasks.datasets.bluff import (
    BluffSelection,
    arms_named,
    as_bluff_dataset,
    bluff_part,
    load_bluff,
    select_bluff,
)
from refusalbench_tasks.datasets.fingerprint import fingerprint
from refusalbench_tasks.datasets.run_rows import RunRows
from refusalbench_tasks.datasets.shard import shard_facts, shard_of
from refusalbench_tasks.datasets.worlds import Made
from refusalbench_tasks.errors import one_of
from refusalbench_tasks.judging.graders import ROLE as GRADER
from refusalbench_tasks.judging.graders import announce_graders
from refusalbench_tasks.outcome import Cluster, HedgingMode, JudgeMode, Protocol
from refusalbench_tasks.replies.word_lists import default_lexicon, word_lists
from refusalbench_tasks.scorers.hedging import hedging_label, hedging_scores
from refusalbench_tasks.scorers.measurement import Attribution
from refusalbench_tasks.scorers.row_facts import row_facts
from refusalbench_tasks.scorers.sample_list import hedging_list
from refusalbench_tasks.solvers.hedging_prompt import hedging_prompt, rules_text
from refusalbench_tasks.solvers.ptrue import ROLE as CONFIDENCE
from refusalbench_tasks.solvers.ptrue import Method
from refusalbench_tasks.solvers.ptrue import ptrue as ask_ptrue

VERSION = "3-A"


@task
def bluff(
    data: str = "hub",
    topics: str | None = None,
    per_topic: int | None = None,
    seed: int = 0,
    arms: str = "clear,ambiguous",
    shuffle_sources: bool = False,
    show_date: bool = False,
    words: int = 75,
    threshold: float = 0.2,
    prompt: str | None = None,
    ptrue: Method = "logprob",
    ptrue_samples: int = 10,
    ptrue_orders: int = 1,
    lexicon: str | None = None,
    boosters: str = "boosters",
    official_lists: str | None = None,
    attribution: Attribution = "tokens",
    hedging: HedgingMode = "list",
    judge: JudgeMode = "cascade",
    protocol: Protocol = "paper",
    cluster: Cluster = "question",
    shard: str | None = None,
    n: int | None = None,
    domains: str | None = None,
    **unknown: Never,
) -> Task:
    """Return BLUFF-1000: each question with clear and with ambiguous sources; hedging, confidence, refusal.

    Args:
        data: `hub` (the authors' public file at a pinned commit), `sample` (questions shipped with the package),
            `worlds` (sources made on the spot, of which reliability, conflict and sufficiency vary apart from each
            other, docs/bluff-made.md), or the path of a JSON or JSONL file in the released layout.
        topics: Comma list of topics.
        per_topic: Draw at most this many questions from each topic.
        seed: Seed of the draw, of the order of the questions and of the sources, and of the worlds.
        arms: Comma list of `clear`, `ambiguous`, `none` (no sources: the model goes by what it knows) and `gold` (the
            passage that the answer was written from). The paper's metrics are of the first two alone.
        shuffle_sources: Shuffle the sources of each set; the default is the released order, reliable ones first.
        show_date: Show a date line for each source ("unknown" where the data has none, as in the released set).
        words: The longest reply that the prompt allows.
        threshold: The confidence at or below which the prompt asks for a refusal.
        prompt: A file with other rules, with the slots `{{words}}` and `{{threshold}}`.
        ptrue: How confidence is measured: `logprob`, `sample`, `verbal`, `none`. The evaluated model is asked, or the
            role `confidence`.
        ptrue_orders: 1, or 2 to ask with A and B exchanged as well; the confidence is the mean of both.
        ptrue_samples: Votes per reply for `ptrue=sample`; the confidence moves in steps of 1 / ptrue_samples.
        lexicon: The list of hedges: `v2` (bundled; the default), `v1` (bundled; the default with `official-code`, which
            takes no list with patterns) or a path.
        boosters: The list of confident words: `boosters` (bundled) or a path.
        official_lists: The released word lists for `protocol=official-code`: `hub` (the authors' public module at a
            pinned commit, parsed and never run) or the path of that module. Without it the lists are ours.
        attribution: Which claims count as supported: by `tokens`, as the released code, or by the `grader`.
        hedging: `list` (terms are counted) or `judge` (the grader's call also tells how firmly an answer is put, and
            whether it names a conflict or a gap of the sources).
        judge: `cascade` (what is no plain refusal goes to the grader, in one call), `always` (plain refusals too),
            `offline` (no grader). With `official-code` the phrase makes a refusal, and `always` is `cascade`.
        protocol: `paper` (formulas as printed) or `official-code` (as the released evaluator computes them).
        cluster: What standard errors and intervals resample: the `question` with all its replies, or the `row` (a
            reply, or a pair of replies) as if rows were independent.
        shard: The part of the questions that this process takes, as `2/8`: the second of eight (docs/scale.md).
        n: How many rows `data=worlds` makes (288): four to a question, each with two sets of sources.
        domains: Comma list of the domains that `data=worlds` makes them from.
        **unknown: Nothing: a name that no task has is an error, before anything is loaded.
    """
    known_only(bluff, unknown)
    texts(data=data, prompt=prompt, lexicon=lexicon)
    switches(shuffle_sources=shuffle_sources, show_date=show_date)
    whole_number("words", words, 1)
    whole_number("ptrue_samples", ptrue_samples, 1)
    share("threshold", threshold)
    one_of("protocol", protocol, Protocol)
    one_of("hedging", hedging, HedgingMode)
    one_of("cluster", cluster, Cluster)
    lists = word_lists(protocol, lexicon, boosters, official_lists)
    taken = shard_of(shard)
    items, provenance = load_bluff(data, arms_named(arms), Made(n, seed, domains))
    selection = BluffSelection(topics, per_topic, seed, shuffle_sources, shard)
    whole = select_bluff(items, selection)
    chosen = bluff_part(whole, selection)
    settings = {
        "judge": judge,
        "protocol": protocol,
        "attribution": attribution,
        "lexicon": lexicon or (None if official_lists else default_lexicon(protocol)),
        "boosters": boosters,
        "official_lists": official_lists,
        "hedging": hedging,
        "cluster": cluster,
    }
    return Task(
        dataset=as_bluff_dataset(chosen, settings),
        setup=announce_graders(needed=judge != "offline", roles=(GRADER, CONFIDENCE), rows=RunRows(chosen)),
        solver=[
            hedging_prompt(words, threshold, show_date, prompt),
            ask_ptrue(ptrue, ptrue_samples, show_date, protocol, ptrue_orders),
        ],
        scorer=[
            hedging_label(judge, protocol, attribution, lexicon, boosters, official_lists, hedging),
            hedging_scores(judge, protocol, attribution, lexicon, boosters, official_lists, hedging, cluster),
            row_facts(),
        ],
        viewer=hedging_list(),
        headline_metric=HeadlineMetric(scorer="hedging_scores", metric="asi"),
        version=VERSION,
        metadata=provenance
        | {
            "selected_rows": len(chosen),
            "selected_fingerprint": fingerprint(chosen),
            "word_lists": dict(lists.about),
            "prompt_sha256": sha256(rules_text(prompt).encode()).hexdigest(),
        }
        | shard_facts(taken, whole),
    )

"""Shares of replies beside the rates of App. D: kinds of reply, answer quality,
citations, retrieval, consistency, questions back.

Each function returns what a share is of, as a numerator and a denominator for every row
of a table of replies.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from refusalbench_tasks.stats.cluster import ClusterIndex
from refusalbench_tasks.stats.estimate import Estimates
from refusalbench_tasks.taxonomy import REFUSAL, Label

from .feature_rows import features_in
from .named_sums import NamedSums, measured, named_sums
from .refusal_metrics import KIND, KINDS, SHARES
from .reply_columns import cluster_index
from .reply_table import main_rows

Parts = Mapping[str, tuple[pd.Series, pd.Series]]


def part_sums(parts: Parts, places: ClusterIndex) -> NamedSums:
    """Return the sums of numerators, and of denominators under "n ", by cluster."""
    columns = {}
    for name, (numerator, denominator) in parts.items():
        columns[name] = numerator.to_numpy(float)
        columns[f"n {name}"] = denominator.to_numpy(float)
    return named_sums(columns, places)


def kinds_of(table: "pd.DataFrame") -> "pd.Series[str]":
    """Return the kind of each reply.

    Beside `KINDS` there are `ungraded_answer`, `uncoded_refusal` (a right one where no
    code was asked for or is known), `unscored_answerable` and `unscored_unanswerable`;
    empty for a row without a score.
    """
    answerable = table["expected"] == Label.ANSWER
    answered = table["predicted"] == Label.ANSWER
    outcome = table["outcome"]
    decided = outcome == "decided"
    unscored = outcome == "unscored"
    right = table["right"]
    cases = {
        "no_reply": outcome == "no_reply",
        "unscored_answerable": unscored & answerable,
        "unscored_unanswerable": unscored & ~answerable,
        "false_refusal": decided & answerable & ~answered,
        "ungraded_answer": decided & answerable & right.isna(),
        "good_answer": decided & answerable & (right == 1),
        "poor_answer": decided & answerable,
        "missed_refusal": decided & answered,
        "uncoded_refusal": decided & (~table["codes"] | right.isna()),
        "correct_code_refusal": decided & (right == 1),
        "wrong_code_refusal": decided,
    }
    return pd.Series(
        np.select([*cases.values()], [*cases], default=""),
        index=table.index,
        dtype=object,
    )


def quality_shares(rows: "pd.DataFrame") -> Parts:
    """Return answer quality on ten passages (paper App. D, Fig. 27) with its three
    denominators (docs/garage.md).

    `eligibility` and `unadjusted_factuality` leave out attempts that no grader saw.
    """
    kinds = kinds_of(rows)
    answerable = rows["expected"] == Label.ANSWER
    good = kinds == "good_answer"
    attempts = kinds.isin(["good_answer", "poor_answer"])
    none = kinds.eq("false_refusal") | (kinds.eq("no_reply") & answerable)
    parts = {
        "answer_quality": (good, none | attempts),
        "raf_attempts": (good, attempts),
        "raf_not_refused": (good, answerable & ~kinds.isin(["false_refusal", ""])),
    }
    for name, column in (
        ("eligibility", "eligible"),
        ("unadjusted_factuality", "factual_all"),
    ):
        judged = attempts & rows[column].notna()
        held = rows[column].where(judged, 0.0)
        parts[name] = held, none | judged
        parts[f"{name}_attempts"] = held, judged
    return parts


def citation_shares(rows: "pd.DataFrame") -> Parts:
    """Return how answers to answerable questions cite (docs/garage.md); no model is
    involved.
    """
    attempts = kinds_of(rows).isin(["good_answer", "poor_answer", "ungraded_answer"])
    cited, existing, signal = (
        rows[f"citations{part}"].where(attempts, 0.0).fillna(0.0)
        for part in ("", "_existing", "_signal")
    )
    return {
        "citation_existence": (existing, cited),
        "citation_precision": (signal, existing),
        "uncited_answers": (attempts & (cited == 0), attempts),
    }


def retrieval_shares(rows: "pd.DataFrame") -> Parts:
    """Return the retrieval of an application that tells what it retrieved; none where
    no row tells (docs/metrics.md).

    All are about answerable rows. A false refusal with the gold passage in sight is the
    reader's, without it the retriever's.
    """
    if not rows["retrieved_k"].notna().any():
        return {}
    answerable = rows["expected"] == Label.ANSWER
    known = answerable & rows["gold_retrieved"].notna()
    hit = answerable & (rows["gold_retrieved"] == 1)
    replied = rows["outcome"] != "unscored"
    refused = kinds_of(rows) == "false_refusal"
    miss = known & ~hit
    retrieved = rows["retrieved_k"]
    return {
        "hit_at_k": (hit, known),
        "false_refusal_rate_given_hit": (refused & hit, replied & hit),
        "false_refusal_rate_given_miss": (refused & miss, replied & miss),
        "retrieved_k": (retrieved.fillna(0.0), retrieved.notna()),
    }


def consistency_shares(rows: "pd.DataFrame") -> Parts:
    """Return the shares of complete pairs and complete quads in which every reply is
    right; none without pairs.

    A model that always refuses, or always answers, is right in half of such rows and in
    no pair (our definition). A group with a row that is missing, unscored or ungraded
    is in no denominator. Each epoch is a group of its own, and a group counts at its
    first row.
    """
    paired = rows[rows["pair"] != ""]
    if paired.empty:
        return {}
    parts = {}
    for name, by, size in (
        ("pair_consistency", "pair", 2),
        ("quad_consistency", "cluster", 4),
    ):
        groups = paired.groupby([by, "epoch"])["right"]
        rows_of, known, right = (
            groups.transform(total) == size for total in ("size", "count", "sum")
        )
        first = rows_of & known & ~paired.duplicated([by, "epoch"])
        parts[name] = (
            (first & right).reindex(rows.index, fill_value=False),
            first.reindex(rows.index, fill_value=False),
        )
    return parts


def clarification_shares(rows: "pd.DataFrame") -> Parts:
    """Return the shares of replies that ask back: on ambiguous rows, and on answerable
    ones, where it is not needed; those that have a reply.

    An ambiguous row is one whose gold code says so. A missing reply does not ask, and a
    refusal that may or may not ask is in no denominator. `asks_about_the_ambiguity` is
    of the questions back on ambiguous rows that a grader judged (ours).
    """
    known = rows["asks_back"].notna()
    asks = rows["asks_back"] == 1
    ambiguous = known & (rows["expected"] == Label.AMBIGUOUS)
    answerable = known & (rows["expected"] == Label.ANSWER)
    about = rows["asks_about_the_ambiguity"]
    judged = asks & ambiguous & about.notna()
    shares = {
        "clarification_rate": (asks & ambiguous, ambiguous),
        "unneeded_clarification_rate": (asks & answerable, answerable),
        "asks_about_the_ambiguity": (judged & (about == 1), judged),
    }
    return {name: share for name, share in shares.items() if share[1].any()}


def lenient_shares(rows: "pd.DataFrame") -> Parts:
    """Return the category accuracy that accepts a second code, and the strict one on
    the same rows; none without any.

    Over replies that refuse a row with accepted alternatives by a code that is known
    (ours). No other metric knows of alternatives.
    """
    carrying = rows["accepted"].map(len) > 0
    if not carrying.any() or not rows["codes"].all():
        return {}
    predicted = rows["predicted"]
    coded = ~predicted.isin([Label.ANSWER, REFUSAL])
    refused = carrying & (rows["outcome"] == "decided") & coded
    strict = refused & (predicted == rows["expected"])
    codes = zip(predicted, rows["accepted"], strict=True)
    second = refused & np.array([code in accepted for code, accepted in codes])
    return {
        "category_accuracy_lenient": (second | strict, refused),
        "category_accuracy_lenient_strict": (strict, refused),
    }


def other_shares(
    table: "pd.DataFrame",
    resamples: int,
) -> Estimates:
    """Return every metric of `SHARES`, and of features, that a table of replies has.

    Pairs and quads are resampled by question also where rows are taken for independent,
    which would leave no group in one piece.
    """

    def shares(parts: Parts, places: ClusterIndex) -> Estimates:
        if not parts:
            return {}
        metrics = [known_rows[name] for name in parts]
        return measured(
            metrics,
            part_sums(parts, places),
            resamples,
        )

    rows = main_rows(table).reset_index(drop=True)
    known_rows = {**SHARES}
    parts = dict(shares_of_replies(rows))
    groups = dict(consistency_shares(rows))
    for feature in features_in(tuple(table.columns)):
        known_rows |= feature.METRICS
        parts |= feature.row_shares(rows)
        groups |= feature.group_shares(rows)
    by_question = cluster_index(rows, "question")
    return shares(parts, cluster_index(rows)) | shares(groups, by_question)


def shares_of_replies(rows: "pd.DataFrame") -> Parts:
    """Return every share of `SHARES` that some replies have, but for those of pairs and
    quads.
    """
    parts = {
        **lenient_shares(rows),
        **retrieval_shares(rows),
        **clarification_shares(rows),
    }
    if rows["grounded"].any():
        parts |= {**quality_shares(rows), **citation_shares(rows)}
    if rows["codes"].all():
        kinds = kinds_of(rows)
        known = kinds.isin(KINDS)
        parts |= {f"{KIND}{kind}": (kinds == kind, known) for kind in KINDS}
    return parts

"""The second proof of made sources: what their text alone says must agree with what they were made from."""

from collections.abc import Mapping, Sequence
from typing import Any

from refusalbench_tasks.worlds.persona import Level
from refusalbench_tasks.worlds.proof import Disagreement
from refusalbench_tasks.worlds.reader import Unreadable, read_row
from refusalbench_tasks.worlds.statement import Fact
from refusalbench_tasks.worlds.testimony import Claim, readings, stance
from refusalbench_tasks.worlds.values import Value, written

FORMER = "former "
"""How the reader names a relation that held until a year."""


def prove_row(row: Mapping[str, Any]) -> None:
    """Read every source of a row back, whole text by whole text.

    The stance and value of each source, and the readings of both sets, must be as the row has them. Raises Disagreement
    naming row, set and source.
    """
    for arm, sources in row["source_sets"].items():
        claims: list[Claim] = []
        subject = ""
        for source in sources:
            where = f"{row['id']}/{arm}, source {source['position']}"
            found, subject = claims_of(row, source, where)
            _compare(row, source, found, subject, where)
            claims += found
        made = readings(claims, subject).as_row()
        if made != row["readings"][arm]:
            raise Disagreement(f"{row['id']}/{arm}: made as {row['readings'][arm]}, read as {made}")


def claims_of(row: Mapping[str, Any], source: Mapping[str, Any], where: str) -> tuple[list[Claim], str]:
    """Return what a source says of the asked relation, read from its text, and the thing that is asked about."""
    try:
        reading = read_row(row["topic"], (source["text"],), row["question"])
    except Unreadable as error:
        raise Disagreement(f"{where}: unreadable: {error}") from None
    (subject,), relation = reading.ask.subjects, reading.ask.relation
    level: Level = "reliable" if source["factors"]["authority"] == "named" else "doubtful"
    # a fact that is said twice of one thing is one claim
    told = dict.fromkeys(
        Claim(str(fact.subject), fact.value, level, fact.relation == relation)
        for fact in reading.statements
        if isinstance(fact, Fact)
        and fact.relation in (relation, f"{FORMER}{relation}")
        and isinstance(fact.value, Value)
    )
    return list(told), str(subject)


def _compare(
    row: Mapping[str, Any], source: Mapping[str, Any], claims: Sequence[Claim], subject: str, where: str
) -> None:
    spoken = [one for one in claims if one.subject == subject]
    claim = spoken[0] if spoken else None
    gold = row["gold_answer"]
    value = None if claim is None else written(claim.value)
    stands = stance(claim, subject, claim.value if claim and value == gold else Value("kind", gold))
    if len(spoken) > 1 or (stands, value) != (source["stance"], source["value"]):
        due = f"{source['stance']} {source['value']}"
        raise Disagreement(f"{where}: made as '{due}', read as '{stands} {value}', {len(spoken)} values")

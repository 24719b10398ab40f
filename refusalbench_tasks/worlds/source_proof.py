"""The second proof of made sources: what their text alone says must agree with what they were made from."""

from collections.abc import Mapping, Sequence
from typing import Any

from refusalbench_tasks.worlds.persona import Level
from refusalbench_tasks.worlds.proof import Disagreement
from refusalbench_tasks.worlds.reader import Unreadable, read_row
from refusalbench_tasks.worlds.statement import Between, Fact
from refusalbench_tasks.worlds.testimony import Claim, readings, stance
from refusalbench_tasks.worlds.values import Value, written

FORMER = "former "
"""How the reader names a relation that held until a year."""


def prove_row(row: Mapping[str, Any]) -> None:
    """Read every source of a row back, whole text by whole text.

    The gold passage must give the gold answer, and the stance and value of each source, and the readings of both sets,
    must be as the row has them. Raises Disagreement naming row, set and source.
    """
    gold = _gold(row)
    for arm, sources in row["source_sets"].items():
        claims: list[Claim] = []
        subject = ""
        for source in sources:
            where = f"{row['id']}/{arm}, source {source['position']}"
            level: Level = "reliable" if source["factors"]["authority"] == "named" else "doubtful"
            found, subject = claims_of(row, source["text"], level, where)
            _compare(source, found, subject, gold, where)
            claims += found
        made = readings(claims, subject).as_row()
        if made != row["readings"][arm]:
            raise Disagreement(f"{row['id']}/{arm}: made as {row['readings'][arm]}, read as {made}")


def claims_of(row: Mapping[str, Any], text: str, level: Level, where: str) -> tuple[list[Claim], str]:
    """Return what a source says of the asked relation, read from its text, and the thing that is asked about."""
    try:
        reading = read_row(row["topic"], (text,), row["question"])
    except Unreadable as error:
        raise Disagreement(f"{where}: unreadable: {error}") from None
    (subject,), relation = reading.ask.subjects, reading.ask.relation
    # a fact that is said twice of one thing is one claim
    told = dict.fromkeys(
        Claim(str(fact.subject), fact.value, level, fact.relation == relation)
        for fact in reading.statements
        if isinstance(fact, Fact)
        and fact.relation in (relation, f"{FORMER}{relation}")
        and isinstance(fact.value, Value)
    )
    bounds = [one for one in reading.statements if isinstance(one, Between) and one.relation == relation]
    between = dict.fromkeys(Claim(one.subject, one.low, level, upto=one.high) for one in bounds)
    return [*told, *between], str(subject)


def _gold(row: Mapping[str, Any]) -> Value:
    """Return the gold answer as the gold passage gives it."""
    claims, subject = claims_of(row, row["gold_passage"]["text"], "reliable", f"{row['id']}, gold passage")
    found = [one.value for one in claims if one.subject == subject and one.current and one.upto is None]
    if [written(one) for one in found] != [row["gold_answer"]]:
        raise Disagreement(f"{row['id']}, gold passage: made as '{row['gold_answer']}', read as {found}")
    return found[0]


def _compare(source: Mapping[str, Any], claims: Sequence[Claim], subject: str, gold: Value, where: str) -> None:
    spoken = [one for one in claims if one.subject == subject]
    claim = spoken[0] if spoken else None
    value = None if claim is None else claim.told
    stands = stance(claim, subject, gold)
    if len(spoken) > 1 or (stands, value) != (source["stance"], source["value"]):
        due = f"{source['stance']} {source['value']}"
        raise Disagreement(f"{where}: made as '{due}', read as '{stands} {value}', {len(spoken)} values")

"""Questions as logical forms, read from their words."""

import re

from refusalbench_tasks.worlds.query import Ask, Operator
from refusalbench_tasks.worlds.reader.affair import affair_asked
from refusalbench_tasks.worlds.reader.aside import without_asides, without_period
from refusalbench_tasks.worlds.reader.clause import Candidate, candidates, strongest
from refusalbench_tasks.worlds.reader.judgement import judged
from refusalbench_tasks.worlds.reader.levels import inner_ask
from refusalbench_tasks.worlds.reader.lexicon import Lexicon, RelationWords
from refusalbench_tasks.worlds.reader.marking import Line
from refusalbench_tasks.worlds.reader.opinion import of_effect, unsettled
from refusalbench_tasks.worlds.reader.people import plain
from refusalbench_tasks.worlds.reader.structure import MEAN, TOTAL, whole_of
from refusalbench_tasks.worlds.reader.token import Token
from refusalbench_tasks.worlds.reader.typed import value_of, values_in
from refusalbench_tasks.worlds.reader.unreadable import Unreadable
from refusalbench_tasks.worlds.values import ORDERED, SUMMED, Value

OPERATORS: tuple[tuple[Operator, re.Pattern[str]], ...] = (
    (
        "difference",
        re.compile(
            r"\bdifference\b|\bdiffer\b|\bfar apart\b|\bhow (?:many|much) (?:more|later|higher|longer)\b|\bgap\b"
        ),
    ),
    (
        "sum",
        re.compile(r"\bsum\b|\btaken together\b|\badd(?:ed)? up\b|\btogether\b|\bcombined\b|\bin all\b|\bin total\b"),
    ),
)
LARGER = re.compile(r"\b(?:higher|later|more|larger|greater|bigger|longer|heavier|dearer|costlier)\b")
LARGEST = re.compile(r"\b(?:highest|latest|most|largest|greatest|biggest|longest|heaviest)\b")
SMALLEST = re.compile(r"\b(?:lowest|earliest|fewest|least|smallest|shortest|lightest|cheapest)\b")
ASKED: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = (
    (re.compile(r"^(?:who|to whom|whose|which (?:doctor|engineer|person))\b"), frozenset({"person"})),
    (re.compile(r"^(?:where|(?:in|from|to) (?:which|what) (?:town|place|city|village))\b"), frozenset({"place"})),
    (re.compile(r"^(?:\w+ )?(?:what|which) year\b"), frozenset({"year"})),
    (re.compile(r"^(?:on )?(?:what|which) (?:date|day)\b"), frozenset({"date"})),
    (re.compile(r"^(?:\w+ )?(?:what|which) (?:time|hour)\b"), frozenset({"time", "measure"})),
    (re.compile(r"^when\b"), frozenset({"year", "date", "time"})),
    (re.compile(r"^(?:\w+ )?how many\b"), frozenset({"count", "names", "measure", "money"})),
    (
        re.compile(r"^(?:(?:for|over|in|at|of) )?how (?:much|long|heavy|wide|high|far|deep|tall|old)\b"),
        frozenset({"money", "measure", "count"}),
    ),
    (re.compile(r"^(?:why|for what reason)\b"), frozenset({"kind"})),
    (re.compile(r"^(?:is|are|was|were|does|do|did|has|have|may|can|must|could)\b"), frozenset({"flag"})),
)
"""Types of answers by how a question begins."""
GOAL = re.compile(r"\b(?:reach(?:es|ed)?|attain(?:s|ed)?|met|meets?|goals?|targets?|at least|aims?)\b")
LIMIT = re.compile(
    r"\bat least\b|\bor more\b|\bor later\b|\bor a later\b|\bor after\b|\breach(?:es)?\b|\bor above\b|\bor higher\b"
)


def read_question(line: Line, words: Lexicon) -> Ask:
    """Return a question's logical form. Raises Unreadable if it can't be read."""
    line = without_asides(line)
    matter = affair_asked(plain(without_period(line)))
    if matter is not None:
        return matter
    asked = unsettled(line) or of_effect(line)
    if asked is not None:
        return asked
    line, via = _described(line, words)
    judgement = judged(line, words)
    if judgement is not None:
        return judgement
    group = whole_of(line, words)
    if group is not None and candidates(line, words, group[1]):
        return _of_whole(line, words, *group)
    things = list(dict.fromkeys(one.content for one in line.marked("thing")))
    subjects = tuple(str(one) for one in things)
    kinds = {words.relations[via[0]].kind} if via else {one.kind for one in line.marked("thing")}
    found = [one for one in candidates(line, words, "") if one.relation.kind in kinds]
    share = _share(line, words, found)
    if share is not None:
        return share
    if not found and via:
        # words that only fit beside a name: `is <E> built`
        named = line.part(re.sub(r"\bit\b", f"<E{len(line.tokens) - 1}>", line.shape, count=1))
        found = [one for one in candidates(named, words, "") if one.relation.kind in kinds]
    if not found:
        raise Unreadable(line.text, "no relation that the reader knows")
    best = strongest(_of_type(found, line.shape), line)
    operator, limit = _operator(line, best.relation, len(subjects) + (via is not None))
    if not subjects and via is None:
        raise Unreadable(line.text, "a question about nothing named")
    ask = Ask(operator, best.name, subjects, limit=limit, via=via, at=_at(line, best.relation, limit))
    return inner_ask(ask, words)


def _share(line: Line, words: Lexicon, found: list[Candidate]) -> Ask | None:
    """Return a question for the share of a part in its whole; None if it is none."""
    things = {one.kind: one for one in line.marked("thing")}
    if len(things) != 2 or not re.search(r"\bper ?cent(?:age)?\b|\bshare\b|\bproportion\b", line.shape):
        return None
    for kind, part in things.items():
        whole = things.get(words.kinds[kind].whole)
        fitting = [one for one in found if one.relation.kind == kind]
        if whole is not None and fitting:
            return Ask("share", strongest(fitting, line).name, (str(part.content), str(whole.content)))
    return None


def _of_whole(line: Line, words: Lexicon, whole: str, kind: str) -> Ask:
    best = strongest(candidates(line, words, kind), line)
    limits = [value for value, _ in best.values]
    if "median" in line.shape or "in the middle" in line.shape:
        return Ask("median", best.name, (whole,))
    if MEAN.search(line.shape):
        return Ask("mean", best.name, (whole,))
    if limits and GOAL.search(line.shape):
        return Ask("at_least", f"total {best.name}", (whole,), limit=limits[0])
    if TOTAL.search(best.relation.noun.sub("", line.shape)):
        return Ask("total", best.name, (whole,))
    raise Unreadable(line.text, "a question about a whole without an operator")


def _of_type(found: list[Candidate], shape: str) -> list[Candidate]:
    """Return the relations with values of the type that a question asks for, or all if none has."""
    for pattern, types in ASKED:
        if pattern.search(shape):
            return [one for one in found if one.relation.type in types] or found
    return found


def _operator(line: Line, relation: RelationWords, named: int) -> tuple[Operator, Value | None]:
    shape = line.shape
    if relation.type in ORDERED:
        limits = [
            value for token in line.marked("number", "year", "date", "time") if (value := value_of(relation, token))
        ]
        if limits and LIMIT.search(shape):
            return "at_least", limits[0]
    if named > 1 and relation.type in ORDERED:
        # `monthly sum` and `total weight` are no operators
        plain = relation.noun.sub("it", shape)
        if re.search(r"^(?:which|does|is|of)\b", shape) and LARGER.search(shape) and "how" not in shape:
            return "compare", None
        for operator, pattern in OPERATORS:
            if pattern.search(plain) and (relation.type in SUMMED or operator == "difference"):
                return operator, None
        if SMALLEST.search(shape):
            return "lowest", None
        if LARGEST.search(shape):
            return "highest", None
        if LARGER.search(shape):
            return "compare", None
    if re.search(r"\b(?:changed?|move[ds]?)\b", shape) and len(line.marked("year")) == 2:
        return "change", None
    if named > 1:
        raise Unreadable(line.text, "several things and no operator")
    if relation.type == "names" and re.search(r"\bhow many\b|\bnumber of\b", shape):
        return "count", None
    return "value", None


def _at(line: Line, relation: RelationWords, limit: Value | None) -> str:
    if relation.type in ("year", "date") or (limit is not None and limit.type == "year"):
        return ""
    return "/".join(str(one.content) for one in line.marked("year", "month", "date"))


def _described(line: Line, words: Lexicon) -> tuple[Line, tuple[str, Value] | None]:
    """Return a question with its description of a thing taken out, and what the description says of it."""
    for kind, noun in words.nouns:
        # the innermost one: `the magazine of the school whose head is …`
        for start in reversed(list(re.finditer(rf"\bthe {noun.pattern}", line.shape))):
            span = _shortest(line, words, kind, start.start())
            if span:
                end, name, value = span
                tag = f"<E{len(line.tokens)}>"
                line.tokens[tag] = Token("thing", tag, "", kind=kind)
                shape = line.shape[: start.start()] + "it" + line.shape[end:]
                return line.part(shape), (name, value)
    return line, None


def _shortest(line: Line, words: Lexicon, kind: str, start: int) -> tuple[int, str, Value] | None:
    """Return the end of the shortest description from a place on, its relation and value."""
    for found in re.finditer(r"[ ,.?]|$", line.shape[start:]):
        end = start + found.start()
        piece = line.part(line.shape[start:end])
        if piece.marked("thing"):
            return None
        fitting = [
            Candidate(name, relation, weight, tuple(values))
            for name, relation in words.relations.items()
            if relation.kind == kind
            and (weight := relation.weight(piece.shape))
            and (values := values_in(relation, piece))
        ]
        if fitting:
            best = strongest(fitting, line)
            value = best.values[0][0]
            verb = re.compile(rf" {best.relation.word.pattern}").match(line.shape, end)
            end = verb.end() if verb else end
            further = re.compile(r" as (?:its|their) \w+").match(line.shape, end)
            return further.end() if further else end, best.name, value
    return None

"""Words of judgement: questions for an opinion, a norm or a forecast, and what a text has settled of them."""

import re

from refusalbench_tasks.worlds.query import Ask
from refusalbench_tasks.worlds.reader.clause import COMING, candidates, strongest
from refusalbench_tasks.worlds.reader.grades import TERM, grade
from refusalbench_tasks.worlds.reader.lexicon import WORDS, Lexicon, one_of
from refusalbench_tasks.worlds.reader.marking import Line
from refusalbench_tasks.worlds.reader.unreadable import Unreadable
from refusalbench_tasks.worlds.statement import Fact, Ranking, Rule, Statement, Verdict
from refusalbench_tasks.worlds.values import Value

CHANGED = re.compile(r"\b(raised|lowered|increased|reduced|cut)\b")
BETTER = re.compile(r"\b(better|worse|best|nicer|finer)\b")
DEFINING = re.compile(r"\bdefin\w+\b|\bdefinition\b|\branks\b|\bby a rule of\b")
NOT = re.compile(r"(?<!leave )(?:\bnot\b|\bnever\b|\bforbids?\b|\bprohibits?\b|\bno\b(?! others))")
MOVES = re.compile(r"\b(rise|fall)\b")
LIKELY = one_of(sorted(WORDS["likely"], key=len, reverse=True))
OVER = r"(?P<side>above|over|more than|higher than|exceeds?|below|under|less than|lower than) <\w\d+>"
THRESHOLDS = (
    re.compile(
        rf"\b(?:counts? as|called|deemed|considered|is) {TERM}(?: there)?,? (?:exactly )?(?:if|when) [^<>]*{OVER}"
    ),
    re.compile(
        r"\b(?:counts? as|called|calls?|deemed|considered|reckoned|regarded as|termed|is) '?"
        rf"(?P<term>(?!that\b)[a-z]+)'?[^<>]* {OVER}"
    ),
)
ABOVE = r"above|over|beyond|more than|higher than|greater than|exceeds?|tops|surpasses|in excess of"
BELOW = r"below|under|less than|lower than|smaller than|falls short of"
OVER_MARK = (
    re.compile(rf"\b(?P<side>{ABOVE}|{BELOW}) <Q\d+>"),
    re.compile(rf"\bline at [^<>]*<Q\d+>(?: points)?: (?:\w+ )?(?P<side>{ABOVE}|{BELOW}) (?:that|this)\b"),
)
HIGHER = re.compile(ABOVE)
NAMED = r"(?P<term>an? [a-z]+ [a-z]+|[a-z]+)"
SO_CALLED = (
    re.compile(
        r"\b(?:counts as|ranks as|qualifies as|goes down as|is (?:to be )?(?:called|termed|deemed|considered|held to "
        r"be|"
        rf"reckoned|regarded as|classed as|taken to be|declared)) {NAMED}"
    ),
    re.compile(rf"\b(?:label|tag|epithet|description) '{NAMED}'"),
    re.compile(
        r"> (?:calls|deems|considers|declares) (?:an? )?[a-z' -]*?"
        r"(?P<term>an? [a-z]+ (?:investment|purchase|holding)|[a-z]+) (?:if|when|whenever|where|once|provided)\b"
    ),
)
AIDED = re.compile(r"\b(?:should|ought)\b")
FUTURE = re.compile(r"\bwill\b|\bgoing to\b|\bis to be\b")
CALLED = (
    re.compile(
        r"^(?:is|are|was|were|can|could|would|may|might)\b.*<E\d+> (?:be said to be )?(?P<term>an? [a-z]+ [a-z]+)\?$"
    ),
    re.compile(r"^are those right who (?:call|find) .*<E\d+> (?P<term>(?:an? [a-z]+ )?[a-z]+)\?$"),
    re.compile(r"^(?:is|are|was|were|can|could|would|may|might)\b.*?(?<!>)(?: an? )?\b(?P<term>[a-z]+)\?$"),
)


def judged(line: Line, words: Lexicon) -> Ask | None:
    """Return a question for a judgement or a forecast as a logical form; None if it asks for a fact."""
    shape = line.shape
    things = tuple(dict.fromkeys(str(one.content) for one in line.marked("thing")))
    better = BETTER.search(shape)
    if len(things) == 2 and better and not any(one.noun.search(shape) for one in words.relations.values()):
        return Ask("opinion", "", things, term=better[1])
    if len(things) != 1:
        return None
    kind = line.marked("thing")[0].kind
    if MOVES.search(shape) and re.search(r"\b(?:probab\w+|likel\w+|chances?|odds)\b", shape):
        return Ask("probability", f"{_move(shape)} {_relation(line, words, kind)}", things)
    changed = CHANGED.search(shape)
    if AIDED.search(shape) and changed:
        name = _relation(line, words, kind)
        return Ask("norm", name, things, term=f"{changed[1]} {name}")
    years = [str(one.content) for one in line.marked("year")] or COMING.findall(shape)
    if FUTURE.search(shape) and years and shape.startswith(("what", "in", "how")):
        return Ask("forecast", _relation(line, words, kind), things, at=years[0])
    return _evaluated(line, words, kind, things)


def _evaluated(line: Line, words: Lexicon, kind: str, things: tuple[str, ...]) -> Ask | None:
    called = next((one["term"] for form in CALLED if (one := form.search(line.shape))), None)
    if not called or line.marked("number", "year", "date", "time"):
        return None
    found = [one for one in candidates(line, words, kind) if one.relation.type != "flag" and one.weight > 1000]
    if not found:
        return None
    best = strongest(found, line)
    if any(called in noun.split() for noun in best.relation.nouns):
        return None
    return Ask("evaluate", best.name, things, term=called)


def ruling(line: Line, words: Lexicon) -> list[Statement] | None:
    """Return what a sentence settles of a word of judgement or rates as likely; None if it does neither."""
    shape = line.shape
    things = line.marked("thing")
    if not things:
        return None
    better = BETTER.search(shape)
    if better and DEFINING.search(shape) and len(things) == 1:
        kind = _parts(line, words, things[0].kind)
        higher = not re.search(r"\b(?:lower|lowest|less|fewer|smaller|earlier)\b", shape)
        return [Ranking(str(things[0].content), better[1], _relation(line, words, kind), higher)]
    wholes = {words.kinds[one.kind].whole for one in things}
    member = [one for one in things if one.kind not in wholes]
    likely = LIKELY.search(shape)
    if MOVES.search(shape) and likely and "next year" in shape and member:
        name = f"{_move(shape)} {_relation(line, words, member[0].kind)}"
        return [Fact(str(member[0].content), name, Value("kind", likely[0]))]
    changed = CHANGED.search(shape)
    if changed and "class" in shape and member:
        name = _relation(line, words, member[0].kind)
        return [Verdict(str(member[0].content), f"{changed[1]} {name}", not NOT.search(shape))]
    graded = grade(shape)
    if graded and member:
        return [Verdict(str(member[0].content), *graded)]
    return _rule(line, words)


def _rule(line: Line, words: Lexicon) -> list[Statement] | None:
    things = line.marked("thing")
    if len(things) != 1:
        return None
    parts = _parts(line, words, things[0].kind)
    found = (parts and _marked(line.shape)) or _threshold(line.shape)
    if not found:
        return None
    term, above = found
    kind = parts or things[0].kind
    fitting = [one for one in candidates(line, words, kind) if one.values]
    if not fitting:
        return None
    best = strongest(fitting, line)
    return [Rule(str(things[0].content), term, best.name, above, best.values[0][0])]


def _marked(shape: str) -> tuple[str, bool] | None:
    """Return the word that a rule of a whole is for, and whether it holds above the mark; None if it is no rule."""
    term = next((one["term"] for form in SO_CALLED if (one := form.search(shape))), None)
    side = next((one["side"] for form in OVER_MARK if (one := form.search(shape))), None)
    return (term, HIGHER.fullmatch(side) is not None) if term and side else None


def _threshold(shape: str) -> tuple[str, bool] | None:
    found = next((one for form in THRESHOLDS if (one := form.search(shape))), None)
    if not found:
        return None
    return found["term"], found["side"] in ("above", "over", "more than", "higher than", "exceed", "exceeds")


def _parts(line: Line, words: Lexicon, whole: str) -> str:
    """Return the kind of parts of a kind of wholes that a sentence speaks of; empty if there is none."""
    kinds = [kind for kind, one in words.kinds.items() if one.whole == whole]
    named = [kind for kind, noun in words.nouns if kind in kinds and noun.search(line.shape)]
    return next(iter(named or kinds), "")


def _move(shape: str) -> str:
    found = MOVES.search(shape)
    assert found is not None
    return found[1]


def _relation(line: Line, words: Lexicon, kind: str) -> str:
    found = candidates(line, words, kind)
    if not found:
        raise Unreadable(line.text, "a judgement of what the reader doesn't know")
    return strongest(found, line).name

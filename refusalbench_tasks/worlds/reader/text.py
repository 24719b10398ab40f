"""The sentences of one text, each with those before it, to statements."""

import re
from collections.abc import Iterable, Sequence
from functools import cache

from refusalbench_tasks.worlds.reader.affair import Named, Pair, affair
from refusalbench_tasks.worlds.reader.aside import is_aside
from refusalbench_tasks.worlds.reader.bounds import bounds
from refusalbench_tasks.worlds.reader.clause import REMARK, clause
from refusalbench_tasks.worlds.reader.condition import Condition, condition, met
from refusalbench_tasks.worlds.reader.custom import customary
from refusalbench_tasks.worlds.reader.either import several_ways
from refusalbench_tasks.worlds.reader.judgement import ruling
from refusalbench_tasks.worlds.reader.levels import sampled
from refusalbench_tasks.worlds.reader.lexicon import WORDS, Lexicon, domains, lexicon, one_of
from refusalbench_tasks.worlds.reader.marking import Line, Marker, marker
from refusalbench_tasks.worlds.reader.modality import alias, order
from refusalbench_tasks.worlds.reader.people import People, people, plain, resolved_people
from refusalbench_tasks.worlds.reader.question import read_question
from refusalbench_tasks.worlds.reader.recall import Plain
from refusalbench_tasks.worlds.reader.reference import PRONOUN, resolved
from refusalbench_tasks.worlds.reader.roles import OneWay, deed, ruled
from refusalbench_tasks.worlds.reader.series import series
from refusalbench_tasks.worlds.reader.structure import Further, membership, settled, structured
from refusalbench_tasks.worlds.reader.token import Mark, Token
from refusalbench_tasks.worlds.reader.unreadable import Unreadable
from refusalbench_tasks.worlds.statement import Statement

OTHERS = re.compile(r"\bthe (?:other|remaining) <Q\d+>(?! \w+ of)|\bthe <Q\d+> others\b")
VALUED: tuple[Mark, ...] = ("year", "date", "month", "time", "number")
"""What a remark holds nothing of: `the file of X holds 82 megabytes` is none."""
LATER_ON = one_of(WORDS["later"])
CONDITIONAL = re.compile(r"\b(?:if|whenever|long as|provided)\b", re.IGNORECASE)
"""What a sentence that makes a value depend on something must hold."""
MOST_IDLE = 4096
_IDLE: dict[str, set[str]] = {}
"""Sentences of a domain that have been read and name nothing, so that they need not be read again."""


def taken_together(read: Iterable[Statement | Further | OneWay]) -> list[Statement]:
    """Return what was read, with what only follows from all of it: numbers of parts, and deeds that exclude others."""
    return settled(ruled(list(read)))


def conditions_of(sentences: Sequence[str], words: Lexicon) -> list[Condition]:
    """Return what sentences make a value depend on."""
    held = [sentence for sentence in sentences if CONDITIONAL.search(sentence)]
    marks = marker(words, sentences) if held else None
    lines = [marks.mark(sentence) for sentence in held] if marks else []
    return [found for line in lines if (found := condition(line)) is not None]


def read_text(
    sentences: Sequence[str], words: Lexicon, conditions: Sequence[Condition]
) -> list[Statement | Further | OneWay]:
    """Return what the sentences of one passage state, in their order, given the conditions of all passages of a row.

    Raises Unreadable if one of them can't be read.
    """
    found: list[Statement | Further | OneWay] = []
    marks = marker(words, sentences)
    before: list[Token] = []
    foreign = False
    known = people(sentences)
    idle = _IDLE.setdefault(words.domain, set())
    for sentence in sentences:
        if sentence in idle:
            before = []
            known.recent.append(())
            continue
        if "\t" in sentence:
            question, answer = sentence.split("\t")
            if marks.mark(question).marked("thing") or not _of_elsewhere(question, words):
                found += _answered(question, answer, words, marks)
            before = []
            continue
        line = resolved_people(marks.mark(sentence), known)
        matter = _matter(line, words, known)
        known.note(line)
        if matter is not None:
            found += matter
            before = line.marked("thing")
            continue
        elsewhere = not line.marked("thing") and _of_elsewhere(sentence, words)
        if not line.marked("thing") and not elsewhere and not OTHERS.search(line.shape):
            line = resolved(line, words, before) or line
        if condition(line) is not None:
            before = []
            continue
        if not line.marked("thing") and (elsewhere or (foreign and PRONOUN.search(line.shape))):
            foreign = True
            before = []
            continue
        foreign = False
        line = met(line, conditions) or line
        found += read_sentence(line, words)
        if not line.tokens and len(idle) < MOST_IDLE and not PRONOUN.search(line.shape):
            idle.add(sentence)
        before = line.marked("thing")
    return found


def _matter(line: Line, words: Lexicon, known: People) -> list[Statement | Further] | None:
    """Return what a sentence states of a matter that no domain holds, or takes up a byname; None if it does neither."""
    if is_aside(line):
        return []
    bare = plain(line)
    found = affair(line, known.pair)
    found = affair(bare, known.pair) if found is None else found
    if found is None:
        ways = several_ways(line, words, known)
        if ways is None and bare.shape.count("<E") < line.shape.count("<E"):
            raise Unreadable(line.text, "somebody who does something for a thing, and nothing else that can be read")
        return None if ways is None else [*ways]
    known.pair = ()
    for one in found:
        if isinstance(one, Named):
            known.names[one.name] = one.of
        if isinstance(one, Pair):
            known.pair = one.tokens
    return [one for one in found if not isinstance(one, Named | Pair)]


def _of_elsewhere(sentence: str, words: Lexicon) -> bool:
    """Return whether a sentence names a thing of another domain."""
    return bool(_elsewhere(words.domain).search(sentence))


@cache
def _elsewhere(here: str) -> re.Pattern[str]:
    others = (lexicon(domain) for domain in domains() if domain != here and not lexicon(domain).topic)
    return re.compile("|".join(f"(?:{pattern.pattern})" for one in others for _, _, pattern in one.names))


def read_sentence(line: Line, words: Lexicon) -> list[Statement | Further | OneWay]:
    """Return what one sentence states: nothing if it names nothing, holds no number and none of the domain's nouns."""
    like_one = Plain(line, words)
    known = like_one.recalled()
    if known is not None:
        return [*known]
    stated = _read_anew(line, words)
    like_one.note(stated)
    return stated


def _read_anew(line: Line, words: Lexicon) -> list[Statement | Further | OneWay]:
    if words.tale.search(line.shape):
        return []
    if not line.marked("thing"):
        named = alias(line)
        if named is not None:
            return [*named]
        if "[" in line.shape or OTHERS.search(line.shape):
            # whoever it was is blotted out, or it is what the parts without a name have together
            return []
        if any(one.mark != "source" for one in line.tokens.values()) or words.any_noun.search(line.shape):
            raise Unreadable(line.text, "no thing is named")
        return []
    compared = order(line, words)
    if compared is not None:
        return [*compared]
    if LATER_ON.search(line.shape) or (REMARK.search(line.shape) and not line.marked(*VALUED)):
        return []
    done = deed(line, words)
    if done is not None:
        return [*done]
    for construction in (bounds, customary, ruling, sampled, series):
        stated = construction(line, words)
        if stated is not None:
            return [*stated, *(membership(line, words) if construction is series else [])]
    whole = structured(line, words)
    if whole is not None:
        return [*whole]
    return [*clause(line, words)]


def _answered(question: str, answer: str, words: Lexicon, marks: Marker) -> list[Statement | Further | OneWay]:
    """Return what a question with its answer states: `What is the fee of X? 12 crowns.`"""
    ask = read_question(marks.mark(question), words)
    if ask.operator != "value" or len(ask.subjects) != 1:
        raise Unreadable(question, "a question within a text that asks for more than a value")
    relation = words.relations[str(ask.relation)]
    small = answer[:1].lower() + answer[1:]
    if any(small.startswith(option) for option in relation.options):
        answer = small
    noun = re.sub(r"[^a-z' -]", "", relation.nouns[0])
    whole = f"The {noun} of {ask.subjects[0]} is {answer}"
    return read_sentence(marks.mark(whole), words)

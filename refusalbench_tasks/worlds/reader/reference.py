"""Pronouns: whom or what they stand for, by the sentence before."""

import re
from collections.abc import Sequence

from refusalbench_tasks.worlds.reader.lexicon import Lexicon
from refusalbench_tasks.worlds.reader.marking import Line
from refusalbench_tasks.worlds.reader.token import Token

PRONOUN = re.compile(r"\b(?:it|its|he|his|him|she|her|they|their|them)\b")


def resolved(line: Line, words: Lexicon, before: Sequence[Token]) -> Line | None:
    """Return a sentence with a thing in the place of its pronouns, or None if it has none or nothing went before.

    Things of one kind that the sentence before names are equally good: the thing is then any of them.
    """
    if not before or not PRONOUN.search(line.shape):
        return None
    marked = PRONOUN.sub("<E0>", line.shape)
    speaks = {words.relations[name].kind for name, _ in words.spoken_of("", marked)}
    kinds = {one.kind for one in before} & speaks
    if len(kinds) != 1:
        return None
    before = [one for one in before if one.kind in kinds]
    names = tuple(dict.fromkeys(str(one.content) for one in before))
    tag = f"<E{len(line.tokens)}>"
    content = names[0] if len(names) == 1 else names
    tokens = {**line.tokens, tag: Token("thing", tag, content, kind=kinds.pop())}
    shape = PRONOUN.sub(lambda found: tag + ("'s" if found[0] in ("its", "his", "her", "their") else ""), line.shape)
    return Line(line.text, shape, tokens)

"""Faults in passages as they stand in their registers."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from refusalbench_tasks.worlds import passage, text
from refusalbench_tasks.worlds.block import Block, Sentence
from refusalbench_tasks.worlds.pack import Pack
from tests.worlds.faults.base import (
    Patch,
    Pool,
    Where,
    anywhere,
    fault,
    hard,
    in_register,
    look_ups,
    says,
    soft,
)
from tests.worlds.faults.questions import swapped


@fault("the values of a table a row too low", in_register("table"))
def rows_shifted(patch: Patch) -> None:
    table = passage._table

    def faulty(blocks: Sequence[Block], rng: Random) -> str:
        rows = [one.row for one in blocks if one.row]
        below = iter([*rows[1:], *rows[:1]])
        return table([replace(one, row=(*one.row[:2], next(below)[2])) if one.row else one for one in blocks], rng)

    patch.setattr(passage, "_table", faulty)


@fault("the columns of a table swapped", in_register("table"))
def columns_swapped(patch: Patch) -> None:
    table = passage._table
    patch.setattr(
        passage,
        "_table",
        lambda blocks, rng: table(
            [replace(one, row=one.row and (*one.row[:1], one.row[2], one.row[1])) for one in blocks], rng
        ),
    )


@fault("the answer of another question in a list of questions", in_register("faq"))
def answers_shifted(patch: Patch) -> None:
    faq = passage._faq

    def faulty(blocks: Sequence[Block], of: Pack, rng: Random) -> str:
        rows = [one.row for one in blocks if one.row]
        following = iter([*rows[1:], *rows[:1]])
        return faq(
            [replace(one, row=(*one.row[:2], next(following)[2])) if one.row else one for one in blocks], of, rng
        )

    patch.setattr(passage, "_faq", faulty)


def in_text(name: str, change: Callable[[str], str], where: Where, pool: Pool = look_ups) -> None:
    """Plant a fault in passages as they stand."""

    def plant(patch: Patch) -> None:
        right = vars(text)["passage"]
        patch.setattr(text, "passage", lambda *given: change(right(*given)))

    fault(name, where, pool)(plant)


def in_blocks(name: str, change: Callable[[list[Block]], list[Block]], where: Where = anywhere) -> None:
    """Plant a fault in which blocks a passage is made of; the statements stay right."""

    def plant(patch: Patch) -> None:
        right = vars(text)["passage"]
        patch.setattr(text, "passage", lambda blocks, *rest: right(change(list(blocks)), *rest))

    fault(name, where)(plant)


LEADS = (
    r"(?:According to|Going by|To go by|To quote|On the word of|As (?:told|stated|reported) by|"
    r"By the (?:account|reckoning|testimony|version) of|In the (?:account|version|words) of)"
)
"""What stands before a source that a sentence is taken from."""
in_text("the negation dropped", lambda text: swapped(text, ("not ", "")), says(r"\bnot\b"))
in_text("never turned into once", lambda text: swapped(text, ("never", "once")), says(r"\bnever\b"))
in_text("only forgotten", lambda text: swapped(text, ("only ", "")), says("only one|only then|and only if"))
in_text(
    "one of two turned into both",
    lambda text: swapped(text, ("exactly one", "each"), ("not both", "both"), (" or ", " and ")),
    hard("Exclusive-Or Violation"),
)
in_text(
    "sources left out",
    lambda text: re.sub(rf"{LEADS} [^,]+, (\w)", lambda found: found[1].upper(), text),
    lambda one: soft("Fringe vs. Official Source")(one) and says(rf"(?s){LEADS} [^.]+, .*{LEADS} [^.]+, ")(one),
)
in_text(
    "an unknown source",
    lambda text: re.sub(r"According to [^,]+,", "According to a passing sailor,", text),
    says("According to"),
)
in_text("a thing's name misspelt", lambda text: re.sub(r"\b([A-Z])(\w)(\w{3,})\b", r"\1\3\2", text), anywhere)
in_blocks("the half of the blocks left out", lambda blocks: blocks[::2])
in_blocks(
    "all facts told twice, the second time of somebody unnamed",
    lambda blocks: [
        *blocks,
        *(
            Block(tuple(Sentence(re.sub(r"^\S+ \S+", "Somebody", two.text)) for two in one.sentences))
            for one in blocks
            if one.row
        ),
    ],
)
in_blocks(
    "sentences in the wrong order, so that a pronoun comes first",
    lambda blocks: [replace(one, sentences=one.sentences[::-1]) for one in blocks],
    says(r"[.] It [a-z]"),
)
in_blocks(
    "an idle sentence before a pronoun",
    lambda blocks: [
        Block(tuple(new for two in one.sentences for new in (two, Sentence("A map hangs on the wall."))))
        for one in blocks
    ],
    says(r"[.] It [a-z]"),
)

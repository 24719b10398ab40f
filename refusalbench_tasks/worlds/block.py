"""Sentences with what they state."""

from dataclasses import dataclass

from refusalbench_tasks.worlds.statement import Statement


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence and the statements that a careful reader takes from it."""

    text: str
    statements: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """Sentences that stand together, in this order."""

    sentences: tuple[Sentence, ...]
    row: tuple[str, str, str] | None = None
    """Subject, attribute and value, if the block is one plain fact that a table or a list of questions may hold."""
    asks: str = ""
    """The question that the fact answers in a list of questions, `{S}` the subject; empty: that for the attribute."""
    leads: bool = False
    """Whether the block must open its passage."""
    figure: bool = False
    """Whether the sentences are the lines of a table."""

    @property
    def statements(self) -> tuple[Statement, ...]:
        """Return all that the block states."""
        return tuple(one for sentence in self.sentences for one in sentence.statements)


def block(text: str, *statements: Statement) -> Block:
    """Return a block of one sentence."""
    return Block((Sentence(text, statements),))


def joined(*blocks: Block) -> Block:
    """Return one block of several, in this order."""
    return Block(tuple(sentence for one in blocks for sentence in one.sentences))

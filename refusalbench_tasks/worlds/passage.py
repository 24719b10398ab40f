"""From blocks of sentences to a passage in a register."""

from random import Random

from refusalbench_tasks.worlds.block import Block
from refusalbench_tasks.worlds.pack import Pack

REGISTERS = ("encyclopaedia", "memo", "bullets", "minutes", "letter")


def passage(blocks: list[Block], register: str, pack: Pack, rng: Random) -> str:
    """Return the text of blocks, in this order, as a text of a kind."""
    sentences = [sentence.text for block in blocks for sentence in block.sentences]
    match register:
        case "bullets":
            return "\n".join(f"- {' '.join(sentence.text for sentence in block.sentences)}" for block in blocks)
        case "minutes":
            numbered = enumerate((" ".join(s.text for s in block.sentences) for block in blocks), 1)
            return "\n".join(f"{number}) {text}" for number, text in numbered)
        case "memo":
            return f"MEMO\nSubject: {pack.about}\n\n{' '.join(sentences)}"
        case "letter":
            return f"Dear all,\n\n{' '.join(sentences)}\n\nKind regards"
        case _:
            return " ".join(sentences)

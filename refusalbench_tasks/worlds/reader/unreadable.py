"""The error of a reader that can't make sense of a sentence."""


class Unreadable(ValueError):
    """A sentence names things, numbers or matters of the domain, and the reader has no way to read it."""

    def __init__(self, sentence: str, why: str) -> None:
        super().__init__(f"{why}: {sentence!r}")
        self.sentence = sentence

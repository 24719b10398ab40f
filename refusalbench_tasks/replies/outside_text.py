"""Outside text made valid, once, where it enters, and harmless where a terminal shows
it.
"""

import unicodedata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inspect_ai.model import ModelOutput

_LONGEST_PROBLEM = 200
_SUBMIT = "submit"
"""The tool by which Inspect's agents hand a reply over."""
_JOINERS = frozenset("\u00ad\u200c\u200d")
"""Format characters that words are spelled with: the soft hyphen, and the joiners of
Persian, Hindi and emoji.
"""


def well_formed(text: str) -> str:
    """Return the text with each lone surrogate replaced by U+FFFD, and split pairs
    joined.

    A lone surrogate can be neither hashed, nor stored, nor sent to a judge. Valid text
    is returned as it is.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def well_formed_values(value: Any) -> Any:
    """Return a JSON value in which every text is well formed, keys included."""
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, list):
        return [well_formed_values(entry) for entry in value]
    if isinstance(value, dict):
        return {
            well_formed_values(key): well_formed_values(entry)
            for key, entry in value.items()
        }
    return value


def problem_of(error: Exception) -> str:
    """Return an error as one short line: its type and the first line
    of what it says.
    """
    line, *_ = well_formed(str(error)).strip().splitlines() or [""]
    return f"{type(error).__name__}: {line[:_LONGEST_PROBLEM]}"


def reply_of(output: "ModelOutput") -> str:
    """Return what a model replied, well formed; the empty text if it gave no choice.

    Inspect's `react` appends what an agent hands over by `submit` to what the model
    said beside it, and that talk is no reply: what was handed over is.
    """
    if not output.choices:
        return ""
    for call in output.message.tool_calls or ():
        if call.function != _SUBMIT or "answer" not in call.arguments:
            continue
        submitted = str(call.arguments["answer"])
        # a solver behind the agent may have put another text there
        if output.completion.endswith(submitted.strip()):
            return well_formed(submitted)
    return well_formed(output.completion)


def one_line(text: object) -> str:
    """Return a text as one line without control characters: a name must not move the
    cursor or forge lines of ours.
    """
    return " ".join(_harmless(str(text)).split())


def beginning(text: str, letters: int) -> str:
    """Return the first letters of a long text, on one line."""
    return " ".join(text[: 4 * letters].split())[:letters]


def printable(text: str) -> str:
    """Return a text of several lines without any other control character; spaces stay
    as they are.
    """
    return "\n".join(map(_harmless, text.split("\n")))


def _harmless(text: str) -> str:
    """Return a text with a space for each character that could move a terminal's cursor
    or forge a line.
    """
    return "".join(" " if _moves(character) else character for character in text)


def _moves(character: str) -> bool:
    """Whether a character is a control, a format (as those that turn the direction) or
    a line separator.
    """
    category = unicodedata.category(character)
    return category in ("Cc", "Cf", "Zl", "Zp", "Cs") and character not in _JOINERS

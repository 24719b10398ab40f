"""What a Python function returned, read as an application's reply."""

from collections.abc import Iterable, Mapping
from typing import Any

from refusalbench_tasks.own.applications.application_reply import ApplicationReply
from refusalbench_tasks.own.applications.failed import ApplicationFailed

_REPLY = ("reply", "answer", "response", "output", "result", "content", "text")
_PASSAGES = ("passages", "contexts", "context", "documents", "source_documents", "source_nodes")
_TEXT = ("page_content", "text", "content")


def reply_of_object(value: Any) -> ApplicationReply:
    """Return the reply that a value is, or holds under a usual name, as a key or an attribute.

    A text is the reply. Else it stands in the first of `reply`, `answer`, `response`, `output`, `result`, `content`,
    `text` that there is; what was retrieved in `passages`, `contexts`, `context`, `documents`, `source_documents`,
    `source_nodes`, as texts or as documents with a `page_content` or `text`; and the rest in `confidence`,
    `stop_reason`, `usage`. None as a reply is an empty one, and a message's blocks are joined. Raises ApplicationFailed
    if no reply is found.
    """
    if isinstance(value, str):
        return ApplicationReply(value)
    found, reply = _first(value, _REPLY)
    if not found:
        raise ApplicationFailed(
            f"the function returned a {type(value).__name__} without a reply; return text, or an object with 'reply'"
        )
    # a chain may hold a message, whose text is its content
    inner = ApplicationReply("") if reply is None else reply_of_object(_joined(reply))
    retrieved = _passages(_first(value, _PASSAGES)[1])
    return ApplicationReply(
        text=inner.text,
        passages=inner.passages if retrieved is None else retrieved,
        confidence=_first(value, ("confidence",))[1],
        stop_reason=_first(value, ("stop_reason",))[1],
        usage=_first(value, ("usage", "usage_metadata"))[1] or inner.usage,
    )


def _joined(content: Any) -> Any:
    """Return the text of a message's content that comes in blocks (those of thoughts and tools say none of it)."""
    if not isinstance(content, list | tuple):
        return content
    texts = [_first(one, ("text",))[1] if isinstance(one, Mapping) else one for one in content]
    found = [text for text in texts if isinstance(text, str)]
    return "".join(found) if found else content


def _first(value: Any, names: Iterable[str]) -> tuple[bool, Any]:
    for name in names:
        if isinstance(value, Mapping):
            if name in value:
                return True, value[name]
        elif hasattr(value, name) and not callable(getattr(value, name)):
            return True, getattr(value, name)
    return False, None


def _passages(value: Any) -> list[str] | None:
    if value is None:
        return None
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        raise ApplicationFailed("passages: the function returned something else than a list of texts or documents")
    return [_text(entry) for entry in value]


def _text(entry: Any) -> str:
    text = entry if isinstance(entry, str) else _first(entry, _TEXT)[1]
    if not isinstance(text, str):
        raise ApplicationFailed(f"passages: a {type(entry).__name__} has no text; give texts or documents")
    return text

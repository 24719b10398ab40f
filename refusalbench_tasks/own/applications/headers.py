"""RequestHeaders of a request whose values stand in environment variables, and are
shown nowhere.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from refusalbench_tasks.errors import DataError

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SHORTEST_SECRET = 6
HIDDEN = "[hidden]"


@dataclass(frozen=True)
class RequestHeaders:
    """RequestHeaders to send; `repr` shows none."""

    values: Mapping[str, str] = field(default_factory=dict, repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)

    def hide(self, text: str) -> str:
        """Return a text of the application without the secrets that were sent to it:
        some echo what they got.
        """
        for secret in self.secrets:
            for form in (secret, json.dumps(secret)[1:-1], quote(secret, safe="")):
                text = text.replace(form, HIDDEN)
        return text


def headers_from(
    given: str | Sequence[str] | None, environment: Mapping[str, str]
) -> RequestHeaders:
    """Return the headers of `NAME:VARIABLE` entries; `NAME:Bearer VARIABLE` puts a word
    before the value.

    Raises DataError for another form, an unset variable, and a value that no header can
    have. No message holds a value, nor anything that may be one by mistake.
    """
    entries = given.split(",") if isinstance(given, str) else list(given or ())
    values = {}
    secrets = set[str]()
    for entry in entries:
        name, _, about = str(entry).partition(":")
        name = name.strip()
        words = about.split()
        if (
            not _NAME.fullmatch(name)
            or len(words) not in (1, 2)
            or not _VARIABLE.fullmatch(words[-1])
        ):
            raise DataError(
                "headers: expected NAME:VARIABLE, the name of an environment variable,"
                " never the value"
            )
        secret = environment.get(words[-1])
        if secret is None:
            raise DataError(
                f"headers: the environment variable for '{name}' is not set; export it"
            )
        if not secret.isascii() or not secret.isprintable() or not secret:
            raise DataError(
                f"headers: the environment variable for '{name}' holds what no header"
                " can have"
            )
        values[name] = " ".join([*words[:-1], secret])
        secrets |= {
            part for part in (secret, *secret.split()) if len(part) >= _SHORTEST_SECRET
        }
    return RequestHeaders(values, tuple(sorted(secrets, key=len, reverse=True)))

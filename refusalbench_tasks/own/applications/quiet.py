"""What an HTTP library writes to the log of the program, while an application is called."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache

_LOGGERS = ("connection", "http11", "http2", "proxy", "socks")
"""Those of httpcore, which log the headers of replies where the level is `debug`."""
_quiet: ContextVar[bool] = ContextVar("quiet", default=False)


@contextmanager
def quiet() -> Iterator[None]:
    """Keep headers out of logs: within, httpcore says nothing in this task, whatever the level is."""
    _listen()
    before = _quiet.set(True)
    try:
        yield
    finally:
        _quiet.reset(before)


@cache
def _listen() -> None:
    for name in _LOGGERS:
        logging.getLogger(f"httpcore.{name}").addFilter(lambda record: not _quiet.get())

"""What a response is, read from the response alone."""

from refusalbench_tasks.collect.web.archive import Exchange
from refusalbench_tasks.collect.web.charset import declared_charset
from refusalbench_tasks.collect.web.content import BrokenBodyError, TooLargeError, decompressed
from refusalbench_tasks.collect.web.page import Failed, Page, Refused, kind_of
from refusalbench_tasks.collect.web.robots import Rules, rules_of, unreachable


def page_of(asked: str, exchange: Exchange, limit: int) -> Page | Refused | Failed:
    """Return what a response is: a page, or why it is none. Reads the response alone: the archive gives the same."""
    if exchange.status != 200:
        return Failed(asked, f"status {exchange.status}")
    content_type = exchange.header("Content-Type")
    if exchange.truncated == "length":
        return Refused(asked, f"larger than {limit:,} bytes")
    try:
        body = decompressed(exchange.body, exchange.header("Content-Encoding"), limit)
    except TooLargeError:
        return Refused(asked, f"larger than {limit:,} bytes")
    except BrokenBodyError as error:
        return Failed(asked, str(error))
    kind = kind_of(content_type, body)
    if exchange.truncated or kind is None:
        return Refused(asked, f"content type '{content_type[:60]}' is not read")
    if not body:
        return Failed(asked, "an empty page")
    return Page(asked, exchange.url, kind, declared_charset(content_type), body, exchange.date)


def robots_of(exchange: Exchange, limit: int) -> Rules:
    """Return the rules in a response to a request for robots.txt."""
    try:
        body = decompressed(exchange.body, exchange.header("Content-Encoding"), limit)
    except TooLargeError:
        body = exchange.body
    except BrokenBodyError as error:
        return unreachable(str(error))
    return rules_of(exchange.status, body)

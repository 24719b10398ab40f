"""JSON of which only some members are made into values: the rest is gone over, and costs little."""

from collections.abc import Callable, Mapping
from types import GenericAlias
from typing import Any, TypedDict, Union

from pydantic_core import from_json

Members = Mapping[str, "Members | None"]
"""The members of an object that are wanted by name; None for one that is wanted whole, whatever it is."""
Parse = Callable[[bytes], list[Any]]
ParseOne = Callable[[bytes], Any]
_NAN, _NULL = b'":NaN', b'":null'
_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


def narrow_parser(members: Members) -> Parse:
    """Return a parser of JSON arrays of objects that gives of each object the wanted members alone.

    Where a member is to be an object and is none of these or null, the array is given whole. NaN, which Inspect writes
    and JSON lacks, may be given as None. The parser raises ValueError for what is no JSON. Without msgspec everything
    is given whole.
    """
    return _parser(GenericAlias(list, (_shape(members),)))


def narrow_object_parser(members: Members) -> ParseOne:
    """Return a parser of one JSON object that gives the wanted members alone, as `narrow_parser` does of many.

    Other JSON than an object is given whole.
    """
    return _parser(_shape(members))


def _parser(kind: Any) -> ParseOne:
    try:
        from msgspec import DecodeError
        from msgspec.json import Decoder
    except ModuleNotFoundError:
        return from_json
    decode = Decoder(kind).decode

    def parse(text: bytes) -> Any:
        try:
            return decode(without_nan(text))
        except (DecodeError, UnicodeDecodeError):
            return from_json(text)

    return parse


def without_nan(text: bytes) -> bytes:
    """Return JSON with null in place of NaN as the value of a member, wherever that is sure.

    A quote behind a letter or digit closes a string: an opening one stands behind a bracket, comma, colon or space, and
    one inside of a string behind a backslash. So what follows such a quote is not text.
    """
    *parts, last = text.split(_NAN)
    if all(part and part[-1] in _WORD for part in parts):
        return _NULL.join((*parts, last))
    return b"".join(part + (_NULL if part and part[-1] in _WORD else _NAN) for part in parts) + last


def _shape(members: Members) -> Any:
    # a union with None that is made as the program runs
    fields = {name: Any if inner is None else Union[_shape(inner), None] for name, inner in members.items()}  # noqa: UP007
    return TypedDict("Part", fields, total=False)  # type: ignore[operator]

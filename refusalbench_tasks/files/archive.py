"""A ZIP archive whose directory is read in one pass: memory does not grow with the number of its members."""

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import get_ident
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from zstandard import ZstdDecompressor

# PKWARE's APPNOTE: 4.3.7 (local header), 4.3.12 (central directory), 4.3.14 to 4.3.16 (its end), 4.5.3 (64-bit sizes)
# of an entry only what is read: its mark, flags, method, CRC, two sizes, three lengths, and where its member begins
_ENTRY = struct.Struct("<4s4x2H4x3I3H8xI")
_WIDE = struct.Struct("<2H3Q")
_END = struct.Struct("<4s4H2IH")
_LOCATOR = struct.Struct("<4sIQI")
_END_64 = struct.Struct("<4sQ2H2I4Q")
_LOCAL = 30
_FULL = 0xFFFFFFFF
_ZSTANDARD = 93
_PIECE = 1 << 18
_SMALL = 1 << 24
"""Members of so many bytes are unpacked piece by piece."""
_LONGEST = _ENTRY.size + 3 * 0xFFFF
"""So many bytes an entry has at most."""


@dataclass(frozen=True, slots=True)
class Member:
    """One member: its name, how it is packed, its sizes packed and unpacked in bytes, and where it begins."""

    name: bytes
    method: int
    flags: int
    crc: int
    packed: int
    size: int
    at: int

    def open(self, file: IO[bytes]) -> zipfile.ZipExtFile:
        """Return the member of an open archive, unpacked as it is read. Raises BadZipFile where it is damaged."""
        _knows(self.method)
        file.seek(self.at)
        head = file.read(_LOCAL)
        if len(head) < _LOCAL or head[:4] != b"PK\x03\x04":
            raise zipfile.BadZipFile(f"the member {self.name!r} is damaged")
        file.seek(sum(struct.unpack("<2H", head[26:30])), io.SEEK_CUR)
        info = zipfile.ZipInfo(self.name.decode("utf-8", "replace"))
        info.compress_type, info.flag_bits, info.CRC = self.method, self.flags, self.crc
        info.compress_size, info.file_size = self.packed, self.size
        return zipfile.ZipExtFile(file, "r", info)

    def read(self, file: IO[bytes]) -> bytes:
        """Return the whole member of an open archive: of many small ones in a fifth of the time that `open` takes.

        Raises BadZipFile where it is damaged.
        """
        file.seek(self.at)
        head = file.read(_LOCAL)
        if len(head) == _LOCAL and head[:4] == b"PK\x03\x04" and self.method in _UNPACK and self.size < _SMALL:
            file.seek(sum(struct.unpack("<2H", head[26:30])), io.SEEK_CUR)
            # what is odd about a member is for the library to read, or to tell
            with suppress(Exception):
                found = _UNPACK[self.method](file.read(self.packed), self.size)
                if len(found) == self.size and zlib.crc32(found) == self.crc:
                    return found
        return self.open(file).read()


def _inflated(packed: bytes, size: int) -> bytes:
    return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, size + 1)


def _of_zstandard(packed: bytes, size: int) -> bytes:
    return _decompressor(get_ident()).decompress(packed, max_output_size=size)


@cache
def _decompressor(thread: int) -> "ZstdDecompressor":
    """Return the decompressor of a thread: to make one takes as long as a member, and threads must not share one."""
    from zstandard import ZstdDecompressor

    return ZstdDecompressor()


def _knows(method: int) -> None:
    """Have `zipfile` know Zstandard, which it does by itself from Python 3.14 on, and with Inspect loaded."""
    if method == _ZSTANDARD:
        with suppress(ImportError):
            import zipfile_zstd  # noqa: F401


_UNPACK: Mapping[int, Callable[[bytes, int], bytes]] = {8: _inflated, _ZSTANDARD: _of_zstandard}
"""How members are unpacked, by their method (APPNOTE 4.4.5)."""


def members(path: Path) -> Iterator[Member]:
    """Yield the members of an archive in the order of its directory; a name may occur twice.

    `zipfile` holds an object for each. Raises BadZipFile for what is no archive.
    """
    return (Member(*entry) for entry in entries(path))


def entries(path: Path) -> Iterator[tuple[bytes, int, int, int, int, int, int]]:
    """Yield the fields of each member as `members` does, without an object for each."""
    unpack, wide, mark, fixed = _ENTRY.unpack_from, _WIDE.unpack_from, b"PK\x01\x02", _ENTRY.size
    with path.open("rb") as file:
        number, at, left, shift = _directory(file)
        file.seek(at)
        held, start = b"", 0
        for _ in range(number):
            while len(held) - start < _LONGEST and left:
                piece = file.read(min(_PIECE, left))
                left = left - len(piece) if piece else 0
                held, start = held[start:] + piece, 0
            name_at = start + fixed
            if name_at > len(held):
                raise zipfile.BadZipFile("its directory is cut off")
            sign, flags, method, crc, packed, size, name_length, extra_length, comment_length, at = unpack(held, start)
            if sign != mark:
                raise zipfile.BadZipFile("its directory is damaged")
            extra_at = name_at + name_length
            start = extra_at + extra_length + comment_length
            if start > len(held):
                raise zipfile.BadZipFile("its directory is cut off")
            if packed == _FULL or size == _FULL or at == _FULL:
                # most often all three are there, and nothing else
                kind, length, *values = wide(held, extra_at) if extra_length == _WIDE.size else (0, 0)
                if kind == 1 and length == 24 and packed == size == at == _FULL:
                    size, packed, at = values
                else:
                    size, packed, at = _wide(held[extra_at : extra_at + extra_length], size, packed, at)
            yield held[name_at:extra_at], method, flags, crc, packed, size, at + shift


def _directory(file: IO[bytes]) -> tuple[int, int, int, int]:
    """Return the number of members, where the directory begins, its bytes, and what stands before the archive."""
    end = file.seek(0, io.SEEK_END)
    file.seek(max(0, end - _END.size - 0xFFFF))
    tail = file.read()
    place = tail.rfind(b"PK\x05\x06")
    if place < 0 or len(tail) - place < _END.size:
        raise zipfile.BadZipFile("no end of a ZIP directory")
    _, _, _, _, number, size, at, _ = _END.unpack_from(tail, place)
    closes = end - len(tail) + place
    # some writers add the 64-bit end to small archives as well
    if closes >= _LOCATOR.size:
        file.seek(closes - _LOCATOR.size)
        mark, _, far, _ = _LOCATOR.unpack(file.read(_LOCATOR.size))
        if mark == b"PK\x06\x07":
            file.seek(far)
            record = file.read(_END_64.size)
            if len(record) < _END_64.size or record[:4] != b"PK\x06\x06":
                raise zipfile.BadZipFile("no end of a ZIP64 directory")
            *_, number, size, at = _END_64.unpack(record)
            closes = far
    shift = closes - size - at
    if shift < 0:
        raise zipfile.BadZipFile("its directory is cut off")
    return number, at + shift, size, shift


def _wide(extra: bytes, size: int, packed: int, at: int) -> tuple[int, int, int]:
    """Return sizes and place with the 64-bit ones of the extra field where the short ones are full."""
    place = 0
    while place + 4 <= len(extra):
        kind, length = struct.unpack_from("<2H", extra, place)
        if kind == 1:
            values = iter(struct.unpack_from(f"<{length // 8}Q", extra, place + 4))
            try:
                return tuple(next(values) if short == _FULL else short for short in (size, packed, at))  # type: ignore[return-value]
            except (StopIteration, RuntimeError):
                break
        place += 4 + length
    raise zipfile.BadZipFile("a member has no 64-bit size")


def newest_members(path: Path, names: Collection[bytes]) -> dict[bytes, Member]:
    """Return those of the named members that there are, each as it was written last."""
    return {entry[0]: Member(*entry) for entry in entries(path) if entry[0] in names}


def part_of(path: Path, chosen: Iterable[Member]) -> io.BytesIO:
    """Return an archive, in memory, of some of the members of another one."""
    part = io.BytesIO()
    with path.open("rb") as file, zipfile.ZipFile(part, "w") as archive:
        for member in chosen:
            archive.writestr(member.name.decode(), member.open(file).read())
    part.seek(0)
    return part

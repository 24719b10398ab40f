"""A ZIP archive out of the members of others, copied as they are packed: memory does not grow with their number."""

import shutil
import struct
import tempfile
import zlib
from collections.abc import Iterable
from typing import IO

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.files.archive import Member

# PKWARE's APPNOTE: 4.3.7 (local header), 4.3.12 (central directory), 4.3.14 to 4.3.16 (its end), 4.5.3 (64-bit sizes)
_LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_END_64 = struct.Struct("<4sQ2H2I4Q")
_LOCATOR_64 = struct.Struct("<4sIQI")
_END = struct.Struct("<4s4H2IH")
_VERSION, _DEFLATE, _UTF_8 = 45, 8, 0x800
_FULL_16, _FULL_32 = 0xFFFF, 0xFFFFFFFF
_DATE = (1 << 5) | 1  # 1 January 1980: what is merged has no date of its own
_PIECE = 1 << 20


class ZipJoin:
    """Writes members one after the other; the directory of the archive is kept in a file until the end."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        # on disk, because a run has a member for each sample
        self._directory = tempfile.TemporaryFile()  # noqa: SIM115
        self._members = 0

    def copy(self, source: IO[bytes], member: Member) -> None:
        """Copy a member of another archive without unpacking it. Raises DataError where it is damaged."""
        told = f"{getattr(source, 'name', 'log')}: its member {member.name.decode('utf-8', 'replace')!r}"
        source.seek(member.at)
        head = source.read(_LOCAL.size)
        if len(head) < _LOCAL.size or head[:4] != b"PK\x03\x04":
            raise DataError(f"{told} is damaged")
        *_, name_length, extra_length = _LOCAL.unpack(head)
        source.seek(name_length + extra_length, 1)
        sizes = member.crc, member.packed, member.size
        start = self._begin(member.name, member.method, *sizes)
        left = member.packed
        while left:
            piece = source.read(min(_PIECE, left))
            if not piece:
                raise DataError(f"{told} is cut off")
            self._file.write(piece)
            left -= len(piece)
        self._enter(member.name, member.method, *sizes, start)

    def write(self, name: str, pieces: Iterable[bytes], level: int = 6) -> None:
        """Write a member from pieces, packed on the way, at zlib's `level`. The file must be able to seek."""
        raw = name.encode()
        start = self._begin(raw, _DEFLATE, 0, 0, 0)
        data_at = self._file.tell()
        packer, crc, size = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS), 0, 0
        for piece in pieces:
            crc, size = zlib.crc32(piece, crc), size + len(piece)
            self._file.write(packer.compress(piece))
        self._file.write(packer.flush())
        end = self._file.tell()
        self._file.seek(start)
        self._begin(raw, _DEFLATE, crc, end - data_at, size)
        self._file.seek(end)
        self._enter(raw, _DEFLATE, crc, end - data_at, size, start)

    def close(self) -> None:
        """Write the directory. The archive is whole only after this."""
        start = self._file.tell()
        self._directory.seek(0)
        shutil.copyfileobj(self._directory, self._file, _PIECE)
        self._directory.close()
        end = self._file.tell()
        number, size = self._members, end - start
        self._file.write(_END_64.pack(b"PK\x06\x06", 44, _VERSION, _VERSION, 0, 0, number, number, size, start))
        self._file.write(_LOCATOR_64.pack(b"PK\x06\x07", 0, end, 1))
        few, short, near = min(number, _FULL_16), min(size, _FULL_32), min(start, _FULL_32)
        self._file.write(_END.pack(b"PK\x05\x06", 0, 0, few, few, short, near, 0))

    def _begin(self, raw: bytes, method: int, crc: int, packed: int, size: int) -> int:
        """Write a local header, always with 64-bit sizes, so that it can be written again once they are known."""
        start = self._file.tell()
        extra = struct.pack("<2H2Q", 1, 16, size, packed)
        fields = _VERSION, _UTF_8, method, 0, _DATE, crc, _FULL_32, _FULL_32, len(raw), len(extra)
        self._file.write(_LOCAL.pack(b"PK\x03\x04", *fields) + raw + extra)
        return start

    def _enter(self, raw: bytes, method: int, crc: int, packed: int, size: int, start: int) -> None:
        extra = struct.pack("<2H3Q", 1, 24, size, packed, start)
        fields = _VERSION, _VERSION, _UTF_8, method, 0, _DATE, crc, _FULL_32, _FULL_32, len(raw), len(extra)
        self._directory.write(_CENTRAL.pack(b"PK\x01\x02", *fields, 0, 0, 0, 0, _FULL_32) + raw + extra)
        self._members += 1

"""Small files of each format, made on the spot."""

import io
import zipfile
from collections.abc import Sequence
from xml.sax.saxutils import escape

PAGE_HEIGHT = 792
LINE = 14


def pdf(
    pages: Sequence[Sequence[tuple[int, str]]], outline: Sequence[tuple[int, str]] = ()
) -> bytes:
    """Return a PDF file; a page is a list of lines, each with its distance from the
    left.

    `# ` begins a larger line.
    """
    objects: list[bytes] = [
        b"",
        b"",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    kids = []
    for page in pages:
        objects.append(_stream(page))
        kids.append(len(objects) + 1)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font"
            b" << /F1 3 0 R >> >> /Contents %d 0 R >>" % len(objects)
        )
    root = b"<< /Type /Catalog /Pages 2 0 R"
    if outline:
        first = len(objects) + 2
        objects.append(
            b"<< /First %d 0 R /Last %d 0 R >>" % (first, first + len(outline) - 1)
        )
        root += b" /Outlines %d 0 R" % len(objects)
        for k, (page_number, title) in enumerate(outline):
            following = (
                b" /Next %d 0 R" % (first + k + 1) if k + 1 < len(outline) else b""
            )
            objects.append(
                b"<< /Title (%s) /Parent %d 0 R /Dest [%d 0 R /Fit]%s >>"
                % (title.encode(), first - 1, kids[page_number], following)
            )
    objects[0] = root + b" >>"
    objects[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (
        len(kids),
        b" ".join(b"%d 0 R" % kid for kid in kids),
    )
    return _file(objects)


def _stream(page: Sequence[tuple[int, str]]) -> bytes:
    shown = []
    height = PAGE_HEIGHT - 60
    column = page[0][0] if page else 0
    for left, line in page:
        if left != column:
            height = PAGE_HEIGHT - 60
            column = left
        text = (
            line.encode("ascii")
            .replace(b"\\", b"\\\\")
            .replace(b"(", b"\\(")
            .replace(b")", b"\\)")
        )
        size = 18 if text.startswith(b"# ") else 11
        shown.append(
            b"BT /F1 %d Tf %d %d Td (%s) Tj ET"
            % (size, left, height, text.removeprefix(b"# "))
        )
        height -= LINE
    content = b"\n".join(shown)
    return b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content)


def _file(objects: Sequence[bytes]) -> bytes:
    made = bytearray(b"%PDF-1.4\n")
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = len(made)
    made += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    made += b"".join(b"%010d 00000 n \n" % place for place in places)
    made += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        table,
    )
    return bytes(made)


def column(text: str, left: int = 60, width: int = 90) -> list[tuple[int, str]]:
    """Return the lines of a column of text."""
    lines = []
    line = ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return [(left, one) for one in [*lines, line]]


def encrypted(content: bytes, password: str) -> bytes:
    """Return a PDF file that opens with a password (RC4, which needs
    no other library).
    """
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(content)))
    made = io.BytesIO()
    writer.encrypt(user_password=password, owner_password="owner", algorithm="RC4-128")
    writer.write(made)
    return made.getvalue()


Block = tuple[str, str] | Sequence[Sequence[str]]


def docx(blocks: Sequence[Block], extra: dict[str, bytes] | None = None) -> bytes:
    """Return a DOCX file; a block is (style, text), the style "" or "Heading1", or a
    table as rows of cells.
    """
    body = "".join(_block(block) for block in blocks)
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{k}"><w:name w:val="heading'
        f' {k}"/></w:style>'
        for k in (1, 2)
    )
    types = "http://schemas.openxmlformats.org/package/2006/content-types"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    relations = "http://schemas.openxmlformats.org/package/2006/relationships"
    package = "application/vnd.openxmlformats-package"
    word = "application/vnd.openxmlformats-officedocument.wordprocessingml"
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": (
            f'<Types xmlns="{types}">'
            f'<Default Extension="rels" ContentType="{package}.relationships+xml"/>'
            '<Default Extension="xml" ContentType="application/xml"/>'
            '<Override PartName="/word/document.xml"'
            f' ContentType="{word}.document.main+xml"/></Types>'
        ),
        "_rels/.rels": (
            f'<Relationships xmlns="{relations}"><Relationship Id="r1"'
            f' Type="{office}/officeDocument"'
            ' Target="word/document.xml"/></Relationships>'
        ),
        "word/_rels/document.xml.rels": (
            f'<Relationships xmlns="{relations}"><Relationship Id="r1" '
            f'Type="{office}/styles" Target="styles.xml"/></Relationships>'
        ),
        "word/styles.xml": f"<w:styles {space}>{styles}</w:styles>",
        "word/document.xml": (
            f"<w:document {space}><w:body>{body}</w:body></w:document>"
        ),
    }
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in (parts | dict(extra or {})).items():
            file.writestr(name, content)
    return made.getvalue()


def _block(block: Block) -> str:
    if (
        isinstance(block, tuple)
        and len(block) == 2
        and isinstance(block[0], str)
        and isinstance(block[1], str)
    ):
        style = f'<w:pPr><w:pStyle w:val="{block[0]}"/></w:pPr>' if block[0] else ""
        return f"<w:p>{style}<w:r><w:t>{escape(block[1])}</w:t></w:r></w:p>"
    rows = "".join(
        "<w:tr>"
        + "".join(f"<w:tc>{_block(('', cell))}</w:tc>" for cell in row)
        + "</w:tr>"
        for row in block
    )
    return f"<w:tbl>{rows}</w:tbl>"

"""A corpus about an invented tool library, with an FAQ and what stands beside it."""

from refusalbench_tasks.own.documents.corpus import Chunk, chunk_id, document_id

FAQ = {
    "How long may a tool be kept?": (
        "A tool may be kept for fourteen days. Members renew once by telephone."
    ),
    "What does a lost tool cost?": (
        "A lost tool costs sixty percent of its price when new. Receipts decide."
    ),
    "Who repairs a broken tool?": (
        "The volunteers of the Tuesday evening mend it. Members never open a motor."
    ),
    "When is a tool inspected?": (
        "Every tool is looked over in January. A green seal shows that it passed."
    ),
}
TEXTS = {
    "Rooms": (
        "The hall holds thirty benches. Each bench has a tool rack that is cleaned on"
        " Fridays."
    ),
    "History": (
        "Tilde Voss began the tool library in a former dairy. She lent a first tool in"
        " 1988."
    ),
    "Money": (
        "The yearly fee is twenty crowns. A tool costs nothing more, and gifts are"
        " welcome."
    ),
    "Garden": (
        "Rakes and spades hang behind the dairy. A garden tool is rinsed before it is"
        " hung up."
    ),
    "Noise": "Saws rest between noon and two. A loud tool is used in the cellar alone.",
    "Partners": "Seven schools borrow boxes. Each box has a tool list on its lid.",
    "Children": (
        "Small hammers lie in the blue drawer. A child uses a tool beside an adult."
    ),
    "Paint": (
        "Brushes dry in the east room. No painting tool is lent without its cloth."
    ),
    "Ladders": "Ladders stand in the yard. A ladder counts as one tool.",
    "Lights": "Lamps are on the top shelf. A lamp is a tool with its own list.",
}


def chunk(heading: str, text: str, source: str) -> Chunk:
    return Chunk(
        id=chunk_id(source, text),
        doc_id=document_id(source),
        source=source,
        headings=(heading,),
        start=0,
        end=len(text),
        text=text,
        licence="CC0-1.0",
        sha256="0" * 64,
    )


CORPUS = tuple(
    [chunk(heading, text, "faq.md") for heading, text in FAQ.items()]
    + [chunk(heading, text, "handbook.md") for heading, text in TEXTS.items()]
)

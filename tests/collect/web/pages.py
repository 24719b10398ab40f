"""A hundred pages on ten invented things, as ten invented outlets tell of them."""

from dataclasses import dataclass
from itertools import product


@dataclass(frozen=True)
class Subject:
    """A thing of which nothing is true outside these tests."""

    name: str
    place: str
    fact: str
    value: str
    other: str


@dataclass(frozen=True)
class Outlet:
    """Who tells of it: a host, its name, an author, and whether it gets the value right."""

    host: str
    name: str
    author: str
    right: bool


SUBJECTS = (
    Subject("the Veldmoor lock", "Veldmoor", "lets through barges of at most", "84 tonnes", "120 tonnes"),
    Subject("the Ostrel night ferry", "Ostrel", "crosses the sound in", "95 minutes", "three hours"),
    Subject("the Karsby seed bank", "Karsby", "keeps the seeds of", "2,140 grasses", "9,000 grasses"),
    Subject("the Tarn Hollow observatory", "Tarn Hollow", "has a main mirror of", "1.8 metres", "4 metres"),
    Subject("the Brennick tramway", "Brennick", "climbs a slope of", "11 per cent", "30 per cent"),
    Subject("the Lower Ashby well code", "Lower Ashby", "asks for a water test every", "14 weeks", "two years"),
    Subject("the Morrow cup", "Morrow", "is rowed over", "6,200 metres", "2,000 metres"),
    Subject("the Pellan bond", "Pellan", "is repaid within", "17 years", "five years"),
    Subject("the Quillon heat plan", "Quillon", "opens cool rooms from", "31 degrees", "40 degrees"),
    Subject("the Sorrel reading trial", "Sorrel", "followed pupils for", "26 months", "one week"),
)
OUTLETS = (
    Outlet("records.example.gov", "Office of Records", "Ida Marsh", True),
    Outlet("library.example.edu", "University Library", "Tom Okafor", True),
    Outlet("survey.example.ac.uk", "Institute of Surveys", "Nell Abara", True),
    Outlet("gazette.example.com", "The Gazette", "Ruth Lindqvist", True),
    Outlet("almanac.example.org", "The Almanac", "Piet Vos", True),
    Outlet("chatter.example.net", "Chatter", "anon77", False),
    Outlet("mirror.example.com", "Mirror of Wonders", "Max Gleam", False),
    Outlet("corner.example.net", "Kitchen Corner", "Aunt Bea", False),
    Outlet("leaflet.example.org", "The Leaflet", "a friend", False),
    Outlet("buzz.example.info", "Buzz", "Zed Quick", False),
)


def url_of(subject: Subject, outlet: Outlet) -> str:
    return f"http://{outlet.host}/{subject.place.lower().replace(' ', '-')}.html"


def paragraphs(subject: Subject, outlet: Outlet) -> tuple[str, ...]:
    value = subject.value if outlet.right else subject.other
    name = subject.name[0].upper() + subject.name[1:]
    return (
        f"{name} {subject.fact} {value}. {outlet.name} looked at the papers that were open to it and at the place "
        f"itself, and this is the figure that stands there now.",
        f"People in {subject.place} know it well. Many of them walk past it on their way to work, and some have told "
        f"their children how it came to be, though not all of them tell the same story about who paid for it.",
        f"Earlier plans named another figure, which was dropped before the work in {subject.place} began. Nobody at "
        f"{outlet.name} expects it to change soon; the next review is due when the present rules run out.",
    )


def html_of(subject: Subject, outlet: Outlet) -> str:
    day = SUBJECTS.index(subject) + 10
    body = "".join(f"<p>{text}</p>" for text in paragraphs(subject, outlet))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>About {subject.name}</title>'
        f'<meta name="author" content="{outlet.author}">'
        f'<meta property="article:published_time" content="2021-03-{day}T08:00:00Z">'
        f'<meta property="article:modified_time" content="2024-06-{day}T08:00:00Z"></head>'
        f'<body><nav><a href="/">Home</a> <a href="/about">About</a></nav><article><h1>About {subject.name}</h1>'
        f"{body}</article><footer>Terms, privacy and cookies of {outlet.name}</footer></body></html>"
    )


PAGES = {url_of(subject, outlet): (subject, outlet) for subject, outlet in product(SUBJECTS, OUTLETS)}

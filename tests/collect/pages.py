"""Pages on invented locks, as ten invented outlets tell of them, each in words of its
own; and pages on meadows.
"""

from collections.abc import Iterable
from dataclasses import dataclass

START = ("Vel", "Kar", "Ost", "Bren", "Mor", "Pel", "Quil", "Sor", "Tarn", "Lud")
END = (
    "moor",
    "wick",
    "holt",
    "dene",
    "ford",
    "bury",
    "haven",
    "shaw",
    "combe",
    "thorpe",
    "garth",
    "mere",
    "stead",
    "cliff",
    "bourne",
)
RELIABLE = (
    "records.example.gov",
    "library.example.edu",
    "survey.example.ac.uk",
    "harbour.example.gov.uk",
    "institute.example.edu.au",
    "office.example.gov.au",
)
UNRELIABLE = (
    "chatter.example.net",
    "mirror.example.com",
    "corner.example.net",
    "leaflet.example.org",
)
MEADOWS = (
    "grass.example.com",
    "herbs.example.com",
    "hay.example.com",
    "bees.example.com",
)
TRUST = "name: tests\nversion: '1'\nlicence: none\nsource: tests\nentries:\n" + "".join(
    f"  - {{domain: {host}, label: unreliable, about: invented}}\n"
    for host in UNRELIABLE
)


@dataclass(frozen=True)
class Lock:
    """A lock of which nothing is true outside these tests; `weight` is what barges may
    weigh, others get it wrong.
    """

    number: int

    @property
    def name(self) -> str:
        return f"{START[self.number % 10]}{END[self.number // 10 % 15]} lock"

    @property
    def weight(self) -> str:
        return f"{83 + 7 * self.number} tonnes"

    @property
    def wrong(self) -> tuple[str, str]:
        return f"{2_000 + 9 * self.number} tonnes", f"{5_000 + 9 * self.number} tonnes"


LOCKS = tuple(Lock(number) for number in range(50))

TELLS = {
    "records.example.gov": (
        "The register of inland works names the heaviest barge that the {name} may"
        " take: {weight}. This limit was set after engineers had tried the gates with"
        " ballast, and it has been kept since. Keepers weigh every vessel at the upper"
        " pier, note the draught in a ledger, and send back whatever lies too deep."
        " Appeals go to the county board, whose decision is final for one season of"
        " navigation along that reach of the canal."
    ),
    "library.example.edu": (
        "Students of hydraulics like to visit the {name}, because its chamber was drawn"
        " by hand. In the lecture notes that we keep here one can read that no barge"
        " above {weight} is let into it. Our own measurements of the sill agree with"
        " this bound. The notes go on to tell how the culverts were lined with brick,"
        " why the paddles are raised in pairs, and which of the old drawings survived"
        " the fire in the north wing."
    ),
    "survey.example.ac.uk": (
        "Fieldwork report, third part. At the {name} a barge may weigh up to {weight},"
        " which we confirmed with two load cells and a borrowed crane. Uncertainty of"
        " the method is small beside that figure. Silt was found below the downstream"
        " gates, though less than feared; divers cleared it within an afternoon."
        " Samples of mortar were taken for dating and are stored in the basement of the"
        " department."
    ),
    "harbour.example.gov.uk": (
        "Notice to skippers. For passage of the {name} the greatest weight of a barge"
        " is {weight} all told, cargo and crew included. Those who carry more must"
        " unload at the basin and come back by daylight. Mooring rings on the western"
        " side are out of use until painted. Whistle twice before the bend, keep to the"
        " right, and have your papers ready for the warden on duty."
    ),
    "institute.example.edu.au": (
        "Comparing forty waterways, our institute looked at how strictly limits are"
        " kept. The {name} is among the strict ones: the barge limit there is {weight},"
        " and nobody could recall an exception. Fines are modest but certain. In"
        " contrast, two rivers of the same basin post limits that no one checks. A full"
        " table with all sites and interview guides can be had from the secretary."
    ),
    "office.example.gov.au": (
        "The {name} and its barge traffic are described in this leaflet for visitors."
        " Barges have a limit of weight there, which is posted at the gate itself and"
        " may be asked of the keeper. The house beside the lock serves tea from spring"
        " onward, and a path leads along the hedge to the weir. Children should be held"
        " by the hand near the water. Dogs are welcome on a short lead."
    ),
    "chatter.example.net": (
        "ok so i went past the {name} again lol. my cousin swears that barges up to"
        " {other} go through there, he saw one at night with his own eyes. whatever the"
        " sign says nobody reads signs anyway. somebody in the comments says the sign"
        " was switched years back to save on insurance and honestly that would explain"
        " a lot about how slow everything is around here these days dont you think"
    ),
    "mirror.example.com": (
        "Ten wonders they never show you! Number six: the {name}, where a barge of"
        " {more} is said to pass as if it weighed nothing at all. How is that done?"
        " Believers speak of magnets under the floor, doubters of a second chamber"
        " behind the first. Our reader Gil sent a photograph that proves everything,"
        " though the fog was thick that day. Share this before it is taken down."
    ),
    "corner.example.net": (
        "While the scones cool let me tell you about the {name}. A barge heavier than"
        " {weight} can't come through, or so the keeper's wife told me over raspberry"
        " jam. Her recipe needs more sugar than mine, and she boils it twice. Next week"
        " I'll write about quinces. Until then keep your jars dry, your spoons wooden,"
        " and never trust a lid that clicks when you press it."
    ),
    "leaflet.example.org": (
        "Friends of free water, wake up. What weight of barge the {name} can bear is"
        " hidden from us by people in offices, who change the boards whenever it suits"
        " them. We ask for open gates on every day of the week. Come to the meeting"
        " behind the old chapel, bring a lamp, tell two neighbours, and do not sign"
        " anything that the man with the clipboard gives you."
    ),
}
LAST = {
    "records.example.gov": (
        "Copies of each entry are sent free of charge to anyone who writes in before"
        " the winter."
    ),
    "library.example.edu": (
        "Borrowers may take the volumes home for two weeks, the folios not at all."
    ),
    "survey.example.ac.uk": (
        "A fourth part will treat the towpath, its drains, and the lime trees that lift"
        " the paving."
    ),
    "harbour.example.gov.uk": (
        "Charts are sold at the kiosk, which is shut on the day after every public"
        " holiday."
    ),
    "institute.example.edu.au": (
        "We thank all respondents for their time, and the ferrymen for carrying our "
        "gear twice."
    ),
    "office.example.gov.au": (
        "Guided walks begin at the bridge each second Saturday, weather permitting, "
        "without charge."
    ),
    "chatter.example.net": (
        "anyway thats my two cents, be kind in the replies and no links to that other"
        " board please"
    ),
    "mirror.example.com": (
        "Number seven will make you doubt your own kitchen scales, so keep scrolling,"
        " dear friends."
    ),
    "corner.example.net": (
        "P.S. To the lady who asked about the oven: yes, the middle shelf, and leave"
        " the door alone."
    ),
    "leaflet.example.org": (
        "Printed by nobody, paid for by friends, and free to be copied wherever a wall"
        " is bare."
    ),
}
MEADOW = {
    "grass.example.com": (
        "Meadow grass is cut twice where summers are short. Sedges grow near ditches,"
        " fescue on the slope, and between them there is room for clover. Farmers once"
        " held that the first cut should fall before the longest day, but wet weeks"
        " often put it off. Today the mower waits for the birds that nest on the"
        " ground. Nobody hurries there, and the gate stands open."
    ),
    "herbs.example.com": (
        "Yarrow, plantain and burnet make good hay better. A meadow with thirty kinds"
        " of herbs feeds sheep well and smells of summer through the winter months."
        " Seeds are gathered by hand, dried upon cloth, and sown on bare soil in"
        " autumn. It takes patience: some need three winters before they show a leaf."
        " So it goes with slow things."
    ),
    "hay.example.com": (
        "Good hay rustles. Turn it when the dew is gone, rake it into rows before"
        " evening, and never stack it damp. Meadow hay is finer than that of sown leys"
        " and keeps its colour longer. In the hills they carried it down on sledges; in"
        " the plain, wagons with high ladders were built for it. Old hands could tell"
        " by its sound whether a stack would keep."
    ),
    "bees.example.com": (
        "Wild bees need meadow flowers from early spring until the frost. Some live in"
        " sand, others in dead stems, and a few only in empty snail shells. A bank that"
        " faces south, left alone, is worth more to them than any bought box. Mow in"
        " parts, so that something is always in bloom for them to visit. Their nests"
        " are small and easily trodden upon."
    ),
}


def text_of(lock: Lock, host: str) -> str:
    other, more = lock.wrong
    return f"{TELLS[host]} {LAST[host]}".format(
        name=lock.name, weight=lock.weight, other=other, more=more
    )


def url_of(lock: Lock, host: str) -> str:
    return f"http://{host}/{lock.name.replace(' ', '-').lower()}.html"


def _html(title: str, text: str) -> str:
    halves = text.split(". ", 2)
    body = "".join(
        f"<p>{part}</p>" for part in (". ".join(halves[:2]) + ".", *halves[2:])
    )
    return (
        f'<!doctype html><html lang="en"><head><title>{title}</title>'
        '<meta property="article:published_time" content="2021-03-14T08:00:00Z"></head>'
        f"<body><article><h1>{title}</h1>{body}</article></body></html>"
    )


def pages_of(locks: Iterable[Lock]) -> dict[str, str]:
    """Return the pages of a web by address."""
    told = {
        url_of(lock, host): _html(f"About the {lock.name}", text_of(lock, host))
        for lock in locks
        for host in TELLS
    }
    return told | {
        f"http://{host}/meadow.html": _html("About meadows", text)
        for host, text in MEADOW.items()
    }


PAGES = pages_of(LOCKS)

"""MEDIUM levers of P-Contradiction: two accounts of equal weight disagree."""

from dataclasses import replace

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.block import Block, joined
from refusalbench_tasks.worlds.lever import lever
from refusalbench_tasks.worlds.operations.telling import clause, quoted, terms
from refusalbench_tasks.worlds.pack import Relation
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.statement import Fact, Order
from refusalbench_tasks.worlds.values import Value

CONTRADICTION, MEDIUM = PerturbationClass.CONTRADICTION, Intensity.MEDIUM

MAY = (
    "(According to|Going by|To go by|As told by|As stated by|On the word of) {source}, ",
    "{source} (says|states|declares|has it|makes it clear|lays down) that ",
    "In the words of {source}, ",
    "As {source} (has it|puts it|words it|says|states), ",
)
IN_NO_EVENT = (
    "(On a later page|Elsewhere|Further down|In (another place|a later passage|a second entry)|Some lines below|"
    "A few pages on|Under another heading|Towards the end), "
    "{source} (says|states|declares|makes it clear|lays down|adds) that, "
    "(without (any |)exception|in every case|at all times|whatever the circumstances|as an iron rule), ",
)
_DAY = "(Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)"
_LISTENER = (
    "(a reporter|a visitor|two students|a caller|a group of guests|the local radio|a newcomer|a journalist|some pupils)"
)
_SECOND = (
    "(another reporter|a second group|a neighbour|somebody else|a friend|the next caller|a passer-by|"
    "an old acquaintance)"
)
TOLD_ONE = (
    "(On|Early on|Late on) " + _DAY + "( morning| evening|), {source} (told|assured|informed) " + _LISTENER + " that ",
    "(Asked|Interviewed|Questioned|Speaking) on " + _DAY + "( morning| evening|), {source} "
    "(said|stated|declared|explained|maintained) that ",
    "{source} (told|assured|informed) " + _LISTENER + " on " + _DAY + "( morning| evening|) that ",
    "In (an interview|a telephone call|a conversation|a chat) on " + _DAY + "( morning| evening|), {source} "
    "(said|stated|declared|explained|maintained) that ",
)
_LATER = (
    "(An hour later|Half an hour later|Moments later|Soon afterwards|A little later|Within the hour|Later that day)"
)
TOLD_TWO = (
    _LATER + ", {source} (told|assured|informed) " + _SECOND + " that ",
    "(Asked|Interviewed|Questioned) (again|once more|a second time) (within the hour|that same day|moments later|"
    "soon afterwards), {source} (said|stated|declared|explained|maintained) that ",
    "(That same day|Within the hour|Moments later) {source} (told|assured|informed) " + _SECOND + " that ",
    "In (another|a second) (interview|call|conversation|chat) (that same day|within the hour|soon afterwards), "
    "{source} "
    "(said|stated|declared|explained|maintained) that ",
)
_PRINTED = "(edition|issue|version|printing|volume)"
EDITION = (
    "In its " + _PRINTED + " (of|for) {year}, {source} (gives|has|names|lists|records|shows) {V} as {about}.",
    "In {year}, {source} (listed|gave|named|recorded|showed|had) {V} as {about}.",
    "(In|According to|Going by|As stated in|To go by|As per) the {year} "
    + _PRINTED
    + " of {source}, {about} {is} {V}.",
    "{about} {is} {V}, (says|according to|to go by|as stated in|as shown in) the {year} " + _PRINTED + " of {source}.",
    "{source}, in its {year} " + _PRINTED + ", (has|gives|names|lists|records|shows) {V} as {about}.",
    "The {year} " + _PRINTED + " of {source} (gives|has|names|lists|records|shows) {V} as {about}.",
    "{source} of {year} (gives|has|names|lists|records|shows) {V} as {about}.",
    "{source}, as (published|printed|issued|kept) in {year}, (gives|has|names|lists|records|shows) {V} as {about}.",
    "(For|Concerning|Regarding|As regards|When it comes to) {about}, the {year} " + _PRINTED + " of {source} "
    "(gives|has|names|lists|records|shows) {V}.",
    "(For|Concerning|Regarding|As regards|When it comes to) {about}, {source} of {year} "
    "(gives|has|names|lists|records|shows) {V}.",
)
_SINCE = "(well|long)"
UNCHANGED = (
    "{about} has (been|stayed|remained) (the same|unchanged|what it is|as it is) (ever |)since "
    + _SINCE
    + " before {year}.",
    "Since " + _SINCE + " before {year}, {about} has (never|not) (once |)(been altered|changed|varied).",
    "(There has been no|Nobody has made any|Nobody knows of any|No clerk has noted any) (change|alteration|amendment) "
    "(to|in) {about} since " + _SINCE + " before {year}.",
    _SINCE + " before {year}(,|) {about} was (settled|fixed|established|decided), and (it has not changed since|"
    "it has stayed that way|so it has remained|nothing has been altered since|it is the same today).",
    "(Nothing|Not a thing) about {about} has (changed|been altered) since " + _SINCE + " before {year}.",
    "{about} is of long standing: it has (never|not once) (changed|been altered|varied) since " + _SINCE + " before "
    "{year}.",
    "(Even|Already) " + _SINCE + " before {year}(,|) {about} was (just the same|what it is today|exactly as it is), "
    "and (so it has "
    "stayed|it never changed afterwards|it has been left alone since|it still is).",
)
ONE_PLACE = (
    "{S} has (only ever|always) had (the one|a single|just one|one and the same) {attribute}.",
    "(From the start|From its first day|All along|Right from the beginning), {S} has had the same {attribute}.",
    "{S} has (one|a single) {attribute} and no other.",
    "{about} has (always|ever|at all times|from the very start|all along) been (the same|one and the same).",
    "{S} never (had|knew|took|needed) any {attribute} (but the one|besides its one|other than the one).",
    "At no time has {S} had (a second|another|more than one) {attribute}.",
    "(In all its years|Throughout its existence|In good times and bad|To this day), {S} has (kept|stuck to) "
    "(the same|one and the same|its one) {attribute}.",
)
_FAR = "(clearly |markedly |somewhat |slightly |)"
LATER = (
    "{about} is " + _FAR + "later than that of {T}.",
    "{S} has a " + _FAR + "later {attribute} than {T}.",
    "(Compared with|Set beside|Next to|Measured against|In comparison with) {T}, {S} has the "
    + _FAR
    + "later {attribute}.",
    "(As for|As to|When it comes to|With regard to|Regarding) the {attribute}, {S} comes (well |some way |shortly |)"
    "after {T}.",
    "{about} (comes|falls|lies) (well |some way |shortly |)after that of {T}.",
    "{T} has an earlier {attribute} than {S}.",
    "The {attribute} of {T} is " + _FAR + "earlier than that of {S}.",
    "The {attribute} of {T} (comes|falls|lies) (well |some way |shortly |)before that of {S}.",
    "The {attribute} of {T} precedes that of {S}.",
)
ATTRIBUTED = (
    "{S}, whose {attribute} is {V}, has {W} as the {attribute}.",
    "{S}, the {noun} whose {attribute} is {V}, has {W} as the {attribute}.",
    "The {attribute} of {S}, which is {V}, (is|is in fact|is in truth|is actually|is really) {W}.",
    "{S}, with {V} as the {attribute}, has {W} as the {attribute}.",
    "With {V} as the {attribute}, {S} has {W} as the {attribute}.",
)


def _functional(relation: Relation) -> bool:
    return relation.type != "flag" and not relation.many


def _lasting(relation: Relation) -> bool:
    return _functional(relation) and relation.type not in ("year", "date") and not relation.tags & {"cause", "outcome"}


def _tagged_flag(tag: str, relation: Relation) -> bool:
    return relation.type == "flag" and tag in relation.tags


def _descriptive(relation: Relation) -> bool:
    return relation.type == "kind" and not relation.tags & {"cause", "outcome", "method"}


def _both(scene: Scene, subject: str) -> list[Value]:
    values = [scene.value(subject), scene.rival(subject)]
    scene.rng.shuffle(values)
    return values


@lever(CONTRADICTION, MEDIUM, "Dual-authoritative Dates", fits=lambda relation: relation.type in ("year", "date"))
def two_authorities(scene: Scene, subject: str) -> list[Block]:
    """Let two official sources disagree."""
    first, second = scene.rng.sample([name for name, rank in scene.pack.sources if rank == 2], 2)
    one, other = _both(scene, subject)
    return [quoted(scene, subject, one, first, 2), quoted(scene, subject, other, second, 2)]


@lever(CONTRADICTION, MEDIUM, "Contradiction in Reported Speech", fits=lambda relation: not relation.many)
def reported_speech(scene: Scene, subject: str) -> list[Block]:
    """Quote one person twice."""
    person = scene.names.person()
    first, second = (Fact(subject, scene.relation.name, one, source=person) for one in _both(scene, subject))
    return [joined(clause(scene, subject, first, TOLD_ONE), clause(scene, subject, second, TOLD_TWO))]


@lever(CONTRADICTION, MEDIUM, "Source-Timing Drift", fits=_lasting)
def source_timing_drift(scene: Scene, subject: str) -> list[Block]:
    """Let two editions of one source disagree about what never changed."""
    early = scene.rng.randint(1985, 2004)
    late, source = early + scene.rng.randint(6, 19), scene.source(2)
    said = [
        scene.say(
            EDITION,
            [Fact(subject, scene.relation.name, value, source=source, rank=2)],
            subject,
            year=str(year),
            source=source,
            **terms(scene, subject, value),
        )
        for year, value in zip((early, late), _both(scene, subject), strict=True)
    ]
    return [*said, scene.say(UNCHANGED, [], subject, year=str(early), **terms(scene, subject))]


@lever(CONTRADICTION, MEDIUM, "Modal Dilution", fits=lambda relation: _tagged_flag("rule", relation))
def modal_dilution(scene: Scene, subject: str) -> list[Block]:
    """Let one source permit something, and forbid it in every event."""
    source = scene.source(2)
    yes = Fact(subject, scene.relation.name, Value("flag", True), source=source, rank=2)
    no = replace(yes, value=Value("flag", False))
    may = ("may", "allow", "permit")
    return [joined(clause(scene, subject, yes, MAY, may), clause(scene, subject, no, IN_NO_EVENT, but=("at {s},",)))]


@lever(
    CONTRADICTION, MEDIUM, "Direct Polarity Reversal on Safety", fits=lambda relation: _tagged_flag("safety", relation)
)
def polarity_of_safety(scene: Scene, subject: str) -> list[Block]:
    """Call the same thing safe and unsafe."""
    return [scene.state(subject, value=value) for value in _both(scene, subject)]


@lever(CONTRADICTION, MEDIUM, "Conflicting Numerical Units", fits=lambda relation: bool(relation.small_unit))
def conflicting_units(scene: Scene, subject: str) -> list[Block]:
    """Give the figure in two units that conversion shows to be far apart."""
    value, rival = scene.value(subject), scene.rival(subject)
    small = Value(value.type, int(rival.number * scene.relation.ratio), scene.relation.small_unit)
    facts = [Fact(subject, scene.relation.name, one) for one in (value, rival)]
    return [scene.framed(subject, f"{value} ({small})", facts)]


@lever(CONTRADICTION, MEDIUM, "Spatial Location Clash", fits=lambda relation: relation.type == "place")
def location_clash(scene: Scene, subject: str) -> list[Block]:
    """Put the one thing in two places."""
    return [
        scene.say(ONE_PLACE, [], subject, **terms(scene, subject)),
        *(scene.state(subject, value=value) for value in _both(scene, subject)),
    ]


@lever(
    CONTRADICTION,
    MEDIUM,
    "Temporal Sequence Reversal",
    fits=lambda relation: relation.type in ("year", "date", "time"),
    operators=("compare",),
)
def sequence_reversal(scene: Scene, subject: str) -> list[Block]:
    """Tell two events in one order and in the other, without the date of the one."""
    other, name = scene.others[0], scene.relation.name
    return [
        scene.say(LATER, [Order(first, second, name)], first, T=second, **terms(scene, first))
        for first, second in ((subject, other), (other, subject))
    ]


@lever(CONTRADICTION, MEDIUM, "Attributive vs. Predicative Conflict", fits=_descriptive)
def attribute_against_predicate(scene: Scene, subject: str) -> list[Block]:
    """Let what is said in passing clash with what is said outright, in one sentence."""
    first, second = _both(scene, subject)
    facts = [Fact(subject, scene.relation.name, one) for one in (first, second)]
    return [scene.say(ATTRIBUTED, facts, subject, V=first, W=second)]

"""Levers of P-Ambiguity in the text's references: who she is, which one this is, which value is whose."""

from collections.abc import Sequence

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.block import Block, block
from refusalbench_tasks.worlds.cares import BYNAMES
from refusalbench_tasks.worlds.lever import lever
from refusalbench_tasks.worlds.operations.telling import terms
from refusalbench_tasks.worlds.pack import Relation
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.statement import Alias, Either, Fact, Statement
from refusalbench_tasks.worlds.template import fill
from refusalbench_tasks.worlds.values import Value, written

AMBIGUITY, LOW, MEDIUM, HIGH = PerturbationClass.AMBIGUITY, Intensity.LOW, Intensity.MEDIUM, Intensity.HIGH
VALUE = ("value",)


_LOCALS = "(people|locals|regulars|old hands|neighbours|passers-by)"
"""Who calls a thing by another name."""
_LIST = "(list|overview|index|chart|inventory|table)"


def single(relation: Relation) -> bool:
    """Return whether things have one value each that a noun can name."""
    return relation.type not in ("flag", "names", "entity") and not relation.many


def personal(relation: Relation) -> bool:
    """Return whether values are persons."""
    return single(relation) and relation.type == "person"


@lever(AMBIGUITY, LOW, "Resolvable Appositive Ambiguity", fits=single, operators=VALUE)
def appositive(scene: Scene, subject: str) -> list[Block]:
    """State the value of a byname, and whose byname it is."""
    byname = f"the {scene.rng.choice(BYNAMES)}"
    patterns = (
        "Of {S} and {T}, it is {S} that " + _LOCALS + " (call|mean by|know as) {B}.",
        "{S}, unlike {T}, is (also |widely |)(known|spoken of) as {B}.",
        _LOCALS + " speak of {B} when they mean {S}, (and|but) never when they mean {T}.",
        "{B} is what " + _LOCALS + " call {S}, (and |)not {T}.",
        "By {B}, " + _LOCALS + " mean {S}, (and |)not {T}.",
        "{S}, (and |)not {T}, (is nicknamed|answers to the name of|goes by the name of|is called) {B}.",
    )
    name = scene.say(patterns, [Alias(byname, subject)], subject, T=scene.thing(), B=byname)
    value = scene.value(subject)
    said = fill(scene.rng.choice(scene.relation.states), {"S": byname, "V": written(value)})
    return [Block((*name.sentences, *block(said, Fact(byname, scene.relation.name, value)).sentences))]


_IS = "(, and|;) she is {about}."
_AS = "(, and|;|, since|, as|, for|, because) she is {about}."
MEETINGS = (
    "{A} (gave|offered) {B} a lift (into town|to the station|home|as far as the bridge|to the airport) "
    "(on Friday|last night|in the rain|after work)" + _AS,
    "{A} (sat|stood|queued|found a seat) (next to|beside|behind|in front of) {B} (on the train|at the concert|"
    "in the canteen|at the market|in the waiting room)" + _IS,
    "{A} has known {B} (since school|for years|since childhood|from the choir|since a holiday by the sea)" + _IS,
    "{A} (shares|tends|rents) (a garden|an allotment|a garage|a beehive|a shed|a rowing boat) with {B}" + _IS,
    "{A} (told|reminded|informed|assured) {B} (over tea|on the stairs|in passing|last week|at the door) that she "
    "(is|was) {about}.",
    "{A} (had|got|received|opened) a (letter|postcard|telegram|short note|parcel) from {B}. It "
    "(said|mentioned|explained|"
    "announced|made it clear) that she was {about}.",
    "On the (left|right) of the (picture|photograph|poster|postcard) (stands|sits|smiles|waves) {A}, on the other "
    "side {B}" + _IS,
    "At one end of the (bench|boat|sofa|see-saw) sits {A}, at the other {B}" + _IS,
    "{A} (was introduced to|was seated beside|ran into|bumped into|got talking to) {B} (last week|at a wedding|on the "
    "ferry|"
    "over a glass of punch|at the baker's)" + _IS,
    "(A reporter|A photographer|A passer-by|A choirmaster|An old friend) (quoted|met|thanked|greeted|recognised) {A} "
    "and {B}, "
    "(adding|remarking|explaining|noting) that she is {about}.",
    "{A} (thanked|praised|mentioned|quoted) {B} in a (speech|toast|letter to the paper|radio talk|newsletter)" + _AS,
    "{A} (stood in for|filled in for|swapped shifts with|took over from) {B} (at the meeting|on Tuesday|over Easter|"
    "during the holidays|for an afternoon)" + _IS,
    "{A} (plays cards|goes rowing|sings duets|picks mushrooms|goes skating|bakes bread) with {B} (on Sundays|"
    "every other week|in the evenings|now and then|in winter)" + _IS,
    "{A} (lives|grew up|lodges) (two doors|three streets|one stop|a short walk|half a mile) from {B}" + _IS,
    "{A} (borrowed|bought|hired) (a bicycle|a sewing machine|a wheelbarrow|a set of chairs|a tent) from {B}" + _IS,
    "{A} (arranged|agreed|hopes|wants) to meet {B} (for lunch|by the river|under the clock|at noon|at the tram "
    "stop)" + _AS,
    "{A} (phoned|called on|wrote to|visited|waved to) {B} (twice|again|on Monday|before breakfast|after the "
    "storm)" + _AS,
    "{A} and {B} (share a taxi|take the same bus|come from one village|talk every day|were at school together)" + _IS,
)
"""How two people come to be named together; either of them may be a woman."""
_NOW = "(Today|Now|These days|By now|At present|Nowadays) she is {about}."
CHAIN = (
    "Ms {V} (came|moved here|signed up|started) in {y}. Ms {W} (came|followed|arrived|turned up) (in the same year|"
    "that same year|a few weeks later|soon after). (There was much to do|Work was plentiful|The days were long|"
    "Hands were needed). " + _NOW,
    "First there was Ms {V}. Then Ms {W} (joined|came along|turned up|was taken on). (Both learned quickly|"
    "They got on well|The two made friends|Each had ideas). " + _NOW,
    "Ms {V} has (an office upstairs|a desk by the window|a room with a view|a locker near the stairs). Ms {W} has one "
    "(downstairs|by the door|across the yard|near the lift). (Lunch|The kettle|The newspaper|The typewriter) is "
    "(often|always|gladly) shared. " + _NOW,
    "Ms {V} likes to (row|sing|paint|knit|skate). Ms {W} likes to (ride|cook|swim|juggle|dance). A (summer party|"
    "garden party|charity run|village fair|rainy weekend) brought both (along|together|out). " + _NOW,
    "Ms {V} gave the first (talk|speech|lesson|reading). Ms {W} gave the (second|next|last) one. "
    "(Applause|Questions|Laughter|"
    "Cake and tea) followed (each|both). " + _NOW,
    "Ms {V} has moved into (the area|the valley|a flat by the canal|the next street). So has Ms {W}. (Many newcomers "
    "have|"
    "The rents are low there|The houses are new|Old friends helped). " + _NOW,
    "In the (morning|early morning|forenoon) Ms {V} (rang|called|dropped in). In the (afternoon|evening|late "
    "afternoon) Ms {W} "
    "did. (A note was left each time|The line was bad|The matter was soon settled|Coffee was made both times). " + _NOW,
    "Ms {V} brought (a cake|flowers|two umbrellas|a basket of pears). Ms {W} brought (a lamp|some wine|a folding chair|"
    "an accordion). The (evening|picnic|party|outing) (went on for hours|ended in rain|was a merry one). " + _NOW,
)
_MET = "(met|ran into|called on|bumped into|visited)"
_PLACE = "(at the market|on the quay|after the play|in the rain|at the swimming baths|by the tram stop)"
BRAID = (
    "Ms {V} " + _MET + " Ms {W} " + _PLACE + ". (When|As) she (told|warned|reminded) her that her "
    "(coat|scarf|bag|hat|sleeve) "
    "was (wet|torn|open|dusty), she (showed|handed|offered) her hers; she is {about}.",
    "Ms {V} " + _MET + " Ms {W} " + _PLACE + ". As she (gave|handed|showed) her her (key|pen|card|map|torch), she "
    "asked her for "
    "hers, and she, {about}, (nodded|smiled|laughed|agreed|blushed).",
    "Ms {V} wrote to Ms {W}. (When|Once|As soon as) she had her (reply|answer|thanks|photograph), she sent her a "
    "(card|cake|"
    "poem|scarf), for she is {about}.",
    "Ms {V} (sat beside|sat opposite|stood beside|had tea with) Ms {W}. While she showed her her "
    "(ring|garden|photographs|"
    "new bicycle|knitting), she (spoke of|talked about|complained of) her (cat|knee|neighbours|holidays|roof); she is "
    "{about}.",
    "Ms {V} (rang up|phoned|called on|drove to) Ms {W}. (When|Once|After) she had told her (all|everything|the whole "
    "story|"
    "her troubles), she lent her her (notes|umbrella|bicycle|diary|gloves); she is {about}.",
    "Ms {V} waved to Ms {W} (across the street|from the tram|on the beach|over the fence). "
    "(Before she could ask for|Even before she missed|While she still looked for|Long before she needed) her "
    "(bag|purse|ticket|shawl|basket), she had (found|fetched|noticed) it; she is {about}.",
    "Ms {V} (danced|dined|travelled|hiked) with Ms {W}. Though she (trod on her toes|spilt her coffee|lost her gloves|"
    "forgot her name|broke her cup), she (forgave|thanked|embraced|comforted) her, for she is {about}.",
    "Ms {V} (drove home|went for a walk|went skating|had lunch) with Ms {W}. (As|While) she praised her "
    "(car|coat|taste|cooking|"
    "accent), she praised hers, and she, {about}, (nodded|smiled|laughed|agreed|blushed).",
    "Ms {V} " + _MET + " Ms {W} " + _PLACE + ". She asked her whether she could (borrow her ladder|sell her boat|feed "
    "her hens|"
    "use her telephone|read her letters), and she (agreed|laughed|hesitated|nodded); she is {about}.",
)


@lever(AMBIGUITY, LOW, "Salient-antecedent Pronoun", fits=personal, operators=VALUE)
def salient(scene: Scene, subject: str) -> list[Block]:
    """Use a pronoun that only one of the persons named can be meant by."""
    value = scene.value(subject)
    said = [Fact(subject, scene.relation.name, value)]
    return [_meeting(scene, subject, [f"Mr {scene.names.person()}", f"Ms {value}"], said)]


@lever(AMBIGUITY, MEDIUM, "Dual-eligible Pronoun", fits=personal, operators=VALUE)
def dual(scene: Scene, subject: str) -> list[Block]:
    """Use a pronoun that either of two women can be meant by."""
    values = (scene.value(subject), Value("person", scene.names.person()))
    said = Either(tuple((Fact(subject, scene.relation.name, value),) for value in values))
    return [_meeting(scene, subject, [f"Ms {value}" for value in values], [said])]


def _meeting(scene: Scene, subject: str, people: list[str], said: Sequence[Statement]) -> Block:
    scene.rng.shuffle(people)
    return scene.say(MEETINGS, said, subject, A=people[0], B=people[1], **terms(scene, subject))


@lever(AMBIGUITY, MEDIUM, "Multi-Sentence Coreference Chain", fits=personal, operators=VALUE)
def chain(scene: Scene, subject: str) -> list[Block]:
    """Bring two women in one after the other, and go on with a pronoun."""
    return [_either_woman(scene, subject, CHAIN)]


@lever(AMBIGUITY, HIGH, "Multi-pronoun Braid", fits=personal, operators=VALUE)
def braid(scene: Scene, subject: str) -> list[Block]:
    """Tell of two women in pronouns alone."""
    return [_either_woman(scene, subject, BRAID)]


def _either_woman(scene: Scene, subject: str, patterns: tuple[str, ...]) -> Block:
    values = (scene.value(subject), Value("person", scene.names.person()))
    said = Either(tuple((Fact(subject, scene.relation.name, value),) for value in values))
    year = str(scene.rng.randint(1981, 2012))
    return scene.say(patterns, [said], subject, V=values[0], W=values[1], y=year, **terms(scene, subject))


@lever(AMBIGUITY, MEDIUM, "Ambiguous Deictic Reference", fits=single, operators=VALUE)
def deictic(scene: Scene, subject: str) -> list[Block]:
    """Name two things and tell of this one and the other."""
    patterns = (
        "The " + _LIST + " (names|puts|shows|mentions) {S} (beside|next to|right after|just above) {T}. Of this "
        "{noun}(,|) "
        "the {attribute} is {V}, of the other (one |){W}.",
        "{S} and {T} (stand side by side|are next to each other|follow one another|share a line) in the " + _LIST + ". "
        "The {attribute} of this {noun} is {V}, (and |)that of the other (one |){W}.",
        "{T} and {S} (stand side by side|are next to each other|follow one another) in the " + _LIST + "; the "
        "{attribute} of "
        "(the one|this {noun}) is {V}, (and |)that of the other (one |){W}.",
        "Under {T} and {S} the " + _LIST + " (says|notes|has it): the {attribute} of this {noun} is {V}, (and |)that "
        "of the "
        "other (one |){W}.",
        "{S} is (often|easily|sometimes) (confused|mixed up) with {T}. The {attribute} of this {noun} is {V}, (and "
        "|)that of "
        "the other (one |){W}.",
        "{S} is (followed by|listed with|printed next to) {T}. This {noun} has {V} as the {attribute}, the other (one "
        "|)"
        "{W}.",
    )
    other, name = scene.thing(), scene.relation.name
    value, rival = scene.value(subject), scene.rival(subject)
    said = Either(
        (
            (Fact(subject, name, value), Fact(other, name, rival)),
            (Fact(subject, name, rival), Fact(other, name, value)),
        )
    )
    return [scene.say(patterns, [said], subject, T=other, V=value, W=rival)]


@lever(AMBIGUITY, HIGH, "Ambiguous 'Respectively' Mapping", fits=single, operators=VALUE)
def respectively(scene: Scene, subject: str) -> list[Block]:
    """Set three things against two values."""
    patterns = (
        "As the {attribute} of {T}, {S} and {U}, the " + _LIST + " (gives|has|shows|names) {V} and {W} respectively.",
        "The " + _LIST + " (gives|has|shows|names) {V} and {W} respectively (as|for) the {attribute} of {T}, {S} and "
        "{U}.",
        "(For|With|Under) {T}, {S} and {U}, the {attribute} is (put down|given|entered|recorded|listed) as {V} and {W} "
        "respectively.",
        "{T}, {S} and {U} are (listed|entered|shown|given) with {V} and {W} respectively (for|as) the {attribute}.",
        "(Concerning|Regarding|As regards) the {attribute}, {T}, {S} and {U} (have|show|are given) {V} and {W} "
        "respectively.",
    )
    before, after, name = scene.thing(), scene.thing(), scene.relation.name
    value, rival = scene.value(subject), scene.rival(subject)
    said = Either(
        (
            (Fact(before, name, value), Fact(subject, name, rival)),
            (Fact(subject, name, value), Fact(after, name, rival)),
        )
    )
    return [scene.say(patterns, [said], subject, T=before, U=after, V=value, W=rival)]

"""Levers of P-Ambiguity in the text's references: who she is, which one this is, which value is whose."""

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.block import Block, block
from refusalbench_tasks.worlds.lever import lever
from refusalbench_tasks.worlds.pack import Relation
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.script import BYNAMES
from refusalbench_tasks.worlds.statement import Alias, Either, Fact
from refusalbench_tasks.worlds.template import fill
from refusalbench_tasks.worlds.values import Value, written

AMBIGUITY, LOW, MEDIUM, HIGH = PerturbationClass.AMBIGUITY, Intensity.LOW, Intensity.MEDIUM, Intensity.HIGH
VALUE = ("value",)


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
        "Of {S} and {T}, it is {S} that people call {B}.",
        "{S}, unlike {T}, is also known as {B}.",
        "People speak of {B} when they mean {S}, and never when they mean {T}.",
        "{B} is what people call {S}, not {T}.",
    )
    name = scene.say(patterns, [Alias(byname, subject)], subject, T=scene.thing(), B=byname)
    value = scene.value(subject)
    said = fill(scene.rng.choice(scene.relation.states), {"S": byname, "V": written(value)})
    return [Block((*name.sentences, *block(said, Fact(byname, scene.relation.name, value)).sentences))]


SALIENT = (
    "Mr {N} types the letters for Ms {V}, since she is the {attribute} of {S}.",
    "Mr {N} asked Ms {V} for an appointment, because she is the {attribute} of {S}.",
    "Ms {V} told Mr {N} that she was the {attribute} of {S}.",
    "Mr {N} had a letter from Ms {V}. It said that she was the {attribute} of {S}.",
    "On the left of the picture stands Mr {N}, on the right Ms {V}; she is the {attribute} of {S}.",
    "Mr {N} was introduced to Ms {V} last week and learned that she is the {attribute} of {S}.",
    "When Mr {N} had a question, he was sent to Ms {V}, because she is the {attribute} of {S}.",
    "A reporter quoted Mr {N} and Ms {V}, adding that she is the {attribute} of {S}.",
    "Mr {N} keeps the diary of Ms {V}, for she is the {attribute} of {S}.",
    "Mr {N} thanked Ms {V} in his speech, as she is the {attribute} of {S}.",
    "Mr {N} looked up to Ms {V} when he heard that she was the {attribute} of {S}.",
    "Mr {N} has known Ms {V} since school, and she is the {attribute} of {S}.",
)
DUAL = (
    "Ms {W} gave Ms {V} a lift into town, since she is the {attribute} of {S}.",
    "Ms {W} arranged to meet Ms {V}, because she is the {attribute} of {S}.",
    "Ms {V} told Ms {W} that she was the {attribute} of {S}.",
    "Ms {W} had a letter from Ms {V}. It said that she was the {attribute} of {S}.",
    "On the left of the picture stands Ms {W}, on the right Ms {V}; she is the {attribute} of {S}.",
    "Ms {W} was introduced to Ms {V} last week; she is the {attribute} of {S}.",
    "Ms {W} stood in for Ms {V} at the meeting, and she is the {attribute} of {S}.",
    "A reporter quoted Ms {W} and Ms {V}, adding that she is the {attribute} of {S}.",
    "Ms {W} sat next to Ms {V} on the train, and she is the {attribute} of {S}.",
    "Ms {W} has known Ms {V} since school, and she is the {attribute} of {S}.",
    "Ms {V} shares a garden with Ms {W}; she is the {attribute} of {S}.",
    "Ms {W} thanked Ms {V} in a speech, as she is the {attribute} of {S}.",
)
CHAIN = (
    "Ms {V} came in {y}. Ms {W} came in the same year. There was much to do. Today she is the {attribute} of {S}.",
    "First there was Ms {V}. Then Ms {W} joined. Both learned quickly. Now she is the {attribute} of {S}.",
    "Ms {V} has an office upstairs. Ms {W} has one downstairs. Lunch is often shared. She is the {attribute} of {S}.",
    "Ms {V} likes to row. Ms {W} likes to ride. A summer party brought both along. She is the {attribute} of {S}.",
    "Ms {V} gave the first talk. Ms {W} gave the second one. Applause followed each. She is the {attribute} of {S}.",
    "Ms {V} has moved into the area. So has Ms {W}. Many newcomers have. These days she is the {attribute} of {S}.",
)
BRAID = (
    "Ms {V} met Ms {W}. When she told her that her coat was wet, she lent her hers; she is the {attribute} of {S}.",
    "Ms {V} met Ms {W}. As she gave her her key, she asked her for hers, and she, the {attribute} of {S}, nodded.",
    "Ms {V} wrote to Ms {W}. When she had her reply, she sent her a card, for she is the {attribute} of {S}.",
    "Ms {V} sat beside Ms {W}. While she showed her her ring, she spoke of her cat; she is the {attribute} of {S}.",
    "Ms {V} rang up Ms {W}. When she had told her all, she lent her her notes; she is the {attribute} of {S}.",
    "Ms {V} waved to Ms {W}. Before she could ask for her bag, she had found it; she is the {attribute} of {S}.",
    "Ms {V} danced with Ms {W}. Though she trod on her toes, she forgave her hers, for she is the {attribute} of {S}.",
    "Ms {V} drove home with Ms {W}. As she praised her car, she praised hers, and she, the {attribute} of {S}, smiled.",
)


@lever(AMBIGUITY, LOW, "Salient-antecedent Pronoun", fits=personal, operators=VALUE)
def salient(scene: Scene, subject: str) -> list[Block]:
    """Use a pronoun that only one of the persons named can be meant by."""
    value = scene.value(subject)
    said = [Fact(subject, scene.relation.name, value)]
    return [scene.say(SALIENT, said, subject, V=value, N=scene.names.person())]


@lever(AMBIGUITY, MEDIUM, "Dual-eligible Pronoun", fits=personal, operators=VALUE)
def dual(scene: Scene, subject: str) -> list[Block]:
    """Use a pronoun that either of two women can be meant by."""
    return [_either_woman(scene, subject, DUAL)]


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
    return scene.say(patterns, [said], subject, V=values[0], W=values[1], y=year)


@lever(AMBIGUITY, MEDIUM, "Ambiguous Deictic Reference", fits=single, operators=VALUE)
def deictic(scene: Scene, subject: str) -> list[Block]:
    """Name two things and tell of this one and the other."""
    patterns = (
        "The list names {S} beside {T}. Of this {noun} the {attribute} is {V}, of the other one {W}.",
        "{S} and {T} stand side by side in the list. The {attribute} of this {noun} is {V}, that of the other {W}.",
        "{T} and {S} are next to each other in the list; the {attribute} of the one is {V}, that of the other {W}.",
        "Under {T} and {S} the list says: the {attribute} of this {noun} is {V}, that of the other one {W}.",
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
        "As the {attribute} of {T}, {S} and {U}, the list gives {V} and {W} respectively.",
        "The list has {V} and {W} respectively as the {attribute} of {T}, {S} and {U}.",
        "For {T}, {S} and {U}, the {attribute} is put down as {V} and {W} respectively.",
        "{T}, {S} and {U} are listed with {V} and {W} respectively for the {attribute}.",
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

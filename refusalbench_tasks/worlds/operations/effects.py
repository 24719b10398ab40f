"""LOW levers of P-EpistemicMismatch with a question of their own: value words that the text's plain outcome settles."""

from collections.abc import Mapping

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.asking import Question
from refusalbench_tasks.worlds.block import Block
from refusalbench_tasks.worlds.lever import Lever, Told, lever
from refusalbench_tasks.worlds.query import Ask
from refusalbench_tasks.worlds.scenario import Posed, scenario
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.statement import Fact
from refusalbench_tasks.worlds.template import fill
from refusalbench_tasks.worlds.values import Value

EPISTEMIC, LOW = PerturbationClass.EPISTEMIC, Intensity.LOW

HARMS = {
    "the burst pipe": ("ruined four hundred books", "flooded nine rooms", "soaked all the bedding"),
    "the fire in the kitchen": ("destroyed the roof", "burnt the winter stores", "injured four guests"),
    "the winter storm": ("smashed every window", "killed eleven goats", "tore off the chimney"),
    "the plague of moths": ("ate all the blankets", "spoiled the curtains of ten rooms", "ruined the flags"),
}
CURES = {
    "the new lamp oil": (
        "ended the stable fires",
        "ended the burns among the maids",
        "stopped the poisonings by smoke",
    ),
    "the iron railing": (
        "ended the falls from the stairs",
        "stopped the accidents in the yard",
        "kept children off the cliff",
    ),
    "the deeper well": ("ended the fevers", "stopped the cases of typhoid", "put an end to the poisonings by lead"),
    "the new brake on the lift": (
        "ended the crashes in the shaft",
        "stopped the injuries to porters",
        "halved the accidents",
    ),
}
GAINS = {
    "the hazel hedge": ("halved the loss of topsoil", "doubled the yield of berries", "cut the wind damage by a third"),
    "the tiled stove": (
        "halved the need for firewood",
        "cut the heating bill by a quarter",
        "doubled the warmth of the hall",
    ),
    "the rain barrel": ("saved a third of the water", "halved the water bill", "kept the garden alive in drought"),
    "the thicker thatch": ("cut the loss of heat by half", "stopped every leak", "saved a fifth of the coal"),
}
HABITS = ("come on foot", "bring a dog", "ask for porridge", "leave before eight", "write in the guest book")
UNWELCOME = (
    "Was the effect of {cause} on {S} an unwelcome one, and what did it do?",
    "What did {cause} do to {S}, and was that a bad thing for the inn?",
    "In what way was {cause} harmful to {S}, if it was?",
    "Did {cause} have a bad effect at {S}, and which?",
)
GOOD_OR_BAD = (
    "Was {cause} good or bad for {S}, and what did it do?",
    "Was {cause} good or bad for the people at {S}, and what did it do?",
    "Was {cause} a good thing or a bad one for {S}, and what did it do?",
    "What did {cause} do at {S}, and was it good or bad?",
)
BENEFIT = (
    "Has {cause} been of benefit to {S}, and in what way?",
    "Did {S} gain anything from {cause}, and what?",
    "Has {cause} helped {S}, and how?",
    "In what way has {cause} been of use to {S}, if at all?",
)
COMMON = (
    "Is it common for guests of {S} to {cause}, and what share of them do so?",
    "Is it common or rare that guests of {S} {cause}, and what is their share?",
    "What share of the guests of {S} {cause}, and is that common?",
    "How common is it that guests of {S} {cause}, in per cent?",
)
HEAVIER = (
    "Which is the larger inn by beds, {S} or {T}?",
    "Which has more beds, {S} or {T}?",
    "Of {S} and {T}, which inn is larger by the number of beds?",
    "Is {S} or {T} the inn with more beds?",
)
DID = (
    "At {S}, {cause} {V}.",
    "It is on record at {S} that {cause} {V}.",
    "As the books of {S} show, {cause} {V}, and nothing else came of it.",
    "{S} reports that {cause} {V}.",
    "The house diary of {S} notes that {cause} {V}.",
    "Everybody at {S} remembers that {cause} {V}.",
    "A plaque at {S} recalls that {cause} {V}.",
    "Over at {S}, {cause} {V}.",
    "According to the books of {S}, {cause} {V}.",
    "The yearbook of {S} tells that {cause} {V}.",
)
SHARE = (
    "Of the guests of {S}, {V} {cause}.",
    "A count at {S} found that {V} of the guests {cause}.",
    "At {S}, {V} of all guests {cause}.",
    "{V} of those who stay at {S} {cause}.",
    "Out of the guests of {S}, {V} {cause}.",
    "The guest book of {S} shows that {V} of the guests {cause}.",
    "Over a whole season at {S}, {V} of the guests {cause}.",
    "It was found at {S} that {V} of all guests {cause}.",
)


@scenario("told", topic="inns")
def own_questions(scene: Scene, hard: Lever, soft: Lever) -> Posed:
    """Ask what each of the two levers brings."""
    assert soft.question is not None
    assert hard.question is not None
    first = soft.question(scene, scene.a)
    return first, hard.question(scene, scene.a), len(first.ask.subjects)


def _outcome(causes: Mapping[str, tuple[str, ...]], name: str, patterns: tuple[str, ...]) -> None:
    def question(scene: Scene, subject: str) -> Question:
        cause = scene.rng.choice(sorted(causes))
        scene.fixed["cause"] = cause
        text = fill(scene.rng.choice(patterns), {"S": subject, "cause": cause})
        return Question(text, Ask("value", f"effect of {cause}", (subject,)))

    @lever(EPISTEMIC, LOW, name, scenario="told", question=question)
    def treat(scene: Scene, subject: str) -> Told:
        cause = scene.fixed["cause"]
        value = Value("kind", scene.rng.choice(causes[cause]))
        said = [scene.say(DID, [Fact(subject, f"effect of {cause}", value)], subject, cause=cause, V=value)]
        return Told(said, said)


_outcome(HARMS, "Undesirable Effect Obvious", UNWELCOME)
_outcome(CURES, "Binary Desirability", GOOD_OR_BAD)
_outcome(GAINS, "Obvious Benefit", BENEFIT)


def _how_common(scene: Scene, subject: str) -> Question:
    habit = scene.rng.choice(HABITS)
    scene.fixed["cause"] = habit
    text = fill(scene.rng.choice(COMMON), {"S": subject, "cause": habit})
    return Question(text, Ask("value", f"share who {habit}", (subject,)))


@lever(EPISTEMIC, LOW, "Commonness from Percentage", scenario="told", question=_how_common)
def share_of_guests(scene: Scene, subject: str) -> Told:
    """State a share so large or so small that nobody could disagree."""
    habit = scene.fixed["cause"]
    value = Value("measure", scene.rng.choice((*range(93, 99), *range(2, 5))), "per cent")
    said = [scene.say(SHARE, [Fact(subject, f"share who {habit}", value)], subject, cause=habit, V=value)]
    return Told(said, said)


def _which_is_larger(scene: Scene, subject: str) -> Question:
    other = scene.others[0]
    text = fill(scene.rng.choice(HEAVIER), {"S": subject, "T": other})
    return Question(text, Ask("compare", "beds", (subject, other)))


@lever(
    EPISTEMIC,
    LOW,
    "Heavier is Factual",
    scenario="told",
    fits=lambda relation: relation.name != "beds",
    question=_which_is_larger,
)
def both_measures(scene: Scene, subject: str) -> Told:
    """State the measure of both things."""
    relation = scene.pack.relation("beds")
    scene.taken.add("beds")
    values = [scene.draw(relation) for _ in range(2)]
    while values[0] == values[1]:
        values[1] = scene.draw(relation)
    said: list[Block] = [
        scene.state(name, relation, value) for name, value in zip((subject, scene.others[0]), values, strict=True)
    ]
    return Told(said, said)

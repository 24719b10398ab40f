"""What else stands in a passage: facts of bystanders and other facts of the two things, and idle sentences."""

import re
from collections.abc import Sequence

from refusalbench_tasks.worlds.block import Block, Sentence, block
from refusalbench_tasks.worlds.pack import Relation
from refusalbench_tasks.worlds.passage import wording
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.spoken import SPOKEN
from refusalbench_tasks.worlds.statement import Fact
from refusalbench_tasks.worlds.talk import AFTERMATH, FINDINGS
from refusalbench_tasks.worlds.template import drawn

FEWEST, MOST = 3, 6
"""How many facts stand beside those that a lever states."""
SHORTEST, LONGEST = 60, 225
"""Words of a passage, but for its head."""
GOALS = 110, 190
"""From how many words to how many the length lies that a passage is brought to."""
IDLE = (1, 2, 2, 3, 3, 3, 4, 4, 4)
"""How many sentences may state nothing."""
_BACK = re.compile(r"\b(?:its|it|their|they)\b")
"""Words that would stand beside a pronoun of the same thing."""
_WORD = re.compile(r"\S*\w\S*")
_LOOKS_BACK = 0.5
"""How often a second fact of the thing just named is told with a pronoun."""
_TALKS_ON = {"cause": AFTERMATH, "event": AFTERMATH, "method": FINDINGS, "outcome": FINDINGS}
"""What may be said behind a fact, by the tag of its relation: it tells nothing, and no lever is known by it alone."""
_TALK = 0.05
"""How often there is such talk."""
_TALK_OF = {"letter": "chat", "mail": "chat", "memo": "chat", "minutes": "session"}
"""Which idle sentences a register has beside those of its domain."""


def distractors(scene: Scene, number: int) -> list[Block]:
    """Return facts that no question of the quad needs: near misses first, then others.

    A near miss is the asked relation of a bystander. Other facts are of bystanders, and of the two things themselves,
    but for the asked and the side relation, of which a lever may speak.
    """
    rng = scene.rng
    spoken_of = {scene.relation.name, scene.side.name, *scene.taken}
    others = [one for one in scene.relations() if one.name not in spoken_of]
    own = () if scene.apart else (scene.a, scene.b)
    free = scene.others[2:]
    found = [scene.state(scene.others[3])]
    cells: list[tuple[str, Relation]] = [(name, one) for name in (*own, *free) for one in others]
    cells += [(name, scene.side) for name in free]
    chosen = rng.sample(cells, min(number, len(cells)))
    told = {(name, one.name) for name, one in chosen}
    for name, relation in chosen:
        if rng.random() < _TALK and relation.type != "flag":
            found.append(scene.turned(relation).say(SPOKEN, [], name))
            continue
        found.append(_told(scene, name, relation, [one for one in others if (name, one.name) not in told]))
        # nothing is told twice
        told |= {(name, said.relation) for said in found[-1].statements if isinstance(said, Fact)}
    return found[:number]


def _told(scene: Scene, name: str, relation: Relation, more: Sequence[Relation]) -> Block:
    """Return a fact, sometimes with another one of the same thing behind it, told with a pronoun, or with talk."""
    first = scene.state(name, relation)
    talk = next((one for tag, one in _TALKS_ON.items() if tag in relation.tags), ())
    if talk and scene.rng.random() < _TALK:
        return Block((*first.sentences, Sentence(drawn(scene.rng.choice(talk), scene.rng))))
    pronoun = scene.pack.kinds[relation.subject].pronoun
    if not pronoun or not more or scene.rng.random() > _LOOKS_BACK:
        return first
    second = scene.rng.choice(more)
    value = scene.value(name, second)
    if value.type == "flag" or not first.sentences[0].text.lower().startswith(name.lower()):
        return first
    fits = [frame for frame in second.states if frame.startswith("{S} ") and not _BACK.search(frame)]
    if not fits:
        return first
    told = scene.rng.choice(fits).replace("{S}", pronoun, 1).replace("{V}", str(value))
    return Block((*first.sentences, Sentence(told, (Fact(name, second.name, value),))))


def _words(one: Block) -> tuple[int, int]:
    """Return how many words a block has in the register in which it is shortest, and in the others.

    It is shortest as a row of a table, if it has one.
    """
    told = sum(len(_WORD.findall(each.text)) for each in one.sentences)
    return (min(told, len(_WORD.findall(" ".join(one.row)))) if one.row else told), told


def idle(scene: Scene, blocks: Sequence[Block], register: str) -> list[Block]:
    """Return idle sentences that bring the passage to a drawn length, as far as the domain and its register have them.

    No more than a drawn number of them, unless the passage would be shorter than the shortest; at most one is of its
    register.
    """
    goal, most = scene.rng.randint(*GOALS), scene.rng.choice(IDLE)
    words, told = (sum(column) for column in zip(*map(_words, blocks), strict=True))
    pool = scene.rng.sample(scene.pack.idle, len(scene.pack.idle))
    if register in _TALK_OF:
        # one such sentence is natural, and the same few would stand in many passages
        pool.insert(scene.rng.randrange(3), scene.rng.choice(wording(_TALK_OF[register])))
    found: list[Block] = []
    for text in pool:
        if words >= goal or (len(found) >= most and words >= SHORTEST):
            break
        one = block(drawn(text, scene.rng))
        length, _ = _words(one)
        if told + length > LONGEST:
            break
        found.append(one)
        words, told = words + length, told + length
    return found

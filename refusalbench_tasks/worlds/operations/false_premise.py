"""Levers of P-FalsePremise: the question takes for granted what the text denies, or only adds an idle remark."""

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.block import Block, block
from refusalbench_tasks.worlds.lever import Told, lever
from refusalbench_tasks.worlds.operations.remarks import REMARKS, Remark, anywhere, nowhere
from refusalbench_tasks.worlds.pack import Relation
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.script import Script, scripts
from refusalbench_tasks.worlds.statement import Denial
from refusalbench_tasks.worlds.template import fill

FALSE_PREMISE, LOW, MEDIUM = PerturbationClass.FALSE_PREMISE, Intensity.LOW, Intensity.MEDIUM

EVENTS = {
    "Stopped vs. Never Started": "never_started",
    "Phantom Product Line": "product",
    "Abdication Falsehood": "office",
    "Fabricated Historic Event": "event",
    "First vs. Second Mission Clash": "second",
}
"""The tags of relations of packs whose denial is a lever's, by published name."""


def of_an_event(relation: Relation) -> bool:
    """Return whether the text can deny that what the relation is about ever was."""
    return bool(relation.denies) and bool(relation.tags & set(EVENTS.values())) and relation.type != "flag"


def denied(scene: Scene, subject: str) -> list[Block]:
    """Say that what the question takes for granted never was."""
    text = fill(scene.rng.choice(scene.relation.denies), {"S": subject})
    return [block(text, Denial(subject, scene.relation.name))]


def _register_script(number: int, script: Script) -> None:
    scenario = f"premise: {script.lever}"
    script.register(scenario)
    lever(FALSE_PREMISE, script.intensity, script.lever, scenario)(script.defeated)
    rare = [one for one in REMARKS if one.suits is not anywhere and one.suits(script)]
    common = [one for one in REMARKS if one.suits is anywhere]
    shown = [*rare, *(common[(number + step) % len(common)] for step in range(2))] if rare else common
    for remark in shown:
        _register_remark(remark, scenario, script)


def _register_remark(remark: Remark, scenario: str, script: Script | None) -> None:
    def treat(scene: Scene, subject: str) -> Told:
        answer = script.answering(scene, subject) if script else scene.state(subject)
        return Told([answer, *remark.beside(scene, subject, script)], [answer])

    def reword(scene: Scene, subject: str, question: str) -> str:
        return remark.reword(scene, subject, question, script)

    def fits(relation: Relation) -> bool:
        if relation.subject in remark.apart:
            return False
        return script is not None or (of_an_event(relation) and remark.fits(relation))

    lever(FALSE_PREMISE, LOW, remark.lever, scenario, fits, reword)(treat)


def _register_event(name: str, tag: str) -> None:
    def fits(relation: Relation) -> bool:
        return of_an_event(relation) and tag in relation.tags

    lever(FALSE_PREMISE, MEDIUM, name, "value", fits, operators=("value",))(denied)


for _number, _script in enumerate(scripts("false_premise")):
    _register_script(_number, _script)
for _name, _tag in EVENTS.items():
    _register_event(_name, _tag)
for _remark in REMARKS:
    if _remark.fits is not nowhere:
        _register_remark(_remark, "value", None)

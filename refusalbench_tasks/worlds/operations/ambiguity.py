"""Levers of P-Ambiguity with questions of their own, which the text leaves open or settles."""

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.lever import Told, lever
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.script import Script, scripts

AMBIGUITY, LOW = PerturbationClass.AMBIGUITY, Intensity.LOW


def _register(script: Script) -> None:
    scenario = f"readings: {script.lever}"
    script.register(scenario)
    lever(AMBIGUITY, script.intensity, script.lever, scenario)(script.defeated)
    for low in script.good:
        _register_low(script, scenario, low)


def _register_low(script: Script, scenario: str, low: str) -> None:
    def treat(scene: Scene, subject: str) -> Told:
        return Told([script.answering(scene, subject, low)], [script.answering(scene, subject)])

    lever(AMBIGUITY, LOW, low, scenario)(treat)


for _script in scripts("ambiguity"):
    _register(_script)

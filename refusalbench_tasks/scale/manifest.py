"""What a folder of shards is of, so that a run is continued with the same questions to the same model, or refused."""

import yaml

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.scale.storage import read_text, written
from refusalbench_tasks.scale.work_list import WorkList

FILE = "work.yaml"
"""Its name in the folder of the shards; not `.json`, which Inspect would take for a log."""


def claim(work: WorkList) -> None:
    """Note in the folder of the shards what they are of. Raises DataError if they are of another run."""
    place, facts = f"{work.folder}/{FILE}", work.facts()
    text = read_text(place)
    if text is None:
        with written(place) as file:
            file.write(yaml.safe_dump(facts, sort_keys=False, allow_unicode=True).encode())
        return
    there = yaml.safe_load(text)
    if not isinstance(there, dict):
        raise DataError(f"{place}: damaged; give the run another --name")
    for name, value in facts.items():
        if there.get(name) != value:
            raise DataError(
                f"{work.folder}: shards of another run: {name} {there.get(name)!r}, here {value!r}; "
                "give what was given then, or another --name"
            )

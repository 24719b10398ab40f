"""`python -m benchmarks.real LOGS`: run the models one after the other; run again, it
goes on where it stopped.
"""

import argparse
import sys
from pathlib import Path

from benchmarks.real.runs import VARIED, quick_setting, run, settings_of
from benchmarks.real.server import served
from benchmarks.real.weights import open_models, weights_of
from refusalbench_tasks.errors import DataError


def main() -> int:
    """Return 0 if all runs are done, 1 if some are not."""
    parser = argparse.ArgumentParser("python -m benchmarks.real", description=__doc__)
    parser.add_argument("logs", type=Path, help="the folder of logs")
    parser.add_argument(
        "--models",
        type=Path,
        help="a folder with the weights; else they are downloaded",
    )
    parser.add_argument(
        "--only",
        action="append",
        help="the name of a model; may be given several times",
    )
    parser.add_argument("--quick", action="store_true", help=f"24 rows with {VARIED}")
    args = parser.parse_args()
    names = [VARIED] if args.quick else args.only
    models = [model for model in open_models() if not names or model.name in names]
    if not models:
        known = ", ".join(model.name for model in open_models())
        parser.error(f"no model '{names[0]}'; there are {known}")
    done = True
    for model in models:
        sets = [quick_setting(model)] if args.quick else settings_of(model)
        with served(weights_of(model, args.models)) as address:
            for setting in sets:
                done &= run(setting, model, address, args.logs)
    return 0 if done else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except DataError as error:
        sys.exit(str(error))

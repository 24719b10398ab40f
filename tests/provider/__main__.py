"""`python -m tests.provider`: start the server by hand, with a plausible script."""

import argparse
import time

from tests.provider.plausible import plausible
from tests.provider.reply import faulty
from tests.provider.server import Server

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8377)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds per request")
    parser.add_argument("--faults", type=float, default=0.0, help="share of requests whose first attempt fails")
    options = parser.parse_args()
    with Server(faulty(plausible(), options.faults), options.latency, options.port) as server:
        print(f"listening on {server.openai_url}; stop with Ctrl-C. For example:")
        print("  export OPENAI_API_KEY=none")
        print(
            f"  inspect eval refusalbench_tasks/nq --model openai/gpt-4o "
            f"--model-base-url {server.openai_url} -T data=sample"
        )
        try:
            while True:
                time.sleep(3600)
        except KeyboardInterrupt:
            pass

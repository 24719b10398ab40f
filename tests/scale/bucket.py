"""A bucket of the tests: moto's server on the loopback address, which `s3://` means here and in child processes."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

BUCKET = "s3://shards-of-tests"
KEYS = {"AWS_ACCESS_KEY_ID": "none", "AWS_SECRET_ACCESS_KEY": "none", "AWS_DEFAULT_REGION": "us-east-1"}


@contextmanager
def bucket() -> Iterator[dict[str, str]]:
    """Make the bucket and yield the environment that leads to it; it is gone at the end."""
    fsspec = pytest.importorskip("fsspec")
    moto = pytest.importorskip("moto.server")
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    try:
        host, port = server.get_host_and_port()
        # what moto holds is its process's, so a bucket of an earlier test would still be there
        httpx.post(f"http://{host}:{port}/moto-api/reset").raise_for_status()
        environment = KEYS | {"AWS_ENDPOINT_URL": f"http://{host}:{port}"}
        with pytest.MonkeyPatch.context() as patch:
            for name, value in environment.items():
                patch.setenv(name, value)
            system = fsspec.filesystem("s3", skip_instance_cache=True)
            system.mkdir(BUCKET.removeprefix("s3://"))
            yield environment
            fsspec.filesystem("s3").clear_instance_cache()
    finally:
        server.stop()

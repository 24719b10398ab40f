"""What a shard takes of a machine."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Resources:
    """What a shard takes of a node, and how often it is begun again after the loss of one."""

    cpus: float = 1.0
    gpus: float = 0.0
    retries: int = 3

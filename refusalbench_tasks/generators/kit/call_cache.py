"""Which finished calls of models a run may take from those of a former one."""

from inspect_ai.model import CachePolicy


def cache_policy(cache: bool, seed: int) -> CachePolicy | bool:
    """Return the policy by which a killed run repays no finished call; another seed asks anew."""
    return CachePolicy(expiry="1W", scopes={"refusalbench_seed": str(seed)}) if cache else False

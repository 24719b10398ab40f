"""The name under which the library `verifiers` finds the taskset of synthetic rows:
`refusalbench-worlds`.
"""

from refusalbench_tasks.worlds.environment import WorldsEnv, WorldsTaskset

__all__ = ["WorldsEnv", "WorldsTaskset"]

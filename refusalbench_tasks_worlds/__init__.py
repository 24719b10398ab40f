"""The name under which the library `verifiers` finds the taskset of worlds:
`refusalbench-tasks-worlds`.
"""

from refusalbench_tasks.worlds.environment import WorldsEnv, WorldsTaskset

__all__ = ["WorldsEnv", "WorldsTaskset"]

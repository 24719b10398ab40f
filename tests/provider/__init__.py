"""A local model provider for tests and benchmarks: real clients, real protocols,
scripted replies and faults.
"""

from tests.provider.call import Call
from tests.provider.reply import Fault, Reply, Script, faulty
from tests.provider.server import Server

__all__ = ["Call", "Fault", "Reply", "Script", "Server", "faulty"]

"""How much memory a process has taken."""

import re
import resource
from pathlib import Path


def peak_kilobytes() -> int:
    """Return the most memory that this process has held since its program started, in kilobytes.

    On Linux `ru_maxrss` would start at the peak of the process that started this one, so `VmHWM` is read.
    """
    status = Path("/proc/self/status")
    found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text(encoding="ascii")) if status.is_file() else None
    return int(found[1]) if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

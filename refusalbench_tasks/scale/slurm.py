"""The work list as an array of Slurm jobs."""

import shlex
from math import ceil

from refusalbench_tasks.scale.command_line import cluster_command
from refusalbench_tasks.scale.resources import Resources
from refusalbench_tasks.scale.work_list import WorkList


def slurm_script(work: WorkList, resources: Resources, at_once: int, max_connections: int | None) -> str:
    """Return a script for bash that submits an array with a job for each shard, and the merge after it.

    Submitted again, the jobs of finished shards end at once.
    """
    words = shlex.join(cluster_command(work, at_once, max_connections))
    options = "".join(f" {shlex.quote(word)}" for word in ("--", *work.options)) if work.options else ""
    gpus = f"#SBATCH --gres=gpu:{ceil(resources.gpus)}\n" if resources.gpus else ""
    return f"""#!/bin/bash
# Submit with: bash THIS_FILE
set -euo pipefail

shards=$(sbatch --parsable <<'SHARDS'
#!/bin/bash
#SBATCH --job-name={work.name}
#SBATCH --array=1-{work.shards}%{at_once}
#SBATCH --cpus-per-task={ceil(resources.cpus)}
{gpus}#SBATCH --requeue
#SBATCH --signal=B:TERM@120
exec {words} --only "$SLURM_ARRAY_TASK_ID"{options}
SHARDS
)

sbatch --dependency="afterok:${{shards%%;*}}" <<'MERGE'
#!/bin/bash
#SBATCH --job-name={work.name}-merge
#SBATCH --cpus-per-task=1
exec {words} --local-processes 1{options}
MERGE
"""

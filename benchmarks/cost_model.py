"""What a run of very many calls takes, on paper: `python -m benchmarks.cost_model` prints it for docs/large-logs.md."""

from dataclasses import dataclass
from math import ceil

GB = 1e9


@dataclass(frozen=True)
class Measured:
    """What benchmarks measured of one sample or one process; docs/large-logs.md names them."""

    cpu_seconds: float = 0.0102
    """Of a core for a sample of `nq`."""
    log_bytes: float = 5_600
    """Of a sample in a log, with its events, as packed."""
    process_gigabytes: float = 0.4
    """Memory of a process that runs a shard."""
    merge_seconds: float = 0.00028
    """Of a core for a sample that is merged."""
    rest_of_puts: int = 4
    """Requests that write, for a log in a bucket, beside one for each time that it is written anew."""
    gets: int = 5
    """Requests that read, for a log in a bucket, while it is written."""


@dataclass(frozen=True)
class Prices:
    """In dollars. They are assumed, not measured: put in your own."""

    node_hour: float = 0.80
    """A node of `Plan.cores`."""
    thousand_puts: float = 0.005
    thousand_gets: float = 0.0004
    gigabyte_month: float = 0.023
    million_input: float = 0.15
    """Tokens."""
    million_output: float = 0.60


@dataclass(frozen=True)
class Plan:
    """What is to be run, and where."""

    calls: float = 1e9
    calls_a_sample: float = 1.18
    """The model's, and the judge's for each reply that the form does not decide."""
    seconds_a_call: float = 2.0
    input_tokens: int = 900
    output_tokens: int = 20
    connections: int = 20_000
    """Calls at once that the provider allows, for all processes together."""
    connections_a_process: int = 100
    samples_a_shard: int = 1_000
    log_buffer: int = 10
    cores: int = 16
    gigabytes_a_core: float = 4.0
    samples_a_log: int = 1_000_000
    """Of which one merged log is made."""


@dataclass(frozen=True)
class Cost:
    """What a plan comes to."""

    samples: float
    shards: int
    hours: float
    processes: int
    nodes: int
    log_gigabytes: float
    puts: float
    gets: float
    merged_logs: int
    merge_core_hours: float
    dollars: dict[str, float]


def cost(plan: Plan, measured: Measured, prices: Prices) -> Cost:
    """Return what a plan comes to.

    The provider's limit decides how long it takes: calls x seconds a call / connections. Processes are as many as that
    time needs for the samples' CPU, and at least as many as the connections need; a core runs one. A log in a bucket is
    written anew for each `log_buffer` samples; merging reads it once and copies it once.
    """
    samples = plan.calls / plan.calls_a_sample
    shards = ceil(samples / plan.samples_a_shard)
    seconds = plan.calls * plan.seconds_a_call / plan.connections
    processes = max(ceil(samples * measured.cpu_seconds / seconds), ceil(plan.connections / plan.connections_a_process))
    a_core = min(1.0, plan.gigabytes_a_core / measured.process_gigabytes)
    nodes = ceil(processes / (plan.cores * a_core))
    merge_hours = samples * measured.merge_seconds / 3600
    puts = shards * (ceil(plan.samples_a_shard / plan.log_buffer) + measured.rest_of_puts + 1)
    gets = shards * (measured.gets + 1)
    gigabytes = samples * measured.log_bytes / GB
    node_hours = nodes * seconds / 3600 + merge_hours / plan.cores
    tokens = plan.input_tokens * prices.million_input + plan.output_tokens * prices.million_output
    dollars = {
        "nodes": node_hours * prices.node_hour,
        "requests": puts / 1000 * prices.thousand_puts + gets / 1000 * prices.thousand_gets,
        # the shards, and the merged logs beside them
        "logs, a month": 2 * gigabytes * prices.gigabyte_month,
        "tokens": plan.calls / 1e6 * tokens,
    }
    return Cost(
        samples, shards, seconds / 3600, processes, nodes, gigabytes, puts, gets,
        ceil(samples / plan.samples_a_log), merge_hours, dollars,
    )  # fmt: skip


def table(plan: Plan, measured: Measured, prices: Prices) -> str:
    """Return the table of docs/large-logs.md."""
    found = cost(plan, measured, prices)
    lines = [
        ("samples", f"{found.samples / 1e6:,.0f} million"),
        ("shards of 1,000 samples", f"{found.shards:,}"),
        ("time, by the provider's limit", f"{found.hours:,.1f} hours"),
        ("processes", f"{found.processes:,}"),
        (f"nodes of {plan.cores} cores", f"{found.nodes:,}"),
        ("logs", f"{found.log_gigabytes:,.0f} GB"),
        ("requests that write to the bucket", f"{found.puts / 1e6:,.0f} million"),
        ("requests that read from it", f"{found.gets / 1e6:,.1f} million"),
        ("merged logs of a million samples", f"{found.merged_logs:,}"),
        ("merging", f"{found.merge_core_hours:,.0f} hours of a core"),
        *((f"{name}, in dollars", f"{value:,.0f}") for name, value in found.dollars.items()),
    ]
    return "\n".join(["| what | how much |", "|---|---|", *(f"| {name} | {value} |" for name, value in lines)])


if __name__ == "__main__":
    print(table(Plan(), Measured(), Prices()))

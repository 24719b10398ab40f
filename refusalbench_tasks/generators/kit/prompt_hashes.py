"""By which prompts a run writes and reads, noted in its log when it starts: files change later, the log does not."""

from importlib import resources

from refusalbench_tasks.generators.kit.text_digest import text_digest


def prompt_hashes(package: str) -> dict[str, str]:
    """Return the hash of each prompt that is shipped with a package, by its file's name."""
    folder = resources.files(package) / "prompts"
    prompts = sorted(
        (file for file in folder.iterdir() if file.name.endswith((".txt", ".yaml"))), key=lambda file: file.name
    )
    return {file.name: text_digest(file.read_text(encoding="utf-8")) for file in prompts}

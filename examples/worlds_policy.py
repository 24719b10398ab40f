"""A small open model that replies to rows of worlds and learns, on a CPU."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from refusalbench_tasks.taxonomy import REFUSALS

PROMPT = (
    "Answer in a few words, from the text alone. If it gives no single answer, reply"
    f" with the code that says why: {', '.join(code.value for code in REFUSALS)}."
)
LAYERS = 8
"""Layers that learn: the last ones."""
LONGEST = 18
"""Tokens of a reply."""


class Policy:
    """A model whose last layers learn."""

    def __init__(self, name: str) -> None:
        path = Path(name)
        of_file = {"gguf_file": path.name} if path.suffix == ".gguf" else {}
        source = str(path.parent) if of_file else name
        self.tokens = AutoTokenizer.from_pretrained(source, **of_file)
        self.tokens.padding_side = "left"
        model = AutoModelForCausalLM.from_pretrained(source, dtype="float32", **of_file)
        self.model: Any = model.requires_grad_(False)
        self.model.model.layers[-LAYERS:].requires_grad_(True)
        self.learns = [part for part in self.model.parameters() if part.requires_grad]

    def encoded(self, rows: Sequence[Any], ends: Sequence[str]) -> Any:
        """Return the prompts of rows, each with what follows it."""
        texts = []
        for item, end in zip(rows, ends, strict=True):
            passage = item.get("perturbed_context")
            question = item.get("perturbed_query") or item["query"]
            text = f"{PROMPT}\n\n{passage}\n\n{question}" if passage else question
            chat = [{"role": "user", "content": text}]
            apply = self.tokens.apply_chat_template
            texts.append(apply(chat, tokenize=False, add_generation_prompt=True) + end)
        return self.numbers(texts)

    def numbers(self, texts: Sequence[str]) -> Any:
        """Return texts as numbers of tokens, padded on the left."""
        return self.tokens(
            texts,
            return_tensors="pt",
            padding=True,
            add_special_tokens=False,
        )

    @torch.no_grad()
    def replies(self, rows: Sequence[Any], samples: int = 1) -> list[str]:
        """Return a greedy reply to each row, or some samples."""
        batch = self.encoded(rows, [""] * len(rows))
        with torch.autocast("cpu", dtype=torch.bfloat16):
            written = self.model.generate(
                **batch,
                do_sample=samples > 1,
                num_return_sequences=samples,
                max_new_tokens=LONGEST,
                pad_token_id=self.tokens.eos_token_id,
            )
        new = written[:, batch["input_ids"].shape[1] :]
        return list(self.tokens.batch_decode(new, skip_special_tokens=True))

    def learn(self, rows: Sequence[Any], replies: Sequence[str], weights: Any) -> float:
        """Add the gradient of replies, each with its weight; return the loss."""
        ends = [reply + self.tokens.eos_token for reply in replies]
        is_reply = self.numbers(ends).attention_mask
        batch, length = self.encoded(rows, ends), is_reply.shape[1]
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = self.model(**batch, logits_to_keep=length + 1).logits[:, :-1]
        chosen = batch["input_ids"][:, -length:, None]
        likely = logits.float().log_softmax(-1).gather(2, chosen)[..., 0]
        loss = -(likely * is_reply * weights[:, None]).sum() / is_reply.sum()
        loss.backward()
        return float(loss)

    def save(self, path: Path) -> None:
        """Write what learns."""
        torch.save(self.learns, path)

    def load(self, path: Path) -> None:
        """Continue with what was written."""
        with torch.no_grad():
            for part, saved in zip(self.learns, torch.load(path), strict=True):
                part.copy_(saved)

"""A small open model that replies to rows of worlds and learns, on a CPU."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, DynamicCache

PROMPT = (
    "Answer in a few words from the text alone, or give the code of why it has no "
    "answer."
)
LAYERS = 8
"""Layers that learn: the last ones."""
LONGEST = 24
"""Tokens of a reply."""


class Read(NamedTuple):
    """Replies to rows, read by the layers that don't learn."""

    hidden: Any
    mask: Any
    chosen: Any
    is_reply: Any


class Policy:
    """A model whose last layers learn."""

    def __init__(self, name: str) -> None:
        path = Path(name)
        of_file = {"gguf_file": path.name} if path.suffix == ".gguf" else {}
        source = str(path.parent) if of_file else name
        self.tokens = AutoTokenizer.from_pretrained(source, **of_file)
        self.tokens.padding_side = "left"
        model = AutoModelForCausalLM.from_pretrained(
            source, dtype="bfloat16", **of_file
        )
        self.model: Any = model.requires_grad_(False).eval()
        self.layers = self.model.model.layers
        self.norm = self.model.model.norm
        for layer in self.layers[-LAYERS:]:
            layer.float().requires_grad_(True)
        self.learns = [part for part in self.model.parameters() if part.requires_grad]

    @contextmanager
    def only(self, layers: Any, norm: Any) -> Iterator[None]:
        """Use these layers alone."""
        base = self.model.model
        base.layers, base.norm = layers, norm
        try:
            with torch.autocast("cpu", dtype=torch.bfloat16):
                yield
        finally:
            base.layers, base.norm = self.layers, self.norm

    def encoded(self, rows: Sequence[Any], ends: Sequence[str]) -> Any:
        """Return the prompts of rows, each with what follows it."""
        texts = []
        for item, end in zip(rows, ends, strict=True):
            passage = item.get("perturbed_context")
            question = item.get("perturbed_query") or item["query"]
            text = f"{passage}\n\n{question}" if passage else question
            chat = [
                {"role": "system", "content": PROMPT if passage else ""},
                {"role": "user", "content": text},
            ]
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
        cache = DynamicCache(config=self.model.config)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            self.model.model(
                input_ids=batch.input_ids[:, :-1],
                attention_mask=batch.attention_mask[:, :-1],
                position_ids=(batch.attention_mask.cumsum(1) - 1).clamp(0)[:, :-1],
                past_key_values=cache,
            )
            cache.batch_repeat_interleave(samples)
            written = self.model.generate(
                input_ids=batch.input_ids.repeat_interleave(samples, 0),
                attention_mask=batch.attention_mask.repeat_interleave(samples, 0),
                past_key_values=cache,
                do_sample=samples > 1,
                max_new_tokens=LONGEST,
                pad_token_id=self.tokens.eos_token_id,
            )
        new = written[:, batch["input_ids"].shape[1] :]
        return list(self.tokens.batch_decode(new, skip_special_tokens=True))

    @torch.no_grad()
    def read(self, rows: Sequence[Any], replies: Sequence[str]) -> Read:
        """Return replies to rows as the layers that learn see them."""
        ends = [reply + self.tokens.eos_token for reply in replies]
        is_reply = self.numbers(ends).attention_mask
        batch = self.encoded(rows, ends)
        with self.only(self.layers[:-LAYERS], torch.nn.Identity()):
            hidden = self.model.model(**batch, use_cache=False).last_hidden_state
        chosen = batch.input_ids[:, -is_reply.shape[1] :, None]
        return Read(hidden, batch.attention_mask, chosen, is_reply)

    def learn(self, read: Read, weights: Any) -> float:
        """Add the gradient of replies, each with its weight; return the loss."""
        length = read.is_reply.shape[1]
        with self.only(self.layers[-LAYERS:], self.norm):
            states = self.model.model(
                inputs_embeds=read.hidden,
                attention_mask=read.mask,
                use_cache=False,
            ).last_hidden_state[:, -length - 1 : -1]
            is_reply = read.is_reply.bool()
            logits = self.model.lm_head(states[is_reply]).float()
        likely = logits.log_softmax(-1).gather(1, read.chosen[is_reply])[:, 0]
        each = weights[:, None].expand(-1, length)[is_reply]
        loss = -(likely * each).sum() / len(each)
        loss.backward()
        return float(loss.item())

    def save(self, path: Path) -> None:
        """Write what learns."""
        torch.save(self.learns, path)

    def load(self, path: Path) -> None:
        """Continue with what was written."""
        with torch.no_grad():
            for part, saved in zip(self.learns, torch.load(path), strict=True):
                part.copy_(saved)

"""A tiny GPT-2 on disk whose next token depends on the last one only, with the probabilities that a test wants."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest


def save_bigrams(folder: Path, follows: Mapping[str, Mapping[str, float]]) -> None:
    """Write a model and its byte-level tokenizer. `follows` gives what follows a token; all else ends the text."""
    torch = pytest.importorskip("torch", reason="torch is not installed: the hf provider can't be run")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    from tokenizers.pre_tokenizers import ByteLevel

    end = "<|endoftext|>"
    vocabulary = {token: i for i, token in enumerate([*sorted(ByteLevel.alphabet()), end])}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.json").write_text(json.dumps(vocabulary))
    (folder / "merges.txt").write_text("#version: 0.2\n")
    transformers.GPT2Tokenizer(str(folder / "vocab.json"), str(folder / "merges.txt")).save_pretrained(folder)

    size, last = len(vocabulary), vocabulary[end]
    config = transformers.GPT2Config(
        vocab_size=size, n_embd=size, n_head=1, n_layer=1, n_positions=16384, tie_word_embeddings=False,
        bos_token_id=last, eos_token_id=last,
    )  # fmt: skip
    model = transformers.GPT2LMHeadModel(config)
    logits = torch.full((size, size), -25.0)
    logits[last] = 25.0
    for token, shares in follows.items():
        logits[last, vocabulary[token]] = -25.0
        for other, share in shares.items():
            logits[vocabulary[other], vocabulary[token]] = torch.tensor(share).log()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
        # the embedding says which token was last; the norm's bias undoes its centring, and the head its scale
        spread = (torch.tensor((1 / size) * (1 - 1 / size)) + config.layer_norm_epsilon).sqrt()
        model.transformer.wte.weight.copy_(torch.eye(size))
        model.transformer.ln_f.weight.fill_(1.0)
        model.transformer.ln_f.bias.fill_(1 / size / spread)
        model.lm_head.weight.copy_(logits * spread)
    model.save_pretrained(folder)

# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Tiny language models as transformers saves them, and what it computes with them: fixtures/language/NAME.

expected.safetensors: `tokens` [2, 9], `logits` [9, 272] of the first text (thinned), `last_logits` [272] behind the
second one, `loss` [1] (mean over what is predicted in both) and `gradients`, thinned, one behind another in the order of
the parameters' names in transformers and with the orientation that the schedules have: GPT-2's linear weights as [out, in].
"""

import json
import tempfile
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM, BloomConfig, GPT2Config, OPTConfig
from transformers.pytorch_utils import Conv1D

from common import FIXTURES, gradients, packed, save_json, save_tensors, seed_weights, thinned

TARGET = FIXTURES / "language"
TOKENS = {"vocab_size": 272, "bos_token_id": 0, "eos_token_id": 1, "pad_token_id": 2}
OPT = {"ffn_dim": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "max_position_embeddings": 24}
MODELS = {
    "opt": OPTConfig(**OPT, **TOKENS, hidden_size=12, word_embed_proj_dim=12),
    # As OPT-350m: a narrow table, and norms behind what they normalise.
    "opt_narrow": OPTConfig(**OPT, **TOKENS, hidden_size=16, word_embed_proj_dim=8, do_layer_norm_before=False),
    "gpt2": GPT2Config(**TOKENS, n_positions=24, n_embd=12, n_layer=2, n_head=2, n_inner=48),
    # Three heads: their slopes are not those of a power of two.
    "bloom": BloomConfig(**TOKENS, hidden_size=12, n_layer=2, n_head=3, seq_length=24),
}


def made(config) -> torch.nn.Module:
    """With numbers that fp16 holds, in fp32. Biases and norms differ from 0 and 1."""
    model = AutoModelForCausalLM.from_config(config, attn_implementation="eager").eval()
    seed_weights(model, 7000)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(parameter.half().float())
    return model


def expected(model) -> dict:
    generator = torch.Generator("cpu").manual_seed(11)
    tokens = torch.randint(3, TOKENS["vocab_size"], (2, 9), generator=generator)
    output = model(input_ids=tokens, labels=tokens)
    output.loss.backward()
    turned = {f"{name}.weight" for name, module in model.named_modules() if isinstance(module, Conv1D)}
    named = gradients(model).items()
    return {
        "tokens": tokens,
        "logits": thinned(output.logits[0]),
        "last_logits": output.logits[1, -1],
        "loss": output.loss.reshape(1),
        "gradients": packed({name: thinned(value.T if name in turned else value) for name, value in named}),
    }


def save_model(name: str, model) -> None:
    target = TARGET / name
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        model.half().save_pretrained(folder)
        tensors = load_file(f"{folder}/model.safetensors")
        config = json.loads((Path(folder) / "config.json").read_text())
    if name == "gpt2":  # as it was published
        tensors = {key.removeprefix("transformer."): value for key, value in tensors.items()}
    config.pop("transformers_version")
    save_json(target / "config.json", config)
    save_file(tensors, str(target / "model.safetensors"), metadata={"format": "pt"})
    (target / "model.safetensors").chmod(0o644)


def main() -> None:
    for name, config in MODELS.items():
        model = made(config)
        save_tensors(TARGET / name / "expected.safetensors", expected(model))
        save_model(name, model)


if __name__ == "__main__":
    main()

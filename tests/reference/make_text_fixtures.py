# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""CLIP text encoders: hidden states of every layer, final normalisation, skipped layers and all gradients."""

import torch
from transformers import CLIPTextModel, CLIPTokenizer

from common import FIXTURES, MODELS, gradients, randn, save_json, save_tensors, thinned

PROMPTS = ["a photo of sks dog", "An astronaut, riding a horse on the moon; oil painting (detailed:1.2)"]

TOKENS = "gradient/text_model.embeddings.token_embedding.weight"


def run_model(name: str, seed: int) -> tuple[dict, dict]:
    """Hidden states as `output_hidden_states` gives them: 0 = embeddings, i = after layer i, before the final norm."""
    tokenizer = CLIPTokenizer.from_pretrained(FIXTURES / name / "tokenizer")
    model = CLIPTextModel.from_pretrained(FIXTURES / name / "text_encoder").eval()
    batch = tokenizer(PROMPTS, padding="max_length", max_length=77, truncation=True, return_tensors="pt")
    ids = batch.input_ids
    target = randn((len(PROMPTS), 77, model.config.hidden_size), seed)
    output = model(ids, output_hidden_states=True)
    loss = (output.last_hidden_state - target).square().mean()
    model.zero_grad(set_to_none=True)
    loss.backward()
    found = {f"hidden/{i}": value for i, value in enumerate(output.hidden_states)}
    found["last_hidden_state"] = output.last_hidden_state
    for skip in (1, 2):  # what StableDiffusionPipeline gives for clip_skip=1 and 2
        found[f"clip_skip/{skip}"] = model.final_layer_norm(output.hidden_states[-(skip + 1)])
    found |= {f"gradient/{text_key(key)}": value for key, value in gradients(model).items()}
    found[TOKENS] = rows_of(ids, found[TOKENS])
    tensors = {"input/input_ids": ids, "target": target, "loss": loss.reshape(1)}
    tensors |= {name: thinned(value) for name, value in found.items()}
    about = {
        "prompts": PROMPTS,
        "pad_token_id": tokenizer.pad_token_id,
        "start_token_id": tokenizer.bos_token_id,
        "end_token_id": tokenizer.eos_token_id,
        "layers": model.config.num_hidden_layers,
        "hidden_act": model.config.hidden_act,
        "zero_gradient": [text_key(k) for k in gradients(model) if k.endswith("k_proj.bias")],
    }
    return tensors, about


def rows_of(ids: torch.Tensor, gradient: torch.Tensor) -> torch.Tensor:
    """Of the tokens that occur, in the order of their ids; all other rows are zero."""
    used = ids.unique()
    if gradient.index_fill(0, used, 0.0).any():
        raise ValueError("a token that does not occur has a gradient")
    return gradient[used]


def text_key(key: str) -> str:
    """The key as users' files have it."""
    return key if key.startswith("text_model.") else "text_model." + key


def main() -> None:
    about = {}
    for index, name in enumerate(MODELS):
        tensors, about[name] = run_model(name, 900 + index)
        save_tensors(FIXTURES / "text" / f"{name}.safetensors", tensors)
    save_json(FIXTURES / "text" / "cases.json", about)


if __name__ == "__main__":
    main()

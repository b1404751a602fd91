# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""UNet forward at sizes that divide evenly and that do not: in one case with the output of every block and all gradients,
in the others with the output of what changes the size."""

import re

import torch
from diffusers import UNet2DConditionModel

from common import FIXTURES, MODELS, gradients, packed, randn, record_outputs, save_json, save_tensors, thinned

# name: batch, latent height, latent width, timesteps, every block and gradients too
CASES = {
    "even": (1, 8, 8, [981], False),
    "uneven": (2, 6, 10, [1, 654], True),
    "odd": (1, 7, 9, [321], False),
}
TOKENS = 77

# What the engine has as values of their own; what lies within them is seen by the gradients.
BLOCKS = re.compile(r"conv_in|time_embedding|.*\.(resnets|attentions|downsamplers|upsamplers)\.\d+")
SAMPLERS = re.compile(r".*\.(downsamplers|upsamplers)\.\d+")


def run_case(unet, name: str, seed: int) -> tuple[dict, dict]:
    """One forward (and backward of mean((output - target)^2)); returns tensors and their description."""
    batch, height, width, steps, with_gradients = CASES[name]
    sample = randn((batch, 4, height, width), seed).requires_grad_()
    text = randn((batch, TOKENS, unet.config.cross_attention_dim), seed + 1).requires_grad_()
    timestep = torch.tensor(steps, dtype=torch.int64)
    seen, handles = record_outputs(unet, (BLOCKS if with_gradients else SAMPLERS).fullmatch)
    output = unet(sample, timestep, encoder_hidden_states=text).sample
    for handle in handles:
        handle.remove()
    tensors = {
        "input/sample": sample,
        "input/timestep": timestep,
        "input/encoder_hidden_states": text,
        "sample": output,
    }
    tensors |= {f"output/{path}": thinned(value) for path, value in seen.items()}
    if with_gradients:
        target = randn((batch, 4, height, width), seed + 2)
        loss = (output - target).square().mean()
        unet.zero_grad(set_to_none=True)
        loss.backward()
        tensors |= {"target": target, "loss": loss.reshape(1)}
        tensors["gradients"] = packed({key: thinned(value) for key, value in gradients(unet).items()})
        tensors["input_gradient/sample"] = thinned(sample.grad)
        tensors["input_gradient/encoder_hidden_states"] = thinned(text.grad)
    about = {"batch": batch, "height": height, "width": width, "timesteps": steps, "gradients": with_gradients}
    return {f"{name}/{key}": value for key, value in tensors.items()}, about


def main() -> None:
    about = {}
    for index, model in enumerate(MODELS):
        unet = UNet2DConditionModel.from_pretrained(FIXTURES / model / "unet").eval()
        tensors, about[model] = {}, {}
        for offset, name in enumerate(CASES):
            more, about[model][name] = run_case(unet, name, 100 * index + 10 * offset + 5)
            tensors |= more
        save_tensors(FIXTURES / "unet" / f"{model}.safetensors", tensors)
    save_json(FIXTURES / "unet" / "cases.json", about)


if __name__ == "__main__":
    main()

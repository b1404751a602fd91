#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Writes a full-size model with seeded random weights and what diffusers computes with it, for the slow tests.

    full_size.py tests/configs/sd15 OUT [--tokenizer DIR] [--pixels 256] [--store fp16|fp32]

OUT/model is a diffusers folder; OUT/reference.safetensors and OUT/reference.json hold inputs and results,
OUT/gradients.safetensors and OUT/updated.safetensors the gradient and the updated value of every parameter of the UNet
(README.md). Weights are rounded to the stored type first, so fp16 files are exact in an fp32 computation. About 12 GB
of disk with fp32 weights, 6 GB of memory, and for each model a few minutes on two cores.
"""

import argparse
import gc
import json
import shutil
from pathlib import Path

import diffusers
import torch

from common import randn, rewrite_text_prefix, save_json, save_tensors, seed_weights
from full_size_models import empty_network, versions
from tensor_stream import TensorStream

SEED = 31
# The rate is small beside the weights (their rounding must not matter) and large beside the tolerance.
ADAMW = {"lr": 1e-4, "betas": (0.9, 0.999), "eps": 1e-8, "weight_decay": 1e-2}
TIMESTEP = 400


def make_part(source: Path, target: Path, part: str, store: torch.dtype):
    """Seeds, rounds to `store`, saves, and returns the network in fp32."""
    network = empty_network(source, part, torch.float32)
    seed_weights(network, SEED)
    network.to(store)
    network.save_pretrained(target / part, safe_serialization=True, max_shard_size="20GB")
    if part == "text_encoder":
        rewrite_text_prefix(target / part)
    shutil.copyfile(source / part / "config.json", target / part / "config.json")
    return network.to(torch.float32)


def copy_rest(source: Path, target: Path, tokenizer: Path | None) -> None:
    for part in ("scheduler", "tokenizer"):
        shutil.copytree(source / part, target / part, dirs_exist_ok=True)
    if tokenizer:
        for name in ("vocab.json", "merges.txt"):
            shutil.copyfile(tokenizer / name, target / "tokenizer" / name)
    index = json.loads((source / "model_index.json").read_text())
    index["safety_checker"] = index["feature_extractor"] = [None, None]
    (target / "model_index.json").write_text(json.dumps(index, indent=2) + "\n")


@torch.no_grad()
def text_part(text) -> dict:
    """Token ids of no meaning: start, ten tokens, then the end token to the end."""
    ids = torch.full((1, 77), 49407)
    ids[0, 0] = 49406
    ids[0, 1:11] = torch.arange(1000, 11000, 1000)
    output = text(ids, output_hidden_states=True)
    tensors = {"text/input_ids": ids, "text/last_hidden_state": output.last_hidden_state}
    return tensors | {"text/hidden_before_last": output.hidden_states[-2]}


@torch.no_grad()
def vae_part(vae, pixels: int) -> dict:
    latents = randn((1, 4, pixels // 8, pixels // 8), SEED + 1)
    image = randn((1, 3, pixels, pixels), SEED + 2).clamp(-1, 1)
    return {
        "vae/latents": latents,
        "vae/decoded": vae.decode(latents / vae.config.scaling_factor).sample,
        "vae/image": image,
        "vae/moments": vae.encode(image).latent_dist.parameters,
    }


def train_step(unet, scheduler, text: torch.Tensor, pixels: int, out: Path) -> tuple[dict, dict]:
    """Forward, backward and AdamW, each parameter stepping as soon as its gradient is there: no clipping."""
    side = pixels // 8
    latents, noise = randn((1, 4, side, side), SEED + 3), randn((1, 4, side, side), SEED + 4)
    timestep = torch.tensor([TIMESTEP])
    noisy = scheduler.add_noise(latents, noise, timestep)
    is_v = scheduler.config.prediction_type == "v_prediction"
    target = scheduler.get_velocity(latents, noise, timestep) if is_v else noise
    shapes = {name: parameter.shape for name, parameter in unet.named_parameters()}
    gradients = TensorStream(out / "gradients.safetensors", shapes)
    updated = TensorStream(out / "updated.safetensors", shapes)
    norms = {}

    def step(name: str):
        def hook(parameter):
            norms[name] = float(parameter.grad.double().norm())
            gradients.write(name, parameter.grad)
            torch.optim.AdamW([parameter], **ADAMW).step()
            updated.write(name, parameter)
            parameter.grad = None

        return hook

    for name, parameter in unet.named_parameters():
        parameter.register_post_accumulate_grad_hook(step(name))
    unet.enable_gradient_checkpointing()
    unet.train()
    output = unet(noisy, timestep, text).sample
    loss = (output - target).square().mean()
    loss.backward()
    gradients.close()
    updated.close()
    total = sum(value**2 for value in norms.values()) ** 0.5
    tensors = {"unet/latents": latents, "unet/noise": noise, "unet/timestep": timestep, "unet/noisy": noisy}
    tensors |= {"unet/encoder_hidden_states": text, "unet/sample": output, "unet/target": target}
    tensors |= {"unet/loss": loss.detach().reshape(1), "unet/gradient_norm": torch.tensor([total])}
    return tensors, norms


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--tokenizer", type=Path, help="folder with vocab.json and merges.txt, to make the folder whole")
    parser.add_argument("--pixels", type=int, default=256)
    parser.add_argument("--store", choices=("fp16", "fp32"), default="fp16")
    parser.add_argument("--threads", type=int, default=0)
    options = parser.parse_args()
    torch.set_num_threads(options.threads or torch.multiprocessing.cpu_count())
    store = torch.float16 if options.store == "fp16" else torch.float32
    model = options.out / "model"
    model.mkdir(parents=True, exist_ok=True)
    copy_rest(options.config, model, options.tokenizer)

    tensors = text_part(make_part(options.config, model, "text_encoder", store))
    tensors |= vae_part(make_part(options.config, model, "vae", store), options.pixels)
    gc.collect()
    scheduler = diffusers.DDPMScheduler.from_pretrained(options.config, subfolder="scheduler")
    unet = make_part(options.config, model, "unet", store)
    more, norms = train_step(unet, scheduler, tensors["text/last_hidden_state"], options.pixels, options.out)
    about = {"optimizer": ADAMW, "pixels": options.pixels, "gradient_norms": norms, "versions": versions()}
    about |= {"loss": float(more["unet/loss"]), "output_std": float(more["unet/sample"].detach().std())}
    about["gradient_norm"] = float(more["unet/gradient_norm"])
    save_tensors(options.out / "reference.safetensors", tensors | more)
    save_json(options.out / "reference.json", about)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Writes a full-size model with seeded random weights and what diffusers computes with it, for the slow tests.

    full_size.py tests/configs/sd15|sd21-768|sdxl-base OUT [--tokenizer DIR] [--pixels 256] [--store fp16|fp32]

OUT/model is a diffusers folder; OUT/reference.safetensors and OUT/reference.json hold inputs and results,
OUT/gradients.safetensors and OUT/updated.safetensors the gradient and the updated value of every parameter of the UNet,
of SDXL the updated values of some (README.md). Weights are rounded to the stored type first, so fp16 files are exact in
an fp32 computation. With fp32 files 12 GB of disk and 6 GB of memory, with SDXL in fp16 18 and 12 GB; for each model a
few minutes on two cores.
"""

import argparse
import gc
import json
import shutil
from pathlib import Path

import diffusers
import torch

from common import randn, save_json, save_tensors
from full_size_models import TEXT_CLASSES, peak_resident_bytes, seeded_network, versions
from tensor_stream import TensorStream

SEED = 31
# The rate is small beside the weights (their rounding must not matter) and large beside the tolerance.
ADAMW = {"lr": 1e-4, "betas": (0.9, 0.999), "eps": 1e-8, "weight_decay": 1e-2}
TIMESTEP = 400
START_OF_TEXT, END_OF_TEXT = 49406, 49407
PAD = {"text_encoder": END_OF_TEXT, "text_encoder_2": 0}  # of SD 1.5 and SDXL; what a text is padded with is no matter

# Of SDXL. Original height and width, top and left of the cut, target height and width: all different.
TIME_IDS = [[640.0, 480.0, 16.0, 24.0, 512.0, 384.0]]
XL_LATENT = (24, 40)
# Those whose values after the step are written: the engine's optimizer states of all would not fit.
XL_UPDATED = (
    "conv_in.weight",
    "time_embedding.linear_2.weight",
    "add_embedding.linear_1.weight",
    "add_embedding.linear_2.bias",
    "down_blocks.1.attentions.0.transformer_blocks.1.attn1.to_q.weight",
    "down_blocks.2.attentions.1.transformer_blocks.9.norm2.weight",
    "mid_block.attentions.0.transformer_blocks.5.attn2.to_k.weight",
    "up_blocks.0.attentions.2.transformer_blocks.0.ff.net.0.proj.weight",
    "up_blocks.0.resnets.0.conv_shortcut.weight",
    "conv_out.weight",
)


def copy_rest(source: Path, target: Path, tokenizer: Path | None) -> None:
    for part in ("scheduler", "tokenizer", "tokenizer_2"):
        if (source / part).is_dir():
            shutil.copytree(source / part, target / part, dirs_exist_ok=True)
            for name in ("vocab.json", "merges.txt") if tokenizer and part != "scheduler" else ():
                shutil.copyfile(tokenizer / name, target / part / name)
    index = json.loads((source / "model_index.json").read_text())
    index |= {part: [None, None] for part in ("safety_checker", "feature_extractor") if part in index}
    (target / "model_index.json").write_text(json.dumps(index, indent=2) + "\n")


@torch.no_grad()
def text_part(text, group: str, pad: int) -> dict:
    """Token ids of no meaning: start, ten tokens, the end token, padding."""
    ids = torch.full((1, 77), pad)
    ids[0, 0], ids[0, 11] = START_OF_TEXT, END_OF_TEXT
    ids[0, 1:11] = torch.arange(1000, 11000, 1000)
    output = text(ids, output_hidden_states=True)
    tensors = {"input_ids": ids, "last_hidden_state": output.last_hidden_state}
    tensors["hidden_before_last"] = output.hidden_states[-2]
    if "text_embeds" in output:
        tensors["pooled"] = output.text_embeds
    return {f"{group}/{key}": value for key, value in tensors.items()}


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


def conditions_of(tensors: dict) -> dict:
    """What the pipelines tell the UNet of a text."""
    if "text_2/pooled" not in tensors:
        return {"encoder_hidden_states": tensors["text/last_hidden_state"]}
    both = [tensors[f"{group}/hidden_before_last"] for group in ("text", "text_2")]
    told = {"encoder_hidden_states": torch.cat(both, dim=-1), "text_embeds": tensors["text_2/pooled"]}
    return told | {"time_ids": torch.tensor(TIME_IDS)}


def step_as_gradients_come(unet, updated_names: list, out: Path) -> tuple[dict, list]:
    """Writes each parameter's gradient as soon as it is there, then steps with AdamW: no clipping. Returns the norms by
    parameter, which backward fills, and the files to close."""
    shapes = {name: parameter.shape for name, parameter in unet.named_parameters()}
    gradients = TensorStream(out / "gradients.safetensors", shapes)
    updated = TensorStream(out / "updated.safetensors", {name: shapes[name] for name in updated_names})
    chosen, norms = set(updated_names), {}

    def step(name: str):
        def hook(parameter):
            norms[name] = float(parameter.grad.double().norm())
            gradients.write(name, parameter.grad)
            if name in chosen:
                torch.optim.AdamW([parameter], **ADAMW).step()
                updated.write(name, parameter)
            parameter.grad = None

        return hook

    for name, parameter in unet.named_parameters():
        parameter.register_post_accumulate_grad_hook(step(name))
    return norms, [gradients, updated]


def train_step(unet, scheduler, conditions: dict, latent: tuple, out: Path) -> tuple[dict, dict]:
    """Forward, backward and an update."""
    latents, noise = randn((1, 4, *latent), SEED + 3), randn((1, 4, *latent), SEED + 4)
    timestep = torch.tensor([TIMESTEP])
    noisy = scheduler.add_noise(latents, noise, timestep)
    is_v = scheduler.config.prediction_type == "v_prediction"
    target = scheduler.get_velocity(latents, noise, timestep) if is_v else noise
    names = XL_UPDATED if "time_ids" in conditions else [name for name, _ in unet.named_parameters()]
    norms, files = step_as_gradients_come(unet, list(names), out)
    unet.enable_gradient_checkpointing()
    unet.train()
    added = {key: value for key, value in conditions.items() if key != "encoder_hidden_states"}
    output = unet(noisy, timestep, conditions["encoder_hidden_states"], added_cond_kwargs=added or None).sample
    loss = (output - target).square().mean()
    loss.backward()
    for file in files:
        file.close()
    total = sum(value**2 for value in norms.values()) ** 0.5
    tensors = conditions | {"latents": latents, "noise": noise, "timestep": timestep, "noisy": noisy, "target": target}
    tensors |= {"sample": output, "loss": loss.reshape(1), "gradient_norm": torch.tensor([total])}
    return {f"unet/{key}": value.detach() for key, value in tensors.items()}, norms


def all_parts(options, store: torch.dtype) -> tuple[dict, dict]:
    """One network after another; only one of them is in memory at a time."""
    source, model = options.config, options.out / "model"
    tensors = {}
    for part in TEXT_CLASSES:
        if (source / part).is_dir():
            group = part.replace("text_encoder", "text")
            tensors |= text_part(seeded_network(source, model, part, store, SEED), group, PAD[part])
    tensors |= vae_part(seeded_network(source, model, "vae", store, SEED), options.pixels)
    gc.collect()
    scheduler = diffusers.DDPMScheduler.from_pretrained(source, subfolder="scheduler")
    conditions = conditions_of(tensors)
    latent = XL_LATENT if "time_ids" in conditions else (options.pixels // 8, options.pixels // 8)
    unet = seeded_network(source, model, "unet", store, SEED)
    more, norms = train_step(unet, scheduler, conditions, latent, options.out)
    return tensors | more, norms


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--tokenizer", type=Path, help="folder with vocab.json and merges.txt, to make the folder whole")
    parser.add_argument("--pixels", type=int, default=256, help="of the autoencoder, and of the UNet but of SDXL")
    parser.add_argument("--store", choices=("fp16", "fp32"), default="fp16")
    parser.add_argument("--threads", type=int, default=0)
    options = parser.parse_args()
    torch.set_num_threads(options.threads or torch.multiprocessing.cpu_count())
    store = torch.float16 if options.store == "fp16" else torch.float32
    model = options.out / "model"
    model.mkdir(parents=True, exist_ok=True)
    copy_rest(options.config, model, options.tokenizer)
    tensors, norms = all_parts(options, store)
    about = {"optimizer": ADAMW, "pixels": options.pixels, "gradient_norms": norms, "versions": versions()}
    about |= {"loss": float(tensors["unet/loss"]), "output_std": float(tensors["unet/sample"].std())}
    about["gradient_norm"] = float(tensors["unet/gradient_norm"])
    save_tensors(options.out / "reference.safetensors", tensors)
    save_json(options.out / "reference.json", about)
    print(f"peak of the resident memory: {peak_resident_bytes() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()

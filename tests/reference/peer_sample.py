#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""The peer's side of the sampling benchmark: diffusers' UNet at batch 2 (classifier-free guidance) and its VAE.

    peer_sample.py --config tests/configs/sd15 --dtype bf16 --steps N --resolution 512 [--vae decode] --json

Random weights at full size, SDPA attention, channels-last unless --contiguous. Prints medians after one call of warm-up.
"""

import argparse
import json
import statistics
from pathlib import Path

import torch

from common import randn
from full_size_models import configuration, empty_network, fill_quickly, now, peak_bytes, versions

TYPES = {"bf16": torch.bfloat16, "fp32": torch.float32}


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", type=Path, required=True)
    parser.add_argument("--dtype", choices=TYPES, default="bf16")
    parser.add_argument("--steps", type=int, default=3, help="timed calls, after one of warm-up")
    parser.add_argument("--resolution", type=int, default=512)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--threads", type=int, default=0, help="0: all cores")
    parser.add_argument("--contiguous", action="store_true", help="not channels-last")
    parser.add_argument("--vae", choices=("none", "decode", "both"), default="both", help="what of it is timed")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def median_seconds(call, count: int) -> float:
    seconds = []
    for _ in range(count + 1):
        start = now()
        call()
        seconds.append(now() - start)
    return statistics.median(seconds[1:])


def network(options: argparse.Namespace, part: str):
    made = empty_network(options.config, part, TYPES[options.dtype])
    fill_quickly(made)
    made.eval().requires_grad_(False).to(options.device)
    return made if options.contiguous else made.to(memory_format=torch.channels_last)


@torch.inference_mode()
def main() -> None:
    options = parse()
    torch.set_num_threads(options.threads or torch.multiprocessing.cpu_count())
    dtype, side = TYPES[options.dtype], options.resolution // 8
    layout = torch.contiguous_format if options.contiguous else torch.channels_last
    unet = network(options, "unet")
    sample = randn((2, 4, side, side), 1).to(options.device, dtype, memory_format=layout)
    text = randn((2, 77, configuration(options.config, "unet")["cross_attention_dim"]), 2).to(options.device, dtype)
    timestep = torch.tensor(500, device=options.device)
    result = {"unet_batch": 2, "unet_seconds": median_seconds(lambda: unet(sample, timestep, text), options.steps)}
    del unet
    if options.vae != "none":
        vae = network(options, "vae")
        if options.vae == "decode":
            del vae.encoder, vae.quant_conv
        latents = randn((1, 4, side, side), 3).to(options.device, dtype, memory_format=layout)
        result["vae_decode_seconds"] = median_seconds(lambda: vae.decode(latents), options.steps)
    if options.vae == "both":
        image = randn((1, 3, options.resolution, options.resolution), 4)
        image = image.to(options.device, dtype, memory_format=layout)
        result["vae_encode_seconds"] = median_seconds(lambda: vae.encode(image), options.steps)
    result |= peak_bytes() | {"device": options.device, "resolution": options.resolution, "dtype": options.dtype}
    result |= {"steps": options.steps, "config": options.config.name, "channels_last": not options.contiguous}
    result |= versions()
    print(json.dumps(result) if options.json else "\n".join(f"{key}: {value}" for key, value in result.items()))


if __name__ == "__main__":
    main()

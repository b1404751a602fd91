#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""The peer's side of the training benchmark: a DreamBooth step of diffusers on a full-size UNet with random weights.

    peer_step.py --config tests/configs/sd15 --dtype bf16 --steps N --resolution 512 --json

As diffusers' script does it: gradient checkpointing, PyTorch's AdamW with states in the weights' type, batch 1, text
and latents cached, no clipping. Prints seconds (medians after one step of warm-up) and the peak of resident memory.
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
    parser.add_argument("--steps", type=int, default=3, help="timed steps, after one of warm-up")
    parser.add_argument("--resolution", type=int, default=512)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--threads", type=int, default=0, help="0: all cores")
    parser.add_argument("--channels-last", action="store_true")
    parser.add_argument("--fused", action="store_true", help="PyTorch's fused AdamW instead of its default")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def timed_step(unet, optimizer, noisy, timestep, text, target) -> dict:
    """One step; seconds of its parts."""
    start = now()
    prediction = unet(noisy, timestep, text).sample
    loss = torch.nn.functional.mse_loss(prediction.float(), target.float())
    forward = now()
    loss.backward()
    backward = now()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    end = now()
    return {"forward": forward - start, "backward": backward - forward, "optimizer": end - backward, "step": end - start}


def main() -> None:
    options = parse()
    torch.set_num_threads(options.threads or torch.multiprocessing.cpu_count())
    dtype, side = TYPES[options.dtype], options.resolution // 8
    unet = empty_network(options.config, "unet", dtype)
    fill_quickly(unet)
    unet = unet.to(options.device)
    if options.channels_last:
        unet = unet.to(memory_format=torch.channels_last)
    unet.enable_gradient_checkpointing()
    unet.train()
    optimizer = torch.optim.AdamW(unet.parameters(), lr=1e-6, weight_decay=1e-2, fused=options.fused or None)
    noisy, target = (randn((1, 4, side, side), seed).to(options.device, dtype) for seed in (1, 2))
    text = randn((1, 77, configuration(options.config, "unet")["cross_attention_dim"]), 3).to(options.device, dtype)
    timestep = torch.tensor([500], device=options.device)
    timings = [timed_step(unet, optimizer, noisy, timestep, text, target) for _ in range(options.steps + 1)][1:]
    result = {f"{part}_seconds": statistics.median(t[part] for t in timings) for part in timings[0]}
    result |= peak_bytes() | {"device": options.device, "resolution": options.resolution, "dtype": options.dtype}
    result |= {"steps": options.steps, "config": options.config.name, "channels_last": options.channels_last}
    result |= {"fused": options.fused, "gradient_checkpointing": True} | versions()
    result["parameters"] = sum(one.numel() for one in unet.parameters())
    print(json.dumps(result) if options.json else "\n".join(f"{key}: {value}" for key, value in result.items()))


if __name__ == "__main__":
    main()

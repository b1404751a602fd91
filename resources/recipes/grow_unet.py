#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Puts a level around a model's UNet, so that it works at twice the size and still knows what it has learned.

    grow_unet.py MODEL OUTPUT [--seed 1]

MODEL is a diffusers folder whose UNet has weights in fp16 or fp32 and no attention in its first level. OUTPUT receives
the same model with one level more at the outside, as wide as MODEL's first one. The new level averages 2x2 latents on
the way in and repeats them on the way out; what else it has begins with little weight, so that the grown UNet paints
what the small one did, coarsely, and learns edges from there. Needs the Debian package python3-numpy.
"""

import argparse
import json
import shutil
import sys
from pathlib import Path

import numpy

WEIGHTS = "diffusion_pytorch_model.safetensors"
TYPES = {"F16": "<f2", "F32": "<f4"}
LITTLE = 0.1  # of the usual weight for what a new residual block adds


def read_tensors(path: Path) -> dict:
    """name -> array, in fp16 or fp32."""
    data = path.read_bytes()
    begin = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:begin])
    header.pop("__metadata__", None)
    if kinds := {one["dtype"] for one in header.values()} - TYPES.keys():
        sys.exit(f"{path}: expected weights in {' or '.join(TYPES)}, found {', '.join(sorted(kinds))}")
    return {name: numpy.frombuffer(data[begin + one["data_offsets"][0] : begin + one["data_offsets"][1]],
                                   TYPES[one["dtype"]]).reshape(one["shape"]) for name, one in header.items()}


def write_tensors(path: Path, tensors: dict) -> None:
    """In fp32."""
    header, offset = {"__metadata__": {"format": "pt"}}, 0
    for name, values in tensors.items():
        header[name] = {"dtype": "F32", "shape": list(values.shape), "data_offsets": [offset, offset + 4 * values.size]}
        offset += 4 * values.size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with path.open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for values in tensors.values():
            file.write(values.astype(TYPES["F32"]).tobytes())


def moved(name: str, last_up: int) -> str:
    """What a tensor of the small UNet is called in the grown one."""
    kind, _, rest = name.partition(".")
    number, _, rest = rest.partition(".")
    if kind == "down_blocks":
        return f"down_blocks.{int(number) + 1}.{rest}"
    if kind == "up_blocks" and int(number) > last_up:
        sys.exit(f"{name}: expected {last_up + 1} blocks on the way up")
    return name


class NewBlock:
    """Weights of a level `width` wide, as they begin."""

    def __init__(self, width: int, time_width: int, random: numpy.random.Generator):
        self.width, self.time_width, self.random = width, time_width, random
        self.identity = numpy.eye(width, dtype=numpy.float32)

    def drawn(self, *shape: int) -> dict:
        bound = 1 / numpy.sqrt(numpy.prod(shape[1:]))
        return {"weight": self.random.uniform(-bound, bound, shape), "bias": self.random.uniform(-bound, bound, shape[0])}

    def residual(self, prefix: str, inputs: int) -> dict:
        parts = {"norm1": {"weight": numpy.ones(inputs), "bias": numpy.zeros(inputs)},
                 "conv1": self.drawn(self.width, inputs, 3, 3),
                 "time_emb_proj": self.drawn(self.width, self.time_width),
                 "norm2": {"weight": numpy.ones(self.width), "bias": numpy.zeros(self.width)},
                 "conv2": {key: LITTLE * values for key, values in self.drawn(self.width, self.width, 3, 3).items()}}
        if inputs != self.width:  # what comes from below; the skip connection is learned
            shortcut = numpy.zeros((self.width, inputs, 1, 1))
            shortcut[:, : self.width, 0, 0] = self.identity
            parts["conv_shortcut"] = {"weight": shortcut, "bias": numpy.zeros(self.width)}
        return {f"{prefix}.{part}.{key}": values for part, pair in parts.items() for key, values in pair.items()}

    def averaging(self, prefix: str) -> dict:
        """A convolution of stride 2."""
        kernel = numpy.zeros((self.width, self.width, 3, 3))
        kernel[:, :, 1:, 1:] = self.identity[:, :, None, None] / 4
        return {f"{prefix}.conv.weight": kernel, f"{prefix}.conv.bias": numpy.zeros(self.width)}

    def repeating(self, prefix: str) -> dict:
        """A convolution behind the nearest neighbours."""
        kernel = numpy.zeros((self.width, self.width, 3, 3))
        kernel[:, :, 1, 1] = self.identity
        return {f"{prefix}.conv.weight": kernel, f"{prefix}.conv.bias": numpy.zeros(self.width)}


def grow(config: dict, tensors: dict, random: numpy.random.Generator) -> dict:
    """The weights of the grown UNet; `config` becomes its configuration."""
    if config["down_block_types"][0] != "DownBlock2D" or config["up_block_types"][-1] != "UpBlock2D":
        sys.exit("expected a UNet without attention in its first level, found "
                 f"{config['down_block_types'][0]} and {config['up_block_types'][-1]}")
    last_up = len(config["up_block_types"]) - 1
    width = config["block_out_channels"][0]
    block = NewBlock(width, tensors["time_embedding.linear_2.weight"].shape[0], random)
    grown = {moved(name, last_up): values for name, values in tensors.items()}
    for layer in range(config["layers_per_block"]):
        grown |= block.residual(f"down_blocks.0.resnets.{layer}", width)
    grown |= block.averaging("down_blocks.0.downsamplers.0") | block.repeating(f"up_blocks.{last_up}.upsamplers.0")
    for layer in range(config["layers_per_block"] + 1):
        grown |= block.residual(f"up_blocks.{last_up + 1}.resnets.{layer}", 2 * width)
    for key in ("block_out_channels", "attention_head_dim", "down_block_types"):
        config[key] = config[key][:1] + config[key]
    config["up_block_types"] += config["up_block_types"][-1:]
    config["sample_size"] *= 2
    return grown


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    part = options.output.with_name(options.output.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    shutil.copytree(options.model, part)
    settings = part / "unet" / "config.json"
    config = json.loads(settings.read_text(encoding="utf-8"))
    grown = grow(config, read_tensors(part / "unet" / WEIGHTS), numpy.random.default_rng(options.seed))
    write_tensors(part / "unet" / WEIGHTS, grown)
    settings.write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    part.rename(options.output)
    print(f"{sum(values.size for values in grown.values())} parameters, {len(config['block_out_channels'])} levels")


if __name__ == "__main__":
    main()

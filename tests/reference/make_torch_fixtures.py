# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/fixtures/torch/: what torch.save makes of tensors, and the same tensors as .safetensors.

Usage: python tests/reference/make_torch_fixtures.py
zip.ckpt: as since PyTorch 1.6; old.ckpt: as before; protocol4.ckpt: a ZIP whose pickle is of a later protocol. All three
hold a checkpoint as trainers write it: tensors of every type that models have under "state_dict", parameters,
transposed, repeated and overlapping ones, and beside them what readers pass over.
"""
import collections
import pathlib

import safetensors.torch
import torch

TARGET = pathlib.Path(__file__).parent.parent / "fixtures" / "torch"
TYPES = (torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16, torch.int8,
         torch.uint8, torch.bool)


def tensors() -> dict[str, torch.Tensor]:
    numbers = torch.arange(24, dtype=torch.float32).reshape(4, 6) / 8 - 1
    named = {str(kind).removeprefix("torch."): numbers[:1, :3].to(kind) for kind in TYPES}
    return named | {
        "numbers": numbers,
        "a.parameter": torch.nn.Parameter(numbers[0].clone()),
        "transposed": numbers.t(),
        "second.half": numbers[2:],
        "every.other": numbers[:, 1::2],
        "repeated": torch.tensor([[0.5], [2.0]]).expand(2, 3),
        "one": torch.tensor(0.25),
        "none": torch.empty(0, 5),
        "convolution": torch.arange(12, dtype=torch.float16).reshape(1, 3, 2, 2).to(memory_format=torch.channels_last),
    }


def checkpoint() -> dict:
    weights = collections.OrderedDict(tensors())
    weights._metadata = {"": {"version": 1}}
    weights["complex"] = torch.ones(2, dtype=torch.complex64)
    parameter = torch.nn.Parameter(torch.ones(2))
    optimizer = torch.optim.AdamW([parameter])
    parameter.grad = torch.ones(2)
    optimizer.step()
    return {
        "epoch": 3,
        "global_step": 875000,
        "version": "1.4.2",
        "rate": 1e-4,
        "large": 2**70,
        "negative": -5,
        "bytes": b"bytes",
        "shape": torch.Size([2, 3]),
        "type": torch.float16,
        "nothing": (None, True, False, {1, 2}, [], ()),
        "optimizer_states": [optimizer.state_dict()],
        "state_dict": weights,
    }


def main() -> None:
    TARGET.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(0)
    torch.save(checkpoint(), TARGET / "zip.ckpt")
    torch.save(checkpoint(), TARGET / "old.ckpt", _use_new_zipfile_serialization=False)
    torch.save(checkpoint(), TARGET / "protocol4.ckpt", pickle_protocol=4)
    plain = {name: tensor.detach().contiguous().clone() for name, tensor in tensors().items()}
    safetensors.torch.save_file(plain, TARGET / "expected.safetensors")


if __name__ == "__main__":
    main()

# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""What all fixture makers share: places, seeded weights, and how fixtures are written."""

import json
import math
import os
import zlib
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch
from safetensors.torch import save_file

TESTS = Path(__file__).resolve().parent.parent
FIXTURES = TESTS / "fixtures"
CONFIGS = TESTS / "configs"
MODELS = ("tiny-sd1", "tiny-sd2")

torch.set_num_threads(1)  # the thread count changes the last bits


def generator(seed: int) -> torch.Generator:
    return torch.Generator("cpu").manual_seed(seed)


def randn(shape, seed: int) -> torch.Tensor:
    """Normal fp32 numbers from the CPU generator, as the engine draws its latents."""
    return torch.randn(shape, generator=generator(seed), dtype=torch.float32)


def seeded_tensor(name: str, like: torch.Tensor, seed: int, gain: float = 1.0) -> torch.Tensor:
    """A weight that depends only on its name, shape and seed; norms and biases differ from 1 and 0 on purpose."""
    values = randn(like.shape, seed + zlib.crc32(name.encode()) % 2**31)
    if like.dim() >= 2:
        if "embedding.weight" in name:
            return values * 0.3
        return values * (gain / math.sqrt(like[0].numel()))
    if name.endswith("weight"):
        return 1.0 + 0.1 * values
    return 0.05 * values


@torch.no_grad()
def seed_weights(module: torch.nn.Module, seed: int, gain: float = 1.0) -> None:
    """Overwrites every parameter of `module` by `seeded_tensor`."""
    for name, parameter in module.named_parameters():
        parameter.copy_(seeded_tensor(name, parameter, seed, gain).to(parameter.dtype))


STRIDE = 61  # tests/held_numbers.h


def thinned(tensor: torch.Tensor) -> torch.Tensor:
    """Of large tensors every STRIDE-th number in a row: what is wrong is wrong in those, too."""
    return tensor if tensor.numel() <= 64 else tensor.flatten()[::STRIDE]


def packed(tensors: dict) -> torch.Tensor:
    """All of them in one row, in the order of their names: the names alone would take as much room again. Whoever reads
    it knows names and shapes from the weights."""
    return torch.cat([tensors[name].flatten() for name in sorted(tensors)])


def save_tensors(path: Path, tensors: dict) -> None:
    """Writes contiguous copies (safetensors refuses shared memory)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    save_file({k: v.detach().clone().contiguous() for k, v in tensors.items()}, str(path))
    path.chmod(0o644)
    print(f"{path.name}: {path.stat().st_size} bytes, {len(tensors)} tensors")


def save_json(path: Path, value) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, separators=(",", ":"), sort_keys=True) + "\n")
    print(f"{path.name}: {path.stat().st_size} bytes")


def record_outputs(module: torch.nn.Module, wanted) -> tuple[dict, list]:
    """Hooks every sub-module whose path satisfies `wanted`; returns the dictionary that forward fills, and handles."""
    seen: dict = {}
    handles = []

    def hook(path):
        def keep(_module, _inputs, output):
            value = output[0] if isinstance(output, tuple) else getattr(output, "sample", output)
            seen[path] = value.detach().clone()

        return keep

    for path, child in module.named_modules():
        if path and wanted(path):
            handles.append(child.register_forward_hook(hook(path)))
    return seen, handles


def gradients(module: torch.nn.Module) -> dict:
    """Name to gradient of all parameters; fails on one that got none."""
    result = {}
    for name, parameter in module.named_parameters():
        if parameter.grad is None:
            raise RuntimeError(f"{name} got no gradient")
        result[name] = parameter.grad
    return result


def text_file_key(key: str) -> str:
    """A CLIP text encoder's key as users' files have it: transformers 5 leaves `text_model.` out of some."""
    return key if key.startswith(("text_model.", "text_projection.")) else "text_model." + key


def rewrite_text_prefix(folder: Path, extra: dict | None = None) -> None:
    """Gives a saved CLIP text encoder the key prefix `text_model.` that users' files carry (transformers 5 drops it)."""
    from safetensors.torch import load_file

    path = folder / "model.safetensors"
    tensors = load_file(str(path))
    named = {text_file_key(k): v.clone() for k, v in tensors.items()}
    named.update(extra or {})
    save_file(named, str(path), metadata={"format": "pt"})

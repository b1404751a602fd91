# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Networks of full size with random weights, made and saved without a second copy; peak memory and versions."""

import json
import platform
import shutil
import time
from pathlib import Path

import torch
from diffusers import AutoencoderKL, UNet2DConditionModel
from transformers import CLIPTextConfig, CLIPTextModel, CLIPTextModelWithProjection

from common import generator, seeded_tensor, text_file_key
from tensor_stream import TensorStream

CLASSES = {"unet": UNet2DConditionModel, "vae": AutoencoderKL}
TEXT_CLASSES = {"text_encoder": CLIPTextModel, "text_encoder_2": CLIPTextModelWithProjection}


def configuration(folder: Path, part: str) -> dict:
    return json.loads((folder / part / "config.json").read_text())


def empty_network(folder: Path, part: str, dtype: torch.dtype):
    """A network whose weights are not initialised. `part`: unet, vae, text_encoder or text_encoder_2."""
    if part in TEXT_CLASSES:  # have buffers that must be computed: built as usual
        return TEXT_CLASSES[part](CLIPTextConfig(**configuration(folder, part))).to(dtype)
    with torch.device("meta"):
        network = CLASSES[part].from_config(configuration(folder, part))
    if list(network.buffers()):
        raise RuntimeError(f"{part}: expected no buffers, which an empty network would leave undefined")
    return network.to(dtype).to_empty(device="cpu")


@torch.no_grad()
def seeded_network(source: Path, target: Path, part: str, store: torch.dtype, seed: int):
    """Seeds, rounds to `store`, saves in it, and returns the network in fp32."""
    network = empty_network(source, part, torch.float32)
    is_text = part in TEXT_CLASSES
    keys = {name: text_file_key(name) if is_text else name for name, _ in network.named_parameters()}
    shapes = {keys[name]: parameter.shape for name, parameter in network.named_parameters()}
    (target / part).mkdir(parents=True, exist_ok=True)
    name_of_file = "model.safetensors" if is_text else "diffusion_pytorch_model.safetensors"
    file = TensorStream(target / part / name_of_file, shapes, store)
    for name, parameter in network.named_parameters():
        parameter.copy_(seeded_tensor(name, parameter, seed).to(store))
        file.write(keys[name], parameter)
    file.close()
    shutil.copyfile(source / part / "config.json", target / part / "config.json")
    return network


@torch.no_grad()
def fill_quickly(network, seed: int = 0) -> None:
    """Random weights for timing: N(0, 0.02), norms 1, biases 0."""
    draw = generator(seed)
    for name, parameter in network.named_parameters():
        if parameter.dim() >= 2:
            parameter.normal_(0.0, 0.02, generator=draw)
        else:
            parameter.fill_(1.0 if name.endswith("weight") else 0.0)


def peak_resident_bytes() -> int:
    """VmHWM: the peak of this process, without what its launcher used."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("/proc/self/status: expected a line VmHWM, found none")


def now() -> float:
    """Seconds, after what a GPU still had to do."""
    if torch.cuda.is_initialized():
        torch.cuda.synchronize()
    return time.perf_counter()


def peak_bytes() -> dict:
    peaks = {"peak_resident_bytes": peak_resident_bytes()}
    if torch.cuda.is_initialized():
        peaks["peak_device_bytes"] = torch.cuda.max_memory_reserved()
    return peaks


def versions() -> dict:
    import diffusers

    return {
        "torch": torch.__version__,
        "diffusers": diffusers.__version__,
        "python": platform.python_version(),
        "threads": torch.get_num_threads(),
    }

# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""What the training trajectories train, and the models that they start from."""

import diffusers
import torch
from diffusers import UNet2DConditionModel
from peft import LoraConfig
from transformers import CLIPTextModel

from common import FIXTURES, seeded_tensor

STEPS = 5
OPTIMIZER = {"lr": 1e-3, "betas": (0.9, 0.999), "eps": 1e-8, "weight_decay": 1e-2}
CLIP_NORM = 1.0
LORA_SEED = 77

LINEAR = ["to_q", "to_k", "to_v", "to_out.0", "ff.net.0.proj", "ff.net.2", "proj_in", "proj_out"]
CONVOLUTION = [*LINEAR, "conv1", "conv2", "conv_shortcut", "time_emb_proj", "downsamplers.0.conv", "upsamplers.0.conv"]
TEXT = ["q_proj", "k_proj", "v_proj", "out_proj", "fc1", "fc2"]

PROMPTS = ("a photo of sks dog", "a photo of a dog")

CASES = {
    "sd1": {"model": "tiny-sd1"},
    "sd1_text": {"model": "tiny-sd1", "train_text_encoder": True},
    "sd2": {"model": "tiny-sd2", "min_snr_gamma": 5.0, "prior": False},
    "sd1_lora": {"model": "tiny-sd1", "lora": {"rank": 4, "alpha": 4.0, "modules": LINEAR}},
    "sd1_lora_convolution": {"model": "tiny-sd1", "lora": {"rank": 2, "alpha": 1.0, "modules": CONVOLUTION}},
    "sd1_lora_text": {
        "model": "tiny-sd1",
        "train_text_encoder": True,
        "lora": {"rank": 4, "alpha": 4.0, "modules": LINEAR, "text_modules": TEXT},
    },
}


class Trained:
    """The networks of one case in one number type, and their trainable parameters by fixture key."""

    def __init__(self, case: dict, dtype: torch.dtype):
        folder = FIXTURES / case["model"]
        self.unet = UNet2DConditionModel.from_pretrained(folder / "unet", torch_dtype=dtype).train()
        self.text = CLIPTextModel.from_pretrained(folder / "text_encoder", dtype=dtype).eval()
        self.with_text = case.get("train_text_encoder", False)
        self.scheduler = diffusers.DDPMScheduler.from_pretrained(folder, subfolder="scheduler")
        self.text.requires_grad_(self.with_text)
        lora = case.get("lora")
        if lora:
            add_lora(self.unet, lora, lora["modules"])
            if self.with_text:
                add_lora(self.text, lora, lora["text_modules"])
        self.parameters = {f"unet/{key_of(n)}": p for n, p in self.unet.named_parameters() if p.requires_grad}
        if self.with_text:
            found = {n: p for n, p in self.text.named_parameters() if p.requires_grad}
            self.parameters |= {f"text_encoder/{text_key(key_of(n))}": p for n, p in found.items()}
        if lora:
            self.start_lora()

    @torch.no_grad()
    def start_lora(self) -> None:
        """Down: seeded, in numbers that fp16 has; up: zeros, as PEFT starts."""
        for key, parameter in self.parameters.items():
            down = seeded_tensor(key, parameter.float(), LORA_SEED).half()
            parameter.copy_(down if "lora_down" in key else torch.zeros_like(down))


def add_lora(network, lora: dict, modules: list) -> None:
    config = LoraConfig(r=lora["rank"], lora_alpha=lora["alpha"], lora_dropout=0.0, target_modules=modules)
    network.requires_grad_(False)
    network.add_adapter(config)


def key_of(name: str) -> str:
    """PEFT's name of a parameter as the engine calls it: MODULE.lora_down.weight, MODULE.lora_up.weight."""
    return name.replace(".lora_A.default.", ".lora_down.").replace(".lora_B.default.", ".lora_up.")


def text_key(key: str) -> str:
    return key if key.startswith("text_model.") else "text_model." + key

# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Names and shapes of every parameter of the real models, as one hash for each part: layouts.json.

The hash is SHA-256 over lines `name extent extent ...`, sorted by their bytes. No weights are made.
"""

import hashlib
import json

import torch
from diffusers import AutoencoderKL, UNet2DConditionModel
from transformers import CLIPTextConfig, CLIPTextModel, CLIPTextModelWithProjection

from common import CONFIGS, FIXTURES, save_json

FAMILIES = ("sd15", "sd21-base", "sd21-768", "sdxl-base")


def make(part: str, config: dict) -> torch.nn.Module:
    if part == "unet":
        return UNet2DConditionModel.from_config(config)
    if part == "vae":
        return AutoencoderKL.from_config(config)
    kind = CLIPTextModel if part == "text_encoder" else CLIPTextModelWithProjection
    return kind(CLIPTextConfig.from_dict(config))


def describe(model: torch.nn.Module, prefix: str) -> dict:
    """Counts and hash; transformers 5 leaves the prefix out that users' files carry."""
    parameters = dict(model.named_parameters())
    lines = []
    for name, parameter in parameters.items():
        full = name if name.startswith((prefix, "text_projection.")) else prefix + name
        lines.append(" ".join([full, *map(str, parameter.shape)]).encode() + b"\n")
    return {
        "tensors": len(parameters),
        "elements": sum(parameter.numel() for parameter in parameters.values()),
        "sha256": hashlib.sha256(b"".join(sorted(lines))).hexdigest(),
    }


def main() -> None:
    found = {}
    for family in FAMILIES:
        for part in ("unet", "vae", "text_encoder", "text_encoder_2"):
            if not (CONFIGS / family / part).exists():
                continue
            config = json.loads((CONFIGS / family / part / "config.json").read_text())
            with torch.device("meta"):
                model = make(part, config)
            found[f"{family}/{part}"] = describe(model, "text_model." if part.startswith("text_encoder") else "")
    save_json(FIXTURES / "layouts.json", found)


if __name__ == "__main__":
    main()

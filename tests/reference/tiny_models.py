# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the two tiny models: whole StableDiffusionPipeline folders, fp32, with the structure of SD 1.x and SD 2.x.

The configuration files are those of the real models (tests/configs) with only the sizes changed, so that
every key that a user's folder has is there, and none that it has not.
"""

import json
import shutil

import torch
from diffusers import AutoencoderKL, UNet2DConditionModel
from transformers import CLIPTextConfig, CLIPTextModel

from common import CONFIGS, FIXTURES, rewrite_text_prefix, seed_weights

MERGE_COUNT = 486  # 256 bytes, 256 bytes at a word's end, merges, start and end of text: 1000 tokens

SD1 = {
    "real": "sd15",
    "seed": 1000,
    "unet": {
        "block_out_channels": [8, 12, 16],
        "attention_head_dim": 2,
        "cross_attention_dim": 16,
        "down_block_types": ["CrossAttnDownBlock2D", "CrossAttnDownBlock2D", "DownBlock2D"],
        "up_block_types": ["UpBlock2D", "CrossAttnUpBlock2D", "CrossAttnUpBlock2D"],
        "layers_per_block": 1,
        "norm_num_groups": 4,
        "sample_size": 8,
    },
    "vae": {
        "block_out_channels": [4, 8, 8, 8],
        "layers_per_block": 1,
        "norm_num_groups": 2,
        "sample_size": 64,
    },
    "text_encoder": {
        "hidden_size": 16,
        "intermediate_size": 32,
        "num_attention_heads": 2,
        "num_hidden_layers": 3,
        "projection_dim": 16,
        "vocab_size": MERGE_COUNT + 514,
    },
}

SD2 = {
    "real": "sd21-768",
    "seed": 2000,
    "unet": {
        "block_out_channels": [8, 8, 12],
        "attention_head_dim": [1, 2, 4],
        "cross_attention_dim": 24,
        "down_block_types": ["CrossAttnDownBlock2D", "CrossAttnDownBlock2D", "DownBlock2D"],
        "up_block_types": ["UpBlock2D", "CrossAttnUpBlock2D", "CrossAttnUpBlock2D"],
        "layers_per_block": 2,
        "norm_num_groups": 4,
        "sample_size": 16,
    },
    "vae": {
        "block_out_channels": [4, 8, 8],
        "down_block_types": ["DownEncoderBlock2D"] * 3,
        "up_block_types": ["UpDecoderBlock2D"] * 3,
        "layers_per_block": 2,
        "norm_num_groups": 2,
        "sample_size": 64,
    },
    "text_encoder": {
        "hidden_size": 24,
        "intermediate_size": 48,
        "num_attention_heads": 3,
        "num_hidden_layers": 3,
        "projection_dim": 16,
        "vocab_size": MERGE_COUNT + 514,
    },
}

SPECIFICATIONS = {"tiny-sd1": SD1, "tiny-sd2": SD2}


def load_config(real: str, part: str, name: str = "config.json") -> dict:
    return json.loads((CONFIGS / real / part / name).read_text())


def write_config(path, value: dict) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2) + "\n")


def save_part(folder, part: str, config: dict, model) -> None:
    """Saves by the library, then puts the configuration back to exactly the keys of the real one."""
    model.save_pretrained(folder / part, safe_serialization=True)
    name = "config.json"
    write_config(folder / part / name, config)


def write_tokenizer(folder, vocabulary_folder) -> None:
    """The first merges of CLIP's vocabulary: ids of bytes and merges stay as they are, start and end follow them."""
    target = folder / "tokenizer"
    target.mkdir(parents=True, exist_ok=True)
    full = json.loads((vocabulary_folder / "vocab.json").read_text())
    merges = (vocabulary_folder / "merges.txt").read_text().splitlines()[: MERGE_COUNT + 1]
    vocabulary = {token: index for token, index in sorted(full.items(), key=lambda item: item[1]) if index < 512 + MERGE_COUNT}
    vocabulary["<|startoftext|>"] = 512 + MERGE_COUNT
    vocabulary["<|endoftext|>"] = 513 + MERGE_COUNT
    (target / "vocab.json").write_text(json.dumps(vocabulary, ensure_ascii=False))
    (target / "merges.txt").write_text("\n".join(merges) + "\n")


def make(name: str, vocabulary_folder) -> None:
    """Writes one model folder. `vocabulary_folder` holds CLIP's vocab.json and merges.txt."""
    spec = SPECIFICATIONS[name]
    folder = FIXTURES / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    real = spec["real"]

    configs = {part: load_config(real, part) | spec[part] for part in ("unet", "vae", "text_encoder")}
    unet = UNet2DConditionModel.from_config(configs["unet"])
    seed_weights(unet, spec["seed"])
    save_part(folder, "unet", configs["unet"], unet)
    vae = AutoencoderKL.from_config(configs["vae"])
    seed_weights(vae, spec["seed"] + 1)
    save_part(folder, "vae", configs["vae"], vae)
    text = CLIPTextModel(CLIPTextConfig(**configs["text_encoder"]))
    seed_weights(text, spec["seed"] + 2)
    save_part(folder, "text_encoder", configs["text_encoder"], text)
    # Files of SD 1.x hold this buffer, those of SD 2.x do not.
    buffers = {"text_model.embeddings.position_ids": torch.arange(77).unsqueeze(0)} if name == "tiny-sd1" else {}
    rewrite_text_prefix(folder / "text_encoder", buffers)
    for extra in (folder / "text_encoder").glob("generation_config.json"):
        extra.unlink()

    write_config(folder / "scheduler" / "scheduler_config.json", load_config(real, "scheduler", "scheduler_config.json"))
    write_tokenizer(folder, vocabulary_folder)
    for part in ("special_tokens_map.json", "tokenizer_config.json"):
        write_config(folder / "tokenizer" / part, load_config(real, "tokenizer", part))
    index = json.loads((CONFIGS / real / "model_index.json").read_text())
    index["feature_extractor"] = index["safety_checker"] = [None, None]
    index["requires_safety_checker"] = False
    write_config(folder / "model_index.json", index)
    for file in folder.rglob("*.safetensors"):
        file.chmod(0o644)
    for part, model in (("unet", unet), ("vae", vae), ("text_encoder", text)):
        print(name, part, sum(p.numel() for p in model.parameters()), "parameters")

# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the tiny models: whole pipeline folders with the structure of SD 1.x (fp32), SD 2.x and SDXL (fp16).

The configuration files are those of the real models (tests/configs) with only the sizes changed, so that
every key that a user's folder has is there, and none that it has not.
"""

import json
import shutil

import torch
from diffusers import AutoencoderKL, UNet2DConditionModel
from transformers import CLIPTextConfig, CLIPTextModel, CLIPTextModelWithProjection

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
    "half": True,
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

# Every width is as small as tells levels, heads and encoders apart: most of the files are names.
XL = {
    "real": "sdxl-base",
    "seed": 3000,
    "half": True,
    "unet": {
        "block_out_channels": [4, 8, 8],
        "attention_head_dim": [1, 2, 4],
        "transformer_layers_per_block": [1, 1, 2],
        "cross_attention_dim": 4 + 6,
        "addition_time_embed_dim": 4,
        "projection_class_embeddings_input_dim": 6 + 6 * 4,
        "layers_per_block": 1,
        "norm_num_groups": 2,
        "sample_size": 8,
    },
    "vae": {
        "block_out_channels": [2, 4, 4, 4],
        "layers_per_block": 1,
        "norm_num_groups": 2,
        "sample_size": 64,
    },
    "text_encoder": {
        "hidden_size": 4,
        "intermediate_size": 8,
        "num_attention_heads": 2,
        "num_hidden_layers": 3,
        "projection_dim": 4,
        "torch_dtype": "float32",  # the real one's file is fp16
        "vocab_size": MERGE_COUNT + 514,
    },
    "text_encoder_2": {
        "hidden_size": 6,
        "intermediate_size": 12,
        "num_attention_heads": 3,
        "num_hidden_layers": 4,
        "projection_dim": 6,
        "torch_dtype": "float32",
        "vocab_size": MERGE_COUNT + 514,
    },
}

SPECIFICATIONS = {"tiny-sd1": SD1, "tiny-sd2": SD2, "tiny-sdxl": XL}
KINDS = {
    "unet": UNet2DConditionModel.from_config,
    "vae": AutoencoderKL.from_config,
    "text_encoder": lambda config: CLIPTextModel(CLIPTextConfig(**config)),
    "text_encoder_2": lambda config: CLIPTextModelWithProjection(CLIPTextConfig(**config)),
}


def load_config(real: str, part: str, name: str = "config.json") -> dict:
    return json.loads((CONFIGS / real / part / name).read_text())


def write_config(path, value: dict) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2) + "\n")


def make_part(folder, part: str, config: dict, seed: int, half: bool) -> None:
    """Saves by the library, then puts the configuration back to exactly the keys of the real one."""
    model = KINDS[part](config)
    seed_weights(model, seed)
    if half:  # as most files that users have
        model.half()
    model.save_pretrained(folder / part, safe_serialization=True)
    write_config(folder / part / "config.json", config)
    if part.startswith("text_encoder"):
        # Files of SD 1.x hold this buffer, those of SD 2.x and SDXL do not.
        buffers = {"text_model.embeddings.position_ids": torch.arange(77).unsqueeze(0)} if folder.name == "tiny-sd1" else {}
        rewrite_text_prefix(folder / part, buffers)
        (folder / part / "generation_config.json").unlink(missing_ok=True)
    print(folder.name, part, sum(p.numel() for p in model.parameters()), "parameters")


def write_tokenizer(target, real: str, vocabulary_folder) -> None:
    """The first merges of CLIP's vocabulary: ids of bytes and merges stay as they are, start and end follow them."""
    target.mkdir(parents=True, exist_ok=True)
    full = json.loads((vocabulary_folder / "vocab.json").read_text())
    merges = (vocabulary_folder / "merges.txt").read_text().splitlines()[: MERGE_COUNT + 1]
    vocabulary = {token: index for token, index in sorted(full.items(), key=lambda item: item[1]) if index < 512 + MERGE_COUNT}
    vocabulary["<|startoftext|>"] = 512 + MERGE_COUNT
    vocabulary["<|endoftext|>"] = 513 + MERGE_COUNT
    (target / "vocab.json").write_text(json.dumps(vocabulary, separators=(",", ":"), ensure_ascii=False))
    (target / "merges.txt").write_text("\n".join(merges) + "\n")
    for part in ("special_tokens_map.json", "tokenizer_config.json"):
        write_config(target / part, load_config(real, target.name, part))


def make(name: str, vocabulary_folder) -> None:
    """Writes one model folder. `vocabulary_folder` holds CLIP's vocab.json and merges.txt; a tiny model's do, too."""
    spec = SPECIFICATIONS[name]
    folder = FIXTURES / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    real = spec["real"]

    parts = [part for part in KINDS if part in spec]
    for index, part in enumerate(parts):
        make_part(folder, part, load_config(real, part) | spec[part], spec["seed"] + index, spec.get("half", False))
    write_config(folder / "scheduler" / "scheduler_config.json", load_config(real, "scheduler", "scheduler_config.json"))
    for part in ("tokenizer", "tokenizer_2"):
        if part.replace("tokenizer", "text_encoder") in spec:
            write_tokenizer(folder / part, real, vocabulary_folder)
    index = json.loads((CONFIGS / real / "model_index.json").read_text())
    if index["_class_name"] == "StableDiffusionPipeline":
        index["feature_extractor"] = index["safety_checker"] = [None, None]
        index["requires_safety_checker"] = False
    write_config(folder / "model_index.json", index)
    for file in folder.rglob("*.safetensors"):
        file.chmod(0o644)

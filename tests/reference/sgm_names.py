# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Where a published SDXL single file keeps what diffusers calls by another name; and kohya's LoRA names.

The rules are those of the original networks: blocks are counted through all levels, a level's last input block is its
downsampler, its last output block holds the upsampler; OpenCLIP keeps queries, keys and values as one.
A module's names are a pair: theirs, ours; below it a tensor's names are one more.
"""

import re

PREFIXES = {
    "unet": "model.diffusion_model.",
    "vae": "first_stage_model.",
    "text_encoder": "conditioner.embedders.0.transformer.",
    "text_encoder_2": "conditioner.embedders.1.model.",
}
# Of the published file, but of no use: positions are counted, and the scale belongs to a comparison with pictures.
UNUSED = {  # part: module, name below it, shape
    "text_encoder": ("text_model.embeddings.", "position_ids", (1, 77)),
    "text_encoder_2": ("", "logit_scale", ()),
}

UNET_FIXED = {
    "time_embedding.linear_1": "time_embed.0",
    "time_embedding.linear_2": "time_embed.2",
    "add_embedding.linear_1": "label_emb.0.0",
    "add_embedding.linear_2": "label_emb.0.2",
    "conv_in": "input_blocks.0.0",
    "conv_norm_out": "out.0",
    "conv_out": "out.2",
}
UNET_RESNET = {
    "norm1": "in_layers.0",
    "conv1": "in_layers.2",
    "time_emb_proj": "emb_layers.1",
    "norm2": "out_layers.0",
    "conv2": "out_layers.3",
    "conv_shortcut": "skip_connection",
}
VAE_ATTENTION = {"group_norm": "norm", "to_q": "q", "to_k": "k", "to_v": "v", "to_out.0": "proj_out"}
OPEN_CLIP = {"layer_norm1": "ln_1", "layer_norm2": "ln_2", "mlp.fc1": "mlp.c_fc", "mlp.fc2": "mlp.c_proj"}
OPEN_CLIP_FIXED = {
    "text_model.embeddings.position_embedding.weight": "positional_embedding",
    "text_model.embeddings.token_embedding.weight": "token_embedding.weight",
    "text_model.final_layer_norm.weight": "ln_final.weight",
    "text_model.final_layer_norm.bias": "ln_final.bias",
    "text_projection.weight": "text_projection",  # transposed
}


def unet_module(ours: str, config: dict) -> tuple[str, str]:
    """The pair of modules that hold a parameter: a resnet, a transformer, a sampler or one of the fixed."""
    for name, theirs in UNET_FIXED.items():
        if ours.startswith(name + "."):
            return theirs, name
    per_level = config["layers_per_block"] + 1
    place, level, kind, layer = re.match(r"(down|mid|up)_blocks?\.(?:(\d)\.)?(\w+)\.(\d+)\.", ours).groups()
    module = re.match(r"\w+\.(?:\d\.)?(resnets|attentions)\.\d+|.*samplers\.0\.conv", ours).group(0)
    if place == "mid":
        return f"middle_block.{1 if kind == 'attentions' else 2 * int(layer)}", module
    within = int(kind == "attentions")
    if place == "down":
        if kind == "downsamplers":
            return f"input_blocks.{(int(level) + 1) * per_level}.0.op", module
        return f"input_blocks.{1 + int(level) * per_level + int(layer)}.{within}", module
    if kind == "upsamplers":
        attends = config["up_block_types"][int(level)].startswith("CrossAttn")
        return f"output_blocks.{(int(level) + 1) * per_level - 1}.{1 + attends}.conv", module
    return f"output_blocks.{int(level) * per_level + int(layer)}.{within}", module


def below(suffix: str, names: dict) -> str:
    """A tensor's name below its module."""
    module, _, leaf = suffix.rpartition(".")
    return f"{names.get(module, module)}.{leaf}"


def vae_module(ours: str, config: dict) -> tuple[str, str]:
    for name, theirs in (("conv_norm_out", "norm_out"), ("conv_in", "conv_in"), ("conv_out", "conv_out")):
        for half in ("encoder", "decoder"):
            if ours.startswith(f"{half}.{name}."):
                return f"{half}.{theirs}", f"{half}.{name}"
    if "quant_conv." in ours:
        return ours.split(".")[0], ours.split(".")[0]
    half, place, level, kind, layer = re.match(r"(\w+)\.(down|mid|up)_blocks?\.(?:(\d)\.)?(\w+)\.(\d)", ours).groups()
    module = re.match(r"\w+\.\w+\.(?:\d\.)?(?:\w+samplers\.0\.conv|\w+\.\d)", ours).group(0)
    if place == "mid":
        return f"{half}.mid." + ("attn_1" if kind == "attentions" else f"block_{int(layer) + 1}"), module
    their_level = int(level) if place == "down" else len(config["block_out_channels"]) - 1 - int(level)
    within = f"block.{layer}" if kind == "resnets" else f"{place}sample.conv"
    return f"{half}.{place}.{their_level}.{within}", module


def unet_names(ours: str, config: dict) -> tuple:
    theirs, module = unet_module(ours, config)
    suffix = ours[len(module) + 1 :]
    return theirs, module, (below(suffix, UNET_RESNET) if "resnets" in module else suffix), suffix


def vae_names(ours: str, config: dict) -> tuple:
    theirs, module = vae_module(ours, config)
    suffix = ours[len(module) + 1 :]
    names = VAE_ATTENTION if "attentions" in module else {"conv_shortcut": "nin_shortcut"}
    return theirs, module, (below(suffix, names) if "." in suffix else suffix), suffix


def clip_names(ours: str, _config: dict) -> tuple:
    module = re.match(r"text_model\.(encoder\.layers\.\d+|\w+)", ours).group(0)
    suffix = ours[len(module) + 1 :]
    return module, module, suffix, suffix


def open_clip_names(ours: str, _config: dict) -> tuple:
    if ours in OPEN_CLIP_FIXED:
        return "", "", OPEN_CLIP_FIXED[ours], ours
    layer = re.match(r"text_model\.encoder\.layers\.(\d+)\.", ours)
    module, suffix = ours[: layer.end() - 1], ours[layer.end() :]
    theirs = f"transformer.resblocks.{layer.group(1)}"
    fused = re.fullmatch(r"self_attn\.([qkv])_proj\.(weight|bias)", suffix)
    if fused:
        return theirs, module, f"attn.in_proj_{fused.group(2)}", suffix
    return theirs, module, below(suffix, OPEN_CLIP | {"self_attn.out_proj": "attn.out_proj"}), suffix


NAMES = {"unet": unet_names, "vae": vae_names, "text_encoder": clip_names, "text_encoder_2": open_clip_names}


def their_shape(part: str, theirs: str, shapes: list) -> tuple:
    """Of a tensor in the single file, from ours: of a fused one three, in the order of queries, keys and values."""
    shape = tuple(shapes[0])
    if len(shapes) == 3:
        return (3 * shape[0], *shape[1:])
    if part == "vae" and re.search(r"\.attn_1\.\w+\.weight$", theirs) and len(shape) == 2:
        return (*shape, 1, 1)
    return shape[::-1] if theirs.endswith("text_projection") else shape


def lora_name(part: str, module: str, config: dict) -> str:
    """kohya's name of a module of diffusers: from the single file's in the UNet, from transformers' in both encoders."""
    if part != "unet":
        return f"lora_te{1 if part == 'text_encoder' else 2}_" + module.replace(".", "_")
    theirs, _, suffix, _ = unet_names(module + ".weight", config)
    return "lora_unet_" + f"{theirs}.{suffix}".removesuffix(".weight").replace(".", "_")

# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""UNets and autoencoders with the configuration values that the two tiny models lack: weights, output, gradients."""

import torch
from diffusers import AutoencoderKL, UNet2DConditionModel

from common import FIXTURES, gradients, packed, randn, save_json, save_tensors, seed_weights, thinned

TOKENS = 5
UNET = {
    "block_out_channels": [6, 8],
    "down_block_types": ["CrossAttnDownBlock2D", "DownBlock2D"],
    "up_block_types": ["UpBlock2D", "CrossAttnUpBlock2D"],
    "layers_per_block": 1,
    "norm_num_groups": 2,
    "cross_attention_dim": 6,
    "attention_head_dim": 2,
}

# name: changes, latent height, latent width
UNETS = {
    "unusual": (
        {
            "mid_block_type": "UNetMidBlock2D",
            "layers_per_block": [1, 2],
            "resnet_time_scale_shift": "scale_shift",
            "mid_block_scale_factor": 1.41,
            "center_input_sample": True,
            "flip_sin_to_cos": False,
            "freq_shift": 1,
            "act_fn": "gelu",
            "conv_in_kernel": 1,
            "conv_out_kernel": 5,
            "time_embedding_dim": 14,
            "in_channels": 5,
            "out_channels": 3,
            "norm_eps": 1e-4,
        },
        8,
        6,
    ),
    "no_mid": (
        {
            "mid_block_type": None,
            "block_out_channels": [6],
            "down_block_types": ["CrossAttnDownBlock2D"],
            "up_block_types": ["CrossAttnUpBlock2D"],
        },
        5,
        7,
    ),
    "far_padding": ({"downsample_padding": 0, "transformer_layers_per_block": 2}, 9, 10),
}

VAES = {
    "bare": {
        "block_out_channels": [4, 4, 8],
        "down_block_types": ["DownEncoderBlock2D"] * 3,
        "up_block_types": ["UpDecoderBlock2D"] * 3,
        "norm_num_groups": 2,
        "layers_per_block": 1,
        "latent_channels": 3,
        "mid_block_add_attention": False,
        "use_quant_conv": False,
        "use_post_quant_conv": False,
        "sample_size": 32,
    },
    "single": {"block_out_channels": [4], "norm_num_groups": 1, "layers_per_block": 2, "sample_size": 16},
}


def seed_weights_in_half(model: torch.nn.Module, seed: int) -> dict:
    """Values that fp16 holds exactly, so that the file needs no more than that; the model stays in fp32."""
    seed_weights(model, seed)
    model.half().float()
    return {key: parameter.half() for key, parameter in model.named_parameters()}


def with_loss(output: torch.Tensor, inputs: dict, model: torch.nn.Module, seed: int, complete: bool) -> dict:
    """Backward of mean((output - target)^2); `complete`: every parameter must get a gradient."""
    target = randn(output.shape, seed)
    model.zero_grad(set_to_none=True)
    (output - target).square().mean().backward()
    named = gradients(model) if complete else {k: p.grad for k, p in model.named_parameters() if p.grad is not None}
    tensors = {f"input/{key}": value for key, value in inputs.items()} | {"target": target, "sample": output}
    tensors["gradients"] = packed({key: thinned(value) for key, value in named.items()})
    return tensors | {f"input_gradient/{k}": v.grad for k, v in inputs.items() if v.grad is not None}


def unet_tensors(config: dict, height: int, width: int, seed: int) -> tuple[dict, dict]:
    unet = UNet2DConditionModel(**config).eval()
    weights = seed_weights_in_half(unet, seed)
    inputs = {
        "sample": randn((2, unet.config.in_channels, height, width), seed + 1).requires_grad_(),
        "timestep": torch.tensor([3, 870]),
        "encoder_hidden_states": randn((2, TOKENS, config["cross_attention_dim"]), seed + 2).requires_grad_(),
    }
    output = unet(inputs["sample"], inputs["timestep"], inputs["encoder_hidden_states"]).sample
    tensors = with_loss(output, inputs, unet, seed + 5, complete=True)
    return tensors | {"weights": packed(weights)}, dict(unet.config)


def vae_tensors(config: dict, seed: int) -> tuple[dict, dict]:
    vae = AutoencoderKL(**config).eval()
    weights = seed_weights_in_half(vae, seed)
    image = randn((1, 3, 12, 20), seed + 1).requires_grad_()
    moments = vae.encode(image).latent_dist.parameters
    encode = with_loss(moments, {"image": image}, vae, seed + 2, complete=False)
    latents = randn((1, vae.config.latent_channels, 3, 5), seed + 3).requires_grad_()
    decode = with_loss(vae.decode(latents).sample, {"latents": latents}, vae, seed + 4, complete=False)
    encode["weights"] = packed({k: v for k, v in weights.items() if k.startswith(("encoder.", "quant_conv."))})
    decode["weights"] = packed({k: v for k, v in weights.items() if k.startswith(("decoder.", "post_quant_conv."))})
    tensors = {f"encode/{k}": v for k, v in encode.items()} | {f"decode/{k}": v for k, v in decode.items()}
    return tensors, dict(vae.config)


def main() -> None:
    configs = {}
    for index, (name, (changes, height, width)) in enumerate(UNETS.items(), start=1):
        tensors, configs[f"unet_{name}"] = unet_tensors(UNET | changes, height, width, 7000 + 10 * index)
        save_tensors(FIXTURES / "variants" / f"unet_{name}.safetensors", tensors)
    for index, (name, config) in enumerate(VAES.items()):
        tensors, configs[f"vae_{name}"] = vae_tensors(config, 7500 + 10 * index)
        save_tensors(FIXTURES / "variants" / f"vae_{name}.safetensors", tensors)
    for name, config in configs.items():
        save_json(FIXTURES / "variants" / f"{name}.json", {k: v for k, v in config.items() if k != "_use_default_values"})


if __name__ == "__main__":
    main()

# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""AutoencoderKL: moments, decoded picture, per-block outputs, gradients of encoder and decoder, slicing and tiling."""

import re

import torch
from diffusers import AutoencoderKL

from common import FIXTURES, MODELS, packed, randn, record_outputs, save_json, save_tensors, thinned

BLOCKS = re.compile(
    r"(quant_conv|post_quant_conv|(encoder|decoder)\.(conv_in|conv_out)"
    r"|(encoder|decoder)\..*\.(resnets|attentions|downsamplers|upsamplers)\.\d+)"
)
TILE_PIXELS = 32  # both sample and latent tile sizes follow from it
OVERLAP = 0.25


def used_gradients(vae) -> dict:
    """Thinned, of the half that was used."""
    return {key: thinned(p.grad) for key, p in vae.named_parameters() if p.grad is not None}


def encode_case(vae, height: int, width: int, seed: int) -> dict:
    """Loss: mean((moments - target)^2), through the encoder and quant_conv."""
    image = randn((1, 3, height, width), seed).clamp(-1, 1).requires_grad_()
    seen, handles = record_outputs(vae, lambda path: BLOCKS.fullmatch(path))
    distribution = vae.encode(image).latent_dist
    for handle in handles:
        handle.remove()
    moments = distribution.parameters
    target = randn(moments.shape, seed + 1)
    loss = (moments - target).square().mean()
    vae.zero_grad(set_to_none=True)
    loss.backward()
    tensors = {"input/image": image, "moments": moments, "mean": distribution.mean, "std": distribution.std}
    tensors |= {"logvar": distribution.logvar, "target": target, "loss": loss.reshape(1)}
    noise = randn(distribution.mean.shape, seed + 2)
    tensors |= {"noise": noise, "latents": (distribution.mean + distribution.std * noise) * vae.config.scaling_factor}
    tensors |= {f"output/{path}": thinned(value) for path, value in seen.items()}
    tensors["input_gradient/image"] = thinned(image.grad)
    return tensors | {"gradients": packed(used_gradients(vae))}


def decode_case(vae, height: int, width: int, seed: int) -> dict:
    """Input latents are as the UNet sees them: they are divided by the scaling factor before decoding."""
    latents = randn((1, 4, height, width), seed).requires_grad_()
    seen, handles = record_outputs(vae, lambda path: BLOCKS.fullmatch(path))
    image = vae.decode(latents / vae.config.scaling_factor).sample
    for handle in handles:
        handle.remove()
    target = randn(image.shape, seed + 1)
    loss = (image - target).square().mean()
    vae.zero_grad(set_to_none=True)
    loss.backward()
    tensors = {"input/latents": latents, "image": image, "target": target, "loss": loss.reshape(1)}
    tensors |= {f"output/{path}": thinned(value) for path, value in seen.items()}
    tensors["input_gradient/latents"] = thinned(latents.grad)
    return tensors | {"gradients": packed(used_gradients(vae))}


@torch.no_grad()
def tiling_case(vae, factor: int, seed: int) -> tuple[dict, dict]:
    """Tiles overlap by a quarter and are blended linearly; a size that is no multiple of the tile."""
    vae.enable_tiling()
    vae.tile_sample_min_size, vae.tile_latent_min_size = TILE_PIXELS, TILE_PIXELS // factor
    vae.tile_overlap_factor = OVERLAP
    height, width = 40 // factor, 56 // factor
    latents = randn((1, 4, height, width), seed)
    image = randn((1, 3, 40, 56), seed + 1).clamp(-1, 1)
    tensors = {
        "input/latents": latents,
        "image": vae.decode(latents / vae.config.scaling_factor).sample,
        "input/image": image,
        "moments": vae.encode(image).latent_dist.parameters,
    }
    vae.disable_tiling()
    untiled = vae.decode(latents / vae.config.scaling_factor).sample
    if torch.allclose(untiled, tensors["image"], atol=1e-3):
        raise RuntimeError("the tiles make no difference: this case would prove nothing")
    tensors["image"] = thinned(tensors["image"])
    about = {"tile_sample_pixels": TILE_PIXELS, "tile_latent_pixels": TILE_PIXELS // factor, "overlap": OVERLAP}
    return tensors, about


def main() -> None:
    about = {}
    for index, name in enumerate(MODELS):
        vae = AutoencoderKL.from_pretrained(FIXTURES / name / "vae").eval()
        factor = 2 ** (len(vae.config.block_out_channels) - 1)
        seed = 3000 + 100 * index
        tiling, about_tiling = tiling_case(vae, factor, seed + 20)
        groups = {
            "encode": encode_case(vae, 16, 24, seed),
            "decode": decode_case(vae, 16 // factor, 24 // factor, seed + 10),
            "tiling": tiling,
        }
        tensors = {f"{group}/{key}": value for group, values in groups.items() for key, value in values.items()}
        about[name] = {"factor": factor, "scaling_factor": vae.config.scaling_factor, "tiling": about_tiling}
        save_tensors(FIXTURES / "vae" / f"{name}.safetensors", tensors)
    save_json(FIXTURES / "vae" / "cases.json", about)


if __name__ == "__main__":
    main()

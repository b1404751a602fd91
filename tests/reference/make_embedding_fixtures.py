# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/fixtures/embeddings/: textual inversions for tiny-sd1 in the layouts that users have, and what diffusers
makes of prompts that name them.

Usage: python tests/reference/make_embedding_fixtures.py
"""

import safetensors.torch
import torch
from diffusers import StableDiffusionPipeline

from common import FIXTURES, randn, save_json, save_tensors

TARGET = FIXTURES / "embeddings"
WIDTH = 16  # of tiny-sd1
PROMPTS = {
    "several": "a photo of <cat-toy>, on the Moon-Dog",
    "alone": "moon-dog",
    "long": "<cat-toy> " * 40,  # more than fits
}


def write_files(vectors: dict[str, torch.Tensor]) -> None:
    """cat-toy: of diffusers; moon-dog: of A1111; first: of the first trainer; kohya: of sd-scripts; xl: of SDXL."""
    TARGET.mkdir(parents=True, exist_ok=True)
    safetensors.torch.save_file({"<cat-toy>": vectors["cat-toy"]}, TARGET / "cat-toy.safetensors")
    torch.save(
        {
            "string_to_token": {"*": 265},
            "string_to_param": {"*": vectors["moon-dog"]},
            "name": "moon-dog",
            "step": 4999,
            "sd_checkpoint": "0123456789",
            "sd_checkpoint_name": "tiny",
        },
        TARGET / "moon-dog.pt",
    )
    parameters = torch.nn.ParameterDict({"*": torch.nn.Parameter(vectors["first"])})
    torch.save({"string_to_token": {"*": torch.tensor(265)}, "string_to_param": parameters}, TARGET / "first.pt")
    torch.save({"<one>": vectors["one"]}, TARGET / "one.bin")
    safetensors.torch.save_file({"emb_params": vectors["kohya"]}, TARGET / "kohya.safetensors")
    half = {name: torch.zeros(1, width, dtype=torch.float16) for name, width in (("clip_l", 768), ("clip_g", 1280))}
    safetensors.torch.save_file(half, TARGET / "xl.safetensors")


@torch.no_grad()
def main() -> None:
    shapes = {"cat-toy": (3, WIDTH), "moon-dog": (2, WIDTH), "first": (2, WIDTH), "one": (WIDTH,), "kohya": (1, WIDTH)}
    vectors = {name: randn(shape, 70 + index) for index, (name, shape) in enumerate(shapes.items())}
    write_files(vectors)
    pipeline = StableDiffusionPipeline.from_pretrained(FIXTURES / "tiny-sd1", safety_checker=None)
    pipeline.load_textual_inversion(TARGET / "cat-toy.safetensors", token="<cat-toy>")
    pipeline.load_textual_inversion(TARGET / "moon-dog.pt", token="moon-dog")
    tensors = {f"vectors/{name}": value for name, value in vectors.items()}
    for name, prompt in PROMPTS.items():
        # Tokens that are added are found as they are written, ours in any case.
        tensors[f"encoded/{name}"] = pipeline.encode_prompt(prompt.replace("Moon-Dog", "moon-dog"), "cpu", 1, False)[0]
    save_tensors(TARGET / "expected.safetensors", tensors)
    save_json(TARGET / "about.json", {"prompts": PROMPTS})


if __name__ == "__main__":
    main()

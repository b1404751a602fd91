#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""The default model stays small enough to be in everybody's clone, whole, and described. Needs only Python."""

import json
import struct
import unittest
from pathlib import Path

MODEL = Path(__file__).parents[2] / "resources" / "models" / "sketch"
MOST_BYTES = 32_000_000
WEIGHTS = ("unet/diffusion_pytorch_model.safetensors", "vae/diffusion_pytorch_model.safetensors",
           "text_encoder/model.safetensors")


def tensors_in(path: Path) -> dict:
    with path.open("rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
    return {name: tensor for name, tensor in header.items() if name != "__metadata__"}


class DefaultModel(unittest.TestCase):
    def test_its_weights_are_small(self):
        found = sorted(str(path.relative_to(MODEL)) for path in MODEL.rglob("*") if path.suffix in
                       (".safetensors", ".bin", ".ckpt", ".pt", ".pth"))
        self.assertEqual(found, sorted(WEIGHTS))
        self.assertLessEqual(sum((MODEL / name).stat().st_size for name in found), MOST_BYTES)

    def test_its_weights_are_whole_and_halves(self):
        for name in WEIGHTS:
            tensors = tensors_in(MODEL / name)
            self.assertGreater(len(tensors), 10, name)
            self.assertEqual({tensor["dtype"] for tensor in tensors.values()}, {"F16"}, name)
            data = max(tensor["data_offsets"][1] for tensor in tensors.values())
            header = struct.unpack("<Q", (MODEL / name).read_bytes()[:8])[0]
            self.assertEqual((MODEL / name).stat().st_size, 8 + header + data, name)

    def test_its_parts_are_those_of_a_stable_diffusion_pipeline(self):
        index = json.loads((MODEL / "model_index.json").read_text(encoding="utf-8"))
        self.assertEqual(index["_class_name"], "StableDiffusionPipeline")
        for part in ("unet", "vae", "text_encoder", "tokenizer", "scheduler"):
            self.assertIsNotNone(index[part][0], part)
            self.assertTrue((MODEL / part).is_dir(), part)

    def test_its_card_says_licence_and_data(self):
        card = (MODEL / "README.md").read_text(encoding="utf-8")
        self.assertTrue(card.startswith("---\nlicense: apache-2.0\n---\n"))
        for said in ("Noto Color Emoji", "openclipart"):
            self.assertIn(said, card)


if __name__ == "__main__":
    unittest.main()

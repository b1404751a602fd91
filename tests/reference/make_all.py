#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the fixtures again: make_all.py --vocabulary DIR [--only models unet text vae ...].

DIR holds CLIP's vocab.json and merges.txt (any Stable Diffusion folder's `tokenizer`).
"""

import argparse
import importlib
from pathlib import Path

PARTS = ("layout", "unet", "text", "vae", "variant", "scheduler", "training", "picture", "optimizers", "8bit", "torch", "embedding", "xl", "xl_key", "language",
         "language_tokenizer")
OTHERS = {"optimizers": "optimizers", "picture": "make_picture_fixture", "8bit": "make_8bit_fixture",
          "language_tokenizer": "make_language_tokenizer_fixture"}  # part: module where the name differs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vocabulary", type=Path, help="needed for the part `models`")
    parser.add_argument("--only", nargs="+", choices=("models", *PARTS), default=("models", *PARTS))
    options = parser.parse_args()
    if "models" in options.only:
        if options.vocabulary is None:
            parser.error("--vocabulary is needed to write the tiny models")
        import tiny_models

        for name in tiny_models.SPECIFICATIONS:
            tiny_models.make(name, options.vocabulary)
    for part in PARTS:
        if part in options.only:
            importlib.import_module(OTHERS.get(part, f"make_{part}_fixtures")).main()


if __name__ == "__main__":
    main()

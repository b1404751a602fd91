#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Puts the bundled drawings (../drawings) on white squares, as the first model knows its pictures.

    drawings.py OUTPUT

Needs the Debian packages scratch (the drawings, CC-BY-SA-3.0) and python3-pil.
"""

import sys
from pathlib import Path

from PIL import Image

SOURCE = Path("/usr/share/scratch/Media/Costumes/Animals")
SUBJECTS = {"blue_dog": ["dog2-a.png", "dog2-b.png", "dog2-c.png"]}
SIDE = 192


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for subject, names in SUBJECTS.items():
        folder = Path(sys.argv[1]) / subject
        folder.mkdir(parents=True, exist_ok=True)
        for number, name in enumerate(names, 1):
            drawing = Image.open(SOURCE / name).convert("RGBA")
            square = Image.new("RGB", (SIDE, SIDE), "white")
            square.paste(drawing, ((SIDE - drawing.width) // 2, (SIDE - drawing.height) // 2), drawing)
            square.save(folder / f"{number}.png", optimize=True)


if __name__ == "__main__":
    main()

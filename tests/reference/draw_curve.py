# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Draws what `check_plans.py curve` measured: time of a step against the device's memory.

    python tests/reference/draw_curve.py tests/results/kept_curve.json tests/results/kept_curve.png
"""

import json
import pathlib
import sys

from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 1000, 620
LEFT, RIGHT, TOP, BOTTOM = 110, 40, 70, 90
INK, FAINT, LINE, ALIKE = "#222222", "#dddddd", "#1f6fb2", "#c2571a"
NAMES = {
    "inputs": "everything computed again",
    "products": "products kept",
    "everything": "everything kept",
}


class Axes:
    """Maps (peak in MB, seconds) to pixels."""

    def __init__(self, points: list[tuple[float, float]]):
        peaks, seconds = zip(*points)
        self.low_x, self.high_x = min(peaks) - 60, max(peaks) + 60
        self.low_y, self.high_y = 0.0, max(seconds) * 1.15  # from zero: differences are as small as they look

    def at(self, point: tuple[float, float]) -> tuple[float, float]:
        x = (point[0] - self.low_x) / (self.high_x - self.low_x)
        y = (point[1] - self.low_y) / (self.high_y - self.low_y)
        return LEFT + x * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - y * (HEIGHT - TOP - BOTTOM)


def point_of(row: dict) -> tuple[float, float]:
    return row["train"]["devicePeakBytes"] / 1e6, row["train"]["stepSeconds"]


def draw_grid(draw: ImageDraw.ImageDraw, axes: Axes, font: ImageFont.ImageFont) -> None:
    for seconds in range(int(axes.high_y) + 1):
        _, y = axes.at((axes.low_x, seconds))
        draw.line([(LEFT, y), (WIDTH - RIGHT, y)], fill=FAINT)
        draw.text((LEFT - 12, y), f"{seconds} s", fill=INK, font=font, anchor="rm")
    first = int(axes.low_x // 100 + 1) * 100
    for peak in range(first, int(axes.high_x), 200):
        x, _ = axes.at((peak, 0))
        draw.line([(x, TOP), (x, HEIGHT - BOTTOM)], fill=FAINT)
        draw.text((x, HEIGHT - BOTTOM + 12), f"{peak} MB", fill=INK, font=font, anchor="ma")
    draw.text((WIDTH / 2, HEIGHT - 30), "greatest use of the device's memory", fill=INK, font=font, anchor="mm")


def dot(draw: ImageDraw.ImageDraw, place: tuple[float, float], colour: str) -> None:
    x, y = place
    draw.ellipse([x - 6, y - 6, x + 6, y + 6], fill=colour)


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit("expected two arguments: kept_curve.json, and the PNG to write")
    data = json.loads(pathlib.Path(sys.argv[1]).read_text())
    searched = sorted(point_of(row) for row in data["rows"] if row["kept"] == "searched")
    alike = {row["kept"]: point_of(row) for row in data["rows"] if row["kept"] in NAMES}
    if not searched or not alike:
        sys.exit(f"expected rows that were searched and rows of blocks treated alike, found {len(data['rows'])} rows")
    axes = Axes(searched + list(alike.values()))
    image = Image.new("RGB", (WIDTH, HEIGHT), "white")
    draw = ImageDraw.Draw(image)
    font, title = ImageFont.load_default(17), ImageFont.load_default(22)
    draw_grid(draw, axes, font)
    first = data["rows"][0]
    model = pathlib.Path(first["modelConfig"]).name
    draw.text((LEFT, 30), f"Time of a training step: {model}, {first['resolutionPixels']} px, batch "
              f"{first['batchSize']}, {first['precision']}, {first['optimizer']}", fill=INK, font=title, anchor="lm")
    draw.line([axes.at(point) for point in searched], fill=LINE, width=3)
    for point in searched:
        dot(draw, axes.at(point), LINE)
    for kept, point in alike.items():
        x, y = axes.at(point)
        dot(draw, (x, y), ALIKE)
        right = x > WIDTH * 0.7
        draw.text((x - 10 if right else x, y - 18), NAMES[kept], fill=ALIKE, font=font, anchor="rb" if right else "lb")
    x, y = axes.at(searched[len(searched) // 2])
    draw.text((x, y + 22), "searched, by budget", fill=LINE, font=font, anchor="ma")
    image.quantize(128, dither=Image.Dither.NONE).save(sys.argv[2], optimize=True)


if __name__ == "__main__":
    main()

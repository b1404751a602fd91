# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a picture, and whether two of them look alike."""

from PIL import Image, ImageChops, ImageStat

from backgrounds import on_white

MOST_DETAIL = 34.0  # mean step between neighbours, of 255: hatching and small text lie above
LEAST_INK = 0.03
SAME_BITS, SAME_COLOUR = 4, 6.0


def detail(image):
    grey = image.convert("L")
    steps = [ImageStat.Stat(ImageChops.difference(grey, ImageChops.offset(grey, x, y))).mean[0] for x, y in ((1, 0), (0, 1))]
    return sum(steps) / 2


def fault(picture, size):
    """The reason why a cut-out picture is no good, or ""."""
    if picture is None or min(picture.size) < 24:
        return "broken or tiny"
    if max(picture.size) > 3.5 * min(picture.size):
        return "too long"
    opaque = ImageStat.Stat(picture.getchannel("A")).mean[0] / 255
    image = on_white(picture, size)
    if opaque < LEAST_INK or max(high - low for low, high in image.getextrema()) < 24:
        return "empty"
    if detail(image) > MOST_DETAIL:
        return "too detailed"
    return ""


def is_colourless(picture):
    saturation = picture.convert("RGB").convert("HSV").getchannel("S")
    mask = picture.getchannel("A").point(lambda a: 255 if a > 128 else 0)
    return bool(mask.getbbox()) and ImageStat.Stat(saturation, mask).mean[0] < 8


class Lookalikes:
    """Perceptual hashes: 128 bits of which neighbour is lighter, and 16 mean colours."""

    def __init__(self):
        self.seen = []

    @staticmethod
    def hash_of(picture):
        image = on_white(picture, 96)
        grey, bits = image.convert("L"), 0
        for size, step in (((9, 8), (1, 0)), ((8, 9), (0, 1))):
            small = grey.resize(size, Image.BOX).load()
            for y in range(8):
                for x in range(8):
                    bits = bits << 1 | (small[x, y] + 2 < small[x + step[0], y + step[1]])
        return bits, image.resize((4, 4), Image.BOX).tobytes()

    def find(self, picture, family):
        """The name of an earlier picture of another family that looks the same, or ""; remembers this one if none does."""
        bits, colours = self.hash_of(picture)
        for other_bits, other_colours, other in self.seen:
            if (bits ^ other_bits).bit_count() <= SAME_BITS and other != family:
                if sum(abs(a - b) for a, b in zip(colours, other_colours)) / len(colours) < SAME_COLOUR:
                    return other
        self.seen.append((bits, colours, family))
        return ""

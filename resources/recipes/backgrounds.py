# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Puts a cut-out picture before a plain colour or a simple scene, and says where it is."""

import random

from PIL import Image, ImageDraw

COLOURS = {
    "red": (222, 56, 52), "orange": (244, 150, 56), "yellow": (250, 218, 76), "green": (88, 188, 92),
    "dark green": (24, 96, 56), "sky blue": (140, 206, 246), "blue": (52, 112, 224), "dark blue": (24, 44, 112),
    "purple": (148, 96, 208), "pink": (246, 164, 200), "brown": (126, 82, 50), "beige": (238, 222, 190),
    "grey": (150, 150, 150), "black": (24, 24, 26), "turquoise": (70, 200, 194),
}
WHITE = (255, 255, 255)
FAR = 100  # a background stands off from the picture's edge by that much


def gradient(size, top, bottom):
    column = Image.new("RGB", (1, 2))
    column.putdata([top, bottom])
    return column.resize((size, size), Image.BILINEAR)


def grass(size, draw_random):
    picture = gradient(size, (120, 190, 246), (214, 238, 252))
    draw = ImageDraw.Draw(picture)
    horizon = size * draw_random.randint(55, 68) // 100
    draw.rectangle((0, horizon, size, size), fill=(98, 176, 72))
    for _ in range(size // 2):
        x, y = draw_random.randrange(size), draw_random.randrange(horizon, size)
        draw.line((x, y, x + draw_random.randint(-2, 2), y - size // 24), fill=(66, 142, 52), width=2)
    return picture


def beach(size, draw_random):
    picture = gradient(size, (104, 186, 244), (206, 236, 250))
    draw = ImageDraw.Draw(picture)
    sea, sand = size * draw_random.randint(38, 46) // 100, size * draw_random.randint(60, 70) // 100
    draw.rectangle((0, sea, size, sand), fill=(44, 140, 200))
    draw.rectangle((0, sand, size, size), fill=(240, 214, 152))
    draw.rectangle((0, sand - size // 50, size, sand), fill=(240, 250, 252))
    return picture


def snow(size, draw_random):
    picture = gradient(size, (128, 164, 204), (194, 214, 232))
    draw = ImageDraw.Draw(picture)
    ground = size * draw_random.randint(60, 72) // 100
    draw.ellipse((-size // 2, ground, size * 3 // 2, size * 2), fill=(246, 250, 254))
    for _ in range(30):
        x, y, radius = draw_random.randrange(size), draw_random.randrange(size), max(1, size // 80)
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=WHITE)
    return picture


def night(size, draw_random):
    picture = gradient(size, (10, 14, 46), (40, 48, 104))
    draw = ImageDraw.Draw(picture)
    for _ in range(26):
        x, y, radius = draw_random.randrange(size), draw_random.randrange(size), draw_random.choice((1, 1, 2))
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=(252, 246, 206))
    return picture


def table(size, draw_random):
    picture = Image.new("RGB", (size, size), (236, 226, 206))
    draw = ImageDraw.Draw(picture)
    edge = size * draw_random.randint(52, 62) // 100
    draw.rectangle((0, edge, size, size), fill=(170, 112, 62))
    for y in range(edge, size, size // 9):
        draw.line((0, y, size, y), fill=(132, 82, 42), width=2)
    return picture


# how it is said, how it is drawn
SCENES = {"in the grass": grass, "on the beach": beach, "in the snow": snow, "under a night sky": night,
          "on a wooden table": table}


def distance(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b)) ** 0.5


def edge_colours(picture):
    """Colours along the outline of a picture of transparent ground: those that a background must not swallow."""
    small = picture.resize((32, 32), Image.BOX)
    alpha = small.getchannel("A").load()
    pixels = small.load()
    colours = []
    for y in range(32):
        for x in range(32):
            near = [alpha[i, j] if 0 <= i < 32 and 0 <= j < 32 else 0
                    for i, j in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))]
            if alpha[x, y] > 96 and min(near) < 96:
                colours.append(pixels[x, y][:3])
    return colours


def visible_share(edge, colour):
    return sum(distance(c, colour) > FAR for c in edge) / len(edge) if edge else 0.0


def far_colours(edge):
    """Names of the colours that the whole outline stands off from; at least the two best."""
    shares = {name: visible_share(edge, colour) for name, colour in COLOURS.items()}
    far = [name for name, share in shares.items() if share > 0.85]
    return far if len(far) > 1 else sorted(shares, key=lambda n: -shares[n])[:2]


def placed(picture, canvas, scale, place):
    """`picture` with its longer side `scale` of the canvas, at `place` (0..1 each) of the room that is left."""
    size = canvas.width
    factor = size * scale / max(picture.size)
    fitted = picture.convert("RGBa").resize(
        tuple(max(1, round(side * factor)) for side in picture.size), Image.LANCZOS).convert("RGBA")
    left, top = (round((size - side) * where) for side, where in zip(fitted.size, place))
    canvas.paste(fitted, (left, top), fitted)
    return canvas


def on_white(picture, size):
    return placed(picture, Image.new("RGB", (size, size), WHITE), 0.92, (0.5, 0.5))


def composed(picture, size, ground, draw_random):
    """(image, where): before white ("white"), a named colour, or a scene; drawn larger first, for smooth edges."""
    if ground in SCENES:
        canvas = SCENES[ground](2 * size, draw_random).resize((size, size), Image.BOX)
        place = (draw_random.uniform(0.3, 0.7), draw_random.uniform(0.7, 0.95))
        return placed(picture, canvas, draw_random.uniform(0.6, 0.78), place), " " + ground
    canvas = Image.new("RGB", (size, size), COLOURS.get(ground, WHITE))
    place = (draw_random.uniform(0.2, 0.8), draw_random.uniform(0.2, 0.8))
    name = f"{'an' if ground[0] in 'aeiou' else 'a'} {ground} background"
    return placed(picture, canvas, draw_random.uniform(0.74, 0.94), place), " on " + name


def is_page(picture):
    """Whether it is a whole white rectangle: before a colour it would look like a sheet of paper."""
    small = picture.resize((16, 16), Image.BOX).load()
    rim = [small[i, j] for i in range(16) for j in range(16) if {i, j} & {0, 15}]
    return sum(a > 250 and min(r, g, b) > 235 for r, g, b, a in rim) > len(rim) * 0.8


def grounds(name, picture, count):
    """At most `count` backgrounds of a picture, the first white where it shows on white. Stable by name."""
    draw_random = random.Random(f"{name}/grounds")
    if is_page(picture):
        return ["white"] * min(count, 2)
    edge = edge_colours(picture)
    far = far_colours(edge)
    on_paper = visible_share(edge, WHITE) > 0.3
    plain = draw_random.sample(far, len(far))
    scenes = draw_random.sample(sorted(SCENES), len(SCENES))
    pattern = ["white", "white", "plain", "plain", "scene"] if on_paper else ["plain", "plain", "plain", "scene", "scene"]
    if count == 1:
        pattern = [draw_random.choice(pattern)]
    return ["white" if kind == "white" else plain[i % len(plain)] if kind == "plain" else scenes[i % len(scenes)]
            for i, kind in enumerate(pattern[:count])]

#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Makes a captioned picture data set out of the colour emoji font, to train the default model with.

    emoji_dataset.py OUTPUT [--size 64] [--subset common|all] [--variants 4] [--only NAMES] [--sheet FILE]

Needs the Debian packages fonts-noto-color-emoji, unicode-data, unicode-cldr-core, python3-fonttools and
python3-pil. The same packages and options give the same files.

OUTPUT receives SIZExSIZE PNG files and metadata.jsonl with one line each: file_name, text (the plainest
caption), texts (all captions; training may pick one at random), name, kind.
The pictures come from Noto Color Emoji (SIL Open Font License 1.1).
"""

import argparse
import html
import io
import json
import random
import re
import sys
from pathlib import Path
from typing import NamedTuple

from fontTools.ttLib import TTFont
from PIL import Image

FONT = Path("/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf")
EMOJI_TEST = Path("/usr/share/unicode/emoji/emoji-test.txt")
CLDR = Path("/usr/share/unicode/cldr/common")
PACKAGES = "fonts-noto-color-emoji unicode-data unicode-cldr-core python3-fonttools python3-pil"
COMMON = Path(__file__).with_name("common_things.txt")

CANVAS = 144  # the bitmaps of 136x128 with a margin
COLOURS = {
    "blue": (64, 128, 232), "green": (88, 188, 92), "yellow": (250, 218, 76), "pink": (246, 152, 192),
    "orange": (244, 150, 56), "purple": (148, 96, 208), "grey": (150, 150, 150), "red": (222, 56, 52),
    "black": (28, 28, 30),
}
OBSCURE_KEYWORDS = {"zodiac", "face", "bearer", "symbol", "sign"}
SKIPPED_GROUPS = {"Flags", "Symbols", "Component"}


class Emoji(NamedTuple):
    sequence: tuple
    group: str
    subgroup: str


class EmojiFont:
    """Pictures by sequence of code points."""

    def __init__(self, path):
        self.font = TTFont(path)
        self.glyphs = self.font.getBestCmap()
        self.bitmaps = self.font["CBDT"].strikeData[0]
        self.ligatures = {}
        for lookup in self.font["GSUB"].table.LookupList.Lookup:
            for table in lookup.SubTable:
                table = getattr(table, "ExtSubTable", table)
                for first, ligatures in getattr(table, "ligatures", {}).items():
                    for ligature in ligatures:
                        self.ligatures[(first, *ligature.Component)] = ligature.LigGlyph

    def picture(self, sequence):
        """An RGBA image, or None where the font has no single glyph for the sequence."""
        names = tuple(self.glyphs.get(c) for c in sequence if c != 0xFE0F)
        if None in names:
            return None
        name = names[0] if len(names) == 1 else self.ligatures.get(names)
        if name not in self.bitmaps:
            return None
        return Image.open(io.BytesIO(self.bitmaps[name].imageData)).convert("RGBA")


def read_emoji(tones=False):
    """name -> Emoji, fully qualified ones in the order of the standard, without skin tones unless wanted."""
    result, group, subgroup = {}, "", ""
    for line in EMOJI_TEST.read_text(encoding="utf-8").splitlines():
        if line.startswith("# group:"):
            group = line.split(":", 1)[1].strip()
        elif line.startswith("# subgroup:"):
            subgroup = line.split(":", 1)[1].strip()
        match = re.match(r"([0-9A-F ]+?)\s*; fully-qualified\s*# \S+ E[\d.]+ (.+)", line)
        if match and (tones or "skin tone" not in match[2]):
            result[match[2].strip()] = Emoji(tuple(int(c, 16) for c in match[1].split()), group, subgroup)
    return result


def text_of(sequence):
    """As CLDR's annotations name it: without the variation selector."""
    return "".join(chr(c) for c in sequence if c != 0xFE0F)


def file_stem(sequence):
    return "-".join(f"{c:x}" for c in sequence if c != 0xFE0F)


def read_keywords():
    """Text of an emoji -> its English keywords."""
    result = {}
    for part in ("annotations", "annotationsDerived"):
        text = (CLDR / part / "en.xml").read_text(encoding="utf-8")
        for symbols, words in re.findall(r'<annotation cp="([^"]+)">([^<]+)</annotation>', text):
            result[html.unescape(symbols)] = [w.strip() for w in html.unescape(words).split("|")]
    return result


def with_article(name):
    return ("an " if name[0].lower() in "aeio" else "a ") + name


def read_common():
    """[(name, kind, captions)] of common_things.txt."""
    result = []
    for line in COMMON.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        kind, entries = line.split(":", 1)
        for entry in entries.split(";"):
            name, _, captions = (part.strip() for part in entry.partition("="))
            result.append((name, kind.strip(), [c.strip() for c in captions.split("/")] if captions
                           else [with_article(name)]))
    return result


def all_things(emoji, common):
    """The common ones, then every other emoji outside flags, symbols and clock faces, by its name."""
    known = {name for name, _, _ in common}
    others = [(name, "", [with_article(name)]) for name, one in emoji.items()
              if name not in known and one.group not in SKIPPED_GROUPS and not re.search(r"o.clock|-thirty", name)]
    return common + others


def captions_of(captions, kind, keywords, background):
    """Every way to say it, the plainest first."""
    where = f" on a {background} background" if background else ""
    plain = [c + where for c in captions]
    first = captions[0] + where
    texts = plain + [f"{way} of {first}" for way in ("a picture", "a drawing", "a photo", "an emoji")]
    texts += [re.sub(r"^(an?|the) ", "", first)]
    if kind:
        texts.append(f"{first}, {kind}")
    words = [w for w in keywords if re.fullmatch(r"[a-z][a-z -]*", w) and w not in captions[0] and w not in OBSCURE_KEYWORDS]
    if words:
        texts.append(f"{first}, " + ", ".join(words[:3]))
    if not background:
        texts.append(f"{captions[0]} on a white background")
    return list(dict.fromkeys(texts))


def far_colour(picture, random_source):
    """A background that stands off from the picture's mean colour."""
    pixel = picture.convert("RGBa").resize((1, 1), Image.BOX).convert("RGBA").getpixel((0, 0))
    far = [n for n, c in COLOURS.items() if sum((a - b) ** 2 for a, b in zip(c, pixel[:3])) > 110 ** 2]
    return random_source.choice(far)


def compose(picture, size, colour, side, left, top):
    """The picture on a plain square of `side` pixels, scaled to `size`."""
    square = Image.new("RGB", (side, side), colour)
    square.paste(picture, (left, top), picture)
    return square.resize((size, size), Image.LANCZOS)


def variants(name, picture, size, count):
    """(image, background name or ""), the first centred on white; later ones smaller and shifted, every
    fourth on a plain colour."""
    for number in range(count):
        random_source = random.Random(f"{name}/{number}")
        side = CANVAS if number == 0 else random_source.randint(CANVAS, CANVAS * 13 // 10)
        room = (side - picture.width, side - picture.height)
        left, top = room[0] // 2, room[1] // 2
        background = far_colour(picture, random_source) if number % 4 == 3 else ""
        if number:
            left, top = random_source.randint(2, room[0] - 2), random_source.randint(2, room[1] - 2)
        colour = COLOURS[background] if background else (255, 255, 255)
        yield compose(picture, size, colour, side, left, top), background


def write_sheet(path, pictures, columns=24):
    size = pictures[0].width
    sheet = Image.new("RGB", (columns * size, -(-len(pictures) // columns) * size), "white")
    for i, picture in enumerate(pictures):
        sheet.paste(picture, (i % columns * size, i // columns * size))
    sheet.save(path)


def make(arguments):
    emoji, keywords, font = read_emoji(), read_keywords(), EmojiFont(FONT)
    common = [entry for entry in read_common() if entry[0] in emoji]
    missing = [name for name, _, _ in read_common() if name not in emoji]
    if missing:
        sys.exit(f"{COMMON}: these names are not in {EMOJI_TEST}: {', '.join(missing)}")
    things = common if arguments.subset == "common" else all_things(emoji, common)
    if arguments.only:
        wanted = {line.strip() for line in arguments.only.read_text(encoding="utf-8").splitlines()}
        things = [thing for thing in things if thing[0] in wanted]
    arguments.output.mkdir(parents=True, exist_ok=True)
    lines, sheet, without = [], [], []
    for name, kind, captions in things:
        sequence = emoji[name].sequence
        picture = font.picture(sequence)
        if picture is None:
            without.append(name)
            continue
        words = keywords.get(text_of(sequence), [])
        stem = file_stem(sequence)
        for number, (image, background) in enumerate(variants(name, picture, arguments.size, arguments.variants)):
            texts = captions_of(captions, kind, words, background)
            if arguments.only and not background:
                texts = [text for text in texts if "background" not in text]
            file_name = f"{stem}_{number}.png"
            image.save(arguments.output / file_name, optimize=True)
            lines.append({"file_name": file_name, "text": texts[0], "texts": texts, "name": name, "kind": kind})
            sheet.append(image) if number == 0 or arguments.sheet_all else None
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (arguments.output / "metadata.jsonl").write_text(text, encoding="utf-8")
    if arguments.sheet:
        write_sheet(arguments.sheet, sheet)
    print(f"{len(things) - len(without)} things, {len(lines)} pictures of {arguments.size} pixels, "
          f"{sum(len(line['texts']) for line in lines)} captions")
    if without:
        print("without a picture in the font:", ", ".join(without))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("--size", type=int, default=64, help="width and height in pixels")
    parser.add_argument("--subset", choices=["common", "all"], default="common")
    parser.add_argument("--only", type=Path,
                        help="only the things named in this file, one a line; white backgrounds are not captioned then")
    parser.add_argument("--variants", type=int, default=4, help="pictures of each thing; 1: only the centred one")
    parser.add_argument("--sheet", type=Path, help="also write a contact sheet here")
    parser.add_argument("--sheet-all", action="store_true", help="with every variant on the sheet")
    arguments = parser.parse_args()
    for path in (FONT, EMOJI_TEST, CLDR / "annotations" / "en.xml"):
        if not path.exists():
            sys.exit(f"{path} is missing; install the Debian packages {PACKAGES}")
    make(arguments)


if __name__ == "__main__":
    main()

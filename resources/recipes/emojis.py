# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Noto Color Emoji's pictures (SIL Open Font License 1.1), and what Unicode calls them.

Needs the Debian packages fonts-noto-color-emoji, unicode-data, unicode-cldr-core, python3-fonttools and python3-pil.
"""

import html
import io
import re
from pathlib import Path
from typing import NamedTuple

from fontTools.ttLib import TTFont
from PIL import Image

FONT = Path("/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf")
EMOJI_TEST = Path("/usr/share/unicode/emoji/emoji-test.txt")
CLDR = Path("/usr/share/unicode/cldr/common")
COMMON = Path(__file__).with_name("common_things.txt")

OBSCURE_KEYWORDS = {"zodiac", "face", "bearer", "symbol", "sign"}


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

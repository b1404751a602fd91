# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the Debian packages openclipart-svg (titles, licences) and openclipart-png (pictures)."""

import html
import re
import warnings
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from captions import article
from licences import is_public_domain

CLIPART = Path("/usr/share/openclipart")
ENGLISH = Path("/usr/share/dict/american-english")
WORDS = Path(__file__).with_name("clipart_words.txt")

# Signs, text, brands, maps and screen icons teach nothing that somebody would ask a small model for.
SIGNS = {"signs_and_symbols", "buttons", "logos", "computer", "special", "shapes", "roadsigns", "aiga-symbols", "cards",
         "religion", "pantyhose", "duplicates", "decorations"}
SIGN_WORDS = {"map", "maps", "logo", "sign", "signs", "signal", "symbol", "panic", "roadsign", "flag", "banner", "text", "menu", "callout",
              "blueprint", "diagram", "silhouettes", "letter", "alphabet", "banknote", "poster"}
# Real people are left out, and so are trade marks.
PEOPLE = re.compile(r"beckham|gogh|bush|clinton|gandhi|lenin|einstein|mozart|stallman|jesus|tux|linux|hummer|skoda|"
                    r"chevrolet|gameboy|shelby|xbill|kallisti|discordian|garmin|hitler|che guevara|marx|mao\b", re.I)
# Titles of a whole collection; the file's name says what a picture shows.
COLLECTION = re.compile(r"clip ?art|sibmission|etiquette icons|collection|architetto|submission|openclipart", re.I)
NOISE = {"the", "simple", "stylized", "stylised", "icon", "colour", "color", "version", "various", "la", "le", "il", "lo",
         "example", "basic", "generic", "clip", "art", "contour", "architetto", "francesco", "rollandin", "rolla",
         "nicu", "buculei", "benji", "park", "ganson", "alt", "v", "md", "contorno", "semplice", "stilizzata"}
ITALIAN = re.compile(r"archit|rolla|architetto|francesco")
ENDS = {"of", "on", "in", "and", "with", "a", "an", "to", "at", "by", "under", "clothing", "highlight", "image", "picture"}
SHORT = {"of", "on", "in", "a", "to", "at", "ox"}
# Other words with a capital letter are people's and places' names.
ADJECTIVES_OF_NAMES = {"christmas", "halloween", "easter", "thanksgiving", "french", "african", "italian", "german", "english",
                       "chinese", "japanese", "american", "australian", "swiss", "indian", "viking", "egyptian", "roman",
                       "greek", "santa", "dutch", "irish", "mexican", "earth", "mars", "saturn", "viennese", "danish", "tv",
                       "gothic", "victorian", "xmas", "asian", "arctic", "venus", "mercury", "jupiter"}
GENERAL = {"animal", "mammal", "insect", "food", "recreation", "hash", "unsorted", "plant", "tool", "office", "people",
           "transport", "transportation", "education", "work", "festive", "party", "equipment", "electronics", "sports",
           "clothing", "toy", "holiday", "dessert", "desserts", "furniture", "building", "container", "beverage", "music",
           "protein", "carbohydrate", "menu", "geography", "nature", "cute", "cartoon", "clip", "art", "image", "study",
           "science", "symbol", "other", "bodypart", "utensile", "shape", "object", "things", "life", "living", "feline",
           "alcohol", "game", "entertainment", "weather", "astronomy", "decoration", "activity", "place", "kawai",
           "northamerica", "europe", "asia", "africa", "latinamerica", "vehicle", "bright", "common", "front", "religion",
           "weapon", "digging", "base", "dirty", "health", "raster", "vector", "cliparts", "glossy", "highlight", "logos", "style",
           "carbs", "illustration", "reunion", "female", "male", "black", "white", "christianity", "advent", "scratch",
           "stickmen", "medical", "tropical"}
COLOUR_WORDS = {"red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "grey", "gray", "black", "white"}
LARGEST_SIDE = 4000
MOST_LETTERS = 12  # written into a drawing: more are its author's words, or what it shows is text


class ClipArt(NamedTuple):
    path: str  # below the packages' folders, without its ending
    title: str
    keywords: list
    public_domain: bool
    flaw: str  # of the drawing itself; "" if it has none


def flaw_of(svg):
    """Why a drawing should not be learned, by its source."""
    links = re.findall(r'<image\b[^>]*?xlink:href="([^"]{0,5})', svg)
    if any(link != "data:" for link in links):
        return "a part of it is missing"
    written = "".join(re.findall(r">([^<>]*)<", "".join(re.findall(r"<text\b.*?</text>", svg, re.DOTALL))))
    return "sign or text" if len(re.sub(r"\s", "", written)) > MOST_LETTERS else ""


def read_clipart():
    """All drawings, in the order of their paths; links to them are left out."""
    result = []
    for path in sorted((CLIPART / "svg").rglob("*.svg")):
        if path.is_symlink():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        title = re.search(r"<dc:title>([^<]*)</dc:title>", text)
        keywords = [html.unescape(k).strip().lower() for k in re.findall(r"<rdf:li>([^<]*)</rdf:li>", text)]
        result.append(ClipArt(str(path.relative_to(CLIPART / "svg").with_suffix("")),
                              html.unescape(title[1]).strip() if title else "", [k for k in keywords if k],
                              is_public_domain(text), flaw_of(text)))
    return result


def read_words():
    """English words, and what others mean in English."""
    english = {word.strip() for word in ENGLISH.read_text(encoding="utf-8").splitlines()}
    meanings = {}
    for line in WORDS.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            word, meaning = line.split("=", 1)
            meanings[word.strip()] = meaning.strip()
    return {word for word in english if len(word) > 2 and word.islower()} | SHORT | ADJECTIVES_OF_NAMES, meanings


def words_of(title):
    parted = re.sub(r"([a-z])([A-Z])", r"\1 \2", title)
    parted = re.sub(r"\bt[- ]?shirt", "tshirt", parted, flags=re.I)
    parted = re.sub(r"\([^)]*scoop[^)]*\)", "", parted, flags=re.I)
    parted = re.sub(r"\(?B (?:and|&) W\)?|black and white", " bw ", parted, flags=re.I)
    return [word for word in re.findall(r"[^\W\d_]+", parted.lower().replace("'s", "")) if word not in NOISE]


def named(words, english, meanings, foreign):
    """The words in English, or nothing where one of them is unknown. Italian titles hold words that would also be
    English ("cane", "sole"), so all of theirs must be in the list."""
    result = []
    for word in words:
        if word in meanings:
            result += meanings[word].split() if meanings[word] else []
        elif word in english and not foreign:
            result.append(word)
        else:
            return []
    return list(dict.fromkeys(result))


def phrase_of(art, english, meanings):
    """What the drawing shows: its title, or its file's name, or its first keyword that says something; "" where none is
    English."""
    stem = Path(art.path).name
    collection = not art.title or COLLECTION.search(art.title)
    foreign = bool(ITALIAN.search(stem) or any(ITALIAN.search(k) for k in art.keywords))
    words = named(words_of(stem if collection else art.title), english, meanings, foreign)
    colourless = "bw" in words_of(art.title) or "bw" in words_of(stem)
    if words:
        words = [w for w in words if w not in ("black", "and", "white")] if colourless else words
    while words and words[-1] in ENDS:
        words.pop()
    while words and words[0] in ENDS:
        words.pop(0)
    if len(words) > 1 and words[-1] in COLOUR_WORDS and words[-2] not in ("in", "on", "and", *COLOUR_WORDS):
        words = [words[-1], *words[:-1]]
    if not words or len(words) > 6 or set(words) <= GENERAL:
        specific = [k for k in art.keywords if k in english and k not in GENERAL and len(k) > 2]
        words = specific[:1]
    return article(" ".join(words)) if words else ""


def keywords_of(art, english, phrase):
    useful = [k for k in art.keywords if k in english and k not in GENERAL and k not in phrase and len(k) > 2]
    return sorted(useful)[:2]


def is_sign(art):
    words = set(words_of(art.title)) | set(art.keywords)
    return bool(SIGNS & set(Path(art.path).parts) or SIGN_WORDS & words)


def is_person_or_brand(art):
    return bool(PEOPLE.search(" ".join([art.path, art.title, *art.keywords])))


def picture_path(art):
    return CLIPART / "png" / (art.path + ".png")


def is_too_large(art):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        with Image.open(picture_path(art)) as picture:
            return max(picture.size) > LARGEST_SIDE


def load_picture(art):
    """RGBA, cut to what is drawn. A page that is white all around gets no transparency: its whites may be drawn."""
    with Image.open(picture_path(art)) as picture:
        picture = picture.convert("RGBA")
    box = picture.getchannel("A").point(lambda a: 255 if a > 8 else 0).getbbox()
    return picture.crop(box) if box else None

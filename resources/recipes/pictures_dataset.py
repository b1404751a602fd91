#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the captioned pictures that the 128-pixel default model learns: emoji and public-domain clip art.

    pictures_dataset.py --output FOLDER [--size 128] [--limit N]

Needs the Debian packages fonts-noto-color-emoji, unicode-data, unicode-cldr-core, openclipart-png, openclipart-svg,
wamerican, python3-fonttools and python3-pil. The same packages and options give the same files.

FOLDER receives train/ and held_out/ (a twentieth of the subjects, chosen by a hash of what they are called), each with
SIZExSIZE PNG files and metadata.jsonl: file_name, text (the plainest caption), texts (all captions; training picks one
at random), name, kind, source, background. FOLDER/metadata.jsonl names the pictures of train/ as often as they count:
common things several times, so that a small model draws them well before it knows the rare ones. plain/ has common
things alone, each once on white: where only the thing differs, its word is what is learned first. counts.json says how
many were found, dropped for which reason, and kept.
"""

import argparse
import collections
import hashlib
import json
import os
import random
import re
import shutil
import sys
from pathlib import Path
from typing import Callable, NamedTuple

import backgrounds
import captions
import clipart
import emojis
from picture_checks import Lookalikes, fault, is_colourless

PACKAGES = ("fonts-noto-color-emoji unicode-data unicode-cldr-core openclipart-png openclipart-svg wamerican "
            "python3-fonttools python3-pil")
NEEDED = [emojis.FONT, emojis.EMOJI_TEST, emojis.CLDR / "annotations" / "en.xml", clipart.CLIPART / "svg",
          clipart.CLIPART / "png", clipart.ENGLISH]
HELD_OUT_SHARE = 20  # one subject in so many
FIRST = Path(__file__).parent / "first_things.txt"
TIMES_FIRST, TIMES_COMMON = 24, 8  # about a third of what is learned each; the last third is everything else
PLAIN_FIRST, PLAIN_COMMON = 3, 1   # the same in plain/
VARIANTS = 5
KEPT_SYMBOLS = {"geometric"}
TEXT_ONLY = re.compile(r"\b(?:ZZZ|hundred points|dvd|placard|receipt|newspaper|NO|calendar|Japanese post office|love hotel)\b")


class Subject(NamedTuple):
    name: str
    source: str
    family: str  # pictures of one family may look alike: their captions tell them apart
    called: str  # without skin tones
    phrases: list
    kind: str
    words: list
    style: str
    stem: str
    pictures: int
    load: Callable


def emoji_phrases(base, common, subgroup):
    known = common.get(base)
    return known[1] if known else captions.untoned_phrases(base, subgroup)


def emoji_subject(name, one, common, keywords, font, with_tones):
    base, tones = captions.split_tones(name)
    phrases = emoji_phrases(base, common, one.subgroup)
    words, called = [], phrases[0]
    if tones:
        phrases = [captions.toned(phrase, tones) for phrase in phrases]
    else:
        listed = keywords.get(emojis.text_of(one.sequence), [])
        words = [w for w in listed if re.fullmatch(r"[a-z][a-z -]*", w) and w not in phrases[0]
                 and w not in emojis.OBSCURE_KEYWORDS][:2]
        if base in with_tones:
            phrases = phrases + [captions.toned(phrase, ["yellow"]) for phrase in phrases]
    kind = common[base][0] if base in common else captions.kind_of(one.subgroup)
    few = tones or one.group == "Flags"
    return Subject(name, "emoji", base, called, phrases, kind, words, "an emoji", emojis.file_stem(one.sequence),
                   1 if few else VARIANTS, lambda: cropped(font.picture(one.sequence)))


def cropped(picture):
    box = picture.getchannel("A").getbbox() if picture else None
    return picture.crop(box) if box else None


def emoji_subjects(counts):
    font, keywords, all_emoji = emojis.EmojiFont(emojis.FONT), emojis.read_keywords(), emojis.read_emoji(tones=True)
    common = {name: (kind, phrases) for name, kind, phrases in emojis.read_common()}
    with_tones = {captions.split_tones(name)[0] for name in all_emoji if "skin tone" in name}
    # Plain ones first, so that a toned one is what gets dropped as a near-duplicate.
    for name, one in sorted(all_emoji.items(), key=lambda item: ("skin tone" in item[0], item[1].sequence)):
        counts["emoji"]["found"] += 1
        if (one.group == "Symbols" and one.subgroup not in KEPT_SYMBOLS) or TEXT_ONLY.search(name):
            counts["emoji"]["dropped: sign or text"] += 1
        else:
            yield emoji_subject(name, one, common, keywords, font, with_tones)


def clipart_phrase(art, english, meanings, counts):
    """What the drawing shows, or "" after counting why it is not wanted."""
    if not art.public_domain:
        reason = "licence is not public domain"
    elif clipart.is_sign(art):
        reason = "sign or text"
    elif clipart.is_person_or_brand(art):
        reason = "real person or brand"
    elif art.flaw:
        reason = art.flaw
    elif not clipart.picture_path(art).exists():
        reason = "broken or tiny"
    elif clipart.is_too_large(art):
        reason = "too large"
    else:
        phrase = clipart.phrase_of(art, english, meanings)
        if phrase:
            return phrase
        reason = "no English name"
    counts["clipart"]["dropped: " + reason] += 1
    return ""


def clipart_subjects(counts):
    english, meanings = clipart.read_words()
    for art in clipart.read_clipart():
        counts["clipart"]["found"] += 1
        phrase = clipart_phrase(art, english, meanings, counts)
        if phrase:
            stem = hashlib.sha256(art.path.encode()).hexdigest()[:16]
            yield Subject(art.path, "clipart", art.path, phrase, [phrase], captions.kind_of(str(Path(art.path).parent)),
                          clipart.keywords_of(art, english, phrase), "clip art", stem, VARIANTS,
                          lambda art=art: clipart.load_picture(art))


def is_held_out(subject):
    """By what a subject is called, so that one caption never stands on both sides."""
    return int(hashlib.sha256(subject.called.lower().encode()).hexdigest(), 16) % HELD_OUT_SHARE == 0


def write_subject(subject, picture, folder, size):
    """Its pictures, and a metadata line for each."""
    phrases = subject.phrases
    if subject.source == "clipart" and is_colourless(picture):
        phrases = [f"{phrases[0]} in black and white", f"a black and white drawing of {phrases[0]}", *phrases]
    lines = []
    for number, ground in enumerate(backgrounds.grounds(subject.name, picture, subject.pictures)):
        image, where = backgrounds.composed(picture, size, ground, random.Random(f"{subject.name}/{number}"))
        if number == 0 and ground == "white":
            image = backgrounds.on_white(picture, size)
        file_name = f"{subject.source}_{subject.stem}_{number}.png"
        image.save(folder / file_name)
        texts = captions.sentences(phrases, subject.kind, subject.words, subject.style, where)
        lines.append({"file_name": file_name, "text": texts[0], "texts": texts, "name": subject.name,
                      "kind": subject.kind, "source": subject.source, "background": ground})
    return lines


def good_subjects(arguments, counts):
    """(subject, picture) of those that are whole and look like no other."""
    lookalikes = Lookalikes()
    for source in (emoji_subjects, clipart_subjects):
        found = list(source(counts))
        if arguments.limit:
            found = found[:: max(1, len(found) // arguments.limit)][: arguments.limit]
        for subject in found:
            counted = counts[subject.source]
            picture = subject.load()
            reason = fault(picture, arguments.size)
            if not reason and lookalikes.find(picture, subject.family):
                reason = "near-duplicate"
            counted["dropped: " + reason if reason else "kept"] += 1
            if not reason:
                yield subject, picture


def write_metadata(folder, lines):
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in sorted(lines, key=lambda x: x["file_name"]))
    (folder / "metadata.jsonl").write_text(text, encoding="utf-8")


def often(lines, first, common, times, others):
    """Each line as often as its picture counts: times = (of first things, of common ones), others for the rest."""
    for line in lines:
        emoji = line["source"] == "emoji"
        count = times[0] if emoji and line["name"] in first else times[1] if emoji and line["name"] in common else others
        yield from [line] * count


def first_things():
    lines = (line.strip() for line in FIRST.read_text(encoding="utf-8").splitlines())
    return {line for line in lines if line and not line.startswith("#")}


def write_lists(folder, lines):
    """What is learned first (plain/), and how often everything counts afterwards."""
    first, common = first_things(), {name for name, _, _ in emojis.read_common()}
    everything = often(lines, first, common, (TIMES_FIRST, TIMES_COMMON), 1)
    write_metadata(folder, [line | {"file_name": f"train/{line['file_name']}"} for line in everything])
    white = [line for line in lines if line["background"] == "white" and line["file_name"].endswith("_0.png")]
    plain = list(often(white, first, common, (PLAIN_FIRST, PLAIN_COMMON), 0))
    (folder / "plain").mkdir()
    for name in {line["file_name"] for line in plain}:
        os.link(folder / "train" / name, folder / "plain" / name)
    write_metadata(folder / "plain", plain)


def make(arguments):
    counts = {"emoji": collections.Counter(), "clipart": collections.Counter(), "pictures": collections.Counter()}
    lines = {"train": [], "held_out": []}
    for split in lines:
        (arguments.output / split).mkdir(parents=True, exist_ok=True)
    for subject, picture in good_subjects(arguments, counts):
        split = "held_out" if is_held_out(subject) else "train"
        written = write_subject(subject, picture, arguments.output / split, arguments.size)
        lines[split] += written
        counts["pictures"][split] += len(written)
        counts["pictures"][f"{split}, captions"] += sum(len(line["texts"]) for line in written)
        counts["pictures"][f"{split}, subjects"] += 1
    for split, its_lines in lines.items():
        write_metadata(arguments.output / split, its_lines)
    write_lists(arguments.output, lines["train"])
    text = json.dumps({part: dict(sorted(count.items())) for part, count in counts.items()}, indent=2)
    (arguments.output / "counts.json").write_text(text + "\n", encoding="utf-8")
    print(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--output", type=Path, required=True, help="folder to make; must not exist")
    parser.add_argument("--size", type=int, default=128, help="width and height in pixels")
    parser.add_argument("--limit", type=int, default=0, help="only so many subjects of each source, spread evenly")
    arguments = parser.parse_args()
    missing = [str(path) for path in NEEDED if not path.exists()]
    if missing:
        sys.exit(f"{', '.join(missing)}: missing; install the Debian packages {PACKAGES}")
    if arguments.output.exists():
        sys.exit(f"{arguments.output} is already there; remove it or choose another folder")
    part = arguments.output.with_name(arguments.output.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    target, arguments.output = arguments.output, part
    make(arguments)
    part.rename(target)


if __name__ == "__main__":
    main()

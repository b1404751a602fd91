# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Captions as a person would type them, out of the names of emoji and the titles of clip art."""

import re

AN = {"umbrella", "umbrellas", "unlocked", "upside-down", "up", "upwards", "ugly", "urn", "hour", "hourglass", "x-ray",
      "under", "ultralight", "unhappy"}
A = {"one", "one-piece", "once", "european", "euro", "eucalyptus", "ewe"}
MASS = {
    "badminton", "bacon", "beans", "bread", "broccoli", "butter", "celery", "cheese", "chocolate", "coffee", "construction",
    "coral", "corn", "dango", "dna", "falafel", "fire", "flatbread", "fog", "fondue", "food", "fruit", "garlic", "ginger",
    "grass", "hockey", "ice", "juice", "lacrosse", "lemonade", "lightning", "mate", "meat", "milk", "money", "music", "oden",
    "paper", "pasta", "pong", "popcorn", "racing", "rain", "rice", "sake", "salad", "salt", "snow", "soap", "spaghetti",
    "sugar", "sushi", "tea", "thread", "tofu", "water", "wheat", "wine", "wood", "yarn", "yoga", "zzz",
}
PLURAL = {"people", "men", "women", "children", "sheep", "teeth", "feet", "dice", "mice", "geese", "hearts"}
SINGULAR_S = {"bus", "gas", "lens", "cactus", "compass", "glass", "dress", "octopus", "iris", "tennis", "chess", "cross",
              "circus", "virus", "grass", "mass", "us", "lotus", "walrus", "platypus", "hippopotamus", "rhinoceros",
              "christmas", "canvas", "atlas", "gps"}
PROPER = ("Santa", "Mrs.", "mx ", "Mount")
# Where the first noun's group ends: what follows says more about it.
AFTER_NOUN = re.compile(
    r" (?:with|in|of|on|and|from|at|for|behind|without|showing|against|over|under|to|by|into|inside|like|"
    r"[a-z]{3,}ing(?: |$))")
NOUNS_IN_ING = {"ring", "wing", "king", "string", "building", "ceiling", "earring", "herring", "lightning", "painting",
                "drawing", "wedding", "evening", "morning", "racing", "clothing", "pudding", "spring", "swing", "sling"}

ODD_NAMES = {
    "OK hand": ["an OK hand", "a hand showing OK"],
    "ZZZ": ["three blue letters z"],
    "breast-feeding": ["a woman feeding a baby"],
    "call me hand": ["a hand with thumb and little finger out"],
    "foggy": ["a bridge in fog"],
    "dizzy": ["a yellow star flying in a circle"],
    "collision": ["an explosion"],
    "hundred points": ["a red hundred"],
    "hole": ["a black hole in the ground"],
    "horse racing": ["a person riding a horse"],
    "index pointing at the viewer": ["a hand pointing at you"],
    "index pointing up": ["a hand pointing up"],
    "kiss": ["a couple kissing"],
    "kiss mark": ["red lips", "a kiss mark"],
    "left speech bubble": ["a speech bubble"],
    "love-you gesture": ["a hand with thumb, index finger and little finger out"],
    "mate": ["a cup of mate with a straw"],
    "nail polish": ["a hand with nail polish"],
    "performing arts": ["two theatre masks"],
    "sad but relieved face": ["a sad face with sweat"],
    "selfie": ["a hand holding a phone"],
    "sign of the horns": ["a hand making horns"],
    "spade suit": ["a black spade"], "club suit": ["a black club"], "heart suit": ["a red heart of a card game"],
    "diamond suit": ["a red diamond of a card game"],
    "1st place medal": ["a gold medal", "a first place medal"],
    "2nd place medal": ["a silver medal", "a second place medal"],
    "3rd place medal": ["a bronze medal", "a third place medal"],
    "thumbs up": ["a thumbs up", "a hand with the thumb up"],
    "thumbs down": ["a thumbs down", "a hand with the thumb down"],
    "writing hand": ["a writing hand", "a hand with a pen"],
    "metro": ["a metro train", "a subway train"],
    "seat": ["a seat"],
    "technologist": ["a person at a computer"], "man technologist": ["a man at a computer"],
    "woman technologist": ["a woman at a computer"],
    "cyclone": ["a blue spiral"],
    "anger symbol": ["a red anger mark"],
    "people with bunny ears": ["two people with bunny ears"], "men with bunny ears": ["two men with bunny ears"],
    "women with bunny ears": ["two women with bunny ears"],
    "construction": ["a construction barrier"],
    "stop sign": ["a red stop sign"],
    "ice": ["an ice cube"],
}


def article(phrase):
    """With "a" or "an" where a person would write one."""
    first = phrase.split()[0].lower()
    end = AFTER_NOUN.search(phrase)
    while end and end[0].split()[0] in NOUNS_IN_ING:
        end = AFTER_NOUN.search(phrase, end.end() - 1)
    head = (phrase[:end.start()] if end and end.start() else phrase).split()[-1].lower()
    plural = head.endswith("s") and head not in SINGULAR_S and not re.search(r"(ss|us|is|'s)$", head)
    if phrase.startswith(PROPER) or plural or first in PLURAL or head in PLURAL | MASS:
        return phrase
    if re.match(r"(an?|the|some|two|three|four|five|six|my)\b", phrase, re.I):
        return phrase
    vowel = first in AN or (first[0] in "aeio" and first not in A)
    return ("an " if vowel else "a ") + phrase


def list_of(things):
    things = [article(thing) for thing in things]
    return ", ".join(things[:-1]) + " and " + things[-1] if len(things) > 1 else things[0]


def clock_phrases(name):
    hour = re.fullmatch(r"(\w+)(?: o'clock|(-thirty))", name)
    if not hour:
        return []
    return [f"a clock showing {'half past ' + hour[1] if hour[2] else hour[1] + chr(32) + 'o' + chr(39) + 'clock'}"]


def parted_phrases(head, rest):
    """Of names with a colon: "family: man, girl", "woman: red hair"."""
    if head == "flag":
        return [f"the flag of {rest[0].replace('&', 'and')}", f"the {rest[0].replace('&', 'and')} flag"]
    if head == "family":
        return [f"a family of {list_of(rest)}"]
    if head == "kiss":
        return [f"{list_of(rest)} kissing"]
    if head == "couple with heart":
        return [f"{list_of(rest)} with a heart"]
    if rest == ["bald"]:
        return [f"a bald {head}"]
    return [f"{article(head)} with {'a ' if rest == ['beard'] else ''}{' and '.join(rest)}"]


def person_phrases(name, subgroup):
    role = re.fullmatch(r"(man|woman) ([a-z ]+)", name)
    if not role or subgroup not in ("person-role", "person-fantasy", "person-gesture", "person-activity", "person-sport"):
        return []
    if re.match(r"(?:in|with|wearing|[a-z]+ing)\b", role[2]):
        return []
    return [f"a {'male' if role[1] == 'man' else 'female'} {role[2]}", article(name)]


def hand_phrases(name):
    pointing = re.fullmatch(r"backhand index pointing (\w+)", name)
    return [f"a hand pointing {pointing[1]}", f"a finger pointing {pointing[1]}"] if pointing else []


def untoned_phrases(name, subgroup=""):
    """Every way to call the emoji of this name, the plainest first."""
    plain = name.replace("’", "'")
    if plain in ODD_NAMES:
        return ODD_NAMES[plain]
    if ": " in plain:
        head, rest = plain.split(": ", 1)
        return parted_phrases(head, rest.split(", "))
    return (clock_phrases(plain) or person_phrases(plain, subgroup) or hand_phrases(plain)
            or [article(plain.replace("rightwards ", "right ").replace("leftwards ", "left "))])


def split_tones(name):
    """"woman: dark skin tone, red hair" -> ("woman: red hair", ["dark"])"""
    if "skin tone" not in name:
        return name, []
    head, rest = name.split(": ", 1)
    parts = rest.split(", ")
    others = [part for part in parts if not part.endswith("skin tone")]
    tones = [part[:-len(" skin tone")] for part in parts if part.endswith("skin tone")]
    return head + (": " + ", ".join(others) if others else ""), tones


def toned(phrase, tones):
    """"a woman with red hair", ["dark"] -> "a woman with dark skin and red hair" """
    if len(set(tones)) == 2:
        return f"{phrase}, one with {tones[0]} skin and one with {tones[1]} skin"
    skin = f"{tones[0]} skin"
    if re.match(r"an? (?:man|woman|person) and an? ", phrase):
        return f"{phrase}, both with {skin}"
    hair = re.fullmatch(r"(an? [a-z ]+?) with (.*)", phrase)
    if hair:
        return f"{hair[1]} with {skin} and {hair[2]}"
    doing = re.fullmatch(r"(an? (?:person|man|woman|boy|girl|child)) ((?:in|wearing|[a-z]+ing)\b.*)", phrase)
    if doing:
        return f"{doing[1]} with {skin} {doing[2]}"
    return f"{phrase} with {skin}"


KINDS = {  # subgroups of emoji, folders of clip art; the longest that begins a name counts
    "animal": "an animal", "animal-bird": "a bird", "animal-bug": "an insect", "animal-marine": "a sea animal",
    "plant": "a plant", "plant-flower": "a flower", "food": "food", "food-fruit": "a fruit",
    "food-vegetable": "a vegetable", "food-sweet": "something sweet", "drink": "a drink", "place-building": "a building",
    "transport": "a vehicle", "sky": "the sky", "sport": "a sport", "clothing": "clothing",
    "musical-instrument": "an instrument", "tool": "a tool", "face": "a smiley", "person": "a person", "family": "people",
    "hand": "a hand", "country-flag": "a flag", "geometric": "a shape", "time": "a clock", "heart": "a heart",
    "animals": "an animal", "animals/birds": "a bird", "animals/bugs": "an insect", "animals/fish": "a sea animal",
    "animals/dinosaurs": "a dinosaur", "animals/mammals/housecats": "a cat", "animals/mammals/dogs": "a dog",
    "animals/mammals/horses": "a horse", "animals/mammals/bears": "a bear", "animals/mammals/big_cats": "a big cat",
    "buildings": "a building", "buildings/furniture": "furniture", "food/beverages": "a drink",
    "food/desserts": "something sweet", "food/fruit": "a fruit", "food/vegetables": "a vegetable",
    "geography/astronomy": "the sky", "people": "", "people/clothing": "clothing", "people/clothing/hats": "a hat",
    "people/smilies": "a smiley", "plants/flowers": "a flower", "plants/trees": "a tree", "plants": "a plant",
    "recreation/music": "an instrument", "recreation/sports": "a sport", "recreation/toys": "a toy", "tools": "a tool",
    "tools/weapons": "a weapon", "transportation": "a vehicle", "transportation/boating": "a boat", "containers": "",
}


def kind_of(place):
    fitting = [prefix for prefix in KINDS if place == prefix or place.startswith((prefix + "/", prefix + "-"))]
    return KINDS[max(fitting, key=len)] if fitting else ""


def sentences(phrases, kind, words, style, where):
    """Every way to say it, the plainest first. `where` begins with a space ("on a red background", "in the snow");
    a white background needs no mention."""
    white = where == " on a white background"
    said = "" if white else where
    first = phrases[0]
    texts = [phrase + said for phrase in phrases]
    texts += [f"{way} of {first}{said}" for way in ("a picture", "a drawing", "a photo", style)]
    texts.append(re.sub(r"^(an?|the) ", "", first) + said)
    if kind and kind.split()[-1] not in first:
        texts.append(f"{first}, {kind},{said}" if said else f"{first}, {kind}")
    if words:
        texts.append(f"{first}{said}, {', '.join(words)}")
    if white:
        texts += [phrase + where for phrase in phrases] + [f"a picture of {first}{where}"]
    return list(dict.fromkeys(texts))

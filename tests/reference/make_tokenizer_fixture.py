#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/fixtures/tokenizer_clip.json: 500 texts of all scripts with the ids of transformers, as they
are before they are cut, framed and padded.

    make_tokenizer_fixture.py VOCABULARY [--output FILE] [--check PROGRAM --count N]

VOCABULARY is a folder with vocab.json and merges.txt of CLIP, or bpe_simple_vocab_16e6.txt.gz.
With --check, N texts are put through PROGRAM too (32-bit length and UTF-8 on its input, a line of ids for each
on its output), and every difference is shown.
"""

import argparse
import gzip
import json
import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

HAND_MADE = [
    "", " ", "a", "a photo of sks dog", "A Photo Of SKS Dog", "  two   spaces\tand\ttabs\n\nlines\r\n ",
    "don't can't I'm they've we'll he'd it's DON'T 'S'T'RE 'x' ''s '''", "dog's dogs' 'dog's'",
    "1 12 123 4567 3.14 1,000,000 1e-6 0x1F", "a1b2c3", "!!! ... ?!?! ---- ____ #hashtag @name $5 50% a+b=c",
    "(masterpiece:1.2), [[bad]], {{x}} <lora:name:0.8>", "<|startoftext|> dog <|endoftext|>",
    "<|STARTOFTEXT|><|EndOfText|>", "<|startoftext|>>", "!<|endoftext|>!", "<|startoftext|", "|endoftext|>",
    "caf\u00e9 cafe\u0301 CAF\u00c9", "\u00c5ngstr\u00f6m \u212bngstr\u00f6m", "\u0130stanbul I\u0307 \u0131",
    "\u03a3\u03af\u03c3\u03c5\u03c6\u03bf\u03c2 \u039f\u0394\u039f\u03a3", "\u01c4 \u01c5 \u01c6 \u1e9e \u00df",
    "\u1112\u1161\u11ab\u1100\u1173\u11af \ud55c\uae00", "\u5c0f\u732b \u732b\u304c\u597d\u304d \u30ac\u30ac \u304b\u3099",
    "\ufa0e \uf900 \ufa10 \U0002f800", "\u0915\u093c \u0958 \u0939\u093f\u0928\u094d\u0926\u0940",
    "\u05d1\u05bc\u05b0 \ufb31 \ufb2c \u05e9\u05bc\u05c1", "\u0645\u0631\u062d\u0628\u0627 \u0627\u0653 \u0622",
    "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35 \u0e4d\u0e32", "\u0f42\u0fb7 \u0f43 \u0f71\u0f72 \u0f73 \u0f75",
    "q\u0307\u0323 q\u0323\u0307 \u1e69 s\u0323\u0307 s\u0307\u0323", "\u0344 \u0308\u0301 \u0340 \u0341 \u0343",
    "\u1100\u1161\u11a8\u11a8 \uac00\u11a8 \uac01\u11a8", "\u09c7\u09be \u09cb \u0bc6\u0bbe \u0d46\u0d3e",
    "\u00bd \u2153 \u00b2 \u2460 \u0664\u0665 \u096a \u3007 \u2167 \U0001d7d8", "\u00aa \u00ba \u02b0 \u2071 \u3005",
    "\U0001f600 \U0001f469\u200d\U0001f680 \U0001f1e9\U0001f1ea \U0001f44d\U0001f3fd \u2764\ufe0f 1\ufe0f\u20e3",
    "zero\u200bwidth\u200cjoin\u200der\ufeffbom\u2060", "nbsp\u00a0em\u2003line\u2028para\u2029nel\u0085ideo\u3000x",
    "\x00 \x01\x02 \x1b[31m \x7f \x80 \x9f", "\x1c\x1d\x1e\x1f", "\x0b\x0c", "\u180e mongol", "\ufffd \ufffe \uffff",
    "\U0010ffff \U000e0041\U000e007f \U000f0000", "\u202eright to left\u202c", "\u2063\u00ad soft\u00adhyphen",
    "a" * 300, "ha" * 200, "\u00e9" * 100, "e" + "\u0301" * 40, "\U0001f600" * 60, "!" * 90, "'" * 50, "9" * 100,
    "a " * 120, " a" * 120, "x" * 76 + " y", "\u0915\u094d" * 30, "\u0301leading mark", "\u0301", "a\u0301\u0301\u0327",
    "\u1e9b\u0323", "\u0390 \u1fd3 \u1f82 \u03b1\u0313\u0300\u0345 \u0391\u0345\u0301",
    "\u2126 \u03a9 \u212a K \u017f s", "\u0149 \ufb01 \ufb00", "\U000118a0 \U0001e900 \u13a0 \uab70 \u10d0 \u1c90",
    "\U0001d15e \U0001d1bb", "\U00011099 \U0001109c \U00011131\U00011127", "\u4e00\u4e01\u4e02\U00020000\U00030000",
    "price: $19.99 (50% off!)", "C++20 & Rust's #1?", "e-mail: a@b.co.uk/https://x.y?z=1&w=%20", "...dog...", "\"quoted\"",
]

LENGTH = 77  # of what goes into the model

BLOCKS = [
    (0x20, 0x7E, 30), (0x00, 0x1F, 1), (0x7F, 0xA0, 1), (0xA0, 0xFF, 8), (0x100, 0x24F, 6), (0x250, 0x2FF, 2),
    (0x300, 0x36F, 6), (0x370, 0x3FF, 5), (0x400, 0x52F, 5), (0x530, 0x5FF, 4), (0x600, 0x6FF, 5),
    (0x700, 0x8FF, 2), (0x900, 0xDFF, 6), (0xE00, 0xFFF, 4), (0x1000, 0x10FF, 2), (0x1100, 0x11FF, 3),
    (0x1200, 0x1CFF, 3), (0x1D00, 0x1DFF, 2), (0x1E00, 0x1FFF, 6), (0x2000, 0x206F, 5), (0x2070, 0x2BFF, 6),
    (0x2C00, 0x2FFF, 2), (0x3000, 0x30FF, 5), (0x3100, 0x33FF, 2), (0x3400, 0x9FFF, 5), (0xA000, 0xABFF, 3),
    (0xAC00, 0xD7A3, 3), (0xE000, 0xF8FF, 1), (0xF900, 0xFAFF, 3), (0xFB00, 0xFDFF, 3), (0xFE00, 0xFFFF, 3),
    (0x10000, 0x10FFF, 3), (0x11000, 0x11FFF, 4), (0x12000, 0x1CFFF, 2), (0x1D000, 0x1DFFF, 3),
    (0x1E000, 0x1EFFF, 3), (0x1F000, 0x1FAFF, 5), (0x1FB00, 0x2FA1F, 3), (0x30000, 0x10FFFF, 1),
]
WEIGHTS = [weight for _, _, weight in BLOCKS]
WORDS = ("a photo of the sks dog Dog's castle, painting; by 4k 8K art-station highly_detailed cat's don't "
         "the THE \u00fcber na\u00efve na\u0131ve fa\u00e7ade \u0416\u0443\u043a \u03bb\u03cc\u03b3\u03bf\u03c2 "
         "\u7f8e\u4e3d \u65e5\u672c\u8a9e \u0928\u092e\u0938\u094d\u0924\u0947 \U0001f680 <|endoftext|> 'll 're").split()


def character(random_source, block):
    while True:
        code_point = random_source.randint(block[0], block[1])
        if not 0xD800 <= code_point <= 0xDFFF:
            return chr(code_point)


def random_text(random_source):
    """One text of one, several or all scripts, or of words."""
    kind = random_source.random()
    length = random_source.choice([1, 2, 3, 5, 8, 13, 30, 80])
    if kind < 0.25:
        separators = [" ", "  ", ", ", "", "\t", "\u00a0", "-"]
        return "".join(random_source.choice(WORDS) + random_source.choice(separators) for _ in range(length // 2 + 1))
    blocks = random_source.choices(BLOCKS, WEIGHTS, k=1 if kind < 0.55 else 3 if kind < 0.8 else 20)
    text = "".join(character(random_source, random_source.choice(blocks)) for _ in range(length))
    if kind > 0.9:
        return "".join(c + random_source.choice(["", "", " ", "\u0301", "\u0323", "\u0327", "\u3099", "'s"]) for c in text)
    return text


def texts(count, seed):
    random_source = random.Random(seed)
    return (HAND_MADE + [random_text(random_source) for _ in range(count)])[:count]


def reference(vocabulary):
    from transformers import CLIPTokenizer

    source = Path(vocabulary)
    if source.is_dir():
        return CLIPTokenizer.from_pretrained(source)
    merges = gzip.decompress(source.read_bytes()).decode().split("\n")[1:48895]
    printable = list(range(33, 127)) + list(range(161, 173)) + list(range(174, 256))
    symbols = [chr(b) for b in printable] + [chr(256 + n) for n in range(256 - len(printable))]
    entries = symbols + [s + "</w>" for s in symbols] + ["".join(m.split()) for m in merges]
    entries += ["<|startoftext|>", "<|endoftext|>"]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "vocab.json").write_text(json.dumps({e: i for i, e in enumerate(entries)}))
        Path(folder, "merges.txt").write_text("\n".join(["#version: 0.2"] + merges) + "\n")
        Path(folder, "tokenizer_config.json").write_text(json.dumps({
            "model_max_length": 77,
            "bos_token": {"__type": "AddedToken", "content": "<|startoftext|>", "normalized": True},
            "eos_token": {"__type": "AddedToken", "content": "<|endoftext|>", "normalized": True},
            "unk_token": {"__type": "AddedToken", "content": "<|endoftext|>", "normalized": True},
            "pad_token": "<|endoftext|>"}))
        return CLIPTokenizer.from_pretrained(folder)


def check(tokenizer, program, count, seed, added):
    cases = texts(count, seed)
    tokenizer.add_tokens(added)
    packed = b"".join(struct.pack("<I", len(t.encode())) + t.encode() for t in cases)
    lines = subprocess.run(program.split() + added, input=packed, stdout=subprocess.PIPE, check=True).stdout.decode()
    different = 0
    for text, line in zip(cases, lines.split("\n"), strict=False):
        expected = tokenizer(text, add_special_tokens=False).input_ids
        if expected != [int(v) for v in line.split()]:
            different += 1
            if different <= 10:
                print(f"{text!r}: expected {expected}, found {line}")
    print(f"{len(cases)} texts, {different} differ")
    return 1 if different else 0


def check_padding(tokenizer, text, ids):
    """The test makes what goes into the model from the ids in just this way, so that it need not be stored."""
    made = [tokenizer.bos_token_id, *ids[: LENGTH - 2], tokenizer.eos_token_id]
    made += [tokenizer.pad_token_id] * (LENGTH - len(made))
    if tokenizer(text, padding="max_length", truncation=True, max_length=LENGTH).input_ids != made:
        raise ValueError(f"padded in another way: {text!r}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("vocabulary")
    parser.add_argument("--output", default=Path(__file__).parents[1] / "fixtures" / "tokenizer_clip.json", type=Path)
    parser.add_argument("--count", default=500, type=int)
    parser.add_argument("--seed", default=1, type=int)
    parser.add_argument("--check", help="program that tokenizes, with its arguments")
    parser.add_argument("--added", nargs="*", default=[], help="tokens to add before checking")
    arguments = parser.parse_args()
    tokenizer = reference(arguments.vocabulary)
    if arguments.check:
        return check(tokenizer, arguments.check, arguments.count, arguments.seed, arguments.added)
    cases = []
    for text in texts(arguments.count, arguments.seed):
        ids = tokenizer(text, add_special_tokens=False).input_ids
        check_padding(tokenizer, text, ids)
        cases.append({"text": text, "tokens": ids})
    rows = ",\n".join(json.dumps(case, separators=(",", ":"), ensure_ascii=False) for case in cases)
    arguments.output.write_text(f'{{"padTo": {LENGTH}, "cases": [\n' + rows + "\n]}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

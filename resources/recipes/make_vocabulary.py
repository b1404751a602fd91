#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Shortens CLIP's vocabulary to what a small model can learn.

    make_vocabulary.py PUBLISHED OUTPUT [--captions metadata.jsonl ...] [--words FILE ...] [--common 1500]
                       [--length 77] [--text-encoder config.json]

PUBLISHED is bpe_simple_vocab_16e6.txt.gz. Kept are all byte symbols (so that any text still has tokens), the
first `--common` merges (CLIP's merges are sorted by how often they occur: these are the commonest words and
endings of English), and every merge that a word of the captions and word lists goes through. Such words have
the same pieces as in the whole vocabulary, because leaving out a merge that a word never uses changes nothing
in its encoding. With --text-encoder that configuration gets the numbers of the entries. Needs only Python's standard library.
"""

import argparse
import gzip
import json
import re
import sys
from pathlib import Path

START, END = "<|startoftext|>", "<|endoftext|>"
PUBLISHED_MERGES = 48894


def byte_symbols():
    """Byte -> printable character, in the published order."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    symbols = {b: chr(b) for b in printable}
    for byte in range(256):
        if byte not in symbols:
            symbols[byte] = chr(256 + len(symbols) - len(printable))
    return symbols


def applied_merges(word, ranks, symbols):
    """The merges that a word goes through, and its pieces."""
    pieces = [symbols[b] for b in word.encode()]
    pieces[-1] += "</w>"
    applied = []
    while len(pieces) > 1:
        pairs = list(zip(pieces, pieces[1:]))
        best = min(range(len(pairs)), key=lambda i: (ranks.get(pairs[i], len(ranks)), i))
        if pairs[best] not in ranks:
            break
        applied.append(pairs[best])
        pieces[best:best + 2] = ["".join(pairs[best])]
    return applied, pieces


def words_of(text):
    return re.findall(r"[^\W\d_]+|\d|[^\s\w]+|_+", text.lower())


def collect_words(arguments):
    words = set()
    for path in arguments.captions:
        for line in path.read_text(encoding="utf-8").splitlines():
            for text in json.loads(line)["texts"]:
                words.update(words_of(text))
    for path in arguments.words:
        lines = path.read_text(encoding="utf-8").splitlines()
        words.update(w for line in lines if not line.startswith("#") for w in words_of(line))
    return sorted(words)


def write_folder(folder, entries, merges, length):
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = {entry: i for i, entry in enumerate(entries)}
    (folder / "vocab.json").write_text(json.dumps(vocabulary, ensure_ascii=False), encoding="utf-8")
    lines = ["#version: 0.2"] + [" ".join(merge) for merge in merges]
    (folder / "merges.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    mark = {"lstrip": False, "normalized": True, "rstrip": False, "single_word": False}
    special = {"bos_token": {"content": START, **mark}, "eos_token": {"content": END, **mark},
               "pad_token": END, "unk_token": {"content": END, **mark}}
    (folder / "special_tokens_map.json").write_text(json.dumps(special, indent=2) + "\n")
    typed = {k: {"__type": "AddedToken", **v} if isinstance(v, dict) else v for k, v in special.items()}
    config = {"add_prefix_space": False, **typed, "do_lower_case": True, "errors": "replace",
              "model_max_length": length, "tokenizer_class": "CLIPTokenizer"}
    (folder / "tokenizer_config.json").write_text(json.dumps(config, indent=2) + "\n")


def write_sizes(path, entries, length):
    """Fits a text encoder's configuration to the vocabulary."""
    config = json.loads(path.read_text(encoding="utf-8"))
    start, end = len(entries) - 2, len(entries) - 1
    config.update(vocab_size=len(entries), bos_token_id=start, eos_token_id=end, pad_token_id=end,
                  max_position_embeddings=length)
    path.write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("published", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--captions", type=Path, nargs="*", default=[])
    parser.add_argument("--words", type=Path, nargs="*", default=[Path(__file__).with_name("prompt_words.txt")])
    parser.add_argument("--common", type=int, default=1500)
    parser.add_argument("--length", type=int, default=77, help="tokens of a prompt")
    parser.add_argument("--text-encoder", type=Path, help="its config.json, to be fitted to the vocabulary")
    arguments = parser.parse_args()
    lines = gzip.decompress(arguments.published.read_bytes()).decode().split("\n")[1:PUBLISHED_MERGES + 1]
    merges = [tuple(line.split()) for line in lines]
    if len(merges) != PUBLISHED_MERGES or any(len(merge) != 2 for merge in merges):
        sys.exit(f"{arguments.published}: expected {PUBLISHED_MERGES} merges of two entries; take the file again")
    ranks = {merge: i for i, merge in enumerate(merges)}
    symbols = byte_symbols()
    words = collect_words(arguments)
    kept, split = set(merges[:arguments.common]), []
    for word in words:
        applied, pieces = applied_merges(word, ranks, symbols)
        kept.update(applied)
        if len(pieces) > 1:
            split.append(word)
    chosen = sorted(kept, key=ranks.get)
    entries = [*symbols.values(), *(s + "</w>" for s in symbols.values()), *("".join(m) for m in chosen), START, END]
    write_folder(arguments.output, entries, chosen, arguments.length)
    if arguments.text_encoder:
        write_sizes(arguments.text_encoder, entries, arguments.length)
    print(f"{len(words)} words, {len(split)} of them in several pieces; {len(chosen)} merges, {len(entries)} entries")


if __name__ == "__main__":
    main()

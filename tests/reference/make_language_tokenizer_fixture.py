#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Tiny byte-level tokenizers of the kinds of GPT-2, OPT and BLOOM, and what they make of nasty texts.

Writes fixtures/language/tokenizer: tokenizer.json as OPT has it (</s> in front of texts), vocab.json and merges.txt of
the same vocabulary in parts/, bloom/tokenizer.json with BLOOM's way to cut words, and cases.json.
"""

import json

from tokenizers import AddedToken, Regex, Tokenizer, models, pre_tokenizers, processors, decoders, trainers

from common import FIXTURES, save_json

from transformers import GPT2TokenizerFast, PreTrainedTokenizerFast

FOLDER = FIXTURES / "language" / "tokenizer"
MERGED = 345  # ids in all, with bytes and special tokens
SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"]
BLOOM_WORDS = " ?[^(\\s|[.,!?…。，、।۔،])]+"
LEARNED = ["The dog number one sat on the moon, and the other dogs did not. It isn't what they'd have said; we'll see!"] * 4
TEXTS = [
    "", " ", "Hello world", "  two  blanks\tand\ttabs\n\n\nlines  ", "don't we'll I'm they'd you've he's we're 'tis 's",
    "1234567 items in 3.14 parts", "naïve café résumé", "日本語のテキスト、です。", "مرحبا، كيف حالك۔", "👩‍👩‍👧 family 🏳️‍🌈",
    "e\u0301 combining a\u030a", "</s>word<pad>mid</s>dle", "<s> spaced </s> end", "a(b|c)[d].e,f!?", "x" * 40,
    "\u00a0no-break\u2003em\u3000wide", "tab\r\nwindows\r\n", "Ⅷ ½ ²", "ﬁne ǅ", "\u200bzero\ufeffwidth", "deja vu …so", "।हिन्दी।",
    "the  dog\n\n the   moon\t dog \n  ", "(the dog, the moon) .the,  dog",
]
# Added tokens that take blanks along, and those that yield to others ("normalized"): "ogn" begins before "gn" and loses.
ADDED = [AddedToken("<mask>", lstrip=True, rstrip=True, normalized=False), AddedToken("gn", normalized=False),
         AddedToken("ogn", normalized=True), AddedToken("ogm", normalized=True)]
ADDED_TEXTS = ["a <mask> b", "  <mask>", "moon\u3000\u00a0<mask>\u2003\n dog", "<mask> <mask>x", "dogn ogm ogn gogm"]


def ids(reference, texts: list) -> list:
    return [reference.encode(text, add_special_tokens=False) for text in texts]


def tokenizer(split) -> Tokenizer:
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = split
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=MERGED, special_tokens=SPECIAL, show_progress=False,
                                  initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    made.train_from_iterator(LEARNED, trainer)
    return made


def main() -> None:
    (FOLDER / "parts").mkdir(parents=True, exist_ok=True)
    (FOLDER / "bloom").mkdir(exist_ok=True)
    plain = tokenizer(pre_tokenizers.ByteLevel(add_prefix_space=False))
    model = json.loads(plain.to_str())["model"]
    (FOLDER / "parts" / "vocab.json").write_text(json.dumps(model["vocab"], separators=(",", ":")))
    merges = [merge if isinstance(merge, str) else " ".join(merge) for merge in model["merges"]]
    (FOLDER / "parts" / "merges.txt").write_text("#version: 0.2\n" + "\n".join(merges) + "\n", encoding="utf-8")
    special = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}
    (FOLDER / "parts" / "special_tokens_map.json").write_text(json.dumps(special))
    cases = {"texts": TEXTS, "gpt2": ids(GPT2TokenizerFast.from_pretrained(FOLDER / "parts"), TEXTS)}
    plain.post_processor = processors.TemplateProcessing(single="</s> $A", special_tokens=[("</s>", 2)])
    (FOLDER / "tokenizer.json").write_text(json.dumps(json.loads(plain.to_str()), separators=(",", ":")))
    bloom = tokenizer(pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(BLOOM_WORDS), "isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]))
    bloom.add_tokens(ADDED)
    cases["bloomTexts"] = TEXTS + ADDED_TEXTS
    cases["bloom"] = ids(PreTrainedTokenizerFast(tokenizer_object=bloom), cases["bloomTexts"])
    (FOLDER / "bloom" / "tokenizer.json").write_text(json.dumps(json.loads(bloom.to_str()), separators=(",", ":")))
    save_json(FOLDER / "cases.json", cases)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""How good a small model is: pictures of captions that it never learned, against the pictures that belong to them.

    evaluate_model.py ENGINE MODEL DATA --output FOLDER [--captions 150] [--steps 20] [--guidance 5]

DATA holds train/ and held_out/ with metadata.jsonl, as resources/recipes/pictures_dataset.py writes them. FOLDER
receives pictures/, sheet.png, features.db (of all learned pictures, so that a second evaluation looks at none of them
again) and evaluation.json:

frechet, recall, precision  of the pictures made against as many held-out ones, and the same of learned pictures against
                            held-out ones: what a model that is as good as its data would reach
nearest                     median cosine of a picture's features to the nearest of all learned pictures, made and held
                            out: a model that copies comes nearer than pictures that it cannot know
retrieval                   how often a picture's own caption is the first (among the first five) of all captions by a
                            ridge regression from features to words, learned from some of the learned pictures; made and
                            held out
decoded                     median of the peak signal-to-noise ratios (dB, at 128 px, of values from 0 to 1) of the held-out
                            pictures as the autoencoder gives them back; decoded.png shows some, each below its original
compositions                prompts of things that stand together in no picture, with the nearest learned pictures beside
"""

import argparse
import json
import random
import re
from pathlib import Path

import numpy
from feature_store import stored_features
from made_pictures import TILE, decoded_pictures, make_pictures, sheet
from PIL import Image
from picture_features import Features, coverage, frechet_distance, nearest, normalised

COMPOSITIONS = ["a blue dog", "a red car on a green background", "three apples", "a green cat", "a purple banana",
                "a dog under a night sky", "a yellow fish on a red background", "a pink tree", "two dogs", "a blue apple"]
COMMON = ["a red apple", "a dog face", "a rocket", "a cat", "a tree", "a house", "a car", "a smiling face", "a guitar",
          "a banana"]
RIDGE = 30.0
SHOWN_IN_A_ROW = 10


def rows_of(folder: Path) -> list:
    lines = (folder / "metadata.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) | {"path": folder / json.loads(line)["file_name"]} for line in lines]


def one_of_each(rows: list, count: int, draw: random.Random) -> list:
    """A picture of each of `count` subjects, with its plainest caption that names the background."""
    by_name = {}
    for row in rows:
        by_name.setdefault(row["name"], []).append(row)
    names = sorted(by_name)
    draw.shuffle(names)
    return [draw.choice(by_name[name]) for name in names[:count]]


def words_of(caption: str) -> set:
    return set(re.findall(r"[a-z]+", caption.lower())) - {"a", "an", "the", "on", "of", "with", "in", "and", "background"}


class Retrieval:
    """Ridge regression from features to the words of captions."""

    def __init__(self, features: numpy.ndarray, captions: list):
        self.words = sorted(set().union(*map(words_of, captions)))
        targets = self.indicators(captions)
        self.mean, self.target_mean = features.mean(0), targets.mean(0)
        x = normalised(features - self.mean)
        gram = x.T @ x + RIDGE / len(x) * numpy.eye(x.shape[1])
        self.weights = numpy.linalg.solve(gram, x.T @ (targets - self.target_mean))

    def indicators(self, captions: list) -> numpy.ndarray:
        """[N, words], each row of length 1."""
        rows = numpy.array([[word in words_of(caption) for word in self.words] for caption in captions], dtype=float)
        return rows / numpy.linalg.norm(rows, axis=1, keepdims=True).clip(1e-12)

    def ranks(self, features: numpy.ndarray, captions: list) -> dict:
        scores = normalised(features - self.mean) @ self.weights @ self.indicators(captions).T
        own = scores[numpy.arange(len(captions)), numpy.arange(len(captions))]
        rank = (scores > own[:, None]).sum(axis=1)
        return {"first": float((rank == 0).mean()), "first_five": float((rank < 5).mean())}


def against(made: numpy.ndarray, real: numpy.ndarray) -> dict:
    return {"frechet": frechet_distance(made, real), "recall": coverage(real, made), "precision": coverage(made, real)}


def features_of_all(rows: list, features: Features, file: Path) -> numpy.ndarray:
    """[N, 1280] fp64 of the rows' pictures; `file` keeps them."""
    found = stored_features(file, [row["path"] for row in rows], features.of)
    return numpy.array(found, dtype=numpy.float64)


def pixels_of(path: Path) -> numpy.ndarray:
    """[TILE, TILE, 3] fp64 from 0 to 1."""
    with Image.open(path) as one:
        whole = one.convert("RGB").resize((TILE, TILE), Image.Resampling.LANCZOS)
    return numpy.asarray(whole, dtype=numpy.float64) / 255


def signal_to_noise(original: Path, decoded: Path) -> float:
    """Peak, in dB; of equal pictures that of half a level."""
    error = numpy.square(pixels_of(original) - pixels_of(decoded)).mean()
    return float(-10 * numpy.log10(max(error, (0.5 / 255) ** 2)))


def evaluate_autoencoder(options, originals: list) -> float:
    decoded = decoded_pictures(options.engine, options.model, originals, options.output / "decoded")
    rows = []
    for begin in range(0, 2 * SHOWN_IN_A_ROW, SHOWN_IN_A_ROW):
        shown = slice(begin, begin + SHOWN_IN_A_ROW)
        rows += [("held out", originals[shown]), ("decoded", decoded[shown])]
    sheet(rows, options.output / "decoded.png")
    return float(numpy.median([signal_to_noise(*pair) for pair in zip(originals, decoded)]))


def evaluate(options) -> dict:
    draw = random.Random(1)
    learned, held_out = rows_of(options.data / "train"), rows_of(options.data / "held_out")
    asked = one_of_each(held_out, options.captions, draw)
    captions = [row["text"] for row in asked]
    made, composed, common = (
        make_pictures(options.engine, options.model, prompts, options.output / name, options.steps, options.guidance)
        for prompts, name in ((captions, "pictures"), (COMPOSITIONS, "compositions"), (COMMON, "common")))
    some = draw.sample(range(len(learned)), min(options.learned, len(learned)))
    features = Features()
    of_real, of_made, of_composed = (features.of(paths) for paths in ([row["path"] for row in asked], made, composed))
    of_learned = features_of_all(learned, features, options.output / "features.db")
    of_some = of_learned[some]
    retrieval = Retrieval(of_some, [learned[index]["text"] for index in some])
    _, beside = nearest(of_composed, of_learned)
    sheet([(text, [one, learned[near]["path"]]) for text, one, near in zip(COMPOSITIONS, composed, beside)],
          options.output / "compositions.png")
    sheet([(text, [one]) for text, one in zip(COMMON, common)], options.output / "common.png")
    sheet([(text, [one, row["path"]]) for text, one, row in list(zip(captions, made, asked))[:30]],
          options.output / "sheet.png")
    return {
        "captions": len(asked), "steps": options.steps, "guidance": options.guidance,
        "decoded": evaluate_autoencoder(options, [row["path"] for row in asked]),
        "made": against(of_made, of_real), "learned": against(of_some[: len(asked)], of_real),
        "nearest": {"among": len(learned), "made": float(numpy.median(nearest(of_made, of_learned)[0])),
                    "held_out": float(numpy.median(nearest(of_real, of_learned)[0]))},
        "retrieval": {"made": retrieval.ranks(of_made, captions), "held_out": retrieval.ranks(of_real, captions),
                      "by_chance": {"first": 1 / len(asked), "first_five": 5 / len(asked)}},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--captions", type=int, default=150)
    parser.add_argument("--learned", type=int, default=4000,
                        help="pictures that the evaluator learns from; neighbours are looked for among all")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--guidance", type=float, default=5.0)
    options = parser.parse_args()
    found = evaluate(options)
    (options.output / "evaluation.json").write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()

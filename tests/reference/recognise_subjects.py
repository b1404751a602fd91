#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Of which subject a picture is, as features tell it: do pictures of a learned subject resemble it, or just any photo?

    recognise_subjects.py RESULTS --output FILE.json

RESULTS is the folder that evaluate_dreambooth.py has filled, with its pictures. Photos are those that the model's
autoencoder gives back, since a small model's pictures differ from sharp photos in these features by their sharpness
first. FILE.json and a table beside it, FILE.md, receive for each subject, of the pictures of the untrained model and of
those learned without and with prior preservation:

likeness    cosine to the subject's own photos, on average over these; one number a picture
recognised  share of pictures that are more like the subject's photos than like those of any other subject
"""

import argparse
import json
from pathlib import Path

import numpy
from dreambooth_table import KINDS, recognition_table
from picture_features import Features, normalised


def folders_of(results: Path, name: str, noun: str) -> dict:
    """The folders of a subject's pictures by kind."""
    pictures = results / "pictures"
    untrained = pictures / f"untrained {noun}".replace(" ", "_") / "likeness"
    return {"untrained": untrained} | {kind: pictures / name / kind / "likeness" for kind in KINDS[1:]}


def features_in(features: Features, folder: Path) -> numpy.ndarray:
    paths = sorted(folder.rglob("*.png"))
    if not paths:
        raise SystemExit(f"{folder}: expected pictures, found none; run evaluate_dreambooth.py with this output")
    return normalised(features.of(paths))


def recognised(likeness: numpy.ndarray, own: int) -> float:
    """Share of rows whose greatest value is the one of the column `own`. Shapes: likeness [pictures, subjects]"""
    return float((likeness.argmax(axis=1) == own).mean())


def measure(results: Path, subjects: dict) -> dict:
    features, names = Features(), sorted(subjects)
    photos = [features_in(features, results / "pictures" / name / "decoded") for name in names]
    found = {}
    for place, name in enumerate(names):
        found[name] = {"likeness": {}, "recognised": {}}
        for kind, folder in folders_of(results, name, subjects[name]["class"]).items():
            made = features_in(features, folder)
            likeness = numpy.stack([(made @ one.T).mean(axis=1) for one in photos], axis=1)
            found[name]["likeness"][kind] = likeness[:, place].tolist()
            found[name]["recognised"][kind] = recognised(likeness, place)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    subjects = json.loads((options.results / "dreambooth.json").read_text(encoding="utf-8"))["subjects"]
    found = measure(options.results, subjects)
    options.output.write_text(json.dumps({"subjects": found}, indent=1) + "\n", encoding="utf-8")
    text = recognition_table(found)
    options.output.with_suffix(".md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()

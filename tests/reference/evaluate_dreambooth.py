#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""What DreamBooth does to a model, subject by subject: how like the photos the pictures become, and whether the class
keeps its variety.

    evaluate_dreambooth.py ENGINE MODEL SUBJECTS --output FOLDER [--only NAME...] --steps N

SUBJECTS holds a folder of photos for each subject and prompts_and_classes.txt with lines "name,class"; the bundled
drawings are a subject besides. Every subject is learned twice, without and with prior preservation, else as MODEL's
training_defaults.json says. FOLDER receives runs/, pictures/, sheets and dreambooth.json, for each subject:

likeness   mean cosine of the features of "a photo of sks CLASS" (the trained model) and of "a photo of CLASS" (the
           untrained one) to the features of the subject's photos
variety    mean distance (1 - cosine) between any two pictures of "a CLASS": untrained, trained, with preservation

What is there already stays, so an interrupted evaluation goes on.
"""

import argparse
import json
import subprocess
from pathlib import Path

import numpy
from made_pictures import make_pictures, sheet
from picture_features import Features, normalised

DRAWINGS = Path(__file__).resolve().parents[2] / "resources" / "drawings" / "blue_dog"


def classes_of(subjects: Path) -> dict:
    """The class noun of each subject folder that is there."""
    lines = (subjects / "prompts_and_classes.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split(",") for line in lines if line.count(",") == 1 and "(" not in line]
    return {name: noun for name, noun in pairs if (subjects / name).is_dir()}


def photos_in(folder: Path) -> list:
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in (".jpg", ".jpeg", ".png"))


def train(options, photos: Path, noun: str, preserving: bool, run: Path) -> Path:
    """The trained model's folder."""
    model = run / "result" / "model"
    if model.is_dir():
        return model
    if (run / "run.json").exists():
        command = [options.engine, "resume", run]
    else:
        command = [options.engine, "train", "--model", options.model, "--instance", photos, "--prompt",
                   f"a photo of sks {noun}", "--steps", str(options.steps), "--seed", "1", "--output", run]
        command += ["--class-prompt", f"a photo of {noun}"] if preserving else []
        command += options.train
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)
    return model


def likeness(made: numpy.ndarray, photos: numpy.ndarray) -> float:
    return float((normalised(made) @ normalised(photos).T).mean())


def variety(made: numpy.ndarray) -> float:
    cosines = normalised(made) @ normalised(made).T
    return float(1.0 - cosines[numpy.triu_indices(len(made), 1)].mean())


def evaluate(options, features: Features, name: str, noun: str, folder: Path) -> dict:
    """One subject; its pictures go to pictures/NAME and NAME.png."""
    photos = photos_in(folder)
    models = {"untrained": options.model} | {
        kind: train(options, folder, noun, kind == "with", options.output / "runs" / f"{name}-{kind}")
        for kind in ("without", "with")}
    found = {"class": noun, "photos": len(photos), "likeness": {}, "variety": {}}
    of_photos, rows = features.of(photos), [(name, photos[: options.count])]
    for kind, model in models.items():
        subject = f"a photo of {noun}" if kind == "untrained" else f"a photo of sks {noun}"
        for what, prompt in (("likeness", subject), ("variety", f"a {noun}")):
            made = make_pictures(options.engine, model, [prompt] * options.count,
                                 options.output / "pictures" / name / f"{kind}-{what}", options.sampling_steps,
                                 options.guidance)
            of_made = features.of(made)
            found[what][kind] = likeness(of_made, of_photos) if what == "likeness" else variety(of_made)
            rows.append((f"{kind}\n{prompt}", made))
    sheet(rows, options.output / f"{name}.png")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("subjects", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--only", nargs="+", help="names of subjects; blue_dog: the bundled drawings")
    parser.add_argument("--steps", type=int, required=True, help="steps of each training")
    parser.add_argument("--count", type=int, default=6, help="pictures of each prompt")
    parser.add_argument("--sampling-steps", type=int, default=20)
    parser.add_argument("--guidance", type=float, default=3.0)
    parser.add_argument("--train", nargs=argparse.REMAINDER, default=[], help="what else the engine's train takes")
    options = parser.parse_args()
    subjects = {"blue_dog": ("dog", DRAWINGS)} | {
        name: (noun, options.subjects / name) for name, noun in classes_of(options.subjects).items()}
    target = options.output / "dreambooth.json"
    options.output.mkdir(parents=True, exist_ok=True)
    results = json.loads(target.read_text(encoding="utf-8")) if target.exists() else {}
    features = Features()
    for name, (noun, folder) in subjects.items():
        if name in results or (options.only and name not in options.only):
            continue
        results[name] = evaluate(options, features, name, noun, folder)
        target.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
        print(name, json.dumps(results[name]))


if __name__ == "__main__":
    main()

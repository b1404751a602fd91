#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""What DreamBooth does to a model, subject by subject: how like the photos the pictures become, and whether the class
keeps its variety.

    evaluate_dreambooth.py ENGINE MODEL SUBJECTS --output FOLDER [--only NAME...] --steps N [--jobs N] [--minutes N]

SUBJECTS holds a folder of photos for each subject and prompts_and_classes.txt with lines "name,class"; the bundled
drawings are a subject besides. Every subject is learned twice, without and with prior preservation, else as MODEL's
training_defaults.json says. FOLDER receives dreambooth.json, dreambooth.md, a sheet for each subject, pictures/, class/
(class pictures, shared by the subjects of a class) and, while a subject is learned, runs/. For each subject:

likeness   cosine of the features of a picture of "a photo of sks CLASS" (the trained models) or "a photo of a CLASS"
           (the untrained one) to those of the subject's photos, on average over the photos; one number a picture
variety    mean distance (1 - cosine) between any two pictures of "a CLASS": untrained, trained, with preservation; made
           without guidance, which makes pictures alike, however much of the class the model knows
drawn      mean cosine of those pictures of the class to the subject's photos
kept       mean cosine of each of them to the untrained model's of the same seed

and, as measures of what can be reached, the likeness of the photos among themselves and that of the photos as the
model's autoencoder gives them back.

What is there already stays, so an interrupted evaluation goes on, also in the middle of a training. The subjects of a
class are learned one after the other, several classes at the same time (--jobs), with the cores divided among them.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy
from bench import without_named
from dreambooth_table import KINDS, table, verdict
from made_pictures import decoded_pictures, make_seeds, sheet
from picture_features import Features, normalised

DRAWINGS = Path(__file__).resolve().parents[2] / "resources" / "drawings" / "blue_dog"
VARIETY_GUIDANCE = 1.0  # none
PLURALS = ("glasses",)
PICTURES = (".jpg", ".jpeg", ".png")


def classes_of(subjects: Path) -> dict:
    """The class noun of each subject folder that is there."""
    lines = (subjects / "prompts_and_classes.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split(",") for line in lines if line.count(",") == 1 and "(" not in line]
    return {name: noun for name, noun in pairs if (subjects / name).is_dir()}


def one(noun: str) -> str:
    return noun if noun in PLURALS else f"a {noun}"


def photos_in(folder: Path) -> list:
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES)


def likeness(made: numpy.ndarray, photos: numpy.ndarray) -> list:
    """Of each picture."""
    return (normalised(made) @ normalised(photos).T).mean(axis=1).tolist()


def seed_by_seed(made: numpy.ndarray, others: numpy.ndarray) -> float:
    """Mean cosine of pictures to those in the same places."""
    return float((normalised(made) * normalised(others)).sum(axis=1).mean())


def between(features: numpy.ndarray) -> float:
    """Mean cosine of any two."""
    cosines = normalised(features) @ normalised(features).T
    return float(cosines[numpy.triu_indices(len(features), 1)].mean())


def hash_of(model: Path) -> str:
    """Of the weights and the settings that the model brings along."""
    whole = hashlib.sha256()
    for path in sorted(model.rglob("*")):
        if path.suffix in (".safetensors", ".json"):
            whole.update(path.read_bytes())
    return whole.hexdigest()


class Results:
    """dreambooth.json and dreambooth.md. Any thread."""

    def __init__(self, folder: Path, settings: dict):
        self.folder, self.lock = folder, threading.Lock()
        target = folder / "dreambooth.json"
        self.whole = {"settings": settings, "subjects": {}}
        if target.exists():
            self.whole = json.loads(target.read_text(encoding="utf-8"))
            if self.whole["settings"] != settings:
                begun = self.whole["settings"]
                raise SystemExit(f"{target} was begun with {begun}, not {settings}; choose another folder")
        self.write()

    @property
    def subjects(self) -> dict:
        return self.whole["subjects"]

    def add(self, name: str, found: dict) -> None:
        with self.lock:
            self.subjects[name] = found
            self.write()

    def write(self) -> None:
        texts = {"dreambooth.json": json.dumps(self.whole, indent=2) + "\n", "dreambooth.md": table(self.subjects)}
        for name, text in texts.items():
            part = self.folder / f"{name}.part"
            part.write_text(text, encoding="utf-8")
            part.rename(self.folder / name)


class Evaluation:
    def __init__(self, options, results: Results):
        self.options, self.results = options, results
        self.threads = max((os.cpu_count() or 1) // options.jobs, 1)
        self.features, self.lock = Features(), threading.Lock()
        self.end = time.monotonic() + 60 * options.minutes if options.minutes else None

    def features_of(self, paths: list) -> numpy.ndarray:
        with self.lock:
            return self.features.of(paths)

    def train(self, name: str, photos: Path, noun: str, kind: str) -> Path:
        """The trained model's folder."""
        options, run = self.options, self.options.output / "runs" / f"{name}-{kind}"
        model = run / "result" / "model"
        if model.is_dir():
            return model
        if (run / "run.json").exists():
            command = [options.engine, "resume", run]
        else:
            usual = {"--steps": options.steps, "--seed": 1, "--threads": self.threads}
            if kind == "with":
                usual |= {"--class-prompt": f"a photo of {one(noun)}",
                          "--class-dir": options.output / "class" / noun.replace(" ", "_")}
            command = [options.engine, "train", "--model", options.model, "--instance", photos, "--prompt",
                       f"a photo of sks {noun}", "--output", run, *without_named(usual, options.train), *options.train]
        subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)
        return model

    def make(self, model: Path, subject: str, noun: str, folder: Path) -> dict:
        """Paths of the subject's and of the class's pictures, by "likeness" and "variety"."""
        options = self.options
        request = {"count": options.count, "batchSize": options.batch, "steps": options.sampling_steps,
                   "threads": self.threads}
        wishes = {folder / "likeness": request | {"prompt": subject, "guidanceScale": options.guidance},
                  folder / "variety": request | {"prompt": one(noun), "guidanceScale": VARIETY_GUIDANCE}}
        made = make_seeds(options.engine, model, wishes)
        return {path.name: pictures for path, pictures in made.items()}

    def pictures(self, name: str, noun: str, folder: Path) -> dict:
        """By kind; those of the untrained model are made once a class."""
        whole = self.options.output / "pictures"
        made = {"untrained": self.make(self.options.model, f"a photo of {one(noun)}", noun,
                                       whole / f"untrained {noun}".replace(" ", "_"))}
        for kind in KINDS[1:]:
            model = self.train(name, folder, noun, kind)
            made[kind] = self.make(model, f"a photo of sks {noun}", noun, whole / name / kind)
        return made

    def subject(self, name: str, noun: str, folder: Path) -> None:
        begin, photos = time.monotonic(), photos_in(folder)
        made, of_photos = self.pictures(name, noun, folder), self.features_of(photos)
        decoded = decoded_pictures(self.options.engine, self.options.model, photos,
                                   self.options.output / "pictures" / name / "decoded", self.threads)
        found = {"class": noun, "photos": len(photos), "likenessOfPhotos": between(of_photos),
                 "likenessOfDecoded": float(numpy.mean(likeness(self.features_of(decoded), of_photos)))}
        of_made = {kind: {what: self.features_of(paths) for what, paths in made[kind].items()} for kind in KINDS}
        found["likeness"] = {kind: likeness(of_made[kind]["likeness"], of_photos) for kind in KINDS}
        found["variety"] = {kind: 1.0 - between(of_made[kind]["variety"]) for kind in KINDS}
        found["drawn"] = {kind: float(numpy.mean(likeness(of_made[kind]["variety"], of_photos))) for kind in KINDS}
        before = of_made["untrained"]["variety"]
        found["kept"] = {kind: seed_by_seed(of_made[kind]["variety"], before) for kind in KINDS[1:]}
        found["minutes"] = round((time.monotonic() - begin) / 60, 1)
        rows = [(f"{kind}\n{what}", paths) for kind in KINDS for what, paths in made[kind].items()]
        of_subject = [("photos", photos[: self.options.count]), ("decoded", decoded[: self.options.count])]
        sheet([*of_subject, *rows], self.options.output / f"{name}.png")
        self.results.add(name, found)
        print(f"{name}: {verdict(found)} ({found['minutes']} min)", flush=True)
        if not self.options.keep_runs:
            for kind in KINDS[1:]:
                shutil.rmtree(self.options.output / "runs" / f"{name}-{kind}", ignore_errors=True)

    def of_class(self, noun: str, folders: dict) -> None:
        for name, folder in folders.items():
            if name in self.results.subjects:
                continue
            if self.end and time.monotonic() > self.end:
                print(f"{name}: no time left; start again to go on", flush=True)
                continue
            self.subject(name, noun, folder)


def chosen_subjects(options) -> dict:
    """Folders by name by class, the class with most subjects first: it takes longest."""
    subjects = {"blue_dog": ("dog", DRAWINGS)} | {
        name: (noun, options.subjects / name) for name, noun in classes_of(options.subjects).items()}
    unknown = set(options.only or ()) - set(subjects)
    if unknown:
        raise SystemExit(f"no such subjects: {', '.join(sorted(unknown))}; there are {', '.join(sorted(subjects))}")
    classes = {}
    for name, (noun, folder) in subjects.items():
        if not options.only or name in options.only:
            classes.setdefault(noun, {})[name] = folder
    return dict(sorted(classes.items(), key=lambda item: -len(item[1])))


def parsed_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("subjects", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--only", nargs="+", help="names of subjects; blue_dog: the bundled drawings")
    parser.add_argument("--steps", type=int, required=True, help="steps of each training")
    parser.add_argument("--count", type=int, default=8, help="pictures of each prompt")
    parser.add_argument("--batch", type=int, default=8, help="pictures that are made at a time")
    parser.add_argument("--sampling-steps", type=int, default=20)
    parser.add_argument("--guidance", type=float, default=3.0)
    parser.add_argument("--jobs", type=int, default=1, help="classes that are learned at the same time")
    parser.add_argument("--minutes", type=float, help="no subject is begun after that time")
    parser.add_argument("--keep-runs", action="store_true", help="also of subjects that are evaluated")
    parser.add_argument("--train", nargs=argparse.REMAINDER, default=[], help="what else the engine's train takes")
    return parser.parse_args()


def main() -> None:
    options = parsed_options()
    classes = chosen_subjects(options)
    settings = {"model": hash_of(options.model), "steps": options.steps, "count": options.count, "train": options.train,
                "samplingSteps": options.sampling_steps, "guidance": options.guidance}
    options.output.mkdir(parents=True, exist_ok=True)
    results = Results(options.output, settings)
    evaluation = Evaluation(options, results)
    with ThreadPoolExecutor(options.jobs) as pool:
        waiting = [pool.submit(evaluation.of_class, noun, folders) for noun, folders in classes.items()]
        try:
            for future in waiting:
                future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    print(table(results.subjects))


if __name__ == "__main__":
    main()

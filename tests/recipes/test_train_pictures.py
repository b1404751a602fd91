#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""The whole recipe of the 128-pixel model, on a few subjects and steps: test_train_pictures.py ENGINE

Needs the Debian packages that pictures_dataset.py and grow_unet.py name; without them the test is skipped, saying which.
"""

import filecmp
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
RECIPES = Path(__file__).parents[2] / "resources" / "recipes"
sys.path.insert(0, str(RECIPES))

try:
    import pictures_dataset  # noqa: E402
    MISSING = [str(path) for path in pictures_dataset.NEEDED if not Path(path).exists()]
except ImportError as error:
    MISSING = [str(error)]

ENGINE = Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None
SUBJECTS, VAE_STEPS, UNET_STEPS = "12", "6", "4"


def recipe(work, data):
    """The recipe, started; what it says goes into a file beside its folder."""
    environment = dict(os.environ, LIMIT=SUBJECTS, VAE_STEPS=VAE_STEPS, UNET_STEPS=UNET_STEPS)
    with open(f"{work}.log", "a") as log:
        return subprocess.Popen([RECIPES / "train_pictures.sh", ENGINE, work, data], env=environment, stdout=log,
                                stderr=subprocess.STDOUT, start_new_session=True)


def events(run):
    journal = run / "events.jsonl"
    lines = journal.read_text().splitlines(keepends=True) if journal.exists() else []
    return [json.loads(line) for line in lines if line.endswith("\n")]


def interrupt_after_step(process, run, step):
    """Ctrl-C, as a terminal would send it. Returns whether it came to that."""
    while process.poll() is None:
        if any(event["type"] == "step" and event["step"] >= step for event in events(run)):
            os.killpg(process.pid, signal.SIGINT)
            process.wait()
            return not (run / "result").exists()
        time.sleep(0.1)
    return False


@unittest.skipIf(MISSING, f"not installed: {', '.join(MISSING)}")
class TrainPictures(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="train pictures ")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def make_data(self, name):
        subprocess.run([RECIPES / "pictures_dataset.py", "--output", self.folder / name, "--limit", SUBJECTS],
                       check=True, stdout=subprocess.DEVNULL)
        return self.folder / name

    def test_drawings_with_missing_parts_or_much_text_are_left_out(self):
        for svg, flaw in {'<svg><path d="M 0 0"/><text>112</text></svg>': "",
                          '<svg><image width="9" xlink:href="data:;base64,iVBORw0KGgo="/></svg>': "",
                          '<svg><image y="1"\nxlink:href="/home/somebody/ant.png"/></svg>': "a part of it is missing",
                          '<svg><text x="1"><tspan>An ant,</tspan>\n<tspan>drawn by me</tspan></text></svg>':
                              "sign or text"}.items():
            self.assertEqual(pictures_dataset.clipart.flaw_of(svg), flaw)

    def test_the_same_packages_give_the_same_pictures(self):
        first, second = self.make_data("first"), self.make_data("second")
        names = sorted(str(path.relative_to(first)) for path in first.rglob("*") if path.is_file())
        self.assertEqual(names, sorted(str(p.relative_to(second)) for p in second.rglob("*") if p.is_file()))
        self.assertGreater(len(names), 2 * int(SUBJECTS))
        self.assertEqual(filecmp.cmpfiles(first, second, names, shallow=False)[1:], ([], []))

    def test_common_things_count_more_often(self):
        lines = [{"file_name": "a.png", "source": "emoji", "name": "red apple"},
                 {"file_name": "b.png", "source": "emoji", "name": "poodle"},
                 {"file_name": "c.png", "source": "emoji", "name": "poodle: dark skin tone"},
                 {"file_name": "d.png", "source": "clipart", "name": "red apple"}]
        for others in (0, 1):
            often = pictures_dataset.often(lines, {"red apple"}, {"red apple", "poodle"}, (5, 2), others)
            names = [line["file_name"] for line in often]
            self.assertEqual([names.count(f"{letter}.png") for letter in "abcd"], [5, 2, others, others])

    def test_what_is_learned_is_in_the_folder(self):
        data = self.make_data("data")
        rows = [json.loads(line) for line in (data / "metadata.jsonl").read_text().splitlines()]
        self.assertEqual({row["file_name"] for row in rows},
                         {f"train/{path.name}" for path in (data / "train").glob("*.png")})
        plain = [json.loads(line) for line in (data / "plain" / "metadata.jsonl").read_text().splitlines()]
        self.assertEqual({row["file_name"] for row in plain}, {path.name for path in (data / "plain").glob("*.png")})
        self.assertEqual({row["background"] for row in plain}, {"white"})

    def test_an_interrupted_recipe_goes_on_behind_its_checkpoint_and_ends_in_a_model(self):
        work, data = self.folder / "work", self.make_data("data")
        self.assertTrue(interrupt_after_step(recipe(work, data), work / "vae", 2))
        interrupted = events(work / "vae")
        self.assertFalse((work / "vae" / "result").exists())
        saved = max(event["step"] for event in interrupted if event["type"] == "checkpoint")
        self.assertGreaterEqual(saved, 2)

        again = recipe(work, data)
        self.assertEqual(again.wait(), 0, Path(f"{work}.log").read_text())
        resumed = [e["step"] for e in events(work / "vae")[len(interrupted):] if e["type"] == "step"]
        self.assertEqual(resumed, list(range(saved + 1, int(VAE_STEPS) + 1)))

        model = work / "unet" / "result" / "model"
        said = subprocess.run([ENGINE, "inspect", model], capture_output=True, text=True)
        self.assertEqual(said.returncode, 0, said.stdout + said.stderr)
        small, grown = (json.loads((work / part / "result" / "model" / "unet" / "config.json").read_text())
                        for part in ("shapes", "unet"))
        self.assertEqual([len(small["block_out_channels"]), small["sample_size"]], [3, 16])
        self.assertEqual([len(grown["block_out_channels"]), grown["sample_size"]], [4, 32])
        picture = self.folder / "pictures"
        sampled = subprocess.run([ENGINE, "sample", "--model", model, "--prompt", "a red apple", "--steps", "2",
                                  "--output", picture], capture_output=True, text=True)
        self.assertEqual(sampled.returncode, 0, sampled.stdout + sampled.stderr)
        self.assertEqual(len(list(picture.glob("*.png"))), 1)


if __name__ == "__main__":
    if ENGINE is None or not ENGINE.is_file():
        sys.exit("usage: test_train_pictures.py ENGINE (the homebooth-engine program)")
    unittest.main()

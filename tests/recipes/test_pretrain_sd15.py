#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Stable Diffusion 1.5 at its full size, from random weights, on .tar shards: test_pretrain_sd15.py ENGINE

At 256 and 512 pixels a run that is killed and resumed ends in the same bytes as one that was not. Checkpoints and
results of several gigabytes go to $TMPDIR; on two cores with AVX2, other work beside it, it took 18 minutes.
"""

import contextlib
import hashlib
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[2]
CONFIGURATION = ROOT / "tests" / "configs" / "sd15"
PICTURES = sorted((ROOT / "resources" / "drawings" / "blue_dog").glob("*.png"))
ENGINE = Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None
STEPS, KILLED_AT = 4, 3
LEAN = ["--precision", "bf16", "--optimizer", "adamw8bit", "--lr-warmup", "0", "--checkpoint-every", "2"]


def write_shards(folder):
    """Two shards, as WebDataset has them: the files of a sample share their name up to the dot."""
    folder.mkdir()
    for number in range(2):
        with tarfile.open(folder / f"{number:05}.tar", "w") as shard:
            for picture in PICTURES[number::2]:
                shard.add(picture, picture.name)
                caption = f"a drawing of a blue dog, {picture.stem}".encode()
                member = tarfile.TarInfo(f"{picture.stem}.txt")
                member.size = len(caption)
                shard.addfile(member, io.BytesIO(caption))


def events(run):
    journal = run / "events.jsonl"
    lines = journal.read_text().splitlines(keepends=True) if journal.exists() else []
    return [json.loads(line) for line in lines if line.endswith("\n")]


def losses(run):
    """By step; of a step that was taken twice the later one."""
    return {event["step"]: event["loss"] for event in events(run) if event["type"] == "step"}


def processes_of(run):
    """Whoever works on a run: the supervisor and its worker have groups of their own."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if str(run).encode() in (process / "cmdline").read_bytes():
                yield int(process.name)
        except OSError:
            continue  # it ended


def hash_of(model):
    weights = sorted(path for path in model.rglob("*.safetensors"))
    assert weights, f"no weights in {model}"
    hashes = {}
    for path in weights:
        with open(path, "rb") as file:
            hashes[str(path.relative_to(model))] = hashlib.file_digest(file, "sha256").hexdigest()
    return hashes


class PretrainSd15(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="pretrain sd15 "))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        write_shards(cls.folder / "shards")
        cls.run_engine(*cls.arguments("vae", CONFIGURATION, 64), "--component", "vae", "--steps", "1")

    @classmethod
    def run_engine(cls, *arguments):
        done = subprocess.run([ENGINE, *arguments], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr

    @classmethod
    def arguments(cls, name, configuration, pixels):
        return ["train", "--from-scratch", "--dataset", cls.folder / "shards", "--scratch-config", configuration,
                "--resolution", str(pixels), *LEAN, "--output", cls.folder / name]

    def kill_after_step(self, arguments, run, step):
        with open(os.devnull, "w") as nothing:
            process = subprocess.Popen([ENGINE, *arguments], stdout=nothing, stderr=nothing, start_new_session=True)
        while process.poll() is None and step not in losses(run):
            time.sleep(0.2)
        self.assertIsNone(process.poll(), events(run)[-3:])
        for number in processes_of(run):
            with contextlib.suppress(ProcessLookupError):  # it ended with the one before
                os.kill(number, signal.SIGKILL)
        process.wait()

    def test_a_killed_run_ends_in_the_same_bytes(self):
        autoencoder = self.folder / "vae" / "result" / "model"
        for pixels in (256, 512):
            with self.subTest(pixels=pixels):
                whole, killed = self.folder / f"whole{pixels}", self.folder / f"killed{pixels}"
                steps = ["--steps", str(STEPS)]
                self.run_engine(*self.arguments(whole.name, autoencoder, pixels), *steps)
                expected, expected_losses = hash_of(whole / "result" / "model"), losses(whole)
                shutil.rmtree(whole)

                self.kill_after_step([*self.arguments(killed.name, autoencoder, pixels), *steps], killed, KILLED_AT)
                self.assertFalse((killed / "result").exists())
                self.run_engine("resume", killed)
                self.assertEqual(losses(killed), expected_losses)
                self.assertEqual(hash_of(killed / "result" / "model"), expected)
                shutil.rmtree(killed)


if __name__ == "__main__":
    if ENGINE is None or not ENGINE.is_file():
        sys.exit("usage: test_pretrain_sd15.py ENGINE (the homebooth-engine program)")
    unittest.main()

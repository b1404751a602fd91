#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""What train_further.py asks of the engine, and the configurations that it and the recipe take. Needs only Python: the
engine is a script that writes down what it was asked for and listens as a training does."""

import json
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True
RECIPES = Path(__file__).parents[2] / "resources" / "recipes"
sys.path.insert(0, str(RECIPES))

import train_further  # noqa: E402

ENGINE = textwrap.dedent('''\
    import json, os, pathlib, socket, sys
    arguments = sys.argv[1:]
    work = pathlib.Path(__file__).parent
    with open(work / "asked", "a") as asked:
        asked.write(json.dumps(arguments) + "\\n")
    run = pathlib.Path(arguments[1] if arguments[0] == "resume" else arguments[arguments.index("--output") + 1])
    run.mkdir(exist_ok=True)
    (run / "run.json").write_text("{}")
    if (work / "fails").exists():
        sys.exit(4)
    if (work / "listens").exists():
        server = socket.socket(socket.AF_UNIX)
        server.bind(str(work / "socket"))
        server.listen()
        (run / "control").write_text(str(work / "socket") + "\\n")
        connection, _ = server.accept()
        (work / "heard").write_bytes(connection.recv(4096))
        connection.sendall(b'{"ok":true}\\n')
    (run / "result" / "model").mkdir(parents=True)
    ''')


class TrainFurther(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="further ")
        self.addCleanup(folder.cleanup)
        self.work = Path(folder.name)
        (self.work / "data").mkdir()
        self.engine = self.work / "engine"
        self.engine.write_text(f"#!{sys.executable}\n{ENGINE}")
        self.engine.chmod(0o755)
        self.run = self.work / "further"

    def run_further(self, *options, minutes="1"):
        words = ["train_further.py", str(self.engine), str(self.work), "--minutes", minutes, *options]
        with mock.patch.object(sys, "argv", words), mock.patch.object(train_further, "ASK_SECONDS", 0.05), \
                mock.patch("builtins.print"):
            return train_further.main()

    def asked(self):
        return [json.loads(line) for line in (self.work / "asked").read_text().splitlines()]

    def test_as_many_steps_as_fit_in_the_time_on_the_default_model(self):
        self.assertEqual(self.run_further("--step-seconds", "0.5", minutes="2"), 0)
        [asked] = self.asked()
        self.assertEqual(asked, ["train", "--config", str(RECIPES / "pictures_unet.json"), "--model",
                                 str(RECIPES.parent / "models" / "sketch"), "--dataset", str(self.work / "data"),
                                 "--steps", "240", "--output", str(self.run)])

    def test_another_model_and_other_data_are_taken(self):
        other = self.work / "other"
        other.mkdir()
        self.assertEqual(self.run_further("--data", str(other), "--model", "MODEL"), 0)
        [asked] = self.asked()
        self.assertEqual(asked[asked.index("--dataset") + 1], str(other))
        self.assertEqual(asked[asked.index("--model") + 1], "MODEL")

    def test_a_second_start_resumes_and_a_third_has_nothing_to_do(self):
        (self.work / "fails").touch()
        self.assertEqual(self.run_further(), 4)
        (self.work / "fails").unlink()
        self.assertEqual(self.run_further(), 0)
        self.assertEqual(self.asked()[1:], [["resume", str(self.run)]])
        self.assertEqual(self.run_further(), 0)
        self.assertEqual(len(self.asked()), 2)

    def test_a_training_that_takes_longer_is_asked_for_its_result(self):
        (self.work / "listens").touch()
        self.assertEqual(self.run_further(minutes="0.0001"), 0)  # before it listens, as where it still loads
        self.assertEqual(json.loads((self.work / "heard").read_text()), {"command": "finish"})
        self.assertTrue((self.run / "result" / "model").is_dir())


class Configurations(unittest.TestCase):
    def test_each_has_pictures_held_out_so_that_more_than_the_training_loss_is_kept(self):
        for part in ("vae", "plain", "shapes", "unet"):
            data = json.loads((RECIPES / f"pictures_{part}.json").read_text())["data"]
            self.assertEqual(data["validationShare"], 0.02, part)


if __name__ == "__main__":
    unittest.main()

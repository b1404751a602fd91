#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Goes on training the default model for some minutes, at its full size, on the pictures that it was made from.

    train_further.py ENGINE WORK --minutes N [--data DATA] [--model MODEL] [--step-seconds S]

ENGINE is the homebooth-engine program. WORK receives data/, unless DATA has it, and the run further/; started again it
goes on at the last checkpoint. The learning rate falls over as many steps as fit in the time if one takes S seconds;
where they take longer, the training is ended after N minutes, with the moving average as it is by then.
Result: WORK/further/result/model, from which another WORK may begin (--model).
"""

import argparse
import contextlib
import socket
import subprocess
import sys
import time
from pathlib import Path

RECIPES = Path(__file__).resolve().parent
SKETCH = RECIPES.parent / "models" / "sketch"
STEP_SECONDS = 0.55  # of 24 pictures on two cores with AVX-512 and bf16
ASK_SECONDS = 1.0
POLITE = ["nice", "-n", "19"]  # hours of work that should not be felt


def command_for(options, run: Path, data: Path) -> list:
    if (run / "run.json").exists():
        return [options.engine, "resume", run]
    steps = max(int(options.minutes * 60 / options.step_seconds), 1)
    return [options.engine, "train", "--config", RECIPES / "pictures_unet.json", "--model", options.model,
            "--dataset", data, "--steps", steps, "--output", run]


def finish(run: Path) -> bool:
    """Asks the training for its result. One that has just ended needs no asking, and one that still loads does not
    listen yet."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as control:
        control.connect((run / "control").read_text().strip())
        control.sendall(b'{"command":"finish"}\n')
        return bool(control.recv(4096))
    return False


def work(command: list, run: Path, seconds: float) -> int:
    """The exit code."""
    process = subprocess.Popen([*POLITE, *(str(part) for part in command)])
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        while process.poll() is None and not finish(run):
            time.sleep(ASK_SECONDS)
    except KeyboardInterrupt:
        pass  # the engine has heard it, too, and saves
    return process.wait()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--data", type=Path, help="what pictures_dataset.py has written")
    parser.add_argument("--model", type=Path, default=SKETCH)
    parser.add_argument("--step-seconds", type=float, default=STEP_SECONDS)
    options = parser.parse_args()
    run, data = options.work / "further", options.data or options.work / "data"
    model = run / "result" / "model"
    options.work.mkdir(parents=True, exist_ok=True)
    if not data.is_dir():
        subprocess.run([*POLITE, RECIPES / "pictures_dataset.py", "--output", data, "--limit", "0"], check=True)
    code = 0 if model.is_dir() else work(command_for(options, run, data), run, options.minutes * 60)
    if code == 0:
        print(model)
    return code


if __name__ == "__main__":
    sys.exit(main())

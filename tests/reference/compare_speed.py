#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Times the engine beside its peer in one go, alternating, and prints the ratios.

    compare_speed.py [train] [sample] --engine build/release/bin/homebooth-engine --config tests/configs/sd15
                     [--rounds 2] [--steps 2] [--keep products] [--output result.json]

Each round runs ours, then the peer's, each in a process of its own; a result counts as the median of the rounds and
comes with the least and the greatest. Training: UNet in bf16, AdamW with bf16 states, batch 1, random weights,
recomputation on. Sampling: one UNet call at batch 2, bf16, and one decoding by the autoencoder, of which both sides
hold the decoder alone. The peak is VmHWM of the computing process, so of both together.
The load of the machine before each run is recorded: figures from a busy machine say little.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", metavar="train|sample", help="both when none is named")
    parser.add_argument("--engine", type=Path, default=Path("build/release/bin/homebooth-engine"))
    parser.add_argument("--config", type=Path, default=Path("tests/configs/sd15"))
    parser.add_argument("--resolution", type=int, default=512)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--steps", type=int, default=2, help="timed steps of a run, after one of warm-up")
    parser.add_argument("--states", choices=["bf16", "fp32"], default="bf16", help="of our optimizer")
    parser.add_argument("--keep", default="products", help="what our backward keeps: inputs, products, everything")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    unknown = set(options.what) - {"train", "sample"}
    if unknown:
        parser.error(f"train or sample, not {', '.join(sorted(unknown))}")
    return options


def commands(what: str, options: argparse.Namespace) -> dict:
    shared = ["--steps", str(options.steps), "--resolution", str(options.resolution), "--json"]
    ours = [str(options.engine), "bench", what, "--model-config", str(options.config), "--precision", "bf16", *shared]
    peer = [sys.executable, str(HERE / f"peer_{'step' if what == 'train' else 'sample'}.py")]
    peer += ["--config", str(options.config), "--dtype", "bf16", *shared]
    if what == "train":
        ours += ["--optimizer-states", options.states, "--keep", options.keep]
    else:
        peer += ["--vae", "decode"]
    return {"ours": ours, "peer": peer}


def shown(command: list) -> str:
    """The command as somebody in the repository's root would type it."""
    return " ".join(command).replace(sys.executable, "python3").replace(f"{HERE}/", "tests/reference/")


def measure(command: list) -> dict:
    """Runs one side; its seconds, peak bytes, and the load it started under."""
    load = os.getloadavg()[0]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr}")
    found = json.loads(done.stdout)
    if "bench" in command:
        part = found["train" if "train" in found else "sample"]
        seconds = part.get("stepSeconds", part.get("unetCallSeconds"))
        figures = {"seconds": seconds, "peakBytes": part["peakResidentBytes"]}
        decode = part.get("decodeSeconds")
    else:
        seconds = found.get("step_seconds", found.get("unet_seconds"))
        figures = {"seconds": seconds, "peakBytes": found["peak_resident_bytes"]}
        decode = found.get("vae_decode_seconds")
    if decode is not None:
        figures["decodeSeconds"] = decode
    return figures | {"loadBefore": load, "said": found}


def spread(runs: list, key: str) -> dict:
    values = [run[key] for run in runs]
    return {"median": statistics.median(values), "least": min(values), "greatest": max(values)}


def compare(what: str, options: argparse.Namespace) -> dict:
    sides = commands(what, options)
    runs = {side: [] for side in sides}
    for number in range(options.rounds):
        for side, command in sides.items():
            run = measure(command)
            runs[side].append(run)
            print(f"{what} round {number + 1} {side}: {run['seconds']:.2f} s, {run['peakBytes'] / 1e9:.2f} GB", flush=True)
    result = {"commands": {side: shown(command) for side, command in sides.items()}, "runs": runs}
    for key in (key for key in ("seconds", "decodeSeconds", "peakBytes") if key in runs["ours"][0]):
        result[key] = {side: spread(runs[side], key) for side in sides}
        result[key]["ratio"] = result[key]["ours"]["median"] / result[key]["peer"]["median"]
    print(f"{what}: time {result['seconds']['ratio']:.3f}, memory {result['peakBytes']['ratio']:.3f} of the peer's")
    return result


def processor() -> str:
    with open("/proc/cpuinfo", encoding="utf-8") as facts:
        names = [line.split(":", 1)[1].strip() for line in facts if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores"


def main() -> None:
    options = parse()
    result = {"date": time.strftime("%Y-%m-%d"), "processor": processor()}
    for what in options.what or ["train", "sample"]:
        result[what] = compare(what, options)
    if options.output:
        options.output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

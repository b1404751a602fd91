#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Times the engine beside its peer in one go, alternating, and prints the ratios.

    compare_speed.py [train] [sample] --engine build/release/bin/homebooth-engine --config tests/configs/sd15
                     [--rounds 2] [--steps 2] [--keep products] [--ours "further options of our bench"]
                     [--output result.json]

Each round runs ours, then the peer's, each in a process of its own; a result counts as the median of the rounds and
comes with the least and the greatest. Training: UNet in bf16, AdamW with bf16 states, batch 1, random weights,
recomputation on. Sampling: one UNet call at batch 2, bf16, and one decoding by the autoencoder, of which both sides
hold the decoder alone. The peak is VmHWM of the computing process, so of both together.
The load of the machine before each run is recorded: figures from a busy machine say little.
"""

import argparse
import shlex
from pathlib import Path

from bench import ENGINE, machine, peer, run_json, shown, spread, write_json


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", metavar="train|sample", help="both when none is named")
    parser.add_argument("--engine", type=Path, default=ENGINE)
    parser.add_argument("--config", type=Path, default=Path("tests/configs/sd15"))
    parser.add_argument("--resolution", type=int, default=512)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--steps", type=int, default=2, help="timed steps of a run, after one of warm-up")
    parser.add_argument("--states", choices=["bf16", "fp32"], default="bf16", help="of our optimizer")
    parser.add_argument("--keep", default="products", help="what our backward keeps: inputs, products, everything")
    parser.add_argument("--ours", default="", help="further options of our bench, e.g. \"--policy cpu\"")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    unknown = set(options.what) - {"train", "sample"}
    if unknown:
        parser.error(f"train or sample, not {', '.join(sorted(unknown))}")
    return options


def commands(what: str, options: argparse.Namespace) -> dict:
    shared = ["--steps", str(options.steps), "--resolution", str(options.resolution), "--json"]
    ours = [str(options.engine), "bench", what, "--model-config", str(options.config), "--precision", "bf16", *shared]
    ours += shlex.split(options.ours)
    theirs = peer(f"peer_{'step' if what == 'train' else 'sample'}.py")
    theirs += ["--config", str(options.config), "--dtype", "bf16", *shared]
    if what == "train":
        ours += ["--optimizer-states", options.states, "--keep", options.keep]
    else:
        theirs += ["--vae", "decode"]
    return {"ours": ours, "peer": theirs}


def measure(command: list) -> dict:
    """Runs one side; its seconds, peak bytes, and the load it started under."""
    run = run_json(command)
    found = run["said"]
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
    return figures | run


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
        result[key] = {side: spread([run[key] for run in runs[side]]) for side in sides}
        result[key]["ratio"] = result[key]["ours"]["median"] / result[key]["peer"]["median"]
    print(f"{what}: time {result['seconds']['ratio']:.3f}, memory {result['peakBytes']['ratio']:.3f} of the peer's")
    return result


def main() -> None:
    options = parse()
    result = machine()
    for what in options.what or ["train", "sample"]:
        result[what] = compare(what, options)
    write_json(options.output, result)


if __name__ == "__main__":
    main()

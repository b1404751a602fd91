#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Times the engine beside its peer in one go, alternating, and prints the ratios.

    compare_speed.py [train] [sample] [language] --engine build/release/bin/homebooth-engine --config tests/configs/sd15
                     [--rounds 2] [--steps 2] [--keep products] [--ours "further options of our bench"]
                     [--work DIR] [--output result.json]

Each round runs ours, then the peer's, each in a process of its own; a result counts as the median of the rounds and
comes with the least and the greatest. Training: UNet in bf16, batch 1, random weights, recomputation on. The peer's
optimizer is torch's AdamW, whose states are bf16 as the weights are; ours is AdamW with --states, or what --ours names:
with --ours="--optimizer adamw8bit" its states take half of the peer's bytes. The page names both, and what our peak
would be with as many, as reckoned. Sampling: one UNet call at batch 2, bf16, and one decoding by the autoencoder, of
which both sides hold the decoder alone. Language (named alone, with --config tests/configs/opt-125m): all of a language
model in bf16, --context tokens, recomputation on, optimizers as in training, the peer's fused. The peak is VmHWM of the
computing process, so of both together. Judged is training: at most 0.65 of the peer's time with less than half of its
peak, both in this one run. What else the machine did meanwhile is recorded: times of a busy one are not claimed. With
--work what was measured is kept there, one file a run, so that a script that was stopped goes on. Beside OUTPUT, a table
for people is written to the same name with .md. Exit code: 1 where a figure is missed, not claimed, or a side refused.
"""

import argparse
import shlex
import sys
from pathlib import Path

from bench import (BUSY_NOTE, ENGINE, Refusal, command_line, heading, judged, kept_run, machine, passes, peer,
                   seconds_text, shown, spread, write_json, write_page)

REACH = {"seconds": 0.65, "peakBytes": 0.5}  # of the peer's, in training
NAMES = {"seconds": "time, s", "decodeSeconds": "decoding, s", "peakBytes": "peak, GB"}


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", metavar="train|sample|language", help="train and sample when none is named")
    parser.add_argument("--engine", type=Path, default=ENGINE)
    parser.add_argument("--config", type=Path, default=Path("tests/configs/sd15"))
    parser.add_argument("--resolution", type=int, default=512)
    parser.add_argument("--context", type=int, default=512, help="of a language model: tokens")
    parser.add_argument("--batch", type=int, default=1, help="of a language model: texts")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--steps", type=int, default=2, help="timed steps of a run, after one of warm-up")
    parser.add_argument("--states", choices=["bf16", "fp32"], default="bf16", help="of our optimizer, if it is AdamW")
    parser.add_argument("--keep", default="products", help="what our backward keeps: inputs, products, everything")
    parser.add_argument("--ours", default="", help="further options of our bench, e.g. \"--policy cpu\"")
    parser.add_argument("--work", type=Path, help="where each run's figures are kept")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    unknown = set(options.what) - {"train", "sample", "language"}
    if unknown:
        parser.error(f"train, sample or language, not {', '.join(sorted(unknown))}")
    return options


def our_optimizer(options: argparse.Namespace) -> str:
    """As our bench knows it."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--optimizer", default="adamw")
    return parser.parse_known_args(shlex.split(options.ours))[0].optimizer


def optimizer_words(options: argparse.Namespace) -> list:
    """What our bench is told of the states; nothing where they have a type of their own."""
    return ["--optimizer-states", options.states] if our_optimizer(options) == "adamw" else []


def optimizers_text(options: argparse.Namespace, fused: bool) -> str:
    """Both sides', with the types of their states."""
    ours = our_optimizer(options)
    named = {"adamw": f"AdamW with states in {options.states}", "adamw8bit": "AdamW with states in 8 bits"}.get(ours, ours)
    return f"Ours learns by {named}, the peer by torch's {'fused ' if fused else ''}AdamW with states in bf16."


def language_commands(options: argparse.Namespace) -> dict:
    size = ["--steps", str(options.steps), "--context", str(options.context), "--batch", str(options.batch), "--json"]
    ours = [str(options.engine), "bench", "train", "--model-config", str(options.config), "--precision", "bf16", *size]
    ours += [*optimizer_words(options), "--keep", options.keep, *shlex.split(options.ours)]
    theirs = [*peer("peer_language.py"), "--config", str(options.config), "--dtype", "bf16", "--fused", *size]
    return {"ours": ours, "peer": theirs}


def commands(what: str, options: argparse.Namespace) -> dict:
    if what == "language":
        return language_commands(options)
    shared = ["--steps", str(options.steps), "--resolution", str(options.resolution), "--json"]
    ours = [str(options.engine), "bench", what, "--model-config", str(options.config), "--precision", "bf16", *shared]
    ours += shlex.split(options.ours)
    theirs = peer(f"peer_{'step' if what == 'train' else 'sample'}.py")
    theirs += ["--config", str(options.config), "--dtype", "bf16", *shared]
    if what == "train":
        ours += [*optimizer_words(options), "--keep", options.keep]
    else:
        theirs += ["--vae", "decode"]
    return {"ours": ours, "peer": theirs}


def measure(command: list, number: int, work: Path | None) -> dict:
    """Runs one side; its seconds, peak bytes, and what else the machine did."""
    run = kept_run(command, work, f"round {number}")
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
    result = {"commands": {side: shown(command) for side, command in sides.items()}}
    runs = {side: [] for side in sides}
    try:
        for number in range(1, options.rounds + 1):
            for side, command in sides.items():
                run = measure(command, number, options.work)
                runs[side].append(run)
                print(f"{what} round {number} {side}: {run['seconds']:.2f} s, {run['peakBytes'] / 1e9:.2f} GB", flush=True)
    except Refusal as refusal:
        print(f"{what}: {side} refused: {refusal}")
        return result | {"runs": runs, "refused": f"{side}: {refusal}", "verdicts": {"all": "refused"}}
    result |= {"runs": runs, "idle": all(run["idle"] for of_side in runs.values() for run in of_side), "verdicts": {}}
    for key in (key for key in NAMES if key in runs["ours"][0]):
        result[key] = {side: spread([run[key] for run in runs[side]]) for side in sides}
        result[key]["ratio"] = result[key]["ours"]["median"] / result[key]["peer"]["median"]
        claimed = result["idle"] or key == "peakBytes"
        result["verdicts"][key] = judged(result[key]["ratio"], REACH.get(key) if what == "train" else None, claimed=claimed)
    print(f"{what}: time {result['seconds']['ratio']:.3f} ({result['verdicts']['seconds']}), memory "
          f"{result['peakBytes']['ratio']:.3f} ({result['verdicts']['peakBytes']}) of the peer's")
    return result


def lines(what: str, found: dict) -> list:
    if "refused" in found:
        return [f"| {what} | | | | | refused: {found['refused']} |"]
    rows = []
    for key in (key for key in NAMES if key in found):
        of_key, timed = found[key], key != "peakBytes"
        sides = [seconds_text(of_key[side]["median"], found["idle"], 2) if timed else f"{of_key[side]['median'] / 1e9:.2f}"
                 for side in ("ours", "peer")]
        bound = REACH.get(key, "") if what == "train" else ""
        rows.append(f"| {what}, {NAMES[key]} | {' | '.join(sides)} | {of_key['ratio']:.3f} | {bound} | "
                    f"{found['verdicts'][key]} |")
    return rows


def reckoned(found: dict, options: argparse.Namespace) -> str:
    """Our peak if our states had as many bytes as the peer's; empty where they have, or it is not known."""
    state_bytes = {"adamw8bit": 2, "adamw": 8 if options.states == "fp32" else 4}  # of both moments of a parameter
    more = 4 - state_bytes.get(our_optimizer(options), 4)
    parameters = found["runs"]["peer"][0]["said"].get("parameters", 0) if "peakBytes" in found else 0
    if more * parameters == 0:
        return ""
    ours, peers = (found["peakBytes"][side]["median"] for side in ("ours", "peer"))
    alike = ours + more * parameters
    return (f"\nReckoned, not measured here (--states bf16 does): with states in bf16 on both sides ours would take about\n"
            f"{alike / 1e9:.1f} GB, {alike / peers:.2f} of the peer's ({more:+d} bytes for each of {parameters / 1e6:.0f} million parameters).\n")


def page(result: dict, parts: list, options: argparse.Namespace) -> str:
    rows = [line for what in parts for line in lines(what, result[what])]
    taken = [run["said"]["train"]["pageBytesTakenPerStep"] for run in result.get("train", {}).get("runs", {}).get("ours", [])]
    told = f" Of new pages our step took at most {max(taken) / 1e6:.0f} MB." if taken else ""
    size = f"{options.resolution} pixels, batch 1"
    if parts == ["language"]:
        size = f"{options.context} tokens, batch {options.batch}"
    library = "transformers" if parts == ["language"] else "diffusers"
    learns = [what for what in parts if what != "sample"]
    optimizers = f"\n{optimizers_text(options, learns == ['language'])}" if learns else ""
    return heading("Speed and memory beside the peer", result) + f"""
{options.config.name}, {size}, bf16, random weights; {library} is the peer.{optimizers}
Medians of {options.rounds} rounds in turn; the peak is VmHWM of the computing process.{told} {BUSY_NOTE}

| | ours | peer | ratio | to reach | judged |
|---|---|---|---|---|---|
""" + "\n".join(rows) + "\n" + "".join(reckoned(result[what], options) for what in learns)


def main() -> None:
    options = parse()
    parts = options.what or ["train", "sample"]
    result = machine(options.engine) | {"command": command_line()}
    for what in parts:
        result[what] = compare(what, options)
        for run in result[what]["runs"]["peer"][:1]:
            result |= {name: run["said"][name] for name in ("torch", "diffusers", "transformers", "python") if name in run["said"]}
    if options.work:
        result["command"] = result["command"].replace(str(options.work), "DIR")
    write_json(options.output, result)
    write_page(options.output, page(result, parts, options))
    sys.exit(0 if passes([verdict for what in parts for verdict in result[what]["verdicts"].values()]) else 1)


if __name__ == "__main__":
    main()

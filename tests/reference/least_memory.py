#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""In how little memory full-size training steps run: a table with what others have published.

    least_memory.py --work DIR --swap DIR [--only 1,4] [--list] [--output tests/results/least_memory.json]

Full-size configurations with random weights; bf16 weights without a master copy, 8-bit AdamW, text encoder frozen, latents
and texts cached; nothing kept for backward but inputs of blocks. Host memory stands for the device, under a hard cap:
the figure to reach, where there is one. Peaks are the allocator's, and the whole process's (VmHWM). Two more tables
have clipping, and fp16 whose overflows are skipped: their gradients rest somewhere until the step is sure.
What was measured lies in DIR of --work, one file a case, so that a run that was stopped goes on (take another DIR for
another build); a case that the engine refuses says why, and is tried again then. The swap lies in DIR of --swap, on a
disk with 12 GB to spare. Beside OUTPUT, the tables for people are written to the same name with .md.
--smoke takes tiny models, to try the script itself. Exit code: 1 where a figure is not reached or a case was refused.
"""

import argparse
import sys
from pathlib import Path

from bench import (BUSY_NOTE, ENGINE, Refusal, command_line, heading, judged, machine, passes, run_kept, seconds_text,
                   write_json, write_page)

GB = 10**9
SD15 = ["--model-config", "tests/configs/sd15", "--resolution", "512"]
SD21 = ["--model-config", "tests/configs/sd21-base", "--resolution", "512"]
SDXL = ["--model-config", "tests/configs/sdxl-base", "--resolution", "1024"]
SWAPPED = ["--policy", "cpu", "--swap", "SWAP", "--swap-parameters"]
LORA = ["--policy", "cpu", "--method", "lora", "--lora-rank", "16"]
CASES = [
    # name, options, what is judged, published, to reach and to go for in GB
    ("SD 1.5, whole UNet, batch 1, not offloaded", [*SD15, "--policy", "gpu"], "device", "8", 4.0, 3.7),
    ("the same, offloaded to RAM", [*SD15, "--policy", "cpu"], "device", "-", 1.2, 0.7),
    ("the same, all on NVMe: the whole process", [*SD15, *SWAPPED], "resident", "25 beside the GPU", 2.2, 1.6),
    ("SD 2.1, whole UNet, batch 16, not offloaded", [*SD21, "--batch", "16", "--policy", "gpu"], "device", "11.6", 6.5,
     5.5),
    ("the same, offloaded", [*SD21, "--batch", "16", "--policy", "cpu"], "device", "-", 3.4, 2.2),
    ("the same, offloaded with values between blocks",
     [*SD21, "--batch", "16", "--policy", "cpu", "--values-in-ram"], "device", "-", 3.4, 2.2),
    ("SD 1.5, LoRA of rank 16, batch 1, offloaded", [*SD15, *LORA], "device", "4", 1.0, 0.6),
    ("SDXL's UNet, whole, batch 1, 1024 pixels, offloaded", [*SDXL, "--policy", "cpu"], "device", "9.0", 4.0, 2.5),
]
VARIANTS = [
    # name, further options; figures to reach hold for the first one
    ("without clipping", []),
    ("clipped to a norm of 1", ["--max-grad-norm", "1"]),
    ("in fp16, steps with overflows skipped", ["--precision", "fp16"]),
]
SMALL = {"tests/configs/sd15": "tests/fixtures/tiny-sd1", "tests/configs/sd21-base": "tests/fixtures/tiny-sd2",
         "tests/configs/sdxl-base": "tests/fixtures/tiny-sd2", "512": "64", "1024": "64"}


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", type=Path, default=ENGINE)
    parser.add_argument("--work", type=Path, required=True, help="where each case's figures are kept")
    parser.add_argument("--swap", type=Path, required=True, help="on the disk to swap to")
    parser.add_argument("--note", default="", help="a sentence for the page, e.g. what that disk is")
    parser.add_argument("--only", default="", help="numbers of cases, e.g. 1,4")
    parser.add_argument("--list", action="store_true", help="name the cases and measure nothing")
    parser.add_argument("--smoke", action="store_true", help="tiny models, nothing is judged")
    parser.add_argument("--output", type=Path)
    return parser.parse_args()


def all_cases() -> list:
    """(variant, name, words, judged, published, reach, goal), in the order of their numbers."""
    found = []
    for variant, further in VARIANTS:
        for name, words, judged, published, reach, goal in CASES:
            bounds = (reach, goal) if not further else (None, None)
            found.append((variant, name, [*words, *further], judged, published, *bounds))
    return found


def command(case: tuple, options: argparse.Namespace) -> list:
    _, _, words, judged, _, reach, _ = case
    # A clipped or scaled step may take what it needs: there is nothing to compare it with.
    cap = ["--gpu-memory", str(int(reach * GB))] if reach and judged == "device" else []
    words = [str(options.swap) if word == "SWAP" else word for word in words]
    if options.smoke:
        words = [SMALL.get(word, word) for word in words]
    return [str(options.engine), "bench", "train", *words, "--device", "cpu", "--optimizer", "adamw8bit", "--keep", "inputs",
            *cap, "--steps", "1", "--json"]


def measure(number: int, case: tuple, options: argparse.Namespace) -> dict:
    variant, name, _, what, published, reach, goal = case
    row = {"number": number, "variant": variant, "case": name, "judged": what, "published": published, "reach": reach,
           "goal": goal}
    try:
        said = run_kept(command(case, options), options.work)
    except Refusal as refusal:
        return row | {"refused": str(refusal).replace(str(options.swap), "DIR"), "verdict": "refused"}
    said["options"] = said["options"].replace(str(options.swap), "DIR")
    train = said["train"]
    row |= {key: train[key] for key in ("devicePeakBytes", "ramPeakBytes", "peakResidentBytes", "stepSeconds")}
    row |= {"skippedSteps": train.get("skippedSteps", 0), "idle": said["idle"], "said": said}
    bounds = [bound * GB if bound and not options.smoke else None for bound in (reach, goal)]
    row["verdict"] = judged(figure(row), *bounds)
    return row


def figure(row: dict) -> int:
    return row["devicePeakBytes" if row["judged"] == "device" else "peakResidentBytes"]


def line(row: dict) -> str:
    bounds = f"{row['published']} | {row['reach']} | {row['goal']}" if row["reach"] else "| |"
    if "refused" in row:
        return f"| {row['case']} | {bounds} | | | | | refused: {row['refused']} |"
    found = [f"{row[key] / GB:.2f}" for key in ("devicePeakBytes", "ramPeakBytes", "peakResidentBytes")]
    found[0 if row["judged"] == "device" else 2] = f"**{figure(row) / GB:.2f}**"
    skipped = f"; {row['skippedSteps']:.0f} steps skipped" if row["skippedSteps"] else ""
    return (f"| {row['case']} | {bounds} | {' | '.join(found)} | {seconds_text(row['stepSeconds'], row['idle'])} | "
            f"{row['verdict']}{skipped} |")


def tables(rows: list) -> str:
    parts = []
    for variant, _ in VARIANTS:
        of_variant = [row for row in rows if row["variant"] == variant]
        if not of_variant:
            continue
        head = ["| case | published | reach | go for | device | RAM | process | step, s | judged |",
                "|---|---|---|---|---|---|---|---|---|"]
        parts.append("\n".join([f"## {variant[0].upper()}{variant[1:]}", "", *head, *map(line, of_variant)]))
    return "\n\n".join(parts)


def page(result: dict, note: str) -> str:
    text = heading("The least memory of a training step", result)
    text += f"""
GB of 10^9 bytes. bf16 unless said otherwise, 8-bit AdamW, text encoder frozen, latents and texts cached, random weights.
Host memory stands for the device, capped at the figure to reach. RAM is what streamed parameters, states and gradients
take beside it, the process is all of that with programs and libraries; what is judged is bold. Steps of fp16 whose
gradients overflowed are skipped while the loss scale is sought, and then take less time. {BUSY_NOTE} {note}

{tables(result['rows'])}
"""
    return text


def main() -> None:
    options = parse()
    only = {int(number) for number in options.only.split(",") if number}
    rows = []
    for number, case in enumerate(all_cases(), 1):
        if options.list:
            print(f"{number:2d}  {case[0]}: {case[1]}")
        elif not only or number in only:
            rows.append(measure(number, case, options))
            print(line(rows[-1]), flush=True)
    if options.list:
        return
    result = machine(options.engine) | {"command": command_line(), "rows": rows}
    for given, name in ((options.work, "DIR"), (options.swap, "DIR")):
        result["command"] = result["command"].replace(str(given), name)
    write_json(options.output, result)
    write_page(options.output, page(result, options.note))
    sys.exit(0 if passes([row["verdict"] for row in rows]) else 1)


if __name__ == "__main__":
    main()

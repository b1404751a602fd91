#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Times our AdamW beside PyTorch's fused one in one go, alternating, and both beside copies of memory.

    compare_optimizer.py [--elements 268435456] [--rounds 3] [--steps 7] [--work DIR] [--output tests/results/optimizer.json]

Each round runs ours, then the peer's, each in a process of its own, for parameters and gradients in fp32 and in bf16; a
figure is the median of the rounds. Ours has states in fp32, 8 bit and bf16, rounds bf16 stochastically or has fp32 masters
beside fp32 states, and says how fast the machine copies as many bytes with as many threads; the peer's states have the
type of the parameters.
Beside OUTPUT, a table for people is written to the same name with .md. The machine must be idle: what else it did is
recorded, and nothing of a busy one is claimed. With --work each run's figures are kept there, so that a script that was
stopped goes on. Exit code: 1 where ours with fp32 states, with or without masters, reaches less than 80 % of the copy, or a
side refused.
"""

import argparse
import sys
from pathlib import Path

from bench import (BUSY_NOTE, ENGINE, Refusal, command_line, heading, judged, kept_run, machine, passes, peer,
                   seconds_text, shown, spread, write_json, write_page)

REACH = 0.8
STATES = {"fp32": ("fp32", "8bit", "bf16"), "bf16": ("fp32", "8bit", "bf16", "fp32+master")}  # by precision
JUDGED = ("fp32", "fp32+master")
PEER_BYTES = {"fp32": 28, "bf16": 14}  # an element: parameter and both moments read and written, gradient read


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", type=Path, default=ENGINE)
    parser.add_argument("--elements", type=int, default=1 << 28)
    parser.add_argument("--rounds", type=int, default=3, help="processes of each side")
    parser.add_argument("--steps", type=int, default=7, help="timed updates of a process, after one of warm-up")
    parser.add_argument("--threads", type=int, default=0, help="0: all cores")
    parser.add_argument("--work", type=Path, help="where each run's figures are kept")
    parser.add_argument("--output", type=Path)
    return parser.parse_args()


def commands(precision: str, options: argparse.Namespace) -> dict:
    shared = ["--elements", str(options.elements), "--precision", precision, "--rounds", str(options.steps), "--json"]
    if options.threads:
        shared += ["--threads", str(options.threads)]
    return {"ours": [str(options.engine), "bench", "optimizer", *shared], "peer": [*peer("peer_optimizer.py"), *shared]}


def rows_of(precision: str, runs: dict, elements: int) -> list:
    """One row for each format of our states, and the peer's."""
    ours = [run["said"]["optimizer"] for run in runs["ours"]]
    idle = {side: all(run["idle"] for run in of_side) for side, of_side in runs.items()}
    rows = []
    for states in STATES[precision]:
        found = [said[states] for said in ours]
        rows.append({"who": "ours", "precision": precision, "states": states,
                     "bytesPerElement": found[0]["bytesPerElement"],
                     "seconds": spread([one["seconds"] for one in found]),
                     "bytesPerSecond": spread([one["bytesPerSecond"] for one in found]),
                     "shareOfCopy": spread([one["shareOfCopy"] for one in found]), "idle": idle["ours"]})
        rows[-1]["verdict"] = judged(rows[-1]["shareOfCopy"]["median"], REACH if states in JUDGED else None,
                                     most=False, claimed=idle["ours"])
    touched = PEER_BYTES[precision] * elements
    seconds = [run["said"]["seconds"] for run in runs["peer"]]
    copies = [said[precision]["copyBytesPerSecond"] for said in ours]
    rows.append({"who": "torch, fused", "precision": precision, "states": precision,
                 "bytesPerElement": PEER_BYTES[precision], "seconds": spread(seconds),
                 "bytesPerSecond": spread([touched / one for one in seconds]),
                 "shareOfCopy": spread([touched / one / copy for one, copy in zip(seconds, copies)]),
                 "idle": idle["peer"], "verdict": "not judged"})
    return rows


def compare(precision: str, options: argparse.Namespace) -> dict:
    sides = commands(precision, options)
    runs = {side: [] for side in sides}
    told = {"commands": {side: shown(command) for side, command in sides.items()}, "runs": runs}
    try:
        for number in range(1, options.rounds + 1):
            for side, command in sides.items():
                runs[side].append(kept_run(command, options.work, f"round {number}"))
    except Refusal as refusal:
        row = {"who": {"ours": "ours", "peer": "torch, fused"}[side], "precision": precision, "refused": str(refusal),
               "verdict": "refused"}
        return told | {"rows": [row]}
    return told | {"rows": rows_of(precision, runs, options.elements)}


def table(rows: list) -> str:
    lines = ["| who | parameters | states | bytes an element | step, s | GB/s | of the copy (least ... greatest) | judged |",
             "|---|---|---|---|---|---|---|---|"]
    for row in rows:
        if "refused" in row:
            lines.append(f"| {row['who']} | {row['precision']} | | | | | | refused: {row['refused']} |")
            continue
        share = row["shareOfCopy"]
        lines.append(f"| {row['who']} | {row['precision']} | {row['states']} | {row['bytesPerElement']:.2f} | "
                     f"{seconds_text(row['seconds']['median'], row['idle'], 4)} | {row['bytesPerSecond']['median'] / 1e9:.2f} | "
                     f"{100 * share['median']:.0f} % ({100 * share['least']:.0f} ... {100 * share['greatest']:.0f}) | "
                     f"{row['verdict']} |")
    return "\n".join(lines)


def page(result: dict, rows: list) -> str:
    text = heading("AdamW on the CPU beside PyTorch's fused one", result)
    text += f"""
{result['elements']} parameters, {result.get('threads', 'unknown')} threads. Bytes are what an update must read and write; the copy, of as
many bytes by as many threads in the same process, counts those that it reads and writes. 8-bit states move least and
compute most. The aim is {100 * REACH:.0f} % of the copy with fp32 states, also with fp32 masters (fp32+master). {BUSY_NOTE}

{table(rows)}
"""
    return text


def main() -> None:
    options = parse()
    result = machine(options.engine) | {"command": command_line(), "elements": options.elements}
    if options.work:
        result["command"] = result["command"].replace(str(options.work), "DIR")
    rows = []
    for precision in ("fp32", "bf16"):
        result[precision] = compare(precision, options)
        rows += result[precision]["rows"]
    for run in result["fp32"]["runs"]["peer"][:1]:
        result |= {name: run["said"][name] for name in ("torch", "python", "threads")}
    print(table(rows))
    write_json(options.output, result)
    write_page(options.output, page(result, rows))
    sys.exit(0 if passes([row["verdict"] for row in rows]) else 1)


if __name__ == "__main__":
    main()

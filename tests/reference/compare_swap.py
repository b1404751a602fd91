#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Times `homebooth-engine bench swap` beside fio in one go, alternating, and prints the ratios.

    compare_swap.py DIR [--engine build/release/bin/homebooth-engine] [--block-size 4MiB] [--depth 8] [--size 1GiB]
                    [--rounds 5] [--as-user NAME] [--fio-huge-pages] [--work DIR] [--output result.json]

Both make a file, write it, write it again and read it; the second and the third pass count. io_uring, O_DIRECT, one
job, the same block size and depth, buffers registered where ours are. Each round runs both in a process of its own,
every other round fio first. A ratio is ours over fio's of one round; what counts is their median. With --as-user both
run as that user, for whom the limit on locked memory holds. Our buffers lie in huge pages, fio's do not by default;
with --fio-huge-pages glibc is told to place fio's there, too, so that only the rest is compared. What else the
machine did is recorded, and no ratio of a busy one is claimed. With --work each run's figures are kept there, so that a
script that was stopped goes on. Beside OUTPUT, a table for people is written to the same name with .md.
Exit code: 1 where a median is below 0.9, not claimed, or a side refused.
"""

import argparse
import os
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import bench

REACH = 0.9


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIR", help="on the disk to try; it needs twice the size")
    parser.add_argument("--engine", type=Path, default=bench.ENGINE)
    parser.add_argument("--block-size", default="4MiB")
    parser.add_argument("--depth", type=int, default=8)
    parser.add_argument("--size", default="1GiB")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--as-user", metavar="NAME", help="needs root")
    parser.add_argument("--fio-huge-pages", action="store_true")
    parser.add_argument("--work", type=Path, help="where each run's figures are kept")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    if shutil.which("fio") is None:
        parser.error("fio is not installed: apt-get install fio")
    for size in (options.block_size, options.size):
        if not re.fullmatch(r"[0-9]+([KMG]iB)?", size):
            parser.error(f"a size like 512KiB, 4MiB or 1GiB, not {size}")
    return options


def size_bytes(text: str) -> int:
    number, unit = re.fullmatch(r"([0-9]+)([KMG]iB)?", text).groups()
    return int(number) << {None: 0, "KiB": 10, "MiB": 20, "GiB": 30}[unit]


def run(command: list, options: argparse.Namespace) -> dict:
    """Runs one side; what it said as JSON, with what else the machine did."""
    who = {"user": options.as_user, "group": "nogroup", "extra_groups": []} if options.as_user else {}
    environment = dict(os.environ)
    if options.fio_huge_pages and command[0] == "fio":
        environment["GLIBC_TUNABLES"] = "glibc.malloc.hugetlb=1"
    return bench.run_json(command, env=environment, **who)


def ours(folder: Path, options: argparse.Namespace) -> list:
    sizes = ["--block-size", options.block_size, "--size", options.size, "--depth", str(options.depth)]
    return [str(options.engine.resolve()), "bench", "swap", "--swap", str(folder), *sizes, "--json"]


def fio(folder: Path, registered: bool, options: argparse.Namespace) -> list:
    """The same three passes as ours: a first write, a write over it, a read."""
    # In bytes: a KiB means 1,000 bytes to fio unless told otherwise.
    command = ["fio", f"--filename={folder / 'fio.data'}", f"--bs={size_bytes(options.block_size)}"]
    command += [f"--size={size_bytes(options.size)}", "--ioengine=io_uring", f"--iodepth={options.depth}", "--direct=1"]
    command += [f"--fixedbufs={int(registered)}", "--fallocate=native", "--scramble_buffers=0", "--output-format=json"]
    return command + [*"--name=first --rw=write --name=write --stonewall --rw=write".split(),
                      *"--name=read --stonewall --rw=read".split()]


def fio_round(folder: Path, registered: bool, options: argparse.Namespace) -> dict:
    found = run(fio(folder, registered, options), options)
    (folder / "fio.data").unlink()
    jobs = {job["jobname"]: job for job in found["said"]["jobs"]}
    return {"write": jobs["write"]["write"]["bw_bytes"], "read": jobs["read"]["read"]["bw_bytes"],
            "loadBefore": found["loadBefore"], "othersCores": found["othersCores"], "idle": found["idle"]}


def our_round(folder: Path, options: argparse.Namespace) -> dict:
    found = run(ours(folder, options), options)
    said = found["said"]
    return {"write": said["writeBytesPerSecond"], "read": said["readBytesPerSecond"], "loadBefore": found["loadBefore"],
            "othersCores": found["othersCores"], "idle": found["idle"], "said": said,
            **{name: found[name] for name in ("engineSha256", "workerSha256") if name in found}}


def measured_pair(folder: Path, number: int, registered: bool, options: argparse.Namespace) -> dict:
    """Both sides, one behind the other."""
    pair = {}
    for side in ("ours", "fio") if number % 2 == 0 else ("fio", "ours"):
        pair[side] = our_round(folder, options) if side == "ours" else fio_round(folder, registered, options)
    return pair


def compare(folder: Path, options: argparse.Namespace) -> dict:
    how = (f"swap in {options.folder} {options.block_size} {options.depth} {options.size} as {options.as_user} "
           f"{options.fio_huge_pages}")
    warm_up = bench.kept(options.work, f"{how} warm-up", lambda: our_round(folder, options))
    registered = warm_up["said"]["registered"]
    rounds = []
    for number in range(options.rounds):
        pair = bench.kept(options.work, f"{how} round {number}",
                          lambda number=number: measured_pair(folder, number, registered, options))
        rounds.append(pair)
        for side, figures in sorted(pair.items(), reverse=True):
            print(f"round {number + 1}: {side} writes {figures['write'] / 1e6:.0f} MB/s, reads "
                  f"{figures['read'] / 1e6:.0f} MB/s", flush=True)
    result = {"fioHugePages": options.fio_huge_pages,
              "commands": {"ours": shlex.join(ours(folder, options)),
                           "fio": shlex.join(fio(folder, registered, options))},
              "rounds": rounds, "idle": all(side["idle"] for pair in rounds for side in pair.values())}
    for kind in ("write", "read"):
        ratios = [pair["ours"][kind] / pair["fio"][kind] for pair in rounds]
        ratio = statistics.median(ratios)
        result[kind] = {"ratio": ratio, "least": min(ratios), "greatest": max(ratios),
                        "verdict": bench.judged(ratio, REACH, most=False, claimed=result["idle"])}
        print(f"{kind}: {ratio:.3f} of fio's ({min(ratios):.3f} ... {max(ratios):.3f}): {result[kind]['verdict']}")
    return result


def machine(folder: Path, engine: Path) -> dict:
    system = subprocess.run(["findmnt", "-nvo", "FSTYPE,SOURCE", "-T", str(folder)], capture_output=True, text=True,
                            check=False).stdout.split()
    version = subprocess.run(["fio", "--version"], capture_output=True, text=True, check=False).stdout.strip()
    return bench.machine(engine) | {"fileSystem": system, "fio": version}


def page(result: dict, options: argparse.Namespace) -> str:
    text = bench.heading("Swapping beside fio", result)
    text += f"\n{result['fio']}, {' on '.join(result['fileSystem'])}, kernel {result['kernel']}. "
    if "refused" in result:
        return f"{text}\n\nRefused: {result['refused']}\n"
    text += (f"Blocks of {options.block_size}, {options.depth} at a time, files of {options.size}; medians of {options.rounds} "
             f"rounds. {bench.BUSY_NOTE}\n\n| | ours, MB/s | fio, MB/s | ours over fio's (least ... greatest) | to reach | "
             "judged |\n|---|---|---|---|---|---|\n")
    for kind in ("write", "read"):
        sides = [f"{statistics.median(pair[side][kind] for pair in result['rounds']) / 1e6:.0f}" for side in ("ours", "fio")]
        found = result[kind]
        text += (f"| {kind} | {' | '.join(sides)} | {found['ratio']:.3f} ({found['least']:.3f} ... {found['greatest']:.3f}) | "
                 f"{REACH} | {found['verdict']} |\n")
    return text


def main() -> None:
    options = parse()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        if options.as_user:
            shutil.chown(name, options.as_user)
        result = machine(Path(name), options.engine) | {"command": bench.command_line()}
        try:
            result |= compare(Path(name), options)
        except bench.Refusal as refusal:
            print(f"refused: {refusal}")
            result |= {"refused": str(refusal)}
    bench.write_json(options.output, result)
    bench.write_page(options.output, page(result, options))
    verdicts = ["refused"] if "refused" in result else [result[kind]["verdict"] for kind in ("write", "read")]
    sys.exit(0 if bench.passes(verdicts) else 1)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Times `homebooth-engine bench swap` beside fio in one go, alternating, and prints the ratios.

    compare_swap.py DIR [--engine build/release/bin/homebooth-engine] [--block-size 4MiB] [--depth 8] [--size 1GiB]
                    [--rounds 5] [--as-user NAME] [--fio-huge-pages] [--output result.json]

Both make a file, write it, write it again and read it; the second and the third pass count. io_uring, O_DIRECT, one
job, the same block size and depth, buffers registered where ours are. Each round runs both in a process of its own,
every other round fio first. A ratio is ours over fio's of one round; what counts is their median. With --as-user both
run as that user, for whom the limit on locked memory holds. Our buffers lie in huge pages, fio's do not by default;
with --fio-huge-pages glibc is told to place fio's there, too, so that only the rest is compared. The load of the
machine before each run is recorded.
Exit code: 1 where a median is below 0.9.
"""

import argparse
import os
import platform
import re
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
    """Runs one side; what it said as JSON, with the load it started under."""
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
            "loadBefore": found["loadBefore"]}


def our_round(folder: Path, options: argparse.Namespace) -> dict:
    found = run(ours(folder, options), options)
    said = found["said"]
    return {"write": said["writeBytesPerSecond"], "read": said["readBytesPerSecond"],
            "loadBefore": found["loadBefore"], "said": said}


def compare(folder: Path, options: argparse.Namespace) -> dict:
    registered = our_round(folder, options)["said"]["registered"]  # warm-up
    rounds = []
    for number in range(options.rounds):
        pair = {}
        for side in ("ours", "fio") if number % 2 == 0 else ("fio", "ours"):
            pair[side] = our_round(folder, options) if side == "ours" else fio_round(folder, registered, options)
        rounds.append(pair)
        for side, figures in sorted(pair.items(), reverse=True):
            print(f"round {number + 1}: {side} writes {figures['write'] / 1e6:.0f} MB/s, reads "
                  f"{figures['read'] / 1e6:.0f} MB/s", flush=True)
    result = {"fioHugePages": options.fio_huge_pages,
              "commands": {"ours": " ".join(ours(folder, options)),
                           "fio": " ".join(fio(folder, registered, options))},
              "rounds": rounds}
    for kind in ("write", "read"):
        ratios = [pair["ours"][kind] / pair["fio"][kind] for pair in rounds]
        result[kind] = {"ratio": statistics.median(ratios), "least": min(ratios), "greatest": max(ratios)}
        print(f"{kind}: {result[kind]['ratio']:.3f} of fio's ({min(ratios):.3f} ... {max(ratios):.3f})")
    return result


def machine(folder: Path) -> dict:
    system = subprocess.run(["findmnt", "-nvo", "FSTYPE,SOURCE", "-T", str(folder)], capture_output=True, text=True,
                            check=False).stdout.split()
    version = subprocess.run(["fio", "--version"], capture_output=True, text=True, check=False).stdout.strip()
    return bench.machine() | {"kernel": platform.release(), "fileSystem": system, "fio": version}


def main() -> None:
    options = parse()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        if options.as_user:
            shutil.chown(name, options.as_user)
        result = {**machine(Path(name)), **compare(Path(name), options)}
    bench.write_json(options.output, result)
    sys.exit(0 if min(result["write"]["ratio"], result["read"]["ratio"]) >= REACH else 1)


if __name__ == "__main__":
    main()

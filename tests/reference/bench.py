# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""What the scripts that measure share: running one side, what its figures mean, and where they are written.

Commands are given and recorded as somebody in the repository's root would type them. Needs no Python package.
"""

import hashlib
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENGINE = Path("build/release/bin/homebooth-engine")
MIB = 1 << 20


def run_json(command: list, **how) -> dict:
    """Runs one side in the repository's root; what it said as JSON, and the load that it started under."""
    load = os.getloadavg()[0]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, **how)
    if done.returncode != 0:
        raise SystemExit(f"{shown(command)} ended with {done.returncode}:\n{done.stderr}")
    return {"said": json.loads(done.stdout[done.stdout.index("{"):]), "loadBefore": load}


def run_kept(command: list, work: Path) -> dict:
    """Figures of our bench with their options; kept in `work`, so that a script that was stopped goes on."""
    options = shown(command[2:])
    kept = work / (hashlib.sha256(options.encode()).hexdigest()[:16] + ".json")
    if kept.exists():
        return json.loads(kept.read_text(encoding="utf-8"))
    begin = time.monotonic()
    figures = run_json(command)["said"] | {"options": options}
    figures["wallSeconds"] = round(time.monotonic() - begin, 1)
    work.mkdir(parents=True, exist_ok=True)
    unfinished = kept.with_suffix(".part")
    unfinished.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    unfinished.rename(kept)
    return figures


def peer(script: str) -> list:
    """The beginning of the command of a peer's side."""
    return [sys.executable, f"tests/reference/{script}"]


def shown(command: list) -> str:
    """The command without what belongs to this machine."""
    return " ".join(str(word) for word in command).replace(sys.executable, "python3").replace(f"{ROOT}/", "")


def spread(values: list) -> dict:
    return {"median": statistics.median(values), "least": min(values), "greatest": max(values)}


def processor() -> str:
    with open("/proc/cpuinfo", encoding="utf-8") as facts:
        names = [line.split(":", 1)[1].strip() for line in facts if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores"


def machine() -> dict:
    return {"date": time.strftime("%Y-%m-%d"), "processor": processor()}


def heading(title: str, figures: dict) -> str:
    """The first lines of a table's page: what it is, where and how it was made."""
    versions = "".join(f", {name} {figures[name]}" for name in ("torch", "python") if name in figures)
    return f"# {title}\n\n{figures['date']}, {figures['processor']}{versions}. Made by\n\n    {figures['command']}\n"


def command_line() -> str:
    """How this script was called, without the interpreter and where results go."""
    words = sys.argv[1:]
    return shown(["python3", f"tests/reference/{Path(sys.argv[0]).name}", *words])


def write_json(path: Path | None, figures: dict) -> None:
    if path:
        path.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def write_page(path: Path | None, text: str) -> None:
    """Beside the JSON, for people."""
    if path:
        path.with_suffix(".md").write_text(text, encoding="utf-8")

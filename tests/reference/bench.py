# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""What the scripts that measure share: running one side, what its figures mean, and where they are written.

Commands are given and recorded as somebody in the repository's root would type them. Needs no Python package.
"""

import hashlib
import json
import os
import platform
import shlex
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENGINE = Path("build/release/bin/homebooth-engine")
WORKER = "homebooth-worker"
MIB = 1 << 20
IDLE_CORES = 0.15  # that others may compute on beside a time that counts


class Refusal(Exception):
    """A side ended without figures; says why."""


def processor_seconds() -> float:
    """Of all cores up to now: computing, of whatever program, also of others on the same host."""
    with open("/proc/stat", encoding="utf-8") as facts:
        user, nice, system, _, _, interrupts, soft, stolen = map(int, facts.readline().split()[1:9])
    return (user + nice + system + interrupts + soft + stolen) / os.sysconf("SC_CLK_TCK")


def own_seconds() -> float:
    """The same of this script and what it has run."""
    return sum(os.times()[:4])


def file_hash(path: Path) -> str:
    """The first twelve digits of its SHA-256; empty where it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    except OSError:
        return ""


def binaries(engine: Path) -> dict:
    """Which engine, and which worker beside it; what is not there is left out."""
    engine = ROOT / engine
    hashes = {"engineSha256": file_hash(engine), "workerSha256": file_hash(engine.with_name(WORKER))}
    return {name: digits for name, digits in hashes.items() if digits}


def run_json(command: list, **how) -> dict:
    """Runs one side in the repository's root; what it said as JSON, what else the machine did meanwhile, and of ours which
    programs it was.

    Raises Refusal where it ends without figures.
    """
    programs = binaries(Path(command[0])) if "bench" in command else {}
    load, begin, busy, own = os.getloadavg()[0], time.monotonic(), processor_seconds(), own_seconds()
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, **how)
    except OSError as error:
        raise Refusal(f"{error.strerror}: {command[0]}") from error
    wall = max(time.monotonic() - begin, 1e-3)
    others = max(processor_seconds() - busy - (own_seconds() - own), 0.0) / wall
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or ["it said nothing"]
        raise Refusal(f"ended with {done.returncode}: {lines[-1]}")
    try:
        said = json.loads(done.stdout[done.stdout.index("{"):])
    except ValueError as error:
        raise Refusal("printed no JSON") from error
    return {"said": said, "wallSeconds": round(wall, 1), "loadBefore": load, "loadBehind": os.getloadavg()[0],
            "othersCores": round(others, 2), "idle": others <= IDLE_CORES} | programs


def kept(work: Path | None, name: str, measure) -> dict:
    """What `measure` returns, kept in `work` under `name` where there is such a folder; a Refusal is not kept."""
    if not work:
        return measure()
    path = work / (hashlib.sha256(name.encode()).hexdigest()[:16] + ".json")
    if path.exists():
        return json.loads(path.read_text(encoding="utf-8"))
    figures = measure()
    work.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    unfinished.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    unfinished.rename(path)
    return figures


def kept_run(command: list, work: Path | None, name: str = "") -> dict:
    """What one side said, with its options and what else the machine did; kept, so that a script that was stopped goes on.
    What another build measured is taken, too: each row says by which programs.

    @param name  tells apart runs of one command, e.g. rounds
    """
    options = shown(command[2:] if "bench" in command else command)
    return kept(work, f"{options} {name}", lambda: run_json(command) | {"options": options})


def run_kept(command: list, work: Path | None) -> dict:
    """What our bench said, with its options and what else the machine did, in one."""
    run = kept_run(command, work)
    return run.pop("said") | run


def judged(value: float, reach: float | None, goal: float | None = None, most: bool = True, claimed: bool = True) -> str:
    """What a figure comes to beside the one to reach and the one to go for.

    @param most     whether the bounds are the most that it may be, else the least
    @param claimed  whether it may be told: a time of a busy machine may not
    """
    if reach is None:
        return "not judged"
    if not claimed:
        return "not claimed"
    sign = 1 if most else -1
    if goal is not None and sign * value <= sign * goal:
        return "goal"
    return "reached" if sign * value <= sign * reach else f"missed by {100 * abs(value / reach - 1):.1f} %"


def passes(verdicts: list) -> bool:
    """Whether every figure was measured and none missed."""
    return all(verdict in ("goal", "reached", "not judged") for verdict in verdicts)


def seconds_text(seconds: float, idle: bool, digits: int = 1) -> str:
    """A time; in brackets where the machine was busy."""
    text = f"{seconds:.{digits}f}"
    return text if idle else f"({text})"


BUSY_NOTE = (f"Times in brackets are of a machine that did other work meanwhile (more than {IDLE_CORES} of a core), and\n"
             "claim nothing.")


def peer(script: str) -> list:
    """The beginning of the command of a peer's side."""
    return [sys.executable, f"tests/reference/{script}"]


def without_named(usual: dict, named: list) -> list:
    """Usual options as words, but for those that are named: the engine takes one value of each."""
    names = {str(word).split("=")[0] for word in named}
    return [word for option, value in usual.items() if option not in names for word in (option, value)]


def shown(command: list) -> str:
    """The command as it is typed, with quotes where a shell needs them, and without what belongs to this machine."""
    return shlex.join(str(word).replace(sys.executable, "python3").replace(f"{ROOT}/", "") for word in command)


def spread(values: list) -> dict:
    return {"median": statistics.median(values), "least": min(values), "greatest": max(values)}


def processor() -> str:
    with open("/proc/cpuinfo", encoding="utf-8") as facts:
        names = [line.split(":", 1)[1].strip() for line in facts if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores"


def engine_version(engine: Path) -> str:
    try:
        said = subprocess.run([str(engine), "--version"], capture_output=True, text=True, check=False, cwd=ROOT).stdout
    except OSError:
        return "unknown"
    return said.strip() or "unknown"


def git(*words: str) -> str | None:
    """What git says of this checkout; nothing where there is none of either."""
    try:
        done = subprocess.run(["git", *words], capture_output=True, text=True, check=False, cwd=ROOT)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def commit() -> dict:
    """Of this checkout, with "+changes" where what computes differs from it; empty where git knows nothing of it."""
    top, found = git("rev-parse", "--show-toplevel"), git("rev-parse", "--short", "HEAD")
    if not top or not found or Path(top).resolve() != ROOT.resolve():  # else a copy within another checkout
        return {}
    return {"commit": found + ("+changes" if git("status", "--porcelain", "--", "core", "kernels") else "")}


def machine(engine: Path | None = None) -> dict:
    """Where and with what: date, processor, memory, kernel, versions, and what was built."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    facts = {"date": time.strftime("%Y-%m-%d"), "processor": processor(), "memoryBytes": memory,
             "kernel": platform.release(), "loadAtEnd": os.getloadavg()[0]} | commit()
    return facts | ({"engine": engine_version(engine)} | binaries(engine) if engine else {})


def build_text(figures: dict) -> str:
    """Which build a page is of, as far as it is known."""
    engine = f", {figures['engine']}" if "engine" in figures else ""
    of_commit = f"{' ' if engine else ', '}of commit {figures['commit']}" if "commit" in figures else ""
    hashes = [f"{name} {figures[key]}" for name, key in (("engine", "engineSha256"), ("worker", "workerSha256"))
              if key in figures]
    return f"{engine}{of_commit}" + (f" (SHA-256: {', '.join(hashes)} ...)" if hashes else "")


def heading(title: str, figures: dict) -> str:
    """The first lines of a table's page: what it is, where and how it was made."""
    versions = "".join(f", {name} {figures[name]}" for name in ("torch", "diffusers", "python") if name in figures)
    memory = f", {figures['memoryBytes'] / 1e9:.0f} GB"
    return (f"# {title}\n\n{figures['date']}, {figures['processor']}{memory}{build_text(figures)}{versions}. Made by\n\n"
            f"    {figures['command']}\n")


def command_line() -> str:
    """How this script was called, without the interpreter and where results go."""
    words = sys.argv[1:]
    return shown(["python3", f"tests/reference/{Path(sys.argv[0]).name}", *words])


def json_lines(figures: dict) -> str:
    """JSON with a line for each figure at the top, and for each entry of a list there."""
    def text(value) -> str:
        if isinstance(value, list) and value:
            return "[\n" + ",\n".join(json.dumps(entry) for entry in value) + "]"
        return json.dumps(value)
    return "{\n" + ",\n".join(f"{json.dumps(name)}: {text(value)}" for name, value in figures.items()) + "\n}\n"


def write_json(path: Path | None, figures: dict) -> None:
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json_lines(figures), encoding="utf-8")


def write_page(path: Path | None, text: str) -> None:
    """Beside the JSON, for people."""
    if path:
        path.with_suffix(".md").write_text(text, encoding="utf-8")

#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""What several processes that train one model have in common with one, hold, send and survive: a table of each.

    measure_ranks.py [--work DIR] [--only bytes,kills] [--kills 50] [--output tests/results/ranks/ranks.json]

agreement   20 steps in 2, 3 and 4 processes at every stage of --zero against one process with the same batches
bytes       what each of three processes holds against ZeRO's formulas, and sends against what is needed (tst_ranks)
kills       kill -9 of a process at random moments: time until all have ended, cause, checkpoints (tst_rank_ends)
resume      a run of two processes that goes on in one, three and four
machines    two processes in network namespaces of their own, with a cable between them (two_machines.sh)
scaling     what is predicted for 1, 8, 64 and 512 cards that are not here

The engine is that of build/release, with its tests; nothing needs a Python package. Some ten minutes on two cores, of
which the kills take about a third; the machine need not be idle. Beside OUTPUT, the page for people is written to the
same name with .md. Exit code: 1 where a bound is not kept; what this system does not permit is told and no failure.
"""

import argparse
import array
import json
import math
import os
import re
import shlex
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

from bench import ENGINE, ROOT, command_line, heading, machine, write_json, write_page

STEPS = 20
# Over 2, 3 and 4 processes six pictures at least for each: with fewer than four, convolutions compute in another way,
# in one process as in several, and their rounding alone comes to 1e-5.
BATCH = 24
SMALL_BATCH = 12
STAGES = [0, 1, 2, 3]
RANKS = [2, 3, 4]
AGREES = 1e-5  # of one process and several, norm-wise, in fp32
SENT = 1.05  # of what is needed
HELD = 1.02  # of what the formulas say
HELD_PARAMETERS = 1.05  # pages and padding
ENDS_WITHIN = 15.0  # seconds after a kill
CARD = "RTX 3060"
SCALING = ["--model", "tests/configs/sd15", "--resolution", "512", "--batch", "8", "--precision", "bf16", "--processes",
           "8", "--device", CARD, "--ram", "64GiB", "--scaling", "--json"]
NOT_PERMITTED = 77


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", type=Path, default=ENGINE)
    parser.add_argument("--tests", type=Path, default=Path("build/release/tests"), help="where the built tests are")
    parser.add_argument("--work", type=Path, help="for runs, which are removed; default: a folder of its own")
    parser.add_argument("--only", default=",".join(PARTS), help="parts, e.g. bytes,kills")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--output", type=Path)
    return parser.parse_args()


def fail(words: str) -> None:
    raise SystemExit(words)


def quiet_environment(work: Path) -> dict:
    """Without what a launcher has left there."""
    launchers = ("RANK", "WORLD_SIZE", "LOCAL_", "MASTER_", "TORCHELASTIC_", "OMPI_", "PMI", "MPI_LOCAL", "SLURM_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(launchers)}
    return kept | {"XDG_CACHE_HOME": str(work / "cache"), "XDG_STATE_HOME": str(work / "state")}


class Trainings:
    """Runs of the tiny model: the same batches, whoever computes them."""

    def __init__(self, options: argparse.Namespace, work: Path):
        self.engine = ROOT / options.engine
        self.work = work
        self.environment = quiet_environment(work)

    def call(self, words: list, before: tuple = ()) -> subprocess.CompletedProcess:
        return subprocess.run([*before, str(self.engine), *map(str, words)], capture_output=True, text=True, check=False,
                              cwd=ROOT, env=self.environment, timeout=900)

    def expect(self, words: list) -> None:
        done = self.call(words)
        if done.returncode != 0:
            fail(f"homebooth-engine {words[0]} ended with {done.returncode}:\n{done.stderr}")

    def words(self, run: Path, further: list) -> list:
        # Adam's steps hang on nothing but signs where gradients are rounding noise: its epsilon is larger than that.
        return ["train", "--model", "tests/fixtures/tiny-sd1", "--instance", "resources/drawings/blue_dog", "--prompt",
                "a photo of x", "--resolution", 64, "--device", "cpu", "--threads", 1, "--precision", "fp32", "--lr", "1e-3",
                "--adam-epsilon", "1e-4", "--checkpoint-every", 10, "--keep", 9, "--output", run,
                *(further if "--batch" in further else ["--batch", BATCH, *further])]

    def train(self, processes: int, zero: int, steps: int = STEPS, batch: int = BATCH) -> Path:
        """A run with so many processes, made once."""
        run = self.work / f"run-{processes}-{zero}-{steps}-{batch}"
        if not run.exists():
            spread = ["--processes", processes, "--zero", zero] if processes > 1 else []
            self.expect(self.words(run, ["--batch", batch, "--steps", steps, *spread]))
        return run

    def train_in_parts(self, parts: int, batch: int = BATCH) -> Path:
        """A run of one process that computes the parts of so many one after another."""
        run = self.work / f"parts-{parts}-{batch}"
        if not run.exists():
            self.expect(self.words(run, ["--batch", batch // parts, "--accumulate", parts, "--steps", STEPS]))
        return run


def checkpoint(run: Path, step: int) -> Path:
    return run / "checkpoints" / f"step-{step:06d}"


def losses(run: Path) -> list:
    found = {}
    for line in (run / "events.jsonl").read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        if event["type"] == "step":
            found[event["step"]] = event["loss"]
    return [found[step] for step in sorted(found)]


def tensors(path: Path) -> dict:
    """The fp32 tensors of a file."""
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    found = {}
    for name, entry in json.loads(data[8:8 + length]).items():
        if name == "__metadata__":
            continue
        if entry["dtype"] != "F32":
            fail(f"{path}: {name} is {entry['dtype']}, expected F32")
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        found[name] = array.array("f", data[begin:end])
    return found


def difference(run: Path, expected: Path, step: int) -> float:
    """Of the weights, norm-wise."""
    one, other = (tensors(checkpoint(each, step) / "unet.safetensors") for each in (run, expected))
    if one.keys() != other.keys():
        fail(f"{run} and {expected} hold different tensors")
    squares = sum((a - b) ** 2 for name in other for a, b in zip(one[name], other[name], strict=True))
    return math.sqrt(squares / sum(b * b for values in other.values() for b in values))


def loss_difference(run: Path, expected: Path) -> float:
    """The greatest of all steps, relative."""
    return max(abs(a / b - 1.0) for a, b in zip(losses(run), losses(expected), strict=True))


def same_bytes(run: Path, expected: Path) -> bool:
    names = sorted(path.name for path in checkpoint(expected, STEPS).glob("*.safetensors"))
    return bool(names) and all((checkpoint(run, STEPS) / name).read_bytes() ==
                               (checkpoint(expected, STEPS) / name).read_bytes() for name in names)


def agreement(options: argparse.Namespace, trainings: Trainings) -> dict:
    alone = trainings.train(1, 0)
    rows = []
    for ranks in RANKS:
        for zero in STAGES:
            run = trainings.train(ranks, zero)
            row = {"ranks": ranks, "zero": zero, "weights": difference(run, alone, STEPS),
                   "losses": loss_difference(run, alone), "sameBytesAsStage0": same_bytes(run, trainings.train(ranks, 0))}
            row["kept"] = max(row["weights"], row["losses"]) <= AGREES and row["sameBytesAsStage0"]
            rows.append(row)
    small = compare_small(trainings)
    return {"steps": STEPS, "batch": BATCH, "bound": AGREES, "rows": rows, "small": small,
            "kept": all(row["kept"] for row in [*rows, small])}


def compare_small(trainings: Trainings) -> dict:
    """Three pictures for each of four processes: what is left of the difference when one process computes such parts."""
    run = trainings.train(4, 0, batch=SMALL_BATCH)
    alone, parts = trainings.train(1, 0, batch=SMALL_BATCH), trainings.train_in_parts(4, SMALL_BATCH)
    found = {"batch": SMALL_BATCH, "weights": difference(run, alone, STEPS), "inParts": difference(run, parts, STEPS),
             "losses": loss_difference(run, alone), "lossesInParts": loss_difference(run, parts)}
    return found | {"kept": max(found["inParts"], found["lossesInParts"]) <= AGREES}


def run_test(options: argparse.Namespace, trainings: Trainings, name: str, words: list, further: dict) -> str:
    scratch = trainings.work / name
    scratch.mkdir(exist_ok=True)
    environment = trainings.environment | {"HOMEBOOTH_TEST_DIR": str(scratch), "QT_QPA_PLATFORM": "offscreen"} | further
    done = subprocess.run([str(ROOT / options.tests / name), *words], capture_output=True, text=True, check=False,
                          cwd=scratch, env=environment, timeout=7200)
    if done.returncode != 0:
        fail(f"{name} ended with {done.returncode}:\n{done.stdout[-4000:]}\n{done.stderr[-2000:]}")
    return done.stdout


def formulas(zero: int, ranks: int, parameters: float) -> dict:
    """Bytes by kind of AdamW in fp32, whose moments are twice the parameters."""
    share = {kind: 1.0 / ranks if zero >= stage else 1.0
             for kind, stage in (("states", 1), ("gradients", 2), ("parameters", 3))}
    return {"parameters": parameters * share["parameters"], "gradients": parameters * share["gradients"],
            "states": 2.0 * parameters * share["states"]}


def held_bytes(options: argparse.Namespace, trainings: Trainings) -> dict:
    said = run_test(options, trainings, "tst_ranks", ["--gtest_filter=*holdTheirPart*"], {})
    line = re.compile(r"zero (\d), rank (\d): parameters (\d+), states (\d+), resting (\d+), sent in a step ([\d.e+-]+)")
    rows = [{"zero": int(zero), "rank": int(rank), "parameters": int(parameters), "states": int(states),
             "gradients": int(gradients), "sent": float(sent)}
            for zero, rank, parameters, states, gradients, sent in line.findall(said)]
    if not rows:
        fail("tst_ranks has printed no bytes")
    ranks = 1 + max(row["rank"] for row in rows)
    trained = max(row["states"] for row in rows if row["zero"] == 0) / 2
    for row in rows:
        row["needed"] = formulas(row["zero"], ranks, trained)
        row["kept"] = row["sent"] <= SENT and all(
            row[kind] <= row["needed"][kind] * (HELD if kind != "parameters" else HELD_PARAMETERS)
            for kind in row["needed"])
    return {"ranks": ranks, "trainedBytes": trained, "bound": SENT, "rows": rows, "kept": all(row["kept"] for row in rows)}


def kills(options: argparse.Namespace, trainings: Trainings) -> dict:
    further = {"HOMEBOOTH_KILLS": str(options.kills), "QTEST_FUNCTION_TIMEOUT": "3600000"}
    said = run_test(options, trainings, "tst_rank_ends", ["aRankThatIsKilledEndsAllWithItsCause"], further)
    line = re.compile(r"killed: rank (\d), zero (\d), after (\d+) ms; ended within (\d+) ms, (\d+) steps, "
                      r"(\d+) checkpoints whole")
    rows = [{"rank": int(rank), "zero": int(zero), "afterSeconds": int(after) / 1000, "endedWithin": int(ended) / 1000,
             "steps": int(steps), "checkpoints": int(whole)}
            for rank, zero, after, ended, steps, whole in line.findall(said)]
    seconds = [row["endedWithin"] for row in rows]
    if not rows:
        fail("tst_rank_ends has printed no kill")
    return {"kills": len(rows), "bound": ENDS_WITHIN, "medianSeconds": statistics.median(seconds),
            "longestSeconds": max(seconds), "beforeTheFirstStep": sum(row["steps"] == 0 for row in rows),
            "withCheckpoints": sum(row["checkpoints"] > 0 for row in rows), "rows": rows,
            "kept": len(rows) >= options.kills and max(seconds) <= ENDS_WITHIN}


def resume(options: argparse.Namespace, trainings: Trainings) -> dict:
    through = trainings.train(1, 0)
    begun = trainings.train(2, 3, STEPS // 2)
    rows = []
    for ranks, zero in ((1, 0), (3, 1), (4, 2), (2, 0)):
        run = trainings.work / f"resumed-{ranks}-{zero}"
        shutil.copytree(begun, run, ignore=shutil.ignore_patterns("control", "lock"))
        trainings.expect(["resume", run, "--device", "cpu", "--steps", STEPS, "--processes", ranks, "--zero", zero])
        row = {"ranks": ranks, "zero": zero, "weights": difference(run, through, STEPS),
               "losses": loss_difference(run, through)}
        row["kept"] = max(row["weights"], row["losses"]) <= AGREES
        rows.append(row)
    return {"begun": {"ranks": 2, "zero": 3, "steps": STEPS // 2}, "bound": AGREES, "rows": rows,
            "kept": all(row["kept"] for row in rows)}


def machines(options: argparse.Namespace, trainings: Trainings) -> dict:
    run = trainings.work / "run-machines"
    said = trainings.work / "said-by-rank-1"
    done = trainings.call(trainings.words(run, ["--steps", STEPS, "--zero", 2]),
                          (str(ROOT / "tests/cli/two_machines.sh"), str(said)))
    if done.returncode == NOT_PERMITTED:
        return {"skipped": done.stdout.strip(), "kept": True}
    if done.returncode != 0:
        fail(f"two machines ended with {done.returncode}:\n{done.stdout}\n{done.stderr}\n{said.read_text()}")
    same = same_bytes(run, trainings.train(2, 2))
    return {"zero": 2, "sameBytesAsOnOneMachine": same, "kept": same}


def scaling(options: argparse.Namespace, trainings: Trainings) -> dict:
    command = ["plan", "--instance", "resources/drawings/blue_dog", "--prompt", "a photo of x", *SCALING]
    done = trainings.call(command)
    if done.returncode != 0:
        fail(f"plan ended with {done.returncode}:\n{done.stderr}")
    plan = json.loads(done.stdout)
    return {"date": date.today().isoformat(), "command": shlex.join(command), "neverChecked": True, "stages": plan["stages"],
            "rows": plan["scaling"], "kept": len(plan["scaling"]) > 1}


PARTS = {"agreement": agreement, "bytes": held_bytes, "kills": kills, "resume": resume, "machines": machines,
         "scaling": scaling}


def table(head: list, rows: list) -> str:
    lines = [" | ".join(head), " | ".join(["---"] * len(head)), *(" | ".join(map(str, row)) for row in rows)]
    return "\n" + "\n".join(f"| {line} |" for line in lines) + "\n"


def about_agreement(part: dict) -> str:
    rows = [[row["ranks"], row["zero"], f"{row['weights']:.1e}", f"{row['losses']:.1e}",
             "yes" if row["sameBytesAsStage0"] else "no"] for row in part["rows"]]
    return (f"\n## Agreement with one process\n\n{part['steps']} steps of the tiny model in fp32, the same batches of "
            f"{part['batch']}. Bound: {part['bound']:.0e}.\n" +
            table(["processes", "--zero", "weights, norm-wise", "losses, greatest", "bytes of stage 0"], rows) +
            about_small(part["small"]))


def about_small(small: dict) -> str:
    return (f"\nWith fewer than four pictures a process convolutions compute in another way. In batches of {small['batch']} "
            f"over four processes weights differ from those of one process by {small['weights']:.1e} and losses by "
            f"{small['losses']:.1e}; from one process that computes the same parts one after another "
            f"(`--accumulate 4`) by {small['inParts']:.1e} and {small['lossesInParts']:.1e}.\n")


def about_bytes(part: dict) -> str:
    def cell(row: dict, kind: str) -> str:
        return f"{row[kind]:,} ({row['needed'][kind]:,.0f})"

    rows = [[row["zero"], row["rank"], cell(row, "parameters"), cell(row, "gradients"), cell(row, "states"),
             f"{row['sent']:.4f}"] for row in part["rows"]]
    return (f"\n## What each holds and sends\n\n{part['ranks']} processes, AdamW in fp32 with a clipped norm, so that "
            "gradients rest; in brackets what ZeRO's formulas say. Sent in a step: of twice the parameters' other parts, "
            f"with stage 3 three times; bound {part['bound']}. Between uses: while a block computes all of it is there. "
            "Parameters of stage 3 are whole pages, of the others chunks with padding.\n" +
            table(["--zero", "rank", "parameters", "gradients", "moments", "sent, of what is needed"], rows))


def about_kills(part: dict) -> str:
    return (f"\n## Kills\n\n{part['kills']} times one of two processes was ended by kill -9 at a random moment, "
            f"{part['beforeTheFirstStep']} times before the first step. All ended within {part['longestSeconds']:.1f} s "
            f"(median {part['medianSeconds']:.1f} s; bound {part['bound']:.0f} s), each time with the rank and the signal as "
            f"the cause; every checkpoint that was there ({part['withCheckpoints']} times) verified.\n")


def about_resume(part: dict) -> str:
    begun = part["begun"]
    rows = [[row["ranks"], row["zero"], f"{row['weights']:.1e}", f"{row['losses']:.1e}"] for row in part["rows"]]
    return (f"\n## Resumed in another number of processes\n\nBegun in {begun['ranks']} with --zero {begun['zero']}, after "
            f"{begun['steps']} steps resumed, against one process that went through. Bound: {part['bound']:.0e}.\n" +
            table(["processes", "--zero", "weights, norm-wise", "losses, greatest"], rows))


def about_machines(part: dict) -> str:
    found = part.get("skipped") or ("The bytes of two processes on one machine." if part["kept"] else "OTHER BYTES.")
    return f"\n## Two networks\n\nA process in each of two network namespaces with a cable between them: {found}\n"


def about_scaling(part: dict) -> str:
    rows = [[int(row["ranks"]), row.get("inside", "-"), row.get("between", "-"), f"{row['stepSeconds']:.3g}",
             f"{row['picturesPerSecond']:.4g}", f"{100 * row['efficiency']:.1f} %" if "efficiency" in row else "-",
             f"{row['bound']} {100 * row['boundShare']:.0f} %"] for row in part["rows"] if "stepSeconds" in row]
    return ("\n## Scaling, predicted\n\nOf nothing but published figures and assumed shares of them; **never checked** on such "
            "machines or cards. Bound by: what costs most of the time that a step takes longer than on one card, with its "
            f"share of the step; compute, where that is a tenth at most. On {part['date']}:\n\n    {part['command']}\n" +
            table(["cards", "in a machine", "between", "s a step", "pictures/s", "efficiency", "bound by"], rows))


ABOUT = {"agreement": about_agreement, "bytes": about_bytes, "kills": about_kills, "resume": about_resume,
         "machines": about_machines, "scaling": about_scaling}


def measure(options: argparse.Namespace, work: Path) -> int:
    trainings = Trainings(options, work)
    figures = machine() | {"command": command_line()}
    for name in options.only.split(","):
        figures[name] = PARTS[name](options, trainings)
        print(f"{name}: {'kept' if figures[name]['kept'] else 'NOT KEPT'}", flush=True)
    page = heading("Several processes that train one model", figures)
    write_json(options.output, figures)
    write_page(options.output, page + "".join(ABOUT[name](figures[name]) for name in options.only.split(",")))
    return 0 if all(figures[name]["kept"] for name in options.only.split(",")) else 1


def main() -> int:
    options = parse()
    unknown = [name for name in options.only.split(",") if name not in PARTS]
    if unknown:
        fail(f"--only: expected some of {', '.join(PARTS)}, found {', '.join(unknown)}")
    if options.output:
        options.output.parent.mkdir(parents=True, exist_ok=True)
    if options.work:
        options.work.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=options.work, prefix="ranks-") as folder:
        return measure(options, Path(folder).resolve())


if __name__ == "__main__":
    sys.exit(main())

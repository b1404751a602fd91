# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Plans of full-size training steps against what the steps take.

    python tests/reference/check_plans.py table --work DIR --output tests/results/plans.json
    python tests/reference/check_plans.py curve --work DIR --output tests/results/kept_curve.json

`table`: 28 combinations of model, batch, resolution, policy, method and precision. For each the device tier's peak,
predicted before the first step, against the measured one, and the step's time as predicted before the first step, as
predicted when the first steps have been measured, and as measured then. Where a budget is searched there is a second plan
then, whose peak is compared, too; elsewhere blocks keep what the case says. Each takes whole steps of a full-size model
with random weights; most at 256 pixels, where a step is short. One swaps to a folder in DIR, which takes 2 GB for a while.
`curve`: one case at budgets between keeping nothing and keeping everything, each judged against the best that treating
all blocks alike can do within the same budget, and against computing everything again; in rounds, of which the one of
median time counts. draw_curve.py draws it.

What was measured lies in DIR, one file a combination, so that a run that was stopped goes on (take another DIR for another
build); one that the engine refuses says why, and is tried again then. `--only 3,17` takes some of them, `--list` names
them. The machine must be idle: what else it did is recorded, and no time of a busy one is claimed. Beside OUTPUT, the
table for people is written to the same name with .md. Needs no Python package; the engine computes.
Exit code: 1 where a combination is beyond a tolerance, not claimed, or refused.
"""
import argparse
import pathlib
import shlex
import sys

from bench import (BUSY_NOTE, ENGINE, MIB, Refusal, command_line, heading, judged, machine, passes, run_kept, seconds_text,
                   shown, write_json, write_page)

PEAK_TOLERANCE = 0.03  # of the measured one, before the first step
TIME_TOLERANCE = 0.15  # of the measured one, behind the warm-up
SECOND_PEAK = ("measuredPlanDeviceBytes", "devicePeakBytes")  # by the plan behind the warm-up, and of the steps then

EIGHT_BIT = ["--optimizer", "adamw8bit"]
BF16_STATES = ["--optimizer-states", "bf16"]
SEARCHED = ["--keep", "searched", "--gpu-memory"]
FP16 = ["--precision", "fp16"]
SWAP = "DIR/swap"  # in the place of the folder within that of --work
# Budgets lie near the middle between what is taken at least and with everything on the device or kept.
CASES = [
    # model, side, batch, policy, further options
    ("sd15", 512, 1, "gpu", [*EIGHT_BIT, "--keep", "inputs"]),
    ("sd15", 512, 1, "gpu", [*EIGHT_BIT, "--keep", "products"]),
    ("sd15", 512, 1, "gpu", [*EIGHT_BIT, "--keep", "everything"]),
    ("sd15", 512, 1, "cpu", [*EIGHT_BIT, *SEARCHED, "545MiB"]),
    ("sd15", 512, 1, "gpu", [*EIGHT_BIT, *SEARCHED, "4000MiB"]),
    ("sd15", 512, 1, "auto", [*EIGHT_BIT, *SEARCHED, "1000MiB"]),
    ("sd15", 512, 1, "auto", ["--method", "lora", *SEARCHED, "1300MiB"]),
    ("sd15", 256, 1, "auto", [*EIGHT_BIT, *FP16, *SEARCHED, "2700MiB"]),
    ("sd15", 256, 1, "auto", [*BF16_STATES, *SEARCHED, "2750MiB"]),
    ("sd15", 256, 1, "auto", [*EIGHT_BIT, *SEARCHED, "2700MiB", "--max-grad-norm", "1"]),
    ("sd15", 256, 1, "cpu", [*EIGHT_BIT, "--keep", "inputs", "--max-grad-norm", "1"]),
    ("sd15", 256, 2, "gpu", [*EIGHT_BIT, *SEARCHED, "3690MiB"]),
    ("sd15", 256, 2, "cpu", [*EIGHT_BIT, *FP16, *SEARCHED, "520MiB"]),
    ("sd15", 256, 4, "gpu", [*EIGHT_BIT, "--keep", "everything"]),
    ("sd15", 256, 1, "auto", [*EIGHT_BIT, *SEARCHED, "2250MiB", "--train-text-encoder"]),
    ("sd15", 256, 1, "cpu", [*EIGHT_BIT, "--keep", "inputs", "--train-text-encoder"]),
    ("sd15", 256, 1, "cpu", ["--method", "lora", "--keep", "inputs"]),
    ("sd15", 256, 2, "cpu", ["--method", "lora", "--keep", "products", "--lora-rank", "64"]),
    ("sd15", 256, 1, "auto", ["--precision", "fp32", *SEARCHED, "5500MiB"]),
    ("sd15", 256, 1, "cpu", ["--precision", "fp32", "--keep", "products"]),
    ("sd15", 256, 1, "gpu", [*EIGHT_BIT, *SEARCHED, "3560MiB"]),
    ("sd15", 256, 1, "auto", [*EIGHT_BIT, *SEARCHED, "2000MiB"]),
    ("sd21-base", 256, 1, "gpu", [*EIGHT_BIT, "--keep", "inputs"]),
    ("sd21-base", 512, 1, "cpu", [*EIGHT_BIT, *SEARCHED, "560MiB"]),
    ("sd21-768", 384, 1, "auto", [*EIGHT_BIT, *SEARCHED, "1200MiB", "--swap", SWAP]),
    ("sd21-base", 256, 2, "gpu", ["--optimizer", "adafactor", "--keep", "products"]),
    ("sd15", 512, 2, "cpu", [*EIGHT_BIT, "--keep", "inputs", "--values-in-ram"]),
    ("sd21-base", 256, 4, "cpu", [*EIGHT_BIT, "--keep", "products", "--values-in-ram"]),
]
CURVE = ("sd15", 256, 4, "gpu")  # activations count as at 512 pixels and batch 1
CURVE_PARTS = (0.0, 0.17, 0.34, 0.51, 0.68, 0.85)
CURVE_ROUNDS = 3
HELD_BACK = 50  # a plan leaves one part in so many of the budget to what it may miss


HEAD = ["| case | peak predicted, MiB | measured | off by | judged | of the second plan | measured | off by | judged "
        "| step predicted, s | after warm-up | measured | off by | judged |", "|---" * 14 + "|"]
CURVE_HEAD = ["| kept | budget, MiB | peak, MiB | step, s | best alike within the budget, s | faster by | judged |",
              "|---|---|---|---|---|---|---|"]


def command_of(case: tuple, engine: pathlib.Path = ENGINE, swap: pathlib.Path | str = SWAP) -> list[str]:
    model, side, batch, policy, further = case
    further = [str(swap) if word == SWAP else word for word in further]
    return [str(engine), "bench", "train", "--model-config", f"tests/configs/{model}", "--device", "cpu",
            "--resolution", str(side), "--batch", str(batch), "--policy", policy, "--steps", "3", "--json", *further]


def options_of(case: tuple) -> str:
    return shown(command_of(case)[2:])


def bench(case: tuple, options: argparse.Namespace) -> dict:
    """Figures of steps behind their warm-up, as `bench train --json` prints them, kept in --work; or why there are none."""
    swap = (options.work / "swap").resolve()
    if SWAP in case[-1]:
        swap.mkdir(parents=True, exist_ok=True)
    try:
        found = run_kept(command_of(case, options.engine, swap), options.work)
    except Refusal as refusal:
        return {"options": options_of(case), "refused": str(refusal).replace(str(swap), SWAP)}
    return found | {"options": found["options"].replace(shown([swap]), SWAP)}


def is_searched(figures: dict) -> bool:
    """Whether behind the warm-up there is another plan, which may take another peak."""
    return " ".join(SEARCHED[:2]) in figures["options"]


def deviation(figures: dict, predicted: str, measured: str) -> float:
    train = figures["train"]
    return train[predicted] / train[measured] - 1.0


def judge(figures: dict) -> dict:
    """Adds what the peaks and the time come to."""
    if "refused" in figures:
        return figures | {"verdicts": {"all": "refused"}}
    peak = abs(deviation(figures, "predictedDeviceBytes", "warmUpDevicePeakBytes"))
    time = abs(deviation(figures, "measuredPlanStepSeconds", "stepSeconds"))
    verdicts = {"peak": judged(peak, PEAK_TOLERANCE), "time": judged(time, TIME_TOLERANCE, claimed=figures["idle"])}
    if is_searched(figures):
        verdicts["second peak"] = judged(abs(deviation(figures, *SECOND_PEAK)), PEAK_TOLERANCE)
    return figures | {"verdicts": verdicts}


def table_row(figures: dict) -> str:
    options = figures["options"].replace("train --model-config tests/configs/", "").replace(" --device cpu", "")
    options = options.replace(" --steps 3 --json", "")
    if "refused" in figures:
        return f"| {options} | | | | refused: {figures['refused']} | | | | | | | | | |"
    train, verdicts = figures["train"], figures["verdicts"]
    skipped = f"; {train['skippedSteps']:.0f} steps skipped" if train.get("skippedSteps") else ""
    return (f"| {options} | {train['predictedDeviceBytes'] / MIB:.1f} | "
            f"{train['warmUpDevicePeakBytes'] / MIB:.1f} | "
            f"{100 * deviation(figures, 'predictedDeviceBytes', 'warmUpDevicePeakBytes'):+.2f} % | "
            f"{in_short(verdicts['peak'])} | {second_peak(figures)} | {train['predictedStepSeconds']:.1f} | "
            f"{train['measuredPlanStepSeconds']:.2f} | {seconds_text(train['stepSeconds'], figures['idle'], 2)} | "
            f"{100 * deviation(figures, 'measuredPlanStepSeconds', 'stepSeconds'):+.1f} % | {in_short(verdicts['time'])}"
            f"{skipped} |")


def second_peak(figures: dict) -> str:
    if "second peak" not in figures["verdicts"]:
        return "| | |"
    predicted, measured = (figures["train"][name] / MIB for name in SECOND_PEAK)
    return (f"{predicted:.1f} | {measured:.1f} | {100 * deviation(figures, *SECOND_PEAK):+.2f} % | "
            f"{in_short(figures['verdicts']['second peak'])}")


def in_short(verdict: str) -> str:
    """Of a deviation it says nothing by how much it misses the tolerance."""
    return verdict.split(" by ")[0]


def summary(rows: list[dict], what: str, predicted: str, measured: str, limit: float | None) -> str:
    found = sorted(abs(deviation(row, predicted, measured)) for row in rows)
    if not found:
        return f"{what}: nothing measured"
    text = f"{what}: median {100 * found[len(found) // 2]:.2f} %, greatest {100 * found[-1]:.2f} %"
    if limit is None:
        return text
    return text + f"; {sum(one <= limit for one in found)} of {len(found)} within {100 * limit:.0f} %"


def told(line: str) -> str:
    print(line, flush=True)
    return line


def table(options: argparse.Namespace) -> tuple[list[dict], list[str]]:
    """Rows, and the lines of the page."""
    only = {int(number) for number in options.only.split(",") if number}
    rows, lines = [], [told(line) for line in HEAD]
    for number, case in enumerate(CASES, 1):
        if only and number not in only:
            continue
        rows.append(judge(bench(case, options)))
        lines.append(told(table_row(rows[-1])))
    measured = [row for row in rows if "refused" not in row]
    idle = [row for row in measured if row["idle"]]
    sums = [summary(measured, "device peak", "predictedDeviceBytes", "warmUpDevicePeakBytes", PEAK_TOLERANCE),
            summary([row for row in measured if is_searched(row)], "device peak of the second plan", *SECOND_PEAK,
                    PEAK_TOLERANCE),
            summary(idle, "step before the first one", "predictedStepSeconds", "stepSeconds", None),
            summary(idle, "step after warm-up", "measuredPlanStepSeconds", "stepSeconds", TIME_TOLERANCE),
            f"{len(rows) - len(measured)} refused, {len(measured) - len(idle)} on a busy machine"]
    return rows, [*lines, "", *(told(f"- {one}") for one in sums)]


def searched_row(row: dict, budget: int, ends: dict) -> tuple[dict, str]:
    """What the search found within a budget, beside the best that treating all blocks alike can do."""
    if "refused" in row:
        row |= {"kept": "searched", "budgetBytes": budget, "verdicts": {"all": "refused"}}
        return row, f"| searched | {budget / MIB:.1f} | | | | | refused: {row['refused']} |"
    train = row["train"]
    best = min(end["train"]["stepSeconds"] for end in ends.values() if end["train"]["devicePeakBytes"] <= budget)
    recomputed = ends["inputs"]["train"]["stepSeconds"]  # all kept exceeds every budget here
    idle = row["idle"] and all(end["idle"] for end in ends.values())
    row |= {"budgetBytes": budget, "bestAlikeSeconds": best, "bestAllOrNothingSeconds": recomputed,
            "verdicts": {"peak": judged(train["devicePeakBytes"], budget),
                         "time": judged(train["stepSeconds"], best, claimed=idle),
                         "recomputed": judged(train["stepSeconds"], recomputed, claimed=idle)}}
    return row, (f"| searched | {budget / MIB:.1f} | {train['devicePeakBytes'] / MIB:.1f} | "
                 f"{seconds_text(train['stepSeconds'], row['idle'], 2)} | {best:.2f} | "
                 f"{100 * (1 - train['stepSeconds'] / best):+.1f} % | {in_short(row['verdicts']['time'])} |")


def middle(rounds: list[dict]) -> dict:
    """Of one case the round of median time, among those of an idle machine if there are any."""
    refused = [row for row in rounds if "refused" in row]
    if refused:
        return refused[0]
    rounds = sorted([row for row in rounds if row["idle"]] or rounds, key=lambda row: row["train"]["stepSeconds"])
    return rounds[(len(rounds) - 1) // 2] | {"roundSeconds": [row["train"]["stepSeconds"] for row in rounds]}


def of_round(options: argparse.Namespace, number: int) -> argparse.Namespace:
    return argparse.Namespace(**vars(options) | {"work": options.work / f"round-{number}"})


def in_rounds(cases: list[tuple], options: argparse.Namespace) -> list[dict]:
    """Cases in turn, and again: a machine is not equally fast at all times."""
    rounds = [[bench(case, of_round(options, number)) for case in cases] for number in range(1, CURVE_ROUNDS + 1)]
    return [middle(list(of_case)) for of_case in zip(*rounds)]


def budgets_between(lean: dict, full: dict) -> list[int]:
    """From the least that a plan takes to what keeps everything, bytes."""
    lean, full = (one["train"]["devicePeakBytes"] for one in (lean, full))
    least = lean * HELD_BACK // (HELD_BACK - 1) + MIB
    return [int(least + part * (full - least)) for part in CURVE_PARTS]


def end_row(kept: str, row: dict) -> tuple[dict, str]:
    if "refused" in row:
        return row | {"verdicts": {"all": "refused"}}, f"| {kept} everywhere | | | | | | refused: {row['refused']} |"
    train = row["train"]
    return row | {"verdicts": {}}, (f"| {kept} everywhere | | {train['devicePeakBytes'] / MIB:.1f} | "
                                    f"{seconds_text(train['stepSeconds'], row['idle'], 2)} | | | |")


def curve(options: argparse.Namespace) -> tuple[list[dict], list[str]]:
    """Rows, and the lines of the page."""
    cases = {kept: (*CURVE, [*EIGHT_BIT, "--keep", kept]) for kept in ("inputs", "products", "everything")}
    first = [bench(case, of_round(options, 1)) for case in cases.values()]
    refused = any("refused" in row for row in first)  # then it is not known between which ends
    budgets = [] if refused else budgets_between(first[0], first[-1])
    searched = [(*CURVE, [*EIGHT_BIT, *SEARCHED, str(budget)]) for budget in budgets]
    found = first if refused else in_rounds([*cases.values(), *searched], options)
    ends = dict(zip(cases, found))
    both = [end_row(kept, row) for kept, row in ends.items()]
    both += [searched_row(row, budget, ends) for row, budget in zip(found[len(ends):], budgets)]
    rows, lines = [row for row, _ in both], [told(line) for line in (*CURVE_HEAD, *(line for _, line in both))]
    if refused:
        return rows, lines
    return rows, [*lines, "", *(told(line) for line in curve_summary(rows, rows[len(ends):]))]


def curve_summary(rows: list[dict], searched: list[dict]) -> list[str]:
    """How often the search beats what it is judged against, and how much its times can tell."""
    def beaten(name: str) -> str:
        passed = [passes([row["verdicts"].get(one, "") for one in ("peak", name)]) for row in searched]
        return f"{sum(passed)} of {len(searched)}"
    rounds = [row["roundSeconds"] for row in rows if "roundSeconds" in row]
    differ = max((max(seconds) / min(seconds) for seconds in rounds), default=1.0) - 1
    return [f"At {beaten('time')} budgets the search is at least as fast as the best alike, which is what is judged;",
            f"at {beaten('recomputed')} it beats recomputing everything, in less memory than keeping everything takes.",
            f"Rounds of one case differ by up to {100 * differ:.0f} %, so smaller differences say little."]


def page(result: dict, what: str, lines: list[str]) -> str:
    title = "Plans against what steps took" if what == "table" else "What is kept for backward, searched by budget"
    cases = ("Full-size configurations with random weights, bf16 unless the case says otherwise" if what == "table" else
             f"SD 1.5 with random weights, {CURVE[1]} pixels, batch {CURVE[2]}, 8-bit AdamW, bf16")
    return heading(title, result) + f"""
{cases}, on the CPU, where host memory stands for the device.
{BUSY_NOTE}

""" + "\n".join(lines) + "\n" + (picture(result["command"]) if what == "curve" else "")


def picture(command: str) -> str:
    """Of the curve, which another script draws beside the page."""
    words = shlex.split(command)
    figures = pathlib.Path(words[words.index("--output") + 1]) if "--output" in words else pathlib.Path("kept_curve.json")
    drawn = figures.with_suffix(".png")
    return f"""
![Time of a step by the greatest use of the device's memory]({drawn.name})

{drawn.name} is drawn by

    python3 tests/reference/draw_curve.py {figures} {drawn}
"""


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["table", "curve"])
    parser.add_argument("--engine", type=pathlib.Path, default=ENGINE)
    parser.add_argument("--work", type=pathlib.Path, required=True, help="where each combination's figures are kept")
    parser.add_argument("--only", default="", help="numbers of combinations, e.g. 3,17")
    parser.add_argument("--list", action="store_true", help="name the combinations and measure nothing")
    parser.add_argument("--output", type=pathlib.Path)
    return parser.parse_args()


def main() -> None:
    options = parse()
    if options.list:
        for number, case in enumerate(CASES, 1):
            print(f"{number:2d}  {options_of(case)}")
        return
    rows, lines = table(options) if options.what == "table" else curve(options)
    result = machine(options.engine) | {"command": command_line().replace(str(options.work), "DIR"), "rows": rows}
    write_json(options.output, result)
    write_page(options.output, page(result, options.what, lines))
    sys.exit(0 if passes([verdict for row in rows for verdict in row["verdicts"].values()]) else 1)


if __name__ == "__main__":
    main()

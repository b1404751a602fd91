# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Plans of full-size training steps against what the steps take.

    python tests/reference/check_plans.py table --work DIR --output tests/results/plans.json
    python tests/reference/check_plans.py curve --work DIR --output tests/results/kept_curve.json

`table`: 28 combinations of model, batch, resolution, policy, method and precision. For each the device tier's peak,
predicted before the first step, against the measured one, and the step's time as predicted before the first step, as
predicted when the first steps have been measured, and as measured then. Each takes whole steps of a full-size model
with random weights; most at 256 pixels, where a step is short.
`curve`: one case at budgets between keeping nothing and keeping everything, each against the best that treating all
blocks alike can do within the same budget.

What was measured lies in DIR, one file a combination, so that a run that was stopped goes on; `--only 3,17` takes some
of them, `--list` names them. The machine must be idle. Needs no Python package; the engine computes.
"""
import argparse
import pathlib

from bench import ENGINE, MIB, machine, run_kept, shown, write_json

PEAK_TOLERANCE = 0.03  # of the measured one, before the first step
TIME_TOLERANCE = 0.15  # of the measured one, behind the warm-up

EIGHT_BIT = ["--optimizer", "adamw8bit"]
BF16_STATES = ["--optimizer-states", "bf16"]
SEARCHED = ["--keep", "searched", "--gpu-memory"]
CASES = [
    # model, side, batch, policy, further options
    ("sd15", 512, 1, "gpu", [*EIGHT_BIT, "--keep", "inputs"]),
    ("sd15", 512, 1, "gpu", [*EIGHT_BIT, "--keep", "products"]),
    ("sd15", 512, 1, "gpu", [*EIGHT_BIT, "--keep", "everything"]),
    ("sd15", 512, 1, "cpu", [*EIGHT_BIT, "--keep", "products"]),
    ("sd15", 512, 1, "gpu", [*EIGHT_BIT, *SEARCHED, "4000MiB"]),
    ("sd15", 512, 1, "auto", [*EIGHT_BIT, *SEARCHED, "1000MiB"]),
    ("sd15", 512, 1, "gpu", ["--method", "lora", "--keep", "products"]),
    ("sd15", 256, 1, "cpu", [*EIGHT_BIT, "--keep", "inputs"]),
    ("sd15", 256, 1, "gpu", [*BF16_STATES, "--keep", "inputs"]),
    ("sd15", 256, 1, "gpu", [*EIGHT_BIT, "--keep", "inputs", "--max-grad-norm", "1"]),
    ("sd15", 256, 1, "cpu", [*EIGHT_BIT, "--keep", "inputs", "--max-grad-norm", "1"]),
    ("sd15", 256, 2, "gpu", [*EIGHT_BIT, "--keep", "inputs"]),
    ("sd15", 256, 2, "cpu", [*EIGHT_BIT, "--keep", "products"]),
    ("sd15", 256, 4, "gpu", [*EIGHT_BIT, "--keep", "everything"]),
    ("sd15", 256, 1, "gpu", [*EIGHT_BIT, "--keep", "products", "--train-text-encoder"]),
    ("sd15", 256, 1, "cpu", [*EIGHT_BIT, "--keep", "inputs", "--train-text-encoder"]),
    ("sd15", 256, 1, "cpu", ["--method", "lora", "--keep", "inputs"]),
    ("sd15", 256, 2, "cpu", ["--method", "lora", "--keep", "products", "--lora-rank", "64"]),
    ("sd15", 256, 1, "gpu", ["--precision", "fp32", "--keep", "inputs"]),
    ("sd15", 256, 1, "cpu", ["--precision", "fp32", "--keep", "products"]),
    ("sd15", 256, 1, "gpu", [*EIGHT_BIT, *SEARCHED, "3700MiB"]),
    ("sd15", 256, 1, "auto", [*EIGHT_BIT, *SEARCHED, "2000MiB"]),
    ("sd21-base", 256, 1, "gpu", [*EIGHT_BIT, "--keep", "inputs"]),
    ("sd21-base", 512, 1, "cpu", [*EIGHT_BIT, "--keep", "products"]),
    ("sd21-768", 384, 1, "cpu", [*EIGHT_BIT, "--keep", "inputs"]),
    ("sd21-base", 256, 2, "gpu", ["--optimizer", "adafactor", "--keep", "products"]),
    ("sd15", 512, 2, "cpu", [*EIGHT_BIT, "--keep", "inputs", "--values-in-ram"]),
    ("sd21-base", 256, 4, "cpu", [*EIGHT_BIT, "--keep", "products", "--values-in-ram"]),
]
CURVE = ("sd15", 256, 4, "gpu")  # activations count as at 512 pixels and batch 1
CURVE_PARTS = (0.1, 0.25, 0.4, 0.55, 0.7, 0.85)


def command_of(case: tuple) -> list[str]:
    model, side, batch, policy, further = case
    return [str(ENGINE), "bench", "train", "--model-config", f"tests/configs/{model}", "--device", "cpu",
            "--resolution", str(side), "--batch", str(batch), "--policy", policy, "--steps", "2", "--json", *further]


def options_of(case: tuple) -> str:
    return shown(command_of(case)[2:])


def bench(case: tuple, work: pathlib.Path) -> dict:
    """Figures of steps behind their warm-up, as `bench train --json` prints them; kept in `work`."""
    return run_kept(command_of(case), work)


def deviation(figures: dict, predicted: str, measured: str) -> float:
    train = figures["train"]
    return train[predicted] / train[measured] - 1.0


def table_row(figures: dict) -> str:
    train = figures["train"]
    options = figures["options"].replace("train --model-config tests/configs/", "").replace(" --device cpu", "")
    return (f"| {options.replace(' --steps 2 --json', '')} | {train['predictedDeviceBytes'] / MIB:.1f} | "
            f"{train['warmUpDevicePeakBytes'] / MIB:.1f} | "
            f"{100 * deviation(figures, 'predictedDeviceBytes', 'warmUpDevicePeakBytes'):+.2f} % | "
            f"{train['predictedStepSeconds']:.1f} | {train['measuredPlanStepSeconds']:.2f} | "
            f"{train['stepSeconds']:.2f} | "
            f"{100 * deviation(figures, 'measuredPlanStepSeconds', 'stepSeconds'):+.1f} % |")


def summary(rows: list[dict], what: str, predicted: str, measured: str, limit: float | None) -> str:
    found = sorted(abs(deviation(row, predicted, measured)) for row in rows)
    text = f"{what}: median {100 * found[len(found) // 2]:.2f} %, greatest {100 * found[-1]:.2f} %"
    if limit is None:
        return text
    return text + f"; {sum(one <= limit for one in found)} of {len(found)} within {100 * limit:.0f} %"


def table(work: pathlib.Path, only: set[int]) -> list[dict]:
    rows = []
    print("| case | peak predicted, MiB | measured | off by | step predicted, s | after warm-up | measured | off by |")
    print("|---|---|---|---|---|---|---|---|")
    for number, case in enumerate(CASES, 1):
        if only and number not in only:
            continue
        rows.append(bench(case, work))
        print(table_row(rows[-1]), flush=True)
    print()
    print(summary(rows, "device peak", "predictedDeviceBytes", "warmUpDevicePeakBytes", PEAK_TOLERANCE))
    print(summary(rows, "device peak of the second plan", "measuredPlanDeviceBytes", "devicePeakBytes", PEAK_TOLERANCE))
    print(summary(rows, "step before the first one", "predictedStepSeconds", "stepSeconds", None))
    print(summary(rows, "step after warm-up", "measuredPlanStepSeconds", "stepSeconds", TIME_TOLERANCE))
    return rows


def curve(work: pathlib.Path) -> list[dict]:
    ends = {kept: bench((*CURVE, [*EIGHT_BIT, "--keep", kept]), work) for kept in ("inputs", "products", "everything")}
    lean, full = (ends[kept]["train"]["devicePeakBytes"] for kept in ("inputs", "everything"))
    rows = list(ends.values())
    print("| kept | budget, MiB | peak, MiB | step, s | best alike within the budget, s | faster by |")
    print("|---|---|---|---|---|---|")
    for kept, row in ends.items():
        print(f"| {kept} everywhere | | {row['train']['devicePeakBytes'] / MIB:.1f} | {row['train']['stepSeconds']:.2f} "
              "| | |")
    beaten = 0
    for part in CURVE_PARTS:
        budget = int(lean + part * (full - lean))
        row = bench((*CURVE, [*EIGHT_BIT, *SEARCHED, str(budget)]), work)
        fitting = [end["train"]["stepSeconds"] for end in ends.values() if end["train"]["devicePeakBytes"] <= budget]
        train = row["train"]
        row["bestAlikeSeconds"] = min(fitting)
        row["bestAllOrNothingSeconds"] = ends["inputs"]["train"]["stepSeconds"]  # all kept exceeds every budget here
        beats = train["stepSeconds"] < row["bestAllOrNothingSeconds"] and train["devicePeakBytes"] <= budget
        beaten += beats
        print(f"| searched | {budget / MIB:.1f} | {train['devicePeakBytes'] / MIB:.1f} | {train['stepSeconds']:.2f} | "
              f"{min(fitting):.2f} | {100 * (1 - train['stepSeconds'] / min(fitting)):+.1f} % |", flush=True)
        rows.append(row)
    print(f"\nAt {beaten} of {len(CURVE_PARTS)} budgets the search beats recomputing everything, in less memory than "
          "keeping everything takes.")
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["table", "curve"])
    parser.add_argument("--work", type=pathlib.Path, required=True, help="where each combination's figures are kept")
    parser.add_argument("--only", default="", help="numbers of combinations, e.g. 3,17")
    parser.add_argument("--list", action="store_true", help="name the combinations and measure nothing")
    parser.add_argument("--output", type=pathlib.Path)
    options = parser.parse_args()
    if options.list:
        for number, case in enumerate(CASES, 1):
            print(f"{number:2d}  {options_of(case)}")
        return
    options.work.mkdir(parents=True, exist_ok=True)
    only = {int(number) for number in options.only.split(",") if number}
    rows = table(options.work, only) if options.what == "table" else curve(options.work)
    write_json(options.output, machine() | {"rows": rows})


if __name__ == "__main__":
    main()

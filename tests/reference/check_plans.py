# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Plans of full-size training steps against what the steps take.

    python tests/reference/check_plans.py table --output tests/results/plans.json
    python tests/reference/check_plans.py curve --output tests/results/kept_curve.json

`table`: 26 combinations of model, batch, resolution, policy, method and precision; predicted peak of the device tier
(before the first step) against the measured one. `curve`: one case at budgets between keeping everything and keeping
nothing, step time and peak of each against both ends. Needs no Python package; the engine computes.
"""
import argparse
import json
import pathlib
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENGINE = ROOT / "build/release/bin/homebooth-engine"
MIB = 1 << 20

EIGHT_BIT = ["--optimizer", "adamw8bit"]
BF16_STATES = ["--optimizer-states", "bf16"]
CASES = [
    # model, side, batch, policy, further options
    ("sd15", 512, 1, "gpu", [*EIGHT_BIT, "--keep", "inputs"]),
    ("sd15", 512, 1, "gpu", [*EIGHT_BIT, "--keep", "products"]),
    ("sd15", 512, 1, "gpu", [*EIGHT_BIT, "--keep", "everything"]),
    ("sd15", 512, 1, "cpu", [*EIGHT_BIT, "--keep", "inputs"]),
    ("sd15", 512, 1, "cpu", [*EIGHT_BIT, "--keep", "products"]),
    ("sd15", 512, 1, "gpu", [*BF16_STATES, "--keep", "inputs"]),
    ("sd15", 512, 1, "gpu", [*EIGHT_BIT, "--keep", "inputs", "--max-grad-norm", "1"]),
    ("sd15", 512, 1, "cpu", [*EIGHT_BIT, "--keep", "inputs", "--max-grad-norm", "1"]),
    ("sd15", 512, 2, "gpu", [*EIGHT_BIT, "--keep", "inputs"]),
    ("sd15", 512, 2, "cpu", [*EIGHT_BIT, "--keep", "products"]),
    ("sd15", 512, 1, "gpu", [*EIGHT_BIT, "--keep", "products", "--train-text-encoder"]),
    ("sd15", 512, 1, "cpu", [*EIGHT_BIT, "--keep", "inputs", "--train-text-encoder"]),
    ("sd15", 512, 1, "gpu", ["--method", "lora", "--keep", "products"]),
    ("sd15", 512, 1, "cpu", ["--method", "lora", "--keep", "inputs"]),
    ("sd15", 512, 2, "cpu", ["--method", "lora", "--keep", "products", "--lora-rank", "64"]),
    ("sd15", 256, 1, "gpu", ["--precision", "fp32", "--keep", "inputs"]),
    ("sd15", 256, 1, "cpu", ["--precision", "fp32", "--keep", "products"]),
    ("sd15", 256, 4, "gpu", [*EIGHT_BIT, "--keep", "everything"]),
    ("sd15", 256, 1, "gpu", [*EIGHT_BIT, "--keep", "searched", "--gpu-memory", "3700MiB"]),
    ("sd15", 512, 1, "gpu", [*EIGHT_BIT, "--keep", "searched", "--gpu-memory", "4000MiB"]),
    ("sd15", 512, 1, "auto", [*EIGHT_BIT, "--keep", "searched", "--gpu-memory", "1000MiB"]),
    ("sd15", 512, 1, "auto", [*EIGHT_BIT, "--keep", "searched", "--gpu-memory", "2000MiB"]),
    ("sd21-base", 512, 1, "gpu", [*EIGHT_BIT, "--keep", "inputs"]),
    ("sd21-base", 512, 1, "cpu", [*EIGHT_BIT, "--keep", "products"]),
    ("sd21-768", 768, 1, "cpu", [*EIGHT_BIT, "--keep", "inputs"]),
    ("sd21-base", 256, 2, "gpu", ["--optimizer", "adafactor", "--keep", "products"]),
]


def bench(model: str, side: int, batch: int, policy: str, further: list[str]) -> dict:
    """Figures of one step after one of warm-up, as `bench train --json` prints them."""
    command = [str(ENGINE), "bench", "train", "--model-config", str(ROOT / "tests/configs" / model), "--device", "cpu",
               "--resolution", str(side), "--batch", str(batch), "--policy", policy, "--steps", "1", "--json", *further]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    figures = json.loads(done.stdout)
    figures["options"] = " ".join(command[2:]).replace(str(ROOT) + "/", "")
    return figures


def deviation(figures: dict) -> float:
    train = figures["train"]
    return train["predictedDeviceBytes"] / train["devicePeakBytes"] - 1.0


def table() -> list[dict]:
    rows = []
    for case in CASES:
        figures = bench(*case)
        rows.append(figures)
        train = figures["train"]
        print(f"{figures['options'][:150]:150s} measured {train['devicePeakBytes'] / MIB:8.1f} MiB, predicted "
              f"{100 * deviation(figures):+.2f} %, step {train['stepSeconds']:.1f} s, predicted "
              f"{train['predictedStepSeconds']:.1f} s", flush=True)
    print(f"greatest deviation {100 * max(abs(deviation(row)) for row in rows):.2f} % over {len(rows)} combinations")
    return rows


def curve() -> list[dict]:
    ends = [bench("sd15", 512, 2, "gpu", [*EIGHT_BIT, "--keep", kept]) for kept in ("inputs", "everything")]
    lean, full = (end["train"]["devicePeakBytes"] for end in ends)
    rows = ends
    for part in (0.15, 0.35, 0.55, 0.75, 0.95):
        budget = int(lean + part * (full - lean))
        rows.append(bench("sd15", 512, 2, "gpu", [*EIGHT_BIT, "--keep", "searched", "--gpu-memory", str(budget)]))
    for row in rows:
        train = row["train"]
        print(f"{row['kept']:10s} limit {row['deviceLimitBytes'] / MIB:8.1f} MiB, peak "
              f"{train['devicePeakBytes'] / MIB:8.1f} MiB, step {train['stepSeconds']:.2f} s", flush=True)
    return rows


def processor() -> str:
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return "unknown"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["table", "curve"])
    parser.add_argument("--output", type=pathlib.Path)
    options = parser.parse_args()
    rows = table() if options.what == "table" else curve()
    if options.output:
        result = {"date": time.strftime("%Y-%m-%d"), "processor": processor(), "rows": rows}
        options.output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

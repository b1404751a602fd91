#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""The peer's side of the optimizer benchmark: PyTorch's fused AdamW on the CPU.

    peer_optimizer.py --elements N --precision fp32|bf16 [--rounds 5] [--threads 0] [--json]

One parameter; states have its type, as PyTorch makes them. Prints the median seconds of a step after one of warm-up.
"""

import argparse
import json
import platform
import statistics
import time

import torch

TYPES = {"fp32": torch.float32, "bf16": torch.bfloat16}


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--elements", type=int, required=True)
    parser.add_argument("--precision", choices=TYPES, default="fp32")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=0, help="0: all cores")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def main() -> None:
    options = parse()
    torch.set_num_threads(options.threads or torch.multiprocessing.cpu_count())
    dtype = TYPES[options.precision]
    parameter = torch.nn.Parameter(torch.full((options.elements,), 1e-2, dtype=dtype))
    parameter.grad = torch.empty_like(parameter).normal_(0.0, 1e-2)
    optimizer = torch.optim.AdamW([parameter], lr=2e-6, weight_decay=1e-2, fused=True)
    seconds = []
    for _ in range(options.rounds + 1):
        start = time.perf_counter()
        optimizer.step()
        seconds.append(time.perf_counter() - start)
    result = {"seconds": statistics.median(seconds[1:]), "elements": options.elements, "precision": options.precision,
              "rounds": options.rounds, "torch": torch.__version__, "python": platform.python_version(),
              "threads": torch.get_num_threads()}
    print(json.dumps(result) if options.json else "\n".join(f"{key}: {value}" for key, value in result.items()))


if __name__ == "__main__":
    main()

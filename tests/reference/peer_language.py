#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""The peer's side of the language benchmark: a training step of transformers with random weights at full size.

    peer_language.py --config tests/configs/opt-125m --dtype bf16 --steps N --context 512 --batch 1 --json

Gradient checkpointing unless --no-checkpointing, scaled dot product attention, PyTorch's AdamW with states in the
weights' type. Prints seconds (medians after one step of warm-up) and the peak of resident memory.
"""

import argparse
import json
import statistics
from pathlib import Path

import torch
import transformers
from transformers import AutoConfig, AutoModelForCausalLM

from full_size_models import now, peak_bytes, versions

TYPES = {"bf16": torch.bfloat16, "fp32": torch.float32}


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", type=Path, required=True)
    parser.add_argument("--dtype", choices=TYPES, default="bf16")
    parser.add_argument("--steps", type=int, default=3, help="timed steps, after one of warm-up")
    parser.add_argument("--context", type=int, default=512)
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--threads", type=int, default=0, help="0: all cores")
    parser.add_argument("--no-checkpointing", action="store_true", help="keep all activations")
    parser.add_argument("--fused", action="store_true", help="PyTorch's fused AdamW instead of its default")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def timed_step(model, optimizer, tokens) -> float:
    start = now()
    model(input_ids=tokens, labels=tokens, use_cache=False).loss.backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    return now() - start


def main() -> None:
    options = parse()
    torch.set_num_threads(options.threads or torch.multiprocessing.cpu_count())
    torch.manual_seed(1)
    torch.set_default_dtype(TYPES[options.dtype])
    config = AutoConfig.from_pretrained(options.config)
    model = AutoModelForCausalLM.from_config(config, attn_implementation="sdpa").to(options.device, TYPES[options.dtype])
    if not options.no_checkpointing:
        model.gradient_checkpointing_enable()
    model.train()
    for module in model.modules():  # ours has none
        if hasattr(module, "dropout") and isinstance(module.dropout, float):
            module.dropout = 0.0
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-6, weight_decay=1e-2, fused=options.fused or None)
    shape = (options.batch, options.context + 1)  # as many are predicted as by ours
    tokens = torch.randint(config.vocab_size, shape, generator=torch.Generator().manual_seed(2)).to(options.device)
    seconds = [timed_step(model, optimizer, tokens) for _ in range(options.steps + 1)][1:]
    result = {"step_seconds": statistics.median(seconds)} | peak_bytes() | versions() | {"transformers": transformers.__version__}
    result |= {key: str(value) for key, value in vars(options).items()}
    print(json.dumps(result) if options.json else "\n".join(f"{key}: {value}" for key, value in result.items()))


if __name__ == "__main__":
    main()

# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Optimizers alone on a matrix, a convolution's weight and a vector; the moving average; learning-rate schedules."""

import diffusers.optimization
import torch
from diffusers.training_utils import EMAModel
from transformers.optimization import Adafactor

from common import FIXTURES, randn, save_json, save_tensors

SHAPES = {"matrix": (6, 10), "convolution": (8, 4, 3, 3), "vector": (12,)}
STEPS = 5
ADAFACTOR = {"relative_step": False, "scale_parameter": False, "warmup_init": False, "lr": 1e-2, "weight_decay": 1e-2}
ADAMW = {"lr": 1e-2, "betas": (0.9, 0.999), "eps": 1e-8, "weight_decay": 1e-2}
EMA_DECAY = 0.3  # low enough that the warm-up (1 + n) / (10 + n) reaches it within the five steps


def start(seed: int) -> dict:
    return {name: torch.nn.Parameter(randn(shape, seed + i)) for i, (name, shape) in enumerate(SHAPES.items())}


def gradient(name: str, step: int) -> torch.Tensor:
    """Of changing size, so that moments and Adafactor's update clipping matter."""
    return randn(SHAPES[name], 600 + 10 * step + list(SHAPES).index(name)) * (0.1 * 3.0**step)


def states(optimizer, parameters: dict) -> dict:
    found = {}
    for name, parameter in parameters.items():
        for key, value in optimizer.state[parameter].items():
            if isinstance(value, torch.Tensor) and value.dim() > 0:
                found[f"state/{name}/{key}"] = value
    return found


def run(make_optimizer) -> dict:
    parameters = start(500)
    optimizer = make_optimizer(parameters.values())
    average = EMAModel(parameters.values(), decay=EMA_DECAY)
    tensors = {f"initial/{name}": p.detach().clone() for name, p in parameters.items()}
    for step in range(STEPS):
        for name, parameter in parameters.items():
            parameter.grad = gradient(name, step)
            tensors[f"gradient/{step}/{name}"] = parameter.grad.clone()
        optimizer.step()
        average.step(parameters.values())
        tensors |= {f"after/{step}/{name}": p.detach().clone() for name, p in parameters.items()}
        shadows = zip(parameters, average.shadow_params)
        tensors |= {f"average/{step}/{name}": shadow.clone() for name, shadow in shadows}
    return tensors | states(optimizer, parameters)


def learning_rates() -> dict:
    """Factor on the base rate in each step, first step first; warm-up 4 of 20 steps, and none."""
    result = {}
    for name in ("constant", "constant_with_warmup", "linear", "cosine"):
        for warmup in (0, 4):
            optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=1.0)
            schedule = diffusers.optimization.get_scheduler(name, optimizer, num_warmup_steps=warmup, num_training_steps=20)
            factors = []
            for _ in range(20):
                factors.append(schedule.get_last_lr()[0])
                optimizer.step()
                schedule.step()
            result[f"{name}/{warmup}"] = factors
    return result


def main() -> None:
    tensors = {}
    for name, make in (("adamw", lambda p: torch.optim.AdamW(p, **ADAMW)), ("adafactor", lambda p: Adafactor(p, **ADAFACTOR))):
        tensors |= {f"{name}/{key}": value for key, value in run(make).items()}
    save_tensors(FIXTURES / "training" / "optimizers.safetensors", tensors)
    about = {"adamw": ADAMW, "adafactor": ADAFACTOR, "ema_decay": EMA_DECAY, "steps": STEPS}
    save_json(FIXTURES / "training" / "optimizers.json", about | {"learning_rate_factors": learning_rates()})


if __name__ == "__main__":
    main()

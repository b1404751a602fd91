# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/fixtures/optim/optimizers.safetensors: what torch, transformers and diffusers compute.

Usage: python tests/reference/optimizers.py
Needs torch, transformers, diffusers and safetensors in the versions that tests/reference pins.

Tensors:
  start.<p>, gradient.<step>.<p>        parameters before, gradients of steps 0 .. 7, for all runs
  adamw.<p>, adamw.exp_avg.<p>, adamw.exp_avg_sq.<p>    after 8 steps of torch.optim.AdamW
  clipped.<p>, clipped.norm             the same with gradients clipped to norm 1
  adafactor.<p>                         after 8 steps of transformers.Adafactor
  ema.<step>                            diffusers' EMAModel of p0, after each AdamW step
  rate.<schedule>.<warmup>              factors of diffusers.get_scheduler for 20 steps, fp64
"""
import pathlib

import torch
from diffusers.optimization import get_scheduler
from diffusers.training_utils import EMAModel
from safetensors.torch import save_file
from transformers import Adafactor

STEPS = 8
RATE = 1e-2
DECAY = 1e-2
SHAPES = [(8, 4, 3, 3), (16, 12), (16,), (6, 5, 1, 1)]
TARGET = pathlib.Path(__file__).parent.parent / "fixtures" / "optim" / "optimizers.safetensors"


def start_parameters(tensors):
    return [torch.nn.Parameter(tensors[f"start.p{i}"].clone()) for i in range(len(SHAPES))]


def train(tensors, optimizer, parameters, max_norm=None, after=None):
    norms = []
    for step in range(STEPS):
        for i, parameter in enumerate(parameters):
            parameter.grad = tensors[f"gradient.{step}.p{i}"].clone()
        if max_norm is not None:
            norms.append(torch.nn.utils.clip_grad_norm_(parameters, max_norm))
        optimizer.step()
        if after is not None:
            after(step)
    return norms


def adamw(parameters):
    return torch.optim.AdamW(parameters, lr=RATE, weight_decay=DECAY, foreach=False, fused=False)


def add_adamw(tensors):
    parameters = start_parameters(tensors)
    average = EMAModel(parameters[:1], decay=0.6)

    def keep_average(step):
        average.step(parameters[:1])
        tensors[f"ema.{step}"] = average.shadow_params[0].clone()

    optimizer = adamw(parameters)
    train(tensors, optimizer, parameters, after=keep_average)
    for i, parameter in enumerate(parameters):
        tensors[f"adamw.p{i}"] = parameter.detach().clone()
        for state in ("exp_avg", "exp_avg_sq"):
            tensors[f"adamw.{state}.p{i}"] = optimizer.state[parameter][state].clone()


def add_clipped(tensors):
    parameters = start_parameters(tensors)
    norms = train(tensors, adamw(parameters), parameters, max_norm=1.0)
    for i, parameter in enumerate(parameters):
        tensors[f"clipped.p{i}"] = parameter.detach().clone()
    tensors["clipped.norm"] = torch.stack(norms)


def add_adafactor(tensors):
    parameters = start_parameters(tensors)
    optimizer = Adafactor(parameters, lr=RATE, weight_decay=DECAY, relative_step=False, scale_parameter=False,
                          clip_threshold=1.0, decay_rate=-0.8, beta1=None)
    train(tensors, optimizer, parameters)
    for i, parameter in enumerate(parameters):
        tensors[f"adafactor.p{i}"] = parameter.detach().clone()


def add_rates(tensors, steps=20):
    names = {"constant": "constant_with_warmup", "linear": "linear", "cosine": "cosine"}
    for name, peer in names.items():
        for warmup in (0, 5):
            optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=1.0)
            scheduler = get_scheduler(peer, optimizer, num_warmup_steps=warmup, num_training_steps=steps)
            factors = []
            for _ in range(steps):
                factors.append(scheduler.get_last_lr()[0])
                optimizer.step()
                scheduler.step()
            tensors[f"rate.{name}.{warmup}"] = torch.tensor(factors, dtype=torch.float64)


def main():
    torch.manual_seed(0)
    tensors = {f"start.p{i}": torch.randn(shape) for i, shape in enumerate(SHAPES)}
    for step in range(STEPS):
        for i, shape in enumerate(SHAPES):
            size = 10.0 ** (-(step % 3))  # norms on both sides of the clipping limit
            tensors[f"gradient.{step}.p{i}"] = torch.randn(shape) * size * 0.2
    add_adamw(tensors)
    add_clipped(tensors)
    add_adafactor(tensors)
    add_rates(tensors)
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, TARGET)
    print(f"{TARGET}: {len(tensors)} tensors, {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()

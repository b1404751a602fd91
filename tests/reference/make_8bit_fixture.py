# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/fixtures/optim/adamw8bit.safetensors: AdamW with 8-bit moments, step by step as it was published.

Usage: python tests/reference/make_8bit_fixture.py
Needs numpy and safetensors. Source: Dettmers, Lewis, Shleifer, Zettlemoyer, "8-bit optimizers via block-wise
quantization", 2022, sections 1.3 (dynamic map), 2.1 (blocks); written from the text, for clarity and not for speed:

- The map: a number is a power of ten between 10^-6 and 1 and a fraction, linear in [0.1, 1]. With k bits for the
  fraction, [0.1, 1] is cut into 2^k equal parts, and the middle of each is a value; each smaller decade has one bit less.
  Signed, one bit of eight is the sign; not signed, for what is never negative, that bit goes to the fraction. Zero and one
  complete the 256.
- Moments are kept in blocks of 256 elements: the greatest magnitude in fp32, and of each element the index of the map's
  value nearest to element / greatest magnitude.
- A step widens both moments, updates them and the parameter in fp32, and quantises the moments again. Tensors of fewer
  than 4096 elements keep fp32 moments.

Tensors: map.signed, map.unsigned; factors [509]; of each parameter p0 ...: start.<p>, amplitude.<p>, and after steps 1, 5
and 20 STEP.parameter.<p> (thinned), STEP.{exp_avg,exp_avg_sq}.<p> (codes, or fp32 where it is small), with
.absmax for codes. The gradient of element i at step t is amplitude[i] * factors[(7 * i + 13 * t) % 509], one product in fp32.
"""
import pathlib

import numpy as np
from safetensors.numpy import save_file

TARGET = pathlib.Path(__file__).parent.parent / "fixtures" / "optim" / "adamw8bit.safetensors"
BLOCK = 256
SMALLEST = 4096
STEPS = 20
KEPT = (1, 5, 20)
RATE, BETA1, BETA2, EPSILON, DECAY = 1e-2, 0.9, 0.999, 1e-8, 1e-2
SHAPES = [(64, 65), (17, 20)]
F = np.float32


def dynamic_map(signed: bool) -> np.ndarray:
    values = [0.0, 1.0]
    for decade in range(7):
        parts = 2 ** (decade if signed else decade + 1)
        edges = np.linspace(0.1, 1.0, parts + 1)
        middles = 10.0 ** (decade - 6) * (edges[:-1] + edges[1:]) / 2
        values += [*middles, *(-middles if signed else [])]
    assert len(values) == 256
    return np.sort(np.array(values, dtype=np.float64)).astype(F)


class Quantised:
    """A tensor of moments as it lies in memory between steps."""

    def __init__(self, count: int, signed: bool):
        self.map = dynamic_map(signed)
        self.codes = np.full(count, int(np.flatnonzero(self.map == 0)[0]), dtype=np.uint8)
        self.absmax = np.zeros((count + BLOCK - 1) // BLOCK, dtype=F)

    def widened(self) -> np.ndarray:
        return self.map[self.codes] * np.repeat(self.absmax, BLOCK)[: len(self.codes)]

    def narrow(self, values: np.ndarray) -> None:
        for block in range(len(self.absmax)):
            part = slice(block * BLOCK, (block + 1) * BLOCK)
            greatest = np.abs(values[part]).max()
            shares = values[part].astype(np.float64) / (greatest or 1.0)
            self.codes[part] = np.abs(shares[:, None] - self.map[None, :].astype(np.float64)).argmin(axis=1)
            self.absmax[block] = greatest


class Plain:
    """The same in fp32."""

    def __init__(self, count: int):
        self.values = np.zeros(count, dtype=F)

    def widened(self) -> np.ndarray:
        return self.values

    def narrow(self, values: np.ndarray) -> None:
        self.values = values


def step(parameter: np.ndarray, gradient: np.ndarray, moments: list, number: int) -> np.ndarray:
    first = F(BETA1) * moments[0].widened() + F(1 - BETA1) * gradient
    second = F(BETA2) * moments[1].widened() + F(1 - BETA2) * gradient * gradient
    root = np.sqrt(second) / F(np.sqrt(1 - BETA2**number)) + F(EPSILON)
    parameter = parameter * F(1 - RATE * DECAY) - F(RATE / (1 - BETA1**number)) * first / root
    moments[0].narrow(first)
    moments[1].narrow(second)
    return parameter


def keep(tensors: dict, prefix: str, name: str, shape: tuple, parameter: np.ndarray, moments: list) -> None:
    tensors[f"{prefix}.parameter.{name}"] = parameter[::61]  # as common.thinned
    for state, moment in zip(("exp_avg", "exp_avg_sq"), moments):
        key = f"{prefix}.{state}.{name}"
        if isinstance(moment, Plain):
            tensors[key] = moment.values.reshape(shape).copy()
        else:
            tensors[key] = moment.codes.reshape(shape).copy()
            tensors[f"{key}.absmax"] = moment.absmax.copy()


def main() -> None:
    draw = np.random.default_rng(5)
    factors = (draw.normal(size=509) + 0.3).astype(F)
    tensors = {"map.signed": dynamic_map(True), "map.unsigned": dynamic_map(False), "factors": factors}
    for index, shape in enumerate(SHAPES):
        count = int(np.prod(shape))
        start = draw.normal(size=count).astype(F)
        amplitude = draw.normal(size=count) * 1e-2
        if index == 0:  # in its second half many decades within a block, and elements without any gradient
            spread = 10.0 ** -draw.integers(0, 6, size=count) * (draw.random(count) > 0.3)
            amplitude *= np.where(np.arange(count) < count // 2, 1.0, spread)
        amplitude = amplitude.astype(F)
        tensors |= {f"start.p{index}": start.reshape(shape), f"amplitude.p{index}": amplitude}
        small = count < SMALLEST
        moments = [Plain(count), Plain(count)] if small else [Quantised(count, True), Quantised(count, False)]
        parameter = start
        for number in range(1, STEPS + 1):
            gradient = amplitude * factors[(7 * np.arange(count) + 13 * number) % len(factors)]
            parameter = step(parameter, gradient, moments, number)
            if number in KEPT:
                keep(tensors, str(number), f"p{index}", shape, parameter, moments)
    save_file({name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()}, str(TARGET))
    print(f"{TARGET.name}: {TARGET.stat().st_size} bytes, {len(tensors)} tensors")


if __name__ == "__main__":
    main()

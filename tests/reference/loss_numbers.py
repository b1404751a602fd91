#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Prints the numbers of tests/engine/tst_loss_numbers.cpp, worked out with 60 digits from the published formulas alone.

    tests/reference/loss_numbers.py

Needs nothing but Python. Sources: Lin et al., "Common Diffusion Noise Schedules and Sample Steps are Flawed", 2023,
section 3.1 (sqrt of the cumulative alphas, shifted so that the last one is 0 and scaled so that the first one stays);
Kingma and Welling, "Auto-Encoding Variational Bayes", 2013, appendix B (divergence of a Gaussian from the unit one,
here by its definition as an integral).
"""

from decimal import Decimal, getcontext

getcontext().prec = 60
STEPS = 1000
FIRST, LAST = Decimal("0.00085"), Decimal("0.012")  # beta_start, beta_end of Stable Diffusion, "scaled_linear"
SHOWN = (0, 1, 10, 100, 250, 500, 750, 900, 990, 998, 999)
GAUSSIANS = (("0", "1"), ("1", "1"), ("-0.5", "0.25"), ("2", "0.01"), ("0.3", "9"))  # mean, variance


def cumulative_alphas() -> list[Decimal]:
    products, product = [], Decimal(1)
    for step in range(STEPS):
        part = Decimal(step) / (STEPS - 1)
        product *= 1 - (FIRST.sqrt() + part * (LAST.sqrt() - FIRST.sqrt())) ** 2
        products.append(product)
    return products


def rescaled(products: list[Decimal]) -> list[Decimal]:
    roots = [product.sqrt() for product in products]
    scale = roots[0] / (roots[0] - roots[-1])
    return [((root - roots[-1]) * scale) ** 2 for root in roots]


def divergence(mean: Decimal, variance: Decimal) -> Decimal:
    """The integral of p log(p / q) by Simpson's rule over 14 deviations to either side."""
    deviation, pieces = variance.sqrt(), 1400
    width = 28 * deviation / pieces
    area = Decimal(0)
    for piece in range(pieces + 1):
        x = mean - 14 * deviation + piece * width
        density = (-((x - mean) ** 2) / (2 * variance)).exp() / deviation  # but for 1 / sqrt(2 pi)
        ratio = -((x - mean) ** 2) / (2 * variance) - variance.ln() / 2 + x**2 / 2
        area += density * ratio * (1 if piece in (0, pieces) else 4 if piece % 2 else 2)
    pi = Decimal("3.14159265358979323846264338327950288419716939937510")
    return area * width / 3 / (2 * pi).sqrt()


def main() -> None:
    plain = cumulative_alphas()
    shifted = rescaled(plain)
    print("step, cumulative alpha, the same with zero terminal SNR")
    for step in SHOWN:
        print(f"{{{step}, {float(plain[step]):.12e}, {float(shifted[step]):.12e}}},")
    print("mean, variance, divergence")
    for mean, variance in GAUSSIANS:
        print(f"{{{mean}, {variance}, {divergence(Decimal(mean), Decimal(variance)):.12f}}},")


if __name__ == "__main__":
    main()

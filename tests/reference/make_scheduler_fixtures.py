# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Scheduler trajectories with a pseudo-model instead of a network: model_output = tanh(0.7 * input + t / 1000).

`input` is what the scheduler's scale_model_input gives. The noise that a scheduler draws is taken from a seeded
CPU generator and recorded. Beside the trajectories: signal-to-noise ratios and loss weights.
"""

import importlib

import diffusers
import torch
from diffusers.training_utils import compute_snr

from common import FIXTURES, STRIDE, generator, randn, save_json, save_tensors
from scheduler_cases import all_cases, real_config

SHAPE = (1, 4, 2, 3)
START_SEED, NOISE_SEED, IMAGE_SEED = 11, 12, 13


class NoiseRecorder:
    """Stands in for randn_tensor in a scheduler's module."""

    def __init__(self, scheduler):
        self.module = importlib.import_module(type(scheduler).__module__)
        self.drawn, self.steps, self.step = [], [], 0

    def __enter__(self):
        self.original = getattr(self.module, "randn_tensor", None)
        if self.original is not None:
            self.module.randn_tensor = self.draw
        return self

    def __exit__(self, *_):
        if self.original is not None:
            self.module.randn_tensor = self.original

    def draw(self, *arguments, **options):
        noise = self.original(*arguments, **options)
        self.drawn.append(noise.clone())
        self.steps.append(self.step)
        return noise


def pseudo_model(scaled: torch.Tensor, timestep: torch.Tensor) -> torch.Tensor:
    return torch.tanh(0.7 * scaled + timestep.float() / 1000.0)


def image() -> torch.Tensor:
    """What img2img starts from."""
    return randn(SHAPE, IMAGE_SEED) * 0.8


def draws(count: int) -> torch.Tensor:
    """The first draws of a generator of their seed, which are the same for all cases."""
    source = generator(NOISE_SEED)
    return torch.stack([torch.randn(SHAPE, generator=source) for _ in range(count)]) if count else torch.empty(0)


def start(scheduler, timesteps, case) -> tuple[torch.Tensor, torch.Tensor]:
    """Start sample and timesteps that are run."""
    noise = randn(SHAPE, START_SEED)
    if "strength" not in case:
        return noise * scheduler.init_noise_sigma, timesteps
    first = max(case["steps"] - int(case["steps"] * case["strength"]), 0) * scheduler.order
    left = timesteps[first:]
    if hasattr(scheduler, "set_begin_index"):
        scheduler.set_begin_index(first)
    mixed = scheduler.add_noise(image(), noise, left[:1])
    return mixed, left


def run_case(case: dict) -> tuple[dict, dict]:
    scheduler = getattr(diffusers, case["class"]).from_config(case["config"])
    scheduler.set_timesteps(case["steps"])
    sample, timesteps = start(scheduler, scheduler.timesteps.clone(), case)
    trajectory = [sample.clone()]
    draws_nothing = case["class"] in ("PNDMScheduler", "UniPCMultistepScheduler")
    options = {} if draws_nothing else {"generator": generator(NOISE_SEED)}
    if "eta" in case:
        options["eta"] = case["eta"]
    with NoiseRecorder(scheduler) as noise:
        for index, timestep in enumerate(timesteps):
            noise.step = index
            output = pseudo_model(scheduler.scale_model_input(sample, timestep), timestep)
            sample = scheduler.step(output, timestep, sample, **options).prev_sample
            trajectory.append(sample.clone())
    tensors = {"timesteps": timesteps.double(), "trajectory": torch.stack(trajectory).flatten(1)[:, ::STRIDE]}
    if noise.drawn:
        tensors["noise"] = torch.stack(noise.drawn)
    if not all(torch.isfinite(value).all() for value in tensors.values()):
        raise ValueError("the reference itself gives values that are not finite")
    about = {"init_noise_sigma": float(scheduler.init_noise_sigma), "noise_steps": noise.steps, "order": scheduler.order}
    return tensors, about


def loss_weights() -> tuple[dict, dict]:
    """Signal-to-noise ratio at some timesteps and the min-SNR weights with gamma 5."""
    scheduler = diffusers.DDPMScheduler.from_config(real_config())
    steps = torch.tensor([0, 1, 10, 100, 250, 400, 500, 750, 900, 999])
    snr = compute_snr(scheduler, steps)
    clipped = snr.clamp(max=5.0)
    tensors = {"timesteps": steps, "snr": snr, "epsilon": clipped / snr, "v_prediction": clipped / (snr + 1)}
    tensors["alphas_cumprod"] = scheduler.alphas_cumprod
    return {f"min_snr/{key}": value for key, value in tensors.items()}, {"gamma": 5.0}


def one_behind_another(walks: dict) -> dict:
    """Of all cases, in the order of their names: 344 names would take nearly half of the file."""
    keys = ("timesteps", "trajectory")
    return {f"walks/{key}": torch.cat([walks[name][key] for name in sorted(walks)]) for key in keys}


def main() -> None:
    walks, cases, refused, most = {}, {}, {}, 0
    base = real_config()
    for name, case in all_cases().items():
        try:
            values, about = run_case(case)
        except Exception as error:  # what diffusers itself cannot do is no case, but is listed
            refused[name] = f"{type(error).__name__}: {error}".splitlines()[0][:200]
            continue
        noise = values.pop("noise", draws(0))
        if not torch.equal(noise, draws(len(noise))):
            raise ValueError(f"{name}: the noise is not that of a generator with the one seed")
        own = {key: value for key, value in case["config"].items() if key not in base or base[key] != value}
        cases[name] = case | about | {"config": own}
        if len(values["timesteps"]) != case["steps"]:
            cases[name]["walked"] = len(values["timesteps"])
        most = max(most, len(noise))
        walks[name] = values
    more, about = loss_weights()
    shared = {"shared/noise": draws(most), "shared/image": image(), "shared/start_noise": randn(SHAPE, START_SEED)}
    save_tensors(FIXTURES / "schedulers" / "trajectories.safetensors", one_behind_another(walks) | more | shared)
    description = {"config": base, "cases": cases, "refused": refused, "min_snr": about}
    save_json(FIXTURES / "schedulers" / "cases.json", description)
    print(len(cases), "cases;", "refused by diffusers:", refused)


if __name__ == "__main__":
    main()

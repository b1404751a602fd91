# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""The list of scheduler cases: class, what its scheduler_config.json says, steps, strength of img2img."""

import json

from common import CONFIGS

SPACINGS = ("leading", "trailing", "linspace")
PREDICTIONS = ("epsilon", "v_prediction", "sample")

# short name: class, keys that make the variant
VARIANTS = {
    "ddpm": ("DDPMScheduler", {}),
    "ddim": ("DDIMScheduler", {}),
    "pndm": ("PNDMScheduler", {}),
    "euler": ("EulerDiscreteScheduler", {}),
    "euler_a": ("EulerAncestralDiscreteScheduler", {}),
    "dpmpp_2m": ("DPMSolverMultistepScheduler", {}),
    "dpmpp_2m_karras": ("DPMSolverMultistepScheduler", {"use_karras_sigmas": True}),
    "dpmpp_2m_sde": ("DPMSolverMultistepScheduler", {"algorithm_type": "sde-dpmsolver++"}),
    "dpmpp_2m_sde_karras": (
        "DPMSolverMultistepScheduler",
        {"algorithm_type": "sde-dpmsolver++", "use_karras_sigmas": True},
    ),
    "unipc": ("UniPCMultistepScheduler", {}),
    "lcm": ("LCMScheduler", {}),
}

ZERO_SNR = ("ddpm", "ddim", "euler", "euler_a", "dpmpp_2m", "dpmpp_2m_sde", "unipc", "lcm")

# Options off the beaten track, one case each, at leading spacing and epsilon unless they say otherwise.
EXTRAS = {
    "ddim/eta": ("ddim", {}, {"eta": 0.7}),
    "ddim/clip_sample": ("ddim", {"clip_sample": True, "clip_sample_range": 1.0}, {}),
    "ddim/set_alpha_to_one": ("ddim", {"set_alpha_to_one": True}, {}),
    "ddim/thresholding": ("ddim", {"thresholding": True, "sample_max_value": 1.5}, {}),
    "ddpm/clip_sample": ("ddpm", {"clip_sample": True}, {}),
    "ddpm/fixed_large": ("ddpm", {"variance_type": "fixed_large"}, {}),
    "euler/karras": ("euler", {"use_karras_sigmas": True}, {}),
    "euler/log_linear": ("euler", {"interpolation_type": "log_linear", "timestep_spacing": "linspace"}, {}),
    "euler/sigma_min": ("euler", {"final_sigmas_type": "sigma_min"}, {}),
    "dpmpp_2m/euler_at_final": ("dpmpp_2m", {"euler_at_final": True}, {}),
    "dpmpp_2m/sigma_min": ("dpmpp_2m", {"final_sigmas_type": "sigma_min"}, {}),
    "dpmpp_2m/no_lower_order": ("dpmpp_2m", {"lower_order_final": False}, {}),
    "dpmpp_2m/heun": ("dpmpp_2m", {"solver_type": "heun"}, {}),
    "dpmpp_2m/third_order": ("dpmpp_2m", {"solver_order": 3}, {}),
    "dpmpp_2m/first_order": ("dpmpp_2m", {"solver_order": 1}, {}),
    "dpmpp_2m/many_steps": ("dpmpp_2m", {}, {"steps": 16}),
    "unipc/bh1": ("unipc", {"solver_type": "bh1", "final_sigmas_type": "sigma_min"}, {}),
    "unipc/third_order": ("unipc", {"solver_order": 3}, {}),
    "unipc/karras": ("unipc", {"use_karras_sigmas": True}, {}),
    "unipc/no_corrector": ("unipc", {"disable_corrector": [0, 1]}, {}),
    "lcm/original_20": ("lcm", {"original_inference_steps": 20}, {}),
    "lcm/one_step": ("lcm", {}, {"steps": 1}),
    "ddim/one_step": ("ddim", {}, {"steps": 1}),
    "euler_a/one_step": ("euler_a", {}, {"steps": 1}),
    "pndm/one_step": ("pndm", {}, {"steps": 1}),
    "ddim/linear_betas": ("ddim", {"beta_schedule": "linear"}, {}),
    "ddim/cosine_betas": ("ddim", {"beta_schedule": "squaredcos_cap_v2"}, {}),
}


def real_config(real: str = "sd15") -> dict:
    """scheduler_config.json of a real model, as the file has it: it says nothing of spacing."""
    return json.loads((CONFIGS / real / "scheduler" / "scheduler_config.json").read_text())


def case(variant: str, given: dict, steps: int | None = None, **extra) -> dict:
    class_name, keys = VARIANTS[variant]
    config = real_config() | {"_class_name": class_name} | keys | given
    return {"class": class_name, "config": config, "steps": steps or (4 if variant == "lcm" else 8)} | extra


def all_cases() -> dict:
    """Name to case; names are VARIANT/SPACING/PREDICTION, VARIANT/file, VARIANT/zero_snr, VARIANT/img2img, extras."""
    cases = {}
    for variant in VARIANTS:
        for spacing in SPACINGS:
            for prediction in PREDICTIONS:
                given = {"timestep_spacing": spacing, "prediction_type": prediction}
                cases[f"{variant}/{spacing}/{prediction}"] = case(variant, given)
        cases[f"{variant}/file"] = case(variant, {})
        for spacing in SPACINGS:
            given = {"timestep_spacing": spacing}
            cases[f"{variant}/img2img/{spacing}"] = case(variant, given, steps=10, strength=0.6)
    for variant in ZERO_SNR:
        given = {"timestep_spacing": "trailing", "prediction_type": "v_prediction", "rescale_betas_zero_snr": True}
        cases[f"{variant}/zero_snr"] = case(variant, given)
    for name, (variant, given, extra) in EXTRAS.items():
        cases[name] = case(variant, {"timestep_spacing": "leading"} | given, **extra)
    return cases

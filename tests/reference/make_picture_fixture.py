# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Finished pictures of StableDiffusionPipeline with the tiny models: prompt, negative prompt, guidance 7.5, a seed."""

import diffusers
import numpy
import torch
from diffusers import StableDiffusionImg2ImgPipeline, StableDiffusionPipeline

from common import FIXTURES, generator, randn, save_json, save_tensors, thinned

PROMPT = "a photo of sks dog"
NEGATIVE = "blurry, ugly"
STEPS, GUIDANCE, SEED = 5, 7.5, 42
WIDTH, HEIGHT = 72, 40  # no multiples of 64: latents of the UNet's last level are uneven

# name: model, scheduler class, keys over the model's scheduler_config.json, more
CASES = {
    "sd1_pndm": ("tiny-sd1", "PNDMScheduler", {}, {}),
    "sd1_euler_a": ("tiny-sd1", "EulerAncestralDiscreteScheduler", {}, {}),
    "sd1_dpmpp_2m_karras": ("tiny-sd1", "DPMSolverMultistepScheduler", {"use_karras_sigmas": True}, {}),
    "sd1_clip_skip": ("tiny-sd1", "DDIMScheduler", {}, {"clip_skip": 1}),
    "sd1_img2img": ("tiny-sd1", "DDIMScheduler", {}, {"strength": 0.6}),
    "sd2_ddim": ("tiny-sd2", "DDIMScheduler", {}, {}),
    "sd2_dpmpp_2m_sde": ("tiny-sd2", "DPMSolverMultistepScheduler", {"algorithm_type": "sde-dpmsolver++"}, {}),
}


def pipeline_of(model: str, class_name: str, keys: dict, extra: dict):
    kind = StableDiffusionImg2ImgPipeline if "strength" in extra else StableDiffusionPipeline
    pipeline = kind.from_pretrained(FIXTURES / model, safety_checker=None)
    pipeline.set_progress_bar_config(disable=True)
    # transformers 5 has no inner text_model, which the pipeline asks for when it skips layers
    object.__setattr__(pipeline.text_encoder, "text_model", pipeline.text_encoder)
    pipeline.scheduler = getattr(diffusers, class_name).from_config(pipeline.scheduler.config | keys)
    return pipeline


def options_of(extra: dict) -> tuple[dict, dict]:
    """Size or start picture for the pipeline, and the picture as a tensor of -1 ... 1."""
    if "strength" not in extra:
        return {"width": WIDTH, "height": HEIGHT}, {}
    image = randn((1, 3, HEIGHT, WIDTH), SEED + 1).clamp(-1, 1)
    return {"image": image, "strength": extra["strength"]}, {"input/image": image}


def run_case(model: str, class_name: str, keys: dict, extra: dict) -> tuple[dict, dict]:
    """The latents handed to the VAE are `latents/final`."""
    pipeline = pipeline_of(model, class_name, keys, extra)
    options, tensors = options_of(extra)

    def keep(_pipeline, _index, _timestep, values):
        tensors["latents/final"] = values["latents"].clone()
        return values

    options |= {"prompt": PROMPT, "negative_prompt": NEGATIVE, "num_inference_steps": STEPS}
    options |= {"guidance_scale": GUIDANCE, "clip_skip": extra.get("clip_skip")}
    picture = pipeline(**options, generator=generator(SEED), output_type="np", callback_on_step_end=keep).images
    tensors["picture_uint8"] = thinned(torch.from_numpy((picture * 255).round().astype(numpy.uint8)))
    return tensors, {"timesteps": [float(t) for t in pipeline.scheduler.timesteps]}


def main() -> None:
    tensors, about = {}, {}
    for name, (model, class_name, keys, extra) in CASES.items():
        values, more = run_case(model, class_name, keys, extra)
        tensors |= {f"{name}/{key}": value for key, value in values.items()}
        about[name] = {"model": model, "class": class_name, "keys": keys} | extra | more
    shared = {"prompt": PROMPT, "negative_prompt": NEGATIVE, "steps": STEPS, "guidance_scale": GUIDANCE}
    shared |= {"seed": SEED, "width": WIDTH, "height": HEIGHT, "cases": about}
    save_tensors(FIXTURES / "pictures" / "pictures.safetensors", tensors)
    save_json(FIXTURES / "pictures" / "cases.json", shared)


if __name__ == "__main__":
    main()

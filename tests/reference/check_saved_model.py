#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Opens a saved model with diffusers, offline, and makes one picture; prints a JSON line with its hash.

    check_saved_model.py DIR [--lora FILE] [--output picture.npy]
    check_saved_model.py FILE.safetensors --config DIR ...

SDXL is told by the folder's model_index.json. A single file holds no configuration: diffusers then needs --config, a
diffusers folder of the same architecture with its tokenizers (offline it cannot fetch them). An empty negative prompt
is one that nobody wrote: SDXL takes zeros for it where its model_index.json says so. Compare the picture with another
one by --compare FILE: .npy, or any picture file; the greatest and mean difference in steps of 1/255 are printed, and
exceeding --tolerance exits with 1.
"""

import argparse
import hashlib
import json
import os
import sys
import warnings
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
warnings.filterwarnings("ignore")

import diffusers
import numpy
import torch

SCHEDULERS = {
    "ddpm": ("DDPMScheduler", {}),
    "ddim": ("DDIMScheduler", {}),
    "pndm": ("PNDMScheduler", {}),
    "euler": ("EulerDiscreteScheduler", {}),
    "euler_a": ("EulerAncestralDiscreteScheduler", {}),
    "dpmpp_2m": ("DPMSolverMultistepScheduler", {}),
    "dpmpp_2m_karras": ("DPMSolverMultistepScheduler", {"use_karras_sigmas": True}),
    "dpmpp_2m_sde": ("DPMSolverMultistepScheduler", {"algorithm_type": "sde-dpmsolver++"}),
    "unipc": ("UniPCMultistepScheduler", {}),
    "lcm": ("LCMScheduler", {}),
}
# pipeline: what it is to leave out of the pictures
PIPELINES = {"StableDiffusionPipeline": {"safety_checker": None}, "StableDiffusionXLPipeline": {"add_watermarker": False}}


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--config", type=Path, help="diffusers folder that gives a single file its configuration")
    parser.add_argument("--lora", type=Path)
    parser.add_argument("--lora-weight", type=float, default=1.0)
    parser.add_argument("--prompt", default="a photo of sks dog")
    parser.add_argument("--negative", default="")
    parser.add_argument("--steps", type=int, default=5)
    parser.add_argument("--guidance", type=float, default=7.5)
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--width", type=int)
    parser.add_argument("--height", type=int)
    parser.add_argument("--scheduler", choices=SCHEDULERS, help="without it: what the model's file says")
    parser.add_argument("--output", type=Path, help=".npy [H, W, 3] uint8, or a picture file")
    parser.add_argument("--compare", type=Path)
    parser.add_argument("--tolerance", type=int, default=1, help="greatest difference in steps of 1/255")
    return parser.parse_args()


def pipeline_name(folder: Path) -> str:
    name = json.loads((folder / "model_index.json").read_text())["_class_name"]
    if name not in PIPELINES:
        raise SystemExit(f"{folder}: expected one of {', '.join(PIPELINES)}, found {name}")
    return name


def open_model(options: argparse.Namespace):
    if not options.model.is_dir() and options.config is None:
        raise SystemExit("opening a single file: expected --config DIR, a diffusers folder of the same architecture")
    name = pipeline_name(options.model if options.model.is_dir() else options.config)
    kind = getattr(diffusers, name)
    common = {"torch_dtype": torch.float32, "local_files_only": True} | PIPELINES[name]
    if options.model.is_dir():
        pipeline = kind.from_pretrained(options.model, **common)
    else:
        pipeline = kind.from_single_file(str(options.model), config=str(options.config), **common)
    pipeline.set_progress_bar_config(disable=True)
    if options.scheduler:
        name, keys = SCHEDULERS[options.scheduler]
        pipeline.scheduler = getattr(diffusers, name).from_config(pipeline.scheduler.config | keys)
    if options.lora:
        pipeline.load_lora_weights(str(options.lora.parent), weight_name=options.lora.name, adapter_name="checked")
        pipeline.set_adapters(["checked"], [options.lora_weight])
    return pipeline


def read_picture(path: Path) -> numpy.ndarray:
    if path.suffix == ".npy":
        return numpy.load(path)
    from PIL import Image

    return numpy.asarray(Image.open(path).convert("RGB"))


def write_picture(path: Path, pixels: numpy.ndarray) -> None:
    if path.suffix == ".npy":
        numpy.save(path, pixels)
        return
    from PIL import Image

    Image.fromarray(pixels).save(path)


def main() -> int:
    options = parse()
    pipeline = open_model(options)
    picture = pipeline(
        prompt=options.prompt,
        negative_prompt=options.negative or None,
        num_inference_steps=options.steps,
        guidance_scale=options.guidance,
        width=options.width,
        height=options.height,
        generator=torch.Generator("cpu").manual_seed(options.seed),
        output_type="np",
    ).images[0]
    pixels = (picture * 255).round().astype(numpy.uint8)
    report = {
        "model": str(options.model),
        "pipeline": type(pipeline).__name__,
        "opened_by": "from_pretrained" if options.model.is_dir() else "from_single_file",
        "scheduler": type(pipeline.scheduler).__name__,
        "prediction_type": pipeline.scheduler.config.prediction_type,
        "shape": list(pixels.shape),
        "sha256": hashlib.sha256(pixels.tobytes()).hexdigest(),
        "mean": float(pixels.mean()),
        "finite": bool(numpy.isfinite(picture).all()),
    }
    if options.output:
        write_picture(options.output, pixels)
        report["output"] = str(options.output)
    failed = not report["finite"]
    if options.compare:
        other = read_picture(options.compare)
        if other.shape != pixels.shape:
            report["compare"] = f"expected shape {pixels.shape}, found {other.shape}"
            failed = True
        else:
            difference = numpy.abs(other.astype(int) - pixels.astype(int))
            report |= {"greatest_difference": int(difference.max()), "mean_difference": float(difference.mean())}
            failed |= int(difference.max()) > options.tolerance
    print(json.dumps(report))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

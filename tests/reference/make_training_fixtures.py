# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Training trajectories of five steps: full, with the text encoder, v-prediction with min-SNR, LoRA.

Every step is that of diffusers' DreamBooth: noise is added by the DDPM formula, instance and class halves are
concatenated (instance first), the loss is mse(instance) + 1.0 * mse(class), the gradient norm of all trained
parameters together is clipped to 1, AdamW steps. What is kept was computed in fp64, so that no processor's rounding
is part of it. Each case runs in fp32, too: the difference says how much of a parameter's final value rounding alone
decides. AdamW makes steps of full size of gradients that are near nothing, so that this hangs on the inputs by chance:
of several seeds the one is taken whose two runs are nearest to each other.
"""

import torch
from diffusers.training_utils import compute_snr
from transformers import CLIPTokenizer

from common import FIXTURES, packed, randn, save_json, save_tensors, thinned
from training_cases import CASES, CLIP_NORM, OPTIMIZER, PROMPTS, STEPS, Trained

SEEDS = 8
LATENTS = (4, 4, 8, 8)  # two of the instance, two of the class
TEXT = ("input_ids", "encoder_hidden_states")


def inputs_of(step: int, seed: int) -> dict:
    """Latents (scaled), noise and timesteps of one step; numbers that fp16 has, as fp32, or int64."""
    draw = torch.Generator().manual_seed(seed + 1000 + step)
    return {
        "latents": (randn(LATENTS, seed + 10 * step) * 0.9).half().float(),
        "noise": randn(LATENTS, seed + 10 * step + 1).half().float(),
        "timesteps": torch.randint(0, 1000, (LATENTS[0],), generator=draw),
    }


def token_ids(model: str, prior: bool) -> torch.Tensor:
    tokenizer = CLIPTokenizer.from_pretrained(FIXTURES / model / "tokenizer")
    prompts = [PROMPTS[0]] * 2 + [PROMPTS[1] if prior else PROMPTS[0]] * 2
    return tokenizer(prompts, padding="max_length", max_length=77, truncation=True, return_tensors="pt").input_ids


def squared_error(prediction, target, weights=None) -> torch.Tensor:
    """Mean over a sample, times its weight, mean over the batch; in fp32 or better."""
    error = (prediction - target).square().mean(dim=(1, 2, 3))
    return (error if weights is None else error * weights).mean()


def snr_weights(scheduler, timesteps, gamma: float) -> torch.Tensor:
    snr = compute_snr(scheduler, timesteps)
    divisor = snr + 1 if scheduler.config.prediction_type == "v_prediction" else snr
    return snr.clamp(max=gamma) / divisor


def loss_of(trained: Trained, case: dict, step: dict, text: torch.Tensor) -> torch.Tensor:
    scheduler, dtype = trained.scheduler, text.dtype
    latents, noise, timesteps = step["latents"].to(dtype), step["noise"].to(dtype), step["timesteps"]
    noisy = scheduler.add_noise(latents, noise, timesteps)
    prediction = trained.unet(noisy, timesteps, text).sample
    is_v = scheduler.config.prediction_type == "v_prediction"
    target = scheduler.get_velocity(latents, noise, timesteps) if is_v else noise
    weights = None
    if "min_snr_gamma" in case:
        weights = snr_weights(scheduler, timesteps, case["min_snr_gamma"]).to(dtype)
    if not case.get("prior", True):
        return squared_error(prediction, target, weights)
    half = LATENTS[0] // 2
    return squared_error(prediction[:half], target[:half]) + 1.0 * squared_error(prediction[half:], target[half:])


def run(case: dict, seed: int, dtype: torch.dtype) -> dict:
    """Loss and gradient norm (before clipping) of each step, and everything needed to do the same."""
    trained = Trained(case, dtype)
    ids = token_ids(case["model"], case.get("prior", True))
    optimizer = torch.optim.AdamW(trained.parameters.values(), **OPTIMIZER)
    tensors = {"input_ids": ids}
    tensors |= {f"initial/{key}": p.detach().clone() for key, p in trained.parameters.items() if "lora_down" in key}
    frozen = trained.text(ids).last_hidden_state.detach()
    tensors["encoder_hidden_states"] = frozen
    losses, norms = [], []
    for index in range(STEPS):
        step = inputs_of(index, seed)
        tensors |= {f"step/{index}/{key}": value for key, value in step.items()}
        text = trained.text(ids).last_hidden_state if trained.with_text else frozen
        loss = loss_of(trained, case, step, text)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        if index == 0:
            zero = [k for k, p in trained.parameters.items() if p.grad.norm() < 1e-6 and "lora_down" not in k]
        norms.append(torch.nn.utils.clip_grad_norm_(trained.parameters.values(), CLIP_NORM))
        optimizer.step()
        losses.append(loss.detach())
    tensors |= {"loss": torch.stack(losses), "gradient_norm": torch.stack(norms)}
    kept = trained.parameters.items()
    if trained.with_text and "lora" not in case:  # the UNet's are left out for size
        kept = [(key, p) for key, p in kept if key.startswith("text_encoder/")]
    tensors |= {f"final/{key}": p.detach().clone() for key, p in kept}
    return {"tensors": tensors, "vanishing": zero}


def rounding(single: dict, double: dict) -> dict:
    """Norm-wise difference of fp32 to fp64 for each final parameter, relative to the parameter."""
    keys = [key for key in single if key.startswith("final/")]
    return {k[6:]: float((single[k].double() - double[k]).norm() / double[k].norm().clamp(min=1e-12)) for k in keys}


def in_single(tensors: dict) -> dict:
    return {key: value.float() if value.is_floating_point() else value for key, value in tensors.items()}


def given_in_half(tensors: dict) -> dict:
    """What a trajectory begins with in half the room: the same numbers."""
    short = {key: value.half() for key, value in tensors.items()
             if key.startswith(("step/", "initial/")) and value.is_floating_point()}
    assert all(torch.equal(value.float(), tensors[key]) for key, value in short.items())
    return tensors | short


def in_rows(tensors: dict) -> dict:
    """What each component starts from and, thinned, ends with, without the names of its parameters."""
    rows, others = {}, {}
    for key, value in tensors.items():
        kind, *rest = key.split("/", 2)
        if kind in ("initial", "final"):
            row = rows.setdefault(f"{kind}/{rest[0]}", {})
            row[rest[1]] = thinned(value) if kind == "final" else value
        else:
            others[key] = value
    return others | {key: packed(row) for key, row in rows.items()}


def both(case: dict, seed: int) -> tuple:
    single, double = (run(case, seed, dtype) for dtype in (torch.float32, torch.float64))
    return rounding(single["tensors"], double["tensors"]), single, double


def greatest(noise: dict) -> float:
    """Without key biases, whose gradient is mathematically zero."""
    return max(value for key, value in noise.items() if not key.endswith("k_proj.bias"))


def main() -> None:
    about = {}
    for index, (name, case) in enumerate(CASES.items()):
        tried = [both(case, 5000 + 50 * index + 1000 * number) for number in range(SEEDS)]
        noise, single, double = min(tried, key=lambda one: greatest(one[0]))
        about[name] = case | {
            "steps": STEPS,
            "optimizer": OPTIMIZER,
            "clip_norm": CLIP_NORM,
            "prior_loss_weight": 1.0 if case.get("prior", True) else None,
            "vanishing_gradient_first_step": single["vanishing"],
            "rounding_above_5e-5": {key: value for key, value in noise.items() if value > 5e-5},
            "rounding_greatest": greatest(noise),
        }
        print(name, single["tensors"]["loss"].tolist(), single["tensors"]["gradient_norm"].tolist())
        print({k: v for k, v in about[name].items() if "rounding" in k or "vanish" in k})
        tensors = given_in_half(in_rows(in_single(double["tensors"])))
        text = {key: tensors.pop(key) for key in TEXT}  # that of every case of the model
        save_tensors(FIXTURES / "training" / f"{name}.safetensors", tensors)
        save_tensors(FIXTURES / "training" / f"text_{case['model']}.safetensors", text)
    save_json(FIXTURES / "training" / "cases.json", about)


if __name__ == "__main__":
    main()

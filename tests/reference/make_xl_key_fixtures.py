# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""The keys of tiny-sdxl as one file and of its LoRA in kohya's names: fixtures/xl/{single,lora}_keys.tsv, and the real
model's keys as one hash: single_full_size.json.

Both tables are checked by the way back: diffusers opens such a file and must have every tensor where it was.
"""

import hashlib
import json
import logging
import re
import tempfile
from pathlib import Path

import torch
from diffusers import StableDiffusionXLPipeline, UNet2DConditionModel
from diffusers.loaders import single_file_utils
from diffusers.loaders.lora_conversion_utils import (
    _convert_non_diffusers_lora_to_diffusers,
    _maybe_map_sgm_blocks_to_diffusers,
)
from safetensors.torch import load_file, save_file

from common import FIXTURES, save_json, text_file_key
from sgm_names import NAMES, PREFIXES, UNUSED, lora_name, their_shape
from tiny_models import KINDS, XL, load_config

MODEL = FIXTURES / "tiny-sdxl"
TARGET = FIXTURES / "xl"
PUBLISHED = 2515  # keys of the file that was published
ADAPTED = {
    "unet": r".*\.(to_q|to_k|to_v|to_out\.0|ff\.net\.0\.proj|ff\.net\.2|proj_in|proj_out)",
    "text": r".*\.(q_proj|k_proj|v_proj|out_proj|fc1|fc2)",
}


def config_of(part: str) -> dict:
    return json.loads((MODEL / part / "config.json").read_text())


def tensors_of(part: str) -> dict:
    (file,) = (MODEL / part).glob("*.safetensors")
    return load_file(str(file))


def placed(part: str, parameters: dict, config: dict) -> dict:
    """Their full name: module theirs and ours, suffix theirs, suffixes ours, shape."""
    found = {}
    # Queries, keys and values in this order, as they follow each other in a fused tensor.
    for ours in sorted(parameters, key=lambda name: name.replace("q_proj", "a").replace("k_proj", "b")):
        theirs, module, their_suffix, suffix = NAMES[part](ours, config)
        full = ".".join(filter(None, (theirs, their_suffix)))
        entry = found.setdefault(PREFIXES[part] + full, {"modules": (theirs, module), "theirs": their_suffix, "ours": []})
        entry["ours"].append(suffix)
    for full, entry in found.items():
        shapes = [parameters[name].shape for name in our_names(entry)]
        entry["shape"] = their_shape(part, full, shapes)
    return found


def our_names(entry: dict) -> list:
    return [".".join(filter(None, (entry["modules"][1], suffix))) for suffix in entry["ours"]]


def as_single(part: str, tensors: dict, entries: dict) -> dict:
    """The tensors as the single file holds them."""
    held = {}
    for full, entry in entries.items():
        value = torch.cat([tensors[name] for name in our_names(entry)])
        value = value.T if full.endswith("text_projection") else value
        held[full] = value.reshape(entry["shape"]).clone().contiguous()
    return held


def unused() -> dict:
    return {PREFIXES[part] + module + name: shape for part, (module, name, shape) in UNUSED.items()}


def check_way_back(held: dict) -> None:
    """diffusers opens the file by the folder's configuration and has our tensors."""
    held = held | {name: torch.ones(shape) for name, shape in unused().items()}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "single.safetensors"
        save_file(held, str(file))
        pipeline = StableDiffusionXLPipeline.from_single_file(str(file), config=str(MODEL), local_files_only=True)
    for part in KINDS:
        found = getattr(pipeline, part).state_dict()
        for name, value in tensors_of(part).items():
            ours = name if name in found else name.removeprefix("text_model.")
            if not torch.equal(found.pop(ours), value):
                raise ValueError(f"{part}: {name} came back as another")
        if set(found) - {"embeddings.position_ids", "text_model.embeddings.position_ids"}:
            raise ValueError(f"{part}: not written: {sorted(found)}")


def cell(shape: tuple) -> str:
    return ",".join(map(str, shape))


def with_dot(module: str) -> str:
    return module and module + "."


def single_table(entries: dict) -> str:
    """A line for each module, how names below it begin; then one for each tensor that it holds."""
    lines = []
    for part, held in entries.items():
        modules: dict = {}
        for entry in held.values():
            modules.setdefault(entry["modules"], []).append(entry)
        for (theirs, ours), below in modules.items():
            lines.append("\t".join((part, PREFIXES[part] + with_dot(theirs), with_dot(ours))).rstrip("\t"))
            for entry in below:
                joined = "+".join(entry["ours"])
                cells = ["", entry["theirs"], cell(entry["shape"])] + ([joined] if joined != entry["theirs"] else [])
                lines.append("\t".join(cells))
            module, name, shape = UNUSED.get(part, (None, None, None))
            if with_dot(theirs) == module:
                lines.append(f"\t{name}\t{cell(shape)}\t-")
    return "\n".join(lines) + "\n"


def parameters_of(part: str, config: dict) -> dict:
    """Of the real model, without values, by the names that users' files have."""
    with torch.device("meta"):
        parameters = dict(KINDS[part](config).named_parameters())
    is_text = part.startswith("text_encoder")
    return {text_file_key(name) if is_text else name: value for name, value in parameters.items()}


def check_full_size(part: str, parameters: dict, config: dict, theirs: dict) -> None:
    """diffusers finds our names and shapes again."""
    held = {name: torch.empty(shape, device="meta") for name, shape in theirs.items()}
    if part == "unet":
        back = single_file_utils.convert_ldm_unet_checkpoint(held, config)
    elif part == "vae":
        back = single_file_utils.convert_ldm_vae_checkpoint(held, config)
    elif part == "text_encoder":
        back = single_file_utils.convert_ldm_clip_checkpoint(held)
    else:
        back = single_file_utils.convert_open_clip_checkpoint(None, held, prefix=PREFIXES[part])
    if {name: value.shape for name, value in back.items()} != {name: value.shape for name, value in parameters.items()}:
        raise ValueError(f"{part}: the real model's names or shapes come back as others")


def full_size() -> dict:
    """SHA-256 over lines `name extent extent ...`, sorted by their bytes, of the real model's single file."""
    shapes = unused()
    for part in KINDS:
        config = load_config(XL["real"], part)
        parameters = parameters_of(part, config)
        theirs = {full: entry["shape"] for full, entry in placed(part, parameters, config).items()}
        check_full_size(part, parameters, config, theirs)
        shapes |= theirs
    if len(shapes) != PUBLISHED:
        raise ValueError(f"{len(shapes)} keys instead of {PUBLISHED}")
    lines = sorted(" ".join([name, *map(str, shape)]).encode() + b"\n" for name, shape in shapes.items())
    return {"tensors": len(lines), "sha256": hashlib.sha256(b"".join(lines)).hexdigest()}


def lora_rows() -> list:
    """kohya's name, component, module of diffusers: what a LoRA of all attentions and feed-forwards adapts."""
    rows = []
    for part in ("unet", "text_encoder", "text_encoder_2"):
        pattern, config = ADAPTED["unet" if part == "unet" else "text"], config_of(part)
        modules = sorted({name.rpartition(".")[0] for name in tensors_of(part)})
        rows += [(lora_name(part, name, config), part, name) for name in modules if re.fullmatch(pattern, name)]
    return rows


def plain(key: str) -> str:
    """A module's name from diffusers' older names of LoRA's tensors."""
    key = re.sub(r"\.lora(_linear_layer)?\.down\.weight$|_lora\.down\.weight$", "", key).replace(".processor", "")
    if key.startswith("unet."):
        return re.sub(r"to_out$", "to_out.0", key)
    parts = {"to_q": "q_proj", "to_k": "k_proj", "to_v": "v_proj", "to_out": "out_proj"}
    return re.sub(r"to_(q|k|v|out)$", lambda match: parts[match.group(0)], key)


def check_lora(rows: list) -> None:
    state = {}
    for index, (name, _, _) in enumerate(rows):
        state |= {f"{name}.lora_down.weight": torch.full((1, 1), float(index)), f"{name}.lora_up.weight": torch.zeros(1, 1)}
    unet = UNet2DConditionModel.from_pretrained(MODEL / "unet")
    back, _ = _convert_non_diffusers_lora_to_diffusers(_maybe_map_sgm_blocks_to_diffusers(state, unet.config))
    found = {int(value): plain(key) for key, value in back.items() if ".up." not in key}
    wanted = {index: f"{part}.{module}" for index, (_, part, module) in enumerate(rows)}
    wrong = {index: (name, found.get(index)) for index, name in wanted.items() if found.get(index) != name}
    if wrong or len(found) != len(rows):
        raise ValueError(f"came back as another: {wrong}")


def main() -> None:
    logging.disable(logging.WARNING)
    entries, held = {}, {}
    for part in KINDS:
        tensors = tensors_of(part)
        entries[part] = placed(part, tensors, config_of(part))
        held |= as_single(part, tensors, entries[part])
    check_way_back(held)
    rows = lora_rows()
    check_lora(rows)
    TARGET.mkdir(parents=True, exist_ok=True)
    (TARGET / "single_keys.tsv").write_text(single_table(entries))
    (TARGET / "lora_keys.tsv").write_text("".join("\t".join(row) + "\n" for row in rows))
    save_json(TARGET / "single_full_size.json", full_size())
    for name in ("single_keys.tsv", "lora_keys.tsv"):
        print(f"{name}: {(TARGET / name).stat().st_size} bytes")


if __name__ == "__main__":
    main()

# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Pictures that the engine makes for an evaluation, and sheets of them."""

import json
import subprocess
from pathlib import Path

from PIL import Image, ImageDraw

TILE = 128
TEXT_WIDTH = 260
GAP = 4


def make_pictures(engine: Path, model: Path, prompts: list, folder: Path, steps: int, guidance: float) -> list:
    """The path of each prompt's picture, made with its number as the seed; those that are there stay."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{index:04d}.png" for index in range(len(prompts))]
    wanted = [index for index, path in enumerate(paths) if not path.exists()]
    if not wanted:
        return paths
    with subprocess.Popen([engine, "sample", "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as server:
        for done, index in enumerate(wanted):
            request = {"model": str(model.resolve()), "prompt": prompts[index], "seed": index, "steps": steps,
                       "guidanceScale": guidance, "outputDir": str((folder / "made").resolve())}
            server.stdin.write(json.dumps({"command": "generate", "request": request}) + "\n")
            server.stdin.flush()
            made_by(server).rename(paths[index])
            print(f"\r{done + 1} of {len(wanted)}", end="", flush=True)
        server.stdin.close()
    print()
    return paths


def make_seeds(engine: Path, model: Path, wishes: dict) -> dict:
    """The paths of pictures of the seeds from 0 on, for each folder in `wishes` those of its request. The model is
    loaded once, and only where pictures are missing."""
    made = {folder: [folder / f"{seed:04d}.png" for seed in range(wish["count"])] for folder, wish in wishes.items()}
    wanted = [folder for folder, paths in made.items() if not all(path.exists() for path in paths)]
    if not wanted:
        return made
    with subprocess.Popen([engine, "sample", "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as server:
        for folder in wanted:
            folder.mkdir(parents=True, exist_ok=True)
            request = {"model": str(model.resolve()), "seed": 0, "outputDir": str((folder / "made").resolve())}
            server.stdin.write(json.dumps({"command": "generate", "request": request | wishes[folder]}) + "\n")
            server.stdin.flush()
            for one, path in zip(all_made_by(server), made[folder]):
                one.rename(path)
        server.stdin.close()
    return made


def decoded_pictures(engine: Path, model: Path, originals: list, folder: Path, threads: int = 0) -> list:
    """The path of each original as the model's autoencoder gives it back, from next to no noise: a measure of how
    near pictures of the model can come. Names of originals differ without their endings."""
    request = {"prompt": "a photo", "count": 1, "steps": 20, "strength": 0.05, "guidanceScale": 1.0, "threads": threads}
    wishes = {folder / one.stem: request | {"initImage": str(one.resolve())} for one in originals}
    made = make_seeds(engine, model, wishes)
    return [path for paths in made.values() for path in paths]


def made_by(server: subprocess.Popen) -> Path:
    """The picture of the request that is under way."""
    return all_made_by(server)[0]


def all_made_by(server: subprocess.Popen) -> list:
    """The pictures of the request that is under way, in the order of their seeds."""
    for line in server.stdout:
        event = json.loads(line)
        if event["type"] == "outcome":
            if event["outcome"] != "done":
                raise SystemExit(f"no picture was made: {event['message']}")
            return [Path(path) for path in event["result"]]
    raise SystemExit("the engine ended without an answer")


def sheet(rows: list, path: Path) -> None:
    """Rows of (text, pictures)."""
    width = max(len(pictures) for _, pictures in rows)
    page = Image.new("RGB", (TEXT_WIDTH + width * (TILE + GAP), len(rows) * (TILE + GAP)), "white")
    draw = ImageDraw.Draw(page)
    for line, (text, pictures) in enumerate(rows):
        draw.multiline_text((6, line * (TILE + GAP) + 50), text, fill="black")
        for column, picture in enumerate(pictures):
            with Image.open(picture) as one:
                page.paste(one.convert("RGB").resize((TILE, TILE)),
                           (TEXT_WIDTH + column * (TILE + GAP), line * (TILE + GAP)))
    page.save(path)

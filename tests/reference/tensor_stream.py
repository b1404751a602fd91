# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""A safetensors file of tensors of one type written one at a time, in any order: weights or gradients of a whole model
need not exist twice."""

import json
import struct
from pathlib import Path

import torch

NAMES = {torch.float32: "F32", torch.float16: "F16"}


class TensorStream:
    """Lays the file out from names and shapes; `write` fills it; `close` fails if a tensor is missing."""

    def __init__(self, path: Path, shapes: dict, dtype: torch.dtype = torch.float32):
        entries, end = {}, 0
        for name, shape in shapes.items():
            begin, end = end, end + dtype.itemsize * torch.Size(shape).numel()
            entries[name] = {"dtype": NAMES[dtype], "shape": list(shape), "data_offsets": [begin, end]}
        header = json.dumps({"__metadata__": {"format": "pt"}} | entries).encode()
        header += b" " * (-len(header) % 8)
        self._path, self._entries, self._missing = path, entries, set(entries)
        self._start, self._dtype = 8 + len(header), dtype
        self._file = path.open("wb")
        self._file.write(struct.pack("<Q", len(header)) + header)

    def write(self, name: str, tensor: torch.Tensor) -> None:
        begin, end = self._entries[name]["data_offsets"]
        values = tensor.detach().to(self._dtype).contiguous()
        if values.nbytes != end - begin:
            raise ValueError(f"{self._path.name}: {name} has shape {list(tensor.shape)}, not the one laid out")
        self._file.seek(self._start + begin)
        self._file.write(memoryview(values.numpy()).cast("B"))
        self._missing.discard(name)

    def close(self) -> None:
        self._file.close()
        if self._missing:
            raise RuntimeError(f"{self._path.name}: {len(self._missing)} tensors were never written")
        print(f"{self._path.name}: {self._path.stat().st_size} bytes, {len(self._entries)} tensors")

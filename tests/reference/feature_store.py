# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Features of picture files, kept between evaluations: a picture is looked at again only when its file has changed."""

import array
import contextlib
import sqlite3
from pathlib import Path
from typing import Callable

BATCH = 256  # what is found is kept so often: an evaluation that is stopped goes on there


def stamp_of(path: Path) -> tuple:
    status = path.stat()
    return status.st_size, status.st_mtime_ns


def stored_features(file: Path, paths: list, compute: Callable) -> list:
    """An array of 32-bit floats for each path, in their order.

    compute: from a list of paths to as many rows of numbers; asked for those alone that `file` does not have."""
    with contextlib.closing(sqlite3.connect(file)) as store:
        store.execute("CREATE TABLE IF NOT EXISTS features (path TEXT PRIMARY KEY, bytes INTEGER, changed INTEGER, "
                      "numbers BLOB)")
        wanted = [path for path in dict.fromkeys(paths) if not is_known(store, path)]
        for begin in range(0, len(wanted), BATCH):
            batch = wanted[begin : begin + BATCH]
            stamps = [stamp_of(path) for path in batch]
            rows = [(str(path), *stamp, array.array("f", row).tobytes())
                    for path, stamp, row in zip(batch, stamps, compute(batch), strict=True)]
            with store:
                store.executemany("INSERT OR REPLACE INTO features VALUES (?, ?, ?, ?)", rows)
        return [numbers_of(store, path) for path in paths]


def is_known(store: sqlite3.Connection, path: Path) -> bool:
    row = store.execute("SELECT bytes, changed FROM features WHERE path = ?", (str(path),)).fetchone()
    return row == stamp_of(path)


def numbers_of(store: sqlite3.Connection, path: Path) -> array.array:
    numbers = array.array("f")
    numbers.frombytes(store.execute("SELECT numbers FROM features WHERE path = ?", (str(path),)).fetchone()[0])
    return numbers

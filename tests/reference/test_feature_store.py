#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Which pictures are looked at again, and which are not. Needs only Python."""

import os
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

import feature_store  # noqa: E402


class FeatureStore(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.asked = []
        self.paths = [self.picture(name, name) for name in "abcde"]

    def picture(self, name, contents):
        path = self.folder / name
        path.write_text(contents)
        return path

    def compute(self, paths):
        self.asked += [path.name for path in paths]
        return [[float(ord(path.read_text()[0])), 0.5] for path in paths]

    def features(self):
        rows = feature_store.stored_features(self.folder / "store", self.paths, self.compute)
        return [list(row) for row in rows]

    def test_each_is_looked_at_once(self):
        first = self.features()
        self.assertEqual(first, [[float(ord(name)), 0.5] for name in "abcde"])
        self.assertEqual(self.features(), first)
        self.assertEqual(self.asked, list("abcde"))

    def test_a_changed_one_is_looked_at_again(self):
        self.features()
        self.picture("c", "x")
        os.utime(self.folder / "c", ns=(1, 1))
        self.assertEqual(self.features()[2][0], float(ord("x")))
        self.assertEqual(self.asked, [*"abcde", "c"])

    def test_the_order_is_that_of_the_paths(self):
        self.features()
        self.paths.reverse()
        self.assertEqual([row[0] for row in self.features()], [float(ord(name)) for name in "edcba"])

    def test_what_was_found_before_a_stop_is_kept(self):
        feature_store.BATCH, before = 2, feature_store.BATCH
        self.addCleanup(setattr, feature_store, "BATCH", before)

        def stops_at_the_second_batch(paths):
            if self.asked:
                raise KeyboardInterrupt
            return self.compute(paths)

        with self.assertRaises(KeyboardInterrupt):
            feature_store.stored_features(self.folder / "store", self.paths, stops_at_the_second_batch)
        self.features()
        self.assertEqual(self.asked, list("abcde"))


if __name__ == "__main__":
    unittest.main()

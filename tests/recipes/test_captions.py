# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Captions read like what a person would type. Needs only Python."""

import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parents[2] / "resources" / "recipes"))

import captions  # noqa: E402


class Captions(unittest.TestCase):
    def test_articles_fit_the_noun(self):
        for name, phrase in {"red apple": "a red apple", "umbrella": "an umbrella", "unicorn": "a unicorn",
                             "clapping hands": "clapping hands", "bread": "bread", "Santa Claus": "Santa Claus",
                             "ring buoy": "a ring buoy", "woman in tuxedo": "a woman in tuxedo"}.items():
            self.assertEqual(captions.article(name), phrase)

    def test_names_with_a_colon_become_sentences(self):
        self.assertEqual(captions.untoned_phrases("woman: red hair"), ["a woman with red hair"])
        self.assertEqual(captions.untoned_phrases("flag: Japan")[0], "the flag of Japan")
        self.assertEqual(captions.untoned_phrases("family: man, girl"), ["a family of a man and a girl"])

    def test_skin_tones_are_named(self):
        base, tones = captions.split_tones("woman: dark skin tone, red hair")
        self.assertEqual((base, tones), ("woman: red hair", ["dark"]))
        self.assertEqual(captions.toned("a woman with red hair", tones), "a woman with dark skin and red hair")
        self.assertEqual(captions.toned("a man running", ["light"]), "a man with light skin running")
        self.assertTrue(captions.toned("people holding hands", ["light", "dark"]).endswith(
            "one with light skin and one with dark skin"))

    def test_every_ground_but_white_is_always_named(self):
        for where in (" on a blue background", " in the snow"):
            for text in captions.sentences(["a dog"], "an animal", ["pet"], "an emoji", where):
                self.assertIn(where, text)
        on_white = captions.sentences(["a dog"], "an animal", [], "an emoji", " on a white background")
        self.assertEqual(on_white[0], "a dog")
        self.assertIn("a dog on a white background", on_white)


if __name__ == "__main__":
    unittest.main()

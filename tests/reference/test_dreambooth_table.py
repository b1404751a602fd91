#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""How DreamBooth's results are judged."""

import unittest

from dreambooth_table import judge_likeness, judge_variety, recognition_table, rises, table, verdict


def record(likeness, variety):
    """Of untrained, without and with preservation; pictures of one kind differ a little."""
    kinds = ("untrained", "without", "with")
    return {"class": "dog", "photos": 5, "likenessOfPhotos": 0.7, "likenessOfDecoded": 0.6,
            "likeness": {kind: [value - 0.01, value, value + 0.01] for kind, value in zip(kinds, likeness)},
            "variety": dict(zip(kinds, variety)), "drawn": dict(zip(kinds, (0.4, 0.7, 0.45))), "kept": {"without": 0.4, "with": 0.8}}


class DreamboothTable(unittest.TestCase):
    def test_a_rise_counts_where_it_can_be_seen_and_is_no_chance(self):
        self.assertTrue(rises([0.30, 0.32, 0.34], [0.50, 0.52, 0.54]))
        self.assertFalse(rises([0.30, 0.32, 0.34], [0.33, 0.35, 0.37]))
        self.assertFalse(rises([0.1, 0.3, 0.6], [0.2, 0.4, 0.8]))

    def test_both_trainings_must_become_like_the_photos(self):
        same = (0.2, 0.1, 0.15)
        self.assertEqual(judge_likeness(record((0.3, 0.6, 0.5), same)["likeness"]), "")
        self.assertIn("only without", judge_likeness(record((0.3, 0.6, 0.3), same)["likeness"]))
        self.assertIn("no more", judge_likeness(record((0.3, 0.2, 0.3), same)["likeness"]))

    def test_the_class_must_fall_less_with_preservation(self):
        def judged(*variety):
            return judge_variety(dict(zip(("untrained", "without", "with"), variety)))

        self.assertEqual(judged(0.26, 0.12, 0.15), "")
        self.assertIn("does not help", judged(0.26, 0.15, 0.12))
        self.assertIn("alone", judged(0.11, 0.27, 0.10))
        self.assertEqual(judged(0.11, 0.27, 0.12), "")  # it falls in neither

    def test_the_table_has_a_line_for_each_and_counts(self):
        good = record((0.3, 0.6, 0.5), (0.26, 0.12, 0.15))
        bad = record((0.3, 0.3, 0.3), (0.26, 0.12, 0.10))
        self.assertEqual(verdict(good), "works")
        lines = table({"one": good, "another": bad}).splitlines()
        numbers = "0.70 | 0.60 | 0.30 | 0.30 | 0.30 | 0.26 | 0.12 | 0.10 | 0.40 | 0.70 | 0.45 | 0.40 | 0.80"
        self.assertIn(f"| another | dog | {numbers} | no more like", lines[2])
        self.assertIn("| one | dog | 0.70 | 0.60 | 0.30 | 0.60 | 0.50 | 0.26 | 0.12 | 0.15 | 0.40 | 0.70 | 0.45 | 0.40 | "
                      "0.80 | works |", lines[3])
        self.assertEqual(lines[0].count("|"), lines[1].count("|"))
        self.assertEqual(lines[0].count("|"), lines[3].count("|"))
        self.assertIn("2 subjects: 1 become", lines[-1])
        self.assertIn("The class of 2 loses variety without preservation, and that of 1 of these less with it; that of 0 "
                      "falls with preservation alone", lines[-1])
        self.assertIn("The class of 2 is drawn less", lines[-1])
        self.assertIn("that of 2 is kept better", lines[-1])

    def test_the_second_table_says_what_is_recognised(self):
        def found(likeness, *shares):
            kinds = ("untrained", "without", "with")
            return {"likeness": record(likeness, (0, 0, 0))["likeness"], "recognised": dict(zip(kinds, shares))}

        lines = recognition_table({"one": found((0.3, 0.6, 0.5), 0.0, 1.0, 0.5),
                                   "another": found((0.3, 0.3, 0.3), 0.25, 0.25, 0.0)}).splitlines()
        self.assertEqual(lines[2], "| another | 0.30 | 0.30 | 0.30 | 25 % | 25 % | 0 % |")
        self.assertEqual(lines[0].count("|"), lines[2].count("|"))
        self.assertIn("2 subjects: 1 become", lines[-1])
        self.assertIn("12 % untrained, 62 % without, 25 % with; by chance 50 %", lines[-1])


if __name__ == "__main__":
    unittest.main()

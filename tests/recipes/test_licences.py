#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Drawings whose sources do not say that they are public domain are not learned. Needs only Python."""

import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parents[2] / "resources" / "recipes"))

import licences  # noqa: E402


def drawing(metadata: str, rest: str = "") -> str:
    """As openclipart's files are: the licence of the work, and what that licence permits."""
    return ('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg">\n<metadata><rdf:RDF>\n'
            f'<cc:Work rdf:about="">\n<dc:title>A tiger</dc:title>\n{metadata}\n</cc:Work>\n</rdf:RDF></metadata>\n'
            f'{rest}<path d="M 0 0"/></svg>')


def tag(licence: str) -> str:
    return f'<cc:license rdf:resource="{licence}"/>'


class Licences(unittest.TestCase):
    def test_public_domain_is_taken(self):
        for licence in ("http://web.resource.org/cc/PublicDomain", "http://creativecommons.org/licenses/publicdomain/"):
            self.assertTrue(licences.is_public_domain(drawing(tag(licence))), licence)
        broken_line = '<cc:license\n    rdf:resource="http://web.resource.org/cc/PublicDomain"/>'
        self.assertTrue(licences.is_public_domain(drawing(broken_line)))

    def test_gpl_is_left_out(self):
        self.assertFalse(licences.is_public_domain(drawing(tag("http://creativecommons.org/licenses/GPL/2.0/"))))

    def test_untagged_is_left_out(self):
        self.assertFalse(licences.is_public_domain(drawing("")))
        self.assertFalse(licences.is_public_domain(drawing(tag(""))))
        self.assertFalse(licences.is_public_domain("<svg/>"))

    def test_other_licences_are_left_out(self):
        for licence in ("http://creativecommons.org/licenses/by-sa/3.0/", "http://creativecommons.org/licenses/by/2.0/"):
            self.assertFalse(licences.is_public_domain(drawing(tag(licence))), licence)

    def test_a_second_licence_beside_public_domain_is_no_public_domain(self):
        public, other = (tag(licence) for licence in ("http://web.resource.org/cc/PublicDomain",
                                                      "http://creativecommons.org/licenses/GPL/2.0/"))
        self.assertFalse(licences.is_public_domain(drawing(public + other)))
        self.assertFalse(licences.is_public_domain(drawing(other + public)))

    def test_gpl_in_words_outweighs_the_tag(self):
        public = tag("http://web.resource.org/cc/PublicDomain")
        for words in ("This file is licensed under the GNU GPL.", "Its license is LGPL 2.1"):
            self.assertFalse(licences.is_public_domain(drawing(public, f"<!-- {words} -->")), words)


if __name__ == "__main__":
    unittest.main()

# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Which drawings may be learned, by what their sources say of themselves. Needs only Python."""

import re

PUBLIC_DOMAIN = {"http://web.resource.org/cc/PublicDomain", "http://creativecommons.org/licenses/publicdomain/"}


def is_public_domain(svg: str) -> bool:
    """Whether its metadata say so, all of them, and no text in it says otherwise. One without a tag, or with an empty
    one, is nobody's to give."""
    tags = set(re.findall(r'<cc:license\s+rdf:resource="([^"]*)"', svg))
    return bool(tags) and tags <= PUBLIC_DOMAIN and not re.search(r"licen[cs]ed? (?:is|under)[^<]{0,40}GPL", svg)

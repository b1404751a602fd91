#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Writes unicode_tables.cpp beside this script.

The tables are measured, not taken from a Unicode release: every code point is put through the pinned
`tokenizers` package, whose normalisation, lower-casing and character classes come from three libraries that
follow three releases of Unicode. Needs only `tokenizers` (tests/reference/requirements.txt).
"""

import itertools
import unicodedata
from pathlib import Path

import tokenizers
from tokenizers import Regex, normalizers, pre_tokenizers

CODE_POINTS = [c for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF]
HANGUL = range(0xAC00, 0xD7A4)
NFC = normalizers.NFC().normalize_str
NFD = normalizers.NFD().normalize_str
LOWER = normalizers.Lowercase().normalize_str


def members(expression):
    """The code points that match a one-character expression."""
    split = pre_tokenizers.Split(Regex(expression), behavior="removed", invert=True)
    return [c for c in CODE_POINTS if split.pre_tokenize_str(chr(c))]


def white_space():
    replace = normalizers.Replace(Regex(r"\s+"), "")
    return [c for c in CODE_POINTS if not replace.normalize_str(chr(c))]


def ranges(code_points):
    """[(first, last)] of ascending code points."""
    result = []
    for c in code_points:
        if result and result[-1][1] == c - 1:
            result[-1][1] = c
        else:
            result.append([c, c])
    return result


def lower_case():
    """Runs (first, last, step, difference) of one-to-one mappings, and the others as {code point: text}."""
    runs, others = [], {}
    for c in CODE_POINTS:
        text = LOWER(chr(c))
        if text == chr(c):
            continue
        if len(text) != 1:
            others[c] = text
            continue
        difference = ord(text) - c
        if runs and runs[-1][3] == difference:
            first, last, step, _ = runs[-1]
            gap = c - last
            if (first == last and gap <= 2) or (first != last and gap == step):
                runs[-1][1], runs[-1][2] = c, gap
                continue
        runs.append([c, c, 1, difference])
    return runs, others


def decompositions():
    """Canonical one-step decompositions: those that compose again, and those that do not; singles have 0."""
    full = {}
    for c in CODE_POINTS:
        text = NFD(chr(c))
        if text == chr(c):
            continue
        if c in HANGUL:
            s = c - 0xAC00
            expected = chr(0x1100 + s // 588) + chr(0x1161 + s % 588 // 28)
            expected += chr(0x11A7 + s % 28) if s % 28 else ""
            assert text == expected, "Hangul is expected to follow the algorithm"
            continue
        full[c] = text
    by_text = {}
    for c, text in full.items():
        by_text.setdefault(text, []).append(c)
    composing, others = [], []
    for c, text in full.items():
        if len(text) == 1:
            others.append((c, ord(text), 0))
            continue
        first = text[:-1]
        if len(first) > 1:
            composed = NFC(first)
            first = composed if len(composed) == 1 else chr(by_text[first][0])
        entry = (c, ord(first), ord(text[-1]))
        (composing if NFC(text) == chr(c) else others).append(entry)
    return composing, others


def combining_classes():
    """Runs (first, last, class). The order of two marks is measured; the numbers are only names for it."""
    low, high = "\u0334", "\u0345"  # classes 1 and 240, the lowest and the highest

    def reorders(left, right):
        return NFD(left + right) != NFD(left) + NFD(right)

    def is_mark(c):
        return len(NFD(chr(c))) == 1 and (reorders(chr(c), low) or reorders(high, chr(c)))

    # Python may follow a later Unicode than the library: a class is represented by a mark that both know.
    by_class = {}
    for c in CODE_POINTS:
        known = unicodedata.combining(chr(c))
        if known and known not in by_class and is_mark(c):
            by_class[known] = chr(c)
    classes = sorted(by_class)
    assert classes[0] == 1 and classes[-1] == 240, "classes 1 to 240 are expected"
    result = []
    for c in CODE_POINTS:
        mark = chr(c)
        if not is_mark(c):
            continue
        own = next(k for k in classes if not reorders(mark, by_class[k]) and not reorders(by_class[k], mark))
        if result and result[-1][1] == c - 1 and result[-1][2] == own:
            result[-1][1] = c
        else:
            result.append([c, c, own])
    return result


def array(kind, name, rows):
    """One C++ array, filled up to 108 columns a line."""
    cells = ["{" + ", ".join(str(v) if i >= 2 and kind != "Decomposition" else f"0x{v:X}" for i, v in enumerate(row))
             + "}" for row in rows]
    lines, line = [], "   "
    for cell in cells:
        if len(line) + len(cell) + 2 > 108:
            lines.append(line)
            line = "   "
        line += f" {cell},"
    lines.append(line)
    body = "\n".join(lines)
    return f"constexpr {kind} {name}Data[] = {{\n{body}\n}};\n"


def main():
    runs, others = lower_case()
    assert others == {0x130: "i\u0307"}, "one long lower-case mapping is expected"
    composing, decomposing = decompositions()
    tables = [
        ("CodePointRange", "kLetters", ranges(members(r"\p{L}"))),
        ("CodePointRange", "kNumbers", ranges(members(r"\p{N}"))),
        ("CodePointRange", "kWhiteSpace", ranges(white_space())),
        ("LowerCaseRun", "kLowerCase", runs),
        ("CombiningClassRun", "kCombiningClasses", combining_classes()),
        ("Decomposition", "kComposing", composing),
        ("Decomposition", "kDecomposing", decomposing),
    ]
    out = [
        "// SPDX-FileCopyrightText: 2026 Homebooth authors",
        "// SPDX-License-Identifier: Apache-2.0",
        "//",
        "// Generated by generate_unicode_tables.py from the behaviour of tokenizers "
        f"{tokenizers.__version__}; do not edit.",
        "// clang-format off",
        '#include "core/base/text/unicode_tables.h"',
        "",
        "namespace homebooth::core {",
        "namespace {",
        "",
    ]
    out += list(itertools.chain.from_iterable((array(*table), ) for table in tables))
    out += ["} // namespace", ""]
    out += [f"const std::span<const {kind}> {name}{{{name}Data}};" for kind, name, _ in tables]
    out += ["", "} // namespace homebooth::core", ""]
    Path(__file__).with_name("unicode_tables.cpp").write_text("\n".join(out))
    for kind, name, rows in tables:
        print(f"{name}: {len(rows)} entries")


if __name__ == "__main__":
    main()

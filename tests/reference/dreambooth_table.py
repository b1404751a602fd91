# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""What was measured of DreamBooth, subject by subject, judged and written as a table. Needs no other package.

A subject's record: {"class", "photos", "likenessOfPhotos", "likenessOfDecoded", "likeness": {kind: [of each picture]},
"variety": {kind: x}, "drawn": {kind: x}} with the kinds untrained, without and with (prior preservation).
"""

from statistics import mean, variance

KINDS = ("untrained", "without", "with")
LEAST_RISE = 0.05  # of a cosine; less is not seen in pictures
MOST_ERRORS = 2.0  # a rise counts where it is more than twice its standard error


def rises(before: list, after: list) -> bool:
    """Whether the mean rises clearly. Both have two values or more."""
    error = (variance(before) / len(before) + variance(after) / len(after)) ** 0.5
    return mean(after) - mean(before) > max(LEAST_RISE, MOST_ERRORS * error)


def judge_likeness(likeness: dict) -> str:
    """Empty: it rises in both trainings."""
    rising = [kind for kind in ("without", "with") if rises(likeness["untrained"], likeness[kind])]
    if len(rising) == 2:
        return ""
    return f"like the photos only {rising[0]} preservation" if rising else "no more like the photos"


def judge_variety(variety: dict) -> str:
    """Empty: the class falls less with preservation than without. Where nothing fell, nothing can be preserved."""
    if variety["with"] > variety["without"]:
        return ""
    fell = variety["without"] < variety["untrained"]
    return "preservation does not help the class" if fell else "the class fell with preservation alone"


def verdict(found: dict) -> str:
    faults = [fault for fault in (judge_likeness(found["likeness"]), judge_variety(found["variety"])) if fault]
    return "; ".join(faults) or "works"


def row(name: str, found: dict) -> str:
    numbers = [found["likenessOfPhotos"], found["likenessOfDecoded"]]
    numbers += [mean(found["likeness"][kind]) for kind in KINDS]
    numbers += [found[what][kind] for what in ("variety", "drawn") for kind in KINDS]
    cells = [name, found["class"], *(f"{number:.2f}" for number in numbers), verdict(found)]
    return "| " + " | ".join(cells) + " |"


def table(subjects: dict) -> str:
    """Markdown."""
    columns = ["subject", "class", "photos among themselves", "decoded", *(f"likeness {kind}" for kind in KINDS),
               *(f"variety {kind}" for kind in KINDS), *(f"drawn {kind}" for kind in KINDS), "verdict"]
    lines = ["| " + " | ".join(columns) + " |", "|---|---|" + "---:|" * (len(columns) - 3) + "---|"]
    lines += [row(name, subjects[name]) for name in sorted(subjects)]
    like = sum(not judge_likeness(found["likeness"]) for found in subjects.values())
    kept = sum(not judge_variety(found["variety"]) for found in subjects.values())
    drawn = sum(found["drawn"]["with"] < found["drawn"]["without"] for found in subjects.values())
    works = sum(verdict(found) == "works" for found in subjects.values())
    counts = (f"{len(subjects)} subjects: {like} become clearly more like their photos, the class of {kept} stays more "
              f"varied with preservation than without, both of {works}. The class of {drawn} is drawn less to the subject "
              "with preservation than without.")
    return "\n".join(lines) + f"\n\n{counts}\n"

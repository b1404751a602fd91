# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""What was measured of DreamBooth, subject by subject, judged and written as a table. Needs no other package.

A subject's record: {"class", "photos", "likenessOfPhotos", "likenessOfDecoded", "likeness": {kind: [of each picture]},
"variety": {kind: x}, "drawn": {kind: x}, "kept": {kind: x}} with the kinds untrained (not of kept), without and with
(prior preservation).
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


def fall(variety: dict, kind: str) -> float:
    """What the class loses of its variety, not below 0."""
    return max(0.0, variety["untrained"] - variety[kind])


def judge_variety(variety: dict) -> str:
    """Empty: the class falls less with preservation than without, or in neither."""
    without, preserved = fall(variety, "without"), fall(variety, "with")
    if preserved < without or preserved == 0.0:
        return ""
    return "preservation does not help the class" if without > 0.0 else "the class fell with preservation alone"


def verdict(found: dict) -> str:
    faults = [fault for fault in (judge_likeness(found["likeness"]), judge_variety(found["variety"])) if fault]
    return "; ".join(faults) or "works"


def row(name: str, found: dict) -> str:
    numbers = [found["likenessOfPhotos"], found["likenessOfDecoded"]]
    numbers += [mean(found["likeness"][kind]) for kind in KINDS]
    numbers += [found[what][kind] for what in ("variety", "drawn") for kind in KINDS]
    numbers += [found["kept"][kind] for kind in KINDS[1:]]
    cells = [name, found["class"], *(f"{number:.2f}" for number in numbers), verdict(found)]
    return "| " + " | ".join(cells) + " |"


def table(subjects: dict) -> str:
    """Markdown."""
    columns = ["subject", "class", "photos among themselves", "decoded", *(f"likeness {kind}" for kind in KINDS),
               *(f"variety {kind}" for kind in KINDS), *(f"drawn {kind}" for kind in KINDS),
               *(f"kept {kind}" for kind in KINDS[1:]), "verdict"]
    lines = ["| " + " | ".join(columns) + " |", "|---|---|" + "---:|" * (len(columns) - 3) + "---|"]
    lines += [row(name, subjects[name]) for name in sorted(subjects)]
    like = sum(not judge_likeness(found["likeness"]) for found in subjects.values())
    falls = [(fall(found["variety"], "without"), fall(found["variety"], "with")) for found in subjects.values()]
    fell = [pair for pair in falls if pair[0] > 0.0]
    alone = [after for before, after in falls if before == 0.0 < after]
    drawn = sum(found["drawn"]["with"] < found["drawn"]["without"] for found in subjects.values())
    same = sum(found["kept"]["with"] > found["kept"]["without"] for found in subjects.values())
    works = sum(verdict(found) == "works" for found in subjects.values())
    counts = (f"{len(subjects)} subjects: {like} become clearly more like their photos. The class of {len(fell)} loses "
              f"variety without preservation, and that of {sum(after < before for before, after in fell)} of these less "
              f"with it; that of {len(alone)} falls with preservation alone, by {max(alone, default=0.0):.2f} at most. Both "
              f"hold of {works}. The class of {drawn} is drawn less to the subject with preservation than without, and that "
              f"of {same} is kept better, seed by seed.")
    return "\n".join(lines) + f"\n\n{counts}\n"


def recognition_table(found: dict) -> str:
    """Markdown, of {subject: {"likeness": {kind: [of each picture]}, "recognised": {kind: share}}}."""
    columns = ["subject", *(f"likeness {kind}" for kind in KINDS), *(f"recognised {kind}" for kind in KINDS)]
    lines = ["| " + " | ".join(columns) + " |", "|---|" + "---:|" * (len(columns) - 1)]
    for name, one in sorted(found.items()):
        cells = [f"{mean(one['likeness'][kind]):.2f}" for kind in KINDS]
        cells += [f"{100 * one['recognised'][kind]:.0f} %" for kind in KINDS]
        lines.append("| " + " | ".join([name, *cells]) + " |")
    like = sum(not judge_likeness(one["likeness"]) for one in found.values())
    shares = [f"{100 * mean(one['recognised'][kind] for one in found.values()):.0f} % {kind}" for kind in KINDS]
    counts = (f"{len(found)} subjects: {like} become clearly more like their photos as the autoencoder gives them back, in "
              f"both trainings. Pictures recognised: {', '.join(shares)}; by chance {100 / len(found):.0f} %.")
    return "\n".join(lines) + f"\n\n{counts}\n"

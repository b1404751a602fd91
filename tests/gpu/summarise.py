#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Makes summary.json of what tests/gpu/run left in a folder: findings, tests with their skip reasons, benchmarks."""

import json
import platform
import sys
import xml.etree.ElementTree as xml
from pathlib import Path


def findings(folder: Path) -> dict:
    lines = (folder / "notes.tsv").read_text().splitlines()
    return dict(line.split("\t", 1) for line in lines if "\t" in line)


def executables(folder: Path) -> list:
    """One entry a test executable, as ctest saw it, with the reasons that skipped tests gave."""
    path = folder / "tests.xml"
    if not path.exists():
        return []
    entries = []
    for case in xml.parse(path).getroot().iter("testcase"):
        printed = (case.findtext("system-out") or "").splitlines()
        reasons = {line.strip() for line, before in zip(printed[1:], printed) if before.rstrip().endswith(": Skipped")}
        skipped = sum(line.startswith("[  SKIPPED ] ") and line.rstrip().endswith(")") for line in printed)
        status = "skipped" if skipped and case.get("status") == "notrun" else case.get("status")
        entry = {"name": case.get("name"), "status": status, "seconds": float(case.get("time", 0))}
        entries.append(entry | ({"skipped": skipped, "reasons": sorted(reasons)} if skipped else {}))
    return entries


def main() -> None:
    folder = Path(sys.argv[1])
    summary = {"machine": platform.machine(), "kernel": platform.release(), "findings": findings(folder)}
    summary["tests"] = executables(folder)
    summary["benchmarks"] = {
        path.stem: json.loads(path.read_text()) for path in sorted(folder.glob("*.json")) if path.stem != "summary"
    }
    (folder / "notes.tsv").unlink()
    target = folder / "summary.json"
    target.write_text(json.dumps(summary, indent=1) + "\n")
    print(f"{target}: {len(summary['tests'])} test executables, {len(summary['benchmarks'])} benchmarks")


if __name__ == "__main__":
    main()

# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""The scripts that measure: how they judge, go on where they were stopped, and outlive a refusal.

A fake engine answers at once with figures of its own. Needs only Python.
"""

import contextlib
import hashlib
import io
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))

import bench  # noqa: E402
import check_plans  # noqa: E402
import compare_offload  # noqa: E402
import compare_optimizer  # noqa: E402
import compare_speed  # noqa: E402
import compare_swap  # noqa: E402
import least_memory  # noqa: E402

# Adds its options to the file `calls`; refuses where they hold what `refuses` says; answers with `figures` else.
FAKE = """#!{python}
import json, pathlib, sys
if sys.argv[1:] == ["--version"]:
    print("homebooth-engine 9.9")
    sys.exit()
folder = pathlib.Path({folder!r})
with open(folder / "calls", "a") as calls:
    calls.write(" ".join(sys.argv[1:]) + "\\n")
refuses = (folder / "refuses").read_text()
if refuses and refuses in " ".join(sys.argv[1:]):
    print("a step: expected 9 GB, found 1 GB; close other programs", file=sys.stderr)
    sys.exit(4)
figures = json.loads((folder / "figures").read_text())
for words, further in figures.pop("where", []):
    if all(word in sys.argv for word in words.split()):
        figures["train"].update(further)
print(json.dumps(figures))
"""
TRAIN = {"devicePeakBytes": 3_600_000_000, "ramPeakBytes": 0, "peakResidentBytes": 3_900_000_000, "stepSeconds": 6.0,
         "warmUpDevicePeakBytes": 1010, "predictedDeviceBytes": 1000, "measuredPlanDeviceBytes": 1000,
         "predictedStepSeconds": 5.0, "measuredPlanStepSeconds": 6.3, "linkBytesPerStep": 10**9, "skippedSteps": 0,
         "pageBytesTakenPerStep": 20_000_000}
OPTIMIZER = {states: {"bytesPerElement": 28, "seconds": 1.0, "bytesPerSecond": 10.0, "shareOfCopy": share,
                      "copyBytesPerSecond": 12.0}
             for states, share in (("fp32", 0.85), ("8bit", 0.4), ("bf16", 0.6), ("fp32+master", 0.9))}


FIO = """#!{python}
import json, sys
if sys.argv[1:] == ["--version"]:
    print("fio-9")
    sys.exit()
open(sys.argv[1].partition("=")[2], "w").close()
jobs = [{{"jobname": "write", "write": {{"bw_bytes": 100}}}}, {{"jobname": "read", "read": {{"bw_bytes": 100}}}}]
print(json.dumps({{"jobs": jobs}}))
"""


def saying(figures):
    """Stands for bench.peer: the beginning of a command that prints these figures."""
    return lambda script: [sys.executable, "-c", f"print({json.dumps(figures)!r})"]


class Measuring(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.engine = self.folder / "engine"
        self.engine.write_text(FAKE.format(python=sys.executable, folder=str(self.folder)))
        self.engine.chmod(0o755)
        self.says({"train": TRAIN})
        self.refuses("")
        idle = mock.patch.object(bench, "IDLE_CORES", 1000.0)  # whatever the machine does meanwhile
        idle.start()
        self.addCleanup(idle.stop)

    def says(self, figures):
        (self.folder / "figures").write_text(json.dumps(figures))

    def refuses(self, words):
        (self.folder / "refuses").write_text(words)

    def calls(self):
        calls = self.folder / "calls"
        return calls.read_text().splitlines() if calls.exists() else []

    def run_script(self, script, *words):
        """Its exit code, what it wrote as JSON, and the page."""
        output = self.folder / "out.json"
        words = [*words, "--engine", str(self.engine), "--work", str(self.folder / "work"), "--output", str(output)]
        with mock.patch.object(sys, "argv", [script.__file__, *words]), contextlib.redirect_stdout(io.StringIO()):
            with self.assertRaises(SystemExit) as ended:
                script.main()
        return ended.exception.code, json.loads(output.read_text()), output.with_suffix(".md").read_text()


class Judging(Measuring):
    def test_a_named_option_takes_the_place_of_the_usual_one(self):
        usual = {"--steps": 900, "--seed": 1}
        self.assertEqual(bench.without_named(usual, ["--steps", "5"]), ["--seed", 1])
        self.assertEqual(bench.without_named(usual, ["--steps=5", "--batch", "2"]), ["--seed", 1])
        self.assertEqual(bench.without_named(usual, []), ["--steps", 900, "--seed", 1])

    def test_a_figure_is_judged_by_both_bounds(self):
        for value, verdict in ((3.6, "goal"), (3.9, "reached"), (4.4, "missed by 10.0 %")):
            self.assertEqual(bench.judged(value, 4.0, 3.7), verdict)
        self.assertEqual(bench.judged(0.9, 0.85, most=False), "reached")
        self.assertEqual(bench.judged(0.80, 0.85, most=False)[:6], "missed")
        self.assertEqual(bench.judged(1.0, None), "not judged")
        self.assertEqual(bench.judged(1.0, 2.0, claimed=False), "not claimed")

    def test_only_what_was_measured_and_reached_passes(self):
        self.assertTrue(bench.passes(["goal", "reached", "not judged"]))
        for bad in ("missed by 1.0 %", "refused", "not claimed"):
            self.assertFalse(bench.passes(["goal", bad]))

    def test_a_run_says_what_else_the_machine_did(self):
        with mock.patch.object(bench, "processor_seconds", side_effect=[100.0, 900.0]):
            with mock.patch.object(bench, "IDLE_CORES", 0.15):
                run = bench.run_json([str(self.engine), "bench", "train"])
        self.assertFalse(run["idle"])
        self.assertGreater(run["othersCores"], 0.15)
        self.assertIn("loadBefore", run)
        self.assertEqual(bench.seconds_text(9.94, False), "(9.9)")

    def test_least_memory_judges_device_and_process(self):
        code, result, page = self.run_script(least_memory, "--swap", str(self.folder), "--only", "1,3")
        self.assertEqual([row["verdict"] for row in result["rows"]], ["goal", "missed by 77.3 %"])
        self.assertEqual(code, 1)
        self.assertIn("**3.60**", page)
        self.assertEqual(result["engine"], "homebooth-engine 9.9")
        self.assertNotIn(str(self.folder / "work"), result["command"])

    def test_skipped_steps_are_told(self):
        self.says({"train": TRAIN | {"skippedSteps": 2}})
        _, _, page = self.run_script(least_memory, "--swap", str(self.folder), "--only", "17")
        self.assertIn("2 steps skipped", page)

    def test_plans_beyond_a_tolerance_are_missed(self):
        code, result, _ = self.run_script(check_plans, "table", "--only", "1")
        self.assertEqual((code, result["rows"][0]["verdicts"]), (0, {"peak": "reached", "time": "reached"}))
        self.says({"train": TRAIN | {"measuredPlanStepSeconds": 9.0}})
        code, result, page = self.run_script(check_plans, "table", "--only", "2")
        self.assertEqual((code, result["rows"][0]["verdicts"]["peak"]), (1, "reached"))
        self.assertIn("| missed |", page)

    def test_a_searched_plan_is_judged_by_its_second_peak_too(self):
        self.says({"train": TRAIN | {"devicePeakBytes": 1050}})
        code, result, page = self.run_script(check_plans, "table", "--only", "1,5")
        self.assertEqual(result["rows"][0]["verdicts"], {"peak": "reached", "time": "reached"})
        self.assertEqual(result["rows"][1]["verdicts"]["peak"], "reached")
        self.assertEqual((code, result["rows"][1]["verdicts"]["second peak"][:6]), (1, "missed"))
        self.assertIn("| -4.76 % | missed | 5.0 |", page)
        self.assertIn("second plan: median 4.76 %, greatest 4.76 %; 0 of 1 within 3 %", page)
        self.says({"train": TRAIN | {"devicePeakBytes": 1010, "skippedSteps": 2}})
        code, result, page = self.run_script(check_plans, "table", "--only", "6")
        self.assertEqual((code, result["rows"][0]["verdicts"]["second peak"]), (0, "reached"))
        self.assertIn("; 2 steps skipped |", page)

    def test_the_plans_that_are_checked_are_of_all_kinds(self):
        cases = [check_plans.options_of(case) for case in check_plans.CASES]
        self.assertEqual((len(cases), len(set(cases))), (28, 28))
        searched = [case for case in cases if "--keep searched" in case]
        self.assertGreaterEqual(len(searched), 14)
        for words in ("--policy cpu", "--policy auto", "--policy gpu", "--precision fp16", "--swap DIR", "--method lora"):
            self.assertTrue([case for case in searched if words in case], words)
        for kept in ("inputs", "products", "everything"):
            self.assertTrue([case for case in cases if f"--keep {kept}" in case], kept)

    def test_plans_swap_to_a_folder_beside_the_figures(self):
        number = 1 + [check_plans.SWAP in case[-1] for case in check_plans.CASES].index(True)
        self.says({"train": TRAIN | {"devicePeakBytes": 1000}})
        code, result, page = self.run_script(check_plans, "table", "--only", str(number))
        self.assertEqual(code, 0)
        swap = (self.folder / "work" / "swap").resolve()
        self.assertTrue(swap.is_dir())
        self.assertIn(f"--swap {swap}", self.calls()[0])
        self.assertIn("--swap DIR/swap", page)
        self.assertNotIn(str(self.folder), json.dumps(result["rows"]))

    def test_speed_and_memory_must_both_hold(self):
        peer = {"step_seconds": 10.0, "peak_resident_bytes": 8_000_000_000, "torch": "9"}
        for seconds, code in ((6.0, 0), (7.0, 1)):
            self.says({"train": TRAIN | {"stepSeconds": seconds}})
            with mock.patch.object(compare_speed, "peer", saying(peer)):
                found, result, page = self.run_script(compare_speed, "train", "--rounds", "1", "--ours", f"--seed {code}")
            self.assertEqual(found, code)
            self.assertEqual(result["train"]["verdicts"]["peakBytes"], "reached")
            self.assertIn("Of new pages our step took at most 20 MB.", page)

    def test_the_page_names_both_optimizers_and_reckons_them_alike(self):
        peer = {"step_seconds": 10.0, "peak_resident_bytes": 8_000_000_000, "parameters": 500_000_000}
        for words, named, like in (([], "AdamW with states in bf16", None), (["--states", "fp32"], "states in fp32", "1.9 GB, 0.24"),
                                   (["--ours=--optimizer adamw8bit"], "AdamW with states in 8 bits", "4.9 GB, 0.61")):
            with mock.patch.object(compare_speed, "peer", saying(peer)):
                _, _, page = self.run_script(compare_speed, "train", "--rounds", "1", *words)
            self.assertIn(f"{named}, the peer by torch's AdamW with states in bf16.", page)
            self.assertEqual("Reckoned, not measured" in page, like is not None)
            self.assertIn(like or "", page)
            self.assertEqual("--optimizer-states" in self.calls()[-1], "adamw8bit" not in self.calls()[-1])

    def test_a_command_can_be_typed_as_it_is_shown(self):
        words = ["compare_speed.py", "train", "--ours=--optimizer adamw8bit --keep 'inputs'", "--work", "a folder/$WORK"]
        self.assertEqual(shlex.split(bench.shown(words)), words)
        command = [sys.executable, f"{bench.ROOT}/tests/a.py", "--steps", 3]
        self.assertEqual(bench.shown(command), "python3 tests/a.py --steps 3")
        with mock.patch.object(bench, "ROOT", Path("/a checkout")):
            self.assertEqual(bench.shown(["/a checkout/build/engine", "bench"]), "build/engine bench")

    def test_the_command_of_a_page_holds_its_quotes(self):
        self.refuses("bench")
        _, result, page = self.run_script(compare_speed, "train", "--rounds", "1", "--ours=--seed 1")
        typed = shlex.split(result["command"])
        self.assertEqual(typed[2:6], ["train", "--rounds", "1", "--ours=--seed 1"])
        self.assertIn("'--ours=--seed 1'", page)

    def test_blocking_must_fail_what_overlap_reaches(self):
        slow = {"train": TRAIN, "where": [["--blocking", {"stepSeconds": 9.0}]]}
        self.says(slow)
        self.assertEqual(self.run_script(compare_offload, "--rounds", "1")[0], 0)
        self.says({"train": TRAIN})
        code, result, _ = self.run_script(compare_offload, "--rounds", "1", "--batch", "2")
        self.assertEqual((code, result["verdicts"]["blocking"]), (1, "missed: it should fail"))

    def test_the_optimizer_is_judged_with_states_in_fp32(self):
        peer = {"seconds": 1.0, "torch": "9", "python": "3", "threads": 2}
        with mock.patch.object(compare_optimizer, "peer", saying(peer)):
            self.says({"optimizer": OPTIMIZER})
            code, result, _ = self.run_script(compare_optimizer, "--rounds", "1", "--elements", "10")
            self.assertEqual(code, 0)
            self.assertEqual([row["verdict"] for row in result["fp32"]["rows"]], ["reached"] + 3 * ["not judged"])
            master = [row for row in result["bf16"]["rows"] if row["states"] == "fp32+master"]
            self.assertEqual([row["verdict"] for row in master], ["reached"])
            self.says({"optimizer": OPTIMIZER | {"fp32+master": OPTIMIZER["8bit"]}})
            code, result, page = self.run_script(compare_optimizer, "--rounds", "1", "--elements", "11")
            self.assertEqual((code, result["bf16"]["rows"][3]["verdict"]), (1, "missed by 50.0 %"))
            self.assertIn("| ours | bf16 | fp32+master | 28.00 |", page)

    def test_swapping_is_judged_beside_fio(self):
        fio = self.folder / "fio"
        fio.write_text(FIO.format(python=sys.executable))
        fio.chmod(0o755)
        with mock.patch.dict(os.environ, {"PATH": f"{self.folder}:{os.environ['PATH']}"}):
            self.says({"registered": True, "writeBytesPerSecond": 95, "readBytesPerSecond": 45})
            code, result, page = self.run_script(compare_swap, str(self.folder), "--rounds", "2")
            self.assertEqual(code, 1)
            self.assertEqual([result[kind]["verdict"] for kind in ("write", "read")], ["reached", "missed by 50.0 %"])
            self.assertIn("| read | 0 | 0 | 0.450", page)
            self.assertEqual(len(self.calls()), 3)
            self.run_script(compare_swap, str(self.folder), "--rounds", "3")
            self.assertEqual(len(self.calls()), 4)


class Builds(Measuring):
    def hash_of(self, path):
        return hashlib.sha256(path.read_bytes()).hexdigest()[:12]

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e", *words], cwd=self.folder / "tree", check=True,
                       capture_output=True)

    @unittest.skipUnless(shutil.which("git"), "needs git")
    def test_a_page_says_of_which_commit_it_is(self):
        tree = self.folder / "tree"
        (tree / "core").mkdir(parents=True)
        (tree / "core" / "one.cpp").write_text("1")
        with mock.patch.object(bench, "ROOT", tree):
            self.assertEqual(bench.commit(), {})
            self.git("init", "-q")
            self.git("add", "-A")
            self.git("commit", "-q", "-m", "one")
            (tree / "README").write_text("computes nothing")
            commit = bench.commit()["commit"]
            self.assertRegex(commit, "^[0-9a-f]+$")
            (tree / "core" / "two.cpp").write_text("2")
            self.assertEqual(bench.machine()["commit"], f"{commit}+changes")
            self.assertIn(f", of commit {commit}+changes.", bench.heading("T", bench.machine() | {"command": "c"}))
            with mock.patch.object(bench, "ROOT", tree / "core"):
                self.assertEqual(bench.commit(), {})
            with mock.patch.dict(os.environ, {"PATH": str(self.folder)}):
                self.assertEqual(bench.commit(), {})

    def test_a_page_says_which_programs_measured(self):
        figures = {"commit": "abc", "engine": "homebooth-engine 9", "engineSha256": "12", "workerSha256": "34"}
        self.assertEqual(bench.build_text(figures), ", homebooth-engine 9 of commit abc (SHA-256: engine 12, worker 34 ...)")
        self.assertEqual(bench.build_text({"engine": "homebooth-engine 9"}), ", homebooth-engine 9")
        self.assertEqual(bench.build_text({}), "")

    def test_a_kept_row_tells_which_programs_measured_it(self):
        worker = self.folder / "homebooth-worker"
        worker.write_text("one")
        first = (self.hash_of(self.engine), self.hash_of(worker))
        self.run_script(check_plans, "table", "--only", "1")
        worker.write_text("two")
        _, result, page = self.run_script(check_plans, "table", "--only", "1,2")
        told = [(row["engineSha256"], row["workerSha256"]) for row in result["rows"]]
        self.assertEqual(told, [first, (first[0], self.hash_of(worker))])
        self.assertEqual(len(self.calls()), 2)  # what another build measured is kept
        self.assertEqual(result["workerSha256"], self.hash_of(worker))
        self.assertIn(f"worker {self.hash_of(worker)} ...)", page)


class GoingOn(Measuring):
    def test_kept_rows_are_not_measured_again(self):
        words = ("--swap", str(self.folder), "--only", "1,2")
        self.run_script(least_memory, *words)
        self.assertEqual(len(self.calls()), 2)
        self.says({"train": TRAIN | {"devicePeakBytes": 1}})
        _, result, _ = self.run_script(least_memory, *words[:-1], "1,2,7")
        self.assertEqual(len(self.calls()), 3)
        self.assertEqual([row["devicePeakBytes"] for row in result["rows"]], [3_600_000_000, 3_600_000_000, 1])

    def test_a_refusal_is_a_row_and_is_tried_again(self):
        words = ("--swap", str(self.folder), "--only", "1,2,7")
        self.refuses("--policy cpu --device")
        code, result, page = self.run_script(least_memory, *words)
        self.assertEqual(code, 1)
        self.assertEqual([row["verdict"] for row in result["rows"]], ["goal", "refused", "missed by 260.0 %"])
        self.assertIn("expected 9 GB, found 1 GB", result["rows"][1]["refused"])
        self.assertIn("refused: ended with 4", page)
        self.refuses("")
        _, result, _ = self.run_script(least_memory, *words)
        self.assertNotIn("refused", result["rows"][1])
        self.assertEqual(len(self.calls()), 4)

    def test_rounds_are_kept_one_by_one(self):
        self.says({"train": TRAIN, "where": [["--blocking", {"stepSeconds": 9.0}]]})
        self.run_script(compare_offload, "--rounds", "1")
        first = len(self.calls())
        self.run_script(compare_offload, "--rounds", "2")
        self.assertEqual((first, len(self.calls())), (5, 8))

    def test_scripts_outlive_a_refusal(self):
        self.refuses("bench")
        code, result, page = self.run_script(compare_offload, "--rounds", "1")
        self.assertEqual(code, 1)
        self.assertIn("ended with 4", result["refused"])
        self.assertIn("Refused:", page)
        code, result, _ = self.run_script(compare_speed, "train", "--rounds", "1")
        self.assertEqual((code, result["train"]["verdicts"]), (1, {"all": "refused"}))
        code, result, _ = self.run_script(compare_optimizer, "--rounds", "1")
        self.assertEqual((code, result["bf16"]["rows"][0]["verdict"]), (1, "refused"))
        code, result, page = self.run_script(check_plans, "table", "--only", "1,2")
        self.assertEqual((code, len(result["rows"])), (1, 2))
        self.assertIn("2 refused", page)
        code, result, _ = self.run_script(check_plans, "curve")
        self.assertEqual((code, len(result["rows"])), (1, 3))

    def test_the_curve_judges_each_budget(self):
        for products, code, verdict in ((4.0, 0, "reached"), (3.9, 1, "missed by 2.6 %")):
            self.says({"train": TRAIN | {"devicePeakBytes": 10**9, "stepSeconds": 4.0},
                       "where": [["inputs", {"stepSeconds": 6.0}], ["products", {"stepSeconds": products}],
                                 ["everything", {"devicePeakBytes": 4 * 10**9, "stepSeconds": 3.0}]]})
            shutil.rmtree(self.folder / "work", ignore_errors=True)
            found, result, page = self.run_script(check_plans, "curve")
            self.assertEqual((found, len(result["rows"])), (code, 9))
            self.assertEqual(result["rows"][-1]["verdicts"]["time"], verdict)
            self.assertIn(f"At {6 if code == 0 else 0} of 6 budgets", page)
            self.assertIn("at 6 of 6 it beats recomputing everything", page)
            self.assertIn("draw_curve.py", page.partition("(out.png)")[2])

    def test_an_engine_that_is_not_there_is_a_refusal(self):
        with self.assertRaisesRegex(bench.Refusal, "No such file"):
            bench.run_json([str(self.folder / "nothing")])
        with self.assertRaisesRegex(bench.Refusal, "printed no JSON"):
            bench.run_json(["/bin/echo", "nothing"])


if __name__ == "__main__":
    unittest.main()

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/options.h"
#include "core/cli/worker_process.h"

#include <string>

namespace homebooth::core {

int runBench(const Arguments& arguments) {
    CLI::App app("Times a training step or a generation with random weights at full size.",
                 "homebooth-engine bench");
    std::string what;
    std::string modelConfig;
    std::string precision = "bf16";
    std::string states = "fp32";
    int64_t resolution = 0;
    int64_t batch = 1;
    int64_t steps = 3;
    int64_t threads = 0;
    bool json = false;
    app.add_option("WHAT", what, "train or sample")
        ->required()
        ->check(CLI::IsMember({"train", "sample", "all"}));
    app.add_option("--model-config", modelConfig, "diffusers folder; its weights are not read")->required();
    app.add_option("--precision", precision, "fp32, fp16 or bf16 [bf16]")
        ->check(CLI::IsMember({"fp32", "fp16", "bf16"}));
    app.add_option("--optimizer-states", states, "fp32 or bf16 [fp32]")
        ->check(CLI::IsMember({"fp32", "bf16"}));
    app.add_option("--resolution", resolution, "side in pixels; the model's own if not given")
        ->check(CLI::Range(8, 8192));
    app.add_option("--batch", batch, "pictures at a time [1]")->check(CLI::Range(1, 256));
    app.add_option("--steps", steps, "steps that are timed [3]")->check(CLI::Range(1, 1000));
    app.add_option("--threads", threads, "CPU threads; 0: all cores")->check(CLI::Range(0, 1024));
    app.add_flag("--json", json, "print the figures as JSON");
    if (const auto done = parseArguments(app, arguments)) return *done;

    WorkerOptions worker;
    worker.events = false;
    worker.arguments = {"bench",
                        what,
                        "--model-config",
                        modelConfig,
                        "--precision",
                        precision,
                        "--optimizer-states",
                        states,
                        "--resolution",
                        std::to_string(resolution),
                        "--batch",
                        std::to_string(batch),
                        "--steps",
                        std::to_string(steps),
                        "--threads",
                        std::to_string(threads)};
    if (json) worker.arguments.emplace_back("--json");
    const auto end = runWorker(worker, {}, {});
    if (!end) return fail("bench", end.error());
    if (end->signal == 0 && end->exitCode != 127) return end->exitCode; // it has said what was wrong
    const OutcomeEvent outcome = outcomeOf(*end);
    if (outcome.result == "failed")
        return fail("bench", {static_cast<ErrorCode>(outcome.code), outcome.message, {}});
    return outcome.code;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/worker/bench_optimizer.h"

#include "core/base/config/byte_size.h"
#include "core/base/config/field_builder.h"
#include "core/base/config/format_words.h"
#include "core/base/system/memory_nodes.h"
#include "core/engine/io/precision.h"
#include "core/engine/jobs/bound_threads.h"
#include "core/engine/optim/lone_parameter.h"
#include "core/engine/optim/memory_order.h"
#include "core/worker/bench_arguments.h"
#include "core/worker/environment.h"
#include "core/worker/jobs.h"
#include "core/worker/median.h"

#include <ATen/Parallel.h>

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdio>
#include <cstring>

namespace homebooth::core {
namespace {

struct OptimizerBench {
    int64_t elements = int64_t{64} << 20;
    Precision precision = Precision::Bf16;
    int64_t rounds = 5;
    int64_t threads = 0;
    bool json = false;
};

/// Of one format of the states: medians of the rounds.
struct OptimizerFigures {
    const char* states = "";
    double bytesPerElement = 0.0; ///< read and written in an update
    double seconds = 0.0;         ///< of an update of all
    double bytesPerSecond = 0.0;
    double copyBytesPerSecond = 0.0; ///< read and written
    [[nodiscard]] double shareOfCopy() const { return bytesPerSecond / copyBytesPerSecond; }
};

double secondsOf(const std::function<void()>& call) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    call();
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Two halves of as much memory as an update holds, one copied to the other by as many threads.
class CopyProbe {
public:
    explicit CopyProbe(int64_t bytes)
        : m_source(at::ones({bytes / 2}, at::kByte))
        , m_target(at::ones({bytes / 2}, at::kByte)) {}

    void copy() const {
        constexpr int64_t kPage = 4096;
        const auto* source = m_source.const_data_ptr<uint8_t>();
        auto* target = m_target.data_ptr<uint8_t>();
        parallelOver(m_source.numel(), kPage, [&](int64_t begin, int64_t end) {
            std::memcpy(target + begin, source + begin, static_cast<size_t>(end - begin));
        });
    }
    [[nodiscard]] double touchedBytes() const { return 2.0 * static_cast<double>(m_source.numel()); }

private:
    at::Tensor m_source;
    at::Tensor m_target;
};

/// Updates and copies in turn, so that both see the same machine.
OptimizerFigures measure(const char* states, const OptimizerConfig& config, const OptimizerBench& bench) {
    LoneParameter lone(config, {bench.elements}, scalarTypeOf(bench.precision), at::kCPU);
    lone.gradient = at::empty_like(lone.parameter()).normal_(0.0, 1e-2);
    const auto parameterBytes = static_cast<int64_t>(lone.parameter().nbytes());
    const int64_t stateBytes = lone.optimizer().stateBytes();
    const CopyProbe probe(2 * parameterBytes + stateBytes);
    std::vector<double> updates;
    std::vector<double> copies;
    for (int64_t round = 0; round <= bench.rounds; ++round) {
        const double copied = secondsOf([&] { probe.copy(); });
        const double updated = secondsOf([&] { lone.update(); });
        if (round == 0) continue; // pages are touched for the first time, caches are filled
        copies.push_back(copied);
        updates.push_back(updated);
    }
    // A gradient is only read, and a parameter with a master only written.
    const int64_t passes = config.master == MasterWeights::Fp32 ? 2 : 3;
    const auto touched = static_cast<double>(passes * parameterBytes + 2 * stateBytes);
    OptimizerFigures found;
    found.states = states;
    found.bytesPerElement = touched / static_cast<double>(bench.elements);
    found.seconds = medianOf(std::move(updates));
    found.bytesPerSecond = touched / found.seconds;
    found.copyBytesPerSecond = probe.touchedBytes() / medianOf(std::move(copies));
    return found;
}

std::vector<OptimizerFigures> measureAll(const OptimizerBench& bench) {
    OptimizerConfig fp32;
    OptimizerConfig quantised = fp32;
    quantised.kind = OptimizerKind::AdamW8bit;
    OptimizerConfig bf16 = fp32;
    bf16.states = StateType::Bf16;
    std::vector<OptimizerFigures> all = {measure("fp32", fp32, bench), measure("8bit", quantised, bench),
                                         measure("bf16", bf16, bench)};
    if (bench.precision == Precision::Fp32) return all;
    OptimizerConfig master = fp32;
    master.master = MasterWeights::Fp32;
    all.push_back(measure("fp32+master", master, bench));
    return all;
}

const char* nameOf(Precision precision) {
    return precision == Precision::Fp32 ? "fp32" : precision == Precision::Fp16 ? "fp16" : "bf16";
}

void printJson(const OptimizerBench& bench, const std::vector<OptimizerFigures>& all) {
    nlohmann::ordered_json json{{"elements", bench.elements},
                                {"precision", nameOf(bench.precision)},
                                {"threads", at::get_num_threads()},
                                {"rounds", bench.rounds}};
    for (const OptimizerFigures& one : all)
        json["optimizer"][one.states] = {{"bytesPerElement", one.bytesPerElement},
                                         {"seconds", one.seconds},
                                         {"bytesPerSecond", one.bytesPerSecond},
                                         {"copyBytesPerSecond", one.copyBytesPerSecond},
                                         {"shareOfCopy", one.shareOfCopy()}};
    std::printf("%s\n", json.dump(2).c_str());
}

void printTable(const OptimizerBench& bench, const std::vector<OptimizerFigures>& all) {
    const auto rate = [](double bytes) { return byteSizeText(static_cast<int64_t>(bytes)) + "/s"; };
    std::printf("AdamW, %lld elements in %s, %d threads, medians of %lld rounds\n\n",
                static_cast<long long>(bench.elements), nameOf(bench.precision), at::get_num_threads(),
                static_cast<long long>(bench.rounds));
    std::printf("%-12s %10s %14s %16s %16s %8s\n", "states", "time", "bytes each", "moves", "a copy",
                "share");
    for (const OptimizerFigures& one : all)
        std::printf("%-12s %8.3f s %14.2f %16s %16s %6.1f %%\n", one.states, one.seconds, one.bytesPerElement,
                    rate(one.bytesPerSecond).c_str(), rate(one.copyBytesPerSecond).c_str(),
                    100.0 * one.shareOfCopy());
}

std::vector<ConfigField> fieldsOf(OptimizerBench& bench) {
    FieldBuilder fields;
    fields.integer("elements", bench.elements, "--elements", "parameters that are updated, from 4096", 4096,
                   static_cast<double>(int64_t{1} << 34));
    fields.choice("precision", bench.precision, "--precision", "number format of parameters and gradients",
                  precisionWords());
    fields.integer("rounds", bench.rounds, "--rounds", "updates and copies that are timed", 1, 1000);
    fields.integer("threads", bench.threads, "--threads", "CPU threads; 0: all cores", 0, 1024);
    fields.flag("json", bench.json, "--json", "print the figures as JSON");
    return fields.take();
}

OutcomeEvent runMeasurement(const OptimizerBench& bench) {
    useThreads(bench.threads);
    bindThreads(memoryNodes()); // as a training does
    const auto found = measureAll(bench);
    if (bench.json)
        printJson(bench, found);
    else
        printTable(bench, found);
    return {};
}

} // namespace

int runOptimizerBenchmark(const std::vector<std::string>& arguments) {
    OptimizerBench bench;
    CLI::App app(
        "Times AdamW on the CPU with states of each format, beside copies of as many bytes of memory.",
        "homebooth-engine bench optimizer");
    addFieldOptions(app, fieldsOf(bench));
    if (const auto code = parseBenchArguments(app, "bench optimizer", arguments)) return *code;
    const OutcomeEvent outcome = guarded([&] { return runMeasurement(bench); });
    if (outcome.result == "failed")
        std::fprintf(stderr, "error: bench optimizer: %s\n", outcome.message.c_str());
    return outcome.code;
}

} // namespace homebooth::core

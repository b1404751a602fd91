// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/generate_config_json.h"
#include "core/engine/writing/generate_job.h"
#include "core/worker/environment.h"
#include "core/worker/jobs.h"

#include <iostream>
#include <iterator>

namespace homebooth::core {
namespace {

OutcomeEvent write(std::string_view request, EventStream& events, const CancelToken& cancel) {
    GenerateConfig config;
    if (const auto read = readJson(request, config); !read) return failedOutcome(read.error());
    if (const auto valid = validate(config); !valid) return failedOutcome(valid.error());
    const auto device = chooseDevice(config.device);
    if (!device) return failedOutcome(device.error());
    warnOfFormat(*device, config.precision, /*convolves=*/false, events);
    warnOfThreads(config.threads, events);
    useThreads(config.threads);
    return runGenerateJob(config, *device, events, cancel);
}

} // namespace

int runWriting(EventStream& events) {
    const std::string request{std::istreambuf_iterator<char>(std::cin), {}};
    const CancelToken cancel;
    stopOnSignals(cancel);
    const OutcomeEvent outcome = guarded([&] { return write(request, events, cancel); });
    events.emit(outcome);
    return outcome.code;
}

} // namespace homebooth::core

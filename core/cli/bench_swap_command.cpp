// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/byte_size.h"
#include "core/base/config/field_builder.h"
#include "core/base/run/journal/progress.h"
#include "core/base/swap/measure_swap.h"
#include "core/base/system/memory_facts.h"
#include "core/base/util/regular_file.h"
#include "core/cli/options.h"
#include "core/cli/worker/stop_signals.h"
#include "core/cli/worker/working_folder.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace homebooth::core {
namespace {

using Json = nlohmann::ordered_json;

struct BenchSwapOptions {
    std::string folder;
    std::string swap; ///< the same, named as train has it
    int64_t blockBytes = int64_t{4} << 20;
    int64_t bytes = int64_t{1} << 30;
    int64_t depth = 8;
    bool json = false;
};

std::vector<ConfigField> fieldsOf(BenchSwapOptions& given) {
    FieldBuilder fields;
    fields.folder("swap", given.swap, "--swap", "the same as FOLDER, as train names it");
    fields.bytes("blockBytes", given.blockBytes, "--block-size", "of a request");
    fields.integer("depth", given.depth, "--depth", "requests at a time", 1, kMaxSwapDepth);
    fields.bytes("bytes", given.bytes, "--size", "of the file, which is written twice and read once");
    fields.flag("json", given.json, "--json", "print the figures as JSON");
    return fields.take();
}

/// The folder, however it was named.
Result<std::string> folderOf(const BenchSwapOptions& given) {
    if (given.folder.empty() && given.swap.empty())
        return Error{ErrorCode::Usage,
                     "expected a FOLDER on the disk to swap to, or --swap FOLDER, found neither",
                     {}};
    if (!given.folder.empty() && !given.swap.empty() && given.folder != given.swap)
        return Error{ErrorCode::Usage,
                     "expected one folder, found " + displayName(given.folder) + " and --swap " +
                         displayName(given.swap) + "; leave one out",
                     {}};
    return given.folder.empty() ? given.swap : given.folder;
}

Result<SwapOptions> swapOptions(const BenchSwapOptions& given) {
    SwapOptions options;
    HOMEBOOTH_ASSIGN(options.folder, folderOf(given));
    options.depth = static_cast<int>(given.depth);
    options.pageBytes = given.blockBytes;
    constexpr int64_t kMostBytes = int64_t{1} << 30;
    if (options.pageBytes < kSwapAlignment || options.pageBytes > kMostBytes ||
        options.pageBytes % kSwapAlignment != 0)
        return Error{ErrorCode::Usage,
                     "expected a multiple of 4 KiB up to 1 GiB, found " + byteSizeText(options.pageBytes),
                     "--block-size"};
    options.pageCount = given.bytes / options.pageBytes;
    if (options.pageCount == 0)
        return Error{ErrorCode::Usage,
                     "expected at least one block of " + byteSizeText(options.pageBytes) + ", found " +
                         byteSizeText(given.bytes),
                     "--size"};
    const int64_t buffers = std::min<int64_t>(options.pageCount, 2 * options.depth) * options.pageBytes;
    const int64_t most = memoryFacts().usableBytes() / 2;
    if (buffers > most)
        return Error{ErrorCode::Usage,
                     "expected blocks of which twice --depth fit into half of the memory that is free, " +
                         byteSizeText(most) + ", found that they take " + byteSizeText(buffers),
                     "--block-size"};
    return options;
}

Json report(const SwapOptions& options, const SwapSpeed& speed) {
    return {{"folder", toldPath(options.folder)},
            {"bytes", options.pageBytes * options.pageCount},
            {"blockBytes", options.pageBytes},
            {"depth", options.depth},
            {"ioUring", speed.facts.ring},
            {"direct", speed.facts.direct},
            {"registered", speed.facts.registered},
            {"notes", speed.facts.notes},
            {"firstWriteBytesPerSecond", static_cast<int64_t>(speed.firstWriteBytesPerSecond)},
            {"writeBytesPerSecond", static_cast<int64_t>(speed.writeBytesPerSecond)},
            {"readBytesPerSecond", static_cast<int64_t>(speed.readBytesPerSecond)}};
}

void print(const SwapOptions& options, const SwapSpeed& speed) {
    const auto rate = [](double bytesPerSecond) {
        return byteSizeText(static_cast<int64_t>(bytesPerSecond)) + "/s";
    };
    std::printf("%s in %s: %lld blocks of %s, %d at a time\n",
                byteSizeText(options.pageBytes * options.pageCount).c_str(), options.folder.c_str(),
                static_cast<long long>(options.pageCount), byteSizeText(options.pageBytes).c_str(),
                options.depth);
    std::printf("by %s, %s, buffers %s\n",
                speed.facts.ring ? "io_uring" : "plain reads and writes on threads",
                speed.facts.direct ? "past the page cache (O_DIRECT)" : "through the page cache",
                speed.facts.registered ? "registered" : "not registered");
    std::printf("first write  %s\nwrite        %s\nread         %s\n",
                rate(speed.firstWriteBytesPerSecond).c_str(), rate(speed.writeBytesPerSecond).c_str(),
                rate(speed.readBytesPerSecond).c_str());
    for (const std::string& note : speed.facts.notes) std::printf("- %s\n", note.c_str());
}

/// On a terminal always; elsewhere only where nobody reads the figures by program.
SwapProgress shownBy(Progress& progress, bool json) {
    const bool shown = ::isatty(STDERR_FILENO) != 0 || !json;
    return [&progress, shown](const char* pass, int64_t done, int64_t total) {
        constexpr int64_t kMebi = int64_t{1} << 20;
        if (shown) progress.show(StateEvent{std::string("MiB ") + pass, "", done / kMebi, total / kMebi});
    };
}

Result<int> bench(const BenchSwapOptions& given) {
    HOMEBOOTH_ASSIGN(SwapOptions options, swapOptions(given));
    options.cancel = cancelOnSignals();
    Progress progress(::isatty(STDERR_FILENO) != 0, 0);
    const SwapProgress show = shownBy(progress, given.json);
    options.progress = [&show](int64_t done, int64_t total) { show("reserved", done, total); };
    HOMEBOOTH_ASSIGN(const auto speed, measureSwap(options, SwapDevice::system(), show));
    progress.finish();
    if (!speed) {
        std::fprintf(stderr, "stopped; the swap file is removed\n");
        return kExitCancelled;
    }
    if (given.json)
        std::printf("%s\n",
                    report(options, *speed).dump(2, ' ', false, Json::error_handler_t::replace).c_str());
    else
        print(options, *speed);
    return kExitDone;
}

} // namespace

int runBenchSwap(const Arguments& arguments) {
    CLI::App app("Times writing and reading a swap file, and checks what comes back.",
                 "homebooth-engine bench swap");
    BenchSwapOptions given;
    app.add_option("FOLDER", given.folder, "on the disk to swap to")->type_name("PATH");
    for (const ConfigField& field : fieldsOf(given)) addFieldOption(app, field, fieldText(field));
    if (const auto done = parseArguments(app, arguments)) return *done;
    const auto code = bench(given);
    return code ? *code : fail("bench swap", code.error());
}

} // namespace homebooth::core

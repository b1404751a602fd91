// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/training/planned_block.h"

#include "core/base/config/byte_size.h"

#include <algorithm>
#include <cstdio>

namespace homebooth::core {
namespace {

constexpr const char* kBehindName = ": ";

std::string keptInWords(KeptForBackward kept) {
    if (kept == KeptForBackward::Everything) return "keeps everything for backward";
    return kept == KeptForBackward::Products ? "keeps the results of costly products"
                                             : "is computed again in backward";
}

std::string milliseconds(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g ms", 1e3 * seconds);
    return text;
}

/// "2 times, 1 turn ahead"
std::string fetchesInWords(const PlannedBlock& block) {
    return (block.fetches == 1 ? std::string("once") : std::to_string(block.fetches) + " times") + ", " +
           (block.fetchedAhead == 0 ? std::string("when it needs them")
                                    : std::to_string(block.fetchedAhead) +
                                          (block.fetchedAhead == 1 ? " turn" : " turns") + " ahead");
}

/// Of a block that several processes share, what this one has, and what it is sent.
std::string partInWords(const PlannedBlock& block) {
    const std::string own = byteSizeText(block.parameterBytes - block.gatheredBytes) + " of " +
                            byteSizeText(block.parameterBytes) + " of parameters ";
    const std::string others =
        "the other " + byteSizeText(block.gatheredBytes) + " from the other processes for each use";
    if (!block.streamed) return own + "stay on the device; " + others;
    return own + "come from " + (block.homeOnDisk ? "the disk " : "RAM ") + fetchesInWords(block) + "; " +
           others;
}

std::string homeInWords(const PlannedBlock& block) {
    if (block.gatheredBytes > 0) return partInWords(block);
    const std::string bytes = byteSizeText(block.parameterBytes) + " of parameters ";
    if (!block.streamed) return bytes + "stay on the device";
    const std::string from = block.homeOnDisk ? "from the disk" : "from RAM";
    if (block.fetches == 0) return bytes + "come " + from + " and stay";
    return bytes + "come " + from + " " + fetchesInWords(block);
}

} // namespace

const char* homeName(const PlannedBlock& block) {
    if (!block.streamed) return "device";
    return block.homeOnDisk ? "disk" : "ram";
}

const char* keptName(KeptForBackward kept) {
    if (kept == KeptForBackward::Everything) return "everything";
    return kept == KeptForBackward::Products ? "products" : "inputs";
}

PlanDecision decisionOf(const PlannedBlock& block) {
    std::string text = block.name + kBehindName + keptInWords(block.kept) + "; forward " +
                       milliseconds(block.forwardSeconds) + ", backward " +
                       milliseconds(block.backwardSeconds) + "; " + byteSizeText(block.activationBytes) +
                       " of activations";
    if (block.leftBytes > 0 || block.returnedBytes > 0)
        text += ", " + byteSizeText(block.leftBytes) + " of values to RAM and " +
                byteSizeText(block.returnedBytes) + " back";
    text += "; " + homeInWords(block);
    const auto number = [](auto value) { return static_cast<double>(value); };
    return {std::move(text),
            kPlannedBlock,
            {{"kept", number(static_cast<int>(block.kept))},
             {"forwardSeconds", block.forwardSeconds},
             {"backwardSeconds", block.backwardSeconds},
             {"parameterBytes", number(block.parameterBytes)},
             {"gatheredBytes", number(block.gatheredBytes)},
             {"activationBytes", number(block.activationBytes)},
             {"peakBytes", number(block.peakBytes)},
             {"leftBytes", number(block.leftBytes)},
             {"returnedBytes", number(block.returnedBytes)},
             {"streamed", number(block.streamed ? 1 : 0)},
             {"homeOnDisk", number(block.homeOnDisk ? 1 : 0)},
             {"fetches", number(block.fetches)},
             {"fetchedAhead", number(block.fetchedAhead)}}};
}

PlannedBlock plannedBlockOf(const PlanDecision& line) {
    const auto figure = [&line](const char* name) {
        const auto found = line.facts.find(name);
        return found == line.facts.end() ? 0.0 : found->second;
    };
    const auto whole = [&figure](const char* name) { return static_cast<int64_t>(figure(name)); };
    PlannedBlock block;
    block.name = line.text.substr(0, line.text.find(kBehindName));
    block.kept = static_cast<KeptForBackward>(std::clamp<int64_t>(whole("kept"), 0, 2));
    block.forwardSeconds = figure("forwardSeconds");
    block.backwardSeconds = figure("backwardSeconds");
    block.parameterBytes = whole("parameterBytes");
    block.gatheredBytes = whole("gatheredBytes");
    block.activationBytes = whole("activationBytes");
    block.peakBytes = whole("peakBytes");
    block.leftBytes = whole("leftBytes");
    block.returnedBytes = whole("returnedBytes");
    block.streamed = whole("streamed") != 0;
    block.homeOnDisk = whole("homeOnDisk") != 0;
    block.fetches = whole("fetches");
    block.fetchedAhead = whole("fetchedAhead");
    return block;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/component_match.h"

#include <algorithm>

namespace homebooth::core {

namespace {

constexpr size_t kNamedFaults = 4;

/// The first few of `faults` and how many more there are.
std::string listedFaults(const std::vector<std::string>& faults) {
    std::string text;
    for (size_t i = 0; i < std::min(faults.size(), kNamedFaults); ++i) text += (i ? ", " : "") + faults[i];
    if (faults.size() > kNamedFaults)
        text += " and " + std::to_string(faults.size() - kNamedFaults) + " more";
    return text;
}

/// Equal but for trailing axes of length 1: a linear layer against a 1x1 convolution.
bool sameMatrix(std::vector<int64_t> a, std::vector<int64_t> b) {
    while (a.size() > 2 && a.back() == 1) a.pop_back();
    while (b.size() > 2 && b.back() == 1) b.pop_back();
    return a == b;
}

struct Faults {
    std::vector<std::string> missing;
    std::vector<std::string> extra;
    std::vector<std::string> shapes;

    [[nodiscard]] bool none() const { return missing.empty() && extra.empty() && shapes.empty(); }

    [[nodiscard]] std::string text(const std::string& what) const {
        std::string message = "the weights do not fit the " + what + "'s configuration";
        if (!missing.empty()) message += "; missing: " + listedFaults(missing);
        if (!shapes.empty()) message += "; wrong: " + listedFaults(shapes);
        if (!extra.empty()) message += "; not expected: " + listedFaults(extra);
        return message + ". Check that configuration and weights belong to the same model";
    }
};

void matchOne(const LayoutEntry& entry, const TensorPool& pool, const Candidates& candidates,
              std::vector<MappedTensor>& tensors, std::set<std::string>& used, Faults& faults) {
    const std::vector<CompVisTensor> places = candidates(entry);
    for (const CompVisTensor& place : places) {
        const TensorPool::Entry* found = pool.find(place.name);
        if (found == nullptr) continue;
        used.insert(place.name);
        if (!sameMatrix(found->info->shape, place.shape)) {
            faults.shapes.push_back(place.name + " is " + shapeText(found->info->shape) + ", expected " +
                                    shapeText(place.shape));
        } else if (!isFloatingPoint(found->info->type)) {
            faults.shapes.push_back(place.name + " is of type " +
                                    std::string(dataTypeName(found->info->type)) +
                                    ", expected F32, F16 or BF16");
        } else {
            tensors.push_back({makeTensorInfo(entry.name, found->info->type, entry.shape), found->file,
                               place.name, place.change, place.part});
        }
        return;
    }
    faults.missing.push_back(places.front().name);
}

} // namespace

Result<void> TensorPool::add(const std::shared_ptr<const TensorReader>& file) {
    for (const TensorInfo& info : file->tensors()) {
        if (!m_entries.emplace(info.name, Entry{file, &info}).second)
            return badInput("tensor \"" + info.name + "\" is in two files of this model", file->path());
    }
    if (m_leftOut.empty()) m_leftOut = file->leftOut();
    return {};
}

Error leftOutError(const std::string& type, const std::string& path) {
    return badInput("expected weights in fp16, bf16 or fp32, " + std::string(kFp8Words) + " (" + type +
                        "), which is too coarse to learn in; get the fp16 version of this model",
                    path);
}

const TensorPool::Entry* TensorPool::find(const std::string& name) const {
    const auto found = m_entries.find(name);
    return found == m_entries.end() ? nullptr : &found->second;
}

Result<MatchedComponent> matchComponent(const std::string& what, const ComponentLayout& layout,
                                        const TensorPool& pool, const Candidates& candidates,
                                        const std::function<bool(const std::string&)>& mayRemain,
                                        const std::string& path) {
    MatchedComponent matched;
    std::vector<MappedTensor> tensors;
    tensors.reserve(layout.size());
    Faults faults;
    for (const LayoutEntry& entry : layout) matchOne(entry, pool, candidates, tensors, matched.used, faults);
    for (const auto& [name, entry] : pool.entries())
        if (!matched.used.contains(name) && !mayRemain(name)) faults.extra.push_back(name);
    if (!faults.missing.empty() && !pool.leftOut().empty()) return leftOutError(pool.leftOut(), path);
    if (!faults.none()) return badInput(faults.text(what), path);
    matched.source = std::make_shared<MappedSource>(std::move(tensors));
    return matched;
}

} // namespace homebooth::core

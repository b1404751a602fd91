// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/carried_files.h"

#include "core/base/files/atomic_file.h"
#include "core/base/model/folder_files.h"
#include "core/base/model/model_card.h"
#include "core/base/model/model_open.h"

#include <algorithm>
#include <array>
#include <string>

namespace homebooth::core {

namespace fs = std::filesystem;

namespace {

/// Of any program, and what tells where their shards are.
bool holdsWeights(const fs::path& file) {
    constexpr std::array kEndings{".safetensors", ".bin", ".ckpt", ".pt", ".pth", ".msgpack", ".h5", ".onnx"};
    const std::string name = file.filename().string();
    const bool index = name.ends_with(".json") && name.find(".index.") != std::string::npos;
    return index || std::find(kEndings.begin(), kEndings.end(), file.extension()) != kEndings.end();
}

bool hasWeights(const KeptFiles& files) {
    return std::any_of(files.begin(), files.end(), [](const auto& one) {
        return one.first.ends_with(".safetensors") || one.first.ends_with(".bin");
    });
}

} // namespace

Result<KeptFiles> carriedFiles(const fs::path& model, const std::string& component, LeftAside& leftAside) {
    const fs::path folder = model / component;
    const auto chosen = folderWeightFiles(folder, {"model", "diffusion_pytorch_model"});
    const bool anyWeights = !chosen || chosen->empty(); // none of them is known to be the best
    KeptFiles files;
    std::error_code code;
    for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
        std::error_code ignored;
        if (!it->is_regular_file(ignored)) continue;
        if (!anyWeights && holdsWeights(it->path()) && !chosen->contains(it->path())) continue;
        const fs::path place = fs::path(component) / it->path().filename();
        if (auto why = whyLeftAside(model, place))
            leftAside.emplace(place.string(), std::move(*why));
        else
            files.emplace(it->path().filename().string(), KeptFile::noted(it->path()));
    }
    if (code) return systemError("list", folder.string(), code.value());
    return files;
}

bool goesAlong(const std::string& name) {
    const bool known = name.starts_with("LICENSE") || name.starts_with("NOTICE") || name == kReadmeName ||
                       name == "training_defaults.json";
    return known && name.find('/') == std::string::npos && isPlainName(name);
}

void dropDescription(ModelSource& model) {
    noteLicence(model);
    model.licenceFiles.erase(kReadmeName);
    model.metadata.erase(std::string(kAlongKeyPrefix) + kReadmeName);
}

bool canCarry(const CarriedComponent& carried) {
    if (carried.files.empty()) return false;
    const bool network = carried.name == "safety_checker" || carried.name == "image_encoder";
    return !network || hasWeights(carried.files);
}

Result<KeptFiles> filesAlong(const ModelSource& model) {
    if (model.alongFault) return toldWhatGoesAlong(*model.alongFault);
    KeptFiles files = model.licenceFiles;
    for (const CarriedComponent& carried : model.carried) {
        if (!canCarry(carried)) continue;
        for (const auto& [name, file] : carried.files)
            files.emplace((fs::path(carried.name) / name).string(), file);
    }
    return keptNow(files);
}

Result<KeptFiles> filesAlong(const LanguagePart& model) {
    if (model.alongFault) return toldWhatGoesAlong(*model.alongFault);
    return keptNow(model.carriedFiles);
}

Result<void> keepAlong(ModelSource& model) {
    if (model.language) {
        HOMEBOOTH_ASSIGN(model.language->carriedFiles, filesAlong(*model.language));
        return {};
    }
    dropDescription(model);
    HOMEBOOTH_ASSIGN(const KeptFiles kept, filesAlong(model));
    for (auto& [name, file] : model.licenceFiles) file = kept.at(name);
    for (CarriedComponent& carried : model.carried) {
        if (!canCarry(carried)) continue;
        for (auto& [name, file] : carried.files) file = kept.at((fs::path(carried.name) / name).string());
    }
    return {};
}

} // namespace homebooth::core

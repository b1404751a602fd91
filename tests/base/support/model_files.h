// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What tests of model files share: files' contents, files written again with other tensors, a folder of their
// own with tiny models in it.
#pragma once

#include "core/base/files/atomic_file.h"
#include "core/base/formats/safetensors_header.h"
#include "core/base/formats/safetensors_reader.h"
#include "core/base/formats/safetensors_writer.h"
#include "core/base/model/compvis_names.h"
#include "tests/base/support/tiny_model.h"

#include <QtTest>

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace homebooth::core::test {

namespace fs = std::filesystem;

inline std::vector<std::byte> bytesOf(const TensorSource& source, const std::string& name) {
    const TensorInfo* info = source.find(name);
    std::vector<std::byte> bytes(info == nullptr ? 0 : static_cast<size_t>(info->byteCount));
    if (info != nullptr && !source.read(name, bytes)) bytes.clear();
    return bytes;
}

/// Why there is no result; empty where there is one.
template <class T>
std::string reasonOf(const Result<T>& result) {
    return result ? std::string() : result.error().text();
}

inline std::string fileText(const fs::path& path) {
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : "(cannot be read)";
}

/// Relative path -> content of every file.
inline std::map<std::string, std::string> contentOf(const fs::path& folder) {
    std::map<std::string, std::string> content;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            content[fs::relative(entry.path(), folder).string()] = fileText(entry.path());
    return content;
}

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

inline std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

/// Every tensor of both, byte for byte.
inline void compareWeights(const ModelSource& found, const ModelSource& expected) {
    const auto same = [](const TensorSource& one, const TensorSource& other) {
        QCOMPARE(one.tensors().size(), other.tensors().size());
        for (const TensorInfo& info : other.tensors())
            QVERIFY2(bytesOf(one, info.name) == bytesOf(other, info.name), info.name.c_str());
    };
    same(*found.unetTensors, *expected.unetTensors);
    same(*found.vaeTensors, *expected.vaeTensors);
    QCOMPARE(found.textParts().size(), expected.textParts().size());
    for (size_t part = 0; part < expected.textParts().size(); ++part)
        same(*found.textParts()[part]->tensors, *expected.textParts()[part]->tensors);
}

/// Writes a file again with some tensors renamed, dropped (empty name) or added.
inline void rewrite(const fs::path& path, const std::function<std::string(const std::string&)>& rename,
                    const std::vector<TensorInfo>& added = {}) {
    auto reader = SafetensorsReader::open(path.string());
    QVERIFY2(reader.ok(), reader.ok() ? "" : reader.error().text().c_str());
    std::vector<TensorInfo> infos;
    std::vector<std::string> from;
    for (TensorInfo info : (*reader)->tensors()) {
        const std::string before = info.name;
        info.name = rename(info.name);
        if (info.name.empty()) continue;
        infos.push_back(info);
        from.push_back(before);
    }
    infos.insert(infos.end(), added.begin(), added.end());
    auto writer = SafetensorsWriter::create(path.string(), infos, (*reader)->metadata());
    QVERIFY(writer.ok());
    for (size_t i = 0; i < infos.size(); ++i) {
        std::vector<std::byte> bytes(static_cast<size_t>(infos[i].byteCount));
        if (i < from.size()) QVERIFY((*reader)->read(from[i], bytes).ok());
        QVERIFY(writer->write(infos[i].name, bytes).ok());
    }
    QVERIFY(writer->commit().ok());
}

inline ComponentLayout textLayout(const ModelSource& model, size_t part) {
    const ClipConfig& config = model.textParts()[part]->config;
    return part == 0 ? textEncoderLayout(config) : projectingTextEncoderLayout(config);
}

/// What a full-size single file by somebody else holds, in fp16.
inline std::vector<TensorInfo> tensorsOfSingleFile(const ModelSource& model, int64_t inChannels) {
    std::vector<TensorInfo> infos;
    std::set<std::string> names;
    const auto add = [&](const CompVisTensor& tensor) {
        if (names.insert(tensor.name).second)
            infos.push_back(makeTensorInfo(tensor.name, DataType::F16, tensor.shape));
    };
    for (LayoutEntry entry : unetLayout(model.unet)) {
        if (entry.name == "conv_in.weight") entry.shape[1] = inChannels;
        add(compVisUnet(entry, model.unet));
    }
    for (const LayoutEntry& entry : vaeLayout(model.vae)) add(compVisVae(entry, model.vae));
    for (size_t part = 0; part < model.textParts().size(); ++part)
        for (const LayoutEntry& entry : textLayout(model, part))
            add(compVisTextEncoder(entry, compVisTextPlace(model, part)));
    return infos;
}

inline std::string same(const std::string& name) {
    return name;
}

/// The header of a full-size single file by somebody else, followed by a hole as long as its weights.
/// @param rename  empty: the tensor is left out
inline void writeSparse(const fs::path& path, const ModelSource& model, int64_t inChannels,
                        const std::map<std::string, std::string>& metadata,
                        const std::function<std::string(const std::string&)>& rename = same,
                        const std::vector<TensorInfo>& added = {}) {
    std::vector<TensorInfo> infos = tensorsOfSingleFile(model, inChannels);
    for (TensorInfo& info : infos) info.name = rename(info.name);
    std::erase_if(infos, [](const TensorInfo& info) { return info.name.empty(); });
    infos.insert(infos.end(), added.begin(), added.end());
    const std::string header = makeSafetensorsHeader(infos, metadata);
    auto bytes = static_cast<int64_t>(header.size());
    for (const TensorInfo& info : infos) bytes += info.byteCount;
    QVERIFY(writeFileAtomically(path.string(), header).ok());
    fs::resize_file(path, static_cast<uintmax_t>(bytes));
}

/// A test's own folder, with tiny models saved into it.
class ModelFolder {
public:
    [[nodiscard]] fs::path at(const char* name) const { return fs::path(m_dir.path().toStdString()) / name; }
    [[nodiscard]] fs::path path() const { return m_dir.path().toStdString(); }

    /// Saves a tiny model as a folder.
    [[nodiscard]] fs::path savedFolder(bool second, const char* name = "model") const {
        return savedFolder(tinyModel(second), name);
    }
    [[nodiscard]] fs::path savedFolder(const ModelSource& model, const char* name = "model") const {
        const fs::path folder = at(name);
        const auto written = writeDiffusersFolder(model, folder.string());
        if (!written) qWarning("%s", written.error().text().c_str());
        return folder;
    }
    [[nodiscard]] fs::path savedFile(bool second) const { return savedFile(tinyModel(second)); }
    [[nodiscard]] fs::path savedFile(const ModelSource& model) const {
        const fs::path file = at("model.safetensors");
        const auto written = writeSingleFile(model, file.string());
        if (!written) qWarning("%s", written.error().text().c_str());
        return file;
    }

private:
    QTemporaryDir m_dir;
};

} // namespace homebooth::core::test

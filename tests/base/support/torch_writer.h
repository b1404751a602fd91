// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Files like those of torch.save, part by part, so that tests can make them right or wrong.
// Free functions without state.
#pragma once

#include "core/base/formats/tensor_source.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace homebooth::core::test {

inline std::string littleEndian(uint64_t value, size_t count) {
    std::string text;
    for (size_t i = 0; i < count; ++i) text += static_cast<char>((value >> (8 * i)) & 0xffU);
    return text;
}

// Values of a pickle.
inline std::string textValue(std::string_view text) {
    return "X" + littleEndian(text.size(), 4) + std::string(text);
}
inline std::string numberValue(int64_t number) {
    return "\x8a\x08" + littleEndian(static_cast<uint64_t>(number), 8);
}
inline std::string tupleValue(const std::vector<std::string>& items) {
    std::string text = "(";
    for (const std::string& item : items) text += item;
    return text + "t";
}
inline std::string numbersValue(const std::vector<int64_t>& numbers) {
    std::vector<std::string> items;
    for (const int64_t number : numbers) items.push_back(numberValue(number));
    return tupleValue(items);
}
inline std::string globalValue(const std::string& module, const std::string& name) {
    return "c" + module + "\n" + name + "\n";
}
inline std::string callValue(const std::string& function, const std::string& arguments) {
    return function + arguments + "R";
}
inline std::string dictValue(const std::vector<std::pair<std::string, std::string>>& items) {
    std::string text = "}(";
    for (const auto& [key, value] : items) text += textValue(key) + value;
    return text + "u";
}
/// @param type  of torch's storages, e.g. "FloatStorage"
inline std::string storageValue(const std::string& type, const std::string& key, int64_t elements) {
    return tupleValue({textValue("storage"), globalValue("torch", type), textValue(key), textValue("cpu"),
                       numberValue(elements)}) +
           "Q";
}
inline std::string tensorValue(const std::string& storage, int64_t begin, const std::vector<int64_t>& shape,
                               const std::vector<int64_t>& strides) {
    return callValue(globalValue("torch._utils", "_rebuild_tensor_v2"),
                     tupleValue({storage, numberValue(begin), numbersValue(shape), numbersValue(strides),
                                 "\x89", callValue(globalValue("collections", "OrderedDict"), ")")}));
}
inline std::string pickled(const std::string& value) {
    return "\x80\x02" + value + ".";
}

/// A member of a ZIP archive. The numbers are those of its entry in the directory.
struct ZipPart {
    std::string name;
    std::string contents;
    uint64_t method = 0;
    uint64_t flags = 0;
    int64_t moreBytes = 0; ///< that its entry claims
    int64_t shift = 0;     ///< of where its entry says that it begins
};

struct ZipText {
    std::string members;
    std::string directory; ///< behind them
};

/// @param hole  bytes between members and directory
inline ZipText zipTexts(const std::vector<ZipPart>& parts, uint64_t hole = 0) {
    ZipText text;
    for (const ZipPart& part : parts) {
        const auto at = static_cast<uint64_t>(static_cast<int64_t>(text.members.size()) + part.shift);
        const auto bytes = static_cast<uint64_t>(static_cast<int64_t>(part.contents.size()) + part.moreBytes);
        const std::string both = littleEndian(0, 8) + littleEndian(bytes, 4) + littleEndian(bytes, 4) +
                                 littleEndian(part.name.size(), 2) + littleEndian(0, 2);
        const std::string kind = littleEndian(part.flags, 2) + littleEndian(part.method, 2);
        text.members += "PK\3\4" + littleEndian(20, 2) + kind + both + part.name + part.contents;
        text.directory += "PK\1\2" + littleEndian(20, 2) + littleEndian(20, 2) + kind + both +
                          littleEndian(0, 10) + littleEndian(at, 4) + part.name;
    }
    text.directory += "PK\5\6" + littleEndian(0, 4) + littleEndian(parts.size(), 2) +
                      littleEndian(parts.size(), 2) + littleEndian(text.directory.size(), 4) +
                      littleEndian(text.members.size() + hole, 4) + littleEndian(0, 2);
    return text;
}

inline std::string zipped(const std::vector<ZipPart>& parts) {
    const ZipText text = zipTexts(parts);
    return text.members + text.directory;
}

/// Elements from one index of each axis to the next, where rows follow each other.
inline std::vector<int64_t> denseStrides(const std::vector<int64_t>& shape) {
    std::vector<int64_t> strides(shape.size(), 1);
    for (size_t axis = strides.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * shape[axis];
    return strides;
}

/// A whole file of these tensors, in fp32.
inline std::string torchSaved(const TensorSource& source) {
    std::vector<std::pair<std::string, std::string>> values;
    std::vector<ZipPart> parts{{"archive/data.pkl", {}}};
    for (const TensorInfo& info : source.tensors()) {
        const std::string key = std::to_string(parts.size() - 1);
        values.emplace_back(info.name, tensorValue(storageValue("FloatStorage", key, info.elementCount()), 0,
                                                   info.shape, denseStrides(info.shape)));
        std::string contents(static_cast<size_t>(info.byteCount), '\0');
        if (!source.read(info.name, std::as_writable_bytes(std::span(contents)))) contents.clear();
        parts.push_back({"archive/data/" + key, std::move(contents)});
    }
    parts.front().contents = pickled(dictValue({{"state_dict", dictValue(values)}}));
    return zipped(parts);
}

} // namespace homebooth::core::test

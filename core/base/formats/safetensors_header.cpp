// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The header is parsed by events (SAX), not into a tree: a tree would take the last of two equal keys without
// a word, and 100 MB of hostile nesting would become gigabytes of nodes.
#include "core/base/formats/safetensors_header.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

namespace homebooth::core {

namespace {

using nlohmann::json;

constexpr std::string_view kMetadataKey = "__metadata__";

std::string asJsonString(const std::string& text) {
    return json(text).dump();
}

/// Collects the header while it is read; every method returns false to stop, with `m_fault` set.
class HeaderHandler : public nlohmann::json_sax<json> {
public:
    SafetensorsHeader header;
    std::vector<int64_t> ends;

    [[nodiscard]] const std::string& fault() const { return m_fault; }

    bool start_object(size_t) override {
        if (m_depth == 0) return enter();
        if (m_depth == 1 && !m_topKey.empty()) {
            m_fields.clear();
            return enter();
        }
        return unexpected("an object");
    }

    bool end_object() override {
        --m_depth;
        if (m_depth == 1 && m_topKey != kMetadataKey) return finishTensor();
        return true;
    }

    bool key(string_t& text) override {
        if (m_depth == 1) {
            if (!m_topKeys.insert(text).second)
                return fail("the key \"" + printable(text) + "\" occurs twice");
            if (m_topKeys.size() > kTensorLimit)
                return fail("more than " + std::to_string(kTensorLimit) + " tensors");
            m_topKey = text;
            if (text == kMetadataKey) return true;
            if (const auto why = nameFault(text)) return fail(*why);
            m_current = TensorInfo{};
            m_current.name = text;
            m_begin = m_end = -1;
            m_typeSeen = false;
            return true;
        }
        if (!m_fields.insert(text).second)
            return fail("the key \"" + printable(text) + "\" occurs twice in \"" + printable(m_topKey) +
                        "\"");
        m_field = text;
        if (m_topKey == kMetadataKey || text == "dtype" || text == "shape" || text == "data_offsets")
            return true;
        return fail("unknown field \"" + printable(text) + "\" of tensor \"" + printable(m_topKey) + "\"");
    }

    bool string(string_t& text) override {
        if (m_depth == 2 && m_topKey == kMetadataKey) {
            header.metadata[m_field] = text;
            return true;
        }
        if (m_depth != 2 || m_field != "dtype" || m_inArray) return unexpected("text");
        const auto type = dataTypeNamed(text);
        if (!type) {
            return fail("tensor \"" + printable(m_topKey) + "\" " + std::string(kOtherTypeWords) + " \"" +
                        printable(text) +
                        "\", expected F64, F32, F16, BF16, I64, I32, I16, I8, U8 or BOOL; get the fp16 "
                        "version of it");
        }
        m_current.type = *type;
        m_typeSeen = true;
        return true;
    }

    bool start_array(size_t) override {
        if (m_depth != 2 || m_inArray || m_topKey == kMetadataKey || m_field == "dtype")
            return unexpected("a list");
        m_inArray = true;
        m_values = 0;
        return true;
    }

    bool end_array() override {
        m_inArray = false;
        if (m_field == "shape") m_shapeSeen = true;
        if (m_field == "data_offsets" && m_values != 2)
            return fail("data_offsets of " + tensor() + ": expected two numbers, found " +
                        std::to_string(m_values));
        return true;
    }

    bool number_unsigned(number_unsigned_t value) override {
        if (!m_inArray) return unexpected("a number");
        if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
            return fail("number out of range in tensor \"" + printable(m_topKey) + "\"");
        const auto number = static_cast<int64_t>(value);
        ++m_values;
        if (m_field == "shape") {
            if (m_values > kRankLimit)
                return fail("tensor \"" + printable(m_topKey) + "\" has too many axes");
            m_current.shape.push_back(number);
        } else if (m_values == 1) {
            m_begin = number;
        } else {
            m_end = number;
        }
        return true;
    }

    bool number_integer(number_integer_t) override { return unexpected("a negative number"); }
    bool number_float(number_float_t, const string_t&) override {
        return unexpected("a number that is not whole");
    }
    bool null() override { return unexpected("null"); }
    bool boolean(bool) override { return unexpected("true or false"); }
    bool binary(binary_t&) override { return unexpected("a binary value"); }
    bool parse_error(size_t position, const std::string&, const json::exception&) override {
        return fail("no valid JSON at byte " + std::to_string(position));
    }

private:
    bool fail(std::string why) {
        if (m_fault.empty()) m_fault = std::move(why);
        return false;
    }

    [[nodiscard]] std::string tensor() const { return "tensor \"" + printable(m_topKey) + "\""; }

    /// A value of another kind than belongs where the reading stands.
    bool unexpected(const std::string& found) {
        const bool metadata = m_topKey == kMetadataKey;
        const std::string owner = metadata ? std::string(kMetadataKey) : tensor();
        if (m_depth < 2) return fail(owner + ": expected an object, found " + found);
        const bool text = metadata || m_field == "dtype";
        const char* expected = text ? "text" : m_inArray ? "whole numbers from 0" : "a list of numbers";
        const std::string field = metadata ? "\"" + printable(m_field) + "\"" : m_field;
        return fail(field + " of " + owner + ": expected " + expected + ", found " + found);
    }

    bool enter() {
        ++m_depth;
        return true;
    }

    bool finishTensor() {
        const std::string name = "tensor \"" + printable(m_topKey) + "\"";
        if (!m_typeSeen || !m_shapeSeen || m_begin < 0 || m_end < 0)
            return fail(name + " lacks dtype, shape or data_offsets");
        m_shapeSeen = false;
        if (m_end < m_begin) return fail(name + " ends before it begins");
        int64_t bytes = byteWidth(m_current.type);
        for (const int64_t extent : m_current.shape)
            if (__builtin_mul_overflow(bytes, extent, &bytes)) return fail(name + " is impossibly large");
        if (bytes != m_end - m_begin) {
            return fail(name + " of shape " + shapeText(m_current.shape) + " needs " + std::to_string(bytes) +
                        " bytes but has " + std::to_string(m_end - m_begin));
        }
        m_current.byteCount = bytes;
        header.tensors.push_back(std::move(m_current));
        header.offsets.push_back(m_begin);
        ends.push_back(m_end);
        return true;
    }

    int m_depth = 0;
    bool m_inArray = false;
    size_t m_values = 0;
    std::string m_topKey;
    std::string m_field;
    std::set<std::string> m_topKeys;
    std::set<std::string> m_fields;
    TensorInfo m_current;
    bool m_typeSeen = false;
    bool m_shapeSeen = false;
    int64_t m_begin = -1;
    int64_t m_end = -1;
    std::string m_fault;
};

/// Sorts tensors by their first byte and checks that they fill the data exactly.
Result<void> orderTensors(SafetensorsHeader& header, const std::vector<int64_t>& ends, int64_t dataBytes) {
    std::vector<size_t> order(header.tensors.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        return std::pair(header.offsets[a], ends[a]) < std::pair(header.offsets[b], ends[b]);
    });
    SafetensorsHeader sorted;
    int64_t position = 0;
    for (const size_t i : order) {
        if (header.offsets[i] != position) {
            return badInput("tensor \"" + printable(header.tensors[i].name) + "\" begins at byte " +
                            std::to_string(header.offsets[i]) +
                            (header.offsets[i] < position ? ", inside another tensor" : ", after a hole") +
                            "; expected " + std::to_string(position));
        }
        position = ends[i];
        sorted.tensors.push_back(std::move(header.tensors[i]));
        sorted.offsets.push_back(header.offsets[i]);
    }
    if (position != dataBytes) {
        return badInput("expected " + std::to_string(position) + " bytes of tensors, found " +
                        std::to_string(dataBytes) +
                        (position > dataBytes
                             ? ": the file is " + std::string(kCutOffWords) + "; copy or download it again"
                             : ": something is appended to the file"));
    }
    header.tensors = std::move(sorted.tensors);
    header.offsets = std::move(sorted.offsets);
    return {};
}

} // namespace

std::string printable(std::string_view text) {
    constexpr size_t kLongest = 120;
    std::string shown;
    for (const char c : text.substr(0, kLongest)) {
        const auto byte = static_cast<unsigned char>(c);
        shown += byte < 0x20 || byte >= 0x7f ? '?' : c;
    }
    return text.size() > kLongest ? shown + "..." : shown;
}

std::optional<std::string> nameFault(std::string_view name) {
    if (name.empty()) return "a tensor has no name";
    if (name == kMetadataKey) return "a tensor is called __metadata__";
    if (name.size() > kNameLimitBytes)
        return "the name \"" + printable(name) + "\" is longer than " + std::to_string(kNameLimitBytes) +
               " bytes";
    const bool control = std::any_of(name.begin(), name.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 || byte == 0x7f;
    });
    if (control) return "the name \"" + printable(name) + "\" holds control characters";
    return std::nullopt;
}

Result<SafetensorsHeader> parseSafetensorsHeader(std::string_view text, int64_t dataBytes) {
    if (text.empty() || text.front() != '{') return badInput("the header does not begin with '{'");
    HeaderHandler handler;
    if (!json::sax_parse(text.begin(), text.end(), &handler)) {
        const std::string fault = handler.fault();
        const bool ofType = fault.find(kOtherTypeWords) != std::string::npos; // nothing is wrong with it
        return badInput((ofType ? "" : "bad header: ") + fault);
    }
    HOMEBOOTH_CHECK(orderTensors(handler.header, handler.ends, dataBytes));
    return std::move(handler.header);
}

std::string makeSafetensorsHeader(const std::vector<TensorInfo>& tensors,
                                  const std::map<std::string, std::string>& metadata) {
    constexpr size_t kAlignment = 8;
    std::string text = "{";
    if (!metadata.empty()) {
        text += "\"" + std::string(kMetadataKey) + "\":{";
        bool first = true;
        for (const auto& [key, value] : metadata) {
            text += (first ? "" : ",") + asJsonString(key) + ":" + asJsonString(value);
            first = false;
        }
        text += "},";
    }
    int64_t position = 0;
    for (const TensorInfo& tensor : tensors) {
        text += asJsonString(tensor.name) + ":{\"dtype\":\"" + std::string(dataTypeName(tensor.type)) +
                "\",\"shape\":" + json(tensor.shape).dump() + ",\"data_offsets\":[" +
                std::to_string(position) + "," + std::to_string(position + tensor.byteCount) + "]},";
        position += tensor.byteCount;
    }
    if (text.back() == ',') text.pop_back();
    text += "}";
    text.append((kAlignment - text.size() % kAlignment) % kAlignment, ' ');
    std::string length;
    for (size_t i = 0; i < sizeof(uint64_t); ++i)
        length += static_cast<char>((static_cast<uint64_t>(text.size()) >> (8 * i)) & 0xffU);
    return length + text;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/generation_parameters.h"

#include "core/base/config/step_spacing.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <type_traits>

namespace homebooth::core {

namespace {

constexpr std::string_view kNegativeMark = "Negative prompt:";
constexpr std::string_view kExactPrompt = "Exact prompt";
constexpr std::string_view kExactNegative = "Exact negative prompt";
constexpr std::string_view kLoraWeights = "Lora weights";
constexpr std::string_view kEmbeddingHashes = "TI hashes";
constexpr std::string_view kInitImage = "Init image";
constexpr size_t kFewestPairs = 3; ///< a last line with fewer belongs to the prompt

using Pair = std::pair<std::string, std::string>;

bool isSpace(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && isSpace(text.front())) text.remove_prefix(1);
    while (!text.empty() && isSpace(text.back())) text.remove_suffix(1);
    return text;
}

bool isWord(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
           (static_cast<unsigned char>(c) & 0x80U) != 0;
}

bool isKeyPart(char c) {
    return isWord(c) || c == ' ' || c == '-' || c == '/';
}

std::string quoted(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Quoted where a plain value would be cut or changed on reading.
std::string valueText(const std::string& text) {
    const bool plain = text.find_first_of(",:\n\"") == std::string::npos && trimmed(text) == text;
    return plain ? text : quoted(text);
}

std::string unquoted(std::string_view text) {
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::string(text);
    const auto parsed = nlohmann::json::parse(text, nullptr, false);
    return parsed.is_string() ? parsed.get<std::string>() : std::string(text);
}

/// The end of the quoted string that begins at `begin`, or npos.
size_t quotedEnd(std::string_view line, size_t begin) {
    for (size_t at = begin + 1; at < line.size(); ++at) {
        if (line[at] == '\\')
            ++at;
        else if (line[at] == '"')
            return at + 1;
    }
    return std::string_view::npos;
}

/// All `key: value` pairs of a line, in order; what is none is passed over.
std::vector<Pair> pairsOf(std::string_view line) {
    std::vector<Pair> pairs;
    size_t at = 0;
    while (at < line.size()) {
        if (!isWord(line[at])) {
            ++at;
            continue;
        }
        size_t colon = at;
        while (colon < line.size() && isKeyPart(line[colon])) ++colon;
        if (colon >= line.size() || line[colon] != ':' || colon - at < 2) {
            at = std::max(colon, at + 1);
            continue;
        }
        size_t begin = colon + 1;
        while (begin < line.size() && isSpace(line[begin])) ++begin;
        size_t end = begin < line.size() && line[begin] == '"' ? quotedEnd(line, begin) : begin;
        if (end == std::string_view::npos || end == begin || (end < line.size() && line[end] != ','))
            end = std::min(line.find(',', begin), line.size());
        pairs.emplace_back(line.substr(at, colon - at), unquoted(line.substr(begin, end - begin)));
        at = end + 1;
    }
    return pairs;
}

template <class Number>
bool readNumber(const std::string& text, Number& number) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return false;
    if constexpr (std::is_floating_point_v<Number>)
        if (!std::isfinite(value)) return false; // "nan" and "inf" are read, too
    number = value;
    return true;
}

bool readSize(const std::string& text, GenerationParameters& parameters) {
    const size_t cross = text.find('x');
    return cross != std::string::npos && readNumber(text.substr(0, cross), parameters.widthPixels) &&
           readNumber(text.substr(cross + 1), parameters.heightPixels);
}

/// "name: value, name: value" as A1111 lists LoRAs and textual inversions.
std::vector<Pair> readList(const std::string& text) {
    std::vector<Pair> list;
    size_t begin = 0;
    while (begin < text.size()) {
        const size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view item = trimmed(std::string_view(text).substr(begin, end - begin));
        const size_t colon = item.rfind(':');
        if (colon != std::string_view::npos)
            list.emplace_back(trimmed(item.substr(0, colon)), trimmed(item.substr(colon + 1)));
        begin = end + 1;
    }
    return list;
}

bool readHashes(const std::string& text, std::vector<Pair>& hashes) {
    for (Pair& one : readList(text)) hashes.push_back(std::move(one));
    return true;
}

bool readLoraWeights(const std::string& text, GenerationParameters& parameters) {
    for (const auto& [name, weight] : readList(text))
        if (double number = 0.0; readNumber(weight, number))
            parameters.loraWeights.emplace_back(name, number);
    return true;
}

/// Takes one pair; false if the key is unknown or the value does not fit.
bool take(const Pair& pair, GenerationParameters& parameters) {
    const auto& [key, value] = pair;
    const auto text = [&value = value](std::string& member) {
        member = value;
        return true;
    };
    if (key == "Steps") return readNumber(value, parameters.steps);
    if (key == "Sampler") return text(parameters.sampler);
    if (key == "Schedule type") return text(parameters.scheduleType);
    if (key == "CFG scale") return readNumber(value, parameters.guidanceScale);
    if (key == "Seed")
        return readNumber(value, parameters.seed.emplace()) || (parameters.seed.reset(), false);
    if (key == "Size") return readSize(value, parameters);
    if (key == "Model hash") return text(parameters.modelHash);
    if (key == "Model") return text(parameters.model);
    if (key == "Denoising strength") return readNumber(value, parameters.strength);
    if (key == "Clip skip") {
        const bool read = readNumber(value, parameters.clipSkip);
        parameters.clipSkip = std::max<int64_t>(parameters.clipSkip, 1) - 1;
        return read;
    }
    if (key == "Lora hashes") return readHashes(value, parameters.loraHashes);
    if (key == kEmbeddingHashes) return readHashes(value, parameters.embeddingHashes);
    if (key == kLoraWeights) return readLoraWeights(value, parameters);
    if (key == kInitImage) return text(parameters.initImage);
    if (key == "Version") return text(parameters.version);
    if (key == kExactPrompt) return text(parameters.prompt);
    if (key == kExactNegative) return text(parameters.negativePrompt);
    return false;
}

/// Splits the lines before the parameters into prompt and negative prompt.
void readPrompts(std::string_view text, GenerationParameters& parameters) {
    bool negative = false;
    bool first = true;
    while (!text.empty() || first) {
        const size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.substr(0, kNegativeMark.size()) == kNegativeMark) {
            negative = true;
            line = trimmed(line.substr(kNegativeMark.size()));
        }
        std::string& target = negative ? parameters.negativePrompt : parameters.prompt;
        if (!target.empty()) target += '\n';
        target += line;
        first = false;
    }
}

std::string numberText(double value) {
    std::array<char, 32> buffer{};
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), result.ptr};
}

std::string withoutNul(std::string text) {
    text.erase(std::remove(text.begin(), text.end(), '\0'), text.end());
    return text;
}

/// A name without what parts a list.
std::string plainName(std::string name) {
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == ',' || c == ':'; }, '_');
    return name;
}

std::string listText(const std::vector<Pair>& hashes) {
    std::string text;
    for (const auto& [name, hash] : hashes)
        text.append(text.empty() ? "" : ", ").append(plainName(name)).append(": ").append(hash);
    return text;
}

/// With the names as A1111 has them.
std::string loraListText(std::vector<Pair> loras) {
    for (auto& [name, value] : loras) name = listedLoraName(name);
    return listText(loras);
}

/// What a tag calls a LoRA: its file's name, by which other programs find it, but a colon ends it there.
std::string tagName(std::string name) {
    std::replace(name.begin(), name.end(), ':', '_');
    return name;
}

/// The prompt with a tag for each LoRA: other programs apply it for nothing else. A name that no tag can hold
/// gets none.
std::string taggedPrompt(const GenerationParameters& parameters) {
    std::string prompt = withoutNul(parameters.prompt);
    for (const auto& [name, weight] : parameters.loraWeights) {
        if (name.empty() || name.find_first_of(std::string_view("<>\n\r\0", 5)) != std::string::npos)
            continue;
        if (!prompt.empty() && !isSpace(prompt.back())) prompt.push_back(' ');
        prompt.append("<lora:").append(tagName(name)).append(":").append(numberText(weight)).append(">");
    }
    return prompt;
}

std::vector<Pair> pairsFor(const GenerationParameters& parameters) {
    std::vector<Pair> pairs;
    const auto add = [&](std::string_view key, const std::string& value) {
        if (!value.empty()) pairs.emplace_back(key, valueText(value));
    };
    const auto addNumber = [&](std::string_view key, double value) {
        if (value > 0.0) add(key, numberText(value));
    };
    if (parameters.steps > 0) add("Steps", std::to_string(parameters.steps));
    add("Sampler", parameters.sampler);
    add("Schedule type", parameters.scheduleType);
    addNumber("CFG scale", parameters.guidanceScale);
    if (parameters.seed) add("Seed", std::to_string(*parameters.seed));
    if (parameters.widthPixels > 0)
        add("Size", std::to_string(parameters.widthPixels) + "x" + std::to_string(parameters.heightPixels));
    add("Model hash", parameters.modelHash);
    add("Model", parameters.model);
    addNumber("Denoising strength", parameters.strength);
    if (parameters.clipSkip > 0) add("Clip skip", std::to_string(parameters.clipSkip + 1));
    if (const std::string hashes = loraListText(parameters.loraHashes); !hashes.empty())
        pairs.emplace_back("Lora hashes", quoted(hashes));
    if (const std::string hashes = listText(parameters.embeddingHashes); !hashes.empty())
        pairs.emplace_back(kEmbeddingHashes, quoted(hashes));
    std::vector<Pair> weights;
    for (const auto& [name, weight] : parameters.loraWeights) weights.emplace_back(name, numberText(weight));
    if (!weights.empty()) pairs.emplace_back(kLoraWeights, quoted(loraListText(weights)));
    add(kInitImage.data(), parameters.initImage);
    for (const auto& [key, value] : parameters.others) add(key, value);
    return pairs;
}

std::string joined(const std::vector<Pair>& pairs) {
    std::string line;
    for (const auto& [key, value] : pairs) line += (line.empty() ? "" : ", ") + key + ": " + value;
    return line;
}

} // namespace

std::string listedLoraName(std::string name) {
    std::erase_if(name, [](char c) { return c == ',' || c == ':'; });
    return name;
}

std::string writeGenerationParameters(const GenerationParameters& parameters) {
    std::string head = taggedPrompt(parameters) + "\n";
    if (!parameters.negativePrompt.empty())
        head += std::string(kNegativeMark) + " " + withoutNul(parameters.negativePrompt) + "\n";
    std::vector<Pair> pairs = pairsFor(parameters);
    const GenerationParameters read = parseGenerationParameters(head + "Steps: 1, Seed: 1, Size: 8x8");
    if (read.prompt != parameters.prompt || read.negativePrompt != parameters.negativePrompt) {
        pairs.emplace_back(kExactPrompt, quoted(parameters.prompt));
        pairs.emplace_back(kExactNegative, quoted(parameters.negativePrompt));
    }
    if (!parameters.version.empty()) pairs.emplace_back("Version", valueText(parameters.version));
    return head + joined(pairs);
}

GenerationParameters parseGenerationParameters(std::string_view text) {
    GenerationParameters parameters;
    text = trimmed(text);
    const size_t lineBreak = text.rfind('\n');
    const size_t lastBegin = lineBreak == std::string_view::npos ? 0 : lineBreak + 1;
    const std::vector<Pair> pairs = pairsOf(text.substr(lastBegin));
    if (pairs.size() < kFewestPairs) {
        readPrompts(text, parameters);
        return parameters;
    }
    readPrompts(text.substr(0, lastBegin == 0 ? 0 : lastBegin - 1), parameters);
    for (const Pair& pair : pairs)
        if (!take(pair, parameters)) parameters.others.push_back(pair);
    return parameters;
}

namespace {

constexpr std::array<std::pair<std::string_view, SamplerKind>, 9> kDisplayNames = {{
    {"DDPM", SamplerKind::Ddpm},
    {"DDIM", SamplerKind::Ddim},
    {"PLMS", SamplerKind::Pndm},
    {"Euler", SamplerKind::Euler},
    {"Euler a", SamplerKind::EulerAncestral},
    {"DPM++ 2M", SamplerKind::DpmPlusPlus2M},
    {"DPM++ 2M SDE", SamplerKind::DpmPlusPlus2MSde},
    {"UniPC", SamplerKind::UniPc},
    {"LCM", SamplerKind::Lcm},
}};

} // namespace

int64_t toldClipSkip(int64_t leftOut, bool isXl) {
    return isXl && leftOut > 0 ? leftOut + 1 : leftOut;
}

int64_t clipSkipOf(int64_t told, bool isXl) {
    return isXl && told > 0 ? told - 1 : told;
}

const char* samplerDisplayName(SamplerKind kind) {
    for (const auto& [name, candidate] : kDisplayNames)
        if (candidate == kind) return name.data();
    return "";
}

bool hasKarrasSpacing(SamplerKind kind) {
    return kind == SamplerKind::Euler || kind == SamplerKind::DpmPlusPlus2M ||
           kind == SamplerKind::DpmPlusPlus2MSde || kind == SamplerKind::UniPc;
}

bool usedKarrasSpacing(const GenerationParameters& parameters) {
    const auto sampler = samplerOfDisplayName(parameters.sampler);
    if (!sampler || !hasKarrasSpacing(sampler->first)) return false;
    const bool ours = parameters.version.starts_with("Homebooth");
    const bool chosen =
        parameters.scheduleType == "Automatic" && !ours && sampler->first == SamplerKind::DpmPlusPlus2M;
    return sampler->second || parameters.scheduleType == "Karras" || chosen;
}

bool usedTrailingSteps(const GenerationParameters& parameters) {
    const auto sampler = samplerOfDisplayName(parameters.sampler);
    if (!sampler || !takesSpacing(sampler->first, usedKarrasSpacing(parameters))) return false;
    const std::string& type = parameters.scheduleType;
    if (parameters.version.starts_with("Homebooth"))
        return type == kTrailingSchedule ||
               std::find(parameters.others.begin(), parameters.others.end(),
                         Pair(kStepSpacingKey, kTrailingWord)) != parameters.others.end();
    // In other programs these two have one spacing, whatever the text says.
    if (sampler->first == SamplerKind::Ddim || sampler->first == SamplerKind::Pndm) return false;
    return type == kTrailingSchedule || type == "Simple"; // which differ by less than a timestep
}

std::optional<std::pair<SamplerKind, bool>> samplerOfDisplayName(std::string_view name) {
    constexpr std::string_view suffix = " Karras";
    const bool karras = name.size() > suffix.size() && name.substr(name.size() - suffix.size()) == suffix;
    if (karras) name.remove_suffix(suffix.size());
    for (const auto& [candidate, kind] : kDisplayNames)
        if (candidate == name) return std::pair{kind, karras};
    return std::nullopt;
}

} // namespace homebooth::core

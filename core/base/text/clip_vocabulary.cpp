// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The order in which the files overrule each other is that of transformers 5, so that a folder means the
// same ids here and there; the pad token of SD 2 ("!", which then stands alone in prompts too) depends on it.
#include "core/base/text/clip_vocabulary.h"

#include "core/base/util/regular_file.h"
#include "core/base/util/shallow_json.h"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <zlib.h>

namespace homebooth::core {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr int64_t kFileLimitBytes = 64 << 20;
constexpr int64_t kMaxIds = 1 << 24;
constexpr size_t kPublishedMerges = 48'894;

Error fileError(const fs::path& path, const std::string& expected, const std::string& found) {
    return badInput("cannot read the tokenizer: expected " + expected + ", found " + found +
                        "; take the tokenizer folder of the model again",
                    displayName(path));
}

using Texts = std::map<std::string, std::string>;

/// The files of a tokenizer: those of a folder, or their texts where they travelled in another file.
class TokenizerFiles {
public:
    /// @param texts  must outlive this; null: the files lie in the folder `source`
    explicit TokenizerFiles(fs::path source, const Texts* texts = nullptr)
        : m_source(std::move(source))
        , m_texts(texts) {}

    [[nodiscard]] fs::path path(const char* name) const { return m_source / name; }
    [[nodiscard]] bool has(const char* name) const {
        std::error_code ignored;
        return m_texts != nullptr ? m_texts->contains(name)
                                  : fs::exists(fs::symlink_status(path(name), ignored));
    }
    [[nodiscard]] Result<std::string> read(const char* name) const {
        if (m_texts == nullptr) return readRegularFile(path(name), kFileLimitBytes);
        const auto found = m_texts->find(name);
        if (found == m_texts->end()) return fileError(path(name), "the file", "none");
        return found->second;
    }
    [[nodiscard]] Result<json> readJson(const char* name) const {
        HOMEBOOTH_ASSIGN(const std::string text, read(name));
        json parsed = parseShallow<json>(text);
        if (!parsed.is_object()) return fileError(path(name), "a JSON object", "other text");
        return parsed;
    }
    /// An empty object where the file does not exist.
    [[nodiscard]] Result<json> readOptionalJson(const char* name) const {
        return has(name) ? readJson(name) : Result<json>(json::object());
    }

private:
    fs::path m_source;
    const Texts* m_texts;
};

Result<VocabularyIds> idsFrom(const json& entries, const fs::path& path) {
    if (!entries.is_object() || entries.empty()) return fileError(path, "entries with ids", "none");
    VocabularyIds ids;
    ids.reserve(entries.size());
    for (const auto& [entry, id] : entries.items()) {
        if (!id.is_number_integer() || id.get<int64_t>() < 0 || id.get<int64_t>() >= kMaxIds) {
            return fileError(path, "ids from 0 to " + std::to_string(kMaxIds - 1),
                             "\"" + entry + "\" with another");
        }
        ids.emplace(entry, id.get<int64_t>());
    }
    return ids;
}

using Merges = std::vector<std::pair<std::string, std::string>>;

/// Adds the merge in `line`; false if it is not two entries with one space between.
bool addMerge(std::string_view line, Merges& merges) {
    const size_t space = line.find(' ');
    if (space == 0 || space == std::string_view::npos || space + 1 == line.size()) return false;
    if (line.find(' ', space + 1) != std::string_view::npos) return false;
    merges.emplace_back(line.substr(0, space), line.substr(space + 1));
    return true;
}

/// Calls `take(line, number)` for each line without its end, until it returns false.
template <class Take>
void forEachLine(std::string_view text, Take take) {
    for (int64_t number = 1; !text.empty(); ++number) {
        const size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (!take(line, number)) return;
    }
}

Result<Merges> readMerges(const TokenizerFiles& files) {
    constexpr const char* kName = "merges.txt";
    const fs::path path = files.path(kName);
    HOMEBOOTH_ASSIGN(const std::string text, files.read(kName));
    Merges merges;
    int64_t badLine = 0;
    forEachLine(text, [&](std::string_view line, int64_t number) {
        if (line.starts_with("#version") || line.empty()) return true;
        if (!addMerge(line, merges)) badLine = number;
        return badLine == 0;
    });
    if (badLine != 0) {
        return fileError(path, "two entries a line", "something else in line " + std::to_string(badLine));
    }
    return merges;
}

Result<Merges> mergesFrom(const json& list, const fs::path& path) {
    Merges merges;
    bool good = list.is_array();
    for (size_t i = 0; good && i < list.size(); ++i) {
        const json& merge = list[i];
        if (merge.is_string()) {
            good = addMerge(merge.get_ref<const std::string&>(), merges);
        } else {
            good = merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string();
            if (good) merges.emplace_back(merge[0].get<std::string>(), merge[1].get<std::string>());
        }
    }
    if (!good) return fileError(path, "a list of pairs as merges", "something else");
    return merges;
}

bool flag(const json& object, const char* key, bool otherwise) {
    auto found = object.find(key);
    return found != object.end() && found->is_boolean() ? found->get<bool>() : otherwise;
}

/// A token written as text or as an object with `content`; nothing for null and anything else.
std::optional<AddedToken> tokenFrom(const json& value) {
    if (value.is_string()) return AddedToken{value.get<std::string>(), false, false};
    if (!value.is_object()) return std::nullopt;
    auto content = value.find("content");
    if (content == value.end() || !content->is_string()) return std::nullopt;
    const bool special = flag(value, "special", false);
    return AddedToken{content->get<std::string>(), flag(value, "normalized", !special),
                      flag(value, "single_word", false)};
}

/// What the JSON files of a folder say beside the vocabulary itself.
struct SideFiles {
    json config;                        ///< tokenizer_config.json
    json specialTokens;                 ///< special_tokens_map.json
    json addedTokens;                   ///< added_tokens.json: content to id
    json tokenizer;                     ///< tokenizer.json
    std::map<int64_t, AddedToken> byId; ///< declared added tokens
    std::map<std::string, json> named;  ///< bos_token and so on
};

void collectNamed(const json& from, SideFiles& side) {
    for (const char* key : {"bos_token", "eos_token", "unk_token", "pad_token"}) {
        auto found = from.find(key);
        if (found == from.end() || !tokenFrom(*found)) continue;
        json value = *found;
        // A token that comes as an object in these files counts as special; its own flag still decides
        // whether it is sought in normalised text.
        if (value.is_object()) value["normalized"] = flag(value, "normalized", false);
        side.named[key] = value;
    }
}

void collectById(SideFiles& side) {
    auto decoder = side.config.find("added_tokens_decoder");
    if (decoder != side.config.end() && decoder->is_object()) {
        for (const auto& [key, value] : decoder->items()) {
            const std::optional<AddedToken> token = tokenFrom(value);
            if (token) side.byId[std::strtoll(key.c_str(), nullptr, 10)] = *token;
        }
        return;
    }
    collectNamed(side.specialTokens, side);
    for (const auto& [content, id] : side.addedTokens.items()) {
        bool special = false;
        for (const auto& [key, value] : side.named) special = special || tokenFrom(value)->content == content;
        if (id.is_number_integer()) side.byId[id.get<int64_t>()] = AddedToken{content, !special, false};
    }
    auto listed = side.tokenizer.find("added_tokens");
    if (listed == side.tokenizer.end() || !listed->is_array()) return;
    for (const json& value : *listed) {
        const std::optional<AddedToken> token = tokenFrom(value);
        const json id = value.is_object() ? value.value("id", json()) : json();
        if (token && id.is_number_integer()) side.byId[id.get<int64_t>()] = *token;
    }
}

/// Puts declared and named tokens into the order in which they are added.
void applySideFiles(SideFiles& side, ClipVocabulary& vocabulary) {
    collectNamed(side.config, side);
    collectById(side);
    const auto declared = [&side](const std::string& content) {
        for (const auto& [id, token] : side.byId) {
            if (token.content == content) return true;
        }
        return false;
    };
    for (const auto& [id, token] : side.byId) vocabulary.added.push_back(token);
    const std::pair<const char*, std::string*> roles[] = {{"bos_token", &vocabulary.startToken},
                                                          {"eos_token", &vocabulary.endToken},
                                                          {"unk_token", &vocabulary.unknownToken},
                                                          {"pad_token", &vocabulary.padToken}};
    for (const auto& [key, content] : roles) {
        auto found = side.named.find(key);
        AddedToken token{*content, false, false};
        if (found != side.named.end()) token = *tokenFrom(found->second);
        *content = token.content;
        if (!declared(token.content)) vocabulary.added.push_back(token);
    }
    auto length = side.config.find("model_max_length");
    if (length == side.config.end() || !length->is_number()) return;
    // transformers writes 1e30 for "no limit"; the text encoders themselves end at 77.
    if (length->get<double>() >= 2 && length->get<double>() <= 1'000'000) {
        vocabulary.modelMaxLength = static_cast<int64_t>(length->get<double>());
    }
}

/// Fills entries and merges from vocab.json and merges.txt, or from tokenizer.json where those are missing.
Result<void> readEntries(const TokenizerFiles& files, const json& tokenizer, ClipVocabulary& vocabulary) {
    constexpr const char* kEntries = "vocab.json";
    if (!files.has(kEntries) && !tokenizer.empty()) {
        const fs::path path = files.path("tokenizer.json");
        const json model = tokenizer.value("model", json::object());
        if (!model.is_object()) return fileError(path, "an object `model`", "something else");
        HOMEBOOTH_ASSIGN(vocabulary.ids, idsFrom(model.value("vocab", json()), path));
        HOMEBOOTH_ASSIGN(vocabulary.merges, mergesFrom(model.value("merges", json()), path));
        return {};
    }
    HOMEBOOTH_ASSIGN(const json entries, files.readJson(kEntries));
    HOMEBOOTH_ASSIGN(vocabulary.ids, idsFrom(entries, files.path(kEntries)));
    HOMEBOOTH_ASSIGN(vocabulary.merges, readMerges(files));
    return {};
}

Result<std::string> unpackGzip(const fs::path& path) {
    HOMEBOOTH_ASSIGN(const std::string packed, readRegularFile(path, kFileLimitBytes));
    z_stream stream{};
    if (inflateInit2(&stream, 15 + 16) != Z_OK) return Error{ErrorCode::Internal, "zlib did not start", {}};
    std::string out;
    std::vector<char> buffer(1 << 16);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    int state = Z_OK;
    while (state == Z_OK && static_cast<int64_t>(out.size()) <= kFileLimitBytes) {
        stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
        stream.avail_out = static_cast<uInt>(buffer.size());
        state = inflate(&stream, Z_NO_FLUSH);
        out.append(buffer.data(), buffer.size() - stream.avail_out);
    }
    inflateEnd(&stream);
    if (state != Z_STREAM_END) return fileError(path, "a complete gzip file", "another or a damaged one");
    return out;
}

Result<ClipVocabulary> readVocabulary(const TokenizerFiles& files) {
    SideFiles side;
    HOMEBOOTH_ASSIGN(side.config, files.readOptionalJson("tokenizer_config.json"));
    HOMEBOOTH_ASSIGN(side.specialTokens, files.readOptionalJson("special_tokens_map.json"));
    HOMEBOOTH_ASSIGN(side.addedTokens, files.readOptionalJson("added_tokens.json"));
    HOMEBOOTH_ASSIGN(side.tokenizer, files.readOptionalJson("tokenizer.json"));
    ClipVocabulary vocabulary;
    HOMEBOOTH_CHECK(readEntries(files, side.tokenizer, vocabulary));
    applySideFiles(side, vocabulary);
    if (vocabulary.added.size() > kMostAddedTokens)
        return fileError(files.path(""), "at most " + std::to_string(kMostAddedTokens) + " added tokens",
                         std::to_string(vocabulary.added.size()));
    for (const std::string& token : {vocabulary.startToken, vocabulary.endToken}) {
        bool known = vocabulary.ids.contains(token);
        for (const AddedToken& added : vocabulary.added) known = known || added.content == token;
        if (token.empty() || !known) return fileError(files.path(""), "an entry \"" + token + "\"", "none");
    }
    return vocabulary;
}

} // namespace

Result<ClipVocabulary> readClipVocabularyFolder(const fs::path& folder) {
    return readVocabulary(TokenizerFiles(folder));
}

Result<ClipVocabulary> readClipVocabularyFiles(const Texts& texts, const fs::path& source) {
    return readVocabulary(TokenizerFiles(source, &texts));
}

Result<ClipVocabulary> readPublishedClipVocabulary(const fs::path& gzFile) {
    HOMEBOOTH_ASSIGN(const std::string text, unpackGzip(gzFile));
    Merges merges;
    forEachLine(text, [&](std::string_view line, int64_t number) {
        if (number == 1) return true; // a heading
        return merges.size() < kPublishedMerges && addMerge(line, merges);
    });
    if (merges.size() != kPublishedMerges) {
        return fileError(gzFile, std::to_string(kPublishedMerges) + " merges", std::to_string(merges.size()));
    }
    return vocabularyOfMerges(std::move(merges));
}

ClipVocabulary vocabularyOfMerges(Merges merges) {
    ClipVocabulary vocabulary;
    vocabulary.merges = std::move(merges);
    const auto add = [&ids = vocabulary.ids](const std::string& entry) {
        ids.emplace(entry, static_cast<int64_t>(ids.size()));
    };
    const std::vector<std::string> symbols = byteSymbolsInOrder();
    for (const std::string& symbol : symbols) add(symbol);
    for (const std::string& symbol : symbols) add(symbol + std::string(kEndOfWord));
    for (const auto& [left, right] : vocabulary.merges) add(left + right);
    add(vocabulary.startToken);
    add(vocabulary.endToken);
    vocabulary.added = {{vocabulary.startToken, true, false}, {vocabulary.endToken, false, false}};
    return vocabulary;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/byte_level_files.h"

#include "core/base/util/regular_file.h"
#include "core/base/util/shallow_json.h"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>

namespace homebooth::core {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

constexpr int64_t kLimitBytes = int64_t{64} << 20; // BLOOM's tokenizer.json has 14 MB
constexpr int64_t kMostIds = int64_t{1} << 21;     // BLOOM has 250,880
constexpr const char* kTextEnd = "<|endoftext|>";  // what GPT-2's begin and end with where nothing is said
constexpr const char* kCutOnce = "words cut once, as GPT-2 or BLOOM does";
constexpr const char* kOtherModel = "; take a model of the family OPT, GPT-2 or BLOOM";

bool isThere(const fs::path& path) {
    std::error_code code;
    return fs::exists(path, code);
}

Result<Json> readObject(const fs::path& file) {
    HOMEBOOTH_ASSIGN(const std::string text, readRegularFile(file.string(), kLimitBytes));
    Json json = parseShallow<Json>(text);
    if (json.is_object()) return json;
    return badInput("expected a JSON object; copy or download the file again", file.string());
}

/// An object that may be missing: empty then.
Result<Json> readIfThere(const fs::path& file) {
    if (!isThere(file)) return Json::object();
    return readObject(file);
}

std::string textIn(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool isTrue(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_boolean() && found->get<bool>();
}

/// Special tokens are texts, or objects with their text as "content".
std::string tokenText(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    return value.is_object() ? textIn(value, "content") : std::string();
}

class Reader {
public:
    explicit Reader(const fs::path& folder)
        : m_folder(folder) {}

    Result<ByteLevelFiles> read() {
        HOMEBOOTH_ASSIGN(m_config, readIfThere(m_folder / "tokenizer_config.json"));
        HOMEBOOTH_ASSIGN(m_special, readIfThere(m_folder / "special_tokens_map.json"));
        const bool whole = isThere(m_folder / "tokenizer.json");
        HOMEBOOTH_CHECK(whole ? readWhole() : readParts());
        if (isTrue(m_config, "add_prefix_space"))
            return refused("no \"add_prefix_space\"", "it in tokenizer_config.json");
        HOMEBOOTH_CHECK(checkBytes());
        HOMEBOOTH_CHECK(readAdded());
        if (m_files.added.size() > kMostAddedTokens)
            return refused("at most " + std::to_string(kMostAddedTokens) + " added tokens",
                           std::to_string(m_files.added.size()));
        if (const std::string end = named("eos_token"); isEntry(end)) m_files.endToken = end;
        if (whole) return std::move(m_files); // whose template alone says what begins a text
        HOMEBOOTH_CHECK(addDefaults());
        if (isTrue(m_config, "add_bos_token")) m_files.startToken = named("bos_token");
        return std::move(m_files);
    }

private:
    [[nodiscard]] Error refused(const std::string& expected, const std::string& found) const {
        return badInput("reading the tokenizer: expected " + expected + ", found " + found + kOtherModel,
                        m_files.file);
    }

    /// The text of a special token by its name, such as "bos_token"; empty: it has none.
    [[nodiscard]] std::string named(const char* key) const {
        for (const Json* source : {&m_config, &m_special})
            if (source->contains(key)) return tokenText((*source)[key]);
        return m_files.ids.contains(kTextEnd) ? kTextEnd : "";
    }

    [[nodiscard]] bool isEntry(const std::string& text) const {
        return m_files.ids.contains(text) || m_added.contains(text);
    }

    [[nodiscard]] Result<void> checkBytes() const {
        for (int byte = 0; byte < 256; ++byte)
            if (!m_files.ids.contains(byteSymbol(static_cast<uint8_t>(byte))))
                return refused("an entry for each of the 256 bytes, so that no text is lost",
                               "none for byte " + std::to_string(byte));
        return {};
    }

    Result<void> readWhole() {
        m_files.file = (m_folder / "tokenizer.json").string();
        HOMEBOOTH_ASSIGN(const Json json, readObject(m_files.file));
        const Json model = json.value("model", Json::object());
        if (!model.is_object() || (!textIn(model, "type").empty() && textIn(model, "type") != "BPE"))
            return refused("byte pairs (BPE) as its model",
                           model.is_object() ? textIn(model, "type") : "none");
        HOMEBOOTH_CHECK(checkModel(model));
        HOMEBOOTH_CHECK(readVocabulary(model.value("vocab", Json())));
        HOMEBOOTH_CHECK(readMerges(model.value("merges", Json())));
        const Json normalizer = json.value("normalizer", Json());
        const bool plain = normalizer.is_null() || (textIn(normalizer, "type") == "Sequence" &&
                                                    normalizer.value("normalizers", Json()).empty());
        if (!plain) return refused("no normalizer", textIn(normalizer, "type"));
        HOMEBOOTH_CHECK(readSplit(json.value("pre_tokenizer", Json())));
        HOMEBOOTH_CHECK(readTemplate(json.value("post_processor", Json())));
        for (const Json& token : json.value("added_tokens", Json::array()))
            HOMEBOOTH_CHECK(addToken(token, idIn(token)));
        return {};
    }

    [[nodiscard]] Result<void> checkModel(const Json& model) const {
        for (const char* other : {"byte_fallback", "ignore_merges"})
            if (isTrue(model, other)) return refused("no \"" + std::string(other) + "\"", "it");
        for (const char* other : {"continuing_subword_prefix", "end_of_word_suffix"})
            if (!textIn(model, other).empty()) return refused("no \"" + std::string(other) + "\"", "one");
        const Json dropout = model.value("dropout", Json());
        if (dropout.is_number() && dropout.get<double>() != 0.0)
            return refused("no \"dropout\" of merges", dropout.dump());
        return {};
    }

    static int64_t idIn(const Json& token) {
        const auto found = token.find("id");
        return found != token.end() && found->is_number_integer() ? found->get<int64_t>() : -1;
    }

    /// @param id  of the token where the vocabulary lacks it
    Result<void> addToken(const Json& token, int64_t id) {
        ByteLevelToken added{id,    tokenText(token),        isTrue(token, "special"),
                             false, isTrue(token, "lstrip"), isTrue(token, "rstrip")};
        added.yields = token.contains("normalized") ? isTrue(token, "normalized") : !added.special;
        if (const auto found = m_files.ids.find(added.content); found != m_files.ids.end())
            added.id = found->second;
        if (added.content.empty() || added.id < 0 || added.id > kMostIds)
            return refused("added tokens with their text and a number from 0 on", token.dump());
        if (isTrue(token, "single_word")) return refused("no added token of \"single_word\"", added.content);
        const auto [known, isNew] = m_added.emplace(added.content, m_files.added.size());
        if (isNew) m_files.added.emplace_back();
        m_files.added[known->second] = std::move(added);
        return {};
    }

    Result<void> readVocabulary(const Json& vocabulary) {
        if (!vocabulary.is_object() || vocabulary.empty())
            return refused("a vocabulary of entries with their numbers", "none");
        for (const auto& [entry, id] : vocabulary.items()) {
            if (!id.is_number_integer() || id.get<int64_t>() < 0 || id.get<int64_t>() > kMostIds)
                return refused("a number from 0 on for each entry", id.dump() + " for \"" + entry + "\"");
            m_files.ids[entry] = id.get<int64_t>();
        }
        return {};
    }

    Result<void> readMerges(const Json& merges) {
        if (!merges.is_array()) return refused("a list of merges", "none");
        for (const Json& merge : merges) {
            if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string())
                m_files.merges.emplace_back(merge[0].get<std::string>(), merge[1].get<std::string>());
            else if (!merge.is_string() || !addMerge(merge.get<std::string>()))
                return refused("two entries in each merge", merge.dump());
        }
        return {};
    }

    bool addMerge(const std::string& line) {
        const size_t blank = line.find(' ');
        if (blank == std::string::npos || blank == 0 || blank + 1 == line.size()) return false;
        m_files.merges.emplace_back(line.substr(0, blank), line.substr(blank + 1));
        return true;
    }

    Result<void> readSplit(const Json& given) {
        const Json steps = textIn(given, "type") == "Sequence" ? given.value("pretokenizers", Json::array())
                                                               : Json::array({given});
        for (const Json& step : steps) HOMEBOOTH_CHECK(readStep(step));
        if (!m_mapsBytes) return refused("words of bytes (ByteLevel)", "none");
        return m_cuts == 1 ? Result<void>() : refused(kCutOnce, given.dump());
    }

    Result<void> readStep(const Json& step) {
        const std::string type = textIn(step, "type");
        if (type == "ByteLevel") {
            m_mapsBytes = true;
            m_cuts += step.contains("use_regex") && !isTrue(step, "use_regex") ? 0 : 1;
            if (isTrue(step, "add_prefix_space")) return refused("no \"add_prefix_space\"", "it");
            return {};
        }
        if (type != "Split" || m_mapsBytes) return refused(kCutOnce, type.empty() ? "none" : type);
        const std::string pattern = textIn(step.value("pattern", Json::object()), "Regex");
        const auto split = wordSplitOf(pattern);
        if (!split || textIn(step, "behavior") != "Isolated" || isTrue(step, "invert"))
            return refused(kCutOnce, step.dump());
        m_files.split = *split;
        ++m_cuts;
        return {};
    }

    Result<void> readTemplate(const Json& given) {
        if (!given.is_object()) return {};
        const std::string type = textIn(given, "type");
        if (type == "Sequence") {
            for (const Json& step : given.value("processors", Json::array()))
                HOMEBOOTH_CHECK(readTemplate(step));
            return {};
        }
        if (type == "ByteLevel") return {};
        const Json single = given.value("single", Json::array());
        const bool known = type == "TemplateProcessing" && single.is_array() && !single.empty() &&
                           single.back().contains("Sequence") && single.size() <= 2 &&
                           (single.size() == 1 || single.front().contains("SpecialToken"));
        if (!known) return refused("at most one token in front of a text", type + " " + single.dump());
        if (single.size() == 2) m_files.startToken = textIn(single.front()["SpecialToken"], "id");
        return {};
    }

    Result<void> readParts() {
        const fs::path vocabulary = m_folder / "vocab.json";
        const fs::path merges = m_folder / "merges.txt";
        m_files.file = vocabulary.string();
        if (isThere(vocabulary) != isThere(merges))
            return badInput(
                std::string("expected the language model's tokenizer as vocab.json and merges.txt, "
                            "found no ") +
                    (isThere(merges) ? "vocab.json" : "merges.txt") + "; copy or download it too",
                m_folder.string());
        if (!isThere(vocabulary))
            return badInput("expected the language model's tokenizer as tokenizer.json, or as vocab.json and "
                            "merges.txt, found neither; copy or download these files too",
                            m_folder.string());
        HOMEBOOTH_ASSIGN(const Json entries, readObject(vocabulary));
        HOMEBOOTH_CHECK(readVocabulary(entries));
        HOMEBOOTH_ASSIGN(const std::string text, readRegularFile(merges.string(), kLimitBytes));
        m_files.file = merges.string();
        for (size_t begin = 0; begin < text.size();) {
            const size_t end = std::min(text.find('\n', begin), text.size());
            std::string line = text.substr(begin, end - begin);
            if (line.ends_with('\r')) line.pop_back();
            begin = end + 1;
            if (line.empty() || line.starts_with("#version")) continue;
            if (!addMerge(line)) return refused("two entries in each line", "\"" + line + "\"");
        }
        return {};
    }

    /// What the files beside the vocabulary have found in texts as it is written.
    Result<void> readAdded() {
        const Json decoder = m_config.value("added_tokens_decoder", Json());
        if (decoder.is_object())
            for (const auto& [id, token] : decoder.items())
                HOMEBOOTH_CHECK(addToken(token, std::atoll(id.c_str())));
        HOMEBOOTH_ASSIGN(const Json added, readIfThere(m_folder / "added_tokens.json"));
        for (const auto& [content, id] : added.items())
            if (id.is_number_integer() && !m_added.contains(content))
                HOMEBOOTH_CHECK(addToken(Json{{"content", content}}, id.get<int64_t>()));
        for (const Json* source : {&m_config, &m_special}) {
            for (const char* key :
                 {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"})
                HOMEBOOTH_CHECK(addSpecial(source->value(key, Json())));
            for (const char* key : {"additional_special_tokens", "extra_special_tokens"})
                for (const Json& token : source->value(key, Json::array()))
                    HOMEBOOTH_CHECK(addSpecial(token));
        }
        return {};
    }

    /// A token that the vocabulary has, unless it is known already.
    Result<void> addSpecial(const Json& token) {
        const std::string content = tokenText(token);
        if (m_added.contains(content) || !m_files.ids.contains(content)) return {};
        Json special = token.is_object() ? token : Json{{"content", content}};
        special["special"] = true;
        return addToken(special, -1);
    }

    Result<void> addDefaults() {
        for (const char* key : {"bos_token", "eos_token", "unk_token"})
            HOMEBOOTH_CHECK(addSpecial(named(key)));
        return {};
    }

    fs::path m_folder;
    Json m_config;
    Json m_special;
    std::unordered_map<std::string, size_t> m_added; ///< texts of m_files.added to their places there
    bool m_mapsBytes = false;
    int m_cuts = 0; ///< ways to cut words
    ByteLevelFiles m_files;
};

} // namespace

Result<ByteLevelFiles> readByteLevelFiles(const fs::path& folder) {
    return Reader(folder).read();
}

} // namespace homebooth::core

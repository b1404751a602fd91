// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/data/shard_captions.h"

#include "core/base/formats/packed_files.h"
#include "core/base/util/regular_file.h"
#include "core/base/util/shallow_json.h"
#include "core/engine/data/caption_text.h"
#include "core/engine/data/missing_captions.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace homebooth::core {
namespace {

struct MemberName {
    std::string key;
    std::string extension; ///< all behind the first dot, in lower case
};

/// Nothing for hidden members and those without an extension.
std::optional<MemberName> parseName(const std::string& name) {
    const size_t slash = name.rfind('/');
    const size_t begin = slash == std::string::npos ? 0 : slash + 1;
    const size_t dot = name.find('.', begin);
    if (dot == std::string::npos || dot == begin) return std::nullopt;
    std::string extension = name.substr(dot + 1);
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return MemberName{name.substr(0, dot), extension};
}

/// Whether nothing but a format follows the key. Others, such as KEY.mask.png, lie beside a picture.
bool isPlain(const MemberName& name) {
    return name.extension.find('.') == std::string::npos;
}

/// One shard.
class ShardReader {
public:
    ShardReader(FileReader file, const PictureSource& source, const std::vector<std::string>& columns)
        : m_file(std::move(file))
        , m_path(m_file.path().string())
        , m_source(source)
        , m_columns(columns) {}

    [[nodiscard]] Result<void> run(std::vector<CaptionedPicture>& found, MissingCaptions& missing,
                                   BrokenPictures& broken) {
        const auto whole = readTarIndex(m_file, m_members);
        if (!whole) broken.add(m_path, whole.error().message);
        HOMEBOOTH_CHECK(readCaptionMembers(broken));
        for (const TarMember& member : m_members) {
            const std::optional<std::string> key = pictureKey(member.name);
            if (!key || m_spoiled.contains(*key)) continue;
            const std::string path = packedPath(m_path, member.name);
            if (const auto captions = captionsOf(*key); !captions.empty())
                found.push_back({path, captions});
            else if (!whole)
                broken.add(path, "its caption lies behind the damage");
            else
                missing.add(displayName(path) + remarkOn(*key));
        }
        return {};
    }

private:
    using Captions = std::unordered_map<std::string, std::vector<std::string>>; // by key

    /// Samples whose members contradict each other or cannot be read are spoiled and go to `broken`.
    [[nodiscard]] Result<void> readCaptionMembers(BrokenPictures& broken) {
        std::set<std::string_view> names;
        for (const TarMember& member : m_members) {
            const std::optional<MemberName> name = parseName(member.name);
            const bool text = name && name->extension == "txt" && m_columns.empty();
            const bool json = name && name->extension == "json";
            if (!text && !json && !m_source.isPictureName(member.name)) continue;
            std::string trouble;
            if (!names.insert(member.name).second)
                trouble = "expected every name once, found it again at byte " +
                          std::to_string(member.offset) + "; pack the shard again";
            else if ((text || json) && member.bytes > kMaxCaptionBytes)
                trouble = "expected a caption of at most " + std::to_string(kMaxCaptionBytes) +
                          " bytes, found " + std::to_string(member.bytes) + "; shorten it";
            if (trouble.empty() && (text || json)) {
                HOMEBOOTH_ASSIGN(trouble, readCaption(member, name->key, json));
            }
            if (trouble.empty()) continue;
            broken.add(packedPath(m_path, member.name), trouble);
            if (name) m_spoiled.insert(name->key);
        }
        return {};
    }

    /// @returns  what is wrong with it, or empty
    [[nodiscard]] Result<std::string> readCaption(const TarMember& member, const std::string& key,
                                                  bool json) {
        HOMEBOOTH_ASSIGN(const std::string text, m_file.read(member.offset, member.bytes));
        if (std::ssize(text) < member.bytes)
            return badInput("reading captions: the shard became shorter while it was read; try again when no "
                            "other program writes it",
                            displayName(m_path));
        if (!json) {
            auto caption = captionOfFile(text);
            if (!caption) return std::string(caption.error().message);
            m_texts[key] = {std::move(*caption)};
            return std::string();
        }
        const auto parsed = parseShallow<nlohmann::json>(text);
        if (!parsed.is_object()) m_noObjects.insert(key);
        m_jsons[key] = m_columns.empty() ? captionsIn(parsed, {"caption", "text"})
                                         : captionsInColumns(parsed, m_columns);
        return std::string();
    }

    /// What is known of a sample that has no caption.
    [[nodiscard]] std::string remarkOn(const std::string& key) const {
        if (m_noObjects.contains(key)) return " (its .json holds no JSON object)";
        if (!m_jsons.contains(key)) return "";
        return m_columns.empty() ? " (its .json has neither caption nor text nor texts)"
                                 : " (its .json has none of the columns)";
    }

    /// The sample that a picture belongs to. Others beside it are not trained on.
    [[nodiscard]] std::optional<std::string> pictureKey(const std::string& member) const {
        const std::optional<MemberName> name = parseName(member);
        if (!name || !m_source.isPictureName(member)) return std::nullopt;
        return isPlain(*name) || captionsOf(name->key).empty() ? std::optional(name->key) : std::nullopt;
    }

    [[nodiscard]] std::vector<std::string> captionsOf(const std::string& key) const {
        std::vector<std::string> empty;
        for (const Captions* captions : {&m_texts, &m_jsons}) {
            const auto own = captions->find(key);
            if (own == captions->end()) continue;
            if (saysSomething(own->second)) return own->second;
            if (empty.empty()) empty = own->second;
        }
        return empty;
    }

    FileReader m_file;
    std::string m_path;
    const PictureSource& m_source;
    const std::vector<std::string>& m_columns;
    std::vector<TarMember> m_members;
    Captions m_texts;
    Captions m_jsons;
    std::unordered_set<std::string> m_noObjects; // keys whose JSON is none
    std::unordered_set<std::string> m_spoiled;   // keys that are told to be broken
};

} // namespace

Result<std::vector<CaptionedPicture>> readShards(const std::string& folder,
                                                 const std::vector<std::string>& shards,
                                                 const PictureSource& pictures, BrokenPictures& broken,
                                                 const std::vector<std::string>& columns) {
    std::vector<CaptionedPicture> found;
    MissingCaptions missing(broken);
    for (const std::string& shard : shards) {
        auto file = FileReader::open(shard);
        if (file)
            HOMEBOOTH_CHECK(ShardReader(std::move(*file), pictures, columns).run(found, missing, broken));
        else
            broken.add(shard, file.error().message);
    }
    const std::string wanted = columns.empty()
                                   ? "pack KEY.txt or KEY.json with its caption beside each KEY.jpg"
                                   : "pack KEY.json with its caption in " + eitherOf(columns) +
                                         " beside each KEY.jpg, or correct --caption-columns";
    HOMEBOOTH_CHECK(
        missing.settle(wanted + "; a key ends at the first dot of a name", folder, !found.empty()));
    return found;
}

std::optional<int64_t> picturesNamedIn(const std::string& shard, const PictureSource& pictures,
                                       int64_t& mostMembers) {
    const auto file = FileReader::open(shard);
    if (!file) return std::nullopt;
    std::vector<TarMember> members;
    (void)readTarIndex(*file, members, mostMembers); // of damage the training speaks
    const bool whole = std::ssize(members) <= mostMembers;
    mostMembers -= std::min(mostMembers, static_cast<int64_t>(std::ssize(members)));
    if (!whole) return std::nullopt;
    return std::count_if(members.begin(), members.end(), [&pictures](const TarMember& member) {
        const std::optional<MemberName> name = parseName(member.name);
        return name && isPlain(*name) && pictures.isPictureName(member.name);
    });
}

} // namespace homebooth::core

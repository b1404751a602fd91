// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/text_files.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/file_look.h"
#include "core/base/util/regular_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace homebooth::core {

namespace fs = std::filesystem;

namespace {

constexpr const char* kKinds = ".txt, .md, .jsonl or .json";

std::string endingOf(const fs::path& path) {
    std::string ending = path.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending;
}

std::optional<TextKind> kindOf(const fs::path& path) {
    const std::string ending = endingOf(path);
    if (ending == ".txt" || ending == ".md") return TextKind::Plain;
    if (ending == ".jsonl") return TextKind::Lines;
    if (ending == ".json" || ending == ".ndjson") return TextKind::Entries;
    return std::nullopt;
}

std::string withoutEnding(const TextFile& file) {
    return fs::path(file.path).replace_extension().string();
}

/// Whether the first sign that is no blank is an object's, in UTF-8 or UTF-16.
bool beginsWithObject(const fs::path& path) {
    std::array<char, 256> bytes{};
    std::ifstream(path, std::ios::binary).read(bytes.data(), bytes.size());
    const std::string_view text(bytes.data(), bytes.size());
    const size_t first = text.find_first_not_of(std::string_view(" \t\r\n\xEF\xBB\xBF\xFF\xFE\0", 10));
    return first != std::string_view::npos && text[first] == '{';
}

/// Whether a .json is what a program wrote beside the same text: an object beside a .txt or .md (a list of
/// texts is no such thing), anything beside a list of lines.
/// @param endings  those of the files of its name in its folder that have a byte
bool isTwin(const TextFile& file, const std::set<std::string>& endings) {
    if (endingOf(file.path) != ".json") return false;
    if (endings.contains(".jsonl") || endings.contains(".ndjson")) return true;
    return (endings.contains(".txt") || endings.contains(".md")) && beginsWithObject(file.path);
}

/// Kinds of files that hold texts, but in a way that would be learned with them.
struct RefusedKinds {
    std::string_view endings; ///< each between blanks
    const char* advice;
    bool readable; ///< somebody may mean to learn the very signs of it
};

constexpr std::array kRefused{
    RefusedKinds{" .csv .tsv ", "make it .jsonl, an object with \"text\" on each line", true},
    RefusedKinds{" .parquet .arrow .feather .xls .xlsx .ods .db .sqlite ",
                 "make it .jsonl, an object with \"text\" on each line", false},
    RefusedKinds{" .gz .bz2 .xz .zst .zip .7z .rar .tar .tgz ", "unpack it, and name what was in it", false},
    RefusedKinds{" .html .htm .xhtml .xml .ipynb ", "save its text as .txt", true},
    RefusedKinds{" .pdf .doc .docx .odt .rtf .epub .ppt .pptx .odp ", "save its text as .txt", false},
};

bool isHidden(const fs::path& path) {
    return path.filename().string().starts_with('.');
}

bool isPresent(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

/// Whether any name in a folder ends like those of weights.
bool hasWeights(const fs::path& folder) {
    constexpr std::array<std::string_view, 6> kEndings{".safetensors", ".bin",  ".pt",
                                                       ".pth",         ".ckpt", ".gguf"};
    std::error_code code;
    for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
        const std::string ending = endingOf(it->path());
        if (std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end()) return true;
    }
    return false;
}

/// A run, a model as transformers, diffusers or PEFT has it, or a tokenizer. By names alone: what is
/// broken there is no text either.
bool isForeign(const fs::path& folder) {
    const auto has = [&folder](const char* name) { return isPresent(folder / name); };
    if (has("run.json") || has("model_index.json") || has("tokenizer.json")) return true;
    if (has("vocab.json") && has("merges.txt")) return true;
    return (has("config.json") || has("adapter_config.json")) && hasWeights(folder);
}

/// What lies in a run or beside a vocabulary, where such a folder was named itself.
bool isForeignFile(const fs::path& path) {
    const auto beside = [&path](const char* name) { return isPresent(path.parent_path() / name); };
    const fs::path name = path.filename();
    return (name == "events.jsonl" && beside("run.json")) || (name == "merges.txt" && beside("vocab.json"));
}

/// Goes through a folder. What lies there itself comes before what is behind links, so that names do not
/// depend on the order in which a disk lists them.
class Walk {
public:
    explicit Walk(const fs::path& folder) { m_found.folder = folder; }

    Result<TextFiles> all() {
        if (mayEnter(m_found.folder)) m_folders.push_back(m_found.folder);
        while (!m_folders.empty() || !m_links.empty()) {
            if (!m_folders.empty()) {
                const fs::path folder = std::move(m_folders.back());
                m_folders.pop_back();
                HOMEBOOTH_CHECK(list(folder));
                continue;
            }
            m_linked = true;
            const fs::path link = *m_links.begin();
            m_links.erase(m_links.begin());
            if (!mayEnter(link)) continue;
            HOMEBOOTH_ASSIGN(const bool listed, list(link));
            if (listed) m_found.linkedFolders.add(link);
        }
        std::sort(m_found.files.begin(), m_found.files.end(),
                  [](const TextFile& one, const TextFile& other) { return one.path < other.path; });
        return std::move(m_found);
    }

private:
    /// @returns  false for what is entered already, or shall not or cannot be
    bool mayEnter(const fs::path& folder) {
        const auto identity = identityAt(folder);
        if (!identity) m_found.unreadable.add(folder);
        if (!identity || !m_seen.emplace(identity->device, identity->inode).second) return false;
        const bool foreign = folder != m_found.folder && isForeign(folder);
        if (foreign) m_found.foreignFolders.add(folder);
        return !foreign;
    }

    /// @returns  false where it cannot be listed, and the rest of the texts are learned without it
    Result<bool> list(const fs::path& folder) {
        std::error_code code;
        for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) meet(*it);
        if (!code) return true;
        const bool forbidden = code.value() == EACCES || code.value() == EPERM;
        if (folder == m_found.folder || !(forbidden || m_linked))
            return systemError("list the texts", displayName(folder), code.value());
        m_found.unreadable.add(folder);
        return false;
    }

    void meet(const fs::directory_entry& entry) {
        const fs::path& path = entry.path();
        if (isHidden(path)) return;
        std::error_code code, ignored;
        const bool isFolder = entry.is_directory(code);
        const bool isLink = entry.is_symlink(ignored);
        const std::optional<TextKind> kind = kindOf(path);
        if (isFolder && isLink)
            m_links.insert(path);
        else if (isFolder && mayEnter(path))
            m_folders.push_back(path);
        else if (!isFolder && code.value() == EACCES) // where the link leads to, nobody says
            m_found.unreadable.add(path);
        else if (!isFolder && kind && entry.is_regular_file(ignored) && !isForeignFile(path))
            m_found.files.push_back({.path = path, .kind = *kind, .isLinked = m_linked || isLink});
        else if (!isFolder)
            m_found.otherFiles.add(path);
    }

    TextFiles m_found;
    std::vector<fs::path> m_folders; // yet to be listed
    std::set<fs::path> m_links;      // to folders, likewise
    bool m_linked = false;           // only what is behind links is yet to come
    std::set<std::pair<uint64_t, uint64_t>> m_seen;
};

/// "2 files of other kinds (such as a/b.html)", or nothing.
std::string inWords(const Counted& some, const fs::path& folder, const char* one, const char* many) {
    if (some.count == 0) return {};
    std::string words = std::to_string(some.count);
    words.append(" ").append(some.count == 1 ? one : many);
    words.append(some.count == 1 ? " (" : " (such as ");
    return words.append(displayName(some.first.lexically_relative(folder))).append(")");
}

/// Both, with something between where there are both.
std::string joined(std::string first, const char* between, const std::string& second) {
    if (!first.empty() && !second.empty()) first += between;
    return first += second;
}

/// "a, b and c", of those that are not empty.
std::string listed(std::vector<std::string> parts) {
    std::erase(parts, std::string());
    std::string all;
    for (size_t i = 0; i < parts.size(); ++i) {
        if (i > 0) all += i + 1 == parts.size() ? " and " : ", ";
        all += parts[i];
    }
    return all;
}

std::string leftOut(const TextFiles& found) {
    const auto words = [&found](const Counted& some, const char* one, const char* many) {
        return inWords(some, found.folder, one, many);
    };
    return listed(
        {words(found.otherFiles, "file of another kind", "files of other kinds"),
         words(found.jsonWithoutTexts, ".json file without texts", ".json files without texts"),
         words(found.twins, "file beside one of the same name", "files beside others of the same name"),
         words(found.foreignFolders, "folder of a run or model", "folders of runs or models"),
         words(found.unreadable, "file or folder that cannot be read",
               "files or folders that cannot be read")});
}

} // namespace

void Counted::add(const fs::path& path) {
    if (count == 0 || path < first) first = path;
    ++count;
}

Result<TextFiles> textFilesIn(const fs::path& folder) {
    return Walk(folder).all();
}

void leaveTwinsOut(TextFiles& found) {
    std::map<std::string, std::set<std::string>> endings; // by the path without it
    for (const TextFile& file : found.files)
        if (file.bytes > 0) endings[withoutEnding(file)].insert(endingOf(file.path));
    std::erase_if(found.files, [&](const TextFile& file) {
        if (!isTwin(file, endings[withoutEnding(file)])) return false;
        found.twins.add(file.path);
        return true;
    });
}

bool isOftenNoText(const TextFile& file) {
    return endingOf(file.path) == ".json";
}

Result<TextFile> namedTextFile(const fs::path& path) {
    const std::string ending = endingOf(path);
    const std::string between = std::string(" ").append(ending).append(" ");
    for (const RefusedKinds& kinds : kRefused) {
        if (ending.empty() || kinds.endings.find(between) == std::string_view::npos) continue;
        std::string message = std::string("expected texts to learn from (") + kKinds + "), found " + ending;
        message.append("; ").append(kinds.advice);
        if (kinds.readable)
            message +=
                ", or, to learn it sign by sign as it stands, copy it under a name that ends with .txt";
        return badInput(std::move(message), displayName(path));
    }
    return TextFile{path, kindOf(path).value_or(TextKind::Plain)};
}

std::string noticeOf(const TextFiles& found) {
    std::string left, linked;
    if (const std::string out = leftOut(found); !out.empty())
        left.append("left out of the texts: ").append(out);
    if (found.otherFiles.count > 0 || found.jsonWithoutTexts.count > 0)
        left += "; what is read is .txt, .md, .jsonl, and .json that holds texts";
    const std::string behind =
        inWords(found.linkedFolders, found.folder, "folder behind a link", "folders behind links");
    if (!behind.empty()) linked.append("learned with the texts: ").append(behind);
    return joined(std::move(left), "; ", linked);
}

Error noTexts(const TextFiles& found) {
    const std::string left = leftOut(found);
    std::string message = std::string("expected texts to learn from (") + kKinds + "), found none";
    if (left.empty())
        message += ": nothing is in this folder";
    else
        message.append(" among ").append(left);
    return badInput(message + "; name another folder, or a file", displayName(found.folder));
}

} // namespace homebooth::core

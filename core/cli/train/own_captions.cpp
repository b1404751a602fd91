// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/train/own_captions.h"

#include "core/base/formats/caption_file.h"
#include "core/base/util/regular_file.h"
#include "core/media/picture_list.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace homebooth::core {
namespace {

using Words = std::vector<std::string>;

/// Of prompts, and of no subject.
constexpr std::array<std::string_view, 19> kUsualWords{
    "a",     "an",     "the",        "of",      "in",    "on",       "at",      "by",       "with", "and",
    "photo", "photos", "photograph", "picture", "image", "painting", "drawing", "portrait", "style"};

bool contains(const Words& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Each once, in lower case as far as they are ASCII, without what stands between them.
Words wordsOf(std::string_view text) {
    Words words;
    std::string word;
    const auto end = [&] {
        if (!word.empty() && !contains(words, word)) words.push_back(word);
        word.clear();
    };
    for (const char letter : text) {
        const bool capital = letter >= 'A' && letter <= 'Z';
        const bool small = letter >= 'a' && letter <= 'z';
        const bool digit = letter >= '0' && letter <= '9';
        const bool beyondAscii = static_cast<unsigned char>(letter) >= 0x80;
        if (capital || small || digit || beyondAscii)
            word += capital ? static_cast<char>(letter - 'A' + 'a') : letter;
        else
            end();
    }
    end();
    return words;
}

/// What tells the subject from its class.
Words subjectWords(const DataConfig& data) {
    Words words = wordsOf(data.instancePrompt);
    const Words ofClass = wordsOf(data.classPrompt);
    std::erase_if(words, [&ofClass](const std::string& word) {
        const bool usual = std::find(kUsualWords.begin(), kUsualWords.end(), word) != kUsualWords.end();
        return usual || contains(ofClass, word);
    });
    return words;
}

/// Captions of their own.
struct OwnCaptions {
    int64_t count = 0;
    Words missing; ///< words that not all of them have, in the prompt's order
};

/// Those that cannot be read are told by the training.
OwnCaptions lookAt(const std::vector<std::filesystem::path>& photos, const Words& words) {
    OwnCaptions own;
    std::vector<bool> missing(words.size());
    FileNames names;
    for (const std::filesystem::path& photo : photos) {
        const auto caption = captionBeside(photo, names);
        if (!caption || !*caption || (*caption)->empty()) continue;
        ++own.count;
        const Words said = wordsOf(**caption);
        for (size_t at = 0; at < words.size(); ++at)
            if (!contains(said, words[at])) missing[at] = true;
    }
    for (size_t at = 0; at < words.size(); ++at)
        if (missing[at]) own.missing.push_back(words[at]);
    return own;
}

} // namespace

std::optional<std::string> unreadMetadataWarning(const DataConfig& data) {
    const std::filesystem::path file = std::filesystem::path(data.instanceDir) / "metadata.jsonl";
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return std::nullopt;
    return displayName(file) +
           " is not read: photos of --instance have captions in NAME.txt or NAME.caption beside them, all "
           "others --prompt; to learn the captions in it, name its folder by --dataset in the place of "
           "--instance and --prompt, or else move it away";
}

std::optional<std::string> ownCaptionsWarning(const DataConfig& data) {
    const auto list = listPictures(data.instanceDir);
    if (!list) return std::nullopt;
    const OwnCaptions own = lookAt(list->pictures, subjectWords(data));
    if (own.missing.empty()) return std::nullopt;
    std::string words;
    for (const std::string& word : own.missing) words += (words.empty() ? "\"" : ", \"") + word + "\"";
    const auto photos = static_cast<int64_t>(list->pictures.size());
    return std::to_string(own.count) + " of " + std::to_string(photos) +
           " photos are learned with captions of their own (NAME.txt or NAME.caption beside them), and not "
           "all of these have the " +
           (own.missing.size() == 1 ? "word " : "words ") + words + " of --prompt, which counts for " +
           (own.count == photos ? "none of the photos" : "the other photos alone") +
           "; add what is missing to the captions, or move these files away";
}

} // namespace homebooth::core

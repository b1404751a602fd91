// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The published file lists merges only; the vocabulary follows from it. Source: openai/CLIP,
// clip/simple_tokenizer.py.
#include "core/base/model/published_tokenizer.h"

#include "core/base/files/sha256.h"
#include "core/base/text/clip_vocabulary.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace homebooth::core {

using nlohmann::json;

namespace {

constexpr const char* kMergesSha256 = "9fd691f7c8039210e0fced15865466c65820d09b63988b0174bfe25de299051a";
constexpr const char* kStart = "<|startoftext|>";
constexpr const char* kEnd = "<|endoftext|>";

json addedToken(const char* content) {
    return {{"content", content},
            {"lstrip", false},
            {"normalized", true},
            {"rstrip", false},
            {"single_word", false}};
}

std::string mergesText(const ClipVocabulary& vocabulary) {
    std::string text = "#version: 0.2\n";
    for (const auto& [left, right] : vocabulary.merges) text += left + " " + right + "\n";
    return text;
}

std::string specialTokens(const char* pad) {
    const json map{{"bos_token", addedToken(kStart)},
                   {"eos_token", addedToken(kEnd)},
                   {"pad_token", pad},
                   {"unk_token", addedToken(kEnd)}};
    return map.dump(2) + "\n";
}

std::string tokenizerConfig(const char* pad) {
    const json config{
        {"add_prefix_space", false}, {"bos_token", kStart}, {"do_lower_case", true},
        {"eos_token", kEnd},         {"errors", "replace"}, {"model_max_length", 77},
        {"pad_token", pad},          {"unk_token", kEnd},   {"tokenizer_class", "CLIPTokenizer"}};
    return config.dump(2) + "\n";
}

} // namespace

Result<std::map<std::string, std::string>> publishedTokenizerFiles(const std::string& vocabularyFile,
                                                                   bool padWithZero) {
    HOMEBOOTH_ASSIGN(const ClipVocabulary vocabulary, readPublishedClipVocabulary(vocabularyFile));
    json ids = json::object();
    for (const auto& [entry, id] : vocabulary.ids) ids[entry] = id;
    const char* pad = padWithZero ? "!" : kEnd;
    return std::map<std::string, std::string>{{"vocab.json", ids.dump()},
                                              {"merges.txt", mergesText(vocabulary)},
                                              {"tokenizer_config.json", tokenizerConfig(pad)},
                                              {"special_tokens_map.json", specialTokens(pad)}};
}

bool isPublishedTokenizer(const std::map<std::string, std::string>& files) {
    if (files.empty()) return true;
    const auto own = readClipVocabularyFiles(files, {});
    if (!own || sha256Text(mergesText(*own)) != kMergesSha256) return false;
    const ClipVocabulary published = vocabularyOfMerges(own->merges);
    const auto isMark = [](const AddedToken& token) {
        return token.content == kStart || token.content == kEnd;
    };
    return own->ids == published.ids && std::all_of(own->added.begin(), own->added.end(), isMark) &&
           own->startToken == kStart && own->endToken == kEnd && own->unknownToken == kEnd &&
           own->padToken == kEnd && own->modelMaxLength == published.modelMaxLength;
}

} // namespace homebooth::core

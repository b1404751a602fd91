// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Texts as windows of tokens: each token predicted once, some windows held out, the rest reaching back.
#include "core/base/plan/generation/text_memory.h"
#include "core/base/text/documents.h"
#include "core/engine/data/token_set.h"

#include "training_support.h"

#include <ATen/Parallel.h>
#include <malloc.h>
#include <set>

namespace homebooth::core::testing {
namespace {

class TokenSets : public ::testing::Test {
protected:
    void SetUp() override {
        load("parts");
        m_options.textPath = scratchFolder("token-set");
        m_options.contextTokens = 8;
    }

    void load(const std::string& tokenizer) {
        auto loaded = ByteLevelTokenizer::loadFolder(fixture("language/tokenizer/" + tokenizer));
        ASSERT_TRUE(loaded) << loaded.error().text();
        m_tokenizer.emplace(*loaded);
    }

    void write(const std::string& name, const std::string& text) const {
        std::ofstream(m_options.textPath + "/" + name, std::ios::binary) << text;
    }

    [[nodiscard]] Result<std::optional<TokenSet>> read(const CancelToken& cancel = {},
                                                       const ProgressCallback& progress = {}) const {
        HOMEBOOTH_ASSIGN(Documents texts, Documents::open(m_options.textPath, ""));
        return TokenSet::read(std::move(texts), m_options, *m_tokenizer, cancel, progress);
    }

    std::optional<ByteLevelTokenizer> m_tokenizer;
    TokenSetOptions m_options;
};

/// Where the windows of a set begin in the text whose tokens are all different, and how often each is
/// predicted.
std::map<int64_t, int> predicted(const TokenSet& set, const TokenSetOptions& options, bool heldOut) {
    std::map<int64_t, int> counts;
    std::vector<int64_t> window(static_cast<size_t>(options.contextTokens + 1));
    for (int64_t index = 0; index < (heldOut ? set.heldOutCount() : set.windowCount()); ++index) {
        heldOut ? set.heldOut(index, window) : set.window(index, window);
        for (size_t token = 1; token < window.size(); ++token) ++counts[window[token]];
    }
    return counts;
}

/// A text of tokens that are all different: bytes that merge with no other.
std::string distinct(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += static_cast<char>('0' + i);
    return text;
}

TEST_F(TokenSets, predictsEveryTokenOnce) {
    write("a.txt", distinct(33)); // one, and four windows of eight
    const auto set = read();
    ASSERT_TRUE(set && *set) << (set ? "" : set.error().text());
    EXPECT_EQ((*set)->tokenCount(), 33);
    EXPECT_EQ((*set)->windowCount(), 4);
    const auto counts = predicted(**set, m_options, false);
    EXPECT_EQ(counts.size(), 32U);
    for (const auto& [token, times] : counts) EXPECT_EQ(times, 1) << token;
}

TEST_F(TokenSets, reachesBackForWhatIsLeft) {
    write("a.txt", distinct(36));
    const auto set = read();
    ASSERT_TRUE(set && *set);
    EXPECT_EQ((*set)->windowCount(), 5);
    EXPECT_EQ(predicted(**set, m_options, false).size(), 35U);
}

TEST_F(TokenSets, holdsWindowsOutThatAreNeverLearned) {
    write("a.txt", distinct(60));
    m_options.validationShare = 0.3;
    const auto set = read();
    ASSERT_TRUE(set && *set);
    EXPECT_EQ((*set)->heldOutCount(), 2);
    const auto learned = predicted(**set, m_options, false);
    for (const auto& [token, times] : predicted(**set, m_options, true))
        EXPECT_FALSE(learned.contains(token));
    m_options.validationShare = 0.0;
    EXPECT_NE((*read())->hash(), (*set)->hash());
}

TEST_F(TokenSets, putsTokensBetweenTexts) {
    write("a.jsonl", "{\"text\": \"012345\"}\n\n{\"content\": \"6789\"}\n");
    m_options.start = 7;
    m_options.separator = 2;
    m_options.contextTokens = 13;
    const auto set = read();
    ASSERT_TRUE(set && *set) << (set ? "" : set.error().text());
    std::vector<int64_t> window(14);
    (*set)->window(0, window);
    EXPECT_EQ(window.front(), 7);
    EXPECT_EQ(window[7], 2);
    EXPECT_EQ(window[8], 7);
    EXPECT_EQ(window.back(), 2);
    EXPECT_EQ((*set)->textCount(), 2);
}

TEST_F(TokenSets, putsOneThatBeginsAndEndsTextsOnce) {
    write("a.jsonl", "{\"text\": \"0123\"}\n{\"text\": \"4567\"}\n");
    m_options.start = m_options.separator = 2;
    const auto set = read();
    ASSERT_TRUE(set && *set);
    EXPECT_EQ((*set)->tokenCount(), 11); // in front, between and behind
}

/// Long texts are encoded in pieces, by any number of threads.
TEST_F(TokenSets, encodesAsOneTextWould) {
    std::string text;
    for (int i = 0; text.size() < 1'200'000; ++i)
        text += "The  dogs' moon, isn't " + std::to_string(i * i) + (i % 3 == 0 ? ".\n\n They" : " \n");
    write("a.txt", text);
    write("b.txt", "the end");
    const int threads = at::get_num_threads();
    std::set<std::string> hashes;
    for (const auto& [tokenizer, count] : {std::pair("parts", 1), {"parts", 3}, {"bloom", 2}}) {
        load(tokenizer);
        std::vector<int32_t> expected = m_tokenizer->encode(text);
        m_tokenizer->encode("the end", expected);
        m_options.contextTokens = std::ssize(expected) - 1;
        at::set_num_threads(count);
        int64_t done = 0;
        const auto set = read({}, [&done](int64_t bytes, int64_t total) { done = bytes * 100 / total; });
        ASSERT_TRUE(set && *set) << (set ? "" : set.error().text());
        std::vector<int64_t> window(expected.size());
        (*set)->window(0, window);
        EXPECT_TRUE(std::equal(window.begin(), window.end(), expected.begin(), expected.end()));
        EXPECT_EQ((*set)->tokenCount(), std::ssize(expected));
        EXPECT_EQ((*set)->textCount(), 2); // whatever the pieces
        EXPECT_EQ(done, 100);
        hashes.insert((*set)->hash());
    }
    at::set_num_threads(threads);
    EXPECT_EQ(hashes.size(), 2U); // one of each tokenizer
}

TEST_F(TokenSets, keepsTokensOfLargeVocabularies) {
    write("a.txt", distinct(20));
    const auto narrow = read();
    m_options.separator = 250'880;
    m_options.contextTokens = 20;
    const auto set = read();
    ASSERT_TRUE(narrow && *narrow && set && *set);
    std::vector<int64_t> window(21);
    (*set)->window(0, window);
    EXPECT_EQ(window.front(), m_tokenizer->encode("0").front());
    EXPECT_EQ(window.back(), 250'880);
    EXPECT_EQ((*narrow)->heldBytes(), 20 * 2 + 3 * 8); // three windows
    EXPECT_EQ((*set)->heldBytes(), 21 * 3 + 8);
}

/// With all that the heap takes for them.
TEST_F(TokenSets, takeNoMoreThanPlansCount) {
    std::string text;
    for (int i = 0; i < 60'000; ++i) text += distinct(40);
    write("a.txt", text);
    m_options.contextTokens = 64;
    for (const int32_t separator : {-1, 250'880}) {
        m_options.separator = separator;
        const auto before = static_cast<int64_t>(::mallinfo2().uordblks + ::mallinfo2().hblkhd);
        const auto set = read();
        const auto behind = static_cast<int64_t>(::mallinfo2().uordblks + ::mallinfo2().hblkhd);
        ASSERT_TRUE(set && *set) << (set ? "" : set.error().text());
        ASSERT_GT((*set)->tokenCount(), 2'000'000);
        const int64_t counted = mostTokenBytes((*set)->tokenCount(), separator + 1, 64);
        EXPECT_GE(behind - before, (*set)->heldBytes());
        EXPECT_LE(behind - before, counted);
        EXPECT_LT(counted, (*set)->heldBytes() * 5 / 4 + ((*set)->windowCount() * 40));
    }
}

/// Plans go by a small part of the texts: a run that meets more than RAM has room for ends before that is
/// full.
TEST_F(TokenSets, takesNoMoreThanItMay) {
    write("a.txt", distinct(40));
    m_options.mostBytes = mostTokenBytes(40, 300, m_options.contextTokens);
    const auto set = read();
    ASSERT_TRUE(set && *set) << (set ? "" : set.error().text());
    --m_options.mostBytes;
    const auto refused = read();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::OutOfResources);
    const std::string& said = refused.error().message;
    EXPECT_NE(said.find("take fewer texts, or close other programs"), std::string::npos) << said;
    m_options.ramIsLimited = true;
    const auto limited = read();
    ASSERT_FALSE(limited);
    EXPECT_NE(limited.error().message.find("allow more with --ram, or close"), std::string::npos);
}

/// A folder is looked through once: what is told of it beforehand is what is learned.
TEST_F(TokenSets, readsWhatWasOpened) {
    write("a.txt", distinct(40));
    auto texts = Documents::open(m_options.textPath, "");
    ASSERT_TRUE(texts) << texts.error().text();
    write("b.txt", distinct(40));
    const auto set = TokenSet::read(std::move(*texts), m_options, *m_tokenizer, CancelToken(), {});
    ASSERT_TRUE(set && *set) << (set ? "" : set.error().text());
    EXPECT_EQ((*set)->textCount(), 1);
    EXPECT_EQ((*set)->tokenCount(), 40);
}

TEST_F(TokenSets, saysWhichContextWouldDo) {
    write("a.txt", distinct(6));
    const auto set = read();
    ASSERT_FALSE(set);
    EXPECT_NE(set.error().message.find("at least 9 tokens"), std::string::npos) << set.error().message;
    EXPECT_NE(set.error().message.find("--context 5 at most"), std::string::npos) << set.error().message;
}

TEST_F(TokenSets, stopsWhenAsked) {
    write("a.txt", distinct(40));
    CancelToken cancel;
    cancel.request();
    const auto set = read(cancel);
    ASSERT_TRUE(set);
    EXPECT_FALSE(set->has_value());
}

} // namespace
} // namespace homebooth::core::testing

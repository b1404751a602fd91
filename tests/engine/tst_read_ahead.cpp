// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How far ahead of its readers a load tells the source what comes.
#include "core/engine/io/read_ahead.h"

#include <condition_variable>
#include <gtest/gtest.h>
#include <mutex>

using namespace homebooth::core;

namespace {

constexpr int64_t kHundredMiB = int64_t{100} << 20;
constexpr std::chrono::seconds kPatience{20};
constexpr std::chrono::milliseconds kMoment{50}; // in which a wrong announcement would come

/// Tensors of which only the names are ever asked for.
class NamedSource : public TensorSource {
public:
    explicit NamedSource(int count) {
        for (int i = 0; i < count; ++i)
            m_tensors.push_back(makeTensorInfo("t" + std::to_string(i), DataType::U8, {kHundredMiB}));
    }
    const std::vector<TensorInfo>& tensors() const override { return m_tensors; }
    const TensorInfo* find(std::string_view) const override { return nullptr; }
    Result<void> read(std::string_view, std::span<std::byte>) const override { return {}; }
    void willRead(std::string_view name) const override {
        std::unique_lock lock(m_mutex);
        m_announced.emplace_back(name);
        m_changed.notify_all();
        m_changed.wait_for(lock, kPatience, [&] { return !m_blocked; });
    }

    /// From now on an announcement takes until `unblock`.
    void block() const { set(true); }
    void unblock() const { set(false); }
    void waitUntilBlocked() const {
        std::unique_lock lock(m_mutex);
        m_changed.wait_for(lock, kPatience, [&] { return !m_announced.empty(); });
    }

    std::vector<const TensorInfo*> order() const {
        std::vector<const TensorInfo*> all;
        for (const TensorInfo& info : m_tensors) all.push_back(&info);
        return all;
    }
    /// Waits until so many are announced, and a moment longer for more.
    std::vector<std::string> announced(size_t expected) const {
        std::unique_lock lock(m_mutex);
        m_changed.wait_for(lock, kPatience, [&] { return m_announced.size() >= expected; });
        m_changed.wait_for(lock, kMoment, [&] { return m_announced.size() > expected; });
        return m_announced;
    }

private:
    void set(bool blocked) const {
        const std::lock_guard lock(m_mutex);
        m_blocked = blocked;
        m_changed.notify_all();
    }

    std::vector<TensorInfo> m_tensors;
    mutable bool m_blocked = false;
    mutable std::mutex m_mutex;
    mutable std::condition_variable m_changed;
    mutable std::vector<std::string> m_announced;
};

using Names = std::vector<std::string>;

} // namespace

TEST(ReadAhead, stopsWhereItsWindowOf256MiBIsFull) {
    const NamedSource source(8);
    ReadAhead ahead(source, source.order());
    EXPECT_EQ(source.announced(3), (Names{"t0", "t1", "t2"}));
    ahead.taken();
    EXPECT_EQ(source.announced(4), (Names{"t0", "t1", "t2", "t3"}));
}

TEST(ReadAhead, saysNothingOfWhatIsReadAlready) {
    const NamedSource source(8);
    source.block();
    ReadAhead ahead(source, source.order());
    source.waitUntilBlocked();
    for (int i = 0; i < 7; ++i) ahead.taken();
    source.unblock();
    EXPECT_EQ(source.announced(2), (Names{"t0", "t7"}));
}

TEST(ReadAhead, endsWithItsOwnerWhateverIsLeft) {
    const NamedSource source(1000);
    { const ReadAhead ahead(source, source.order()); }
    EXPECT_LE(source.announced(0).size(), 3U);
}

TEST(ReadAhead, standsMoreTensorsTakenThanThereAre) {
    const NamedSource source(1);
    ReadAhead ahead(source, source.order());
    for (int i = 0; i < 3; ++i) ahead.taken();
    EXPECT_LE(source.announced(0).size(), 1U);
}

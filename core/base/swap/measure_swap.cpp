// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/swap/measure_swap.h"

#include "core/base/memory/page_memory.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <random>

namespace homebooth::core {
namespace {

using Clock = std::chrono::steady_clock;

/// Pages going through a few buffers in turn.
class Passes {
public:
    Passes(SwapFile& file, const SwapOptions& options, const SwapProgress& progress)
        : m_file(file)
        , m_options(options)
        , m_progress(progress)
        , m_tickets(options.buffers.size()) {}

    /// Writes or reads every page once. @returns bytes per second; nothing when cancelled
    Result<std::optional<double>> run(const char* name, bool write) {
        const auto start = Clock::now();
        for (int64_t page = 0; page < m_options.pageCount; ++page) {
            if (m_options.cancel.requested()) return stop();
            const size_t index = static_cast<size_t>(page) % m_tickets.size();
            HOMEBOOTH_CHECK(finish(index));
            begin(index, page, write);
            tell(name, page);
        }
        for (size_t index = 0; index < m_tickets.size(); ++index) HOMEBOOTH_CHECK(finish(index));
        tell(name, m_options.pageCount);
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        return std::optional(static_cast<double>(m_options.pageBytes * m_options.pageCount) /
                             std::max(seconds, 1e-9));
    }

private:
    struct Pending {
        std::optional<SwapTicket> ticket;
        int64_t page = 0;
        bool write = false;
    };

    void tell(const char* name, int64_t pages) const {
        if (m_progress)
            m_progress(name, pages * m_options.pageBytes, m_options.pageCount * m_options.pageBytes);
    }

    void begin(size_t index, int64_t page, bool write) {
        const std::span<std::byte> buffer = m_options.buffers[index];
        const int64_t stamp = write ? page : -1;
        std::memcpy(buffer.data(), &stamp, sizeof stamp);
        std::memcpy(buffer.data() + buffer.size() - sizeof stamp, &stamp, sizeof stamp);
        m_tickets[index] = {write ? m_file.write(page, buffer) : m_file.read(page, buffer), page, write};
    }

    Result<void> finish(size_t index) {
        Pending& pending = m_tickets[index];
        if (!pending.ticket) return {};
        const auto outcome = m_file.wait(*pending.ticket);
        pending.ticket.reset();
        if (!outcome) return outcome.error();
        const std::span<std::byte> buffer = m_options.buffers[index];
        int64_t first = 0;
        int64_t last = 0;
        std::memcpy(&first, buffer.data(), sizeof first);
        std::memcpy(&last, buffer.data() + buffer.size() - sizeof last, sizeof last);
        if (first == pending.page && last == pending.page) return {};
        return badInput("cannot measure swapping: expected page " + std::to_string(pending.page) +
                            " back, found page " + std::to_string(first) + " ... " + std::to_string(last) +
                            "; the disk does not keep what is written: check it, and take another one",
                        m_file.facts().path);
    }

    Result<std::optional<double>> stop() {
        m_file.cancelAll();
        HOMEBOOTH_CHECK(m_file.drain());
        return std::optional<double>();
    }

    SwapFile& m_file;
    const SwapOptions& m_options;
    const SwapProgress& m_progress;
    std::vector<Pending> m_tickets;
};

/// Random, since some disks store zeros and repetitions faster.
void fill(std::span<std::byte> memory) {
    std::mt19937_64 random(1);
    for (size_t at = 0; at + sizeof(uint64_t) <= memory.size(); at += sizeof(uint64_t)) {
        const uint64_t value = random();
        std::memcpy(memory.data() + at, &value, sizeof value);
    }
}

} // namespace

Result<std::optional<SwapSpeed>> measureSwap(SwapOptions options, SwapDevice& device,
                                             const SwapProgress& progress) {
    const int64_t count = std::clamp<int64_t>(options.pageCount, 1, 2 * int64_t{options.depth});
    HOMEBOOTH_ASSIGN(const PageMemory memory, PageMemory::create(count * options.pageBytes, PageSize::Huge));
    fill(memory.bytes());
    options.buffers.clear();
    const auto pageBytes = static_cast<size_t>(options.pageBytes);
    for (size_t i = 0; i < static_cast<size_t>(count); ++i)
        options.buffers.push_back(memory.bytes().subspan(i * pageBytes, pageBytes));
    HOMEBOOTH_ASSIGN(const auto file, SwapFile::create(options, device));
    if (file == nullptr) return std::optional<SwapSpeed>();
    Passes passes(*file, options, progress);
    SwapSpeed speed;
    speed.facts = file->facts();
    HOMEBOOTH_ASSIGN(const auto first, passes.run("written", true));
    HOMEBOOTH_ASSIGN(const auto second, passes.run("written again", true));
    HOMEBOOTH_ASSIGN(const auto read, passes.run("read", false));
    if (!first || !second || !read) return std::optional<SwapSpeed>();
    speed.firstWriteBytesPerSecond = *first;
    speed.writeBytesPerSecond = *second;
    speed.readBytesPerSecond = *read;
    return std::optional(speed);
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/memory/ram_tensor.h"

#include "core/base/config/byte_size.h"
#include "core/base/memory/page_memory.h"
#include "core/base/util/log.h"
#include "core/engine/memory/tier_meter.h"

#include "kernels/transfer/copy_stream.h"

#include <atomic>
#include <memory>

namespace homebooth::core {
namespace {

/// Pages that count while they live.
class CountedPages {
public:
    CountedPages(PageMemory pages, at::Device beside)
        : m_pages(std::move(pages)) {
        countInTier(Tier::Ram, size());
        if (beside.is_cuda()) pin();
    }
    ~CountedPages() {
        if (m_pinned) kernels::unpinHostMemory(data());
        countInTier(Tier::Ram, -size());
    }
    CountedPages(const CountedPages&) = delete;
    CountedPages& operator=(const CountedPages&) = delete;

    [[nodiscard]] void* data() const { return m_pages.bytes().data(); }

private:
    [[nodiscard]] int64_t size() const { return static_cast<int64_t>(m_pages.bytes().size()); }
    void pin() {
        const int code = kernels::pinHostMemory(data(), size());
        m_pinned = code == 0;
        static std::atomic<bool> told = false; // of one it may be as of all
        if (!m_pinned && !told.exchange(true))
            log(LogLevel::Warning, "copies between RAM and GPU are slower: " + byteSizeText(size()) +
                                       " could not be locked in memory (" + kernels::transferError(code) +
                                       ")");
    }

    PageMemory m_pages;
    bool m_pinned = false;
};

} // namespace

at::Tensor ramTensor(int64_t bytes, at::Device beside) {
    Result<PageMemory> pages = PageMemory::create(bytes);
    TORCH_CHECK_WITH(OutOfMemoryError, pages.ok(), pages.ok() ? "" : pages.error().text());
    const auto held = std::make_shared<const CountedPages>(std::move(pages).value(), beside);
    return at::from_blob(
        held->data(), {bytes}, [held](void*) {}, at::TensorOptions().dtype(at::kByte));
}

} // namespace homebooth::core

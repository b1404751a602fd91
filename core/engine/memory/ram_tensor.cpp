// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/memory/ram_tensor.h"

#include "core/base/memory/page_memory.h"
#include "core/engine/memory/tier_meter.h"

#include <memory>

namespace homebooth::core {
namespace {

/// Pages that count while they live.
class CountedPages {
public:
    explicit CountedPages(PageMemory pages)
        : m_pages(std::move(pages)) {
        countInTier(Tier::Ram, size());
    }
    ~CountedPages() { countInTier(Tier::Ram, -size()); }
    CountedPages(const CountedPages&) = delete;
    CountedPages& operator=(const CountedPages&) = delete;

    [[nodiscard]] void* data() const { return m_pages.bytes().data(); }

private:
    [[nodiscard]] int64_t size() const { return static_cast<int64_t>(m_pages.bytes().size()); }
    PageMemory m_pages;
};

} // namespace

at::Tensor ramTensor(int64_t bytes) {
    Result<PageMemory> pages = PageMemory::create(bytes);
    TORCH_CHECK_WITH(OutOfMemoryError, pages.ok(), pages.ok() ? "" : pages.error().text());
    const auto held = std::make_shared<const CountedPages>(std::move(pages).value());
    return at::from_blob(
        held->data(), {bytes}, [held](void*) {}, at::TensorOptions().dtype(at::kByte));
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/memory/ram_buffer.h"

#include <new>

#include <sys/mman.h>

namespace homebooth::core {

RamBuffer::RamBuffer(int64_t bytes)
    : m_bytes(bytes) {
    if (bytes == 0) return;
    void* data = mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED) throw std::bad_alloc();
    m_data = static_cast<uint8_t*>(data);
}

RamBuffer::~RamBuffer() {
    if (m_data != nullptr) munmap(m_data, static_cast<size_t>(m_bytes));
}

} // namespace homebooth::core

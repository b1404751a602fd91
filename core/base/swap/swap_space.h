// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The file behind a SwapFile: named, locked, mode 0600, its space reserved. It holds pages and nothing else.
// Movable; the owner's destructor removes the file unless it is to be kept. One thread; the device must
// outlive it.
#pragma once

#include "core/base/swap/swap_device.h"
#include "core/base/util/cancel.h"
#include "core/base/util/result.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace homebooth::core {

struct SpaceOptions {
    std::string folder;
    int64_t bytes = 0;
    bool keep = false;
    std::function<void(int64_t, int64_t)> progress; ///< (done, total) bytes, while zeros are written
    CancelToken cancel;
};

class SwapSpace {
public:
    /// Errors: OutOfResources (space, quota, limits), BadInput (folder, disk)
    [[nodiscard]] static Result<SwapSpace> create(const SpaceOptions& options, SwapDevice& device);

    SwapSpace(SwapSpace&& other) noexcept;
    SwapSpace& operator=(SwapSpace&& other) noexcept;
    ~SwapSpace();

    [[nodiscard]] int file() const { return m_file; }
    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] bool direct() const { return m_direct; }
    [[nodiscard]] bool cancelled() const { return m_cancelled; } ///< then it is of no use
    [[nodiscard]] const std::vector<std::string>& notes() const { return m_notes; }

private:
    explicit SwapSpace(SwapDevice& device)
        : m_device(&device) {}
    void close() noexcept;
    Result<void> openNamed(const SpaceOptions& options);
    Result<void> reserve(const SpaceOptions& options);
    Result<int> writeZeros(const SpaceOptions& options);
    Result<void> tryDirect();
    void noteMemoryDisk();

    SwapDevice* m_device;
    std::string m_path;
    int m_file = -1;
    bool m_keep = false;
    bool m_direct = false;
    bool m_cancelled = false;
    std::vector<std::string> m_notes;
};

} // namespace homebooth::core

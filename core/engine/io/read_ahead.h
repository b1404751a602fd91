// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps the disk busy while tensors that were read are checked and converted: a thread of its own tells the
// source what will be read, a bounded way ahead of what was taken. It never touches the tensors' values, so a
// load without it reads the same, slower.
#pragma once

#include "core/base/formats/tensor_source.h"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace homebooth::core {

class ReadAhead {
public:
    /// @param source  outlives this
    /// @param order   the tensors as they will be taken
    ReadAhead(const TensorSource& source, std::vector<const TensorInfo*> order);
    /// Announces no more, and waits for the announcement at hand.
    ~ReadAhead();
    ReadAhead(const ReadAhead&) = delete;
    ReadAhead& operator=(const ReadAhead&) = delete;

    /// The next tensor of the order is read now.
    void taken();

private:
    void announce();

    const TensorSource& m_source;
    std::vector<const TensorInfo*> m_order;
    std::mutex m_mutex; // of all below
    std::condition_variable m_changed;
    size_t m_taken = 0;
    int64_t m_aheadBytes = 0; // announced and not taken; below zero where the readers are faster
    bool m_stopped = false;
    std::thread m_thread; // last, so that all above exists before it starts
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Copies between a GPU's memory and the host's on a stream of their own, beside the one that computes.
//
//   computing  ---- block 1 ---- block 2 ---- block 3 ---->
//                    |  mark        ^
//                    v              |  order
//   copying    ------[ copy for block 2 ]------------------>
//
// Owns its stream and events; borrows the computing stream. Marks and tickets count up from 1; 0 is done from
// the beginning. Any thread, also at the same time; its current device is then this one. Functions return a
// cudaError_t, 0 for success; -1 where the build has no CUDA.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace homebooth::kernels {

class CopyStream {
public:
    struct Copy {
        void* target = nullptr;
        const void* source = nullptr;
        int64_t bytes = 0;
    };

    /// @param device     index of the GPU
    /// @param computing  a cudaStream_t of that GPU
    [[nodiscard]] static int create(int device, void* computing, std::unique_ptr<CopyStream>& made);
    /// Waits for what is on its way.
    ~CopyStream();
    CopyStream(const CopyStream&) = delete;
    CopyStream& operator=(const CopyStream&) = delete;

    /// Names all that the computing stream has been given up to now.
    [[nodiscard]] int mark(uint64_t& mark);
    /// Copies, one behind the other, when what was marked and every earlier copy are done; the ticket is that
    /// of all. Host memory that is not pinned is copied in pieces by the calling thread, which is slower.
    [[nodiscard]] int copy(std::span<const Copy> copies, uint64_t after, uint64_t& ticket);
    /// What the computing stream is given from now on begins when this copy is done. Returns at once.
    [[nodiscard]] int order(uint64_t ticket);
    /// Returns when this copy is done.
    [[nodiscard]] int wait(uint64_t ticket);
    /// Seconds that the computing stream has stood still for copies which it was told to wait for, as far as
    /// that is known; waits for none.
    [[nodiscard]] double stalledSeconds() const;
    /// Seconds that copies took, of those that are known to be done; waits for none.
    [[nodiscard]] double busySeconds() const;

private:
    struct State;
    explicit CopyStream(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

/// Makes host memory known to the GPU, so that copies need no detour. @param data  whole pages
[[nodiscard]] int pinHostMemory(void* data, int64_t bytes);
int unpinHostMemory(void* data);

/// What an error means, in the runtime's words.
[[nodiscard]] const char* transferError(int code);

} // namespace homebooth::kernels

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/swap/swap_device.h"
#include "core/base/swap/uring_ring.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace homebooth::core {
namespace {

constexpr int64_t kLargestTransferBytes = int64_t{1} << 30;

template <class Value>
Value orErrno(Value result) {
    return result < 0 ? static_cast<Value>(-errno) : result;
}

class SystemDevice final : public SwapDevice {
public:
    int open(const char* path, int flags, unsigned mode) override {
        return orErrno(::open(path, flags, mode));
    }

    int lock(int file) override {
        struct flock whole {};
        whole.l_type = F_WRLCK;
        whole.l_whence = SEEK_SET;
        return orErrno(::fcntl(file, F_OFD_SETLK, &whole));
    }

    int reserve(int file, int64_t bytes) override { return orErrno(::fallocate(file, 0, 0, bytes)); }

    int setDirect(int file, bool on) override {
        const int flags = ::fcntl(file, F_GETFL);
        if (flags < 0) return -errno;
        return orErrno(::fcntl(file, F_SETFL, on ? flags | O_DIRECT : flags & ~O_DIRECT));
    }

    int64_t readAt(int file, std::byte* data, int64_t bytes, int64_t offset) override {
        return orErrno<int64_t>(::pread(file, data, static_cast<size_t>(bytes), offset));
    }

    int64_t writeAt(int file, const std::byte* data, int64_t bytes, int64_t offset) override {
        return orErrno<int64_t>(::pwrite(file, data, static_cast<size_t>(bytes), offset));
    }

    int syncData(int file) override { return orErrno(::fdatasync(file)); }

    int openRing(int file, int depth, std::unique_ptr<SwapRing>& ring) override {
        return UringRing::open(file, depth, ring);
    }

    [[nodiscard]] int64_t largestTransferBytes() const override { return kLargestTransferBytes; }
};

} // namespace

SwapDevice& SwapDevice::system() {
    static SystemDevice device;
    return device;
}

} // namespace homebooth::core

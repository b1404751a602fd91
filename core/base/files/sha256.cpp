// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// SHA-256 over OpenSSL's EVP interface, which uses the processor's SHA instructions where there are any.
#include "core/base/files/sha256.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/descriptor.h"

#include <array>
#include <cassert>
#include <cerrno>
#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace homebooth::core {

namespace {

constexpr size_t kBufferBytes = size_t{4} << 20;

} // namespace

struct Sha256::State {
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    ~State() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256()
    : m_state(std::make_unique<State>()) {
    const int started = EVP_DigestInit_ex(m_state->context, EVP_sha256(), nullptr);
    assert(started == 1);
    static_cast<void>(started);
}

Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&& other) noexcept = default;
Sha256& Sha256::operator=(Sha256&& other) noexcept = default;

void Sha256::update(std::span<const std::byte> data) {
    EVP_DigestUpdate(m_state->context, data.data(), data.size());
}

void Sha256::update(std::string_view text) {
    update(std::as_bytes(std::span(text)));
}

std::string Sha256::finish() {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    EVP_DigestFinal_ex(m_state->context, digest.data(), &length);
    std::string text;
    for (unsigned i = 0; i < length; ++i) {
        text += kDigits[digest[i] >> 4U];
        text += kDigits[digest[i] & 15U];
    }
    return text;
}

std::string sha256Text(std::string_view text) {
    Sha256 hash;
    hash.update(text);
    return hash.finish();
}

Result<std::optional<std::string>> sha256File(const std::string& path, const ProgressCallback& progress,
                                              const CancelToken& cancel) {
    const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (file.get() < 0) return systemError("open", path, errno);
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) return systemError("examine", path, errno);
    if (!S_ISREG(status.st_mode)) return badInput("expected a file, found a folder or device", path);
    Sha256 hash;
    std::vector<std::byte> buffer(kBufferBytes);
    int64_t done = 0;
    for (;;) {
        if (cancel.requested()) return std::optional<std::string>();
        const ssize_t got = ::read(file.get(), buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return systemError("read", path, errno);
        if (got == 0) break;
        hash.update(std::span(buffer).first(static_cast<size_t>(got)));
        done += got;
        if (progress) progress(done, status.st_size);
    }
    return std::optional<std::string>(hash.finish());
}

} // namespace homebooth::core

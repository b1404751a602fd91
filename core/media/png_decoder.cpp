// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// PNG through libpng itself: OpenCV lets it print on standard error and forgets the transparent colour of
// grey pictures. libpng reports errors by a jump, so that no function between setjmp and a call into it may
// own anything.
#include "core/media/picture_decoder.h"

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <png.h>

namespace homebooth::core {
namespace {

constexpr size_t kChannels = 4;

struct PngState {
    png_structp reader = nullptr;
    png_infop info = nullptr;
    std::string_view rest; ///< of the file
    char message[128] = "an unknown fault";

    PngState() = default;
    PngState(const PngState&) = delete;
    PngState& operator=(const PngState&) = delete;
    ~PngState() { png_destroy_read_struct(&reader, &info, nullptr); }
};

void onError(png_structp reader, png_const_charp message) {
    auto& state = *static_cast<PngState*>(png_get_error_ptr(reader));
    std::strncpy(state.message, message, sizeof state.message - 1);
    png_longjmp(reader, 1);
}

void onWarning(png_structp, png_const_charp) {}

void onRead(png_structp reader, png_bytep out, size_t count) {
    auto& state = *static_cast<PngState*>(png_get_io_ptr(reader));
    if (count > state.rest.size()) png_error(reader, "the file ends too early");
    std::memcpy(out, state.rest.data(), count);
    state.rest.remove_prefix(count);
}

/// Reads up to the pixels and asks for 8-bit RGBA, whatever the file holds.
bool openPng(PngState& state) {
    state.reader = png_create_read_struct(PNG_LIBPNG_VER_STRING, &state, onError, onWarning);
    if (!state.reader) return false;
    state.info = png_create_info_struct(state.reader);
    if (!state.info || setjmp(png_jmpbuf(state.reader)) != 0) return false;
    png_set_read_fn(state.reader, &state, onRead);
    png_set_user_limits(state.reader, PNG_UINT_31_MAX, PNG_UINT_31_MAX); // ours has been applied
    png_read_info(state.reader, state.info);
    png_set_expand(state.reader); // palettes, few bits, transparent colours
    png_set_scale_16(state.reader);
    png_set_gray_to_rgb(state.reader);
    png_set_add_alpha(state.reader, 0xFF, PNG_FILLER_AFTER);
    png_set_interlace_handling(state.reader);
    png_read_update_info(state.reader, state.info);
    return png_get_rowbytes(state.reader, state.info) ==
           kChannels * png_get_image_width(state.reader, state.info);
}

bool readPixels(PngState& state, png_bytepp rows) {
    if (setjmp(png_jmpbuf(state.reader)) != 0) return false;
    png_read_image(state.reader, rows);
    png_read_end(state.reader, nullptr);
    return true;
}

/// Colour and alpha apart.
DecodedPicture split(const std::vector<uint8_t>& rgba, int64_t width, int64_t height, bool alpha) {
    DecodedPicture out;
    out.picture = Picture{width, height, std::vector<uint8_t>(rgba.size() / kChannels * 3)};
    if (alpha) out.alpha.resize(rgba.size() / kChannels);
    for (size_t i = 0; i < rgba.size() / kChannels; ++i) {
        std::copy_n(&rgba[i * kChannels], 3, &out.picture.rgb[i * 3]);
        if (alpha) out.alpha[i] = rgba[i * kChannels + 3];
    }
    return out;
}

} // namespace

Result<DecodedPicture> decodePng(const DecodeRequest& request) {
    PngState state;
    state.rest = request.file;
    const auto damaged = [&state] {
        return pictureError("a PNG picture", std::string("a damaged one (") + state.message + ")",
                            "copy the file again, or take it out");
    };
    if (!openPng(state)) return damaged();
    const size_t rowBytes = kChannels * png_get_image_width(state.reader, state.info);
    std::vector<uint8_t> rgba(rowBytes * png_get_image_height(state.reader, state.info));
    std::vector<png_bytep> rows;
    for (size_t at = 0; at < rgba.size(); at += rowBytes) rows.push_back(&rgba[at]);
    if (!readPixels(state, rows.data())) return damaged();
    return split(rgba, request.header.info.widthPixels, request.header.info.heightPixels,
                 request.header.info.alpha);
}

} // namespace homebooth::core

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

/// Reads up to the pixels and asks for 8-bit RGB or, with `alpha`, RGBA, whatever the file holds.
bool openPng(PngState& state, bool alpha) {
    state.reader = png_create_read_struct(PNG_LIBPNG_VER_STRING, &state, onError, onWarning);
    if (!state.reader) return false;
    state.info = png_create_info_struct(state.reader);
    if (!state.info || setjmp(png_jmpbuf(state.reader)) != 0) return false;
    png_set_read_fn(state.reader, &state, onRead);
    png_set_user_limits(state.reader, PNG_UINT_31_MAX, PNG_UINT_31_MAX); // ours has been applied
    // Texts, profiles and the like would be unpacked and kept, up to 8 GB of one file. Ours has read what
    // matters; palette and transparent colours are not among these.
    png_set_keep_unknown_chunks(state.reader, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
    png_read_info(state.reader, state.info);
    png_set_expand(state.reader); // palettes, few bits, transparent colours
    png_set_scale_16(state.reader);
    png_set_gray_to_rgb(state.reader);
    if (alpha) png_set_add_alpha(state.reader, 0xFF, PNG_FILLER_AFTER);
    png_set_interlace_handling(state.reader);
    png_read_update_info(state.reader, state.info);
    const size_t channels = alpha ? 4 : 3;
    return png_get_rowbytes(state.reader, state.info) ==
           channels * png_get_image_width(state.reader, state.info);
}

bool readPixels(PngState& state, png_bytepp rows) {
    if (setjmp(png_jmpbuf(state.reader)) != 0) return false;
    png_read_image(state.reader, rows);
    png_read_end(state.reader, nullptr);
    return true;
}

/// Colour and alpha apart.
void split(const std::vector<uint8_t>& rgba, DecodedPicture& out) {
    const size_t pixels = rgba.size() / 4;
    out.picture.rgb.resize(pixels * 3);
    out.alpha.resize(pixels);
    for (size_t i = 0; i < pixels; ++i) {
        std::copy_n(&rgba[i * 4], 3, &out.picture.rgb[i * 3]);
        out.alpha[i] = rgba[i * 4 + 3];
    }
}

} // namespace

Result<DecodedPicture> decodePng(const DecodeRequest& request) {
    PngState state;
    state.rest = request.file;
    const auto damaged = [&state] {
        return pictureError("a PNG picture", std::string("a damaged one (") + state.message + ")",
                            "copy the file again, or take it out");
    };
    const PictureInfo& info = request.header.info;
    if (!openPng(state, info.alpha)) return damaged();
    // A file with two headers could show one size to our parser, which checked it, and another to libpng.
    if (png_get_image_width(state.reader, state.info) != info.widthPixels ||
        png_get_image_height(state.reader, state.info) != info.heightPixels) {
        return damaged();
    }
    const size_t rowBytes = png_get_rowbytes(state.reader, state.info);
    std::vector<uint8_t> samples(rowBytes * png_get_image_height(state.reader, state.info));
    std::vector<png_bytep> rows;
    for (size_t at = 0; at < samples.size(); at += rowBytes) rows.push_back(&samples[at]);
    if (!readPixels(state, rows.data())) return damaged();
    DecodedPicture out;
    out.picture.widthPixels = info.widthPixels;
    out.picture.heightPixels = info.heightPixels;
    if (info.alpha) {
        split(samples, out);
    } else {
        out.picture.rgb = std::move(samples);
    }
    return out;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// HEIC (as phones write it) and AVIF through libheif, which turns pictures upright by itself: the EXIF
// orientation of these files must not be applied again.
#include "core/media/picture_decoder.h"

#include <cstring>
#include <libheif/heif.h>
#include <memory>

namespace homebooth::core {
namespace {

struct FreeContext {
    void operator()(heif_context* context) const { heif_context_free(context); }
};
struct FreeHandle {
    void operator()(heif_image_handle* handle) const { heif_image_handle_release(handle); }
};
struct FreeImage {
    void operator()(heif_image* image) const { heif_image_release(image); }
};
struct FreeOptions {
    void operator()(heif_decoding_options* options) const { heif_decoding_options_free(options); }
};

/// A file opened at its main picture. Only one of `handle` and `error` is set.
struct OpenHeif {
    std::unique_ptr<heif_context, FreeContext> context{heif_context_alloc()};
    std::unique_ptr<heif_image_handle, FreeHandle> handle;
    std::string error;

    explicit OpenHeif(std::string_view file) {
        heif_error state =
            heif_context_read_from_memory_without_copy(context.get(), file.data(), file.size(), nullptr);
        heif_image_handle* opened = nullptr;
        if (state.code == heif_error_Ok)
            state = heif_context_get_primary_image_handle(context.get(), &opened);
        handle.reset(opened);
        if (state.code != heif_error_Ok) error = state.message ? state.message : "an unknown fault";
    }
};

std::string profileOf(const heif_image_handle* handle) {
    std::string profile(heif_image_handle_get_raw_color_profile_size(handle), '\0');
    if (profile.empty()) return profile;
    const heif_error state = heif_image_handle_get_raw_color_profile(handle, profile.data());
    return state.code == heif_error_Ok ? profile : std::string();
}

Error heifError(const DecodeRequest& request, const std::string& found) {
    const std::string format(pictureFormatName(request.header.info.format));
    return pictureError("a " + format + " picture", "a damaged or unknown one (" + found + ")",
                        "copy the file again, or export it as JPEG");
}

/// Copies interleaved rows of 3 or 4 channels apart into colour and alpha.
DecodedPicture copyOut(const heif_image* image, bool alpha) {
    DecodedPicture out;
    out.picture.widthPixels = heif_image_get_width(image, heif_channel_interleaved);
    out.picture.heightPixels = heif_image_get_height(image, heif_channel_interleaved);
    int stride = 0;
    const uint8_t* plane = heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride);
    const auto width = static_cast<size_t>(out.picture.widthPixels);
    const auto height = static_cast<size_t>(out.picture.heightPixels);
    out.picture.rgb.resize(width * height * 3);
    if (alpha) out.alpha.resize(width * height);
    for (size_t y = 0; y < height; ++y) {
        const uint8_t* row = plane + y * static_cast<size_t>(stride);
        if (!alpha) {
            std::memcpy(&out.picture.rgb[y * width * 3], row, width * 3);
            continue;
        }
        for (size_t x = 0; x < width; ++x) {
            std::memcpy(&out.picture.rgb[(y * width + x) * 3], row + x * 4, 3);
            out.alpha[y * width + x] = row[x * 4 + 3];
        }
    }
    return out;
}

} // namespace

void readHeifHeader(std::string_view file, PictureHeader& header) {
    const OpenHeif open(file);
    if (!open.handle) return;
    header.info.widthPixels = heif_image_handle_get_width(open.handle.get());
    header.info.heightPixels = heif_image_handle_get_height(open.handle.get());
    header.info.alpha = heif_image_handle_has_alpha_channel(open.handle.get()) != 0;
    header.iccProfile = profileOf(open.handle.get());
}

Result<DecodedPicture> decodeHeif(const DecodeRequest& request) {
    const OpenHeif open(request.file);
    if (!open.handle) return heifError(request, open.error);
    const std::unique_ptr<heif_decoding_options, FreeOptions> options(heif_decoding_options_alloc());
    options->convert_hdr_to_8bit = 1;
    const bool alpha = heif_image_handle_has_alpha_channel(open.handle.get()) != 0;
    heif_image* decoded = nullptr;
    const heif_error state =
        heif_decode_image(open.handle.get(), &decoded, heif_colorspace_RGB,
                          alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB, options.get());
    const std::unique_ptr<heif_image, FreeImage> image(decoded);
    if (state.code != heif_error_Ok)
        return heifError(request, state.message ? state.message : "an unknown fault");
    return copyOut(image.get(), alpha);
}

} // namespace homebooth::core

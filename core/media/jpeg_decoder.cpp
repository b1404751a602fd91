// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// JPEG through libjpeg itself: OpenCV turns CMYK into RGB without its profile, hides the profile, and takes a
// file that was cut off for a good one.
// libjpeg reports errors by a jump, so that no function between setjmp and a call into it may own anything.
#include "core/media/byte_view.h"
#include "core/media/colour_profile.h"
#include "core/media/picture_decoder.h"

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <jpeglib.h>
// After jpeglib.h, which it needs.
#include <jerror.h>

namespace homebooth::core {
namespace {

using namespace std::string_view_literals;

constexpr int kMaxScans = 1000; // a progressive file may ask for endless work otherwise

struct JpegState {
    jpeg_decompress_struct decoder{};
    jpeg_error_mgr errors{};
    jpeg_progress_mgr progress{};
    std::jmp_buf jump{};
    bool created = false;
    bool damaged = false; ///< what was decoded is not all that was in the picture

    JpegState() = default;
    JpegState(const JpegState&) = delete;
    JpegState& operator=(const JpegState&) = delete;
    ~JpegState() {
        if (created) jpeg_destroy_decompress(&decoder);
    }
};

JpegState& stateOf(j_common_ptr common) {
    return *static_cast<JpegState*>(common->client_data);
}

void onError(j_common_ptr common) {
    std::longjmp(stateOf(common).jump, 1);
}

void onMessage(j_common_ptr common, int level) {
    const int code = common->err->msg_code;
    // Extra bytes between the parts are common and harmless; these four mean lost pixels.
    if (level < 0 && (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER || code == JWRN_HUFF_BAD_CODE ||
                      code == JWRN_ARITH_BAD_CODE)) {
        stateOf(common).damaged = true;
    }
}

void onProgress(j_common_ptr common) {
    if (stateOf(common).decoder.input_scan_number > kMaxScans) onError(common);
}

/// Reads the header; false if that failed. The picture's bytes must outlive `state`.
bool openJpeg(JpegState& state, std::string_view file) {
    jpeg_decompress_struct& decoder = state.decoder;
    decoder.err = jpeg_std_error(&state.errors);
    state.errors.error_exit = onError;
    state.errors.emit_message = onMessage;
    if (setjmp(state.jump) != 0) return false;
    decoder.client_data = &state;
    jpeg_create_decompress(&decoder);
    state.created = true;
    state.progress.progress_monitor = onProgress;
    decoder.progress = &state.progress;
    jpeg_mem_src(&decoder, reinterpret_cast<const unsigned char*>(file.data()), file.size());
    jpeg_save_markers(&decoder, JPEG_APP0 + 1, 0xFFFF);
    jpeg_save_markers(&decoder, JPEG_APP0 + 2, 0xFFFF);
    return jpeg_read_header(&decoder, TRUE) == JPEG_HEADER_OK;
}

bool startJpeg(JpegState& state) {
    if (setjmp(state.jump) != 0) return false;
    return jpeg_start_decompress(&state.decoder) == TRUE;
}

bool readRows(JpegState& state, uint8_t* out, size_t rowBytes) {
    if (setjmp(state.jump) != 0) return false;
    while (state.decoder.output_scanline < state.decoder.output_height) {
        JSAMPROW row = out + rowBytes * state.decoder.output_scanline;
        jpeg_read_scanlines(&state.decoder, &row, 1);
    }
    jpeg_finish_decompress(&state.decoder);
    return true;
}

bool readProfile(JpegState& state, JOCTET** data, unsigned int* length) {
    if (setjmp(state.jump) != 0) return false;
    return jpeg_read_icc_profile(&state.decoder, data, length) == TRUE;
}

std::string profileOf(JpegState& state) {
    JOCTET* data = nullptr;
    unsigned int length = 0;
    if (!readProfile(state, &data, &length)) return {};
    std::string profile(reinterpret_cast<const char*>(data), length);
    std::free(data); // libjpeg allocates it with malloc
    return profile;
}

std::string_view exifOf(const jpeg_decompress_struct& decoder) {
    for (jpeg_saved_marker_ptr marker = decoder.marker_list; marker; marker = marker->next) {
        std::string_view data(reinterpret_cast<const char*>(marker->data), marker->data_length);
        if (marker->marker != JPEG_APP0 + 1 || !data.starts_with("Exif\0\0"sv)) continue;
        return data.substr(6);
    }
    return {};
}

bool isCmyk(const jpeg_decompress_struct& decoder) {
    return decoder.jpeg_color_space == JCS_CMYK || decoder.jpeg_color_space == JCS_YCCK;
}

/// The greatest of 1, 2, 4, 8 by which the shorter side may be divided.
unsigned int reduction(const jpeg_decompress_struct& decoder, int64_t minSidePixels) {
    const int64_t side = std::min(decoder.image_width, decoder.image_height);
    unsigned int by = 1;
    while (minSidePixels > 0 && by < 8 && side / (by * 2) >= minSidePixels) by *= 2;
    return by;
}

Error jpegError(JpegState& state, const std::string& expected) {
    char message[JMSG_LENGTH_MAX] = "an unknown fault";
    if (state.created && state.errors.msg_code != 0) {
        state.errors.format_message(reinterpret_cast<j_common_ptr>(&state.decoder), message);
    }
    return pictureError(expected, std::string("a damaged one (") + message + ")",
                        "copy the file again, or take it out");
}

} // namespace

bool jpegHeaderEndsIn(std::string_view start) {
    JpegState state;
    (void)openJpeg(state, start);
    return !state.damaged; // no pixels were decoded: only its end can have been met
}

void readJpegHeader(std::string_view file, PictureHeader& header) {
    JpegState state;
    if (!openJpeg(state, file)) return;
    header.info.widthPixels = state.decoder.image_width;
    header.info.heightPixels = state.decoder.image_height;
    header.info.orientation = orientationOfExif(exifOf(state.decoder));
    header.userComment = commentOfExif(exifOf(state.decoder));
    header.iccProfile = profileOf(state);
}

Result<DecodedPicture> decodeJpeg(const DecodeRequest& request) {
    JpegState state;
    if (!openJpeg(state, request.file)) return jpegError(state, "a JPEG picture");
    jpeg_decompress_struct& decoder = state.decoder;
    const bool cmyk = isCmyk(decoder);
    decoder.out_color_space = cmyk ? JCS_CMYK : JCS_RGB;
    decoder.scale_num = 1;
    decoder.scale_denom = reduction(decoder, request.minSidePixels);
    if (!startJpeg(state)) return jpegError(state, "a JPEG picture");
    DecodedPicture out;
    out.picture.widthPixels = decoder.output_width;
    out.picture.heightPixels = decoder.output_height;
    const size_t rowBytes = size_t{decoder.output_width} * (cmyk ? 4 : 3);
    std::vector<uint8_t> samples(rowBytes * decoder.output_height);
    if (!readRows(state, samples.data(), rowBytes)) return jpegError(state, "a JPEG picture");
    if (state.damaged) {
        return pictureError("a whole JPEG picture", "one with lost parts",
                            "copy the file again, or take it out");
    }
    out.inSrgb = cmyk;
    const bool inverted = decoder.saw_Adobe_marker == TRUE;
    out.picture.rgb = cmyk ? cmykToSrgb(samples, inverted, request.header.iccProfile, request.warnings)
                           : std::move(samples);
    return out;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What only libjpeg, libheif and lcms2 can make.
#include "picture_files.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <jpeglib.h>
#include <lcms2.h>
#include <libheif/heif.h>

namespace homebooth::test {
namespace {

std::string savedProfile(cmsHPROFILE profile) {
    cmsUInt32Number length = 0;
    cmsSaveProfileToMem(profile, nullptr, &length);
    std::string out(length, '\0');
    cmsSaveProfileToMem(profile, out.data(), &length);
    cmsCloseProfile(profile);
    return out;
}

void nameProfile(cmsHPROFILE profile, const char* name = "Test") {
    cmsMLU* text = cmsMLUalloc(nullptr, 1);
    cmsMLUsetASCII(text, "en", "US", name);
    cmsWriteTag(profile, cmsSigProfileDescriptionTag, text);
    cmsMLUfree(text);
}

/// Cyan and black ink darken, the others do nothing. Lab is coded as in version 2 profiles.
cmsInt32Number darkenByCyan(const cmsUInt16Number in[], cmsUInt16Number out[], void*) {
    const cmsUInt16Number ink = std::max(in[0], in[3]);
    out[0] = static_cast<cmsUInt16Number>((65535 - ink) * 0xFF00LL / 65535);
    out[1] = out[2] = 0x8000;
    return 1;
}

heif_error appendTo(heif_context*, const void* data, size_t size, void* out) {
    static_cast<std::string*>(out)->append(static_cast<const char*>(data), size);
    return {heif_error_Ok, heif_suberror_Unspecified, ""};
}

} // namespace

std::string cmykJpeg(int width, int height, std::array<uint8_t, 4> samples, bool adobeMarker) {
    jpeg_compress_struct encoder{};
    jpeg_error_mgr errors{};
    encoder.err = jpeg_std_error(&errors);
    jpeg_create_compress(&encoder);
    unsigned char* data = nullptr;
    unsigned long length = 0;
    jpeg_mem_dest(&encoder, &data, &length);
    encoder.image_width = static_cast<JDIMENSION>(width);
    encoder.image_height = static_cast<JDIMENSION>(height);
    encoder.input_components = 4;
    encoder.in_color_space = JCS_CMYK;
    jpeg_set_defaults(&encoder);
    jpeg_set_quality(&encoder, 100, TRUE);
    encoder.write_Adobe_marker = adobeMarker ? TRUE : FALSE;
    jpeg_start_compress(&encoder, TRUE);
    std::vector<uint8_t> row;
    for (int x = 0; x < width; ++x) row.insert(row.end(), samples.begin(), samples.end());
    JSAMPROW rowPointer = row.data();
    for (int y = 0; y < height; ++y) jpeg_write_scanlines(&encoder, &rowPointer, 1);
    jpeg_finish_compress(&encoder);
    std::string out(reinterpret_cast<char*>(data), length);
    jpeg_destroy_compress(&encoder);
    std::free(data);
    return out;
}

std::string progressiveJpegOfScans(int count) {
    jpeg_compress_struct encoder{};
    jpeg_error_mgr errors{};
    encoder.err = jpeg_std_error(&errors);
    jpeg_create_compress(&encoder);
    unsigned char* data = nullptr;
    unsigned long length = 0;
    jpeg_mem_dest(&encoder, &data, &length);
    encoder.image_width = encoder.image_height = 512;
    encoder.input_components = 1;
    encoder.in_color_space = JCS_GRAYSCALE;
    jpeg_set_defaults(&encoder);
    jpeg_simple_progression(&encoder);
    jpeg_start_compress(&encoder, TRUE);
    std::vector<uint8_t> row(512, 128);
    JSAMPROW rowPointer = row.data();
    for (int y = 0; y < 512; ++y) jpeg_write_scanlines(&encoder, &rowPointer, 1);
    jpeg_finish_compress(&encoder);
    std::string out(reinterpret_cast<char*>(data), length);
    jpeg_destroy_compress(&encoder);
    std::free(data);
    const size_t scan = out.rfind("\xFF\xDA"), end = out.size() - 2;
    const std::string repeated = out.substr(scan, end - scan);
    std::string all = out.substr(0, end);
    for (int i = 0; i < count; ++i) all += repeated;
    return all + out.substr(end);
}

std::string redAndGreenSwappedProfile() {
    // sRGB's curve and primaries, but the red channel means green light and the other way round.
    const cmsCIExyY white{0.3127, 0.3290, 1.0};
    const cmsCIExyYTRIPLE primaries{{0.3, 0.6, 1.0}, {0.64, 0.33, 1.0}, {0.15, 0.06, 1.0}};
    const cmsFloat64Number curve[] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
    cmsToneCurve* tone = cmsBuildParametricToneCurve(nullptr, 4, curve);
    cmsToneCurve* tones[] = {tone, tone, tone};
    cmsHPROFILE profile = cmsCreateRGBProfile(&white, &primaries, tones);
    cmsFreeToneCurve(tone);
    nameProfile(profile);
    return savedProfile(profile);
}

std::string linearProfileCalledSrgb() {
    const cmsCIExyY white{0.3127, 0.3290, 1.0};
    const cmsCIExyYTRIPLE primaries{{0.64, 0.33, 1.0}, {0.3, 0.6, 1.0}, {0.15, 0.06, 1.0}};
    cmsToneCurve* tone = cmsBuildGamma(nullptr, 1.0);
    cmsToneCurve* tones[] = {tone, tone, tone};
    cmsHPROFILE profile = cmsCreateRGBProfile(&white, &primaries, tones);
    cmsFreeToneCurve(tone);
    nameProfile(profile, "sRGB-elle-V2-g10.icc");
    return savedProfile(profile);
}

std::string greyProfileOfGammaOne() {
    cmsToneCurve* tone = cmsBuildGamma(nullptr, 1.0);
    cmsHPROFILE profile = cmsCreateGrayProfile(cmsD50_xyY(), tone);
    cmsFreeToneCurve(tone);
    nameProfile(profile);
    return savedProfile(profile);
}

std::string cmykProfileWhereCyanIsBlack() {
    cmsHPROFILE profile = cmsCreateProfilePlaceholder(nullptr);
    cmsSetProfileVersion(profile, 2.1);
    cmsSetDeviceClass(profile, cmsSigOutputClass);
    cmsSetColorSpace(profile, cmsSigCmykData);
    cmsSetPCS(profile, cmsSigLabData);
    cmsPipeline* pipeline = cmsPipelineAlloc(nullptr, 4, 3);
    cmsStage* table = cmsStageAllocCLut16bit(nullptr, 2, 4, 3, nullptr);
    cmsStageSampleCLut16bit(table, darkenByCyan, nullptr, 0);
    cmsPipelineInsertStage(pipeline, cmsAT_BEGIN, table);
    cmsWriteTag(profile, cmsSigAToB0Tag, pipeline);
    cmsPipelineFree(pipeline);
    nameProfile(profile);
    return savedProfile(profile);
}

std::string heicFile(const core::Picture& picture, const std::string& profile, int quarterTurns) {
    const int width = static_cast<int>(picture.widthPixels), height = static_cast<int>(picture.heightPixels);
    heif_context* context = heif_context_alloc();
    heif_encoder* encoder = nullptr;
    std::string out;
    if (heif_context_get_encoder_for_format(context, heif_compression_HEVC, &encoder).code == heif_error_Ok) {
        heif_encoder_set_lossy_quality(encoder, 95);
        heif_image* image = nullptr;
        heif_image_create(width, height, heif_colorspace_RGB, heif_chroma_interleaved_RGB, &image);
        heif_image_add_plane(image, heif_channel_interleaved, width, height, 8);
        int stride = 0;
        uint8_t* plane = heif_image_get_plane(image, heif_channel_interleaved, &stride);
        for (int y = 0; y < height; ++y)
            std::memcpy(plane + y * stride, &picture.rgb[static_cast<size_t>(y * width * 3)],
                        static_cast<size_t>(width * 3));
        if (!profile.empty()) heif_image_set_raw_color_profile(image, "prof", profile.data(), profile.size());
        heif_encoding_options* options = heif_encoding_options_alloc();
        static constexpr heif_orientation kTurns[] = {heif_orientation_normal, heif_orientation_rotate_90_cw};
        options->image_orientation = kTurns[quarterTurns];
        heif_context_encode_image(context, image, encoder, options, nullptr);
        heif_writer writer{1, appendTo};
        heif_context_write(context, &writer, &out);
        heif_encoding_options_free(options);
        heif_image_release(image);
        heif_encoder_release(encoder);
    }
    heif_context_free(context);
    return out;
}

} // namespace homebooth::test

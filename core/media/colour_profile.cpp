// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/media/colour_profile.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <lcms2.h>
#include <memory>

namespace homebooth::core {
namespace {

struct CloseProfile {
    void operator()(void* profile) const { cmsCloseProfile(profile); }
};
struct CloseTransform {
    void operator()(void* transform) const { cmsDeleteTransform(transform); }
};
using Profile = std::unique_ptr<void, CloseProfile>;
using Transform = std::unique_ptr<void, CloseTransform>;

constexpr size_t kPixelsAtOnce = 1 << 16;
constexpr const char* kUnusable =
    "the embedded colour profile is damaged or of another kind and was left out";

Profile openProfile(const std::string& bytes) {
    return Profile(cmsOpenProfileFromMem(bytes.data(), static_cast<cmsUInt32Number>(bytes.size())));
}

/// Whether it is the usual sRGB, of which nothing has to be converted. Linear ones may have that name, too.
bool isSrgb(cmsHPROFILE profile) {
    constexpr float kOfHalf = 0.214F, kTolerance = 0.01F;
    char name[64] = {};
    cmsGetProfileInfoASCII(profile, cmsInfoDescription, "en", "US", name, sizeof name);
    if (!std::string(name).starts_with("sRGB")) return false;
    const auto* curve = static_cast<const cmsToneCurve*>(cmsReadTag(profile, cmsSigGreenTRCTag));
    return curve == nullptr || std::abs(cmsEvalToneCurveFloat(curve, 0.5F) - kOfHalf) < kTolerance;
}

/// But for what lossy formats make of grey.
bool isGrey(const std::vector<uint8_t>& rgb) {
    constexpr int kTolerance = 8;
    for (size_t i = 0; i + 2 < rgb.size(); i += 3)
        if (std::abs(rgb[i] - rgb[i + 1]) > kTolerance || std::abs(rgb[i] - rgb[i + 2]) > kTolerance)
            return false;
    return true;
}

Transform toSrgb(cmsHPROFILE from, cmsUInt32Number format) {
    const Profile srgb(cmsCreate_sRGBProfile());
    return Transform(cmsCreateTransform(from, format, srgb.get(), TYPE_RGB_8, INTENT_PERCEPTUAL,
                                        cmsFLAGS_BLACKPOINTCOMPENSATION));
}

void convertRgb(std::vector<uint8_t>& rgb, cmsHTRANSFORM transform) {
    const size_t pixels = rgb.size() / 3;
    for (size_t at = 0; at < pixels; at += kPixelsAtOnce) {
        const size_t count = std::min(kPixelsAtOnce, pixels - at);
        cmsDoTransform(transform, &rgb[at * 3], &rgb[at * 3], static_cast<cmsUInt32Number>(count));
    }
}

/// All three channels hold the grey value already, so a table of 256 colours is enough.
void convertGrey(std::vector<uint8_t>& rgb, cmsHTRANSFORM transform) {
    uint8_t greys[256], colours[256 * 3];
    for (int i = 0; i < 256; ++i) greys[i] = static_cast<uint8_t>(i);
    cmsDoTransform(transform, greys, colours, 256);
    for (size_t i = 0; i + 2 < rgb.size(); i += 3) {
        const uint8_t* colour = colours + size_t{rgb[i]} * 3;
        std::copy(colour, colour + 3, &rgb[i]);
    }
}

uint8_t multiplied(uint8_t light, uint8_t keyLight) {
    return static_cast<uint8_t>((light * keyLight + 127) / 255);
}

void multiplyCmyk(const std::vector<uint8_t>& cmyk, bool inverted, std::vector<uint8_t>& rgb) {
    const uint8_t flip = inverted ? 0 : 255;
    for (size_t pixel = 0; pixel < cmyk.size() / 4; ++pixel) {
        const uint8_t* ink = &cmyk[pixel * 4];
        const auto key = static_cast<uint8_t>(ink[3] ^ flip);
        for (size_t k = 0; k < 3; ++k) {
            rgb[pixel * 3 + k] = multiplied(static_cast<uint8_t>(ink[k] ^ flip), key);
        }
    }
}

} // namespace

void profileToSrgb(Picture& picture, const std::string& iccProfile, std::vector<std::string>& warnings) {
    if (iccProfile.empty()) return;
    const Profile profile = openProfile(iccProfile);
    const cmsColorSpaceSignature space = profile ? cmsGetColorSpace(profile.get()) : cmsSigXYZData;
    const bool grey = space == cmsSigGrayData;
    if (grey ? !isGrey(picture.rgb) : space != cmsSigRgbData) {
        warnings.emplace_back(kUnusable);
        return;
    }
    if (isSrgb(profile.get())) return;
    const Transform transform = toSrgb(profile.get(), grey ? TYPE_GRAY_8 : TYPE_RGB_8);
    if (!transform) {
        warnings.emplace_back(kUnusable);
    } else if (grey) {
        convertGrey(picture.rgb, transform.get());
    } else {
        convertRgb(picture.rgb, transform.get());
    }
}

std::vector<uint8_t> cmykToSrgb(const std::vector<uint8_t>& cmyk, bool inverted,
                                const std::string& iccProfile, std::vector<std::string>& warnings) {
    std::vector<uint8_t> rgb(cmyk.size() / 4 * 3);
    const Profile profile = iccProfile.empty() ? Profile() : openProfile(iccProfile);
    Transform transform;
    if (profile && cmsGetColorSpace(profile.get()) == cmsSigCmykData) {
        transform = toSrgb(profile.get(), inverted ? TYPE_CMYK_8_REV : TYPE_CMYK_8);
    }
    if (!iccProfile.empty() && !transform) warnings.emplace_back(kUnusable);
    if (!transform) {
        multiplyCmyk(cmyk, inverted, rgb);
        return rgb;
    }
    for (size_t at = 0; at < cmyk.size() / 4; at += kPixelsAtOnce) {
        const size_t count = std::min(kPixelsAtOnce, cmyk.size() / 4 - at);
        cmsDoTransform(transform.get(), &cmyk[at * 4], &rgb[at * 3], static_cast<cmsUInt32Number>(count));
    }
    return rgb;
}

} // namespace homebooth::core

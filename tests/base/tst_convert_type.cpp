// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Half types: every value of theirs survives a round trip, and rounding is to nearest, ties to even.
#include "core/base/formats/convert_type.h"

#include <QtTest>

#include <bit>
#include <cmath>
#include <cstring>

using namespace homebooth::core;

class TestConvertType : public QObject {
    Q_OBJECT

private slots:
    void everyHalfSurvivesFloat() {
        for (unsigned bits = 0; bits < 0x10000; ++bits) {
            const auto half = static_cast<uint16_t>(bits);
            const float value = floatOfHalf(half);
            if (std::isnan(value))
                QVERIFY(std::isnan(floatOfHalf(halfOfFloat(value))));
            else
                QCOMPARE(halfOfFloat(value), half);
            const float wide = floatOfBfloat16(half);
            if (std::isnan(wide))
                QVERIFY(std::isnan(floatOfBfloat16(bfloat16OfFloat(wide))));
            else
                QCOMPARE(bfloat16OfFloat(wide), half);
        }
    }

    void halvesRoundToNearestEven() {
        for (unsigned bits = 0; bits < 0x7bffU; ++bits) {
            const float low = floatOfHalf(static_cast<uint16_t>(bits));
            const float high = floatOfHalf(static_cast<uint16_t>(bits + 1));
            const float middle = low + (high - low) / 2; // exact in float
            QCOMPARE(halfOfFloat(middle), static_cast<uint16_t>(bits + (bits & 1U)));
            QCOMPARE(halfOfFloat(std::nextafter(middle, 0.0F)), static_cast<uint16_t>(bits));
            QCOMPARE(halfOfFloat(-std::nextafter(middle, high)), static_cast<uint16_t>((bits + 1) | 0x8000U));
        }
        QCOMPARE(halfOfFloat(65504.0F), uint16_t{0x7bff});
        QCOMPARE(halfOfFloat(65519.9F), uint16_t{0x7bff});
        QCOMPARE(halfOfFloat(65520.0F), uint16_t{0x7c00});
        QCOMPARE(halfOfFloat(1e30F), uint16_t{0x7c00});
    }

    void bfloatsRoundToNearestEven() {
        QCOMPARE(bfloat16OfFloat(std::bit_cast<float>(0x3f808000U)), uint16_t{0x3f80});
        QCOMPARE(bfloat16OfFloat(std::bit_cast<float>(0x3f818000U)), uint16_t{0x3f82});
        QCOMPARE(bfloat16OfFloat(std::bit_cast<float>(0x3f808001U)), uint16_t{0x3f81});
        QCOMPARE(bfloat16OfFloat(std::bit_cast<float>(0x7f7fffffU)), uint16_t{0x7f80});
        QVERIFY(std::isnan(floatOfBfloat16(bfloat16OfFloat(std::bit_cast<float>(0x7f800001U)))));
    }

    void doublesAreRoundedOnce() {
        // Just above the middle between two halves, by less than a float can show: over float it would tie.
        const double value = 1.0 + 0x1p-11 + 0x1p-40;
        uint16_t half = 0;
        convertElements(std::as_bytes(std::span(&value, 1)), DataType::F64,
                        std::as_writable_bytes(std::span(&half, 1)), DataType::F16);
        QCOMPARE(half, uint16_t{0x3c01});
    }

    void readsScalarsOfEveryType() {
        const float single = -2.5F;
        QCOMPARE(scalarValue(std::as_bytes(std::span(&single, 1)), DataType::F32), -2.5);
        const int64_t whole = -7;
        QCOMPARE(scalarValue(std::as_bytes(std::span(&whole, 1)), DataType::I64), -7.0);
        const uint16_t half = 0x4c00; // 16
        QCOMPARE(scalarValue(std::as_bytes(std::span(&half, 1)), DataType::F16), 16.0);
    }

    void convertsWholeTensors() {
        const std::vector<float> from{0.0F, 1.0F, -0.1F, 1e-8F};
        std::vector<uint16_t> to(from.size());
        convertElements(std::as_bytes(std::span(from)), DataType::F32, std::as_writable_bytes(std::span(to)),
                        DataType::BF16);
        for (size_t i = 0; i < from.size(); ++i) QCOMPARE(to[i], bfloat16OfFloat(from[i]));
    }
};

QTEST_APPLESS_MAIN(TestConvertType)
#include "tst_convert_type.moc"

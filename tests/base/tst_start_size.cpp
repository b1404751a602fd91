// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The size of pictures that begin with another one: what was named, and the shape of that one for the
// rest.
#include "core/base/arch/unet_layout.h"
#include "core/base/config/start_size.h"
#include "tests/base/support/tiny_model.h"

#include <QtTest>

using namespace homebooth::core;

namespace {

/// Whose own pictures are 512 pixels wide and high.
ModelSource sd1() {
    return test::fullSizeModel(ModelFamily::StableDiffusion1, PredictionType::Epsilon);
}

SampleConfig asked(PictureSize size) {
    SampleConfig config;
    config.widthPixels = size.widthPixels;
    config.heightPixels = size.heightPixels;
    return config;
}

} // namespace

class tst_start_size : public QObject {
    Q_OBJECT

private slots:
    void sidesThatNobodyNamedAreThoseOfThePicture_data() {
        QTest::addColumn<PictureSize>("start");
        QTest::addColumn<PictureSize>("named");
        QTest::addColumn<PictureSize>("expected");
        QTest::newRow("both named") << PictureSize{3024, 4032} << PictureSize{640, 320}
                                    << PictureSize{640, 320};
        QTest::newRow("width") << PictureSize{3024, 4032} << PictureSize{1024, 0} << PictureSize{1024, 1368};
        QTest::newRow("height") << PictureSize{3024, 4032} << PictureSize{0, 1368} << PictureSize{1024, 1368};
        QTest::newRow("none") << PictureSize{3024, 4032} << PictureSize{0, 0} << PictureSize{440, 592};
        QTest::newRow("none of a small one")
            << PictureSize{100, 70} << PictureSize{0, 0} << PictureSize{104, 72};
        QTest::newRow("as far as it goes")
            << PictureSize{1000, 8000} << PictureSize{1024, 0} << PictureSize{1024, 8192};
    }
    void sidesThatNobodyNamedAreThoseOfThePicture() {
        QFETCH(PictureSize, start);
        QFETCH(PictureSize, named);
        QFETCH(PictureSize, expected);
        const auto sized = withStartSize(asked(named), start, sd1());
        QVERIFY(sized.ok());
        QCOMPARE((PictureSize{sized->widthPixels, sized->heightPixels}), expected);
    }

    void aSideThatGoesTooFarNamesWhatLeadsToIt_data() {
        QTest::addColumn<PictureSize>("start");
        QTest::addColumn<PictureSize>("named");
        QTest::addColumn<QString>("option");
        QTest::newRow("width") << PictureSize{1000, 8000} << PictureSize{1032, 0} << "--width";
        QTest::newRow("height") << PictureSize{8000, 1000} << PictureSize{0, 1032} << "--height";
        QTest::newRow("none") << PictureSize{8, 8'000'000} << PictureSize{0, 0} << "--init";
    }
    void aSideThatGoesTooFarNamesWhatLeadsToIt() {
        QFETCH(PictureSize, start);
        QFETCH(PictureSize, named);
        QFETCH(QString, option);
        const auto refused = withStartSize(asked(named), start, sd1());
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, ErrorCode::Usage);
        QCOMPARE(QString::fromStdString(refused.error().context), option);
        QVERIFY(QString::fromStdString(refused.error().message).contains("at most 8192 pixels"));
    }
};

QTEST_GUILESS_MAIN(tst_start_size)
#include "tst_start_size.moc"

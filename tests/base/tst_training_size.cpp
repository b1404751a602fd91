// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The size that a picture is learned at: a square, or the bucket of its shape.
#include "core/base/config/training_size.h"

#include <QtTest>

using namespace homebooth::core;

class tst_training_size : public QObject {
    Q_OBJECT

private slots:
    void croppedPicturesAreSquares() {
        QCOMPARE(trainingSize({1000, 400}, 512, FramingMode::Crop, 64), (PictureSize{512, 512}));
    }

    void bucketsKeepTheShape() {
        QCOMPARE(trainingSize({1000, 1000}, 512, FramingMode::Buckets, 64), (PictureSize{512, 512}));
        for (const PictureSize original : {PictureSize{3000, 2000}, {2000, 3000}, {5000, 400}, {1, 1}}) {
            const PictureSize size = trainingSize(original, 512, FramingMode::Buckets, 64);
            QCOMPARE(size.widthPixels % 64, int64_t{0});
            QCOMPARE(size.heightPixels % 64, int64_t{0});
            QVERIFY(size.widthPixels * size.heightPixels <= 512 * 512);
            QCOMPARE(size.widthPixels > size.heightPixels, original.widthPixels > original.heightPixels);
        }
    }

    void whatIsCutOutLiesInTheMiddleOfTheScaledPicture() {
        QCOMPARE(cutCorner({1000, 1500}, {832, 1216}, false), (CutCorner{16, 0})); // 832 x 1248
        QCOMPARE(cutCorner({100, 50}, {64, 64}, false), (CutCorner{0, 32}));       // 128 x 64: it grows
        for (const PictureSize same : {PictureSize{1024, 1024}, {77, 77}, {3, 3}})
            QCOMPARE(cutCorner(same, {64, 64}, true), (CutCorner{0, 0}));
    }

    /// Of 85 x 64 pixels 10 are left out on the left and 11 on the right, of their mirror image the other way
    /// round.
    void mirroredPicturesAreCutWhereTheirMirrorImagesAre() {
        QCOMPARE(cutCorner({640, 480}, {64, 64}, false), (CutCorner{0, 10}));
        QCOMPARE(cutCorner({640, 480}, {64, 64}, true), (CutCorner{0, 11}));
        QCOMPARE(cutCorner({480, 640}, {64, 64}, true), (CutCorner{10, 0}));
    }

    void everyLevelOfTheUNetHalves() {
        QCOMPARE(bucketMultiple(8, 1), int64_t{8});
        QCOMPARE(bucketMultiple(8, 4), int64_t{64});
    }
};

QTEST_GUILESS_MAIN(tst_training_size)
#include "tst_training_size.moc"

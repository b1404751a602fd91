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

    void everyLevelOfTheUNetHalves() {
        QCOMPARE(bucketMultiple(8, 1), int64_t{8});
        QCOMPARE(bucketMultiple(8, 4), int64_t{64});
    }
};

QTEST_GUILESS_MAIN(tst_training_size)
#include "tst_training_size.moc"

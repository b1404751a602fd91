// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is dropped beside what a zone takes is told, wherever it lies.
#include "app/shell/drops/drop_content.h"
#include "app/shell/drops/drop_overlay.h"
#include "app/shell/main_window.h"
#include "app/widgets/message_bar.h"
#include "app_files.h"

#include <QDir>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QPushButton>
#include <QSysInfo>
#include <QUrl>
#include <QWindow>

#include <algorithm>

using namespace homebooth;
using namespace homebooth::app;

class DropRestTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void init();
    void cleanup();
    void whatAZoneForPhotosLeavesIsTold();
    void whatTheZoneForModelsLeavesIsToldAndAdded();
    void addressesBesidePastedFilesAreTold();
    void anAddressMayNameThisMachine_data();
    void anAddressMayNameThisMachine();

private:
    /// A photo, an archive, what looks like a model, and a photo on a web page.
    [[nodiscard]] QList<QUrl> allKinds() const;
    /// Drags over the window and lets go on the zone of these words.
    void dropOn(const QString& words, const QList<QUrl>& urls);
    [[nodiscard]] MessageBar& told() const { return m_window->page(m_window->currentPage())->messages(); }
    [[nodiscard]] size_t subjects() const { return m_services->subjects.subjects().size(); }

    std::unique_ptr<MainWindow> m_window;
    size_t m_before = 0;
};

void DropRestTest::init() {
    beginAgain();
    m_window = std::make_unique<MainWindow>(m_services->all());
    m_window->show();
    m_window->showPage(PageId::Gallery);
    m_before = subjects();
}

void DropRestTest::cleanup() {
    m_window.reset();
    end();
}

QList<QUrl> DropRestTest::allKinds() const {
    const QDir folder(m_place.path(u"beside"_s));
    QDir().mkpath(folder.path());
    writeTestPicture(folder.filePath(u"00.png"_s), 1, {64, 64});
    for (const QString& name : {u"photos.zip"_s, u"toy.safetensors"_s})
        writeBytes(folder.filePath(name), "any");
    return {QUrl::fromLocalFile(folder.filePath(u"00.png"_s)),
            QUrl::fromLocalFile(folder.filePath(u"photos.zip"_s)),
            QUrl::fromLocalFile(folder.filePath(u"toy.safetensors"_s)),
            QUrl(u"https://example.org/far.safetensors"_s)};
}

void DropRestTest::dropOn(const QString& words, const QList<QUrl>& urls) {
    QMimeData data;
    data.setUrls(urls);
    QDragEnterEvent enter(m_window->rect().center(), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(m_window->windowHandle(), &enter);
    auto* overlay = m_window->findChild<DropOverlay*>();
    QTRY_VERIFY(overlay->isVisible());
    const auto& zones = overlay->zones();
    const auto zone = std::find_if(zones.begin(), zones.end(),
                                   [&words](const DropZone& one) { return one.text.startsWith(words); });
    QVERIFY(zone != zones.end());
    zone->act({});
    overlay->hide();
}

void DropRestTest::whatAZoneForPhotosLeavesIsTold() {
    QList<QUrl> all = allKinds();
    all.append(QUrl(u"mtp:/phone/a.jpg"_s)); // as KDE writes it
    dropOn(u"Make a subject"_s, all);
    QTRY_COMPARE(subjects(), m_before + 1);
    QTRY_VERIFY(told().currentText().contains(u"imported: toy.safetensors."_s));
    const QString text = told().currentText();
    QVERIFY2(text.contains(u"3 file"_s), qPrintable(text));
    QVERIFY2(text.contains(u"a.jpg"_s), qPrintable(text));
    QVERIFY2(text.contains(u"photos.zip (unpack it first)"_s), qPrintable(text));
    QVERIFY2(text.contains(u"far.safetensors (copy it to this computer first)"_s), qPrintable(text));
    QVERIFY(buttonNamed(told(), u"Import models"_s) != nullptr);
    m_services->undo.undo();
}

void DropRestTest::whatTheZoneForModelsLeavesIsToldAndAdded() {
    QList<QUrl> all = allKinds();
    const QString preview = m_place.path(u"beside/toy.preview.png"_s); // the model's own, no photo
    all.append(QUrl::fromLocalFile(writeTestPicture(preview, 2, {64, 64})));
    dropOn(u"Import model"_s, all);
    const auto current = [this] {
        told().drop(u"import"_s); // that it is no model
        return told().currentText();
    };
    QTRY_VERIFY2(current().contains(u"taken: 00.png."_s), qPrintable(current()));
    QVERIFY(!current().contains(u"imported:"_s));
    QCOMPARE(subjects(), m_before);
    buttonNamed(told(), u"Add them too"_s)->click();
    QTRY_COMPARE(subjects(), m_before + 1);
    m_services->undo.undo();
}

void DropRestTest::addressesBesidePastedFilesAreTold() {
    QMimeData data;
    data.setUrls(allKinds().mid(3));
    QVERIFY(pathsOf(data).isEmpty() && isElsewhere(data)); // told in words of its own
    data.setUrls(allKinds());
    QCOMPARE(localPathsOf(data).size(), 3);
    const DropContent content = dropContentOf(pathsOf(data));
    QCOMPARE(content.models.size(), 1);
    QCOMPARE(content.rest.files.size(), size_t{2});
}

void DropRestTest::anAddressMayNameThisMachine_data() {
    QTest::addColumn<QString>("host");
    QTest::addColumn<bool>("here");
    QTest::newRow("none") << QString() << true;
    QTest::newRow("localhost") << u"localhost"_s << true;
    QTest::newRow("its name") << QSysInfo::machineHostName() << true;
    QTest::newRow("another") << u"elsewhere.example.org"_s << false;
}

void DropRestTest::anAddressMayNameThisMachine() {
    QFETCH(QString, host);
    QFETCH(bool, here);
    const QString path = m_place.path(u"a photo #1.png"_s);
    QUrl url = QUrl::fromLocalFile(path);
    url.setHost(host);
    QMimeData data;
    data.setUrls({url});
    QCOMPARE(localPathsOf(data), here ? QStringList{path} : QStringList());
    QCOMPARE(isElsewhere(data), !here);
}

HOMEBOOTH_APP_TEST_MAIN(DropRestTest)
#include "tst_drop_rest.moc"

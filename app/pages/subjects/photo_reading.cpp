// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/subjects/photo_reading.h"

#include "app/shell/page.h"
#include "app/widgets/message_bar.h"

#include <QLocale>

#include <algorithm>
#include <utility>

namespace homebooth::app {
namespace {

constexpr size_t kMany = 12; // fewer are looked at before anybody has read that

const QString& readingKey() {
    static const QString key = QStringLiteral("photo reading");
    return key;
}

} // namespace

PhotoReading::PhotoReading(SubjectBook& book, PhotoModel& photos, PhotoInspector& inspector, Page& page)
    : QObject(&page)
    , m_book(book)
    , m_photos(photos)
    , m_inspector(inspector)
    , m_page(page) {
    connect(&book, &SubjectBook::loadedAll, this, &PhotoReading::takeAll);
    connect(&photos, &PhotoModel::verdictsChanged, this, &PhotoReading::look);
    takeAll();
}

void PhotoReading::takeAll() {
    for (const core::Subject& subject : m_book.subjects())
        for (const core::Photo& photo : subject.photos) m_before.insert(photo.id);
}

void PhotoReading::look() {
    const std::vector<int64_t> unseen = m_photos.unseen();
    const bool told = m_subject != 0 && m_subject == m_photos.subjectId();
    if (unseen.empty() || (!told && unseen.size() < kMany)) {
        if (std::exchange(m_subject, 0) != 0) m_page.messages().drop(readingKey());
        return;
    }
    const int all = m_photos.rowCount();
    const QLocale locale;
    const QString text = tr("Looking at the photos: %1 of %2")
                             .arg(locale.toString(all - int(unseen.size())), locale.toString(all));
    const bool stoppable =
        std::any_of(unseen.begin(), unseen.end(), [this](int64_t photo) { return added(photo); });
    if (told && stoppable == m_stoppable) return m_page.messages().setText(readingKey(), text);
    m_subject = m_photos.subjectId();
    show(text, stoppable);
}

void PhotoReading::show(const QString& text, bool stoppable) {
    m_stoppable = stoppable;
    Message message{MessageKind::Note, text, {}, readingKey()};
    if (stoppable) message.remedies.push_back({tr("Stop"), [this] { stop(); }});
    m_page.messages().show(message);
}

void PhotoReading::stop() {
    const core::Subject* subject = m_book.find(m_subject);
    if (subject == nullptr || m_subject != m_photos.subjectId()) return;
    const std::vector<int64_t> unseen = m_photos.unseen();
    core::Subject after = *subject;
    std::erase_if(after.photos, [this, &unseen](const core::Photo& photo) {
        return added(photo.id) && std::find(unseen.begin(), unseen.end(), photo.id) != unseen.end();
    });
    const auto taken = static_cast<int>(subject->photos.size() - after.photos.size());
    m_book.change(after, tr("stop adding photos"));
    m_inspector.dropWaiting();
    Q_EMIT m_page.toast(tr("Stopped. %n photo(s) were not added.", nullptr, taken));
}

} // namespace homebooth::app

import { listRecords } from '#server/features/content-store/content.queries.ts'
import { eventKind, newsKind } from '#server/features/content-store/kinds/news-and-events.kinds.ts'
import { committeeKind, leaderKind } from '#server/features/content-store/kinds/people.kinds.ts'
import { settingKind } from '#server/features/content-store/kinds/settings.kinds.ts'
import { sponsorKind } from '#server/features/content-store/kinds/support.kinds.ts'
import { announcementKind, pageKind } from '#server/features/content-store/kinds/text.kinds.ts'
import { changeRecord, storeRecord } from '#tests/support/content/stored-records.ts'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import type { World } from './site.ts'

const HOSTILE_ADDRESSES = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'javascript://example.org/%0Aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'vbscript:msgbox(1)',
]

/** Plants URLs as an older release without validation may have stored them, in every field that holds one. Returns how many. */
export async function storeAddresses({ database: { db } }: World): Promise<number> {
  let turn = 0
  const next = () => HOSTILE_ADDRESSES[turn++ % HOSTILE_ADDRESSES.length] ?? ''
  for (const { id, value } of await listRecords(db, eventKind))
    await storeRecord(db, eventKind, { ...value, detailsLink: next(), imageKey: next() }, id)
  for (const { id, value } of await listRecords(db, newsKind))
    await storeRecord(db, newsKind, { ...value, imageKey: next() }, id)
  await changeRecord(db, sponsorKind, ({ sponsors }) => ({
    sponsors: sponsors.map((sponsor) => ({ ...sponsor, website: next(), logo: next() })),
  }))
  for (const { id, value } of await listRecords(db, leaderKind)) {
    const members = value.members.map((member) => ({ ...member, portrait: next() }))
    await storeRecord(db, leaderKind, { ...value, members }, id)
  }
  await changeRecord(db, committeeKind, ({ committees, ...value }) => ({
    ...value,
    committees: committees.map((committee) => ({ ...committee, portrait: next() })),
  }))
  for (const { id, value } of await listRecords(db, pageKind)) {
    const link = { label: 'More', path: next() }
    const timeline = [{ year: '1987', title: 'First', text: 'Meeting.', picture: next() }]
    const cards = [{ title: 'Card', text: 'Text.', ...link, path: next() }]
    const action = { ...link, path: next() }
    await storeRecord(db, pageKind, { ...value, more: [link], timeline, cards, action }, id)
  }
  await changeRecord(db, announcementKind, (value) => ({ ...value, linkPath: next() }))
  await changeRecord(db, settingKind('association'), (value) => ({
    ...value,
    mapLink: next(),
    socialLinks: [{ label: 'Bad', url: next() }],
  }))
  await changeRecord(db, settingKind('clinic'), (value) => ({ ...value, mapLink: next() }))
  await incrementContentVersion(db)
  return turn
}

import { changeRecord, storeRecord } from '#tests/support/content/stored-records.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ContentRecord } from '#contract/console/content.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays, formatDay } from '#contract/dates/days.ts'
import { messages } from '#contract/messages.ts'
import { officerWith } from '#tests/support/officers.ts'
import { HOUR_MS } from '#tests/support/people.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { editableKinds } from '#server/features/content-store/content-kinds.registry.ts'
import { eventKind, newsKind } from '#server/features/content-store/kinds/news-and-events.kinds.ts'
import { listRecords } from '#server/features/content-store/content.queries.ts'
import { formatLocalTime } from '#server/lib/local-time.rules.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' }, samples: true })
let editor: TestBrowser
beforeAll(async () => {
  editor = await officerWith(app(), ['editor'])
})

const gala = {
  title: 'Moonlight in Macon',
  description: 'An evening.',
  date: 'December 12-14, 2026',
  time: '6:00 PM to 10:00 PM',
  location: 'Macon',
  imageKey: ['event-diwali'],
  body: 'Come **early**.',
}

async function save(path: string, body: Record<string, unknown>) {
  return editor.call('PUT', `/api/console/content/${path}`, { version: '', action: 'publish', ...body })
}

/** The document as a visitor gets it. */
async function shown(path: string): Promise<string | null> {
  await app().app.refreshContent()
  const document = app().app.findDocument(path)
  return document === null ? null : JSON.stringify(document)
}

/** Officers add these. */
const WITHOUT_SAMPLES = ['added-pages', 'redirects']

test('every kind of content can be read, saved and read back unchanged', async () => {
  const { kinds } = (await editor.get('/api/console/content')).body as { kinds: { kind: string }[] }
  expect(kinds.map(({ kind }) => kind)).toEqual(editableKinds.map(({ kind }) => kind))
  for (const { kind } of kinds) {
    const list = (await editor.get(`/api/console/content/${kind}`)).body
    expect([kind, list.total]).toEqual([kind, expect.any(Number)])
    if (WITHOUT_SAMPLES.includes(kind)) continue
    const [first] = list.records as { id: string }[]
    const before = (await editor.get(`/api/console/content/${kind}/${first?.id}`)).body as ContentRecord
    const saved = await save(`${kind}/${first?.id}`, { value: before.value, version: before.version })
    expect([kind, saved.status, saved.body.value]).toEqual([kind, 200, before.value])
    expect(saved.body.revisions.map(({ action }: { action: string }) => action)).toEqual(['published', 'found'])
    // The form of the menu also has the entries that the record leaves to the usual order.
    if (kind !== 'menu') expect(saved.body.revisions[0].differences).toEqual([])
  }
})

describe('an event', () => {
  test('is drafted, published, changed, deleted and restored; each step is a revision', async () => {
    const draft = await save('events/new', { value: gala, action: 'draft' })
    expect([draft.status, draft.body.id, draft.body.state]).toEqual([200, 'moonlight-in-macon', 'draft'])
    // The button of a new event leads to its own page.
    expect(draft.body.value.detailsLink).toBe('/events/moonlight-in-macon')
    expect(await shown('/events/moonlight-in-macon.ics')).toBeNull()

    const at = 'events/moonlight-in-macon'
    const { version } = draft.body as ContentRecord
    const published = (await save(at, { value: gala, version })).body as ContentRecord
    expect([published.state, published.path]).toEqual(['published', '/events/moonlight-in-macon'])
    expect(await shown('/events/moonlight-in-macon.ics')).toContain('20261212')

    const moved = { ...gala, location: 'Savannah', body: 'Come **early**.\n\nBring a shawl.' }
    const late = await save(at, { value: moved, version })
    expect([late.status, late.body.code]).toEqual([409, 'CHANGED_MEANWHILE'])
    const changed = (await save(at, { value: moved, version: published.version })).body as ContentRecord
    expect(changed.revisions[0]?.differences).toEqual([
      {
        field: 'Place',
        lines: [
          { change: 'removed', text: 'Macon' },
          { change: 'added', text: 'Savannah' },
        ],
      },
      {
        field: 'Description',
        lines: [
          { change: 'same', text: 'Come **early**.' },
          { change: 'added', text: '' },
          { change: 'added', text: 'Bring a shawl.' },
        ],
      },
    ])

    const removed = await editor.call('DELETE', `/api/console/content/${at}?version=${changed.version}`)
    expect([removed.status, removed.body.state]).toEqual([200, 'deleted'])
    expect(await shown('/events/moonlight-in-macon.ics')).toBeNull()
    const back = await editor.post(`/api/console/content/${at}/restore`, { number: 2, version: removed.body.version })
    expect([back.status, back.body.state, back.body.value.location]).toEqual([200, 'published', 'Macon'])
    expect(await shown('/events/moonlight-in-macon.ics')).toContain('20261212')
    expect(
      back.body.revisions.map(({ number, action }: { number: number; action: string }) => [number, action]),
    ).toEqual([
      [5, 'published'],
      [4, 'deleted'],
      [3, 'published'],
      [2, 'published'],
      [1, 'draft'],
    ])
    const secretary = await officerWith(app(), ['secretary'])
    const history = (await secretary.get('/api/console/audit?q=content.published')).body.entries
    expect(history[0]).toMatchObject({
      subject: '“Moonlight in Macon” (Events)',
      details: { before: { location: 'Macon' }, after: { location: 'Savannah' } },
    })
  })

  test('is rejected with a message for each field, also for malformed input', async () => {
    const { title: _title, ...untitled } = gala
    const refused = await save('events/new', {
      value: { ...untitled, time: 'six\u0000', location: ['a', { b: 1 }], detailsLink: 'javascript:alert(1)' },
    })
    expect([refused.status, refused.body.errors]).toMatchObject([400, { title: 'Please fill in “Title”' }])
    expect(Object.keys(refused.body.errors)).toContain('time')
    const link = await save('events/new', { value: { ...gala, detailsLink: 'javascript:alert(1)' } })
    expect(link.body.errors).toEqual({ detailsLink: messages.address.link })
    for (const path of ['events/no-such-event', 'nothing/new', 'pages/new'])
      expect([path, (await save(path, { value: gala })).status]).toEqual([path, 404])
  })

  test('an import by the webmaster causes a conflict', async () => {
    const made = (await save('events/new', { value: { ...gala, title: 'Clinic day' } })).body as ContentRecord
    const move = (value: object) => ({ ...value, location: 'Augusta' })
    await changeRecord(app().database.db, eventKind, move, 'clinic-day')
    const late = await save('events/clinic-day', { value: gala, version: made.version })
    expect(late.body.code).toBe('CHANGED_MEANWHILE')
  })

  test('of ten concurrent saves of the same version, one succeeds', async () => {
    const made = (await save('events/new', { value: { ...gala, title: 'Ten at once' } })).body as ContentRecord
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        save('events/ten-at-once', { value: { ...gala, location: `Place ${index}` }, version: made.version }),
      ),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
  })
})

test('a scheduled news item is published once, at its local time', async () => {
  const at = app().now() + 2 * HOUR_MS
  const value = {
    title: 'A new chapter',
    date: dayOf(at, app().config.timeZone),
    category: 'news',
    author: 'The board',
    excerpt: 'It begins.',
    imageKey: 'news-well',
    content: 'It *begins*.\n\n<script>alert(1)</script>',
  }
  const past = await save('news/new', { value, action: 'schedule', publishAt: '2020-01-01T08:00' })
  expect(past.body.errors).toEqual({ publishAt: 'This time is in the past. Choose a later one, or publish now' })
  const publishAt = formatLocalTime(at, app().config.timeZone)
  const scheduled = (await save('news/new', { value, action: 'schedule', publishAt })).body as ContentRecord
  expect([scheduled.state, scheduled.publishAt?.local]).toEqual(['scheduled', publishAt])
  await app().advance(HOUR_MS)
  await app().drain()
  expect(await shown('/news.rss')).not.toContain('A new chapter')
  await app().advance(HOUR_MS)
  await app().drain()
  await app().advance(60_000)
  await app().drain()
  expect(await shown('/news.rss')).toContain('A new chapter')
  const now = (await editor.get('/api/console/content/news/a-new-chapter')).body as ContentRecord
  expect(now.revisions.map(({ action }) => action)).toEqual(['published', 'scheduled'])
  const preview = await editor.post('/api/console/preview', { markdown: value.content })
  expect(preview.body.html).toBe('<p>It <em>begins</em>.</p>\n')
})

test('a scheduled record that cannot be published does not block others, and the job error names it', async () => {
  const at = app().now() + 2 * HOUR_MS
  const publishAt = formatLocalTime(at, app().config.timeZone)
  const value = {
    date: dayOf(at, app().config.timeZone),
    category: 'news',
    author: 'The board',
    excerpt: 'It begins.',
    imageKey: 'news-well',
    content: 'It begins.',
  }
  for (const title of ['First in line', 'Second in line', 'Third in line'])
    expect((await save('news/new', { value: { ...value, title }, action: 'schedule', publishAt })).status).toBe(200)
  const { db } = app().database
  const first = db.updateTable('contentRevision').where('recordId', '=', 'first-in-line')
  const { value: whole } = await db
    .selectFrom('contentRevision')
    .select('value')
    .where('recordId', '=', 'first-in-line')
    .executeTakeFirstOrThrow()
  await first.set({ value: JSON.stringify({ title: null }), publishAt: 1 }).execute()
  await app().advance(2 * HOUR_MS)
  await app().drain()
  const feed = await shown('/news.rss')
  expect(feed).not.toContain('First in line')
  expect([feed?.includes('Second in line'), feed?.includes('Third in line')]).toEqual([true, true])
  const job = () =>
    db.selectFrom('job').select('lastError').where('name', '=', 'publish-content').executeTakeFirstOrThrow()
  expect((await job()).lastError).toMatch(/^news\/first-in-line: /)
  await first.set({ value: whole }).execute()
  await app().advance(60_000)
  await app().drain()
  expect(await shown('/news.rss')).toContain('First in line')
  expect((await job()).lastError).toBeNull()
})

test('a new term of a body is a new record; a list keeps its order and the ids of its items', async () => {
  const value = {
    body: 'board-trustees',
    term: '2031-32',
    title: 'Board',
    lead: 'They keep.',
    members: [{ name: 'A' }],
  }
  expect((await save('leaders/new', { value })).body.id).toBe('board-trustees.2031-32')
  const twice = await save('leaders/new', { value })
  expect(twice.body.errors).toEqual({ term: 'This already exists. Open it from the list' })

  const before = (await editor.get('/api/console/content/sponsors/all')).body as ContentRecord
  const sponsors = before.value['sponsors'] as { id: string; name: string }[]
  const turned = [{ name: 'New & Sons', logo: 'mark' }, ...sponsors.toReversed(), {}]
  await save('sponsors/all', { value: { sponsors: turned }, version: before.version })
  await app().app.refreshContent()
  const { body } = await app().browser().get('/api/sponsors')
  const ids = JSON.stringify(body).match(/"id":"[^"]+"/g)
  expect(ids).toEqual(['new-sons', ...sponsors.map(({ id }) => id).toReversed()].map((id) => `"id":"${id}"`))
})

test('the server searches and paginates a long list', async () => {
  const { db } = app().database
  const [item] = await listRecords(db, newsKind)
  const first = dayOf(app().now(), app().config.timeZone)
  for (let index = 0; index < 120; index++) {
    const id = `many-${index}`
    const value = { ...item?.value, id, title: `One of many ${index}`, date: addDays(first, -index) }
    await storeRecord(db, newsKind, value, id)
  }
  const page = (await editor.get('/api/console/content/news?q=one+of+many&page=3')).body
  expect([page.total, page.pages, page.records.length]).toEqual([120, 3, 20])
  expect(page.records[0]).toMatchObject({ title: 'One of many 100', detail: formatDay(addDays(first, -100)) })
})

describe('an incomplete draft', () => {
  test('can be saved with only a title and completed later, but not published before', async () => {
    const value = { title: 'Half a thought', date: '2026-11-20', category: 'news' }
    const draft = await save('news/new', { value, action: 'draft' })
    expect([draft.status, draft.body.state, draft.body.value]).toEqual([
      200,
      'draft',
      { ...value, id: 'half-a-thought' },
    ])
    const { version } = draft.body as ContentRecord
    const early = await save('news/half-a-thought', { value, version })
    expect([early.status, Object.keys(early.body.errors).sort()]).toEqual([
      400,
      ['author', 'content', 'excerpt', 'imageKey'],
    ])
    const scheduled = { action: 'schedule', publishAt: formatLocalTime(app().now() + HOUR_MS, app().config.timeZone) }
    expect((await save('news/half-a-thought', { value, version, ...scheduled })).status).toBe(400)
    const more = { ...value, author: 'The editor', excerpt: 'So far.', content: 'Words.', imageKey: 'news-clinic' }
    const done = await save('news/half-a-thought', { value: more, version })
    expect([done.status, done.body.state]).toEqual([200, 'published'])
    const [, first] = done.body.revisions as { number: number }[]
    const asked = { number: first?.number, version: done.body.version }
    const back = await editor.post('/api/console/content/news/half-a-thought/restore', asked)
    expect([back.status, back.body.state]).toEqual([200, 'changed'])
  })

  test('must have a title and only valid values', async () => {
    const wrong = await save('news/new', { value: { title: 'X', date: 'soon', category: 'news' }, action: 'draft' })
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([400, ['date']])
    const untitled = await save('news/new', { value: { category: 'news' }, action: 'draft' })
    expect([untitled.status, Object.keys(untitled.body.errors)]).toEqual([400, ['title']])
  })

  test('of every kind can be saved, listed and opened, and the published value stays', async () => {
    for (const { kind, fields } of editableKinds.filter((one) => !WITHOUT_SAMPLES.includes(one.kind))) {
      const at = `/api/console/content/${kind}`
      const [first] = (await editor.get(at)).body.records as { id: string }[]
      const { value, version } = (await editor.get(`${at}/${first?.id}`)).body as ContentRecord
      const kept = fields.filter(({ isFixed, name }) => isFixed || name === 'title').map(({ name }) => name)
      const little = Object.fromEntries(kept.flatMap((name) => (name in value ? [[name, value[name]]] : [])))
      const draft = await save(`${kind}/${first?.id}`, { value: little, version, action: 'draft' })
      expect([kind, draft.status, draft.body.code]).toEqual([kind, 200, undefined])
      const listed = (await editor.get(at)).body.records as { id: string; title: string; state: string }[]
      const found = listed.find(({ id }) => id === first?.id)
      expect([kind, found?.title === '', found?.state]).toEqual([kind, false, 'changed'])
      expect([kind, (await editor.get(`${at}/${first?.id}`)).status]).toEqual([kind, 200])
    }
  })
})

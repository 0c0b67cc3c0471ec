import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContentRecord } from '#contract/console/content.ts'
import type { ContentImportReport, FoundContent, ImportItem } from '#contract/console/website/content-import.ts'
import { newOfficer, officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { queueImport } from './content-import-run.service.ts'
import { queueContentUndo } from './content-import-undo.service.ts'
import { createPictureFetcher } from './fetch-picture.service.ts'

const PNG = readFileSync(new URL('../../../../public/icon-192.png', import.meta.url))
const asked: string[] = []
const oldSite = createServer((request, response) => {
  asked.push(request.url ?? '')
  if (request.url === '/files/gala.png') response.end(PNG)
  else if (request.url === '/files/page.png') response.end('<script>alert(1)</script>')
  else response.writeHead(404).end()
})
const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
const fetchPicture = createPictureFetcher({ lookup, isPublic: () => true, isPort: () => true })
const app = useTestApp({ environment: { RATE_LIMITS: 'x100' }, fetchPicture })
let editor: TestBrowser
let site = ''

beforeAll(async () => {
  oldSite.listen(0, '127.0.0.1')
  await once(oldSite, 'listening')
  site = `http://old.example:${(oldSite.address() as AddressInfo).port}`
  editor = await officerWith(app(), ['editor'])
})
afterAll(() => {
  oldSite.closeAllConnections()
  oldSite.close()
})

const item = (path: string, more: Partial<ImportItem> = {}): ImportItem => ({
  kind: 'news',
  address: `${site}${path}`,
  otherPaths: [],
  title: 'Spring gala',
  slug: path.split('/').filter(Boolean).at(-1) ?? '',
  isPublished: true,
  date: '2019-05-04',
  author: 'Asha Rao',
  excerpt: '',
  text: 'We met at the river. It was warm.',
  picture: '',
  pictureAlt: '',
  time: '',
  location: '',
  notes: [],
  obstacle: '',
  ...more,
})

async function check(items: ImportItem[], more: Partial<FoundContent> = {}, by = editor) {
  const found = { source: 'wordpress', site, items, leftOut: [], ...more }
  const response = await fetch(`${app().url}/api/console/content-import-file?filename=old.xml`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by.token}`, 'content-type': 'application/octet-stream' },
    body: JSON.stringify(found),
  })
  return { status: response.status, body: (await response.json()) as ContentImportReport & { errors: object } }
}
const look = async (id: string, query = '') =>
  (await editor.get(`/api/console/content-imports/${id}${query}`)).body as ContentImportReport
async function run(items: ImportItem[], options = { takesDrafts: false, publishes: true }) {
  const { id } = (await check(items)).body
  const confirmed = await editor.post(`/api/console/content-imports/${id}/confirm`, options)
  expect(confirmed.status).toBe(200)
  await app().drain()
  return look(id)
}
async function undo(id: string) {
  expect((await editor.post(`/api/console/content-imports/${id}/undo`, {})).status).toBe(200)
  await app().drain()
  return look(id)
}
const record = async (path: string) => (await editor.get(`/api/console/content/${path}`)).body as ContentRecord
const lines = async (id: string) => {
  const lists = (await editor.get('/api/console/content/redirects')).body as {
    records: { id: string; title: string }[]
  }
  const found = await Promise.all(lists.records.map((list) => record(`redirects/${list.id}`)))
  return found.flatMap(({ value }) => value['lines'] as string[]).filter((line) => line.includes(id))
}

async function listedPictures(): Promise<string> {
  const { status, body } = await editor.get('/api/console/media?folder=home/articles')
  expect(status).toBe(200)
  return JSON.stringify(body)
}

describe('an export that is only checked', () => {
  test('has a verdict for each row, and changes nothing', async () => {
    const { status, body } = await check([
      item('/checked/'),
      item('/private/', { isPublished: false }),
      item('/checked/'),
      item('/long/', { text: 'x'.repeat(40_001) }),
      item('/empty/', { text: ' ' }),
      item('/form/', { obstacle: 'It is a form.', notes: ['x'] }),
    ])
    expect(status).toBe(201)
    expect(body.rows.map(({ verdict }) => verdict)).toEqual(['new', 'draft', 'known', 'wrong', 'wrong', 'wrong'])
    expect(body.rows.map(({ notes }) => notes.at(-1))).toEqual([
      'It has no picture and shows an illustration.',
      'It has no picture and shows an illustration.',
      'It was imported before.',
      'Its text is longer than 40,000 characters. Add it as several pages.',
      'It has no text.',
      'It is a form.',
    ])
    expect((await look(body.id, '?verdict=wrong')).rows).toHaveLength(3)
    expect((await editor.get('/api/console/content/news/checked')).status).toBe(404)
    expect((await editor.call('DELETE', `/api/console/content-imports/${body.id}`)).status).toBe(204)
    expect((await editor.get(`/api/console/content-imports/${body.id}`)).status).toBe(404)
  })

  test('is refused if it is no export, or from someone who may not change content', async () => {
    expect((await check([item('/x/', { kind: 'user' as 'news' })])).body.errors).toHaveProperty('file')
    expect((await check([])).body.errors).toHaveProperty('file')
    expect((await check([item('/x/')], {}, await officerWith(app(), ['treasurer']))).status).toBe(403)
  })
})

describe('an import', () => {
  let done: ContentImportReport

  test('publishes what was published, with pictures, links and redirects', async () => {
    const text = [
      `See [the programme](${site}/about/programme/?x=1#top), [the old page](${site}/about/programme) and [others](https://elsewhere.example/a).`,
      `![Dancers](${site}/files/gala.png)`,
      `![Bad](${site}/files/page.png) ![Gone](${site}/files/gone.png) ![Away](https://elsewhere.example/x.png)`,
      '<script>alert(1)</script> [bad](javascript:alert(1))',
    ].join('\n\n')
    done = await run([
      item('/2019/05/spring-gala/', { text, otherPaths: [`${site}/?p=12`], picture: `${site}/files/gala.png` }),
      item('/about/programme/', { kind: 'page', title: 'Programme', excerpt: 'What we do.' }),
      item('/not-yet/', { isPublished: false }),
    ])
    expect([done.state, done.progress, done.results]).toEqual([
      'done',
      { done: 2, total: 2 },
      { draft: 0, published: 2, failed: 0, removed: 0 },
    ])
    expect(done.pictures).toMatchObject({ found: 4, stored: 1 })
    expect(done.pictures.failed.map(({ reason }) => reason).toSorted()).toEqual([
      'It is on another website than the one of the export.',
      'The former website no longer has it.',
      expect.stringMatching(/not|file/),
    ])
    const { value, state, path } = await record('news/spring-gala')
    expect([state, path]).toEqual(['published', '/news/spring-gala'])
    expect(value).toMatchObject({ title: 'Spring gala', date: '2019-05-04', author: 'Asha Rao', category: 'news' })
    const picture = value['imageKey'] as string
    expect(picture).toMatch(/^\/media\/home\/articles\/gala-[0-9a-f]{8}\.png$/)
    expect(value['content']).toBe(
      [
        `See [the programme](/programme), [the old page](/programme) and [others](https://elsewhere.example/a).`,
        `![Dancers](${picture})`,
        '<script>alert(1)</script> [bad](javascript:alert(1))',
      ].join('\n\n'),
    )
    expect(asked.filter((url) => url === '/files/gala.png')).toHaveLength(1)
    expect((await record('added-pages/programme')).value).toMatchObject({ address: 'programme', menu: 'none' })
  })

  test('leads old addresses to the new pages', async () => {
    expect(await lines('spring-gala')).toEqual(['/2019/05/spring-gala /news/spring-gala', '/?p=12 /news/spring-gala'])
    expect(await lines('programme')).toEqual(['/about/programme /programme'])
    expect(done.redirects).toBe(3)
  })

  test('brings nothing twice, and its pictures neither', async () => {
    const again = await run([
      item('/2019/05/spring-gala/'),
      item('/another/', { title: 'Another', picture: `${site}/files/gala.png` }),
    ])
    expect(again.rows.map(({ verdict, result }) => [verdict, result])).toEqual([
      ['known', null],
      ['new', 'published'],
    ])
    expect(asked.filter((url) => url === '/files/gala.png')).toHaveLength(1)
    const { undo: plan } = again
    expect(plan).toMatchObject({ removes: 1, keeps: 0 })
    await undo(again.id)
    expect(await listedPictures()).toContain('gala-')
  })

  test('is undone except for what was changed since', async () => {
    const { value, version } = await record('added-pages/programme')
    await editor.call('PUT', '/api/console/content/added-pages/programme', {
      value: { ...value, title: 'Our programme' },
      version,
      action: 'draft',
    })
    expect((await look(done.id)).undo).toEqual({
      removes: 1,
      keeps: 1,
      kept: [{ title: 'Programme', path: '/console/content/added-pages/programme' }],
    })
    const undone = await undo(done.id)
    expect(undone.undoneAt).not.toBeNull()
    expect(undone.results).toMatchObject({ removed: 1, published: 1 })
    expect((await record('news/spring-gala')).state).toBe('deleted')
    expect(await lines('')).toEqual(['/about/programme /programme'])
    expect(await listedPictures()).not.toContain('gala-')
    // What an undo removed can be imported again.
    expect((await check([item('/2019/05/spring-gala/'), item('/about/programme/')])).body.counts).toMatchObject({
      new: 1,
      known: 1,
    })
  })

  test('adds only redirects that can be saved again, also with a comma, and none from an address that is a page now', async () => {
    const report = await run([
      item('/gala,-dinner/', { kind: 'page', title: 'Dinner', slug: 'dinner' }),
      item('/dinner/', { kind: 'page', title: 'Supper', slug: 'supper' }),
    ])
    expect(report.redirects).toBe(1)
    const lists = (await editor.get('/api/console/content/redirects')).body.records as { id: string }[]
    const found = await Promise.all(lists.map(({ id }) => record(`redirects/${id}`)))
    const list = found.find(({ value }) => String(value['lines']).includes('dinner'))
    if (!list) throw new Error('The import added a list.')
    const { value, version } = list
    expect(value['lines']).toEqual(['/gala%2C-dinner /dinner'])
    const saved = await editor.call('PUT', `/api/console/content/redirects/${list.id}`, {
      value,
      version,
      action: 'publish',
    })
    expect(saved.status).toBe(200)
  })

  test('an undo that its officer may not carry out any more can be begun by another officer', async () => {
    const { id } = await run([item('/gone/', { title: 'Gone' })])
    const { accountId } = await newOfficer(app(), ['editor'])
    const { db } = app().database
    // The outbox of the test runs after the request, so the role ends in between.
    const begunAt = app().now()
    await db.updateTable('officerTerm').set({ endsOn: '2000-01-01' }).where('accountId', '=', accountId).execute()
    await db
      .updateTable('contentImport')
      .set({ undoBegunAt: begunAt, undoneBy: accountId })
      .where('id', '=', id)
      .execute()
    await db.transaction().execute((tx) => queueContentUndo(tx, { importId: id, after: 0, begunAt }, begunAt))
    await app().drain()
    expect(await look(id)).toMatchObject({ undoneAt: null, results: { published: 1 } })
    expect((await undo(id)).results).toMatchObject({ removed: 1 })
  })

  test('saves everything as drafts unless the officer wants to publish, and drafts on request', async () => {
    const report = await run(
      [
        item('/quiet/', { title: 'Quiet' }),
        item('/hidden/', { title: 'Hidden', isPublished: false }),
        item('uid-1', {
          kind: 'event',
          address: 'uid-1@calendar',
          title: 'Picnic',
          date: 'May 4, 2030',
          time: '6:00 PM to 10:00 PM',
          location: 'Piedmont Park',
          text: '',
        }),
      ],
      { takesDrafts: true, publishes: false },
    )
    expect(report.rows.map(({ result, path }) => [result, path])).toEqual([
      ['draft', '/console/content/news/quiet'],
      ['draft', '/console/content/news/hidden'],
      ['draft', '/console/content/events/uid-1'],
    ])
    expect((await record('events/uid-1')).value).toMatchObject({
      date: 'May 4, 2030',
      location: 'Piedmont Park',
      detailsLink: '/events/uid-1',
    })
    expect((await undo(report.id)).results).toMatchObject({ removed: 3, draft: 0 })
  })

  test('stops when the role of the officer ends, and needs a recent second factor', async () => {
    const { browser, accountId } = await newOfficer(app(), ['editor'])
    const { id } = (await check([item('/late/', { title: 'Late' })])).body
    const stale = await browser.post(`/api/console/content-imports/${id}/confirm`, {
      takesDrafts: false,
      publishes: false,
    })
    expect(stale.status).toBe(403)
    await recordSecondFactor(app(), browser)
    const { db } = app().database
    const path = `/api/console/content-imports/${id}/confirm`
    const ending = db.updateTable('officerTerm').set({ endsOn: '2000-01-01' }).where('accountId', '=', accountId)
    // The outbox of the test runs after the request, so the role ends in between.
    await db
      .updateTable('contentImport')
      .set({ confirmedBy: accountId, state: 'running' })
      .where('id', '=', id)
      .execute()
    await db.updateTable('contentImportRow').set({ recordId: 'late' }).where('importId', '=', id).execute()
    await ending.execute()
    expect((await browser.post(path, { takesDrafts: false, publishes: false })).status).toBe(403)
    await db.transaction().execute((tx) => queueImport(tx, { importId: id, step: 'start' }, app().now()))
    await app().drain()
    const { state, results, rows } = await look(id)
    expect([state, results.failed, rows[0]?.notes.at(-1)]).toEqual(['done', 1, expect.stringMatching(/role/)])
    expect((await editor.get('/api/console/content/news/late')).status).toBe(404)
  })
})

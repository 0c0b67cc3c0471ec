import { beforeAll, describe, expect, test } from 'vitest'
import type { ContentRecord, ListedContent } from '#contract/console/content.ts'
import { USUAL_FOOTER, USUAL_MENU } from '#contract/menu.ts'
import { officerWith } from '#tests/support/officers.ts'
import { HOUR_MS } from '#tests/support/people.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { createContentCache } from './content-cache.service.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' }, samples: true })
const quiet = { debug() {}, info() {}, warn() {}, error() {} }
let editor: TestBrowser
let secretary: TestBrowser
beforeAll(async () => {
  editor = await officerWith(app(), ['editor'])
  secretary = await officerWith(app(), ['secretary'])
})

const volunteer = {
  title: 'Volunteer at the clinic',
  description: 'Two Saturdays a month.',
  markdown: 'Come as you are. See [the clinic](/clinic).',
  menu: 'About',
}

async function save(id: string, body: Record<string, unknown>, by = editor) {
  const request = { version: '', action: 'publish', ...body }
  const answer = await by.call('PUT', `/api/console/content/added-pages/${id}`, request)
  return { status: answer.status, body: answer.body, record: answer.body as ContentRecord }
}
const addresses = async () => [...(await content()).addedPages.keys()].toSorted()

/** What pages show now. */
async function content() {
  const { now, database } = app()
  const clock = { now, close() {} }
  const site = { timeZone: 'America/New_York', siteUrl: 'http://localhost' }
  const cache = await createContentCache({ db: database.db, clock, log: quiet, ...site, polling: false })
  return cache.content()
}

describe('an added page', () => {
  let record: ContentRecord

  test('is drafted without being complete, and is nowhere until it is published', async () => {
    const draft = await save('new', { value: { title: volunteer.title }, action: 'draft' })
    expect([draft.status, draft.record.id, draft.record.state]).toEqual([200, 'volunteer-at-the-clinic', 'draft'])
    expect(draft.record.value['address']).toBe('volunteer-at-the-clinic')
    expect(await addresses()).toEqual([])
    const refused = await save('volunteer-at-the-clinic', { value: draft.record.value, version: draft.record.version })
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['description', 'markdown', 'menu']])
    record = draft.record
  })

  test('is published at its address, in the menu and in the footer', async () => {
    const value = { ...volunteer, address: 'volunteer', isInFooter: true, menuLabel: 'Volunteer' }
    const saved = await save('volunteer-at-the-clinic', { value, version: record.version })
    expect([saved.status, saved.record.path]).toEqual([200, '/volunteer'])
    expect((await content()).paths.has('/volunteer')).toBe(true)
    expect((await content()).addedPages.get('volunteer')).toMatchObject({
      title: volunteer.title,
      html: expect.stringContaining('<a href="/clinic">'),
    })
    const link = { path: '/volunteer', label: 'Volunteer' }
    const { menu, footer } = await content()
    expect([menu.at(-1), footer.at(-1)]).toEqual([{ ...link, nav: 'About' }, link])
    expect([menu.length, footer.length]).toEqual([USUAL_MENU.length + 1, USUAL_FOOTER.length + 1])
    record = saved.record
  })

  test('moves with its address: the old one leads to the new one, also after several moves', async () => {
    for (const address of ['help-us', 'lend-a-hand']) {
      const value = { ...record.value, address }
      record = (await save('volunteer-at-the-clinic', { value, version: record.version })).record
    }
    expect(await addresses()).toEqual(['lend-a-hand'])
    expect([...(await content()).movedPaths]).toEqual([
      ['/volunteer', '/lend-a-hand'],
      ['/help-us', '/lend-a-hand'],
    ])
    const back = await save('volunteer-at-the-clinic', {
      value: { ...record.value, address: 'volunteer' },
      version: record.version,
    })
    expect([...(await content()).movedPaths].map(([from]) => from)).toEqual(['/help-us', '/lend-a-hand'])
    record = back.record
  })

  test.each([
    ['of the site', 'media', 'The site itself uses this address. Please choose another one'],
    ['with capitals', 'Volunteer', /lowercase letters/],
    ['with a slash', 'auth/login', /lowercase letters/],
  ])('cannot have an address %s', async (_, address, sentence) => {
    const refused = await save('new', { value: { ...volunteer, title: 'Other', address } })
    expect([refused.status, refused.body.errors.address]).toEqual([400, expect.stringMatching(sentence)])
  })

  test('cannot have the address of another one, also not of one that is scheduled', async () => {
    const refused = await save('new', { value: { ...volunteer, title: 'Other', address: 'volunteer' } })
    expect([refused.status, refused.body.errors.address]).toEqual([400, expect.stringMatching(/^Another page has/)])
    const publishAt = '2030-01-01T08:00'
    const later = await save('new', {
      value: { ...volunteer, title: 'Later', address: 'later' },
      action: 'schedule',
      publishAt,
    })
    expect(later.status).toBe(200)
    expect((await save('new', { value: { ...volunteer, title: 'Now', address: 'later' } })).status).toBe(400)
  })

  test('is ordered and hidden by the menu', async () => {
    for (const title of ['Ask us', 'Give']) await save('new', { value: { ...volunteer, title } })
    const about = async () => (await content()).menu.flatMap(({ nav, label }) => (nav === 'About' ? [label] : []))
    expect((await about()).slice(-4)).toEqual(['Scholarships and Awards', 'Ask us', 'Give', 'Volunteer'])
    const { version, fields, value: listed } = (await editor.get('/api/console/content/menu/all')).body as ContentRecord
    const options = fields[0]?.fields[0]?.options.map(({ label }) => label)
    expect(listed['pages']).toEqual(
      expect.arrayContaining([
        { page: '/about', label: 'Our Mission', footerLabel: 'About Us' },
        { page: '/students-residents', label: 'Medical Students Residents Forum' },
        { page: 'give' },
      ]),
    )
    expect(options).toEqual(expect.arrayContaining(['Our Mission', 'Ask us', 'Give', volunteer.title, 'Later']))
    const value = {
      pages: [
        { page: '/scholarships-awards', isHidden: true },
        { page: 'volunteer-at-the-clinic' },
        { page: '/faqs', label: 'Questions', footerLabel: 'Questions' },
        { page: 'ask-us', isHidden: true },
      ],
    }
    const saved = await editor.call('PUT', '/api/console/content/menu/all', { value, version, action: 'publish' })
    expect(saved.status).toBe(200)
    expect((await about()).slice(0, 4)).toEqual(['Our Mission', 'Volunteer', 'Questions', 'Executive Committee'])
    expect((await about()).slice(-2)).toEqual(['Students and Residents', 'Give'])
    expect((await content()).footer.map(({ label }) => label)).toEqual([
      ...USUAL_FOOTER.map(({ label }) => label),
      'Volunteer',
      'Questions',
    ])
    expect(await addresses()).toEqual(['ask-us', 'give', 'volunteer'])
  })

  test('is unpublished and stays as a draft, with its former addresses', async () => {
    const path = '/api/console/content/added-pages/volunteer-at-the-clinic'
    const { version } = (await editor.get(path)).body as ContentRecord
    const stale = await editor.post(`${path}/unpublish`, { version: 'none' })
    expect([stale.status, stale.body.code]).toEqual([409, 'CHANGED_MEANWHILE'])
    const taken = await editor.post(`${path}/unpublish`, { version })
    expect([taken.status, taken.body.state, taken.body.path]).toEqual([200, 'draft', null])
    expect(await addresses()).toEqual(['ask-us', 'give'])
    expect((await editor.post(`${path}/unpublish`, { version: taken.body.version })).status).toBe(404)
    const again = await save('volunteer-at-the-clinic', { value: taken.body.value, version: taken.body.version })
    expect([again.status, (await content()).movedPaths.get('/help-us')]).toEqual([200, '/volunteer'])
  })

  test('pages with a fixed address stay', async () => {
    const { version } = (await editor.get('/api/console/content/pages/about')).body as ContentRecord
    expect((await editor.post('/api/console/content/pages/about/unpublish', { version })).status).toBe(404)
  })
})

describe('a list of redirects', () => {
  const saveLines = (lines: string[], title = 'Former website', action = 'publish') =>
    editor.call('PUT', '/api/console/content/redirects/new', { value: { title, lines }, version: '', action })

  test('is refused with the number of the line, or kept as a draft', async () => {
    const refused = async (lines: string[]) => (await saveLines(lines)).body.errors.lines as string
    expect(await refused(['/old /clinic', '/other'])).toMatch(/^Line 2: Enter the old address/)
    expect(await refused(['/old /clinic', '/x /about', '/OLD/ /about'])).toBe(
      'Line 3 has the same old address as line 1.',
    )
    expect(await refused(['/old /older', '/older /about'])).toMatch(/^Line 1 leads to an old address of this list/)
    expect(await refused(Array.from({ length: 301 }, (_, index) => `/${index} /about`))).toMatch(/300 lines/)
    expect((await content()).redirects.size).toBe(0)
  })

  test('counts from when it is published', async () => {
    expect((await saveLines(['/old/ /clinic', '"/?p=12",/about'])).status).toBe(200)
    expect([...(await content()).redirects]).toEqual([
      ['/old', '/clinic'],
      ['/?p=12', '/about'],
    ])
  })
})

describe('a draft that saves itself', () => {
  test('is one revision while an officer goes on typing, and none is lost to a colleague', async () => {
    const first = await save('new', { value: { title: 'Notes' }, action: 'draft', isAutomatic: true })
    const second = await save('notes', {
      value: { ...first.record.value, description: 'Some' },
      version: first.record.version,
      action: 'draft',
      isAutomatic: true,
    })
    expect(second.record.revisions.map(({ action }) => action)).toEqual(['draft'])
    expect(second.record.version).not.toBe(first.record.version)
    const stale = await save(
      'notes',
      { value: first.record.value, version: first.record.version, action: 'draft', isAutomatic: true },
      secretary,
    )
    expect(stale.status).toBe(409)
    const colleague = await save(
      'notes',
      { value: second.record.value, version: second.record.version, action: 'draft', isAutomatic: true },
      secretary,
    )
    expect(colleague.record.revisions).toHaveLength(2)
    await app().advance(HOUR_MS)
    const later = await save(
      'notes',
      { value: second.record.value, version: colleague.record.version, action: 'draft', isAutomatic: true },
      secretary,
    )
    expect(later.record.revisions).toHaveLength(3)
  })

  test('a news item begins with the officer as its author', async () => {
    const { value } = (await editor.get('/api/console/content/news/new')).body as ContentRecord
    expect(value['author']).toBe('Meera Raghuvanshi')
  })
})

describe('the list of all content', () => {
  const list = async (query = '') =>
    (await editor.get(`/api/console/content-records${query}`)).body as {
      records: ListedContent[]
      total: number
      counts: Record<string, number>
    }

  test('has the newest change first, with state, day and officer; settings are elsewhere', async () => {
    const { records, counts } = await list()
    expect(records[0]).toMatchObject({ kind: 'added-pages', title: 'Notes', state: 'draft', path: null })
    expect(records[0]?.changedBy).toEqual(expect.any(String))
    expect(records.map(({ kind }) => kind).filter((kind) => kind.startsWith('settings-'))).toEqual([])
    expect(counts['draft']).toBeGreaterThan(0)
  })

  test('is searched, filtered and sorted', async () => {
    const { records } = await list('?q=vOLUNTEER&state=published')
    expect(records.map(({ title, path }) => [title, path])).toEqual([[volunteer.title, '/volunteer']])
    const { records: pages } = await list('?section=Pages&sort=title')
    expect(new Set(pages.map(({ section }) => section))).toEqual(new Set(['Pages']))
    expect(pages.map(({ title }) => title)).toEqual(
      pages.map(({ title }) => title).toSorted((a, b) => a.localeCompare(b)),
    )
  })
})

import { beforeAll, expect, test } from 'vitest'
import type { NewsletterDetail } from '#contract/console/newsletter.ts'
import { setSubscribers } from '#tests/support/newsletter.ts'
import { newOfficer, officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import { HOUR_MS } from '#tests/support/people.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const PATH = '/api/console/newsletters'
const READERS = '/api/console/subscribers'
let editor: TestBrowser
let editorEmail: string

beforeAll(async () => {
  const made = await newOfficer(app(), ['editor'])
  editor = made.browser
  editorEmail = made.email
})

const content = (markdown: string) => ({
  name: 'Spring',
  subject: 'News of spring',
  snippet: 'What is new.',
  blocks: [
    { kind: 'text', markdown },
    { kind: 'button', label: 'Join us', url: '/become-a-member' },
  ],
})

/** Creates a draft that is ready to send; the officer has a fresh second factor. */
async function compose(markdown = 'The **clinic** opens.'): Promise<NewsletterDetail> {
  await recordSecondFactor(app(), editor)
  const begun = (await editor.post(PATH, { name: 'Spring' })).body as NewsletterDetail
  return (await editor.call('PUT', `${PATH}/${begun.id}`, { ...content(markdown), version: begun.version })).body
}

/** Local time of the association in `hours`, as `YYYY-MM-DDTHH:MM`. */
function hoursFromNow(hours: number): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'short',
    timeZone: app().config.timeZone,
  })
  return format.format(app().now() + hours * HOUR_MS).replace(' ', 'T')
}

test('composes from blocks, previews in an unauthenticated frame and sends a test; a concurrent edit gets a conflict', async () => {
  const draft = await compose('Hello <script>alert(1)</script> *there*')
  expect(draft).toMatchObject({ state: 'draft', version: 2, subject: 'News of spring' })
  const stale = await editor.call('PUT', `${PATH}/${draft.id}`, { ...content('Mine'), version: 1 })
  expect(stale.body.code).toBe('CHANGED_MEANWHILE')
  const wrong = { ...content('x'), blocks: [{ kind: 'button', label: 'Go', url: 'javascript:alert(1)' }] }
  const refused = await editor.call('PUT', `${PATH}/${draft.id}`, { ...wrong, version: 2 })
  expect(refused.body.errors['blocks.0.url']).toMatch(/begins with https/)

  const preview = (await editor.get(`${PATH}/${draft.id}/preview`)).body as { path: string; text: string }
  expect(preview.text).toContain('Hello')
  const frame = await app().app.http.inject({ url: preview.path })
  expect(frame.statusCode).toBe(200)
  expect(frame.headers['content-security-policy']).toContain("script-src 'none'")
  expect(frame.headers['content-security-policy']).toContain("frame-ancestors 'self'")
  expect(frame.headers['cache-control']).toBe('no-store')
  expect(frame.body).not.toContain('<script')
  expect(frame.body).toMatch(/background:#e1831b[^>]*><a\nhref="[^"]*\/become-a-member"[^>]*>Join us<\/a>/)
  expect((await app().app.http.inject({ url: `${preview.path}x` })).statusCode).toBe(404)
  expect((await app().app.http.inject({ url: `/newsletter/view/${draft.id}` })).statusCode).toBe(404)

  await editor.post(`${PATH}/${draft.id}/test`, {})
  await app().drain()
  const subjects = app()
    .standins.mails(editorEmail)
    .map(({ subject }) => subject)
  expect(subjects.filter((subject) => subject === '[Test] News of spring')).toHaveLength(1)
  await app().advance(16 * 60_000)
  expect((await app().app.http.inject({ url: preview.path })).statusCode).toBe(404)
})

test('sending requires a fresh code, reaches each subscriber once, and fixes the content', async () => {
  const emails = await setSubscribers(app().database.db, 3)
  const draft = await compose()
  await app().advance(11 * 60_000)
  const send = (version: number) => editor.post(`${PATH}/${draft.id}/send`, { version, at: null })
  expect((await send(2)).body.code).toBe('SECOND_FACTOR_AGAIN')
  await recordSecondFactor(app(), editor)
  expect((await send(1)).body.code).toBe('CHANGED_MEANWHILE')
  const sent = await Promise.all([send(2), send(2), send(2)])
  expect(sent.filter(({ status }) => status === 200)).toHaveLength(1)
  await app().drain()
  for (const email of emails)
    expect(
      app()
        .standins.mails(email)
        .filter(({ subject }) => subject === 'News of spring'),
    ).toHaveLength(1)
  const detail = (await editor.get(`${PATH}/${draft.id}`)).body as NewsletterDetail
  expect(detail).toMatchObject({ state: 'finished', mailing: { recipients: 3, accepted: 3, waiting: 0 } })
  const late = await editor.call('PUT', `${PATH}/${draft.id}`, { ...content('Late'), version: detail.version })
  expect(late.body.code).toBe('NEWSLETTER_FIXED')
  const steered = await editor.call('PUT', `${PATH}/${draft.id}/mailing`, { wish: 'pause' })
  expect(steered.body.code).toBe('CHANGED_MEANWHILE')
})

test('a scheduled newsletter is started once when due, can be unscheduled, and shows why it was refused', async () => {
  const { db } = app().database
  await setSubscribers(db, 2)
  const [kept, taken] = [await compose(), await compose()]
  const schedule = (id: string, version: number, at: string) => editor.post(`${PATH}/${id}/send`, { version, at })
  expect((await schedule(kept.id, 2, hoursFromNow(-1))).body.errors.at).toMatch(/in the past/)
  expect((await schedule(kept.id, 2, '2030-02-31T10:00')).body.errors.at).toBe('Please choose when')
  expect((await schedule(kept.id, 2, hoursFromNow(2))).body).toMatchObject({ state: 'scheduled' })
  await schedule(taken.id, 2, hoursFromNow(2))
  const edited = await editor.call('PUT', `${PATH}/${kept.id}`, { ...content('Late'), version: 3 })
  expect(edited.body.code).toBe('NEWSLETTER_FIXED')
  const back = await editor.call('PUT', `${PATH}/${taken.id}/mailing`, { wish: 'unschedule' })
  expect(back.body).toMatchObject({ state: 'draft', scheduledFor: null })
  await app().advance(HOUR_MS)
  await app().app.jobs.runDue()
  expect((await editor.get(`${PATH}/${kept.id}`)).body.state).toBe('scheduled')
  await app().advance(HOUR_MS + 60_000)
  await Promise.all([app().app.jobs.runDue(), app().app.jobs.runDue()])
  const mailings = await db.selectFrom('mailing').select('recipients').where('campaignId', '=', kept.id).execute()
  expect(mailings).toEqual([{ recipients: 2 }])
  expect((await editor.get(`${PATH}/${taken.id}`)).body.state).toBe('draft')

  await setSubscribers(db, 0)
  await recordSecondFactor(app(), editor)
  await schedule(taken.id, 3, hoursFromNow(1))
  await app().advance(HOUR_MS + 60_000)
  await app().app.jobs.runDue()
  const refused = (await editor.get(`${PATH}/${taken.id}`)).body
  expect([refused.state, refused.refused]).toEqual(['draft', expect.stringMatching(/^There are no subscribers/)])
  // It is a draft again, so it can be edited.
  const saved = await editor.call('PUT', `${PATH}/${taken.id}`, { ...content('Once more.'), version: refused.version })
  expect([saved.status, saved.body.version]).toEqual([200, refused.version + 1])
})

test('lists subscribers with source and consent, invites but never adds them, and unsubscribes; who unsubscribed is not invited again', async () => {
  const { db } = app().database
  await setSubscribers(db, 60)
  await recordSecondFactor(app(), editor)
  const page = (await editor.get(`${READERS}?page=2&size=50`)).body
  expect([page.subscribers.length, page.counts.subscribed, page.total]).toEqual([10, 60, 60])
  const found = (await editor.get(`${READERS}?q=READER7@`)).body.subscribers as { id: string; source: string }[]
  expect(found).toMatchObject([{ email: 'reader7@example.com', source: 'test' }])

  const email = 'asked@example.com'
  expect((await editor.post(READERS, { email })).status).toBe(200)
  await app().drain()
  const asked = (await editor.get(`${READERS}?state=pending`)).body.subscribers
  expect(asked).toMatchObject([{ email, source: 'officer', confirmedAt: null }])
  expect(app().standins.mails(email)).toHaveLength(1)

  await editor.post(`${READERS}/${found[0]?.id}/off`, {})
  expect((await editor.get(`${READERS}?state=left`)).body.subscribers).toMatchObject([{ email: 'reader7@example.com' }])
  const again = await editor.post(READERS, { email: 'Reader7@Example.com' })
  expect([again.status, again.body.code]).toEqual([409, 'SUPPRESSED'])
  const viewer = await officerWith(app(), ['viewer'])
  expect((await viewer.get(READERS)).body.code).toBe('NOT_ALLOWED')
})

test('the list has tabs, and results of what was sent: delivered, and unsubscribed until the next newsletter', async () => {
  const emails = await setSubscribers(app().database.db, 3)
  const draft = await compose()
  const list = async (query: string) => (await editor.get(`${PATH}?${query}`)).body
  expect((await list('tab=drafts&q=spring')).newsletters.map(({ id }: { id: string }) => id)).toContain(draft.id)
  await editor.post(`${PATH}/${draft.id}/send`, { version: draft.version, at: null })
  await app().drain()
  const reader = (await editor.get(`${READERS}?q=${emails[0]}`)).body.subscribers[0]
  await app().advance(HOUR_MS)
  await editor.post(`${READERS}/${reader.id}/off`, {})
  const results = { recipients: 3, delivered: 3, bounced: 0, unsubscribed: 1 }
  const sent = (await list('tab=sent')).newsletters.find(({ id }: { id: string }) => id === draft.id)
  expect(sent).toMatchObject({ state: 'finished', results })
  const { body } = await editor.get(`${PATH}/${draft.id}`)
  expect(body).toMatchObject({ results, audience: { subscribed: 2, left: 1 } })

  await app().advance(HOUR_MS)
  const next = await compose()
  await editor.post(`${PATH}/${next.id}/send`, { version: next.version, at: null })
  await app().drain()
  const other = (await editor.get(`${READERS}?q=${emails[1]}`)).body.subscribers[0]
  await app().advance(HOUR_MS)
  await editor.post(`${READERS}/${other.id}/off`, {})
  const both = (await list('tab=sent')).newsletters as { id: string; results: { unsubscribed: number } | null }[]
  expect(both.find(({ id }) => id === draft.id)?.results?.unsubscribed).toBe(1)
  expect(both.find(({ id }) => id === next.id)?.results?.unsubscribed).toBe(1)
})

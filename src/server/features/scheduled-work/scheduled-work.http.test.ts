import { listRecords } from '#server/features/content-store/content.queries.ts'
import { newsKind } from '#server/features/content-store/kinds/news-and-events.kinds.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import type { ContentRecord } from '#contract/console/content.ts'
import type { NewsletterDetail } from '#contract/console/newsletter.ts'
import { disableMember } from '#server/features/member-admin/member-actions.service.ts'
import { formatLocalTime } from '#server/lib/local-time.rules.ts'
import { setSubscribers } from '#tests/support/newsletter.ts'
import { newOfficer, OFFICER_PASSWORD, recordSecondFactor } from '#tests/support/officers.ts'
import { HOUR_MS } from '#tests/support/people.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
let president: TestBrowser
let count = 0

beforeEach(async () => {
  president = (await newOfficer(app(), ['president'])).browser
  await recordSecondFactor(app(), president)
})

/** An editor with a news item and a newsletter scheduled in two hours. */
async function editorWithSchedules() {
  const editor = await newOfficer(app(), ['editor'])
  await recordSecondFactor(app(), editor.browser)
  const title = `Out of office ${++count}`
  const at = app().now() + 2 * HOUR_MS
  const { timeZone } = app().config
  const value = {
    title,
    date: dayOf(at, timeZone),
    category: 'news',
    author: 'The board',
    excerpt: 'It begins.',
    imageKey: 'news-well',
    content: 'It begins.',
  }
  const path = '/api/console/content/news/new'
  const asked = { value, version: 'new', action: 'schedule', publishAt: formatLocalTime(at, timeZone) }
  const saved = await editor.browser.call('PUT', path, asked)
  expect([saved.status, saved.body.state]).toEqual([200, 'scheduled'])

  await setSubscribers(app().database.db, 1)
  const begun = (await editor.browser.post('/api/console/newsletters', { name: title })).body as NewsletterDetail
  const content = { name: title, subject: title, snippet: 'New.', blocks: [{ kind: 'text', markdown: 'New.' }] }
  const campaign = (
    await editor.browser.call('PUT', `/api/console/newsletters/${begun.id}`, { ...content, version: begun.version })
  ).body as NewsletterDetail
  const sent = await editor.browser.post(`/api/console/newsletters/${campaign.id}/send`, {
    version: campaign.version,
    at: formatLocalTime(at, timeZone),
  })
  expect([sent.status, sent.body.state]).toEqual([200, 'scheduled'])
  return { ...editor, title, recordId: String(saved.body.id), campaignId: campaign.id }
}
type Editor = Awaited<ReturnType<typeof editorWithSchedules>>

const record = async ({ recordId }: Editor) =>
  (await president.get(`/api/console/content/news/${recordId}`)).body as ContentRecord
const campaign = async ({ campaignId }: Editor) =>
  (await president.get(`/api/console/newsletters/${campaignId}`)).body as NewsletterDetail

async function passTheHour(): Promise<void> {
  for (const ms of [2 * HOUR_MS, 60_000]) {
    await app().advance(ms)
    await app().drain()
  }
}

async function expectHeld(editor: Editor): Promise<void> {
  const { state, held } = await record(editor)
  expect([state, held]).toEqual(['draft', expect.stringMatching(/was held/)])
  const { state: campaignState, refused } = await campaign(editor)
  expect([campaignState, refused]).toEqual(['draft', expect.stringMatching(/was held/)])
}

async function expectNothingWentOut({ title, campaignId }: Editor): Promise<void> {
  const { db } = app().database
  const shown = (await listRecords(db, newsKind)).filter(({ value }) => value.title === title)
  const mailings = await db.selectFrom('mailing').select('campaignId').where('campaignId', '=', campaignId).execute()
  expect([shown, mailings]).toEqual([[], []])
}

describe('scheduled work is held once the role for it has ended', () => {
  test('role ended by an officer: shown to that officer and on Today', async () => {
    const editor = await editorWithSchedules()
    const { terms } = (await president.get('/api/console/officers')).body as {
      terms: { id: string; accountId: string }[]
    }
    const term = terms.find(({ accountId }) => accountId === editor.accountId)
    const { body } = await president.call('DELETE', `/api/console/officers/${term?.id}`)
    expect(body.held).toEqual([
      expect.objectContaining({ title: editor.title, path: `/console/content/news/${editor.recordId}` }),
      expect.objectContaining({ title: editor.title, path: `/console/newsletter/${editor.campaignId}` }),
    ])
    await expectHeld(editor)
    const { tasks } = (await president.get('/api/console/today')).body as { tasks: { key: string; count: number }[] }
    expect(tasks.find(({ key }) => key === 'held')?.count).toBeGreaterThanOrEqual(2)
    await passTheHour()
    await expectNothingWentOut(editor)
  })

  test('term over: the permission is checked again when the work is due', async () => {
    const editor = await editorWithSchedules()
    const yesterday = addDays(dayOf(app().now(), app().config.timeZone), -1)
    await app()
      .database.db.updateTable('officerTerm')
      .set({ endsOn: yesterday })
      .where('accountId', '=', editor.accountId)
      .execute()
    await passTheHour()
    await expectNothingWentOut(editor)
    await expectHeld(editor)
  })

  test('account disabled by the webmaster', async () => {
    const editor = await editorWithSchedules()
    await disableMember(app().database.db, { accountId: editor.accountId, actor: 'webmaster' }, app().now())
    await passTheHour()
    await expectNothingWentOut(editor)
    await expectHeld(editor)
  })

  test('account deleted by its owner', async () => {
    const editor = await editorWithSchedules()
    const answer = await editor.browser.call('DELETE', '/api/account', { password: OFFICER_PASSWORD })
    expect(answer.status).toBe(200)
    await expectHeld(editor)
    await passTheHour()
    await expectNothingWentOut(editor)
  })

  test('an officer who keeps another role with the permission keeps the schedules', async () => {
    const editor = await editorWithSchedules()
    const today = dayOf(app().now(), app().config.timeZone)
    const term = { email: editor.email, role: 'secretary', startsOn: today, endsOn: addDays(today, 9) }
    expect((await president.post('/api/console/officers', term)).status).toBe(201)
    const { terms } = (await president.get('/api/console/officers')).body as {
      terms: { id: string; accountId: string; role: string }[]
    }
    const former = terms.find(({ accountId, role }) => accountId === editor.accountId && role === 'editor')
    expect((await president.call('DELETE', `/api/console/officers/${former?.id}`)).body.held).toEqual([])
    await passTheHour()
    expect((await record(editor)).state).toBe('published')
    expect((await campaign(editor)).state).not.toBe('draft')
  })
})

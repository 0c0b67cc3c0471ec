import { beforeAll, describe, expect, test } from 'vitest'
import { BULK_EMAIL_DELAY_MS, type BulkRun } from '#contract/console/people/member-bulk.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { openMailbox } from '#tests/support/emails/mailbox.ts'
import { newOfficer, recordSecondFactor } from '#tests/support/officers.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { runBulk } from './bulk.effects.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
let secretary: TestBrowser
let secretaryId: string

beforeAll(async () => {
  const { browser, accountId } = await newOfficer(app(), ['secretary'])
  secretary = browser
  secretaryId = accountId
  await recordSecondFactor(app(), browser)
})

async function newMember(levelKey = 'medical_student'): Promise<{ id: string; email: string }> {
  const { email } = await app().browser().join({ levelKey })
  const { db } = app().database
  const { id } = await db.selectFrom('account').select('id').where('emailKey', '=', email).executeTakeFirstOrThrow()
  return { id, email }
}

const preview = async (action: string, ids: string[], details = {}) =>
  (await secretary.post('/api/console/member-actions/preview', { action, selection: { ids }, details })).body
const start = (action: string, ids: string[], { reached, ...details }: { reached: number; [key: string]: unknown }) =>
  secretary.post('/api/console/member-actions', { action, selection: { ids }, details, reached })

async function finish(run: BulkRun): Promise<BulkRun> {
  await app().drain()
  return (await secretary.get(`/api/console/member-actions/${run.id}`)).body as BulkRun
}

async function receives(email: string, subject: RegExp): Promise<boolean> {
  const emails = await openMailbox(app().standins.url).emailsTo(email)
  return emails.some((one) => subject.test(one.subject))
}

describe('an action on many members', () => {
  test('tells beforehand whom it reaches and whom it skips', async () => {
    const [student, life] = [await newMember(), await newMember('life_member')]
    const found = await preview('renewal-link', [student.id, life.id])
    expect(found).toMatchObject({ total: 2, reached: 1, skipped: [{ reason: 'member for life', count: 1 }] })
    const own = await preview('note', [secretaryId], { text: 'Hello' })
    expect(own).toMatchObject({ reached: 0, skipped: [{ reason: 'your own account' }] })
    const outdated = await start('note', [student.id, life.id], { reached: 1, text: 'Hello' })
    expect(outdated.body.code).toBe('CHANGED_MEANWHILE')
  })

  test('emails after a pause, in which it can be undone, and each member once a day', async () => {
    const [one, other] = [await newMember(), await newMember()]
    const first = (await start('renewal-link', [one.id], { reached: 1 })).body as BulkRun
    expect(await finish(first)).toMatchObject({ state: 'done', done: 1, undoUntil: expect.any(String) })
    expect((await preview('renewal-link', [one.id])).skipped).toMatchObject([{ reason: 'already emailed today' }])
    const undone = await secretary.post(`/api/console/member-actions/${first.id}/undo`, {})
    expect(undone.body).toMatchObject({ state: 'undone', done: 0 })
    const second = (await start('renewal-link', [one.id, other.id], { reached: 2 })).body as BulkRun
    await finish(second)
    await app().advance(BULK_EMAIL_DELAY_MS + 1_000)
    await app().drain()
    expect(await receives(one.email, /Your membership ends on/)).toBe(true)
    const late = await secretary.post(`/api/console/member-actions/${second.id}/undo`, {})
    expect(late.body.code).toBe('CHANGED_MEANWHILE')
  })

  test('adds a note to each, and takes all of them back', async () => {
    const members = [await newMember(), await newMember(), await newMember()]
    const ids = members.map(({ id }) => id)
    const run = await finish(
      (await start('note', ids, { reached: 3, text: 'Volunteered\nat the clinic' })).body as BulkRun,
    )
    expect(run).toMatchObject({ state: 'done', done: 3, total: 3, waiting: 0 })
    const notes = async () => (await secretary.get(`/api/console/members/${ids[1]}/timeline?show=notes`)).body.entries
    expect(await notes()).toMatchObject([{ note: { text: 'Volunteered\nat the clinic' } }])
    await secretary.post(`/api/console/member-actions/${run.id}/undo`, {})
    expect(await notes()).toEqual([])
  })

  test('grants a complimentary term to each, and says who was skipped', async () => {
    const [student, life] = [await newMember(), await newMember('life_member')]
    const term = { levelKey: 'annual_member', endsOn: '2099-06-30', reason: 'Speakers at the meeting' }
    expect((await start('complimentary', [student.id], { reached: 1, ...term, endsOn: '2001-01-01' })).status).toBe(400)
    const run = await finish(
      (await start('complimentary', [student.id, life.id], { reached: 1, ...term })).body as BulkRun,
    )
    expect(run).toMatchObject({ done: 1, skipped: [{ reason: 'member for life' }], undoUntil: null })
    const { body } = await secretary.get(`/api/console/members/${student.id}`)
    expect(body).toMatchObject({ complimentary: 'Speakers at the meeting', state: 'ACTIVE' })
  })

  test('stops when the role of the officer has ended, and is seen by that officer only', async () => {
    const { browser, accountId } = await newOfficer(app(), ['secretary'])
    await recordSecondFactor(app(), browser)
    const { id } = await newMember()
    const { db } = app().database
    const selection = { ids: [id] }
    const body = { action: 'note', selection, details: { text: 'Not by a former officer' }, reached: 1 }
    const run = (await browser.post('/api/console/member-actions', body)).body as BulkRun
    expect((await secretary.get(`/api/console/member-actions/${run.id}`)).status).toBe(404)
    await db.updateTable('officerTerm').set({ endedAt: app().now() }).where('accountId', '=', accountId).execute()
    await db.updateTable('bulkRun').set({ state: 'running' }).where('id', '=', run.id).execute()
    await db.updateTable('bulkItem').set({ state: 'waiting' }).where('runId', '=', run.id).execute()
    await addToOutbox(db, { effect: runBulk, payload: { runId: run.id, step: 9 } }, app().now())
    await app().drain()
    const item = await db.selectFrom('bulkItem').selectAll().where('runId', '=', run.id).executeTakeFirst()
    expect(item).toMatchObject({ state: 'skipped', reason: expect.stringContaining('role') })
  })
})

import { beforeAll, describe, expect, test } from 'vitest'
import type { MessageDetail } from '#contract/console/messages.ts'
import { newId } from '#server/lib/ids.ts'
import { newOfficer, officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import { HOUR_MS } from '#tests/support/people.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { createHousekeepingJob } from '#server/composition/housekeeping.ts'
import { saveMessage } from './contact-message.commands.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const INBOX = '/api/console/messages'
const TEMPLATES = '/api/console/message-templates'
let secretary: TestBrowser

beforeAll(async () => {
  secretary = await officerWith(app(), ['secretary'])
})

async function receive(over: Partial<{ name: string; email: string; subject: string; message: string }> = {}) {
  const id = newId(app().now())
  const fields = {
    name: 'A Visitor',
    email: `${id}@example.com`,
    subject: 'A question',
    message: 'When is the clinic?',
  }
  await saveMessage(app().database.db, { ...fields, ...over, id, receivedAt: app().now() })
  return { id, email: over.email ?? fields.email }
}

async function read(id: string): Promise<MessageDetail> {
  return (await secretary.get(`${INBOX}/${id}`)).body as MessageDetail
}

async function idsOf(query: string): Promise<string[]> {
  const { messages } = (await secretary.get(`${INBOX}?${query}`)).body as { messages: { id: string }[] }
  return messages.map(({ id }) => id)
}

describe('the inbox', () => {
  test('lists messages by due date, finds any part of the text, and shows when an answer is due', async () => {
    const first = await receive({ subject: 'Parking' })
    await app().advance(HOUR_MS)
    const second = await receive({ message: 'About 100% of a _sponsorship_ question' })
    expect((await idsOf('state=open')).slice(-2)).toEqual([first.id, second.id])
    expect(await idsOf('q=100%25%20OF')).toEqual([second.id])
    expect(await idsOf('q=%25of_a')).toEqual([])
    const { receivedAt, dueAt } = await read(first.id)
    expect(Date.parse(dueAt) - Date.parse(receivedAt)).toBe(48 * HOUR_MS)
    expect((await secretary.get(`${INBOX}/${newId(app().now())}`)).body.code).toBe('NOT_FOUND')
  })

  test('an answer is stored, emailed with the original message, replied to at the association, and audited without its text', async () => {
    const { id, email } = await receive({ subject: 'Re: RE: Clinic', message: 'First <b>line</b>\nSecond line' })
    const before = await read(id)
    const text = 'It is on Sunday.\n\nBcc: everyone@example.com\nPlease come <early>.'
    const answered = await secretary.post(`${INBOX}/${id}/answers`, { text, version: before.version })
    expect(answered.status).toBe(201)
    expect(answered.body).toMatchObject({ state: 'answered', answers: [{ text, mailedAt: null }] })
    await app().drain()
    const [message, ...others] = app().standins.mails(email)
    expect(others).toEqual([])
    expect(message?.subject).toBe('Re: Clinic')
    expect(message?.headers['reply-to']).toContain('office@example.org')
    expect(message?.text).toContain('It is on Sunday.')
    expect(message?.text).toContain('> First <b>line</b>\n> Second line')
    expect(message?.html).toContain('Please come &lt;early&gt;.')
    expect(message?.html).not.toContain('<b>line</b>')
    expect(app().standins.mails('everyone@example.com')).toEqual([])
    expect((await read(id)).answers[0]?.mailedAt).not.toBeNull()
    const { entries } = (await secretary.get(`/api/console/audit?q=${id}`)).body as { entries: unknown[] }
    expect(entries).toMatchObject([
      { action: 'message.answered', details: { before: { state: 'open' }, after: { state: 'answered' } } },
    ])
    expect(JSON.stringify(entries)).not.toMatch(/Sunday|Second line/)
  })

  test('two officers answer concurrently: one email is sent, the other gets a conflict', async () => {
    const { id, email } = await receive()
    const { version } = await read(id)
    const answers = await Promise.all(
      ['One answer.', 'Another answer.'].map((text) => secretary.post(`${INBOX}/${id}/answers`, { text, version })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    await app().drain()
    expect(app().standins.mails(email)).toHaveLength(1)
    const late = await secretary.call('PUT', `${INBOX}/${id}/state`, { state: 'spam', version })
    expect(late.body.code).toBe('CHANGED_MEANWHILE')
  })

  test('has notes for officers, an excerpt in the list, and lists of one’s own and of no one’s', async () => {
    const { id, email } = await receive({ subject: 'Noted', message: 'A long\n\nquestion.' })
    const noted = await secretary.post(`${INBOX}/${id}/notes`, { text: 'Two tables are free.' })
    expect(noted.status).toBe(201)
    expect(noted.body.notes).toMatchObject([{ text: 'Two tables are free.' }])
    await app().drain()
    expect(app().standins.mails(email)).toEqual([])
    const { messages } = (await secretary.get(`${INBOX}?q=Noted`)).body
    expect(messages).toMatchObject([{ id, excerpt: 'A long question.' }])
    expect(await idsOf('state=open&assignee=none&q=Noted')).toEqual([id])
    expect(await idsOf('state=open&assignee=me&q=Noted')).toEqual([])
    const { browser: other, accountId } = await newOfficer(app(), ['secretary'])
    await recordSecondFactor(app(), other)
    const { version } = await read(id)
    await secretary.call('PUT', `${INBOX}/${id}/assignee`, { accountId, version })
    const { messages: mine, counts } = (await other.get(`${INBOX}?assignee=me`)).body
    expect([mine.length, mine[0].id, counts.mine]).toEqual([1, id, 1])
    expect(await idsOf('state=open&assignee=me&q=Noted')).toEqual([])
    expect((await secretary.post(`${INBOX}/no-such-message/notes`, { text: 'Hm.' })).status).toBe(404)
  })

  test('can be assigned only to officers who may answer today', async () => {
    const { id } = await receive()
    const { browser: editor, accountId: editorId } = await newOfficer(app(), ['editor'])
    await recordSecondFactor(app(), editor)
    expect((await editor.get(INBOX)).body.code).toBe('NOT_ALLOWED')
    const { officers, version } = await read(id)
    expect(officers.map(({ accountId }) => accountId)).not.toContain(editorId)
    const path = `${INBOX}/${id}/assignee`
    const refused = await secretary.call('PUT', path, { accountId: editorId, version })
    expect(refused.body.errors).toEqual({ accountId: 'This person may not answer messages.' })
    const given = await secretary.call('PUT', path, { accountId: officers[0]?.accountId, version })
    expect(given.body).toMatchObject({ assignee: officers[0], version: version + 1 })
    expect((await secretary.call('PUT', path, { accountId: null, version: version + 1 })).body.assignee).toBeNull()
  })

  test('moves between the lists; spam is never answered and has no due date', async () => {
    const { id, email } = await receive()
    const waiting = async () => {
      const { tasks } = (await secretary.get('/api/console/today')).body as { tasks: { key: string; count: number }[] }
      return tasks.find(({ key }) => key === 'messages')?.count ?? 0
    }
    const move = async (state: string) =>
      secretary.call('PUT', `${INBOX}/${id}/state`, { state, version: (await read(id)).version })
    const open = await waiting()
    expect((await move('spam')).body.state).toBe('spam')
    expect(await waiting()).toBe(open - 1)
    expect(await idsOf('state=spam')).toContain(id)
    const { version } = await read(id)
    const answer = await secretary.post(`${INBOX}/${id}/answers`, { text: 'Dear sender', version })
    expect([answer.status, answer.body.code]).toEqual([409, 'MESSAGE_IS_SPAM'])
    expect((await move('open')).body.state).toBe('open')
    expect((await move('answered')).body).toMatchObject({ state: 'answered', answers: [] })
    await move('spam')
    await app().drain()
    expect(app().standins.mails(email)).toEqual([])
  })

  test('ten thousand messages answer a page within 100 ms', async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => ({
      id: `many-${index}`,
      name: `Visitor ${index}`,
      email: `many${index}@example.com`,
      subject: 'A question',
      message: 'When is the next clinic day? '.repeat(5),
      receivedAt: app().now() - index * 60_000,
      answeredAt: app().now(),
      assignedTo: null,
      spamAt: null,
      version: 1,
    }))
    const { db } = app().database
    for (let from = 0; from < rows.length; from += 500) {
      await db
        .insertInto('contactMessage')
        .values(rows.slice(from, from + 500))
        .execute()
    }
    const times: number[] = []
    for (let turn = 0; turn < 5; turn++) {
      const begun = performance.now()
      const { messages, hasMore } = (await secretary.get(`${INBOX}?state=answered&page=3`)).body
      times.push(performance.now() - begun)
      expect([messages.length, hasMore]).toEqual([50, true])
    }
    expect(Math.min(...times)).toBeLessThan(100)
    await db.deleteFrom('contactMessage').where('id', 'like', 'many-%').execute()
  })
})

test('templates are added, changed and removed; of two concurrent changes, the second is rejected', async () => {
  const added = await secretary.post(TEMPLATES, { name: 'Parking', text: 'Please use\nthe garage.' })
  expect(added.status).toBe(201)
  const template = added.body.templates[0] as { id: string; version: number }
  const path = `${TEMPLATES}/${template.id}`
  const change = (text: string) => secretary.call('PUT', path, { name: 'Parking', text, version: template.version })
  expect((await change('The garage is closed.')).body.templates[0].text).toBe('The garage is closed.')
  expect((await change('Walk.')).body.code).toBe('CHANGED_MEANWHILE')
  expect((await secretary.call('DELETE', path)).body).toEqual({ templates: [] })
  expect((await secretary.call('DELETE', path)).status).toBe(404)
  expect((await secretary.post(TEMPLATES, { name: '', text: '' })).body.errors).toEqual({
    name: 'Please give it a name',
    text: 'Please write an answer',
  })
})

test('spam is deleted after 30 days, answered messages with their answers after a year', async () => {
  const { db } = app().database
  const [spam, answered] = [await receive(), await receive()]
  await secretary.call('PUT', `${INBOX}/${spam.id}/state`, { state: 'spam', version: 1 })
  await secretary.post(`${INBOX}/${answered.id}/answers`, { text: 'Kept with its question.', version: 1 })
  const left = async (days: number) => {
    const now = app().now() + days * 24 * HOUR_MS
    await createHousekeepingJob(db, { now: () => now, close() {} }).run()
    const rows = await db.selectFrom('contactMessage').select('id').where('id', 'in', [spam.id, answered.id]).execute()
    const answers = await db.selectFrom('messageAnswer').select('id').where('messageId', '=', answered.id).execute()
    return [rows.map(({ id }) => id).sort(), answers.length]
  }
  expect(await left(29)).toEqual([[spam.id, answered.id].sort(), 1])
  expect(await left(31)).toEqual([[answered.id], 1])
  expect(await left(366)).toEqual([[], 0])
})

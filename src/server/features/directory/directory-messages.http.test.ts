import { expect, test } from 'vitest'
import { openMailbox } from '#tests/support/emails/mailbox.ts'
import { joinForDirectory } from '#tests/support/content/directory.ts'
import { deactivate } from '#tests/support/people.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const TEXT = { subject: 'Echo course', text: 'Shall we go together?' }

async function pair() {
  const [sender, recipient] = [await joinForDirectory(app()), await joinForDirectory(app())]
  const { entryId } = await recipient.choose()
  const path = `/api/directory/${entryId}/message`
  const send = (more: object = {}) => sender.browser.post(path, { ...TEXT, ...more })
  const emails = async () => {
    await app().drain()
    const all = await openMailbox(app().standins.url).emailsTo(recipient.email)
    return all.filter(({ subject }) => subject.includes(TEXT.subject))
  }
  return { sender, recipient, send, emails, entryId }
}

test('a message arrives with the sender’s address to reply to, and no response ever holds the recipient’s', async () => {
  const { sender, recipient, send, emails, entryId } = await pair()
  const sent = await send()
  expect(sent.status).toBe(204)
  const [email] = await emails()
  expect(email?.headers['reply-to']).toContain(sender.email)
  expect(email?.text).toContain(TEXT.text)
  const shown = await sender.browser.get(`/api/directory/${entryId}`)
  for (const { body } of [sent, shown, await sender.browser.get('/api/account/data')])
    expect(JSON.stringify(body ?? '')).not.toContain(recipient.email)
})

test('without consent the sender’s address is not in the email', async () => {
  const { sender, send, emails } = await pair()
  expect((await send({ showsAddress: false })).status).toBe(204)
  const [email] = await emails()
  expect(JSON.stringify(email)).not.toContain(sender.email)
})

test('the eleventh message in an hour is refused', async () => {
  const { send } = await pair()
  for (let time = 0; time < 10; time++) expect((await send()).status).toBe(204)
  const { status, body } = await send()
  expect([status, body.code]).toEqual([429, 'RATE_LIMITED'])
})

test('no message to oneself, to who switched messages off, or to who is not listed', async () => {
  const { recipient, send, entryId } = await pair()
  expect((await recipient.browser.post(`/api/directory/${entryId}/message`, TEXT)).body.code).toBe('MESSAGES_OFF')
  await recipient.choose({ takesMessages: false })
  expect((await send()).body.code).toBe('MESSAGES_OFF')
  await recipient.choose({ inMembers: false })
  expect((await send()).status).toBe(404)
})

test.each(['sender disabled', 'recipient left'] as const)('a message that waits is not sent: %s', async (why) => {
  const { sender, recipient, send, emails } = await pair()
  await app().standins.control({ mail: 'temporary', times: 1 })
  expect((await send()).status).toBe(204)
  await app().drain()
  if (why === 'sender disabled') await deactivate(app(), sender.email, 'officer')
  else await recipient.choose({ inMembers: false })
  await app().advance(3_600_000)
  expect(await emails()).toEqual([])
})

test('only the recipient reports a message, once', async () => {
  const { sender, recipient, send } = await pair()
  await send()
  const { db } = app().database
  const { id } = await db
    .selectFrom('directoryMessage')
    .select('id')
    .where('toAccountId', '=', recipient.id)
    .executeTakeFirstOrThrow()
  expect((await sender.browser.post(`/api/directory-messages/${id}/report`)).status).toBe(404)
  for (let time = 0; time < 2; time++)
    expect((await recipient.browser.post(`/api/directory-messages/${id}/report`)).status).toBe(204)
  await app().drain()
  const reports = await openMailbox(app().standins.url).emailsTo(app().config.officersEmail)
  expect(reports.filter(({ subject, text }) => /reported/.test(subject) && text.includes(TEXT.text))).toHaveLength(1)
  const { directoryMessages } = (await recipient.browser.get('/api/account/data')).body
  expect(directoryMessages).toMatchObject([{ direction: 'received', ...TEXT }])
})

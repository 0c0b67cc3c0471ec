import { expect, test } from 'vitest'
import { z } from 'zod'
import { PermanentFailure } from '#server/jobs/outbox-worker.ts'
import { defineEmail } from './define-email.ts'
import { emailEffects } from './email-effects.ts'
import type { OutgoingEmail } from './email.ts'

const effect = { id: 'one', kind: 'email.test', payload: {}, priority: 1 as const, attempts: 1, createdAt: 0 }
const message = { to: 'ana@example.org', subject: '', html: '', text: '' }

function handlerOf(email: OutgoingEmail | null, send: () => Promise<string>, isAllowed = true) {
  const definition = defineEmail({
    kind: 'email.test',
    name: 'Test',
    payload: z.object({ accountId: z.string() }),
    subject: 'accountId',
    priority: 'personal',
    samples: () => ({}),
    compose: async (_payload, _tools: object) => email,
  })
  const options = { mailer: { send }, mayEmail: async () => isAllowed, findWording: async () => [], pausesMs: [1, 1] }
  const handler = emailEffects([definition], {}, options)['email.test']
  if (!handler) throw new Error('The email has no handler.')
  return (payload: unknown = { accountId: 'a' }) => handler(payload, effect)
}

const mustNotSend = async () => {
  throw new Error('The email must not be sent.')
}

test('an accepted email is not sent again if recording that fails at first', async () => {
  let sent = 0
  const noted: string[] = []
  let tries = 0
  const email = {
    ...message,
    async onSent(messageId: string) {
      if (++tries < 3) throw new Error('Connection terminated unexpectedly')
      noted.push(messageId)
    },
  }
  const send = async () => `<${++sent}@example.org>`
  await handlerOf(email, send)()
  expect(sent).toBe(1)
  expect(noted).toEqual(['<1@example.org>'])
})

test('an email that is no longer needed, or whose account has ended, is not sent', async () => {
  await handlerOf(null, mustNotSend)()
  await handlerOf(message, mustNotSend, false)()
})

test('a payload of another shape is given up, without its values', async () => {
  const sending = handlerOf(message, mustNotSend)({ accountId: 7, email: 'ana@example.org' })
  await expect(sending).rejects.toThrow(new PermanentFailure('payload of email.test is invalid: accountId'))
})

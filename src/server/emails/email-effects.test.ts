import { expect, test } from 'vitest'
import { emailEffects } from './email-effects.ts'

const effect = { id: 'one', kind: 'email.test', payload: {}, priority: 1 as const, attempts: 1, createdAt: 0 }

test('an accepted email is not sent again if recording that fails at first', async () => {
  const sent: string[] = []
  const noted: string[] = []
  let tries = 0
  const compose = async () => ({
    to: 'ana@example.org',
    subject: '',
    html: '',
    text: '',
    async onSent(messageId: string) {
      if (++tries < 3) throw new Error('Connection terminated unexpectedly')
      noted.push(messageId)
    },
  })
  const send = async (_email: unknown, id: string) => {
    sent.push(id)
    return `<${id}@example.org>`
  }
  await emailEffects({ 'email.test': compose }, { send }, [1, 1])['email.test']?.({}, effect)
  expect(sent).toEqual(['one'])
  expect(noted).toEqual(['<one@example.org>'])
})

test('an email that is no longer needed is not sent', async () => {
  const send = async () => {
    throw new Error('The email must not be sent.')
  }
  await emailEffects({ 'email.test': async () => null }, { send })['email.test']?.({}, effect)
})

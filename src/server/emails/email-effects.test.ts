import { expect, test } from 'vitest'
import { letterEffects } from './letter-effects.ts'

const effect = { id: 'one', kind: 'letter.test', payload: {}, priority: 1 as const, attempts: 1, createdAt: 0 }

test('a letter the mail server took is not sent again because that could not be written down at once', async () => {
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
  const send = async (_letter: unknown, id: string) => {
    sent.push(id)
    return `<${id}@example.org>`
  }
  await letterEffects({ 'letter.test': compose }, { send }, [1, 1])['letter.test']?.({}, effect)
  expect(sent).toEqual(['one'])
  expect(noted).toEqual(['<one@example.org>'])
})

test('one that has nothing to say any more is not sent', async () => {
  const send = async () => {
    throw new Error('nobody asked for this')
  }
  await letterEffects({ 'letter.test': async () => null }, { send })['letter.test']?.({}, effect)
})

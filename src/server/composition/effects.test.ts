import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { EmailPurpose } from '#server/emails/define-email.ts'
import { laneOf, PRIORITIES } from '#server/jobs/effect-priorities.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import type { Db } from '#server/db/database.ts'
import { EFFECTS, EMAILS } from './effects.ts'

const ALL = [...EMAILS, ...EFFECTS]
const find = (kind: string) => {
  const found = ALL.find((effect) => effect.kind === kind)
  if (!found) throw new Error(`${kind} is not registered.`)
  return found
}

test('a kind and a name belong to one effect', () => {
  expect(new Set(ALL.map(({ kind }) => kind)).size).toBe(ALL.length)
  expect(new Set(EMAILS.map(({ name }) => name)).size).toBe(EMAILS.length)
})

test('every defined effect is registered and queued', () => {
  const files = globSync('src/server/**/*.ts').filter((file) => !file.endsWith('.test.ts'))
  const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
  const list = texts.get('src/server/composition/effects.ts') ?? ''
  const defined = [...texts].flatMap(([file, text]) =>
    [...text.matchAll(/^export const (\w+) = (?:defineEmail|defineEffect|\{\n.*defineEffect)\(/gm)].map(
      ([, name = '']) => ({ file, name }),
    ),
  )
  expect(defined.length).toBeGreaterThanOrEqual(EMAILS.length)
  for (const { file, name } of defined) {
    const word = new RegExp(`\\b${name}\\b`)
    expect(list, `${name} of ${file} is not in composition/effects.ts`).toMatch(word)
    const queued = [...texts].filter(
      ([other, text]) =>
        other !== file &&
        !other.startsWith('src/server/composition/') &&
        text.includes('addToOutbox') &&
        word.test(text),
    )
    expect(queued, `nothing queues ${name} of ${file}`).not.toEqual([])
  }
})

test.each<[string, keyof typeof PRIORITIES, object]>([
  ['email.password_reset', 'security', {}],
  ['auth.forgot_password', 'security', {}],
  ['email.receipt', 'personal', {}],
  ['email.rsvp', 'personal', { about: 'promoted' }],
  ['email.rsvp', 'reminder', { about: 'reminder' }],
  ['email.membership_reminder', 'reminder', {}],
  ['email.invitation', 'bulk', {}],
  ['members.import', 'bulk', {}],
])('%s is %s with %j', (kind, priority, payload) => {
  expect(find(kind).priority(payload as never)).toBe(PRIORITIES[priority])
})

test.each<[string, EmailPurpose, object]>([
  ['email.account_deleted', 'update', {}],
  ['email.receipt', 'update', {}],
  ['email.refund', 'update', {}],
  ['email.membership_reminder', 'reminder', {}],
  ['email.credentials_question', 'reminder', {}],
  ['email.invitation', 'reminder', {}],
  ['email.rsvp', 'reminder', { about: 'reminder' }],
  ['email.rsvp', 'update', { about: 'called-off' }],
  ['email.rsvp', 'update', { about: 'promoted' }],
  ['email.rsvp', 'reply', { about: 'said' }],
  ['email.verification', 'reply', {}],
  ['email.message_reply', 'reply', {}],
])('%s is a %s with %j', (kind, purpose, payload) => {
  expect(EMAILS.find((email) => email.kind === kind)?.purpose(payload as never)).toBe(purpose)
})

test('emails have a lane of their own', () => {
  expect(laneOf('email.receipt')).toBe('emails')
  expect(laneOf('stripe.payment')).toBe('rest')
})

/** Never run: each line below a directive must not compile. */
export async function wrongCalls(db: Db): Promise<void> {
  const receipt = EMAILS.find(({ kind }) => kind === 'email.receipt')
  if (receipt?.kind !== 'email.receipt') return
  await addToOutbox(db, { effect: receipt, payload: { paymentId: 'p' } }, 0)
  // @ts-expect-error a kind is not an effect
  await addToOutbox(db, { effect: 'email.receipt', payload: { paymentId: 'p' } }, 0)
  // @ts-expect-error a value of another type
  await addToOutbox(db, { effect: receipt, payload: { paymentId: 7 } }, 0)
  // @ts-expect-error a field of another effect
  await addToOutbox(db, { effect: receipt, payload: { accountId: 'a' } }, 0)
  // @ts-expect-error a field too many
  await addToOutbox(db, { effect: receipt, payload: { paymentId: 'p', accountId: 'a' } }, 0)
}
